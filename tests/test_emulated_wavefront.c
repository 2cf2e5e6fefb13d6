/* SPDX-License-Identifier: MIT */
/*
 * The launches of cl/wavefront/wavefront.cl as host code, wavefront by wavefront: each offset that
 * a launch stores, in either direction, is that of the plain recurrence (wavefront_model.h), and
 * the status record says what follows from the wavefronts. Launches take any number of scores up to
 * the tile's; what they find in wavefronts that nothing has stored yet, is nothing, or lags behind.
 * With pruning, offsets that can matter are exact and all others lower bounds. Whole distances:
 * test_emulated_distance.c.
 */
#include "emu/emu_pyramid.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "support/amount.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_wavefront name;
EMULATED_WAVEFRONT_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_wavefront *const VARIANTS[] = {EMULATED_WAVEFRONT_MAP(ADDRESS)};

/* Wavefronts that are computed at the most, so that their sums stay within seconds. */
enum { MOST_COLUMNS = 400 };

/* A pyramid, and what it has to be. */
typedef struct run {
    emu_pyramid e;
    model_pair pair;
    model_columns model[2];
    rhomb_wavefront_status expected;
    rng r;
    const char *test;
    int64_t number;
} run;

static void fail_run(const run *x, const char *what, int direction, int64_t column, int64_t k)
{
    const emulated_wavefront *v = x->e.variant;
    model_pair_print(&x->pair);
    fail_msg("%s %lld: %s: direction %d of %d, column %lld, diagonal %lld; launch from %lld, "
             "PLANES=%d OFFSET_BITS=%d GROUP_SIZE=%d ITEM_DIAGONALS=%d TILE_SCORES=%d, %lld tiles "
             "a launch%s",
             x->test, (long long)x->number, what, direction, (int)x->e.directions,
             (long long)column, (long long)k, (long long)x->e.start, (int)v->planes,
             (int)v->offset_bits, (int)v->group_size, (int)v->item_diagonals, (int)v->tile_scores,
             (long long)x->e.tiles_per_launch, x->e.tiling.pruning ? ", pruning" : "");
}

static int64_t end_diagonal(const run *x)
{
    return x->pair.n - x->pair.m;
}

/* The wavefronts that the model has, and so the last one that a launch may come to. */
static int64_t last_column(const run *x)
{
    return rhomb__min(x->model[0].columns, x->model[1].columns) - 1;
}

/*
 * The least wavefront that the end diagonal comes to the end in, or a larger one if it is not
 * there.
 *
 */
static int64_t distance_of(const run *x)
{
    for (int64_t r = 0; r <= last_column(x); r++)
        if (model_offset(&x->model[0], r, end_diagonal(x)) >= x->pair.n)
            return r;
    return rhomb__max(x->pair.m, x->pair.n);
}

static bool is_wide(const emulated_wavefront *v)
{
    return v->group_size * v->item_diagonals > 1000;
}

static void begin_run(run *x, const emulated_wavefront *v, const char *test, int64_t number,
                      model_kind kind, bool pruning)
{
    x->test = test;
    x->number = number;
    x->r = rng_for(test, number);
    const int64_t most = is_wide(v) ? 3 * v->tile_scores : MOST_COLUMNS;
    const int64_t more = rng_below(&x->r, 2 * v->tile_scores + 2);
    model_pair_make(&x->pair, kind, v->planes, v->group_size, &x->r);
    for (int direction = 0; direction < 2; direction++)
        model_columns_make(&x->model[direction], &x->pair, direction, more, most);
    const int64_t longer = rhomb__max(x->pair.m, x->pair.n);
    const int64_t bound = pruning ? rng_between(&x->r, distance_of(x), longer) : longer;
    emu_pyramid_open(&x->e, v, &x->pair, rng_chance(&x->r, 0.7) ? 2 : 1, pruning, bound);
    x->e.far_shift = rng_chance(&x->r, 0.3) ? (int32_t)rng_between(&x->r, 1, 4) : 0;
    if (rng_chance(&x->r, 0.5))
        x->e.tiles_per_launch = rng_between(&x->r, 1, 4);
    x->expected = x->e.status;
}

static void end_run(run *x)
{
    emu_pyramid_close(&x->e);
    for (int direction = 0; direction < 2; direction++)
        model_columns_release(&x->model[direction]);
    model_pair_release(&x->pair);
}

static int64_t *stored_at(const run *x, int which, int direction, int64_t k)
{
    return &x->e.columns[which][direction][k - x->e.low];
}

