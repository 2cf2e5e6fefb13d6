/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device without one: what the tuning table has, and what the planner makes of them.
 */
#include <math.h>

#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"
#include "support/rng.h"
#include "support/some_devices.h"
#include "support/test.h"

static const rhomb__rate_values RATES = {0.57e12, 1.5e-6, 30e12, 1e-6, 2e9};

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * b;
}

/* Every row has rates that a device can have, and says whether it knows them. */
static void test_rows(void **state)
{
    size_t count = 0;
    const rhomb__tuning_row *rows = rhomb__tuning_rows(&count);
    for (size_t i = 0; i < count; i++) {
        const rhomb_device_info device = {.kind = rows[i].kind,
                                          .unified_memory = rows[i].integrated,
                                          .lanes = rows[i].least_lanes,
                                          .name = rows[i].device_part != NULL ? rows[i].device_part
                                                                              : "a device",
                                          .compute_units = rows[i].compute_units};
        const rhomb__rates rates = rhomb__rates_of_row(&device);
        assert_true(rates.values.cells_per_second == rows[i].cells_per_second);
        assert_true(rates.values.bases_per_second == rows[i].bases_per_second);
        assert_non_null(strstr(rates.source, rows[i].device_part == NULL ? "rough" : "measured"));
        assert_true(rates.values.column_seconds > 0 && rates.values.column_seconds < 0.1);
        assert_true(rates.values.sweep_cells_per_second > rates.values.cells_per_second);
        assert_true(rates.values.sweep_block_seconds > 0 && rates.values.sweep_block_seconds < 0.1);
    }
}

/* Twice the cores of the row's device have twice its cells, and wait as long for a column. */
static void test_compute_units(void **state)
{
    rhomb_device_info cpu = {.kind = RHOMB_DEVICE_CPU, .name = "a CPU"};
    const int32_t units = rhomb__tuning_find(&cpu)->compute_units;
    assert_true(units > 0);
    const rhomb__rates unknown = rhomb__rates_of_row(&cpu);
    cpu.compute_units = 6 * units;
    const rhomb__rates six = rhomb__rates_of_row(&cpu);
    assert_true(is_near(six.values.cells_per_second, 6 * unknown.values.cells_per_second));
    assert_true(
        is_near(six.values.sweep_cells_per_second, 6 * unknown.values.sweep_cells_per_second));
    assert_true(six.values.column_seconds == unknown.values.column_seconds);
    assert_true(six.values.sweep_block_seconds == unknown.values.sweep_block_seconds);
}

/* A plan of "auto" with these rates. */
static rhomb__plan plan_with(int64_t length, const rhomb__rates *rates)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_tuning tuning;
    rhomb_options options;
    rhomb__plan plan;
    assert_true(rhomb__options_complete(&error, NULL, &options, &tuning) == RHOMB_OK);
    const rhomb__plan_input input = {length, length, 4, false, &GPU, &options, rates, 1};
    if (rhomb__plan_make(&error, &input, &plan) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&error));
    return plan;
}

/* The plan's times go by the rates for estimates, and its choices by the profile. */
static void test_plan_rates(void **state)
{
    const rhomb__rates rates = {RATES, {1e9, 1e-5, 1e10, 1e-3, 1e6}, "somewhere"};
    const rhomb__plan plan = plan_with(1000000, &rates);
    assert_string_equal(plan.rates_source, "somewhere");
    assert_true(plan.speed[RHOMB__ROW_WAVEFRONT].cells_per_second == 0.57e12 &&
                plan.speed[RHOMB__ROW_WAVEFRONT].column_seconds == 1.5e-6);
    assert_true(plan.speed[RHOMB__ROW_SWEEP].cells_per_second == 30e12 &&
                plan.speed[RHOMB__ROW_SWEEP].column_seconds > 1e-6 / 32 &&
                plan.speed[RHOMB__ROW_SWEEP].column_seconds < 1e-6);
    assert_true(is_near(plan.setup_seconds, 0.001));
    assert_true(plan.profile[RHOMB__ROW_WAVEFRONT].cells_per_second == 1e9 &&
                plan.profile[RHOMB__ROW_WAVEFRONT].column_seconds == 1e-5);
    assert_true(plan.profile[RHOMB__ROW_SWEEP].cells_per_second == 1e10 &&
                plan.profile[RHOMB__ROW_SWEEP].column_seconds > 1e-3 / 32 &&
                plan.profile[RHOMB__ROW_SWEEP].column_seconds < 1e-3);
}

/* A CPU decides as its row does, however many of its cores are there; it is as fast as they.
 */
static void test_profile_units(void **state)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__plan plans[2];
    for (int i = 0; i < 2; i++) {
        const rhomb_device_info cpu = {.kind = RHOMB_DEVICE_CPU,
                                       .name = "a CPU",
                                       .memory_bytes = INT64_C(1) << 36,
                                       .max_buffer_bytes = INT64_C(1) << 34,
                                       .local_memory_bytes = 1 << 16,
                                       .max_group_size = 4096,
                                       .compute_units = i == 0 ? 1 : 64};
        const rhomb__rates rates = rhomb__rates_of_row(&cpu);
        assert_true(rhomb__options_complete(&error, NULL, &options, &tuning) == RHOMB_OK);
        const rhomb__plan_input input = {1000000, 990000, 4, false, &cpu, &options, &rates, 1};
        assert_true(rhomb__plan_make(&error, &input, &plans[i]) == RHOMB_OK);
    }
    assert_true(plans[0].speed[RHOMB__ROW_WAVEFRONT].cells_per_second <
                plans[1].speed[RHOMB__ROW_WAVEFRONT].cells_per_second);
    assert_memory_equal(&plans[0].profile, &plans[1].profile, sizeof plans[0].profile);
}

/* The least distance, to a 64th, at which a run hands over that has done a tenth of its work. */
static double crossover(rhomb__rate_values values)
{
    const rhomb__rates rates = {values, values, "guessed"};
    const int64_t length = 10000000;
    const rhomb__plan plan = plan_with(length, &rates);
    int64_t estimate = 0;
    /* 10,000 columns come so far that the rest takes `distance` at this pace. */
    for (double distance = 20000; distance < 1e7; distance *= 1 + 1.0 / 64) {
        const int64_t reach = (int64_t)(10000 * 2.0 * (double)length / distance);
        const rhomb__look look = {rhomb__plan_seconds(&plan, (int64_t)distance) / 10, 10000, reach,
                                  0};
        if (rhomb__plan_should_switch(&plan, &look, &estimate))
            return distance;
    }
    return 1e7;
}

static void test_crossover(void **state)
{
    const double as_is = crossover(RATES);
    assert_true(as_is > 20000 && as_is < 1e7);
    rhomb__rate_values other = RATES;
    other.sweep_cells_per_second = RATES.sweep_cells_per_second / 4;
    assert_true(crossover(other) > 1.5 * as_is);
    other = RATES;
    other.sweep_block_seconds = RATES.sweep_block_seconds * 4;
    assert_true(crossover(other) > 1.5 * as_is);
    other.sweep_block_seconds = RATES.sweep_block_seconds / 4;
    assert_true(crossover(other) < as_is);
    other = RATES;
    other.cells_per_second = RATES.cells_per_second / 16;
    assert_true(crossover(other) < as_is / 1.5);
    other = RATES;
    other.column_seconds = RATES.column_seconds * 16;
    assert_true(crossover(other) < as_is / 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),          cmocka_unit_test(test_compute_units),
        cmocka_unit_test(test_plan_rates),    cmocka_unit_test(test_crossover),
        cmocka_unit_test(test_profile_units),
    };
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
