/* SPDX-License-Identifier: MIT */
/*
 * The geometry of launches: which cells the tiles of each compute and store, counted one by one.
 * Each cell that can be on the way to the end is stored once, in the launch that says so; and the
 * windows hold all that matters. That tiles find what they need, and that no launch reads where it
 * writes, is for the tests of distances with small tiles: test_meet, test_distance.
 */
#include "src/planner/tiling.h"
#include "support/rng.h"
#include "support/test.h"

/* Largest sizes. Diagonals from -MARGIN to MARGIN have a place. */
enum { MOST_TILE = 160, MOST_COLUMN = 256, MARGIN = 512 };

static unsigned char computed[MOST_COLUMN][2 * MARGIN + 1]; /* how often each cell was */

static int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t larger(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

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
    return smaller(position, t->diagonals - 1 - position);
}

/* The first and the last step that compute a position. */
static int64_t first_step(const rhomb__tiling *t, int64_t position)
{
    return t->shape == RHOMB_TILE_DIAMOND ? larger(t->scores - edge_distance(t, position), 1) : 1;
}

static int64_t last_step(const rhomb__tiling *t, int64_t position)
{
    return t->shape == RHOMB_TILE_DIAMOND
               ? smaller(t->scores + edge_distance(t, position), 2 * t->scores)
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
    for (int64_t r = 0; r <= smaller(launch->complete, final_bound); r++) {
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
                const int64_t least = larger(llabs(end_diagonal(&tiling)), 1);
                const int64_t most = larger(tiling.query_length, tiling.target_length);
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
        const int64_t least = larger(llabs(end_diagonal(&tiling)), 1);
        const int64_t most = larger(tiling.query_length, tiling.target_length);
        const int64_t bound = rng_between(&r, least, most);
        lay_all(tiling, bound, rng_between(&r, least, bound), &r);
    }
}

/* The diagonals that matter in any of some scores, by looking at each cell. */
static rhomb__window look_for_window(const rhomb__tiling *t, int64_t first, int64_t last,
                                     int64_t bound)
{
    rhomb__window found = {INT64_MAX, INT64_MIN};
    for (int64_t r = larger(first, 1); r <= last; r++) {
        for (int64_t k = -r; k <= r; k++) {
            if (matters(t, k, r, bound)) {
                found.low = smaller(found.low, k);
                found.high = larger(found.high, k);
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
        const int64_t least = larger(llabs(end_diagonal(&tiling)), 1);
        const int64_t bound =
            rng_between(&r, least, larger(tiling.query_length, tiling.target_length));
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

TEST_MAIN(test_small_pyramids, test_shrinking_bounds, test_windows, test_tile_cells)
