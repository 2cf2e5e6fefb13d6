/* SPDX-License-Identifier: MIT */
/*
 * Sizes of base cases with gap-affine costs, see affine_paths.h.
 */
#include "src/planner/affine_paths.h"

#include "src/base/int64.h"

/* The largest trace: 512 scores with 512 diagonals. */
#define MOST_TRACE (INT64_C(1) << 18)

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

static int64_t ring_rows(const rhomb__costs *costs)
{
    const int64_t mismatch = costs->replaced ? 0 : costs->mismatch;
    int64_t rows = RHOMB_AFFINE_PATH_M_ROWS(mismatch, costs->open[0], costs->extend[0],
                                            costs->open[1], costs->extend[1]);
    for (int32_t piece = 0; piece < costs->pieces; piece++)
        rows += 2 * (costs->extend[piece] + 1);
    return rows;
}

rhomb__affine_path_size rhomb__affine_path_size_of(const rhomb__costs *costs,
                                                   const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const int64_t n = pair->target_length, m = pair->query_length;
    const int64_t scores = pair->distance + rhomb__costs_of_opening(costs, subproblem->end_gap);
    const int64_t up = rhomb__min(reach(costs, subproblem, RHOMB_GAP_D, n - m, scores), n);
    const int64_t down = rhomb__min(reach(costs, subproblem, RHOMB_GAP_I, m - n, scores), m);
    const int64_t diagonals = up + down + 1;
    /* Gaps at the borders cost less than others. */
    const int64_t edits =
        2 + pair->distance / rhomb__min(costs->mismatch, rhomb__costs_gap(costs, 1));
    return (rhomb__affine_path_size){.scores = scores,
                                     .first_diagonal = -down,
                                     .diagonals = diagonals,
                                     .cells = ring_rows(costs) * (diagonals + 2) +
                                              rhomb__ceil_div(scores * diagonals, 4),
                                     .operations = 2 * rhomb__min(edits, n + m) + 1};
}

bool rhomb__affine_path_is_base_case(const rhomb__costs *costs, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    if (rhomb__max(pair->target_length, pair->query_length) > RHOMB__AFFINE_PATH_MOST_BASES ||
        pair->distance > MOST_TRACE)
        return false;
    const rhomb__affine_path_size size = rhomb__affine_path_size_of(costs, subproblem);
    return size.scores * size.diagonals <= MOST_TRACE;
}
