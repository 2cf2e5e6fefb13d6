/* SPDX-License-Identifier: MIT */
/*
 * Splitting subproblems with affine costs on a device (host/splits/split_affine.c,
 * cl/affine/affine_wavefront.cl), with all kinds of gaps at their borders: breakpoints lie on best
 * paths, with all costs, tiles and portions they are the same, and the engine finds the same for a
 * pair alone. Wrong costs are noticed, or give a breakpoint; subproblems that cannot be are
 * refused.
 *
 *     test_split_affine [groups]     groups: those of a GPU as well, on a GPU (RHOMB_TEST_DEVICE)
 */
#include "host/device/context.h"
#include "split_rig.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/gotoh.h"

static bool large_groups;

static const char ACGT[] = "ACGT";

/* Subproblems as ranges of one long pair, with bases between them that tempt runs to go on. */
typedef struct subproblems {
    split_list whole; /* its sequences alone */
    rhomb__costs costs;
    rhomb_subproblem *at;
    int64_t count;
    int64_t most; /* cost of one; 0: any */
} subproblems;

static int64_t cost_of(const subproblems *s, const rhomb_subproblem *range)
{
    const oracle_penalties penalties = costs_penalties(&s->costs);
    const rhomb_split_pair *p = &range->pair;
    return oracle_gotoh_borders(s->whole.target.at + p->target_at, p->target_length,
                                s->whole.query.at + p->query_at, p->query_length, &penalties,
                                (oracle_borders){range->begin_gap, range->end_gap});
}

/* Adds a subproblem, if it costs enough to be split. */
static bool add(subproblems *s, const pair *p, int32_t begin_gap, int32_t end_gap)
{
    static const char TEMPTING[] = "AAAAACAAAGAAAAAACCCCCCTTTTTTTTTTTAAAAAA";
    const int64_t between = (int64_t)sizeof TEMPTING - 1 - s->count % 33;
    split_list *w = &s->whole;
    if (s->count % 7 > 0) { /* the others begin right where one before ends */
        letters_append(&w->target, TEMPTING, between);
        letters_append(&w->query, TEMPTING, between);
    }
    rhomb_subproblem range = {
        {w->target.length, p->a.length, w->query.length, p->b.length, 0}, begin_gap, end_gap};
    letters_append(&w->target, p->a.at, p->a.length);
    letters_append(&w->query, p->b.at, p->b.length);
    if (p->a.length + p->b.length == 0)
        return false;
    range.pair.distance = cost_of(s, &range);
    if (!rhomb__split_affine_can(&s->costs, range.pair.distance) ||
        (s->most > 0 && range.pair.distance > s->most))
        return false;
    s->at = realloc(s->at, (size_t)(s->count + 1) * sizeof *s->at);
    assert_non_null(s->at);
    s->at[s->count++] = range;
    return true;
}

/* Adds up to so many; those that are missing. */
static int64_t add_some(subproblems *s, int64_t longest, int64_t count, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t tries = 0; count > 0 && tries < 50 * (count + 10); tries++) {
        affine_bordered_pair(longest, rng_chance(r, 0.5) ? longest : 4, r, &p);
        count -= add(s, &p, random_gap(r, &s->costs), random_gap(r, &s->costs));
    }
    pair_release(&p);
    return count;
}

static void add_random(subproblems *s, int64_t longest, int64_t count, rng *r)
{
    assert_int_equal(add_some(s, longest, count, r), 0);
}

static void release(subproblems *s)
{
    split_list_release(&s->whole);
    free(s->at);
}

typedef struct tile {
    int32_t group, items, scores; /* scores: beyond those that costs look back */
    int32_t offset_bits;
    bool local;
} tile;

static rhomb__plan plan_of(const rhomb__costs *costs, const tile *t)
{
    const int64_t scores = rhomb__affine_lookback(costs) + 2 + t->scores;
    const int64_t least = 2 * rhomb__ceil_div(scores, rhomb__costs_least_extend(costs)) + 1;
    rhomb__plan plan = {.row = RHOMB__ROW_AFFINE, .costs = *costs, .planes = 2};
    plan.directions = 2;
    plan.wavefront.tiles_local = t->local;
    plan.wavefront.offset_bits = t->offset_bits;
    plan.wavefront.group_size = t->group;
    plan.wavefront.diagonals_per_item = (int32_t)rhomb__ceil_div(least + t->items, t->group);
    plan.wavefront.tile_scores = (int32_t)scores;
    plan.wavefront.launches_per_read = 3;
    return plan;
}

