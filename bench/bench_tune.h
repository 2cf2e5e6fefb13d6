/* SPDX-License-Identifier: MIT */
/*
 * What the suite `tune` finds out, and the row of src/tuning.c that says so.
 */
#ifndef RHOMB_BENCH_BENCH_TUNE_H
#define RHOMB_BENCH_BENCH_TUNE_H

#include "bench.h"

/* A tile of the wavefront and what it does. */
typedef struct bench_tile {
    rhomb_plan plan;
    double column_seconds;   /* in a narrow pyramid */
    double cells_per_second; /* in a wide one */
} bench_tile;

/* A shape of the sweep and what it does. */
typedef struct bench_shape {
    rhomb_plan plan;
    double block_seconds; /* in a narrow band */
    double cells_per_second;
} bench_shape;

typedef struct bench_tuned {
    bench_tile tile;   /* the best in wide pyramids */
    bench_tile narrow; /* the best in narrow ones */
    bench_shape shape;
    double letters_per_second;
} bench_tuned;

/* Writes the row to the file that --row asks for. */
bool bench_tune_row(bench *b, const bench_tuned *tuned);

#endif
