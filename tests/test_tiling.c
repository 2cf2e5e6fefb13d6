/* SPDX-License-Identifier: MIT */
/*
 * The geometry of launches: which cells the tiles of each compute and store, counted one by one.
 * Each cell that can be on the way to the end is stored once, in the launch that says so; and the
 * windows hold all that matters. That tiles find what they need, and that no launch reads where it
 * writes, is for the tests of distances with small tiles: test_meet, test_distance.
 *
 * And of launches with affine gaps: tiles cover a window, from the middle outwards; the scores up
 * to which directions go at each stage; what costs look back to; windows within the matrix, which
 * grow with the launch; and what is a base case. That windows have what best paths need, and that
 * directions meet on one, is for test_splits and test_meet_scored: a slip there gives another cost.
 */
#include "src/base/int64.h"
#include "src/planner/affine_paths.h"
#include "src/planner/tiling.h"
#include "support/cost_sets.h"
#include "support/test.h"

/* Largest sizes. Diagonals from -MARGIN to MARGIN have a place. */
enum { MOST_TILE = 160, MOST_COLUMN = 256, MARGIN = 512 };

static unsigned char computed[MOST_COLUMN][2 * MARGIN + 1]; /* how often each cell was */

static int64_t end_diagonal(const rhomb__tiling *t)
{
    return t->target_length - t->query_length;
}

/* Whether cell (k, r) can be on the way to the end; its value is needed then. */
static bool matters(const rhomb__tiling *t, int64_t k, int64_t r, int64_t bound)
{
    return r >= 0 && r <= bound && llabs(k) <= r && k >= -t->query_length &&
           k <= t->target_length && (!t->pruning || llabs(k - end_diagonal(t)) <= bound - r);
}

static void fail_at(const rhomb__tiling *t, const char *what, const rhomb__launch *launch,
                    int64_t k, int64_t r)
{
    fail_msg("%s: diagonal %lld, column %lld; %s of %lld diagonals, %lld columns; query %lld, "
             "target %lld%s; launch from %lld",
             what, (long long)k, (long long)r,
             t->shape == RHOMB_TILE_DIAMOND ? "diamonds" : "trapezoids", (long long)t->diagonals,
             (long long)t->scores, (long long)t->query_length, (long long)t->target_length,
             t->pruning ? "" : ", no pruning", (long long)launch->start);
}

static int64_t edge_distance(const rhomb__tiling *t, int64_t position)
{
    return rhomb__min(position, t->diagonals - 1 - position);
}

/* The first and the last step that compute a position. */
static int64_t first_step(const rhomb__tiling *t, int64_t position)
{
    return t->shape == RHOMB_TILE_DIAMOND ? rhomb__max(t->scores - edge_distance(t, position), 1)
                                          : 1;
}

static int64_t last_step(const rhomb__tiling *t, int64_t position)
{
    return t->shape == RHOMB_TILE_DIAMOND
               ? rhomb__min(t->scores + edge_distance(t, position), 2 * t->scores)
               : t->scores;
}

/* Positions whose values a tile stores. */
static bool is_stored(const rhomb__tiling *t, int64_t position)
{
    return t->shape == RHOMB_TILE_DIAMOND || edge_distance(t, position) >= t->scores;
}

static void check_launch(const rhomb__tiling *t, const rhomb__launch *launch, int64_t start)
{
    const int64_t end = end_diagonal(t);
    const rhomb__window reach = rhomb__launch_reach(t, launch);
    bool stores_end = false;
    for (int64_t i = 0; i < launch->tiles; i++) {
        const int64_t base = launch->first_diagonal + i * launch->pitch, position = end - base;
        if (position >= 0 && position < t->diagonals && is_stored(t, position))
            stores_end = true;
        if (base - 1 < reach.low || base + t->diagonals > reach.high)
            fail_at(t, "beyond the launch's reach", launch, base, start);
    }
    if (stores_end != launch->stores_end)
        fail_at(t, "stores_end is wrong", launch, end, launch->start);
    if (launch->start != start || launch->complete != start + t->scores)
        fail_at(t, "complete is not the launch's middle or end", launch, 0, launch->complete);
}

/* Counts what the tiles of a launch compute and store. */
static void run_launch(const rhomb__tiling *t, const rhomb__launch *launch, int64_t final_bound)
{
    for (int64_t at = 0; at < launch->tiles * t->diagonals; at++) {
        const int64_t position = at % t->diagonals;
        const int64_t k = launch->first_diagonal + at / t->diagonals * launch->pitch + position;
        for (int64_t step = first_step(t, position); step <= last_step(t, position); step++) {
            const int64_t r = launch->start + step;
            if (is_stored(t, position) && matters(t, k, r, final_bound) &&
                ++computed[r][MARGIN + k] != 1)
                fail_at(t, "computed twice", launch, k, r);
        }
    }
}