/* The diagonals that the tiles of a launch store. */
static rhomb__window stored_by(const run *x, const rhomb__launch *launch)
{
    const int64_t low = launch->first_diagonal + x->e.tiling.scores;
    const rhomb__window stored = {low, low + launch->tiles * launch->pitch - 1};
    return stored;
}

static void expect_front(run *x, int direction, int64_t column, bool on)
{
    const rhomb_front *before = &x->expected.front[direction][x->e.front];
    rhomb_front *after = &x->expected.front[direction][1 - x->e.front];
    *after = *before;
    if (!on)
        return;
    after->reach = model_offset(&x->model[direction], column, end_diagonal(x));
    after->column = column;
    after->bound = rhomb__min(before->bound, column + x->pair.n - after->reach);
    if (after->reach >= x->pair.n)
        after->distance = column;
}

/* What a launch without pruning makes of the status record; `on`: it computes anything. */
static void expect_launch(run *x, const rhomb__launch *launch, const int32_t columns[2], bool on)
{
    rhomb_wavefront_status *s = &x->expected;
    const rhomb__window stored = stored_by(x, launch);
    const int32_t turn = x->e.turn;
    for (int direction = 0; direction < x->e.directions; direction++) {
        const int64_t column = launch->start + columns[direction];
        int64_t far = 0;
        for (int64_t k = stored.low; on && k <= stored.high; k++)
            if (llabs(k) <= column)
                far = rhomb__max(far, 2 * model_offset(&x->model[direction], column, k) - k);
        const int64_t units = rhomb__ceil_div(far, INT64_C(1) << x->e.far_shift);
        s->furthest[direction][1 - turn] = (uint32_t)rhomb__max(
            rhomb__max(s->furthest[direction][0], s->furthest[direction][1]), units);
        if (launch->stores_end)
            expect_front(x, direction, column, on);
    }
    s->complete[1 - turn] = on ? launch->start + columns[0] : s->complete[turn];
    s->tiles += on ? (uint32_t)(x->e.directions * launch->tiles) : 0;
}

static void check_status(const run *x, int64_t column)
{
    const rhomb_wavefront_status *is = &x->e.status, *should = &x->expected;
    for (int direction = 0; direction < 2; direction++)
        for (int i = 0; i < 2; i++)
            if (memcmp(&is->front[direction][i], &should->front[direction][i],
                       sizeof is->front[0][0]) != 0 ||
                is->furthest[direction][i] != should->furthest[direction][i])
                fail_run(x, "front or furthest antidiagonal", direction, column, end_diagonal(x));
    if (memcmp(is->complete, should->complete, sizeof is->complete) != 0 ||
        is->tiles != should->tiles || is->met != should->met)
        fail_run(x, "complete, tiles or met", 0, column, end_diagonal(x));
}

/*
 * Makes the target wavefront something that must not matter: where the launch stores, anything;
 * else what an earlier wavefront had, or nothing.
 */
static void spoil_target(run *x, const rhomb__launch *launch, int64_t column)
{
    const rhomb__window stored = stored_by(x, launch);
    const int64_t beside = x->e.tiling.diagonals;
    const int64_t low = rhomb__max(stored.low - beside, x->e.low);
    const int64_t high = rhomb__min(stored.high + beside, x->e.high);
    for (int direction = 0; direction < x->e.directions; direction++) {
        for (int64_t k = low; k <= high; k++) {
            int64_t *at = stored_at(x, 1 - x->e.source, direction, k);
            *at = emu_pyramid_nothing(&x->e);
            if (k >= stored.low && k <= stored.high)
                *at = rng_between(&x->r, -9, x->pair.n + 9);
            else if (rng_chance(&x->r, 0.5))
                *at = model_offset(&x->model[direction], rng_between(&x->r, -1, column), k);
        }
    }
}

