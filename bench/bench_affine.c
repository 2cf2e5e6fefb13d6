/* SPDX-License-Identifier: MIT */
/*
 * The cells of affine wavefronts, by the library's own windows: its report counts whole tiles, with
 * their margins and with what lies beside the window.
 */
#include "bench.h"

#include "src/planner/tiling.h"

double bench_affine_cells(const bench_case *c, int64_t lower_bound)
{
    const bench_pair *pair = c->pair;
    const rhomb_subproblem range = {.pair = {0, pair->target_length, 0, pair->query_length, 0}};
    rhomb__error error = {0};
    rhomb__costs costs;
    double cells = 0;
    if (rhomb__costs_of(&error, c->scoring, &costs) != RHOMB_OK)
        return 0;
    /* With both directions at score s, costs up to 2 * s - lookback are ruled out. */
    const int64_t below = rhomb__ceil_div(lower_bound, costs.unit) - 1;
    const int64_t last = rhomb__ceil_div(below + rhomb__affine_lookback(&costs), 2);
    const int64_t bound = c->max_distance / costs.unit;
    for (int64_t score = 0; score <= last; score++)
        for (int direction = 0; direction < 2; direction++) {
            const rhomb__window window =
                rhomb__affine_window(&costs, &range, direction, score, score, bound);
            cells += (double)rhomb__max(window.high - window.low + 1, 0);
        }
    return cells;
}
