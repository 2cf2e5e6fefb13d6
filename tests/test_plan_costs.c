/* SPDX-License-Identifier: MIT */
/*
 * What a plan says of its run. With a scoring: bounds in costs inside and in penalties outside,
 * pairs that need no engine, engines that are refused, and costs that do not fit. The time of a
 * wavefront: as many cells as the columns really have, counted here one after the other, or the
 * latency of the columns; and what follows from it: how long batches are, and whether another
 * device pays. And the host's memory besides the bases, which is that of the stage that takes the
 * most.
 */
#include <math.h>

#include "rhomb/align.h"
#include "rhomb/scoring.h"
#include "src/planner/models.h"
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
        if (shown.view.first_half_width != cases[i].beside)
            fail_msg("limit %d: %d diagonals beside", (int)cases[i].limit,
                     (int)shown.view.first_half_width);
        asked.scoring = "affine:2,0,2";
        asked.limit *= asked.limit > 0 ? 2 : 1;
        show(&asked, &shown);
        assert_true(shown.view.first_half_width == cases[i].beside);
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
        assert_true(other.sweep.sample_bases == 0 && other.sweep.first_half_width > 0);
        if ((other.sweep.probe_half_width > 0) != cases[i].probes)
            fail_msg("%s, %d bases, %d expected: %d", cases[i].scoring, (int)cases[i].length,
                     (int)cases[i].estimate, (int)other.sweep.probe_half_width);
    }
}

#define CELLS_PER_SECOND 1e9
#define LETTERS          INT64_C(100000)

/* A wavefront on a device whose columns take `column_seconds`. */
static rhomb__plan wave_of(int64_t target_length, int64_t query_length, int32_t directions,
                           bool no_pruning, double column_seconds)
{
    const rhomb__rate_values values = {CELLS_PER_SECOND, column_seconds, 1e10, 1e-5, 1e13};
    planning p;
    assert_int_equal(planning_prepare(&p, target_length, query_length, NULL, &A_CPU), RHOMB_OK);
    p.rates = (rhomb__rates){values, values, "a test"};
    p.options.engine = RHOMB_ENGINE_WAVEFRONT;
    p.tuning.directions = directions;
    p.tuning.no_pruning = no_pruning;
    assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
    return p.plan;
}

static void expect_near(double value, double expected)
{
    if (fabs(value - expected) > 0.01 * expected)
        fail_msg("%g instead of %g", value, expected);
}

/* What the rates give, without what any call takes. */
static double seconds_of(const rhomb__plan *plan, int64_t distance)
{
    return rhomb__plan_seconds(plan, distance) - plan->setup_seconds -
           plan->speed[RHOMB__ROW_WAVEFRONT].start_seconds;
}

/* A saturated device: the share of d * d that each number of directions has. */
static void test_cells(void **state)
{
    static const struct {
        int32_t directions;
        bool no_pruning;
        double share;
    } CASES[] = {{1, false, 0.75}, {1, true, 1}, {2, false, 0.5}, {2, true, 0.5}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const rhomb__plan plan =
            wave_of(LETTERS, LETTERS, CASES[i].directions, CASES[i].no_pruning, 1e-9);
        for (double d = 1000; d <= (double)LETTERS; d *= 10)
            expect_near(seconds_of(&plan, (int64_t)d), CASES[i].share * d * d / CELLS_PER_SECOND);
    }
}

/* Slow columns: two directions go through theirs at the same time. */
static void test_latency(void **state)
{
    for (int32_t directions = 1; directions <= 2; directions++) {
        const rhomb__plan plan = wave_of(LETTERS, LETTERS, directions, false, 0.01);
        expect_near(seconds_of(&plan, 5000), 50.0 / directions);
    }
}

/* The diagonals of wavefront r that a bound d leaves. */
static double width(int64_t r, int64_t d, int64_t end)
{
    const int64_t low = -r > end - (d - r) ? -r : end - (d - r);
    const int64_t high = r < end + (d - r) ? r : end + (d - r);
    return high < low ? 0 : (double)(high - low);
}

/* Where the distance is known as a bound: the cells that it leaves, of each wavefront. */
static void test_bounded(void **state)
{
    static const int64_t DIFFERENCES[] = {0, 3000, 10000, 17000, 19990};
    const int64_t d = 20000;
    for (size_t i = 0; i < COUNT(DIFFERENCES); i++) {
        for (int32_t directions = 1; directions <= 2; directions++) {
            const rhomb__plan plan =
                wave_of(LETTERS, LETTERS - DIFFERENCES[i], directions, false, 1e-9);
            const rhomb__speed *speed = rhomb__plan_profile(&plan);
            const double seconds = rhomb__wave_seconds(&plan, speed, d, RHOMB__KNOWN_BOUND);
            double cells = 0;
            for (int64_t r = 0; r < d / directions; r++)
                cells += directions * width(r, d, DIFFERENCES[i]);
            expect_near(seconds * CELLS_PER_SECOND, cells);
        }
    }
}

