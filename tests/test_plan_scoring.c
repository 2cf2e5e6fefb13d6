/* SPDX-License-Identifier: MIT */
/*
 * The planner with a scoring: bounds in costs inside and in penalties outside,
 * pairs that need no engine, engines that are refused, and costs that do not fit.
 */
#include "rhomb/scoring.h"
#include "support/plans.h"

/* A pair, the scoring as text, and what else is asked for. */
typedef struct order {
    const char *scoring; /* NULL: none */
    int64_t n, m;
    int64_t limit;
    bool equal;
    rhomb_engine engine;
} order;

/* What rhomb__plan_make() says, with its detail. */
static rhomb_status plan_order(const order *asked, planning *p)
{
    rhomb_options given = RHOMB_OPTIONS_INIT;
    static rhomb_scoring scoring; /* the input points to it */
    rhomb__error error = {RHOMB_OK, NULL, ""};
    given.max_distance = asked->limit;
    given.engine = asked->engine;
    if (asked->scoring != NULL) {
        assert_int_equal(rhomb__scoring_parse(&error, asked->scoring, &scoring), RHOMB_OK);
        given.scoring = &scoring;
    }
    assert_int_equal(planning_prepare(p, asked->n, asked->m, &given, &GPU), RHOMB_OK);
    p->input.equal = asked->equal;
    return rhomb__plan_make(&p->error, &p->input, &p->plan);
}

/* The plan as callers get it. */
static void show(const order *asked, rhomb__plan_view *shown)
{
    planning p;
    if (plan_order(asked, &p) != RHOMB_OK)
        fail_msg("%s: %s", asked->scoring, rhomb__error_text(&p.error));
    rhomb__plan_publish(&p.plan, shown);
}

/* Costs of the plan, and penalties as callers see them. */
static void expect_bounds(order asked, int64_t least, int64_t most, int64_t unit)
{
    rhomb__plan_view shown;
    show(&asked, &shown);
    const rhomb__plan *plan = &shown.plan;
    if (plan->lower_bound != least || plan->upper_bound != most || plan->costs.unit != unit)
        fail_msg("%s: %d to %d, unit %d", asked.scoring, (int)plan->lower_bound,
                 (int)plan->upper_bound, (int)plan->costs.unit);
    assert_true(shown.view.lower_bound == least * unit && shown.view.upper_bound == most * unit);
    assert_true(shown.view.edit_penalty == (rhomb__costs_are_edit(&plan->costs) ? unit : 0));
}

static void expect_refused(order asked, const char *detail)
{
    planning p;
    assert_int_equal(plan_order(&asked, &p), RHOMB_ERR_ARGUMENT);
    assert_contains(rhomb__error_text(&p.error), detail);
}

static void test_bounds(void **state)
{
    const rhomb_engine any = RHOMB_ENGINE_AUTO;
    expect_bounds((order){NULL, 100, 90, -1, false, any}, 10, 100, 1);
    expect_bounds((order){"edit", 100, 100, -1, false, any}, 1, 100, 1);
    expect_bounds((order){"affine:2,0,2", 100, 90, -1, false, any}, 10, 100, 2);
    expect_bounds((order){"affine:9,0,9", 100, 100, -1, false, any}, 1, 100, 9);
    /* Limits are penalties, and a plan has the costs within them. */
    expect_bounds((order){"affine:2,0,2", 100, 90, 41, false, any}, 10, 20, 2);
    expect_bounds((order){"affine:2,0,2", 100, 90, 40, false, any}, 10, 20, 2);
    expect_bounds((order){"affine:2,0,2", 100, 90, 201, false, any}, 10, 100, 2);
    expect_bounds((order){"affine:2,0,2", 100, 90, 19, false, any}, 10, 9, 2);
    expect_bounds((order){"match:2,0,0,1", 100, 90, -1, false, any}, 10, 100, 2);
    for (int engine = RHOMB_ENGINE_AUTO; engine <= RHOMB_ENGINE_BITPARALLEL; engine++)
        expect_bounds((order){"affine:3,0,3", 100, 90, 60, false, (rhomb_engine)engine}, 10, 20, 3);
}

/* No engine is needed, whatever the costs. */
static void test_trivial(void **state)
{
    static const struct {
        order asked;
        int64_t least, most, unit; /* of costs */
    } trivial[] = {
        {{"wfa", 100, 100, -1, true, RHOMB_ENGINE_AUTO}, 0, 200, 2},
        {{"wfa", 100, 100, 0, true, RHOMB_ENGINE_AUTO}, 0, 0, 2},
        {{"wfa", 100, 0, -1, false, RHOMB_ENGINE_AUTO}, 103, 103, 2},
        {{"wfa", 0, 1, -1, false, RHOMB_ENGINE_BITPARALLEL}, 4, 4, 2},
        {{"wfa", 100, 0, 205, false, RHOMB_ENGINE_AUTO}, 103, 102, 2},
        {{"wfa", 100, 90, 25, false, RHOMB_ENGINE_AUTO}, 13, 12, 2},
        {{"wfa", 100, 100, 3, false, RHOMB_ENGINE_AUTO}, 2, 1, 2},
        {{"affine2p:5,8,2,24,1", 100, 0, -1, false, RHOMB_ENGINE_AUTO}, 124, 124, 1},
        {{"asm5", 10, 0, -1, false, RHOMB_ENGINE_AUTO}, 148, 148, 1},
        {{"map-ont", 0, 0, -1, true, RHOMB_ENGINE_AUTO}, 0, 0, 1},
    };
    for (size_t i = 0; i < COUNT(trivial); i++) {
        rhomb__plan_view shown;
        expect_bounds(trivial[i].asked, trivial[i].least, trivial[i].most, trivial[i].unit);
        show(&trivial[i].asked, &shown);
        assert_string_equal(shown.view.engine, "trivial");
    }
}

