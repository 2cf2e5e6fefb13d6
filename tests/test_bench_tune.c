/* SPDX-License-Identifier: MIT */
/*
 * test_bench_tune ROW: what the benchmark makes of measurements, here made-up ones: which tiles it
 * takes, where the second one takes over, and the row that it writes. ROW is one that it has to
 * write, and that a compiler takes: it is part of this program.
 */
#include "bench/bench_tune.h"
#include "support/plans.h"
#include "support/whole_files.h"

static const rhomb__tuning_row ROWS[] = {
#include "tuning_row.inc"
};
_Static_assert(sizeof ROWS == sizeof ROWS[0], "one row");

static const char *row_path;

static const rhomb_device_info DEVICE = {.kind = RHOMB_DEVICE_GPU,
                                         .name = "The \"Fast\" GPU",
                                         .driver_version = "1.2",
                                         .memory_bytes = INT64_C(1) << 33,
                                         .max_buffer_bytes = INT64_C(1) << 31,
                                         .max_group_size = 256,
                                         .compute_units = 16,
                                         .local_memory_bytes = 32768};

/* A tile of a number, with a time of a column and a rate. */
static bench_tile tile_of(int32_t group, double wavefront_seconds, double cells_per_second)
{
    const bench_tile tile = {.plan = {.tile_shape = RHOMB_TILE_TRAPEZOID,
                                      .group_size = group,
                                      .diagonals_per_item = 4,
                                      .tile_scores = 32,
                                      .launches_per_read = 100},
                             .wavefront_seconds = wavefront_seconds,
                             .medium_seconds = 1,
                             .cells_per_second = cells_per_second};
    return tile;
}

static void test_choice(void **state)
{
    bench_tuned tuned = {.wide_diagonals = 0};
    bench_tile tiles[] = {tile_of(32, 3e-6, 2e9), tile_of(64, 1e-6, 1e9), tile_of(128, 2e-6, 5e9),
                          tile_of(256, 1.01e-6, 1.5e9)};
    bench_tuned_choose(&tuned, tiles, 4);
    assert_int_equal(tuned.narrow.plan.group_size, 64);
    assert_int_equal(tuned.wide.plan.group_size, 128);
    assert_true(bench_tuned_wants_two(&tuned));
    /* About as quick in a narrow pyramid, and quicker in a medium one. */
    tiles[3].medium_seconds = 0.5;
    bench_tuned_choose(&tuned, tiles, 4);
    assert_int_equal(tuned.narrow.plan.group_size, 256);
}

/* A second tile has to gain 3 % at what it is for, and so has the first one. */
static void test_one_tile(void **state)
{
    const struct {
        double wavefront_seconds;
        double cells_per_second;
        bool two;
    } wide[] = {{1.04e-6, 1.04e9, true}, {1.04e-6, 1.02e9, false}, {1.02e-6, 1.04e9, false}};
    for (size_t i = 0; i < 3; i++) {
        const bench_tuned tuned = {
            .narrow = tile_of(64, 1e-6, 1e9),
            .wide = tile_of(128, wide[i].wavefront_seconds, wide[i].cells_per_second)};
        assert_true(bench_tuned_wants_two(&tuned) == wide[i].two);
    }
    bench_tuned diamonds = {.narrow = tile_of(64, 1e-6, 1e9), .wide = tile_of(128, 2e-6, 2e9)};
    assert_true(bench_tuned_wants_two(&diamonds));
    diamonds.narrow.plan.tile_shape = diamonds.wide.plan.tile_shape = RHOMB_TILE_DIAMOND;
    assert_false(bench_tuned_wants_two(&diamonds));
    const bench_tuned same = {.narrow = tile_of(64, 1e-6, 1e9), .wide = tile_of(64, 1e-6, 1e9)};
    assert_false(bench_tuned_wants_two(&same));
}

