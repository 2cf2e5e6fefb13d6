/* SPDX-License-Identifier: MIT */
/*
 * What the suite `tune` finds out, and the row of src/planner/profiles.c that says so.
 */
#ifndef RHOMB_BENCH_BENCH_TUNE_H
#define RHOMB_BENCH_BENCH_TUNE_H

#include "bench.h"

/* Within this of each other rates are not to be told apart, and something else decides. */
#define BENCH_SAME_RATE 0.97

/* A tile of the wavefront and what it does. */
typedef struct bench_tile {
    rhomb_plan plan;
    double wavefront_seconds; /* in a narrow pyramid */
    double medium_seconds;    /* of a pyramid with half the columns of a wide one */
    double cells_per_second;  /* in a wide one */
} bench_tile;

enum { BENCH_MOST_TILES = 32 };

/* Pyramids that end at the same column, by either of two tiles. */
typedef struct bench_step {
    int64_t columns; /* of both directions together */
    double narrow_seconds;
    double wide_seconds;
} bench_step;

/* A shape of the sweep and what it does. */
typedef struct bench_shape {
    rhomb_plan plan;
    double block_seconds; /* in a narrow band */
    double cells_per_second;
} bench_shape;

typedef struct bench_tuned {
    bench_tile narrow;      /* the best in narrow pyramids */
    bench_tile wide;        /* the best in wide ones */
    int64_t wide_diagonals; /* from which the wide tile takes over; 0: it serves all pyramids */
    bench_shape shape;
    double bases_per_second;
} bench_tuned;

/* A rate, and a time that decides among rates that are about the same. */
typedef struct bench_score {
    double rate;
    double seconds;
} bench_score;

/* The best of `count` scores, which are at least one. */
int bench_best(const bench_score *scores, int count);

/* The best tiles of narrow and of wide pyramids, out of BENCH_MOST_TILES at most. */
void bench_tuned_choose(bench_tuned *tuned, const bench_tile *tiles, int count);

/*
 * Whether each of the two best tiles is so much better than the other one at what it is for, and of
 * a shape of which there may be two.
 */
bool bench_tuned_wants_two(const bench_tuned *tuned);

/*
 * From the times of pyramids with more and more columns: how many diagonals both directions have
 * where the wide tile's rate passes the narrow one's. 0 when it is ahead from the beginning,
 * INT64_MAX when it never comes to it.
 */
int64_t bench_switch_diagonals(const bench_step *steps, int count);

/* Writes a row with a comment that says when, where and how. */
void bench_tune_row(FILE *to, const rhomb_device_info *device, const char *commit,
                    const char *command, const bench_tuned *tuned);

#endif
