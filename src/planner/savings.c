/* SPDX-License-Identifier: MIT */
/*
 * What bounds save, see savings.h.
 */
#include "src/planner/savings.h"

#include "src/base/int64.h"

/* The cells of a launch, in all directions, that a bound leaves. */
static int64_t cells_within(const rhomb__stretch *stretch, int64_t start, int64_t bound)
{
    rhomb__tiling tiling = stretch->tiling;
    tiling.pruning = tiling.pruning && bound != RHOMB__NO_BOUND;
    return stretch->directions * rhomb__launch_at(&tiling, start, bound).tiles *
           rhomb__tile_cells(&tiling);
}

void rhomb__savings_add(rhomb__savings *savings, const rhomb__stretch *stretch, int64_t end,
                        int64_t cells)
{
    int64_t left = 0;
    for (int64_t start = stretch->start; start < end; start += stretch->tiling.scores) {
        const int64_t all = cells_within(stretch, start, RHOMB__NO_BOUND);
        const int64_t limited = cells_within(stretch, start, stretch->limit);
        savings->limit += all - limited;
        left += limited;
    }
    /* A diamond of the last launch may have been computed after wavefront `end`. */
    savings->diagonal += rhomb__max(left - cells, 0);
}