/* A breakpoint leads through a path of the subproblem's cost. */
static void check_breakpoint(const subproblems *s, int64_t index, const rhomb__breakpoint *b)
{
    const rhomb_subproblem *whole = &s->at[index];
    const rhomb__costs *costs = &s->costs;
    rhomb_subproblem first = *whole, second = *whole;
    first.pair.target_length = b->target;
    first.pair.query_length = b->query;
    first.end_gap = second.begin_gap = b->gap;
    second.pair.target_at += b->target;
    second.pair.target_length -= b->target;
    second.pair.query_at += b->query;
    second.pair.query_length -= b->query;
    const bool inside = b->target >= 0 && b->query >= 0 && second.pair.target_length >= 0 &&
                        second.pair.query_length >= 0 && b->target + b->query > 0 &&
                        second.pair.target_length + second.pair.query_length > 0;
    const int64_t before = inside ? cost_of(s, &first) : -1;
    const int64_t behind = inside ? cost_of(s, &second) : -1;
    if (!inside || before != b->cost ||
        before + rhomb__costs_of_opening(costs, b->gap) + behind != whole->pair.distance)
        fail_msg("subproblem %lld with mismatch %lld, gaps %lld + k * %lld and %lld + k * %lld; "
                 "%lld by %lld bases, gaps %d and %d, cost %lld: (%lld, %lld) within gap %d after "
                 "%lld, where %lld come before and %lld after",
                 (long long)index, (long long)costs->mismatch, (long long)costs->open[0],
                 (long long)costs->extend[0], (long long)costs->open[1],
                 (long long)costs->extend[1], (long long)whole->pair.target_length,
                 (long long)whole->pair.query_length, (int)whole->begin_gap, (int)whole->end_gap,
                 (long long)whole->pair.distance, (long long)b->target, (long long)b->query,
                 (int)b->gap, (long long)b->cost, (long long)before, (long long)behind);
}

static void open_rig(split_rig *g, const subproblems *s, int32_t offset_bits, int64_t portion_bytes)
{
    split_rig_open(g, &s->whole, ACGT, 2, offset_bits,
                   (rhomb__split_tuning){.portion_bytes = portion_bytes});
    split_rig_way(g, &rhomb__split_affine);
}

/* Splits all; the breakpoints are the caller's to free. */
static rhomb__breakpoint *split(const subproblems *s, const tile *t, int64_t portion_bytes,
                                rhomb__split_work *work)
{
    split_rig g;
    rhomb__breakpoint *found = calloc((size_t)s->count, sizeof *found);
    const rhomb__plan plan = plan_of(&s->costs, t);
    assert_non_null(found);
    open_rig(&g, s, t->offset_bits, portion_bytes);
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, s->at, s->count, found));
    *work = g.splitter->work;
    assert_int_equal(work->problems, s->count);
    split_rig_close(&g);
    return found;
}

static bool equal(const rhomb__breakpoint *x, const rhomb__breakpoint *y)
{
    return x->target == y->target && x->query == y->query && x->cost == y->cost && x->gap == y->gap;
}

static void expect_same(const subproblems *s, const rhomb__breakpoint *x,
                        const rhomb__breakpoint *y)
{
    for (int64_t i = 0; i < s->count; i++) {
        if (!equal(&x[i], &y[i]))
            fail_msg("subproblem %lld: (%lld, %lld) within gap %d, and (%lld, %lld) within gap %d",
                     (long long)i, (long long)x[i].target, (long long)x[i].query, (int)x[i].gap,
                     (long long)y[i].target, (long long)y[i].query, (int)y[i].gap);
    }
}

