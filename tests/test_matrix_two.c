/* SPDX-License-Identifier: MIT */
/*
 * Distances between two sets of sequences (`columns` of rhomb_matrix_options), against edlib: all
 * pairs in order, parts of them, and what is no set.
 */
#include "rhomb/matrix.h"

#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

enum { COUNT_MOST = 24, LENGTH = 120 };

static session device;

static char text[COUNT_MOST][LENGTH + 1];
static rhomb_matrix_sequence sequences[COUNT_MOST];

/* Which pair comes next, by its number. */
typedef struct walk {
    int64_t columns, next;
    int64_t stop_at; /* a pair; 0: none */
} walk;

static int take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    walk *w = user;
    assert_int_equal((row - w->columns) * w->columns + column, w->next);
    assert_true(count > 0 && column + (int64_t)count <= w->columns);
    for (size_t i = 0; i < count; i++) {
        const rhomb_matrix_sequence *a = &sequences[row], *b = &sequences[column + (int64_t)i];
        assert_int_equal(distances[i],
                         oracle_distance(a->bases, a->length, b->bases, b->length, true));
    }
    w->next += (int64_t)count;
    return w->stop_at > 0 && w->next >= w->stop_at;
}

/* Relatives of a sequence, of all lengths from 0 on. */
static void make(rng *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t length = rng_below(r, LENGTH + 1);
        for (int64_t k = 0; k < length; k++)
            text[i][k] = rng_chance(r, 0.05) ? "ACGT"[rng_below(r, 4)] : "ACGT"[k * k % 7 % 4];
        sequences[i] = (rhomb_matrix_sequence){text[i], length, NULL};
    }
}

static void two_sets(void **state)
{
    static const int64_t SHAPES[][2] = {{24, 7}, {24, 23}, {9, 1}, {2, 1}, {8, 8}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        rng r = rng_for("two", (int64_t)i);
        const int64_t count = SHAPES[i][0], columns = SHAPES[i][1];
        const int64_t pairs = (count - columns) * columns;
        rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
        rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
        rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
        walk w = {.columns = columns};
        make(&r, count);
        tuning.last_limit = 20; /* others are solved alone */
        tuning.job_pairs = 11;
        options.columns = columns;
        options.results = take;
        options.user = &w;
        options.tuning = &tuning;
        assert_int_equal(rhomb_matrix_compute(device.ctx, sequences, count, &options, &report),
                         RHOMB_OK);
        assert_true(w.next == pairs && report.pairs == pairs);
        if (pairs < 3)
            continue;
        w = (walk){columns, pairs / 3, 0};
        options.first_pair = pairs / 3;
        options.end_pair = pairs - 1;
        assert_int_equal(rhomb_matrix_compute(device.ctx, sequences, count, &options, &report),
                         RHOMB_OK);
        assert_int_equal(w.next, pairs - 1);
    }
}

static void refuses_what_is_no_set(void **state)
{
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    char one[33], other[33];
    walk w = {.columns = 1};
    rng r = rng_for("two", 99);
    make(&r, 4);
    options.results = take;
    options.user = &w;
    for (int64_t columns = -1; columns < 6; columns += 6) {
        options.columns = columns;
        assert_int_equal(rhomb_matrix_compute(device.ctx, sequences, 4, &options, NULL),
                         RHOMB_ERR_ARGUMENT);
    }
    options.columns = 2;
    options.end_pair = 5;
    assert_int_equal(rhomb_matrix_compute(device.ctx, sequences, 4, &options, NULL),
                     RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_matrix_digest(device.ctx, sequences, 4, &options, one), RHOMB_OK);
    options.columns = 3;
    assert_int_equal(rhomb_matrix_digest(device.ctx, sequences, 4, &options, other), RHOMB_OK);
    assert_string_not_equal(one, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_sets),
                                       cmocka_unit_test(refuses_what_is_no_set)};
    return session_run(&device, tests, NULL);
}