/*
 * Short pairs on a CPU, with the rates of the tuning table: what two cores took with PoCL,
 * transfer and solve, the least of seven runs. Estimates are within a factor of three.
 */
static void test_short_pairs(void **state)
{
    static const struct {
        int64_t letters, distance;
        double wavefront, sweep;
    } MEASURED[] = {{100, 7, 1.49e-3, 0.29e-3},     {300, 15, 1.58e-3, 0.28e-3},
                    {1000, 43, 1.87e-3, 0.29e-3},   {3000, 127, 1.79e-3, 0.39e-3},
                    {3000, 410, 3.15e-3, 0.41e-3},  {10000, 41, 2.30e-3, 0.74e-3},
                    {10000, 465, 4.10e-3, 0.75e-3}, {10000, 1305, 8.75e-3, 0.78e-3}};
    for (size_t i = 0; i < COUNT(MEASURED); i++) {
        for (int sweeps = 0; sweeps < 2; sweeps++) {
            const double measured = sweeps ? MEASURED[i].sweep : MEASURED[i].wavefront;
            rhomb_options options = RHOMB_OPTIONS_INIT;
            options.engine = sweeps ? RHOMB_ENGINE_BITPARALLEL : RHOMB_ENGINE_WAVEFRONT;
            const rhomb__plan plan =
                plan_of(MEASURED[i].letters, MEASURED[i].letters, &options, &A_CPU);
            const double estimate = rhomb__plan_seconds(&plan, MEASURED[i].distance);
            if (estimate > 3 * measured || estimate < measured / 3)
                fail_msg("%lld letters, distance %lld: %g s instead of %g",
                         (long long)MEASURED[i].letters, (long long)MEASURED[i].distance, estimate,
                         measured);
        }
    }
}

/* The path's share is that of the engine that ends the run. */
static void test_path(void **state)
{
    rhomb__plan plan = wave_of(LETTERS, LETTERS, 2, false, 1e-9);
    const double least = rhomb__plan_path_seconds(&plan, 1);
    assert_true(least > 0 && least < 2e-3);
    expect_near(rhomb__plan_path_seconds(&plan, 50000) - least,
                plan.speed[RHOMB__ROW_WAVEFRONT].path_share * seconds_of(&plan, 50000));
    plan.may_switch = true;
    plan.speed[RHOMB__ROW_SWEEP].cells_per_second = 1e12;
    plan.speed[RHOMB__ROW_SWEEP].column_seconds = 1e-9;
    plan.speed[RHOMB__ROW_SWEEP].directions = 2;
    plan.profile[RHOMB__ROW_WAVEFRONT] = (rhomb__speed){1, 1, 2, 0, 0};
    plan.profile[RHOMB__ROW_SWEEP] = (rhomb__speed){1e12, 1e-9, 2, 0, 0};
    plan.speed[RHOMB__ROW_SWEEP].path_share = 7;
    plan.speed[RHOMB__ROW_SWEEP].start_seconds = 0.25;
    expect_near(rhomb__plan_path_seconds(&plan, 50000) - least,
                7 * (seconds_of(&plan, 50000) - 0.25));
}

/*
 * With a guide: the time to follow it, and less to spare in the band of a sweep; next to none where
 * it promises that both ends pay for all.
 */
static void test_guided(void **state)
{
    static const double SHARES[] = {0.57 / 0.75, 0.785};
    const int64_t d = 20000;
    for (int32_t directions = 1; directions <= 2; directions++) {
        rhomb__plan plan = wave_of(LETTERS, LETTERS, directions, false, 1e-9);
        plan.row = RHOMB__ROW_SWEEP;
        plan.sweep = (rhomb__sweep_plan){.group_size = 128, .lanes = 1, .words_per_item = 2};
        plan.speed[RHOMB__ROW_SWEEP] =
            (rhomb__speed){.cells_per_second = 1e9, .directions = directions};
        const double plain = rhomb__plan_seconds(&plan, d) - plan.setup_seconds;
        const double follow = rhomb__plan_guide_seconds(&plan);
        /* Strips of 8,192 rows, pieces of 4,096 with 512 diagonals on either side. */
        expect_near(follow, plan.setup_seconds + 2 * LETTERS * (8192 + 1024) / 1e9);
        plan.guide_seconds = follow;
        const double guided = rhomb__plan_seconds(&plan, d) - plan.setup_seconds;
        expect_near(guided, follow + plain * SHARES[directions - 1]);
        plan.promise.cost = (double)d;
        for (int i = RHOMB__PROMISE_STEPS / directions; i < RHOMB__PROMISE_STEPS; i++)
            plan.promise.begins[i] = plan.promise.ends[i] = 1;
        expect_near(rhomb__plan_seconds(&plan, d) - plan.setup_seconds,
                    follow + plain * (1 - 0.86 / directions) / (directions == 1 ? 0.75 : 1));
    }
}

