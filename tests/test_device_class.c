/* SPDX-License-Identifier: MIT */
/*
 * The tuning table: every row makes plans for its devices as it stands, of either engine, and has
 * rates that a device can have; and what the planner makes of rates. And plans for an example of
 * every class of devices (device_examples.h): each engine, each mode and each scoring has one that
 * keeps to all of the device's limits, or is refused for its memory, with a reason.
 */
#include <math.h>

#include "rhomb/scoring.h"
#include "src/base/int64.h"
#include "src/batch/batch_scored_shape.h"
#include "src/planner/device_class.h"
#include "src/planner/long_shape.h"
#include "src/planner/rates.h"
#include "support/device_examples.h"
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

/* Unit costs, one piece, two, and numbers that take many bit planes. */
static const rhomb_scoring SCORINGS[] = {{0, 1, 0, 1, -1, -1, NULL},
                                         {0, 4, 6, 2, -1, -1, NULL},
                                         {0, 5, 8, 2, 24, 1, NULL},
                                         {0, 61, 3, 50, 60, 20, NULL},
                                         {0, 999, 20011, 3001, 32001, 7, NULL}};

static const rhomb_scoring SCORES[] = {{2, 4, 4, 2, -1, -1, NULL}, {1, 4, 6, 2, 26, 1, NULL}};

static bool is_power_of_two(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* Groups of one work-item, or such that the device allows and that fill a wave. */
static void check_group(const device_example *c, const char *what, int64_t size, bool fills)
{
    const rhomb_device_info *device = &c->info;
    const int64_t wave = rhomb__min(rhomb__power_of_two_within(rhomb__max(device->lanes, 1)), 64);
    if (!is_power_of_two(size) || size > device->max_group_size ||
        (fills && size > 1 && size < wave))
        fail_msg("%s: %s in groups of %lld", c->name, what, (long long)size);
}

static void check_plan(const device_example *c, const rhomb__plan *plan, bool shrunk)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    const char *what = rhomb__plan_engine_name(plan);
    if (rhomb__plan_sweeps(plan)) {
        check_group(c, what, plan->sweep.group_size, false); /* local memory may not allow more */
        assert_true(2 * 4 * (plan->sweep.group_size + 1) <= c->info.local_memory_bytes);
    } else {
        const rhomb__plan wide = rhomb__plan_wide(plan);
        const bool fills = plan->row == RHOMB__ROW_WAVEFRONT && !shrunk;
        check_group(c, what, plan->wavefront.group_size, fills);
        check_group(c, what, wide.wavefront.group_size, fills);
    }
    const rhomb_status status = rhomb__plan_check_memory(&error, plan, &c->info);
    if (status == RHOMB_OK) {
        assert_true(plan->device_bytes_min <= c->info.memory_bytes);
        assert_true(plan->buffer_bytes_min <= c->info.max_buffer_bytes);
    } else {
        assert_int_equal(status, RHOMB_ERR_DEVICE_MEMORY);
        assert_true(strstr(rhomb__error_text(&error), c->info.name) != NULL);
    }
    rhomb__error_clear(&error);
}

static void plan_engine(const device_example *c, rhomb_engine engine, const rhomb_scoring *scoring,
                        int64_t length)
{
    planning p;
    rhomb_options given = RHOMB_OPTIONS_INIT;
    given.engine = engine;
    given.scoring = scoring;
    const rhomb_status status = planning_make(&p, length, length - length / 7, &given, &c->info);
    /* The wavefront has no costs as large as the last ones. */
    const bool too_dear =
        engine == RHOMB_ENGINE_WAVEFRONT && scoring == &SCORINGS[COUNT(SCORINGS) - 1];
    if (status != (too_dear ? RHOMB_ERR_ARGUMENT : RHOMB_OK))
        fail_msg("%s, engine %d, %lld bases: %s", c->name, (int)engine, (long long)length,
                 rhomb__error_text(&p.error));
    if (too_dear)
        return;
    check_plan(c, &p.plan, false);
    /* What kernels may ask for besides. */
    for (int64_t most = c->info.max_group_size / 2; most >= 2; most /= 2) {
        rhomb__plan_shrink(&p.plan, most);
        check_plan(c, &p.plan, true);
        assert_true((rhomb__plan_sweeps(&p.plan) ? p.plan.sweep.group_size
                                                 : p.plan.wavefront.group_size) <= most);
    }
}

static void test_engines(void **state)
{
    static const int64_t lengths[] = {100, 10000, 3000000, INT64_C(250000000), INT64_C(3000000000)};
    for (size_t i = 0; i < COUNT(EXAMPLES); i++)
        for (size_t s = 0; s < COUNT(SCORINGS); s++)
            for (size_t n = 0; n < COUNT(lengths); n++)
                for (int engine = RHOMB_ENGINE_AUTO; engine <= RHOMB_ENGINE_BITPARALLEL; engine++)
                    plan_engine(&EXAMPLES[i], (rhomb_engine)engine, &SCORINGS[s], lengths[n]);
}

static void check_batch(const device_example *c, const rhomb__batch_shape *s)
{
    const rhomb_device_info *device = &c->info;
    check_group(c, "a batch", s->group_size, s->item_rows == 0);
    if (s->wide_group > 0)
        check_group(c, "a batch's paths", s->wide_group, true);
    assert_true(s->workers * s->device_bytes <= device->memory_bytes);
    assert_true(s->buffer_bytes <= device->max_buffer_bytes);
    for (int32_t i = 0; i < s->levels && !s->in_place; i++)
        assert_true(s->wide_group > 0 ? s->ring_bytes[i] + 16 <= device->local_memory_bytes
                                      : 2 * (int64_t)sizeof(rhomb_i32) *
                                                RHOMB_BATCH_CELLS((int64_t)s->limits[i]) <
                                            device->local_memory_bytes);
}