/* What the engine finds for a pair alone. */
static void check_alone(const subproblems *s, const tile *t, const rhomb__breakpoint *found,
                        int64_t most)
{
    const rhomb__plan tiles = plan_of(&s->costs, t);
    for (int64_t i = 0; i < s->count && most > 0; i++) {
        const rhomb_split_pair *p = &s->at[i].pair;
        const split_list one = {.target = {s->whole.target.at + p->target_at, p->target_length, 0},
                                .query = {s->whole.query.at + p->query_at, p->query_length, 0}};
        rhomb_options options = RHOMB_OPTIONS_INIT;
        rhomb__plan plan = tiles;
        rhomb__programs programs = {NULL, NULL};
        rhomb__solution solution = {.distance = -1};
        split_rig g;
        if (s->at[i].begin_gap + s->at[i].end_gap > 0 || p->target_length == 0 ||
            p->query_length == 0)
            continue;
        plan.target_length = p->target_length;
        plan.query_length = p->query_length;
        plan.upper_bound = i % 2 == 0
                               ? p->distance
                               : rhomb__costs_most(&s->costs, p->target_length, p->query_length);
        split_rig_open(&g, &one, ACGT, 2, t->offset_bits, (rhomb__split_tuning){0});
        const rhomb__problem problem = {.plan = &plan,
                                        .options = &options,
                                        .query_length = p->query_length,
                                        .target_length = p->target_length,
                                        .query = &g.query,
                                        .target = &g.target,
                                        .upper_bound = plan.upper_bound,
                                        .wants_breakpoint = true};
        split_expect_ok(g.ctx,
                        rhomb__engine_programs(g.ctx, &rhomb__engine_affine, &plan, &programs));
        split_expect_ok(g.ctx, rhomb__engine_solve(g.ctx, &rhomb__engine_affine, &programs,
                                                   &problem, &solution));
        assert_int_equal(solution.distance, p->distance);
        if (!equal(&solution.breakpoint, &found[i]))
            fail_msg("subproblem %lld: (%lld, %lld) within gap %d, but the pair alone (%lld, %lld) "
                     "within gap %d",
                     (long long)i, (long long)found[i].target, (long long)found[i].query,
                     (int)found[i].gap, (long long)solution.breakpoint.target,
                     (long long)solution.breakpoint.query, (int)solution.breakpoint.gap);
        split_rig_close(&g);
        most--;
    }
}

static const tile SMALL = {1, 5, 0, 32, false}, WIDE = {1, 90, 30, 64, false},
                  GROUP = {4, 9, 3, 32, true}, MEMORY = {2, 20, 1, 64, false};

/* Splits all in one portion; breakpoints are those of best paths, and the caller's to free. */
static rhomb__breakpoint *split_right(const subproblems *s, const tile *t)
{
    rhomb__split_work work;
    rhomb__breakpoint *found = split(s, t, 1 << 26, &work);
    assert_int_equal(work.portions, 1);
    for (int64_t i = 0; i < s->count; i++)
        check_breakpoint(s, i, &found[i]);
    return found;
}

/* All tiles find the same. */
static void check_list(const subproblems *s, const tile *const *tiles, size_t count)
{
    rhomb__split_work work;
    rhomb__breakpoint *found = split_right(s, tiles[0]);
    check_alone(s, tiles[0], found, 5);
    for (size_t i = 1; i < count; i++) {
        rhomb__breakpoint *others = split(s, tiles[i], 1 << 26, &work);
        expect_same(s, found, others);
        free(others);
    }
    free(found);
}

/* Each tile is a program to build for each of the costs. */
static void test_random_costs(void **state)
{
    static const struct {
        int64_t most;
        const tile *tiles[2];
    } CASES[] = {{8, {&SMALL, &GROUP}}, {20, {&WIDE, NULL}}, {5, {&MEMORY, &WIDE}}, {8, {&SMALL}}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rng r = rng_for("affine splits", (int64_t)i);
        subproblems s = {.costs = random_costs(&r, CASES[i].most)};
        add_random(&s, 60, amount(150), &r);
        add_random(&s, 250, amount(10), &r);
        check_list(&s, CASES[i].tiles, CASES[i].tiles[1] != NULL ? 2 : 1);
        release(&s);
    }
}

/* Launches are as short as costs allow: so directions meet close to the end of one. */
static void test_scorings(void **state)
{
    enum { PAIRS = 8, LENGTH = 200, MOST_LOOK = 150 }; /* others take long */
    for (size_t i = 0; scoring_at(i) != NULL; i++) {
        rng r = rng_for("affine splits, scorings", (int64_t)i);
        subproblems s = {.count = 0};
        rhomb__error error = {0};
        if (!amount_takes((int64_t)i))
            continue;
        assert_int_equal(rhomb__costs_of(&error, scoring_at(i), &s.costs), RHOMB_OK);
        const int64_t look = rhomb__affine_lookback(&s.costs);
        if (look > MOST_LOOK)
            continue;
        s.most = 5 * look;
        const int64_t bases = 4 * look / rhomb__costs_least_extend(&s.costs);
        assert_true(add_some(&s, rhomb__min(bases, LENGTH), PAIRS, &r) < PAIRS);
        free(split_right(&s, &SMALL));
        release(&s);
    }
}