/* Runs a launch without pruning and checks all that it stores. */
static void check_launch(run *x, const rhomb__launch *launch, const int32_t columns[2], bool on)
{
    const rhomb__window stored = stored_by(x, launch);
    spoil_target(x, launch, launch->start + rhomb__min(columns[0], columns[1]));
    int64_t *untouched[2] = {NULL, NULL};
    const size_t bytes = (size_t)(x->e.high - x->e.low + 1) * sizeof(int64_t);
    for (int direction = 0; direction < 2; direction++) {
        untouched[direction] = malloc(bytes);
        assert_non_null(untouched[direction]);
        memcpy(untouched[direction], x->e.columns[1 - x->e.source][direction], bytes);
    }
    expect_launch(x, launch, columns, on);
    emu_pyramid_launch(&x->e, launch, columns[0], columns[1]);
    for (int direction = 0; direction < 2; direction++) {
        const int64_t column = launch->start + columns[direction];
        for (int64_t k = x->e.low; k <= x->e.high; k++) {
            const int64_t found = *stored_at(x, 1 - x->e.source, direction, k);
            const bool is_stored =
                on && direction < x->e.directions && k >= stored.low && k <= stored.high;
            if (is_stored && found != model_offset(&x->model[direction], column, k))
                fail_run(x, "a wrong offset", direction, column, k);
            if (!is_stored && found != untouched[direction][k - x->e.low])
                fail_run(x, "stored where nothing is to be stored", direction, column, k);
        }
        free(untouched[direction]);
    }
    check_status(x, launch->start + columns[0]);
}

static bool is_on(const run *x)
{
    return x->e.directions == 2 || x->expected.front[0][x->e.front].distance == RHOMB_UNSOLVED;
}

/* Computes a launch with other numbers of scores, and forgets about it. */
static void check_replay(run *x, const rhomb__launch *launch)
{
    const rhomb_wavefront_status status = x->e.status;
    const int64_t most = rhomb__min(x->e.tiling.scores, last_column(x) - launch->start);
    const int32_t columns[2] = {(int32_t)rng_between(&x->r, 0, most),
                                (int32_t)rng_between(&x->r, 0, most)};
    x->e.status = emu_pyramid_initial(&x->e, x->pair.n + x->pair.m);
    x->expected = x->e.status;
    check_launch(x, launch, columns, true);
    x->e.status = x->expected = status;
}

/*
 * All launches up to the model's last wavefront, and one more after the end, which does nothing.
 *
 */
static void check_pyramid(run *x)
{
    bool on = true;
    while (on && x->e.start < last_column(x)) {
        const int64_t most = rhomb__min(x->e.tiling.scores, last_column(x) - x->e.start);
        const int32_t steps =
            (int32_t)(rng_chance(&x->r, 0.5) ? most : rng_between(&x->r, 1, most));
        const rhomb__launch launch = rhomb__launch_at(&x->e.tiling, x->e.start, INT64_MAX / 2);
        const int32_t columns[2] = {steps, steps};
        on = is_on(x);
        if (on && rng_chance(&x->r, 0.3))
            check_replay(x, &launch);
        check_launch(x, &launch, columns, on);
        emu_pyramid_advance(&x->e, &launch, steps);
    }
}

/* Pairs of one kind with a variant: fewer with the widest tiles, which take the longest. */
static void for_pairs(const char *test, bool pruning, model_kind kind, int64_t pairs,
                      void (*check)(run *x))
{
    for (size_t i = 0; i < COUNT(VARIANTS); i++) {
        const bool wide = is_wide(VARIANTS[i]);
        const int64_t count = amount(wide ? 1 + pairs / 40 : pairs);
        for (int64_t number = 0; number < count; number++) {
            run x;
            memset(&x, 0, sizeof x);
            begin_run(&x, VARIANTS[i], test, (int64_t)i * 1000 + number, kind, pruning);
            check(&x);
            end_run(&x);
        }
    }
}

static void test_columns_tiny(void **state)
{
    for_pairs("columns_tiny", false, MODEL_TINY, 80, check_pyramid);
}

static void test_columns_unrelated(void **state)
{
    for_pairs("columns_unrelated", false, MODEL_UNRELATED, 6, check_pyramid);
}

static void test_columns_similar(void **state)
{
    for_pairs("columns_similar", false, MODEL_SIMILAR, 25, check_pyramid);
}

static void test_columns_tandem(void **state)
{
    for_pairs("columns_tandem", false, MODEL_TANDEM, 25, check_pyramid);
}

static void test_columns_blocks(void **state)
{
    for_pairs("columns_blocks", false, MODEL_BLOCKS, 20, check_pyramid);
}

static void test_columns_runs(void **state)
{
    for_pairs("columns_runs", false, MODEL_RUNS, 60, check_pyramid);
}

static void test_columns_gaps(void **state)
{
    for_pairs("columns_gaps", false, MODEL_GAPS, 12, check_pyramid);
}

static void test_columns_grid(void **state)
{
    for_pairs("columns_grid", false, MODEL_GRID, 6, check_pyramid);
}

