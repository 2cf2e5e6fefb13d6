/* SPDX-License-Identifier: MIT */
/*
 * For tests that split subproblems on a device or find their paths there: a list's sequences,
 * packed, what solves them, and whether what came out is right.
 */
#ifndef RHOMB_TESTS_SPLIT_RIG_H
#define RHOMB_TESTS_SPLIT_RIG_H

#include "host/splits/splitter.h"
#include "src/planner/engine_plan.h"
#include "support/split_list.h"

/* How sequences are packed and subproblems solved. What is 0 is the first named. */
typedef struct split_shape {
    const char *alphabet; /* ACGT; each symbol has its own code */
    int32_t planes;       /* 2 */
    int32_t offset_bits;  /* 32 */
    rhomb__split_tuning tuning;
    /* Affine: tile_scores on top of the least, diagonals_per_item those of a tile on top of it. */
    rhomb__plan plan;
} split_shape;

/* A pair on the device, and what splits it. */
typedef struct split_rig {
    rhomb_context *ctx;
    rhomb__buffer target;
    rhomb__buffer query;
    rhomb__split_source source;
    rhomb__splitter *splitter;
} split_rig;

/* Fails the test with the context's error, if there is one. */
void split_expect_ok(rhomb_context *ctx, rhomb_status status);

/* Opens the device that RHOMB_TEST_DEVICE names, without a splitter. */
void split_rig_open(split_rig *g, const split_list *list, const split_shape *shape);

/* Splits in this way from now on, and as the rig's source has become. */
void split_rig_way(split_rig *g, const rhomb__split_way *way);

/* Nothing may be left on the device then. */
void split_rig_close(split_rig *g);

typedef struct split_solver split_solver;

/* A way of splitting, and what it is asked. */
struct split_solver {
    const char *name;
    const rhomb__split_way *way;
    split_takes takes;
    const char *costs; /* of what all ways are asked */
    oracle_breakpoint (*rule)(const split_list *list, int64_t index); /* NULL: any best path */
    void (*add)(split_list *list, rng *r);                            /* some subproblems */
    split_shape shape, other;
    int64_t some_bytes; /* a portion of some of these, not of all */
    bool quick;         /* programs run for a moment */
    /* What is said where a cost is too small, or too large; NULL: that may go unnoticed. */
    const char *too_small, *too_large;
    void (*check)(const split_solver *s); /* its own lists and shapes */
    const split_shape *groups;            /* of a GPU */
    size_t group_count;
};

/* Those of split_ways.c; NULL after the last one. */
const split_solver *split_solver_at(size_t position);

/* The plan of a shape. */
rhomb__plan split_plan_of(const split_list *list, const split_shape *shape);

/*
 * Compares the first breakpoints of a list with those of the rule; without one with those that came
 * first, if they are on best paths.
 */
void split_check_first(const split_solver *s, split_list *list, const rhomb__breakpoint *found,
                       int64_t count);

/* Splits all of a list, and compares. */
rhomb__split_work split_check_list(const split_solver *s, split_list *list,
                                   const split_shape *shape);

#endif
