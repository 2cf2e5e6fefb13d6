/* SPDX-License-Identifier: MIT */
/*
 * Splitting subproblems on a device (host/splits/splitter.h), by each way of split_ways.c: where it
 * has a rule, each breakpoint is the one that a plain wavefront or Gotoh's matrix finds
 * (gotoh.h); else, and with other than unit costs, it lies on a best path. So it is whatever
 * the planes, offsets, tiles, strips, groups and portions, and whatever else is split beside it.
 * Costs that are wrong are noticed, subproblems that cannot be are refused, and callers may stop.
 *
 *     test_splits WAY [groups]    groups, wide, affine or sweeps; by those groups of a GPU, on a
 *                                 GPU (RHOMB_TEST_DEVICE)
 *     test_splits tiny            few and tiny ones by all kernels of cl/divide, for an interpreter
 *
 * Exits with 77 where there is no device.
 */
#include "host/device/context.h"
#include "host/engines/known_pair.h"
#include "host/splits/split_known.c"
#include "host/splits/splitter.h"
#include "split_rig.h"
#include "src/base/int64.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

#define ALL_BYTES (INT64_C(1) << 40)

/* Some subproblems of a way. */
static split_list some_of(const split_solver *s, const char *name)
{
    const rhomb__costs costs = costs_of_text(s->costs);
    split_list list = split_list_of(&costs, s->takes);
    rng r = rng_for(name, 0);
    s->add(&list, &r);
    return list;
}

static split_shape in_portions(const split_shape *shape, int64_t bytes)
{
    split_shape of = *shape;
    of.tuning.portion_bytes = bytes;
    return of;
}

/* Its own lists and shapes. */
static void test_breakpoints(void **state)
{
    const split_solver *s = *state;
    s->check(s);
}

/* Portions of any size give the same breakpoints. */
static void test_portions(void **state)
{
    const split_solver *s = *state;
    split_list list = some_of(s, "split portions");
    const split_shape all = in_portions(&s->shape, ALL_BYTES),
                      some = in_portions(&s->shape, s->some_bytes),
                      each = in_portions(&s->shape, 1);
    split_shape few = all;
    assert_int_equal(split_check_list(s, &list, &all).portions, 1);
    const int64_t portions = split_check_list(s, &list, &some).portions;
    assert_true(portions > 2 && portions < list.count);
    assert_int_equal(split_check_list(s, &list, &each).portions, list.count);
    few.tuning.portion_cells = 10000;
    if (s->way == &rhomb__split_groups)
        assert_true(split_check_list(s, &list, &few).portions > 1);
    split_list_release(&list);
}

/* Calls that need more than those before them, or less, or another program. */
static void test_calls(void **state)
{
    const split_solver *s = *state;
    const split_shape *const SHAPES[] = {&s->shape, &s->shape, &s->other, &s->shape};
    split_list list = some_of(s, "split calls");
    rhomb__breakpoint *found = calloc((size_t)list.count, sizeof *found);
    const split_shape all = in_portions(&s->shape, ALL_BYTES);
    split_rig g;
    assert_non_null(found);
    split_check_list(s, &list, &all);
    split_rig_open(&g, &list, &all);
    split_rig_way(&g, s->way);
    for (int64_t i = 0; i < (int64_t)COUNT(SHAPES); i++) {
        const rhomb__plan plan = split_plan_of(&list, SHAPES[i]);
        const int64_t count = i % 2 == 0 ? 3 + i : list.count;
        memset(found, 0, (size_t)list.count * sizeof *found);
        split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, list.at, count, found));
        split_check_first(s, &list, found, count);
    }
    assert_int_equal(g.splitter->work.portions, COUNT(SHAPES));
    split_rig_close(&g);
    free(found);
    split_list_release(&list);
}