/* All cells up to a wavefront that a launch says is complete were computed. */
static void check_complete(const rhomb__tiling *t, const rhomb__launch *launch, int64_t final_bound)
{
    for (int64_t r = 0; r <= rhomb__min(launch->complete, final_bound); r++) {
        for (int64_t k = -r; k <= r; k++) {
            if (matters(t, k, r, final_bound) && computed[r][MARGIN + k] == 0)
                fail_at(t, "missing in a complete column", launch, k, r);
        }
    }
}

/*
 * The launches of a pyramid. The bound that tiles are laid by shrinks to the final one as a run
 * goes on. The wavefronts of a launch of trapezoids change.
 */
static void lay_all(rhomb__tiling t, int64_t bound, int64_t final_bound, rng *r)
{
    memset(computed, 0, sizeof computed[0] * (size_t)(bound + 1));
    for (int64_t start = rhomb__first_start(&t); start < bound;) {
        if (r != NULL && t.shape != RHOMB_TILE_DIAMOND && rng_chance(r, 0.3))
            t.scores = rng_between(r, 1, (t.diagonals - 1) / 2);
        const rhomb__launch launch = rhomb__launch_at(&t, start, bound);
        check_launch(&t, &launch, start);
        run_launch(&t, &launch, final_bound);
        check_complete(&t, &launch, final_bound);
        start = launch.complete;
        if (r != NULL && rng_chance(r, 0.5))
            bound = rng_between(r, final_bound, bound);
    }
}

static rhomb__tiling tiling_of(rhomb_tile_shape shape, int64_t diagonals, int64_t columns,
                               int64_t query_length, int64_t target_length, bool pruning)
{
    const rhomb__tiling tiling = {shape, diagonals, columns, query_length, target_length, pruning};
    return tiling;
}

/* Small pyramids, all of them. */
static void test_small_pyramids(void **state)
{
    int64_t pyramids = 0;
    for (int64_t w = 3; w <= 11; w++) {
        for (int64_t t = 1; 2 * t < w; t++) {
            /* Shape, pruning, and two lengths from 1 to 7. */
            for (int64_t i = 0; i < 2 * 2 * 7 * 7; i++) {
                const rhomb__tiling tiling =
                    tiling_of(i % 2 == 0 ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND, w, t,
                              i / 4 % 7 + 1, i / 28 + 1, i / 2 % 2 == 0);
                const int64_t least = rhomb__max(llabs(end_diagonal(&tiling)), 1);
                const int64_t most = rhomb__max(tiling.query_length, tiling.target_length);
                for (int64_t bound = least; bound <= most; bound++, pyramids++)
                    lay_all(tiling, bound, bound, NULL);
            }
        }
    }
    printf("%lld small pyramids\n", (long long)pyramids);
}

static rhomb__tiling random_tiling(rng *r)
{
    const int64_t w = rng_chance(r, 0.5) ? rng_between(r, 3, MOST_TILE) : rng_between(r, 3, 20);
    const int64_t t = rng_chance(r, 0.3) ? (w - 1) / 2 : rng_between(r, 1, (w - 1) / 2);
    const int64_t m = rng_between(r, 1, MOST_COLUMN - 1);
    const int64_t n = rng_between(r, 1, MOST_COLUMN - 1);
    return tiling_of(rng_chance(r, 0.5) ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND, w, t, m, n,
                     rng_chance(r, 0.8));
}

/* Larger ones, whose bound shrinks on the way, and whose launches are not all alike. */
static void test_shrinking_bounds(void **state)
{
    for (int64_t i = 0; i < 300; i++) {
        rng r = rng_for("shrinking", i);
        const rhomb__tiling tiling = random_tiling(&r);
        const int64_t least = rhomb__max(llabs(end_diagonal(&tiling)), 1);
        const int64_t most = rhomb__max(tiling.query_length, tiling.target_length);
        const int64_t bound = rng_between(&r, least, most);
        lay_all(tiling, bound, rng_between(&r, least, bound), &r);
    }
}

/* The diagonals that matter in any of some scores, by looking at each cell. */
static rhomb__window look_for_window(const rhomb__tiling *t, int64_t first, int64_t last,
                                     int64_t bound)
{
    rhomb__window found = {INT64_MAX, INT64_MIN};
    for (int64_t r = rhomb__max(first, 1); r <= last; r++) {
        for (int64_t k = -r; k <= r; k++) {
            if (matters(t, k, r, bound)) {
                found.low = rhomb__min(found.low, k);
                found.high = rhomb__max(found.high, k);
            }
        }
    }
    return found;
}

static void assert_holds(rhomb__window outer, rhomb__window inner)
{
    if (inner.low > inner.high)
        return;
    if (outer.low > inner.low || outer.high < inner.high)
        fail_msg("[%lld, %lld] does not hold [%lld, %lld]", (long long)outer.low,
                 (long long)outer.high, (long long)inner.low, (long long)inner.high);
}

