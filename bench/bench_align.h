/* SPDX-License-Identifier: MIT */
/*
 * A row of the suites of alignments.
 */
#ifndef RHOMB_BENCH_BENCH_ALIGN_H
#define RHOMB_BENCH_BENCH_ALIGN_H

#include "bench.h"
#include "rhomb/align.h"

typedef struct bench_align_row {
    const bench_case *alone; /* the distance */
    const bench_case *aligned;
    const bench_case *peer;    /* another program's path; without runs: none */
    rhomb_align_report report; /* of the last alignment */
    double ratio;              /* of the medians, alignment over distance */
    double build_seconds;      /* of programs, before the timed runs */
    bool left_out;             /* it took too long, and has no row */
    bool within;               /* as promised, in time */
    bool memory_within;        /* as promised, in device memory */
    double core_ratio;         /* the peer's CPU seconds over the library's; 0: no peer */
} bench_align_row;

/* Bases of a path that are no matches. */
int64_t bench_align_edits(const rhomb_align_report *report);

/* Writes a row; the CSV file must have been opened for alignments. */
void bench_csv_align_row(bench *b, const bench_align_row *row);

#endif
