/* SPDX-License-Identifier: MIT */
/*
 * Guides as the program makes them, from a sketch of a pair.
 */
#ifndef RHOMB_BENCH_BENCH_GUIDED_H
#define RHOMB_BENCH_BENCH_GUIDED_H

#include "bench.h"
#include "host/cli/sketch/relation.h"

typedef struct bench_sketch {
    cli_relation relation;
    bool is_guide; /* `guide` is one, of `points` */
    rhomb_guide guide;
    rhomb_guide_point *points;
    double seconds; /* to make it */
} bench_sketch;

/* Makes a sketch of a pair, to be released in any case. False, and said, when that fails. */
bool bench_sketch_make(bench *b, const bench_pair *pair, const rhomb_scoring *scoring,
                       bench_sketch *sketch);
void bench_sketch_release(bench_sketch *sketch);

#endif
