/* SPDX-License-Identifier: MIT */
/*
 * The model of what sweeps side by side take: a band is measured as it is made, seconds are those
 * that were measured on an H200, halves take half as long until a column's steps are all there is,
 * and the steps that are chosen are the quickest.
 */
#include "src/base/int64.h"
#include "src/strips/strips_many.h"
#include "src/strips/strips_shape.h"
#include "support/rng.h"
#include "support/test.h"

enum { LONGEST = 900, MOST_RECORDS = 2 + 2 * (LONGEST / 32 + 2), MOST_PARTS = 128 };

static const rhomb__sweep_rates H200 = {132, 33e12, 5.6e-6, 0.28e-6, 128};

static void test_measure(void **state)
{
    rhomb_strip records[MOST_RECORDS];
    for (int64_t i = 0; i < 3000; i++) {
        rng r = rng_for("sweep measure", i);
        const int64_t items = rng_between(&r, 1, 4);
        const rhomb__strip_shape shape = {.items = items,
                                          .words = rng_between(&r, 1, 2),
                                          .lag = items - 1,
                                          .steps = rng_between(&r, 1, 12)};
        const int64_t n = rng_between(&r, 17, LONGEST), m = rng_between(&r, 1, LONGEST);
        const int64_t bound = llabs(n - m) + rng_between(&r, 0, 200);
        const rhomb__sweep sweep = rhomb__sweep_make(n, m, &shape, 2);
        assert_true(rhomb__sweep_records(&sweep) <= MOST_RECORDS);
        const rhomb__sweep_extent extent = rhomb__sweep_measure(&sweep, bound);
        assert_int_equal(extent.launches, rhomb__sweep_band(&sweep, bound, records));
        assert_int_equal(extent.strip_blocks * RHOMB__BLOCK_COLUMNS * sweep.strip_rows,
                         rhomb__sweep_band_cells(&sweep, records));
    }
}

/* bench/NOTES.md: one sweep of the widest band. */
static void test_measured(void **state)
{
    static const struct {
        int64_t length, items, words, steps;
        double seconds;
    } ROWS[] = {{167000, 128, 2, 32, 8.62e-3},  {167000, 128, 2, 16, 8.9e-3},
                {167000, 128, 1, 32, 9.2e-3},   {167000, 64, 2, 32, 9.2e-3},
                {167000, 32, 2, 16, 10.2e-3},   {1050000, 128, 2, 32, 64.7e-3},
                {1050000, 128, 2, 64, 65.6e-3}, {1050000, 64, 2, 32, 67.8e-3},
                {1050000, 128, 4, 32, 68.7e-3}, {1050000, 128, 1, 32, 69.9e-3},
                {3200000, 128, 4, 64, 340e-3},  {3200000, 128, 2, 32, 345e-3}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const rhomb_subproblem pair = {
            .pair = {0, ROWS[i].length, 0, ROWS[i].length, ROWS[i].length}};
        const rhomb__sweep_list list = {&pair, 1};
        const rhomb__strip_shape shape = {.items = ROWS[i].items,
                                          .words = ROWS[i].words,
                                          .lag = ROWS[i].items - 1,
                                          .steps = ROWS[i].steps};
        const double ratio = rhomb__sweeps_seconds(&H200, &list, &shape) / ROWS[i].seconds;
        if (ratio < 0.9 || ratio > 1.1)
            fail_msg("%lld x %lld, %lld steps: %.2f of what was measured", (long long)ROWS[i].items,
                     (long long)ROWS[i].words, (long long)ROWS[i].steps, ratio);
    }
}

/* `count` parts of a pair as CP000051 x AE002160 is. */
static rhomb__sweep_list parts_of(rhomb_subproblem *pairs, int64_t count)
{
    const rhomb__sweep_list list = {pairs, count};
    for (int64_t i = 0; i < count; i++) {
        const rhomb_subproblem part = {
            .pair = {0, 1038842 / count, 0, 1069412 / count, 549784 / count}};
        pairs[i] = part;
    }
    return list;
}

/* The cells halve from round to round, and what parts wait for each other all but halves. */
static void test_rounds(void **state)
{
    rhomb_subproblem pairs[MOST_PARTS];
    double before = 0;
    for (int64_t count = 2; count <= MOST_PARTS; count *= 2) {
        const rhomb__sweep_list list = parts_of(pairs, count);
        rhomb__strip_shape shape = {.items = 128, .words = 2, .lag = 127, .steps = 32};
        const double seconds = rhomb__sweeps_choose_steps(&H200, &list, &shape);
        assert_true(seconds == rhomb__sweeps_seconds(&H200, &list, &shape));
        if (before > 0)
            assert_true(seconds > 0.49 * before && seconds < 0.6 * before);
        else
            assert_true(seconds > 20e-3 && seconds < 28e-3);
        before = seconds;
        for (rhomb__strip_shape other = shape; other.steps >= 16; other.steps /= 2)
            assert_true(rhomb__sweeps_seconds(&H200, &list, &other) >= seconds);
        for (rhomb__strip_shape other = shape; other.steps <= 256; other.steps *= 2)
            assert_true(rhomb__sweeps_seconds(&H200, &list, &other) >= seconds);
    }
}

/* A full device takes its time for the cells; a short target changes places. */
static void test_limits(void **state)
{
    rhomb_subproblem pairs[MOST_PARTS];
    rhomb__strip_shape shape = {.items = 128, .words = 4, .lag = 127, .steps = 128};
    for (int64_t i = 0; i < MOST_PARTS; i++)
        pairs[i] = (rhomb_subproblem){.pair = {0, 1000000, 0, 1000000, 1000000}};
    const rhomb__sweep_list many = {pairs, MOST_PARTS};
    /* Above and below the band lies a quarter of each matrix. */
    const double cells = MOST_PARTS * 0.75e12,
                 seconds = rhomb__sweeps_seconds(&H200, &many, &shape);
    assert_true(seconds > cells / 33e12 && seconds < 1.1 * cells / 33e12);
    const rhomb_subproblem thin[] = {{.pair = {0, 20, 0, 50000, 49990}},
                                     {.pair = {0, 50000, 0, 20, 49990}}};
    const rhomb__costs edit = rhomb__costs_edit();
    const rhomb__sweep_list straight = {&thin[1], 1}, swapped = {&thin[0], 1}, none = {thin, 0};
    assert_true(rhomb__sweeps_seconds(&H200, &straight, &shape) ==
                rhomb__sweeps_seconds(&H200, &swapped, &shape));
    assert_int_equal(rhomb__sweeps_mean_rows(&straight, &edit), 20);
    assert_int_equal(rhomb__sweeps_mean_rows(&swapped, &edit), 20);
    assert_int_equal(rhomb__sweeps_mean_rows(&many, &edit), 1000000);
    assert_int_equal(rhomb__sweeps_mean_rows(&none, &edit), 0);
    assert_true(rhomb__sweeps_choose_steps(&H200, &none, &shape) == 0);
    assert_int_equal(shape.steps, 16);
}

TEST_MAIN(test_measure, test_measured, test_rounds, test_limits)