/* Subproblems that cannot be are refused before anything runs. */
static void test_refused(void **state)
{
    const split_solver *s = *state;
    split_list list = some_of(s, "split refused");
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("split refused", 1);
    rhomb__breakpoint found[2];
    split_rig g;
    letters_random(&p.a, "ACGT", 300, &r);
    letters_random(&p.b, "ACGT", 280, &r);
    assert_true(split_list_add(&list, &p, SPLIT_NO_GAPS));
    rhomb_subproblem two[] = {list.at[0], list.at[list.count - 1]};
    const rhomb_subproblem good = two[1];
    rhomb_split_pair *bad = &two[1].pair;
    const struct {
        int64_t *field, value;
    } REFUSED[] = {{&bad->distance, 0},
                   {&bad->distance, -1},
                   {&bad->distance, INT64_MAX},
                   {&bad->distance, rhomb__costs_gap(&list.costs, 20) - 1},
                   {&bad->distance, rhomb__costs_most(&list.costs, 300, 280) + 1},
                   {&bad->target_at, -1},
                   {&bad->target_at, list.target.length - 299},
                   {&bad->target_at, INT64_MAX},
                   {&bad->target_at, INT64_MIN},
                   {&bad->query_at, -1},
                   {&bad->query_at, list.query.length - 279},
                   {&bad->query_at, INT64_MAX},
                   {&bad->target_length, -1},
                   {&bad->target_length, INT64_MAX},
                   {&bad->target_length, INT64_MIN},
                   {&bad->query_length, -1},
                   {&bad->query_length, INT64_MAX},
                   {&bad->query_length, INT64_MIN}};
    const rhomb__plan plan = split_plan_of(&list, &s->shape);
    split_rig_open(&g, &list, &s->shape);
    split_rig_way(&g, s->way);
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        two[1] = good;
        *REFUSED[i].field = REFUSED[i].value;
        rhomb__error_clear(&g.ctx->stream.error);
        if (rhomb__splitter_solve(g.splitter, &plan, two, 2, found) != RHOMB_ERR_INTERNAL)
            fail_msg("subproblem %zu was not refused", i);
        assert_non_null(strstr(rhomb__error_text(&g.ctx->stream.error), "no subproblem to split"));
    }
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, NULL, 0, NULL));
    assert_int_equal(g.splitter->work.launches, 0);
    rhomb__error_clear(&g.ctx->stream.error);
    two[1] = good;
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, two, 2, found));
    split_rig_close(&g);
    pair_release(&p);
    split_list_release(&list);
}

/* Mismatches side by side: directions that meet earlier have not a single base in common there. */
static void add_mismatches(split_list *list)
{
    enum { AROUND = 30, MISMATCHES = 40 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_repeat(&p.a, "ACGGT", AROUND);
    letters_repeat(&p.b, "ACGGT", AROUND);
    letters_repeat(&p.a, "A", MISMATCHES);
    letters_repeat(&p.b, "C", MISMATCHES);
    letters_repeat(&p.a, "TGGCA", AROUND);
    letters_repeat(&p.b, "TGGCA", AROUND);
    assert_true(split_list_add(list, &p, SPLIT_NO_GAPS));
    pair_release(&p);
}

/* Of a cost that is too small the device says so; of one that is too large, where it can. */
static void test_wrong_costs(void **state)
{
    static const int64_t OFF[] = {-3, -2, -1, 1, 2, 3, 40};
    const split_solver *s = *state;
    split_list list = some_of(s, "split wrong");
    add_mismatches(&list);
    rhomb__breakpoint found[2];
    int64_t tried = 0;
    split_rig g;
    const rhomb__plan plan = split_plan_of(&list, &s->shape);
    const split_shape all = in_portions(&s->shape, ALL_BYTES);
    split_rig_open(&g, &list, &all);
    split_rig_way(&g, s->way);
    for (int64_t i = 0; i < rhomb__min(list.count, 20) * (int64_t)COUNT(OFF); i++) {
        const int64_t off = OFF[i % (int64_t)COUNT(OFF)];
        const char *said = off < 0 ? s->too_small : s->too_large;
        rhomb_subproblem two[] = {list.at[list.count - 1 - i / (int64_t)COUNT(OFF)], list.at[0]};
        two[0].pair.distance += off;
        if (two[0].pair.distance < 1 || !list.takes(&list, &two[0]) ||
            !rhomb__subproblem_is_possible(&list.costs, &two[0]))
            continue;
        rhomb__error_clear(&g.ctx->stream.error);
        const rhomb_status status = rhomb__splitter_solve(g.splitter, &plan, two, 2, found);
        if (said != NULL && status != RHOMB_ERR_DEVICE_WRONG_RESULT)
            fail_msg("subproblem %lld with %lld added to its cost: %s", (long long)i,
                     (long long)off, rhomb_status_name(status));
        if (status == RHOMB_OK) {
            assert_in_range(found[0].target, 0, two[0].pair.target_length);
            assert_in_range(found[0].query, 0, two[0].pair.query_length);
        } else {
            assert_int_equal(status, RHOMB_ERR_DEVICE_WRONG_RESULT);
            assert_non_null(
                strstr(rhomb__error_text(&g.ctx->stream.error), said != NULL ? said : ""));
        }
        tried += off < 0;
    }
    assert_true(tried > 10);
    split_rig_close(&g);
    split_list_release(&list);
}

/* What a function that is asked every so often has seen, and when it ends the call. */
typedef struct looks {
    double last;
    int64_t count;
    int64_t most; /* 0: never */
} looks;

static rhomb_status look(rhomb_context *ctx, double fraction, void *user)
{
    looks *seen = user;
    if (fraction < seen->last || fraction > 1 + 1e-9)
        fail_msg("a fraction of %g after %g", fraction, seen->last);
    seen->last = fraction;
    return ++seen->count == seen->most
               ? rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "it is enough")
               : RHOMB_OK;
}

