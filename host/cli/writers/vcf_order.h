/* SPDX-License-Identifier: MIT */
/*
 * The order of records of VCF where a target has several queries, whose records come one
 * query after the other: by position, and those of a position as they came.
 */
#ifndef RHOMB_CLI_VCF_ORDER_H
#define RHOMB_CLI_VCF_ORDER_H

#include <stdint.h>

#include "host/cli/base/sink.h"

/*
 * Writes the records of one target, whole lines, in their order, and counts those that begin where
 * one of another query has not ended. They are held in memory, with 40 bytes for each line. False
 * without memory for these; whether they could be written says the sink.
 */
bool cli_vcf_order(const cli_buffer *records, cli_sink *out, int64_t *overlapping);

#endif
