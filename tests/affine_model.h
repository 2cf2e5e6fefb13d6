/* SPDX-License-Identifier: MIT */
/*
 * For tests of affine wavefronts: what every vertex of a small subproblem costs from its beginning
 * and from its end, in plain code, and so which vertices are on a path of the least cost; and pairs
 * with long gaps at their borders. See rhomb_subproblem in cl/abi.h.
 */
#ifndef RHOMB_TESTS_AFFINE_MODEL_H
#define RHOMB_TESTS_AFFINE_MODEL_H

#include "cl/abi.h"
#include "src/scoring/costs.h"
#include "support/pair.h"

/* Kinds of vertices: outside of gaps, and within each (RHOMB_GAP_*). */
#define AFFINE_KINDS (RHOMB_GAP_I_2 + 1)

/* The cost of what cannot be reached. */
#define AFFINE_NEVER (INT64_MAX / 4)

typedef struct affine_model {
    rhomb__costs costs;
    rhomb_subproblem range; /* the whole pair, its gaps and its cost */
    int64_t *cost[2];       /* by direction, row, column and kind */
} affine_model;

/* The first of the pair is the target. Aborts without memory. */
void affine_model_open(affine_model *model, const pair *p, const rhomb__costs *costs,
                       int32_t begin_gap, int32_t end_gap);
void affine_model_close(affine_model *model);

/*
 * The least cost of what lies before the vertex behind j bases of the target and i of the query
 * (direction 0), or behind it (direction 1). A gap that it lies within is opened on both sides.
 */
int64_t affine_model_cost(const affine_model *model, int direction, int64_t i, int64_t j,
                          int32_t kind);

/* Whether a path of the least cost leads through a vertex. */
bool affine_model_is_best(const affine_model *model, int64_t i, int64_t j, int32_t kind);

/* Whether the costs have such gaps; and any of them, or none. */
bool affine_has_gap(const rhomb__costs *costs, int32_t gap);
int32_t affine_random_gap(const rhomb__costs *costs, rng *r);

/*
 * A pair of blocks of matches, mismatches and gaps; with up to `gap` bases more of one sequence at
 * either end, so that paths begin or end within a gap. What `p` held is released.
 */
void affine_bordered_pair(int64_t length, int64_t gap, rng *r, pair *p);

#endif
