/* SPDX-License-Identifier: MIT */
/*
 * What the planner makes of beams, on devices that exist only here: whether and how wide they run,
 * what they may take, and what their bounds change.
 */
#include "src/planner/engine_plan.h"
#include "src/strips/strips.h"
#include "support/test.h"

/* A CPU has wide tiles, and a GPU columns that take long however few cells they have. */
static const rhomb_device_info DEVICES[] = {{.kind = RHOMB_DEVICE_CPU,
                                             .name = "a CPU",
                                             .memory_bytes = INT64_C(1) << 36,
                                             .max_buffer_bytes = INT64_C(1) << 34,
                                             .local_memory_bytes = 1 << 16,
                                             .max_group_size = 4096,
                                             .compute_units = 2},
                                            {.kind = RHOMB_DEVICE_GPU,
                                             .name = "a GPU",
                                             .memory_bytes = INT64_C(1) << 33,
                                             .max_buffer_bytes = INT64_C(1) << 31,
                                             .local_memory_bytes = 49152,
                                             .max_group_size = 1024,
                                             .compute_units = 100}};
enum { CPU, GPU };

#define N INT64_C(3000000)
#define M INT64_C(2900000)

/* Rates of their own, so that the tests do not depend on what the tuning table has. */
static const rhomb__rates RATES[] = {
    {{sizeof(rhomb_rates), 0.6e9, 2e-6, 1e10, 1e-5, 2e8}, "a test"},
    {{sizeof(rhomb_rates), 0.1e12, 2e-6, 5e12, 2e-6, 1e9}, "a test"},
};

static bool should_beam(const rhomb__plan *plan, double seconds, int64_t column, int64_t reach,
                        rhomb__beam_budget *budget)
{
    const rhomb__look look = {seconds, column, reach, 0, 0};
    return rhomb__plan_should_beam(plan, &look, budget);
}

static bool should_switch(const rhomb__plan *plan, double seconds, int64_t reach,
                          int64_t beam_bound, int64_t *estimate)
{
    const rhomb__look look = {seconds, 1000, reach, 0, beam_bound};
    return rhomb__plan_should_switch(plan, &look, estimate);
}

/* A plan for two lengths with a beam of so many diagonals, as rhomb_tuning has it. */
static rhomb__plan plan_for(rhomb_engine engine, int64_t target_length, int64_t query_length,
                            int64_t beam, int device)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__plan plan;
    assert_true(rhomb__options_complete(&error, NULL, &options, &tuning) == RHOMB_OK);
    tuning.beam_diagonals = beam;
    tuning.rates = &RATES[device].values; /* for the profile as well */
    options.engine = engine;
    const rhomb__plan_input input = {target_length, query_length,   4, false, &DEVICES[device],
                                     &options,      &RATES[device], 1};
    assert_true(rhomb__plan_make(&error, &input, &plan) == RHOMB_OK);
    return plan;
}

static rhomb__plan plan_with(int64_t target_length, int64_t query_length, int64_t beam, int device)
{
    return plan_for(RHOMB_ENGINE_AUTO, target_length, query_length, beam, device);
}

/* Worth its time where that is little beside what a bound saves. */
static void test_when(void **state)
{
    rhomb__beam_budget budget;
    rhomb__plan plan = plan_with(N, M, 0, CPU);
    assert_true(plan.wavefront.beam_diagonals > 0 && !plan.wavefront.beam_forced);
    assert_true(plan.wavefront.beam_least == 2 * (512 - 2 * 32)); /* a tile for each compute unit */
    /* 10,000 columns promise 590,000 edits, most of which are left, or few. */
    assert_true(should_beam(&plan, 5, 10000, 100000, &budget));
    assert_true(budget.column == 2 * 590000 && budget.cells > 590000 * plan.wavefront.beam_least);
    assert_true(!should_beam(&plan, 0.1, 10000, 100000, &budget)); /* too soon to tell */
    assert_true(!should_beam(&plan, 400, 585000, 5850000, &budget));
    /* The lengths differ by 100,000, so that is the least that is expected. */
    assert_true(should_beam(&plan, 1, 1, 590, &budget));
    assert_true(budget.column == 2 * 100000);
    /* With no more than that left it is one gap, for which a beam has to become too wide. */
    assert_true(should_beam(&plan, 1, 1000, 5000000, &budget));
    assert_true(!should_beam(&plan, 1, 1000, 5800000, &budget));
    assert_true(should_beam(&plan, 1, 99000, 5800000, &budget));
    /* Not where nothing can be saved, nor where columns take long. */
    plan = plan_with(5000, 5000, 0, CPU);
    assert_true(!should_beam(&plan, 0.1, 1000, 2000, &budget));
    plan = plan_with(N, M, 0, GPU);
    assert_true(!should_beam(&plan, 0.1, 10000, 100000, &budget));
    /* A wavefront that stays one knows that from the beginning. */
    assert_true(plan_for(RHOMB_ENGINE_WAVEFRONT, N, M, 0, CPU).wavefront.beam_diagonals > 0);
    assert_true(plan_for(RHOMB_ENGINE_WAVEFRONT, 5000, 5000, 0, CPU).wavefront.beam_diagonals == 0);
}

