/* SPDX-License-Identifier: MIT */
/*
 * The tuning table: every row makes plans for its devices as it stands, and what holds for any
 * device of a kind holds for small ones too.
 */
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "support/some_devices.h"
#include "support/test.h"

/* A plan for a device with the values of its row. */
static rhomb__plan plan_for(const rhomb_device_info *device)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__plan plan = {0};
    const rhomb__rates rates = rhomb__rates_of_row(device);
    const rhomb__plan_input input = {100000, 90000, 2, false, device, &options, &rates, 1};
    if (rhomb__options_complete(&error, NULL, &options, &tuning) != RHOMB_OK ||
        rhomb__plan_make(&error, &input, &plan) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&error));
    return plan;
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
        assert_ptr_equal(rhomb__tuning_find(&device), &rows[i]);
        const rhomb__plan plan = plan_for(&device);
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
            assert_true((plan_for(&device).wavefront.wide_group_size > 0) == first);
        }
    }
    assert_true(found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuning_rows),
        cmocka_unit_test(test_second_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