/* Batches become half of what is left until the directions may meet, but not less than 8 launches.
 */
static void test_batches(void **state)
{
    rhomb_device_info h100 = LARGE_GPU;
    h100.name = "NVIDIA H100";
    h100.compute_units = 132;
    const rhomb__plan plan = plan_of(1000000, 1000000, NULL, &h100);
    const int64_t scores = plan.wavefront.tile_scores;
    /* A thousandth of the pair in ten scores: they may meet at score 10,000. */
    assert_int_equal(rhomb__plan_batch_launches(&plan, 100, 0, 0, 0), 100);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 4, 10, 10, 2000), 4);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 100, 10000 - 100 * scores, 10, 2000), 50);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 100, 10000 - 20 * scores, 10, 2000), 10);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 100, 10000 - 2 * scores, 10, 2000), 8);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 100, 20000, 10, 2000), 8);
    assert_int_equal(rhomb__plan_batch_launches(&plan, 3, 20000, 10, 2000), 3);
}

#define MIB (INT64_C(1) << 20)

/* A plan for two sequences of a length, which has so many threads of the host. */
static rhomb__plan plan_on(const rhomb_device_info *device, rhomb_engine engine, int64_t length,
                           bool equal, int32_t threads)
{
    planning p;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    assert_int_equal(planning_prepare(&p, length, length, &options, device), RHOMB_OK);
    p.input.equal = equal;
    p.input.threads = threads;
    assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
    return p.plan;
}

/* Bytes besides the one MiB that is there in any case. */
static int64_t host_bytes(const rhomb_device_info *device, rhomb_engine engine, int64_t length,
                          int32_t threads)
{
    return plan_on(device, engine, length, false, threads).host_bytes - MIB;
}

/* A MiB of tables for each thread that has some of 16 Mi bases to count. */
static void test_tables(void **state)
{
    rhomb_device_info cpu = LARGE_GPU;
    cpu.kind = RHOMB_DEVICE_CPU;
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 1000, 16) == 0);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB, 16) == MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB + 1, 16) == 2 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 16) == 16 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 3) == 3 * MIB);
    const rhomb__plan trivial = plan_on(&cpu, RHOMB_ENGINE_AUTO, 64 * MIB, true, 16);
    assert_string_equal(rhomb__plan_engine_name(&trivial), "trivial");
    assert_true(trivial.host_bytes == MIB + 4 * MIB);
}

/* Two pieces of bases, on the way to memory that is not the host's. */
static void test_pinned(void **state)
{
    rhomb_device_info small_cpu = LARGE_GPU;
    small_cpu.kind = RHOMB_DEVICE_CPU;
    small_cpu.max_buffer_bytes = 100 * MIB;
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, MIB - 1, 1) == MIB); /* the tables */
    assert_true(rhomb__pinned_bytes(&LARGE_GPU, MIB - 1) == 0);
    assert_true(rhomb__pinned_bytes(&LARGE_GPU, MIB) == 2 << 16);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 128 * MIB, 1) == 8 * MIB);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 1) == 32 * MIB);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 64) == 64 * MIB);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB) == 0);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB + 32) == 2 * (100 * MIB + 32) / 32);
}

/* A sweep's own memory takes the place of what is given back before, or is less. */
static void test_sweep(void **state)
{
    const int64_t length = 100 * MIB;
    const rhomb__plan one = plan_on(&LARGE_GPU, RHOMB_ENGINE_AUTO, length, false, 1);
    const int64_t sweep = host_bytes(&LARGE_GPU, RHOMB_ENGINE_BITPARALLEL, length, 1);
    assert_true(one.host_bytes == MIB + 2 * length / 32);
    assert_true(sweep >= length / 2 && sweep < length / 2 + length / 8);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_BITPARALLEL, length, 7) == sweep);
}

TEST_MAIN(test_bounds, test_trivial, test_refused, test_seconds, test_limits, test_probe,
          test_cells, test_guided, test_latency, test_bounded, test_short_pairs, test_path,
          test_batches, test_tables, test_pinned, test_sweep)