static void test_presets(void **state)
{
    static const char *const TEXTS[] = {"wfa", "map-ont"};
    static const tile *const TILES[] = {&SMALL, &WIDE};
    for (size_t i = 0; i < COUNT(TEXTS); i++) {
        rng r = rng_for("affine splits, presets", (int64_t)i);
        subproblems s = {.costs = costs_of_text(TEXTS[i])};
        add_random(&s, 100, amount(100), &r);
        check_list(&s, &TILES[i], 1);
        release(&s);
    }
}

/* Gaps alone, from one border to the other, in all places of launches. */
static void test_gaps(void **state)
{
    subproblems s = {.costs = costs_of_text("affine2p:7,2,3,9,2")};
    rng r = rng_for("affine splits, gaps", 0);
    for (int64_t bases = 12; bases < 60; bases++) {
        if (!amount_takes(bases - 12))
            continue;
        for (int which = 0; which < 2; which++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters_append(&p.a, "", 0);
            letters_append(&p.b, "", 0);
            letters_random(which == 0 ? &p.a : &p.b, ACGT, bases, &r);
            for (int32_t gap = 0; gap < ORACLE_KINDS; gap++)
                add(&s, &p, gap, bases % 2 == 0 ? gap : random_gap(&r, &s.costs));
            pair_release(&p);
        }
    }
    assert_true(s.count > amount(300));
    check_list(&s, (const tile *const[]){&SMALL, &WIDE}, 2);
    release(&s);
}

/* Portions of any size give the same breakpoints. */
static void test_portions(void **state)
{
    rng r = rng_for("affine splits, portions", 0);
    subproblems s = {.costs = costs_of_text("wfa")};
    rhomb__split_work work;
    add_random(&s, 120, 60, &r);
    rhomb__breakpoint *all = split(&s, &SMALL, 1 << 26, &work);
    assert_int_equal(work.portions, 1);
    rhomb__breakpoint *some = split(&s, &SMALL, 30000, &work);
    assert_true(work.portions > 2 && work.portions < s.count);
    rhomb__breakpoint *each = split(&s, &SMALL, 0, &work);
    assert_int_equal(work.portions, s.count);
    expect_same(&s, all, some);
    expect_same(&s, all, each);
    free(all);
    free(some);
    free(each);
    release(&s);
}

/* Subproblems that cannot be are refused before anything runs. */
static void test_refused(void **state)
{
    rng r = rng_for("affine splits, refused", 0);
    subproblems s = {.costs = costs_of_text("wfa")};
    split_rig g;
    add_random(&s, 100, 3, &r);
    const rhomb__plan plan = plan_of(&s.costs, &SMALL);
    const int64_t n = s.whole.target.length, m = s.whole.query.length;
    const rhomb_split_pair refused[] = {
        {0, n, 0, m, 0},           {0, n, 0, m, -1},          {0, n, 0, m, 8},
        {0, 10, 0, 10, 1000},      {-1, 10, 0, 10, 15},       {n - 9, 10, 0, 10, 15},
        {0, 10, m - 9, 10, 15},    {n, 0, m, 0, 0},           {INT64_MAX, 10, 0, 10, 15},
        {0, INT64_MAX, 0, 10, 15}, {0, 10, 0, INT64_MIN, 15}, {0, 10, 0, 10, INT64_MAX}};
    open_rig(&g, &s, 32, 1 << 20);
    for (size_t i = 0; i < COUNT(refused); i++) {
        rhomb__breakpoint points[2];
        const rhomb_subproblem two[] = {s.at[0], {refused[i], 0, 0}};
        rhomb__error_clear(&g.ctx->stream.error);
        if (rhomb__splitter_solve(g.splitter, &plan, two, 2, points) != RHOMB_ERR_INTERNAL)
            fail_msg("problem %zu was not refused", i);
        assert_non_null(strstr(rhomb__error_text(&g.ctx->stream.error), "no subproblem to split"));
    }
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, NULL, 0, NULL));
    assert_int_equal(g.splitter->work.launches, 0);
    split_rig_close(&g);
    release(&s);
}

