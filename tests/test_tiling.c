/* SPDX-License-Identifier: MIT */
/*
 * The geometry of launches, by simulation: a small pyramid is computed tile by tile as the kernel
 * does, but what is stored for a diagonal is not an offset, only the wavefront whose offset it
 * would be. A cell comes out *known* when all neighbours that matter were known and of the
 * wavefront before. So the test sees which cells tiles compute, that nothing is used before it is
 * there, and that nothing is read where the same launch writes.
 */
#include "src/planner/tiling.h"
#include "support/rng.h"
#include "support/test.h"

/* Largest sizes of a simulation. Diagonals from -MARGIN to MARGIN have a place. */
enum { MOST_TILE = 160, MOST_COLUMN = 256, MARGIN = 512 };

/* The wavefront of a value that is not what a cell needs; less than every score. */
#define UNKNOWN INT64_MIN

typedef struct simulation {
    rhomb__tiling tiling;
    int64_t bound;                       /* on the distance; it shrinks */
    int64_t final_bound;                 /* the least it becomes: cells within it must be right */
    int64_t column[2][2 * MARGIN + 1];   /* of the value that each diagonal stores */
    int64_t readable[2][2 * MARGIN + 1]; /* the same before the present launch */
    int64_t writer[2 * MARGIN + 1];      /* the tile that wrote it in the present launch, or -1 */
    int64_t end_seen;                    /* the end diagonal was looked at up to this wavefront */
    int source;                          /* of the next launch of trapezoids */
    unsigned char computed[MOST_COLUMN][2 * MARGIN + 1]; /* how often each cell was */
} simulation;

static simulation sim;

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

static bool is_diamond(void)
{
    return sim.tiling.shape == RHOMB_TILE_DIAMOND;
}

/* Whether cell (k, r) can be on the way to the end; its value is needed then. */
static bool matters(const rhomb__tiling *t, int64_t k, int64_t r, int64_t bound)
{
    return r >= 0 && r <= bound && llabs(k) <= r && k >= -t->query_length &&
           k <= t->target_length && (!t->pruning || llabs(k - end_diagonal(t)) <= bound - r);
}

static void fail_at(const char *what, const rhomb__launch *launch, int64_t k, int64_t r)
{
    const rhomb__tiling *t = &sim.tiling;
    fail_msg("%s: diagonal %lld, column %lld; %s of %lld diagonals, %lld columns; query %lld, "
             "target %lld, bound %lld (%lld in the end)%s; launch from %lld",
             what, (long long)k, (long long)r, is_diamond() ? "diamonds" : "trapezoids",
             (long long)t->diagonals, (long long)t->scores, (long long)t->query_length,
             (long long)t->target_length, (long long)sim.bound, (long long)sim.final_bound,
             t->pruning ? "" : ", no pruning", (long long)launch->start);
}

typedef struct tile {
    const rhomb__launch *launch;
    int64_t number;
    int64_t base; /* its first diagonal */
    int64_t value[MOST_TILE];
    int64_t second[MOST_TILE];
} tile;

static int64_t edge_distance(int64_t position)
{
    return smaller(position, sim.tiling.diagonals - 1 - position);
}

/* The first and the last step that compute a position. */
static int64_t first_step(int64_t position)
{
    return is_diamond() ? larger(sim.tiling.scores - edge_distance(position), 1) : 1;
}

static int64_t last_step(int64_t position)
{
    const int64_t t = sim.tiling.scores;
    return is_diamond() ? smaller(t + edge_distance(position), 2 * t) : t;
}

/* Positions whose values the tile stores. */
static bool is_stored(int64_t position)
{
    return is_diamond() || edge_distance(position) >= sim.tiling.scores;
}

/* What loading gives: the wavefront asked for, if it is stored, or if bases do not matter to it. */
static int64_t load(const tile *t, int which, int64_t k, int64_t r)
{
    const rhomb__window reach = rhomb__launch_reach(&sim.tiling, t->launch);
    if (k < reach.low || k > reach.high)
        fail_at("outside of the launch's reach", t->launch, k, r);
    if (r < 0 || llabs(k) > r)
        return r;
    return sim.readable[which][MARGIN + k] == r ? r : UNKNOWN;
}

