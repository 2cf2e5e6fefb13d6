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
 * The longest sequence of a base case that the kernel takes: its operations have no more bases.
 * Tests compile files with a smaller one.
 */
#if !defined(RHOMB__AFFINE_PATH_MOST_BASES)
#    define RHOMB__AFFINE_PATH_MOST_BASES ((INT64_C(1) << 28) - 1)
#endif

/* How a path is found. */
typedef enum rhomb__affine_path_way {
    RHOMB__AFFINE_BY_WAVES, /* a wavefront for each score */
    RHOMB__AFFINE_BY_MATRIX
} rhomb__affine_path_way;

typedef struct rhomb__affine_path_size {
    rhomb__affine_path_way way;
    int64_t first_diagonal; /* of wavefronts; <= 0 */
    int64_t diagonals;
    int64_t row_cells;   /* of 4 bytes: rows of numbers */
    int64_t trace_bytes; /* after them */
    int64_t cells;       /* of 4 bytes: both */
    int64_t operations;  /* at most, while the path is written */
} rhomb__affine_path_size;

/*
 * Of a subproblem with bases of both sequences, whose cost and lengths are below 2^31, by the way
 * that is less work.
 */
rhomb__affine_path_size rhomb__affine_path_size_of(const rhomb__costs *costs,
                                                   const rhomb_subproblem *subproblem);

/* Of 4 bytes: a ring of wavefronts with so many diagonals, and a matrix with its trace. */
int64_t rhomb__affine_ring_cells(const rhomb__costs *costs, int64_t diagonals);
int64_t rhomb__affine_matrix_cells(int64_t n, int64_t m);

/* What the kernel is told about it. */
rhomb_affine_path rhomb__affine_path_describe(const rhomb__affine_path_size *size,
                                              const rhomb_subproblem *subproblem,
                                              int64_t operations_at);

/*
 * Whether a subproblem with bases of both sequences is a base case: short enough, and with a trace
 * that is small enough. Larger traces save rounds of splits, but their work grows with the square
 * of the cost. What costs too little for wavefronts to split it (tiling.h) is a base case,
 * too, however long: where openings or mismatches cost up to 1024, its trace takes up to 9 MiB.
 */
bool rhomb__affine_path_is_base_case(const rhomb__costs *costs, const rhomb_subproblem *subproblem);

/* Whether such a base case is too long for the kernel: src/paths/long_path.h finds its path. */
bool rhomb__affine_path_is_long(const rhomb_subproblem *subproblem);

#endif