/* Launches are waited for now and then: of sweeps, if they are short and there are many. */
static void make_many_launches(const split_solver *s, split_list *list, split_shape *shape)
{
    if (s->way == &rhomb__split_wide)
        shape->tuning.portion_cells = 1; /* between looks */
    if (s->way != &rhomb__split_sweeps)
        return;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("split stop", 1);
    letters_random(&p.a, "ACGT", 9000, &r);
    letters_random(&p.b, "ACGT", 3000, &r);
    list->count = 3; /* few others, which would take as many launches each time */
    assert_true(split_list_add(list, &p, SPLIT_NO_GAPS));
    pair_release(&p);
    shape->plan.sweep.blocks_per_launch = 1;
}

/* A call may be ended between portions and, by all but groups, within one; the next is as good. */
static void test_stop(void **state)
{
    const split_solver *s = *state;
    split_list list = some_of(s, "split stop");
    split_shape base = s->shape;
    make_many_launches(s, &list, &base);
    rhomb__breakpoint *found = calloc((size_t)list.count, sizeof *found);
    const rhomb__plan plan = split_plan_of(&list, &base);
    assert_non_null(found);
    for (int within = 0; within <= (s->way != &rhomb__split_groups); within++) {
        const split_shape shape = in_portions(&base, within ? ALL_BYTES : 1);
        /* A sweep is looked at rarely. */
        const int64_t times = within && s->way == &rhomb__split_sweeps ? 1 : 3;
        looks seen = {.most = 1};
        split_rig g;
        split_rig_open(&g, &list, &shape);
        if (s->way == &rhomb__split_affine)
            g.ctx->stream.device->rates.values.cells_per_second = 1;
        g.source.advance = look;
        g.source.user = &seen;
        split_rig_way(&g, s->way);
        for (; seen.most <= times; seen.most++) {
            seen.count = 0;
            seen.last = 0;
            assert_int_equal(rhomb__splitter_solve(g.splitter, &plan, list.at, list.count, found),
                             RHOMB_ERR_CANCELLED);
            assert_int_equal(seen.count, seen.most);
            assert_true(!within || g.splitter->work.portions == 0);
            rhomb__error_clear(&g.ctx->stream.error);
        }
        seen = (looks){.most = 0};
        split_expect_ok(g.ctx,
                        rhomb__splitter_solve(g.splitter, &plan, list.at, list.count, found));
        assert_true(seen.last > 0.999);
        split_rig_close(&g);
        split_check_first(s, &list, found, list.count);
    }
    free(found);
    split_list_release(&list);
}

/* The known answers are those of a plain wavefront. */
static void test_known(void **state)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        const rhomb_split_pair *known = &KNOWN[i].pair;
        const char *target = p.target + known->target_at, *query = p.query + known->query_at;
        const int64_t n = known->target_length, m = known->query_length;
        assert_true(known->target_at + n <= p.target_length);
        assert_true(known->query_at + m <= p.query_length);
        assert_int_equal(known->distance, oracle_distance(target, n, query, m, false));
        const plain_pair texts = {target, n, query, m, false};
        const rhomb_split_point point = oracle_split_wavefront(&texts, known->distance);
        assert_int_equal(point.target, KNOWN[i].target);
        assert_int_equal(point.query, KNOWN[i].query);
    }
}

/* Cells within reach of both ends, score by score. */
static int64_t cells_by_score(const rhomb_split_pair *problem)
{
    const int64_t m = problem->query_length, n = problem->target_length;
    const int64_t d = problem->distance;
    int64_t cells = 0;
    for (int direction = 0; direction < 2; direction++) {
        for (int64_t r = 0; r <= (d + 1 - direction) / 2; r++)
            cells += rhomb__min(rhomb__min(r, d - r + (n - m)), n) +
                     rhomb__min(rhomb__min(r, d - r - (n - m)), m) + 1;
    }
    return cells;
}

/* Cells that are counted are those, for all subproblems of a few bases. */
static void test_cells(void **state)
{
    const rhomb_split_pair square = {0, 100, 0, 100, 8}, gap = {0, 100, 0, 0, 100};
    assert_int_equal(rhomb__split_cells(&square), 2 * (1 + 3 + 5 + 7 + 9));
    assert_int_equal(rhomb__split_cells(&gap), 2 * 51);
    for (int64_t m = 0; m <= 20; m++)
        for (int64_t n = 0; n <= 20; n++)
            for (int64_t d = rhomb__max(llabs(n - m), 1); d <= rhomb__max(m, n); d++) {
                const rhomb_split_pair small = {0, n, 0, m, d};
                assert_int_equal(rhomb__split_cells(&small), cells_by_score(&small));
            }
}