static void test_refused(void **state)
{
    const rhomb_engine any = RHOMB_ENGINE_AUTO, wavefront = RHOMB_ENGINE_WAVEFRONT;
    const int64_t longest = INT64_C(1) << 56;
    expect_refused((order){"affine:3,1030,10", 100, 90, -1, false, wavefront},
                   "the first base of a gap costs 1040: 1024 is the most");
    expect_refused((order){"affine:3,1030,10", 100, 100, -1, true, wavefront}, "1024 is the most");
    expect_refused((order){"asm5", longest, longest, -1, false, any}, "may exceed 2^60");
    expect_refused((order){"affine:1099511627776,0,1099511627776", longest, 1, -1, false, any},
                   "may exceed 2^60");
}

/* Plans that tell the time take penalties, too. */
static void test_seconds(void **state)
{
    const order edit = {"edit", 100000, 90000, -1, false, RHOMB_ENGINE_AUTO};
    order scaled = edit;
    rhomb__plan_view one, seven;
    scaled.scoring = "affine:7,0,7";
    show(&edit, &one);
    show(&scaled, &seven);
    assert_true(one.view.may_switch && seven.view.may_switch);
    for (int64_t d = 10000; d < 100000; d += 30000) {
        const double seconds = rhomb_plan_seconds(&one.view, d);
        const double path = rhomb_plan_path_seconds(&one.view, d);
        assert_true(seconds > 0 && rhomb_plan_seconds(&seven.view, 7 * d) == seconds);
        assert_true(path > 0 && rhomb_plan_path_seconds(&seven.view, 7 * d) == path);
    }
}

/* A limit is a bound for the first band, where that is not far wider than a blind guess. */
static void test_limits(void **state)
{
    enum { BLIND = (1 << 26) / 32, APART = 1 << 20 };
    static const struct {
        int64_t apart, limit, beside;
    } cases[] = {{0, -1, BLIND},
                 {0, BLIND, BLIND},
                 {0, 3 * BLIND, 3 * BLIND / 2},
                 {0, 4 * BLIND, 2 * BLIND},
                 {0, 4 * BLIND + 2, BLIND},
                 {0, 8 * BLIND, BLIND},
                 {APART, 4 * BLIND + 2 * APART, 2 * BLIND + APART / 2},
                 {APART, 4 * BLIND + 2 * APART + 2, BLIND}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int64_t n = INT64_C(1) << 26, m = n - cases[i].apart;
        rhomb__plan_view shown;
        order asked = {"edit", n, m, cases[i].limit, false, RHOMB_ENGINE_BITPARALLEL};
        show(&asked, &shown);
        if (shown.view.first_beside != cases[i].beside)
            fail_msg("limit %d: %d diagonals beside", (int)cases[i].limit,
                     (int)shown.view.first_beside);
        asked.scoring = "affine:2,0,2";
        asked.limit *= asked.limit > 0 ? 2 : 1;
        show(&asked, &shown);
        assert_true(shown.view.first_beside == cases[i].beside);
    }
}

/*
 * Where the sweep takes over, a narrow band comes first if it takes less time than the spare of a
 * first band that goes by an estimate: with affine costs, and not where columns take all the time.
 */
static void test_probe(void **state)
{
    static const struct {
        const char *scoring;
        int64_t length, estimate;
        bool probes;
    } cases[] = {{"edit", 1 << 24, 1 << 20, false}, {"wfa", 1 << 24, 1 << 20, true},
                 {"wfa", 1 << 24, 1 << 10, false},  {"wfa", 1 << 14, 1 << 10, false},
                 {"asm20", 1 << 24, 1 << 21, true}, {"asm5", 1 << 24, 1 << 22, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const order asked = {cases[i].scoring, cases[i].length, cases[i].length, -1, false,
                             RHOMB_ENGINE_AUTO};
        planning p;
        rhomb__plan other;
        assert_int_equal(plan_order(&asked, &p), RHOMB_OK);
        assert_int_equal(rhomb__plan_other(&p.error, &p.input, &p.plan, cases[i].estimate,
                                           p.plan.upper_bound, &other),
                         RHOMB_OK);
        assert_true(other.sweep.sample_bases == 0 && other.sweep.first_beside > 0);
        if ((other.sweep.probe_beside > 0) != cases[i].probes)
            fail_msg("%s, %d bases, %d expected: %d", cases[i].scoring, (int)cases[i].length,
                     (int)cases[i].estimate, (int)other.sweep.probe_beside);
    }
}

TEST_MAIN(test_bounds, test_trivial, test_refused, test_seconds, test_limits, test_probe)
