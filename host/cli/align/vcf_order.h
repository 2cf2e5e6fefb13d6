/* SPDX-License-Identifier: MIT */
/*
 * The order of records of VCF and SAM where a target has several queries, whose records come one
 * query after the other: by position, and those of a position as they came.
 */
#ifndef RHOMB_CLI_VCF_ORDER_H
#define RHOMB_CLI_VCF_ORDER_H

#include <stdint.h>

#include "host/cli/base/sink.h"

/* A line among those of a target; `end` is for cli_vcf_order() alone. */
typedef struct cli_ordered_line {
    int64_t position;
    int64_t end;
    size_t at, length; /* in the text, with the line end */
} cli_ordered_line;

/*
 * The lines of a text, by the number in a column, from 0 on, of a tab before each; the caller frees
 * them. NULL without memory.
 */
cli_ordered_line *cli_order_lines(const cli_buffer *records, int position_column, size_t *count);

/*
 * Writes the records of one target, whole lines, in their order, and counts those that begin where
 * one of another query has not ended. They are held in memory, with 40 bytes for each line. False
 * without memory for these; whether they could be written says the sink.
 */
bool cli_vcf_order(const cli_buffer *records, cli_sink *out, int64_t *overlapping);

#endif