static void load_tile(tile *t)
{
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        const int64_t k = t->base + p, r = t->launch->start + first_step(p) - 1;
        if (is_diamond()) {
            t->value[p] = load(t, 0, k, r - 1);
            t->second[p] = load(t, 1, k, r);
        } else {
            t->value[p] = load(t, sim.source, k, r);
        }
    }
}

/* The wavefront of what a tile's outermost diagonals find beside it. */
static int64_t beside(const tile *t, int64_t position)
{
    if (!is_diamond())
        return UNKNOWN;
    return load(t, 0, t->base + position, t->launch->start + sim.tiling.scores - 1);
}

/* Whether the cell at a position follows from the wavefront before. */
static bool follows(const tile *t, const int64_t *before, int64_t position, int64_t r)
{
    for (int64_t side = -1; side <= 1; side++) {
        const int64_t p = position + side;
        const int64_t found = p >= 0 && p < sim.tiling.diagonals ? before[p] : beside(t, p);
        if (matters(&sim.tiling, t->base + p, r - 1, sim.final_bound) && found != r - 1)
            return false;
    }
    return true;
}

static void count_cell(const tile *t, int64_t position, int64_t r)
{
    const int64_t k = t->base + position;
    if (!is_stored(position) || !matters(&sim.tiling, k, r, sim.final_bound))
        return;
    if (t->value[position] != r)
        fail_at("not all neighbours are known", t->launch, k, r);
    sim.computed[r][MARGIN + k]++;
    if (sim.computed[r][MARGIN + k] != 1)
        fail_at("computed twice", t->launch, k, r);
    if (k == end_diagonal(&sim.tiling)) {
        if (sim.end_seen + 1 != r && r > llabs(k))
            fail_at("the end diagonal misses a column", t->launch, k, r);
        sim.end_seen = r;
    }
}

static void step_tile(tile *t, int64_t s)
{
    const int64_t r = t->launch->start + s;
    int64_t before[MOST_TILE], next[MOST_TILE];
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        if (is_diamond() && s == first_step(p))
            t->value[p] = t->second[p];
        before[p] = t->value[p];
    }
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        const bool active = s >= first_step(p) && s <= last_step(p);
        if (is_diamond() && s == last_step(p))
            t->second[p] = before[p];
        next[p] = !active ? before[p] : follows(t, before, p, r) ? r : UNKNOWN;
    }
    memcpy(t->value, next, (size_t)sim.tiling.diagonals * sizeof next[0]);
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        if (s >= first_step(p) && s <= last_step(p))
            count_cell(t, p, r);
    }
}

static void store(const tile *t, int which, int64_t k, int64_t column)
{
    if (sim.writer[MARGIN + k] >= 0 && sim.writer[MARGIN + k] != t->number)
        fail_at("stored by two tiles", t->launch, k, column);
    sim.writer[MARGIN + k] = t->number;
    sim.column[which][MARGIN + k] = column;
}

static void store_tile(const tile *t)
{
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        if (is_diamond()) {
            store(t, 0, t->base + p, t->second[p]);
            store(t, 1, t->base + p, t->value[p]);
        } else if (is_stored(p)) {
            store(t, 1 - sim.source, t->base + p, t->value[p]);
        }
    }
}

/* Whether any cell that the tile computes and stores matters: a device may skip all others. */
static bool tile_matters(const tile *t)
{
    for (int64_t p = 0; p < sim.tiling.diagonals; p++) {
        for (int64_t s = first_step(p); is_stored(p) && s <= last_step(p); s++) {
            if (matters(&sim.tiling, t->base + p, t->launch->start + s, sim.bound))
                return true;
        }
    }
    return false;
}

static void check_launch(const rhomb__launch *launch, int64_t start)
{
    const int64_t end = end_diagonal(&sim.tiling);
    bool stores_end = false;
    for (int64_t i = 0; i < launch->tiles; i++) {
        const int64_t position = end - (launch->first_diagonal + i * launch->pitch);
        if (position >= 0 && position < sim.tiling.diagonals && is_stored(position))
            stores_end = true;
    }
    if (stores_end != launch->stores_end)
        fail_at("stores_end is wrong", launch, end, launch->start);
    if (launch->start != start || launch->complete != start + sim.tiling.scores)
        fail_at("complete is not the launch's middle or end", launch, 0, launch->complete);
}