/*
 * Windows hold all that matters. The one of a single wavefront holds nothing else; those of several
 * are at most as much wider as diagonals can move in between, and the one of all wavefronts from
 * some on by one on either side, from rounding.
 */
static void test_windows(void **state)
{
    for (int64_t i = 0; i < 400; i++) {
        rng r = rng_for("windows", i);
        rhomb__tiling tiling = random_tiling(&r);
        tiling.query_length = rng_between(&r, 1, 40);
        tiling.target_length = rng_between(&r, 1, 40);
        const int64_t least = rhomb__max(llabs(end_diagonal(&tiling)), 1);
        const int64_t bound =
            rng_between(&r, least, rhomb__max(tiling.query_length, tiling.target_length));
        const int64_t first = rng_between(&r, 1, bound), last = rng_between(&r, first, bound);
        const rhomb__window one = rhomb__window_of(&tiling, first, first, bound);
        const rhomb__window some = rhomb__window_of(&tiling, first, last, bound);
        const rhomb__window all = rhomb__window_from(&tiling, first, bound);
        const rhomb__window true_one = look_for_window(&tiling, first, first, bound);
        const rhomb__window true_some = look_for_window(&tiling, first, last, bound);
        const rhomb__window true_all = look_for_window(&tiling, first, bound, bound);
        if (true_one.low <= true_one.high)
            assert_true(one.low == true_one.low && one.high == true_one.high);
        else
            assert_true(one.low > one.high);
        assert_holds(some, true_some);
        assert_true(some.low >= true_some.low - (last - first));
        assert_true(some.high <= true_some.high + (last - first));
        assert_holds(all, true_all);
        assert_true(all.low >= true_all.low - 1 && all.high <= true_all.high + 1);
        /* Memory that was laid out for a bound serves all smaller ones. */
        assert_holds(all, look_for_window(&tiling, first, bound, rng_between(&r, least, bound)));
    }
}

static void test_tile_cells(void **state)
{
    for (int64_t w = 3; w <= 40; w++) {
        for (int64_t t = 1; 2 * t < w; t++) {
            for (int i = 0; i < 2; i++) {
                int64_t cells = 0;
                const rhomb__tiling tiling =
                    tiling_of(i == 0 ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND, w, t, 1, 1, true);
                for (int64_t p = 0; p < w; p++)
                    cells += is_stored(&tiling, p)
                                 ? last_step(&tiling, p) - first_step(&tiling, p) + 1
                                 : 0;
                assert_true(rhomb__tile_cells(&tiling) == cells);
            }
        }
    }
}

enum { CASES = 1000 };

static rhomb__costs draw_costs(rng *r)
{
    static const rhomb__costs WFA = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    static const rhomb__costs STEEP = {
        .mismatch = 3, .pieces = 2, .open = {1, 40}, .extend = {9, 3}};
    return rng_chance(r, 0.1)   ? WFA
           : rng_chance(r, 0.1) ? STEEP
                                : random_costs(r, rng_chance(r, 0.7) ? 8 : 30);
}

/* Of launches with the same last score, the later they begin the narrower; none leaves the matrix.
 */
static void test_affine_windows(void **state)
{
    for (int64_t index = 0; index < 10 * CASES; index++) {
        rng r = rng_for("affine windows", index);
        const rhomb__costs costs = draw_costs(&r);
        const int64_t n = rng_below(&r, 60), m = rng_below(&r, 60), bound = rng_below(&r, 300);
        const rhomb_subproblem range = {
            {0, n, 0, m, bound}, random_gap(&r, &costs), random_gap(&r, &costs)};
        const int64_t last = rng_below(&r, bound + 1), first = rng_below(&r, last + 1);
        for (int direction = 0; direction < 2; direction++) {
            const rhomb__window window =
                rhomb__affine_window(&costs, &range, direction, first, last, bound);
            const rhomb__window widest =
                rhomb__affine_window(&costs, &range, direction, 0, last, bound);
            assert_true(widest.low >= -m && widest.high <= n);
            assert_true(window.low > window.high ||
                        (window.low >= widest.low && window.high <= widest.high));
        }
    }
}

