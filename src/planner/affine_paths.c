/* SPDX-License-Identifier: MIT */
/*
 * Sizes of base cases with gap-affine costs, see affine_paths.h.
 */
#include "src/planner/affine_paths.h"

#include "src/base/int64.h"
#include "src/planner/tiling.h"

/*
 * The largest trace of a base case, in bytes: 512 scores with 512 diagonals, or 362 bases of both
 * sequences. Twice as much halves the subproblems that are left to split by the last round, and
 * doubles the work here, which takes 0.15 to 0.3 s of a core for 1 Mbp with an edit in 20 bases.
 */
#define MOST_TRACE (INT64_C(1) << 18)

/* A cell of a wavefront takes that many times as long as one of a matrix, as it follows matches. */
#define WAVES_SHARE 3

/* The kernel's numbers have 31 bits. */
#define MOST_MATRIX_COST (INT64_C(1) << 29)

/*
 * How far a path may be to one side of diagonal 0, by gaps from `first` on (RHOMB_GAP_D or I), and
 * still come back to the end, `end` diagonals away on that side: a gap of b bases leads there, and
 * each of the b - end bases back costs the least extension.
 */
static int64_t reach(const rhomb__costs *costs, const rhomb_subproblem *subproblem, int32_t first,
                     int64_t end, int64_t scores)
{
    const int64_t least = rhomb__costs_least_extend(costs);
    int64_t reach = rhomb__max(end, 0);
    for (int32_t piece = 0; piece < costs->pieces; piece++) {
        const int64_t open = subproblem->begin_gap == first + piece ? 0 : costs->open[piece];
        reach = rhomb__max(
            reach, rhomb__floor_div(scores - open + end * least, costs->extend[piece] + least));
    }
    return reach;
}

int64_t rhomb__affine_ring_cells(const rhomb__costs *costs, int64_t diagonals)
{
    const int64_t mismatch = costs->replaced ? 0 : costs->mismatch;
    int64_t rows = RHOMB_AFFINE_PATH_M_ROWS(mismatch, costs->open[0], costs->extend[0],
                                            costs->open[1], costs->extend[1]);
    for (int32_t piece = 0; piece < costs->pieces; piece++)
        rows += 2 * (costs->extend[piece] + 1);
    return rows * (diagonals + 2);
}

static void size_waves(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
                       rhomb__affine_path_size *size)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const int64_t scores =
        subproblem->pair.distance + rhomb__costs_of_opening(costs, subproblem->end_gap);
    const int64_t up = rhomb__min(reach(costs, subproblem, RHOMB_GAP_D, n - m, scores), n);
    const int64_t down = rhomb__min(reach(costs, subproblem, RHOMB_GAP_I, m - n, scores), m);
    size->first_diagonal = -down;
    size->diagonals = up + down + 1;
    size->row_cells = rhomb__affine_ring_cells(costs, size->diagonals);
    size->trace_bytes = scores * size->diagonals;
}

/* With the bases of both, one by one. */
static void size_matrix(int64_t n, int64_t m, rhomb__affine_path_size *size)
{
    size->row_cells = RHOMB_AFFINE_PATH_MATRIX_ROWS * (m + 2) + rhomb__ceil_div(n + 1 + m + 1, 4);
    size->trace_bytes = (n + m) * (rhomb__min(n, m) + 1);
}

int64_t rhomb__affine_matrix_cells(int64_t n, int64_t m)
{
    rhomb__affine_path_size size;
    size_matrix(n, m, &size);
    return size.row_cells + rhomb__ceil_div(size.trace_bytes, 4);
}

static rhomb__affine_path_size size_by(rhomb__affine_path_way way, const rhomb__costs *costs,
                                       const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    /* Gaps at the borders cost less than others. */
    const int64_t edits =
        2 + pair->distance / rhomb__min(costs->mismatch, rhomb__costs_gap(costs, 1));
    rhomb__affine_path_size size = {
        .way = way,
        .operations = 2 * rhomb__min(edits, pair->target_length + pair->query_length) + 1};
    if (way == RHOMB__AFFINE_BY_MATRIX)
        size_matrix(pair->target_length, pair->query_length, &size);
    else
        size_waves(costs, subproblem, &size);
    size.cells = size.row_cells + rhomb__ceil_div(size.trace_bytes, 4);
    return size;
}

rhomb__affine_path_size rhomb__affine_path_size_of(const rhomb__costs *costs,
                                                   const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const rhomb__affine_path_size waves = size_by(RHOMB__AFFINE_BY_WAVES, costs, subproblem);
    const rhomb__affine_path_size matrix = size_by(RHOMB__AFFINE_BY_MATRIX, costs, subproblem);
    const int64_t most = rhomb__costs_most(costs, pair->target_length, pair->query_length);
    const bool is_less = matrix.trace_bytes < WAVES_SHARE * waves.trace_bytes;
    const bool fits = matrix.trace_bytes <= MOST_TRACE || waves.trace_bytes > MOST_TRACE;
    return is_less && fits && most <= MOST_MATRIX_COST ? matrix : waves;
}

rhomb_affine_path rhomb__affine_path_describe(const rhomb__affine_path_size *size,
                                              const rhomb_subproblem *subproblem,
                                              int64_t operations_at)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    return (rhomb_affine_path){.target_at = pair->target_at + RHOMB_PAD_SYMBOLS,
                               .query_at = pair->query_at + RHOMB_PAD_SYMBOLS,
                               .target_length = (rhomb_i32)pair->target_length,
                               .query_length = (rhomb_i32)pair->query_length,
                               .cost = (rhomb_i32)pair->distance,
                               .begin_gap = subproblem->begin_gap,
                               .end_gap = subproblem->end_gap,
                               .first_diagonal = (rhomb_i32)size->first_diagonal,
                               .diagonals = (rhomb_i32)size->diagonals,
                               .by_matrix = size->way == RHOMB__AFFINE_BY_MATRIX,
                               .row_cells = (rhomb_i32)size->row_cells,
                               .operations_at = (rhomb_u32)operations_at,
                               .operations = (rhomb_u32)size->operations};
}

bool rhomb__affine_path_is_long(const rhomb_subproblem *subproblem)
{
    return rhomb__max(subproblem->pair.target_length, subproblem->pair.query_length) >
           RHOMB__AFFINE_PATH_MOST_BASES;
}

bool rhomb__affine_path_is_base_case(const rhomb__costs *costs, const rhomb_subproblem *subproblem)
{
    const int64_t cost = subproblem->pair.distance;
    if (rhomb__affine_can(costs) && cost <= 2 * rhomb__affine_lookback(costs))
        return true;
    return !rhomb__affine_path_is_long(subproblem) && cost <= INT32_MAX &&
           rhomb__affine_path_size_of(costs, subproblem).trace_bytes <= MOST_TRACE;
}
