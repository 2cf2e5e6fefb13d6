/* SPDX-License-Identifier: MIT */
/*
 * The size of a subproblem with gap-affine costs for the kernel that finds its path
 * (cl/affine/affine_path.cl): the scores and diagonals that matter, and the memory they take. Pure;
 * depends on lengths, cost, borders and costs alone.
 */
#ifndef RHOMB_SRC_AFFINE_PATHS_H
#define RHOMB_SRC_AFFINE_PATHS_H

#include "cl/abi.h"
#include "src/scoring/costs.h"

#include <stdbool.h>

/*
 * The longest sequence of a base case with such costs. Long ones have few edits, and nothing else
 * could split some of them.
 */
#define RHOMB__AFFINE_PATH_MOST_BASES ((INT64_C(1) << 28) - 1)

typedef struct rhomb__affine_path_size {
    int64_t scores;         /* after 0, up to the cost and the opening of the end gap */
    int64_t first_diagonal; /* <= 0 */
    int64_t diagonals;
    int64_t cells;      /* of 4 bytes, of the ring and the trace */
    int64_t operations; /* at most, while the path is written */
} rhomb__affine_path_size;

/* Of a subproblem with bases of both sequences, whose cost and lengths are below 2^31. */
rhomb__affine_path_size rhomb__affine_path_size_of(const rhomb__costs *costs,
                                                   const rhomb_subproblem *subproblem);

/*
 * Whether a subproblem with bases of both sequences is a base case: short enough, and with a trace
 * that is small enough. Larger traces save rounds of splits, but their work grows with the square
 * of the cost.
 */
bool rhomb__affine_path_is_base_case(const rhomb__costs *costs, const rhomb_subproblem *subproblem);

#endif
