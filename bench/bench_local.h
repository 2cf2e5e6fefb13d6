/* SPDX-License-Identifier: MIT */
/*
 * A row of the suites of one long pair that is not aligned end to end.
 */
#ifndef RHOMB_BENCH_BENCH_LOCAL_H
#define RHOMB_BENCH_BENCH_LOCAL_H

#include "bench.h"
#include "rhomb/local.h"

typedef struct bench_local_row {
    const char *suite;
    const char *scoring;
    const bench_pair *pair;
    rhomb_local_report report; /* of the last run, but for its extent: */
    rhomb_pair_extent extent;
    int64_t operations; /* of the path */
    int runs;
    bench_times end, begin, path, all;      /* all: the three together */
    double transfer_seconds, build_seconds; /* of the first run */
    double cells_per_second;                /* of the whole matrix, pruned or out of reach too */
} bench_local_row;

/* Writes a row; the CSV file must have been opened for such rows. */
void bench_csv_local_row(bench *b, const bench_local_row *row);

#endif
