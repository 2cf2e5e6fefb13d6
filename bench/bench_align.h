/* SPDX-License-Identifier: MIT */
/*
 * What the suites `align` and `align_edlib` share: a pair that is solved as a distance and as an
 * alignment in turns, and a row of the CSV file.
 */
#ifndef RHOMB_BENCH_BENCH_ALIGN_H
#define RHOMB_BENCH_BENCH_ALIGN_H

#include "bench.h"
#include "rhomb/align.h"

/*
 * The promise: an alignment takes at most so many times the distance's solve time and so many
 * seconds more, and so many times its device memory and so many bytes more.
 */
#define BENCH_ALIGN_TIMES        2.2
#define BENCH_ALIGN_SECONDS      0.02
#define BENCH_ALIGN_MEMORY_TIMES 1.5
#define BENCH_ALIGN_MEMORY_BYTES (INT64_C(64) << 20)

/* Another program's alignment of a pair; false, and said, unless it has that distance. */
typedef bool (*bench_align_peer)(bench *b, const bench_pair *pair, int64_t distance);

/* What is to be measured. */
typedef struct bench_align_case {
    const char *suite;
    const bench_pair *pair;
    int64_t distance;        /* BENCH_UNKNOWN: a sweep checks it, where that is quick enough */
    const char *verified_by; /* how a known distance is known */
    bench_align_peer peer;   /* takes turns with the library; NULL: none */
    bool once_when_long;     /* the run that verifies is the only one where it takes
                                BENCH_LONG_SECONDS */
} bench_align_case;

/* A row: what came out. */
typedef struct bench_align_row {
    const char *suite;
    const bench_pair *pair;
    rhomb_engine asked;
    char verified_by[96];
    int runs;
    rhomb_report distance;      /* of the last distance alone */
    rhomb_align_report report;  /* of the last alignment */
    bench_times distance_solve; /* of the distance alone */
    bench_times align;          /* first solve, splitting and leaves */
    double whole_seconds;       /* medians of its parts: the first solve */
    double split_seconds;       /* ... splitting */
    double leaves_seconds;      /* ... and the leaves */
    double total_seconds;       /* of the call, median */
    double cpu_seconds;         /* of the process in the call, median */
    double ratio;               /* of the medians, alignment over distance */
    bool within;                /* as promised, in time */
    bool memory_within;         /* as promised, in device memory */
    double peer_seconds;        /* the peer's medians; 0: none */
    double peer_cpu_seconds;
    double core_ratio; /* peer_cpu_seconds over cpu_seconds; 0: no peer */
} bench_align_row;

/* ----------------------------------------------------------- bench_align.c */

/*
 * Verifies the path, letter by letter, and the distance, times both, prints and writes the row. A
 * pair that takes longer than --limit-seconds is said and left out: `row`, which may be NULL, has
 * no runs then. False when something is wrong or a call fails.
 */
bool bench_align_measure(bench *b, const bench_align_case *c, bench_align_row *row);

/* Title and heading over such rows. */
void bench_align_heading(const bench *b, const char *suite);

/* ---------------------------------------------------------- bench_output.c */

/* Writes a row; the CSV file must have been opened for alignments. */
void bench_csv_align_row(bench *b, const bench_align_row *row);

#endif
