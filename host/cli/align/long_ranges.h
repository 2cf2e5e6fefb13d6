/* SPDX-License-Identifier: MIT */
/*
 * Rows of `--ranges` that are long: each is a pair by itself, with a guide from the sketch of its
 * ranges, in a pool with contexts of its own, which is opened for the first of them.
 */
#ifndef RHOMB_CLI_LONG_RANGES_H
#define RHOMB_CLI_LONG_RANGES_H

#include "host/cli/align/range_rows.h"
#include "host/cli/many/pool.h"

/* Rows of fewer bases on both sides are solved in batches. */
enum { CLI_LONG_RANGE = 100000 };

/* All zeros but `args` is none. */
typedef struct cli_long_ranges {
    const cli_align_arguments *args;
    rhomb_context *ctx;
    cli_pool *pool;
    int64_t rows, bases; /* that wait */
} cli_long_ranges;

bool cli_range_is_long(const cli_range_row *row);

/* Gives a row to the pool, which keeps its result in row->task. The exit status, as below. */
int cli_long_ranges_add(cli_long_ranges *ranges, cli_range_row *row);

/* Whether there are so many that one should be waited for before there are more. */
bool cli_long_ranges_are_enough(const cli_long_ranges *ranges);

/* Waits for a row. */
int cli_long_ranges_wait(cli_long_ranges *ranges, const cli_range_row *row);

/* To be called while the rows are still there. */
void cli_long_ranges_close(cli_long_ranges *ranges);

#endif