/*
 * Adds the tiles of a launch that have a cell to compute, and those that a rough look does not
 * leave out: it compares a tile's diagonals with each end of what matters in the launch's
 * wavefronts.
 */
static void count_tiles(const run *x, const rhomb__launch *launch, int64_t steps, int64_t bound,
                        int64_t *least, int64_t *most)
{
    const int64_t first = launch->start + 1, last = launch->start + steps, end = end_diagonal(x);
    const rhomb__window stored = stored_by(x, launch);
    for (int64_t tile = 0; tile < launch->tiles; tile++) {
        const int64_t low = stored.low + tile * launch->pitch, high = low + launch->pitch - 1;
        bool has_cell = false;
        for (int64_t k = low; k <= high; k++)
            for (int64_t r = first; r <= last && !has_cell; r++)
                has_cell = llabs(k) <= r && llabs(end - k) <= bound - r;
        *least += has_cell;
        *most += low <= last && high >= -last && low <= end + bound - first &&
                 high >= end - (bound - first);
    }
}

/* Beyond the bound the end diagonal's offset is just a lower bound, too. */
static void check_pruned_front(const run *x, int direction, int64_t column, int64_t bound)
{
    const rhomb_front *before = &x->expected.front[direction][x->e.front];
    const rhomb_front *after = &x->e.status.front[direction][1 - x->e.front];
    const int64_t reach = model_offset(&x->model[direction], column, end_diagonal(x));
    if (memcmp(after, before, sizeof *after) == 0 &&
        (llabs(end_diagonal(x)) > column || column > bound))
        return;
    if (after->reach > reach || (column <= bound && after->reach != reach) ||
        after->column != column ||
        after->bound != rhomb__min(before->bound, column + x->pair.n - after->reach) ||
        after->distance != (after->reach >= x->pair.n ? column : before->distance))
        fail_run(x, "front of a pruned launch", direction, column, end_diagonal(x));
}

/* Checks the target wavefront of a launch that was pruned by `bound`. */
static void check_pruned(const run *x, int direction, int64_t column, int64_t bound)
{
    int64_t far = 0;
    for (int64_t k = x->e.low; k <= x->e.high; k++) {
        const int64_t found = *stored_at(x, 1 - x->e.source, direction, k);
        const int64_t right = model_offset(&x->model[direction], column, k);
        const bool inside = k >= -x->pair.m && k <= x->pair.n && llabs(k) <= column;
        const bool matters = inside && llabs(end_diagonal(x) - k) <= bound - column;
        if (found > right || (matters && found != right))
            fail_run(x, matters ? "an offset that matters" : "not a lower bound", direction, column,
                     k);
        far = matters ? rhomb__max(far, 2 * right - k) : far;
    }
    if ((int64_t)x->e.status.furthest[direction][1 - x->e.turn] << x->e.far_shift < far)
        fail_run(x, "furthest antidiagonal", direction, column, 0);
}

/* The host learns of a bound later than the device, and lets the device know of one of its own. */
static void check_pruned_pyramid(run *x)
{
    /* The sum of two directions' scores may pass an odd bound by one. */
    const int64_t distance = distance_of(x), beyond = x->e.directions - 1;
    int64_t host_bound = x->e.status.front[0][0].bound;
    bool on = true;
    while (on && x->e.start < rhomb__min(last_column(x), host_bound)) {
        const int64_t most = rhomb__min(x->e.tiling.scores, last_column(x) - x->e.start);
        const int32_t steps =
            (int32_t)(rng_chance(&x->r, 0.5) ? most : rng_between(&x->r, 1, most));
        const rhomb__launch launch =
            rhomb__launch_at(&x->e.tiling, x->e.start, host_bound + beyond);
        int64_t bounds[2] = {host_bound, host_bound}, least = 0, all = 0;
        for (int i = 0; i < x->e.directions; i++) {
            bounds[i] = rhomb__min(host_bound, x->e.status.front[i][x->e.front].bound);
            count_tiles(x, &launch, steps, bounds[i] + beyond, &least, &all);
        }
        on = x->e.directions == 2 || x->e.status.front[0][x->e.front].distance == RHOMB_UNSOLVED;
        x->expected = x->e.status;
        emu_pyramid_launch(&x->e, &launch, steps, steps);
        const int64_t tiles = (int64_t)(x->e.status.tiles - x->expected.tiles);
        if (on && (tiles < least || tiles > all))
            fail_run(x, "tiles of a pruned launch", 0, x->e.start + steps, tiles);
        for (int i = 0; on && i < x->e.directions; i++) {
            check_pruned(x, i, x->e.start + steps, bounds[i] + beyond);
            if (launch.stores_end)
                check_pruned_front(x, i, x->e.start + steps, bounds[i] + beyond);
        }
        emu_pyramid_advance(&x->e, &launch, steps);
        const int64_t bound = rhomb__min(bounds[0], bounds[1]);
        if (rng_chance(&x->r, 0.4))
            host_bound = bound;
        if (bound > distance && rng_chance(&x->r, 0.2)) {
            const int64_t known = rng_between(&x->r, distance, bound);
            for (int i = 0; i < 4; i++) {
                int64_t *of_front = &x->e.status.front[i / 2][i % 2].bound;
                *of_front = rhomb__min(*of_front, known);
            }
        }
    }
}