/* An average that speaks for the sweep and a best pace that does not: the beam is to decide. */
static void test_undecided(void **state)
{
    rhomb__beam_budget budget;
    const rhomb__plan plan = plan_with(N, N, 0, GPU);
    rhomb__look look = {0.1, 20000, 200000, 0.005, 0};
    assert_true(rhomb__plan_should_beam(&plan, &look, &budget));
    assert_true(budget.column == 2 * 600000 && budget.cells < INT64_MAX);
    look.pace = 0.1; /* the sweep either way */
    assert_true(!rhomb__plan_should_beam(&plan, &look, &budget));
    look.reach = 4000000; /* the wavefront either way */
    look.pace = 0.005;
    assert_true(!rhomb__plan_should_beam(&plan, &look, &budget));
}

/* In any case, or in none, as the tuning asks; and what the columns take is foreseen. */
static void test_tuning(void **state)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__beam_budget budget;
    rhomb_options options = RHOMB_OPTIONS_INIT, complete;
    rhomb_tuning tuning = RHOMB_TUNING_INIT, room;
    const rhomb__plan plan = plan_with(5000, 5000, 700, GPU), none = plan_with(5000, 5000, -1, GPU);
    assert_true(plan.wavefront.beam_diagonals == 700 && plan.wavefront.beam_least == 700 &&
                plan.wavefront.beam_forced);
    assert_true(plan.device_bytes_max >= none.device_bytes_max + 2 * 3 * 700 * 4);
    assert_true(should_beam(&plan, 0, 1, 4000, &budget));
    assert_true(budget.column == 5000 && budget.cells == INT64_MAX);
    assert_true(plan_with(5000, 4000, INT64_MAX, GPU).wavefront.beam_diagonals == 9001);
    assert_true(plan_with(N, M, -1, CPU).wavefront.beam_diagonals == 0);
    assert_true(!should_beam(&none, 0, 1, 4000, &budget));
    options.tuning = &tuning;
    tuning.beam_diagonals = -2;
    assert_true(rhomb__options_complete(&error, &options, &complete, &room) == RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb__error_text(&error), "a beam of -2 diagonals"));
}

/* A beam's bound is what is expected, unless it is far from all else. */
static void test_expectation(void **state)
{
    const rhomb__plan plan = plan_with(N, M, 0, CPU);
    int64_t estimate = 0;
    int with = 0, without = 0;
    assert_true(should_switch(&plan, 5, 10000, 600001, &estimate));
    assert_true(estimate == 600001);
    assert_true(should_switch(&plan, 5, 10000, 1000000, &estimate));
    assert_true(estimate == 590000);
    /* Half the cells are left instead of three quarters, so less speaks for the sweep. */
    for (int64_t reach = 10000; reach < 400000; reach += 1000) {
        const int64_t expected = 1000 * (N + M) / reach;
        without += should_switch(&plan, 5, reach, 0, &estimate);
        with += should_switch(&plan, 5, reach, expected, &estimate);
    }
    assert_true(0 < with && with < without);
}

/* The first band has a third to spare, but needs no more than a bound. */
static void test_first_band(void **state)
{
    static const int64_t BOUNDS[] = {590000, 600001, 786666, 786667, 800000};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_options options;
    rhomb_tuning tuning;
    assert_true(rhomb__options_complete(&error, NULL, &options, &tuning) == RHOMB_OK);
    const rhomb__plan_input input = {N, M, 4, false, &DEVICES[GPU], &options, &RATES[GPU], 1};
    const rhomb__plan plan = plan_with(N, M, 0, GPU);
    for (size_t i = 0; i < COUNT(BOUNDS); i++) {
        const int64_t bound = BOUNDS[i], wide = bound < 786666 ? bound : 786666;
        rhomb__plan other;
        assert_true(rhomb__plan_other(&error, &input, &plan, 590000, bound, &other) == RHOMB_OK);
        assert_true(other.sweep.first_beside == rhomb__costs_beside(&other.costs, N - M, wide));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_when),       cmocka_unit_test(test_undecided),
        cmocka_unit_test(test_tuning),     cmocka_unit_test(test_expectation),
        cmocka_unit_test(test_first_band),
    };
    return cmocka_run_group_tests_name("plan_beam", tests, NULL, NULL);
}
