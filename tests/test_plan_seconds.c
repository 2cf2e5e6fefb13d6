/* SPDX-License-Identifier: MIT */
/*
 * The time that the planner expects of a wavefront, with one direction and with two: as many cells
 * as the columns really have, counted here one after the other, or the latency of the columns. And
 * what follows from that: how long batches are, and whether another device pays.
 */
#include <math.h>

#include "rhomb/align.h"
#include "src/planner/seconds.h"
#include "support/plans.h"

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

TEST_MAIN(test_cells, test_guided, test_latency, test_bounded, test_short_pairs, test_path,
          test_batches)