static void test_pruning(void **state)
{
    for_pairs("pruning_tiny", true, MODEL_TINY, 60, check_pruned_pyramid);
    for_pairs("pruning_unrelated", true, MODEL_UNRELATED, 6, check_pruned_pyramid);
    for_pairs("pruning_similar", true, MODEL_SIMILAR, 20, check_pruned_pyramid);
    for_pairs("pruning_tandem", true, MODEL_TANDEM, 20, check_pruned_pyramid);
}

/*
 * Wavefronts beyond the shorter sequence, from which nothing but insertions or deletions lead on: a
 * tile there still looks at symbols beside the matrix, and no further away than they are padded.
 */
static void check_far_launch(const emulated_wavefront *v, int64_t number)
{
    run x;
    memset(&x, 0, sizeof x);
    x.test = "far_columns";
    x.number = number;
    x.r = rng_for(x.test, number);
    model_pair_make(&x.pair, MODEL_TINY, v->planes, v->group_size, &x.r);
    const bool long_query = rng_chance(&x.r, 0.5);
    const int64_t longer = rng_between(&x.r, 30000, 60000);
    for (int direction = 0; direction < 2; direction++) {
        unsigned char **codes = long_query ? &x.pair.query[direction] : &x.pair.target[direction];
        free(*codes);
        *codes = calloc((size_t)longer, 1);
        assert_non_null(*codes);
    }
    *(long_query ? &x.pair.m : &x.pair.n) = longer;
    emu_pyramid_open(&x.e, v, &x.pair, 2, false, longer);
    x.e.start = rng_between(&x.r, 0, longer);
    x.e.tiles_per_launch = 3;
    rhomb__launch launch = rhomb__launch_at(&x.e.tiling, x.e.start, INT64_MAX / 2);
    launch.first_diagonal += rng_below(&x.r, launch.tiles) * launch.pitch;
    launch.tiles = 1;
    const rhomb__window stored = stored_by(&x, &launch);
    emu_pyramid_launch(&x.e, &launch, v->tile_scores, v->tile_scores);
    for (int direction = 0; direction < 2; direction++) {
        for (int64_t k = stored.low; k <= stored.high; k++) {
            const int64_t column = x.e.start + v->tile_scores;
            const int64_t found = *stored_at(&x, 1, direction, k);
            const int64_t limit = rhomb__min(x.pair.n, x.pair.m + k);
            if (found > limit || found < rhomb__min(column + rhomb__min(k, 0), limit))
                fail_run(&x, "an offset outside the matrix", direction, column, k);
        }
    }
    emu_pyramid_close(&x.e);
    model_pair_release(&x.pair);
}

static void test_far_columns(void **state)
{
    for (size_t i = 0; i < COUNT(VARIANTS); i++)
        for (int64_t number = 0; number < (is_wide(VARIANTS[i]) ? 2 : amount(30)); number++)
            check_far_launch(VARIANTS[i], (int64_t)i * 1000 + number);
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_tiny),    cmocka_unit_test(test_columns_unrelated),
        cmocka_unit_test(test_columns_similar), cmocka_unit_test(test_columns_tandem),
        cmocka_unit_test(test_columns_blocks),  cmocka_unit_test(test_columns_runs),
        cmocka_unit_test(test_columns_gaps),    cmocka_unit_test(test_columns_grid),
        cmocka_unit_test(test_pruning),         cmocka_unit_test(test_far_columns),
    };
    return cmocka_run_group_tests_name("emulated_wavefront", tests, NULL, NULL);
}