/* Scores of stages grow, as each starts from the first one's. */
static void test_until(void **state)
{
    for (int64_t index = 0; index < CASES; index++) {
        rng r = rng_for("affine stages' scores", index);
        const rhomb__costs costs = draw_costs(&r);
        const int64_t look = rhomb__affine_lookback(&costs);
        const int64_t cost = 2 * look + 1 + rng_below(&r, 100);
        int64_t before[2] = {0, 0}, until[2];
        for (int stage = 0; stage < rhomb__affine_stages(&costs); stage++) {
            const int piece = rhomb__affine_stage_part(&costs, stage);
            const int64_t next =
                piece == 0 ? look : costs.open[piece - 1] + costs.extend[piece - 1];
            rhomb__affine_until(&costs, cost, stage, until);
            assert_int_equal(until[0] + until[1], cost + next - 1);
            assert_true(until[1] - until[0] >= 0 && until[1] - until[0] <= 1);
            assert_true(until[0] >= before[0] && until[1] >= before[1]);
            /* One launch is enough from the first stage on. */
            assert_true(stage == 0 || until[0] - before[0] <= look);
            memcpy(before, until, sizeof before);
        }
        assert_int_equal(rhomb__affine_stage_part(&costs, costs.pieces), 0);
    }
}

/*
 * What tiles store: each diagonal of a window once; and one more than their margins, at least. They
 * come from the middle outwards: in turns the next one above and the next one below.
 */
static void test_affine_tiles(void **state)
{
    for (int64_t index = 0; index < 10 * CASES; index++) {
        rng r = rng_for("affine tiles", index);
        rhomb__affine_shape shape = {.costs = draw_costs(&r)};
        shape.scores = rhomb__affine_lookback(&shape.costs) + 2 + rng_below(&r, 40);
        const int64_t margin = rhomb__affine_margin(&shape);
        const int64_t extend = rhomb__costs_least_extend(&shape.costs);
        assert_true(margin * extend >= shape.scores && (margin - 1) * extend < shape.scores);
        shape.diagonals = 2 * margin + 1 + rng_below(&r, 60);
        const rhomb__window window = {rng_between(&r, -200, 200), rng_between(&r, -200, 200)};
        const int64_t tiles = rhomb__affine_tiles(&shape, window);
        const int64_t pitch = shape.diagonals - 2 * margin;
        int64_t low = tiles > 0 ? rhomb__affine_tile_first(&shape, window, 0) : 0;
        int64_t end = low; /* [low, end) is stored so far, but for the margins */
        for (int64_t rank = 0; rank < tiles; rank++) {
            const int64_t first = rhomb__affine_tile_first(&shape, window, rank);
            assert_int_equal(first, rank % 2 != 0 ? low - pitch : end);
            low = rhomb__min(low, first);
            end = rhomb__max(end, first + pitch);
        }
        assert_true(tiles == 0 ? window.low > window.high
                               : low + margin == window.low && end + margin > window.high &&
                                     end + margin - pitch <= window.high);
    }
}

/* What costs look back to, and what memory and tiles have for it. */
static void test_sizes(void **state)
{
    const rhomb__costs one = {.mismatch = 7, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const rhomb__costs two = {.mismatch = 8, .pieces = 2, .open = {8, 24}, .extend = {2, 1}};
    rhomb__costs large = {.mismatch = 1, .pieces = 1, .open = {1023, 0}, .extend = {1, 0}};
    assert_int_equal(rhomb__affine_lookback(&one), 7);
    assert_int_equal(rhomb__affine_lookback(&two), 25);
    assert_int_equal(rhomb__affine_slots(&one), 7 + 2);
    assert_int_equal(rhomb__affine_slots(&two), 25 + 4 + 2);
    assert_int_equal(rhomb__affine_rows(&one, false), 7 + 2 + 3);
    assert_int_equal(rhomb__affine_rows(&two, false), 25 + 4 + 2 + 5);
    assert_int_equal(rhomb__affine_rows(&one, true), 0);
    assert_int_equal(rhomb__affine_rows(&two, true), 25);
    assert_int_equal(rhomb__affine_rows(&large, true), 1024);
    assert_true(rhomb__affine_can(&large));
    large.open[0]++;
    assert_false(rhomb__affine_can(&large));
}

/* What costs too little for wavefronts to meet is a base case, however large its trace and long
 * the subproblem is. */
static void test_unsplit(void **state)
{
    const rhomb__costs wfa = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const rhomb__costs large = {.mismatch = 600, .pieces = 1, .open = {999, 0}, .extend = {1, 0}};
    rhomb_subproblem range = {.pair = {0, 3000, 0, 3000, 2000}, .end_gap = RHOMB_GAP_I};
    assert_false(rhomb__affine_path_is_base_case(&wfa, &range));
    assert_true(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.distance++;
    assert_false(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.target_length = range.pair.query_length = RHOMB__AFFINE_PATH_MOST_BASES;
    assert_false(rhomb__affine_path_is_long(&range));
    range.pair.query_length++;
    assert_true(rhomb__affine_path_is_long(&range));
    assert_false(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.distance--;
    assert_true(rhomb__affine_path_is_base_case(&large, &range));
}

TEST_MAIN(test_small_pyramids, test_shrinking_bounds, test_windows, test_tile_cells,
          test_affine_windows, test_until, test_affine_tiles, test_sizes, test_unsplit)
