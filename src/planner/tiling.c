/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the pyramid, see tiling.h.
 */
#include "src/planner/tiling.h"

#include "src/base/int64.h"

static int64_t end_diagonal(const rhomb__tiling *tiling)
{
    return tiling->target_length - tiling->query_length;
}

/* The part of a window inside the matrix. */
static rhomb__window in_matrix(const rhomb__tiling *tiling, rhomb__window window)
{
    window.low = rhomb__max(window.low, -tiling->query_length);
    window.high = rhomb__min(window.high, tiling->target_length);
    return window;
}

rhomb__window rhomb__window_of(const rhomb__tiling *tiling, int64_t first, int64_t last,
                               int64_t bound)
{
    rhomb__window window = {-last, last};
    if (tiling->pruning) {
        const int64_t left = bound - first;
        window.low = rhomb__max(window.low, end_diagonal(tiling) - left);
        window.high = rhomb__min(window.high, end_diagonal(tiling) + left);
    }
    return in_matrix(tiling, window);
}

/*
 * Wavefront r has the diagonals from max(-r, K - (bound - r)) to min(r, K + bound - r). The first
 * grow and the second shrink with r; they meet at r = (bound -/+ K) / 2, where the window is widest
 * on that side.
 */
rhomb__window rhomb__window_from(const rhomb__tiling *tiling, int64_t first, int64_t bound)
{
    if (!tiling->pruning)
        return rhomb__window_of(tiling, first, bound, bound);
    const int64_t end = end_diagonal(tiling);
    const rhomb__window window = {-rhomb__max(rhomb__ceil_div(bound - end, 2), 0),
                                  rhomb__max(rhomb__ceil_div(bound + end, 2), 0)};
    const rhomb__window now = {end - (bound - first), end + (bound - first)};
    const rhomb__window widest = {rhomb__max(window.low, now.low),
                                  rhomb__min(window.high, now.high)};
    return in_matrix(tiling, widest);
}

/* Diagonals from one tile of a launch to the next. */
static int64_t tile_pitch(const rhomb__tiling *tiling)
{
    return tiling->shape == RHOMB_TILE_DIAMOND ? 2 * (tiling->diagonals - tiling->scores)
                                               : tiling->diagonals - 2 * tiling->scores;
}

/* Lays trapezoids side by side from the window's low end on; each stores W - 2 T diagonals. */
static void lay_trapezoids(const rhomb__tiling *tiling, rhomb__window window, rhomb__launch *launch)
{
    launch->pitch = tile_pitch(tiling);
    launch->first_diagonal = window.low - tiling->scores;
    launch->tiles = rhomb__ceil_div(window.high - window.low + 1, launch->pitch);
    const int64_t end = end_diagonal(tiling) - window.low;
    launch->stores_end = end >= 0 && end < launch->tiles * launch->pitch;
}

/* Takes the diamonds of this launch's grid that meet the window. */
static void lay_diamonds(const rhomb__tiling *tiling, rhomb__window window, bool odd,
                         rhomb__launch *launch)
{
    const int64_t shift = odd ? tiling->diagonals - tiling->scores : 0;
    launch->pitch = tile_pitch(tiling);
    const int64_t first =
        rhomb__ceil_div(window.low - (tiling->diagonals - 1) - shift, launch->pitch);
    const int64_t last = rhomb__floor_div(window.high - shift, launch->pitch);
    launch->first_diagonal = first * launch->pitch + shift;
    launch->tiles = rhomb__max(last - first + 1, 0);
    const int64_t end = end_diagonal(tiling) - launch->first_diagonal;
    launch->stores_end =
        end >= 0 && end / launch->pitch < launch->tiles && end % launch->pitch < tiling->diagonals;
}

int64_t rhomb__first_start(const rhomb__tiling *tiling)
{
    return tiling->shape == RHOMB_TILE_DIAMOND ? -tiling->scores : -1;
}

rhomb__launch rhomb__launch_at(const rhomb__tiling *tiling, int64_t start, int64_t bound)
{
    const bool diamond = tiling->shape == RHOMB_TILE_DIAMOND;
    const int64_t steps = diamond ? 2 * tiling->scores : tiling->scores;
    rhomb__launch launch = {.start = start, .complete = start + tiling->scores};
    const rhomb__window window =
        rhomb__window_of(tiling, launch.start + 1, launch.start + steps, bound);
    if (window.low > window.high)
        return launch;
    if (diamond)
        lay_diamonds(tiling, window, start / tiling->scores % 2 == 0, &launch);
    else
        lay_trapezoids(tiling, window, &launch);
    return launch;
}

rhomb__window rhomb__launch_reach(const rhomb__tiling *tiling, const rhomb__launch *launch)
{
    const rhomb__window reach = {launch->first_diagonal - 1,
                                 launch->first_diagonal + (launch->tiles - 1) * launch->pitch +
                                     tiling->diagonals};
    return reach;
}

int64_t rhomb__tile_cells(const rhomb__tiling *tiling)
{
    const int64_t twice = tiling->shape == RHOMB_TILE_DIAMOND ? 2 : 1;
    const int64_t margins = tiling->shape == RHOMB_TILE_DIAMOND ? 1 : 2;
    return twice * tiling->scores * (tiling->diagonals - margins * tiling->scores);
}

/* The cells of a launch, in all directions, that a bound leaves. */
static int64_t cells_within(const rhomb__launch_series *stretch, int64_t start, int64_t bound)
{
    rhomb__tiling tiling = stretch->tiling;
    tiling.pruning = tiling.pruning && bound != RHOMB__NO_BOUND;
    return stretch->directions * rhomb__launch_at(&tiling, start, bound).tiles *
           rhomb__tile_cells(&tiling);
}

void rhomb__savings_add(rhomb__savings *savings, const rhomb__launch_series *stretch, int64_t end,
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