static void shape_batch(const device_example *c, rhomb_mode mode, const rhomb_scoring *scoring,
                        bool cigar)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_batch_options given = RHOMB_BATCH_OPTIONS_INIT, options;
    rhomb_batch_tuning tuning;
    rhomb__batch_shape shape;
    rhomb__costs costs;
    given.cigar = cigar;
    given.mode = mode;
    given.scoring = scoring;
    assert_int_equal(rhomb__batch_options_complete(&error, &given, &options, &tuning), RHOMB_OK);
    rhomb_status status = scoring == NULL ? RHOMB_OK : rhomb__costs_of(&error, scoring, &costs);
    if (status == RHOMB_OK)
        status = scoring == NULL
                     ? rhomb__batch_shape_make(&error, &c->info, 8, &options, &tuning, &shape)
                     : rhomb__batch_scored_shape_make(&error, &c->info, 8, &options, &tuning,
                                                      &costs, &shape);
    if (status != RHOMB_OK)
        fail_msg("%s, mode %d: %s", c->name, (int)mode, rhomb__error_text(&error));
    check_batch(c, &shape);
    if (scoring != NULL || cigar)
        return;
    rhomb__batch_shape_of_set(2, INT64_C(1) << 14, 60000, 30000, &shape);
    check_group(c, "pairs of a set", shape.group_size, true);
    check_group(c, "pairs of a set far apart",
                rhomb__group_on(&c->info, rhomb__tuning_find(&c->info)->ranges_group_size), true);
    assert_true(shape.workers * shape.device_bytes <= c->info.memory_bytes);
}

static void test_batches(void **state)
{
    static const rhomb_mode modes[] = {RHOMB_MODE_ENDS_FREE, RHOMB_MODE_EXTEND, RHOMB_MODE_LOCAL};
    for (size_t i = 0; i < COUNT(EXAMPLES); i++)
        for (int cigar = 0; cigar < 2; cigar++) {
            shape_batch(&EXAMPLES[i], RHOMB_MODE_GLOBAL, NULL, cigar);
            for (size_t s = 1; s < COUNT(SCORINGS); s++)
                shape_batch(&EXAMPLES[i], RHOMB_MODE_GLOBAL, &SCORINGS[s], cigar);
            for (size_t m = 0; m < COUNT(modes); m++)
                for (size_t s = 0; s < COUNT(SCORES); s++)
                    shape_batch(&EXAMPLES[i], modes[m], &SCORES[s], cigar);
        }
}

/* Chunks of a path of 1 M by 1 M: within what is usual the most strips, else the least memory. */
static void check_chunks(const rhomb__long_shape *shape)
{
    const int64_t n = 1000000, each = shape->pieces == 2 ? 12 : 8;
    const int64_t rows = (int64_t)shape->items * shape->item_rows;
    const double least = (double)n * sqrt((double)(4 * each * n)); /* 2 * sqrt(bytes * borders) */
    rhomb__long_room room = {0, INT64_MAX, INT64_MAX};
    int64_t bytes = 0;
    assert_true(rhomb__long_chunk_strips(shape, n, n, &room, &bytes) > 0);
    assert_true((double)bytes >= least && (double)bytes < 1.1 * least);
    room.most = bytes - 1;
    assert_int_equal(rhomb__long_chunk_strips(shape, n, n, &room, &bytes), 0);
    room.usual = room.most = 2 * bytes;
    const int64_t strips = rhomb__long_chunk_strips(shape, n, n, &room, &bytes);
    const double chunk = (double)(strips * rows), more = (double)((strips + 1) * rows);
    assert_true(bytes <= room.usual);
    assert_true((double)n * (chunk + (double)(n * each) / chunk) < 1.01 * (double)bytes);
    assert_true((double)n * (more + (double)(n * each) / more) > 0.99 * (double)room.usual);
    room.buffer = strips * rows * n; /* of columns beyond the last one there is some trace */
    assert_int_equal(rhomb__long_chunk_strips(shape, n, n, &room, &bytes), strips - 1);
}

static void test_long_pairs(void **state)
{
    const rhomb_tuning none = RHOMB_TUNING_INIT;
    for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
        const rhomb_device_info *device = &EXAMPLES[i].info;
        rhomb__error error = {RHOMB_OK, NULL, ""};
        for (size_t s = 0; s < 2 * COUNT(SCORES); s++) {
            rhomb__long_shape shape;
            assert_int_equal(rhomb__long_shape_make(&error, device, &none, &SCORES[s / 2], 1000000,
                                                    s % 2 != 0, &shape),
                             RHOMB_OK);
            check_group(&EXAMPLES[i], "a local alignment", shape.group_size, false);
            if (!shape.drops)
                check_chunks(&shape);
        }
    }
}

/* The class of each example, and the order of their speeds. */
static void test_speeds(void **state)
{
    for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
        rhomb_device_info device = EXAMPLES[i].info;
        const double estimate = rhomb__device_speed(&device);
        assert_true(estimate ==
                    2e6 * EXAMPLES[i].unit_lanes * device.compute_units * device.clock_mhz);
        /* Where the tuning table has a measurement. */
        const rhomb__tuning_row *row = rhomb__tuning_find(&device);
        if (strstr(row->rates_source, "measured on") != NULL)
            assert_true(estimate > 0.8 * row->sweep_cells_per_second &&
                        estimate < 1.25 * row->sweep_cells_per_second);
        device.clock_mhz = 0;
        assert_true(rhomb__device_speed(&device) > 0);
    }
}

TEST_MAIN(test_tuning_rows, test_second_tiles, test_compute_units, test_plan_rates,
          test_profile_units, test_engines, test_batches, test_long_pairs, test_speeds)
