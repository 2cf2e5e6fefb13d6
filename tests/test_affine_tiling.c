/* SPDX-License-Identifier: MIT */
/*
 * The geometry of affine wavefronts: tiles cover a window, from the middle outwards; the scores up
 * to which directions go at each stage; what costs look back to; windows within the matrix, which
 * grow with the launch; and what is a base case. That windows have what best paths need, and that
 * directions meet on one, is for test_splits and test_meet_scored: a slip there gives another cost.
 */
#include "src/base/int64.h"
#include "src/planner/affine_paths.h"
#include "src/planner/tiling.h"
#include "support/cost_sets.h"
#include "support/test.h"

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
static void test_windows(void **state)
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
static void test_tiles(void **state)
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

TEST_MAIN(test_windows, test_until, test_tiles, test_sizes, test_unsplit)