/* Of a pyramid: a time for each column, and one for each cell, of which there are columns^2. */
static double seconds_of(int64_t columns, double wavefront_seconds, double cell_seconds)
{
    return (double)columns * wavefront_seconds + (double)columns * (double)columns * cell_seconds;
}

static void test_switch(void **state)
{
    enum { COUNT = 10 };
    bench_step steps[COUNT], never[COUNT], always[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const int64_t columns = INT64_C(1000) << i;
        /* The rates are the same at column c where 1 + 2 * 1e-4 c = 3.56 + 2 * 2e-5 c: 16000. */
        const bench_step step = {columns, seconds_of(columns, 1, 1e-4),
                                 seconds_of(columns, 3.56, 2e-5)};
        const bench_step slower = {columns, step.narrow_seconds, step.narrow_seconds * 2};
        const bench_step quicker = {columns, step.narrow_seconds, step.narrow_seconds * 0.9};
        steps[i] = step;
        never[i] = slower;
        always[i] = quicker;
    }
    assert_true(bench_switch_diagonals(steps, COUNT) == 32000);
    assert_true(bench_switch_diagonals(never, COUNT) == INT64_MAX);
    assert_true(bench_switch_diagonals(always, COUNT) == 0);
    assert_true(bench_switch_diagonals(steps, 5) == INT64_MAX);
    assert_true(bench_switch_diagonals(steps, 0) == 0);
    steps[4].columns = 282842;
    assert_true(bench_switch_diagonals(steps, COUNT) == 570000);
    steps[4].columns = 9;
    assert_true(bench_switch_diagonals(steps, COUNT) == 18);
}

static bench_tuned measured(void)
{
    bench_tuned tuned = {
        .narrow = tile_of(64, 1.234e-6, 1e9),
        .wide = tile_of(256, 2e-6, 5.678e11),
        .wide_diagonals = 570000,
        .shape = {.plan = {.group_size = 128, .words_per_item = 4, .blocks_per_launch = 128},
                  .block_seconds = 9e-7,
                  .cells_per_second = 3.3e13},
        .bases_per_second = 2e9};
    tuned.narrow.plan.diagonals_per_item = 2;
    return tuned;
}

/* What is written, in memory that the caller frees. */
static char *write_row(const bench_tuned *tuned)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    bench_tune_row(to, &DEVICE, "abc", "rhomb_bench tune", tuned);
    assert_int_equal(fclose(to), 0);
    return text;
}

/* The row of the file, after a comment that has the date. */
static void test_row(void **state)
{
    size_t size;
    const bench_tuned tuned = measured();
    char *expected = file_read(row_path, &size);
    char *text = write_row(&tuned);
    const char *row = strstr(text, "    {\n");
    assert_non_null(row);
    assert_string_equal(row, expected);
    assert_contains(text, ", driver 1.2, commit abc:\n     * `rhomb_bench tune`.\n     */\n");
    free(expected);
    free(text);
}

/* Its values make a plan for the device, both tiles included. */
static void test_row_plan(void **state)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.group_size = ROWS[0].group_size;
    tuning.diagonals_per_item = ROWS[0].diagonals_per_item;
    tuning.tile_scores = ROWS[0].tile_scores;
    tuning.wide_group_size = ROWS[0].wide_group_size;
    tuning.wide_diagonals_per_item = ROWS[0].wide_diagonals_per_item;
    tuning.wide_tile_scores = ROWS[0].wide_tile_scores;
    tuning.wide_diagonals = ROWS[0].wide_diagonals;
    const rhomb__plan plan = tuned_plan(1000, 900, RHOMB_ENGINE_AUTO, tuning, &DEVICE);
    assert_int_equal(plan.wavefront.wide_group_size, 256);
    assert_string_equal(ROWS[0].device_part, DEVICE.name);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_choice, test_one_tile,
                                                 test_switch, test_row, test_row_plan)};
    if (argc != 2)
        return 2;
    row_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