static void run_launch(const rhomb__launch *launch)
{
    const int64_t steps = (is_diamond() ? 2 : 1) * sim.tiling.scores;
    memcpy(sim.readable, sim.column, sizeof sim.readable);
    memset(sim.writer, -1, sizeof sim.writer);
    for (int64_t i = 0; i < launch->tiles; i++) {
        tile t = {
            .launch = launch, .number = i, .base = launch->first_diagonal + i * launch->pitch};
        if (sim.tiling.pruning && !tile_matters(&t))
            continue;
        load_tile(&t);
        for (int64_t s = 1; s <= steps; s++) {
            if (launch->start + s >= 0)
                step_tile(&t, s);
        }
        store_tile(&t);
    }
    /* A diamond looks at the diagonals beside it: no other tile of the launch may write those. */
    for (int64_t i = 0; is_diamond() && i < launch->tiles; i++) {
        const int64_t base = launch->first_diagonal + i * launch->pitch;
        if (sim.writer[MARGIN + base - 1] >= 0 ||
            sim.writer[MARGIN + base + sim.tiling.diagonals] >= 0)
            fail_at("the diagonal beside a tile is written in the same launch", launch, base, 0);
    }
    if (!is_diamond())
        sim.source = 1 - sim.source;
}

/* All cells up to a wavefront that a launch says is complete were computed. */
static void check_complete(const rhomb__launch *launch)
{
    for (int64_t r = 0; r <= smaller(launch->complete, sim.final_bound); r++) {
        for (int64_t k = -r; k <= r; k++) {
            if (matters(&sim.tiling, k, r, sim.final_bound) && sim.computed[r][MARGIN + k] == 0)
                fail_at("missing in a complete column", launch, k, r);
        }
    }
}

/*
 * Computes a pyramid. The bound that the host lays tiles by shrinks to the final one as a run goes
 * on; the device, which leaves out tiles, is a little ahead. The wavefronts of a launch of
 * trapezoids change.
 */
static void simulate(const rhomb__tiling *tiling, int64_t bound, int64_t final_bound, rng *r)
{
    int64_t host_bound = bound;
    memset(sim.computed, 0, sizeof sim.computed[0] * (size_t)(bound + 1));
    memset(sim.column, -1, sizeof sim.column);
    sim.end_seen = -1;
    sim.source = 0;
    sim.tiling = *tiling;
    sim.bound = bound;
    sim.final_bound = final_bound;
    for (int64_t start = rhomb__first_start(tiling); start < host_bound;) {
        if (r != NULL && !is_diamond() && rng_chance(r, 0.3))
            sim.tiling.scores = rng_between(r, 1, (tiling->diagonals - 1) / 2);
        const rhomb__launch launch = rhomb__launch_at(&sim.tiling, start, host_bound);
        check_launch(&launch, start);
        run_launch(&launch);
        check_complete(&launch);
        start = launch.complete;
        host_bound = sim.bound;
        if (r != NULL && rng_chance(r, 0.5))
            sim.bound = rng_between(r, final_bound, sim.bound);
    }
    if (sim.end_seen != final_bound)
        fail_msg("the end diagonal was seen up to column %lld of %lld", (long long)sim.end_seen,
                 (long long)final_bound);
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
                    simulate(&tiling, bound, bound, NULL);
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
        simulate(&tiling, bound, rng_between(&r, least, bound), &r);
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
                sim.tiling =
                    tiling_of(i == 0 ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND, w, t, 1, 1, true);
                for (int64_t p = 0; p < w; p++)
                    cells += is_stored(p) ? last_step(p) - first_step(p) + 1 : 0;
                assert_true(rhomb__tile_cells(&sim.tiling) == cells);
            }
        }
    }
}

TEST_MAIN(test_small_pyramids, test_shrinking_bounds, test_windows, test_tile_cells)