/* What GPUs run is built here, but not run. */
static void test_builds(void **state)
{
    static const rhomb__split_kind GPU[] = {{.group_size = 32},
                                            {.group_size = 1024, .in_place = 1}};
    const split_shape shape = {.tuning.is_self_test = true};
    split_list list = some_of(*state, "split builds");
    split_rig g;
    split_rig_open(&g, &list, &shape);
    for (size_t i = 0; i < COUNT(GPU); i++) {
        rhomb__split_kind kind = GPU[i];
        split_expect_ok(g.ctx, rhomb__split_kind_ready(g.ctx, &g.source, &kind));
        rhomb__split_kind_release(&kind);
    }
    split_rig_close(&g);
    split_list_release(&list);
}

/*
 * Groups of a GPU. PoCL 3.1 gets a group of 2 wrong, where the same text as host code is right
 * (opencl/): which runs a column has left to the group is lost.
 */
static void test_groups(void **state)
{
    const split_solver *s = *state;
    for (int64_t number = 0; number < 3; number++) {
        rng r = rng_for("split groups", number);
        const rhomb__costs costs = costs_of_text(s->costs);
        split_list list = split_list_of(&costs, s->takes);
        s->add(&list, &r);
        split_list_add_random(&list, "ACGT", 2000, 20, &r);
        for (size_t i = 0; i < s->group_count; i++)
            split_check_list(s, &list, &s->groups[i]);
        split_list_release(&list);
    }
}

/* Each takes an interpreter a second. */
static void test_tiny(void **state)
{
    static const split_shape GROUPS[] = {{.tuning.group_size = 8},
                                         {.tuning = {.group_size = 8, .in_place = true}},
                                         {.tuning = {.group_size = 1, .in_place = true}}};
    static const rhomb__plan PLANS[] = {
        {.row = RHOMB__ROW_WAVEFRONT,
         .wavefront = {.group_size = 4, .diagonals_per_item = 4, .tile_scores = 3}},
        {.row = RHOMB__ROW_WAVEFRONT,
         .wavefront = {.group_size = 1, .diagonals_per_item = 16, .tile_scores = 5}}};
    const split_solver *groups = split_solver_at(0), *wide = split_solver_at(1);
    const rhomb__costs costs = rhomb__costs_edit();
    split_list list = split_list_of(&costs, groups->takes);
    rng r = rng_for("tiny splits", 0);
    split_list_add_random(&list, "ACGT", 40, 8, &r);
    for (size_t i = 0; i < COUNT(GROUPS); i++)
        split_check_list(groups, &list, &GROUPS[i]);
    for (size_t i = 0; i < COUNT(PLANS); i++)
        split_check_list(wide, &list, &(split_shape){.plan = PLANS[i]});
    split_list_release(&list);
}

/* Runs the tests of a way: those of a GPU, or all others. */
static int run_way(const split_solver *s, bool groups)
{
    void *state = (void *)(uintptr_t)s;
    const struct CMUnitTest all[] = {{"breakpoints", test_breakpoints, NULL, NULL, state},
                                     {"portions", test_portions, NULL, NULL, state},
                                     {"calls", test_calls, NULL, NULL, state},
                                     {"refused", test_refused, NULL, NULL, state},
                                     {"wrong costs", test_wrong_costs, NULL, NULL, state},
                                     {"stop", test_stop, NULL, NULL, state}};
    const struct CMUnitTest first[] = {{"known", test_known, NULL, NULL, state},
                                       {"cells", test_cells, NULL, NULL, state},
                                       {"builds", test_builds, NULL, NULL, state}};
    const struct CMUnitTest gpu[] = {{"groups of a GPU", test_groups, NULL, NULL, state}};
    quick_builds = s->quick;
    if (groups)
        return cmocka_run_group_tests_name(s->name, gpu, NULL, NULL);
    const int failed = cmocka_run_group_tests_name(s->name, all, NULL, NULL);
    return s == split_solver_at(0)
               ? failed + cmocka_run_group_tests_name("known pairs", first, NULL, NULL)
               : failed;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tiny[] = {TEST_LIST(cmocka_unit_test, test_tiny)};
    if (argc < 2)
        return 2;
    if (!device_exists())
        return 77;
    if (strcmp(argv[1], "tiny") == 0)
        return cmocka_run_group_tests_name("tiny splits", tiny, NULL, NULL);
    for (size_t i = 0; split_solver_at(i) != NULL; i++)
        if (strcmp(argv[1], split_solver_at(i)->name) == 0)
            return run_way(split_solver_at(i), argc > 2);
    return 2;
}