/* With a cost that is too small no directions meet. One that is too large may have a breakpoint. */
static void test_wrong_costs(void **state)
{
    rng r = rng_for("affine splits, wrong", 0);
    subproblems s = {.costs = costs_of_text("affine2p:7,2,3,9,2")};
    split_rig g;
    int small = 0;
    add_random(&s, 80, 40, &r);
    const rhomb__plan plan = plan_of(&s.costs, &SMALL);
    open_rig(&g, &s, 32, 1 << 20);
    for (int64_t i = 0; i < 2 * s.count; i++) {
        rhomb__breakpoint points[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
        rhomb_subproblem two[] = {s.at[i / 2], s.at[0]};
        rhomb_split_pair *p = &two[0].pair;
        p->distance += i % 2 == 0 ? -rng_between(&r, 1, 4) : rng_between(&r, 1, 40);
        if (!rhomb__split_affine_can(&s.costs, p->distance) ||
            !rhomb__subproblem_is_possible(&s.costs, &two[0]))
            continue;
        rhomb__error_clear(&g.ctx->stream.error);
        const rhomb_status status = rhomb__splitter_solve(g.splitter, &plan, two, 2, points);
        if (status == RHOMB_ERR_DEVICE_WRONG_RESULT) {
            assert_non_null(strstr(rhomb__error_text(&g.ctx->stream.error), "do not meet"));
        } else {
            split_expect_ok(g.ctx, status);
            assert_in_range(points[0].target, 0, p->target_length);
            assert_in_range(points[0].query, 0, p->query_length);
        }
        assert_true(i % 2 == 1 || status == RHOMB_ERR_DEVICE_WRONG_RESULT);
        small += i % 2 == 0;
    }
    assert_true(small > 20);
    split_rig_close(&g);
    release(&s);
}

/* What a function that is asked every so often has seen, and when it ends the call. */
typedef struct looks {
    double last;
    int count;
    int most;
} looks;

static rhomb_status look(rhomb_context *ctx, double fraction, void *user)
{
    looks *seen = user;
    assert_true(fraction >= seen->last && fraction <= 1);
    seen->last = fraction;
    return ++seen->count == seen->most
               ? rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "it is enough")
               : RHOMB_OK;
}

/* A call may be ended; the next one is as good. */
static void test_cancel(void **state)
{
    rng r = rng_for("affine splits, cancel", 0);
    subproblems s = {.costs = costs_of_text("wfa")};
    looks seen = {.most = 2};
    split_rig g;
    add_random(&s, 200, 30, &r);
    const rhomb__plan plan = plan_of(&s.costs, &SMALL);
    rhomb__breakpoint *points = calloc((size_t)s.count, sizeof *points);
    assert_non_null(points);
    open_rig(&g, &s, 32, 1 << 20);
    g.ctx->stream.device->rates.values.cells_per_second = 1; /* each launch is waited for */
    g.source.advance = look;
    g.source.user = &seen;
    split_rig_way(&g, &rhomb__split_affine);
    assert_int_equal(rhomb__splitter_solve(g.splitter, &plan, s.at, s.count, points),
                     RHOMB_ERR_CANCELLED);
    assert_int_equal(seen.count, 2);
    rhomb__error_clear(&g.ctx->stream.error);
    seen = (looks){.most = 0};
    split_expect_ok(g.ctx, rhomb__splitter_solve(g.splitter, &plan, s.at, s.count, points));
    for (int64_t i = 0; i < s.count; i++)
        check_breakpoint(&s, i, &points[i]);
    split_rig_close(&g);
    free(points);
    release(&s);
}

/* Groups of a GPU. */
static void test_groups(void **state)
{
    static const tile GROUPS[] = {{32, 0, 0, 32, true},
                                  {64, 300, 20, 64, true},
                                  {256, 700, 100, 32, true},
                                  {256, 700, 100, 64, false},
                                  {1024, 900, 60, 32, true}};
    const tile *tiles[COUNT(GROUPS) + 1] = {&SMALL};
    if (!large_groups)
        skip();
    for (size_t i = 0; i < COUNT(GROUPS); i++)
        tiles[i + 1] = &GROUPS[i];
    for (int64_t i = 0; i < 4; i++) {
        rng r = rng_for("affine splits, groups", i);
        subproblems s = {.costs = i == 0 ? costs_of_text("wfa") : random_costs(&r, 8)};
        add_random(&s, 200, 200, &r);
        add_random(&s, 2000, 10, &r);
        check_list(&s, tiles, COUNT(tiles));
        release(&s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_costs), cmocka_unit_test(test_scorings),
        cmocka_unit_test(test_presets),      cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_portions),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wrong_costs),  cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_groups),
    };
    quick_builds = true;
    large_groups = argc > 1 && strcmp(argv[1], "groups") == 0;
    return device_exists() ? cmocka_run_group_tests_name("affine splits", tests, NULL, NULL) : 77;
}
