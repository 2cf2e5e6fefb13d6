/* SPDX-License-Identifier: MIT */
/*
 * The order of VCF's records where a target has several queries, whose records come one query after
 * the other: by position, and those of a position as they came.
 */
#ifndef RHOMB_CLI_VCF_ORDER_H
#define RHOMB_CLI_VCF_ORDER_H

#include <stdint.h>

#include "host/cli/base/text_buffer.h"

/*
 * Appends the records of one target, whole lines, to `out` in their order, and counts those that
 * begin where one before has not ended: where queries overlap. False without memory, before
 * anything is appended; that of `out` is in out->failed.
 */
bool cli_vcf_order(const cli_buffer *records, cli_buffer *out, int64_t *overlapping);

#endif
