/* SPDX-License-Identifier: MIT */
/*
 * A row of the suites of alignments.
 */
#ifndef RHOMB_BENCH_BENCH_ALIGN_H
#define RHOMB_BENCH_BENCH_ALIGN_H

#include "bench.h"
#include "rhomb/align.h"

/* What is timed. */
typedef enum bench_align_clock {
    BENCH_ALIGN_DISTANCE, /* solving the distance alone */
    BENCH_ALIGN_ALL,      /* the alignment: the sum of the next three */
    BENCH_ALIGN_FIRST,    /* its first solve ... */
    BENCH_ALIGN_SPLIT,
    BENCH_ALIGN_LEAVES,
    BENCH_ALIGN_TOTAL, /* of its call */
    BENCH_ALIGN_CPU,   /* of the process in the call */
    BENCH_ALIGN_PEER,  /* another program's path, and its CPU seconds; 0: none */
    BENCH_ALIGN_PEER_CPU,
    BENCH_ALIGN_CLOCKS
} bench_align_clock;

typedef struct bench_align_row {
    const char *suite;
    const bench_pair *pair;
    rhomb_engine asked;
    char verified_by[96];
    int runs;
    rhomb_report distance;     /* of the last distance alone */
    rhomb_align_report report; /* of the last alignment */
    bench_times times[BENCH_ALIGN_CLOCKS];
    double ratio;       /* of the medians, alignment over distance */
    bool within;        /* as promised, in time */
    bool memory_within; /* as promised, in device memory */
    double core_ratio;  /* the peer's CPU seconds over the library's; 0: no peer */
} bench_align_row;

/* Writes a row; the CSV file must have been opened for alignments. */
void bench_csv_align_row(bench *b, const bench_align_row *row);

#endif
