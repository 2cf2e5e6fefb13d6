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

static int64_t first_base(const rhomb__costs *costs, int piece)
{
    return piece < costs->pieces ? costs->open[piece] + costs->extend[piece] : 0;
}

int64_t rhomb__affine_lookback(const rhomb__costs *costs)
{
    return RHOMB_AFFINE_LOOKBACK(costs->mismatch, first_base(costs, 0), first_base(costs, 1));
}

bool rhomb__affine_can(const rhomb__costs *costs)
{
    return rhomb__affine_lookback(costs) <= RHOMB_AFFINE_MOST_LOOKBACK;
}

int64_t rhomb__affine_slots(const rhomb__costs *costs)
{
    int64_t slots = rhomb__affine_lookback(costs);
    for (int piece = 0; piece < costs->pieces; piece++)
        slots += 2 * costs->extend[piece];
    return slots;
}

int64_t rhomb__affine_rows(const rhomb__costs *costs, bool in_groups)
{
    const int64_t look = rhomb__affine_lookback(costs), slots = rhomb__affine_slots(costs);
    if (!in_groups)
        return slots + 1 + 2 * costs->pieces;
    return (look > RHOMB_AFFINE_HELD_M ? look : 0) +
           (costs->extend[0] > RHOMB_AFFINE_HELD_GAPS ? slots - look : 0);
}

int64_t rhomb__affine_margin(const rhomb__affine_shape *shape)
{
    const rhomb__costs *costs = &shape->costs;
    return RHOMB_AFFINE_MARGIN(shape->scores, costs->extend[0],
                               costs->pieces == 2 ? costs->extend[1] : 0);
}

/* The most bases of a gap at a cost; the opening of one that goes on is paid. */
static int64_t reach(const rhomb__costs *costs, bool inserts, int32_t gap_before, int64_t cost)
{
    int64_t most = 0;
    for (int piece = 0; piece < costs->pieces; piece++) {
        const bool goes_on = gap_before != RHOMB_GAP_NONE &&
                             RHOMB_GAP_IS_I(gap_before) == inserts &&
                             RHOMB_GAP_PIECE(gap_before) == piece;
        const int64_t left = cost - (goes_on ? 0 : costs->open[piece]);
        if (left > 0)
            most = rhomb__max(most, left / costs->extend[piece]);
    }
    return most;
}

rhomb__window rhomb__affine_window(const rhomb__costs *costs, const rhomb_subproblem *range,
                                   int direction, int64_t first, int64_t last, int64_t bound)
{
    const int64_t n = range->pair.target_length, m = range->pair.query_length;
    const int64_t end = n - m;
    const int32_t before = direction == 0 ? range->begin_gap : range->end_gap;
    const int32_t after = direction == 0 ? range->end_gap : range->begin_gap;
    rhomb__window window = {1, 0};
    if (first > bound)
        return window;
    last = rhomb__min(last, bound);
    /* The launch also keeps scores from before it, for those that look back to them. */
    const int64_t held = rhomb__max(rhomb__min(first, last - rhomb__affine_lookback(costs) + 1), 0);
    /*
     * The rest of a path may begin within a gap, and end within one: it need not open any. If these
     * are the same gap, the path does not pay its opening, but the score has it. What the other
     * direction has come to at these scores stays, to be met there.
     */
    const int64_t left = rhomb__max(bound - held + rhomb__costs_of_opening(costs, after), last);
    const int64_t back = left / rhomb__costs_least_extend(costs);
    window.low = rhomb__max(-rhomb__min(reach(costs, true, before, last), m), end - back);
    window.high = rhomb__min(rhomb__min(reach(costs, false, before, last), n), end + back);
    return window;
}

int64_t rhomb__affine_tiles(const rhomb__affine_shape *shape, rhomb__window window)
{
    const int64_t pitch = shape->diagonals - 2 * rhomb__affine_margin(shape);
    return window.low > window.high ? 0 : rhomb__ceil_div(window.high - window.low + 1, pitch);
}

int64_t rhomb__affine_tile_first(const rhomb__affine_shape *shape, rhomb__window window,
                                 int64_t rank)
{
    const int64_t margin = rhomb__affine_margin(shape);
    const int64_t middle = rhomb__affine_tiles(shape, window) / 2;
    const int64_t index = rank % 2 != 0 ? middle - (rank + 1) / 2 : middle + rank / 2;
    return window.low - margin + index * (shape->diagonals - 2 * margin);
}

int rhomb__affine_stages(const rhomb__costs *costs)
{
    return costs->pieces + 1;
}

int rhomb__affine_stage_part(const rhomb__costs *costs, int stage)
{
    return stage < costs->pieces ? stage + 1 : 0;
}

void rhomb__affine_until(const rhomb__costs *costs, int64_t cost, int stage, int64_t until[2])
{
    const int64_t next =
        stage < costs->pieces ? first_base(costs, stage) : rhomb__affine_lookback(costs);
    until[0] = (cost + next - 1) / 2;
    until[1] = cost + next - 1 - until[0];
}

rhomb__affine_breakpoint rhomb__affine_breakpoint_of(const rhomb__costs *costs,
                                                     const rhomb_affine_point *point,
                                                     int64_t origin, int64_t cost)
{
    rhomb__affine_breakpoint found = {.target = point->target,
                                      .gap = RHOMB_AFFINE_KEY_GAP(point->key)};
    int64_t until[2];
    const int stage = found.gap == RHOMB_GAP_NONE ? costs->pieces : RHOMB_GAP_PIECE(found.gap);
    rhomb__affine_until(costs, cost, stage, until);
    found.query = point->target - (origin + RHOMB_AFFINE_KEY_DIAGONAL(point->key));
    found.cost =
        until[0] - RHOMB_AFFINE_KEY_EARLIER(point->key) - rhomb__costs_of_opening(costs, found.gap);
    return found;
}

/* A direction has a diagonal more on either side for each extension that it pays. */
double rhomb__affine_cells(const rhomb__costs *costs, double sum)
{
    return sum * sum / (2 * (double)rhomb__costs_least_extend(costs));
}
