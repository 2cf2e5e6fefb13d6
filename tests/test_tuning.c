/* SPDX-License-Identifier: MIT */
/*
 * The tuning table: every row makes plans for its devices as it stands, of either engine, and has
 * rates that a device can have; what holds for any device of a kind holds for small ones too; and
 * what the planner makes of rates, for devices of another size and for its choices.
 */
#include <math.h>

#include "src/planner/rates.h"
#include "support/plans.h"

/* A sweep of long sequences has the row's shape, and one of short ones where it is in vectors. */
static void check_sweep(const rhomb__tuning_row *row, const rhomb_device_info *device)
{
    const rhomb_tuning none = RHOMB_TUNING_INIT;
    for (int is_short = 0; is_short < 2; is_short++) {
        const int64_t length = is_short ? 1000 : INT64_C(1) << 24;
        const rhomb__sweep_plan sweep =
            tuned_plan(length, length, RHOMB_ENGINE_BITPARALLEL, none, device).sweep;
        assert_true(is_short || sweep.group_size == row->sweep_group_size);
        const bool same = sweep.words_per_item == row->words_per_item &&
                          sweep.blocks_per_launch == row->blocks_per_launch;
        const bool less = sweep.words_per_item < row->words_per_item &&
                          sweep.blocks_per_launch < row->blocks_per_launch;
        assert_true(is_short && row->sweep_group_size > 1 ? less : same);
    }
}

static void check_rates(const rhomb__tuning_row *row, const rhomb_device_info *device)
{
    const rhomb__rates rates = rhomb__rates_of_row(device);
    const rhomb__rate_values *values = &rates.values;
    assert_true(values->cells_per_second == row->cells_per_second);
    assert_true(values->bases_per_second == row->bases_per_second);
    assert_contains(rates.source, row->device_part == NULL ? "rough" : "measured");
    assert_true(values->column_seconds > 0 && values->column_seconds < 0.1);
    assert_true(values->sweep_cells_per_second > values->cells_per_second);
    assert_true(values->sweep_block_seconds > 0 && values->sweep_block_seconds < 0.1);
}

/* Every row is found for a device of its kind and makes a legal plan there, as it stands. */
static void test_tuning_rows(void **state)
{
    size_t count = 0;
    const rhomb__tuning_row *rows = rhomb__tuning_rows(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        char name[128];
        rhomb_device_info device = GPU;
        snprintf(name, sizeof name, "some %s of a kind",
                 rows[i].device_part != NULL ? rows[i].device_part : "device");
        device.kind = rows[i].kind;
        device.name = name;
        device.unified_memory = rows[i].integrated;
        device.lanes = rows[i].least_lanes;
        device.compute_units = rows[i].compute_units;
        assert_ptr_equal(rhomb__tuning_find(&device), &rows[i]);
        const rhomb__plan plan = plan_of(100000, 90000, NULL, &device);
        assert_string_equal(plan.tuning_row, rows[i].name);
        assert_true(plan.wavefront.tile_shape == rows[i].tile_shape);
        assert_int_equal(plan.wavefront.group_size, rows[i].group_size);
        assert_int_equal(plan.wavefront.diagonals_per_item, rows[i].diagonals_per_item);
        assert_int_equal(plan.wavefront.tile_scores, rows[i].tile_scores);
        assert_int_equal(plan.wavefront.wide_group_size, rows[i].wide_group_size);
        assert_int_equal(plan.wavefront.wide_diagonals_per_item, rows[i].wide_diagonals_per_item);
        assert_int_equal(plan.wavefront.wide_tile_scores, rows[i].wide_tile_scores);
        assert_true(plan.wavefront.wide_diagonals == rows[i].wide_diagonals);
        assert_int_equal(plan.wavefront.launches_per_read, rows[i].launches_per_read);
        assert_true(plan.speed[RHOMB__ROW_WAVEFRONT].cells_per_second > 0 &&
                    plan.speed[RHOMB__ROW_WAVEFRONT].column_seconds > 0 && plan.setup_seconds > 0);
        check_sweep(&rows[i], &device);
        check_rates(&rows[i], &device);
    }
    rhomb_device_info accelerator = GPU;
    accelerator.kind = RHOMB_DEVICE_ACCELERATOR;
    assert_ptr_equal(rhomb__tuning_find(&accelerator), &rows[count - 1]);
}

/* A second tile for any device of a kind is one that every device has where it has the first. */
static void test_second_tiles(void **state)
{
    size_t count = 0, found = 0;
    const rhomb__tuning_row *rows = rhomb__tuning_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].wide_group_size == 0 || rows[i].device_part != NULL)
            continue;
        found++;
        assert_true(rows[i].wide_group_size <= rows[i].group_size);
        rhomb_device_info device = GPU;
        device.kind = rows[i].kind;
        device.lanes = rows[i].least_lanes;
        for (; device.max_group_size > 0; device.max_group_size /= 2) {
            const bool first = device.max_group_size >= rows[i].group_size;
            assert_true((plan_of(100000, 90000, NULL, &device).wavefront.wide_group_size > 0) ==
                        first);
        }
    }
    assert_true(found > 0);
}

static const rhomb__rate_values RATES = {0.57e12, 1.5e-6, 30e12, 1e-6, 2e9};

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * b;
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

/* The plan's times go by the rates for estimates, and its choices by the profile. */
static void test_plan_rates(void **state)
{
    const rhomb__rates rates = {RATES, {1e9, 1e-5, 1e10, 1e-3, 1e6}, "somewhere"};
    planning p;
    assert_int_equal(planning_prepare(&p, 1000000, 1000000, NULL, &GPU), RHOMB_OK);
    p.input.rates = &rates;
    assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
    const rhomb__plan plan = p.plan;
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
    rhomb__plan plans[2];
    for (int i = 0; i < 2; i++) {
        rhomb_device_info cpu = A_CPU;
        cpu.compute_units = i == 0 ? 1 : 64;
        plans[i] = plan_of(1000000, 990000, NULL, &cpu);
    }
    assert_true(plans[0].speed[RHOMB__ROW_WAVEFRONT].cells_per_second <
                plans[1].speed[RHOMB__ROW_WAVEFRONT].cells_per_second);
    assert_memory_equal(&plans[0].profile, &plans[1].profile, sizeof plans[0].profile);
}

TEST_MAIN(test_tuning_rows, test_second_tiles, test_compute_units, test_plan_rates,
          test_profile_units)
