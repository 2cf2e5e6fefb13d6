/* SPDX-License-Identifier: MIT */
/*
 * Batches in modes other than end to end, as callers see them: pairs that are too long or invalid,
 * arrays of results, symbols, and arguments that are refused.
 */
#include "rhomb/scoring.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"

static session device;

static int take_statuses(int64_t first, const rhomb_pair_result *const *results, size_t count,
                         void *user)
{
    rhomb_status *statuses = user;
    for (size_t i = 0; i < count; i++) {
        statuses[first + (int64_t)i] = results[i]->status;
        assert_int_equal(results[i]->detail == NULL, results[i]->status == RHOMB_OK);
        assert_int_equal(results[i]->extent == NULL, results[i]->status != RHOMB_OK);
    }
    return 0;
}

/* A pair that is none at all says so, and others are not affected, of whatever length. */
static void test_too_long(void **state)
{
    char *bases = calloc(1, 3001);
    assert_non_null(bases);
    memset(bases, 'A', 3000);
    const rhomb_pair pairs[] = {{bases, 3000, bases, 3000},
                                {bases, 10, bases, 12},
                                {NULL, 4, bases, 4},
                                {bases, -1, bases, 4},
                                {NULL, 0, bases, 4}};
    rhomb_status statuses[COUNT(pairs)];
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    tuning.long_bases = 2000;
    options.scoring = &scoring;
    options.tuning = &tuning;
    options.results = take_statuses;
    options.user = statuses;
    for (int mode = RHOMB_MODE_ENDS_FREE; mode <= RHOMB_MODE_LOCAL + 1; mode++) {
        rhomb_batch *batch = NULL;
        const bool drops = mode > RHOMB_MODE_LOCAL;
        options.mode = drops ? RHOMB_MODE_EXTEND : (rhomb_mode)mode;
        options.z_drop = drops ? 100 : RHOMB_NO_LIMIT;
        assert_int_equal(rhomb_batch_create(device.ctx, &options, &batch), RHOMB_OK);
        assert_int_equal(rhomb_batch_add(batch, pairs, COUNT(pairs)), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        rhomb_batch_destroy(batch);
        for (size_t i = 0; i < COUNT(pairs); i++) {
            const bool good = i <= 1 || i == 4;
            assert_int_equal(statuses[i], good ? RHOMB_OK : RHOMB_ERR_ARGUMENT);
        }
    }
    free(bases);
}

/* Pairs that are too long for a job, in the same batch as others. */
static void check_beyond(rhomb_mode mode)
{
    rng r = rng_for("modes beyond", mode);
    mode_asker a = mode_asker_of(device.ctx, "match:2,4,4,2", mode);
    a.tuning.long_bases = 60;
    mode_add_random(&a, 40, 200, &r);
    mode_draw(&a, &r);
    for (int kind = 0; kind < 3; kind++) {
        /* A share of it: one for each mode, in turns. */
        if (!amount_is_whole() && kind != (int)mode % 3)
            continue;
        a.cigar = kind == 1;
        a.ends_only = kind == 2;
        mode_ask(&a);
    }
    mode_release(&a);
}

static void test_beyond(void **state)
{
    for (int mode = RHOMB_MODE_ENDS_FREE; mode <= RHOMB_MODE_LOCAL; mode++)
        check_beyond((rhomb_mode)mode);
}

/* Arrays of results own what extents say. */
static void test_arrays(void **state)
{
    const rhomb_pair one = {"GATTACAGATTACA", 14, "CCTTACAGATTACC", 14};
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_pair_result *const *results = NULL;
    options.scoring = &scoring;
    options.mode = RHOMB_MODE_LOCAL;
    assert_int_equal(rhomb_batch_align(device.ctx, &one, 1, &options, &results), RHOMB_OK);
    assert_int_equal(results[0]->extent->score, 22);
    assert_int_equal(results[0]->extent->target_begin, 2);
    assert_int_equal(results[0]->extent->target_end, 13);
    assert_int_equal(results[0]->cigar_count, 1);
    rhomb_batch_results_destroy(results);
}

/* N and other codes match themselves, U is T; what is no letter fails alone. */
static int take_letters(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    int64_t *scores = user;
    for (size_t i = 0; i < count; i++)
        scores[first + (int64_t)i] =
            results[i]->status == RHOMB_OK ? results[i]->extent->score : -1;
    return 0;
}

static void test_letters(void **state)
{
    static const rhomb_pair PAIRS[] = {{"ACGTNNRYACGT", 12, "acgunnryacgU", 12},
                                       {"ACGTNNRYACGT", 12, "ACGT", 4},
                                       {"ACGT!", 5, "ACGT", 4},
                                       {"ACGT", 4, "ACGT", 4},
                                       {"NNNN", 4, "AAAA", 4}};
    static const int64_t SCORES[] = {24, 8, -1, 8, 0};
    int64_t scores[COUNT(PAIRS)];
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    options.scoring = &scoring;
    options.results = take_letters;
    options.user = scores;
    options.cigar = true;
    for (int mode = RHOMB_MODE_EXTEND; mode <= RHOMB_MODE_LOCAL; mode++) {
        rhomb_batch *batch = NULL;
        options.mode = (rhomb_mode)mode;
        assert_int_equal(rhomb_batch_create(device.ctx, &options, &batch), RHOMB_OK);
        assert_int_equal(rhomb_batch_add(batch, PAIRS, COUNT(PAIRS)), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        rhomb_batch_destroy(batch);
        for (size_t i = 0; i < COUNT(PAIRS); i++)
            assert_int_equal(scores[i], SCORES[i]);
    }
}

/* No byte is taken for what lies beyond the ends of a pair. */
static void test_bytes(void **state)
{
    static const rhomb_pair PAIRS[] = {
        {"AC\xfe\xfe\xfe\xfe", 6, "AC", 2}, {"AC\xff\xff\xff\xff", 6, "AC", 2},
        {"AC", 2, "AC\xfe\xfe\xfe\xfe", 6}, {"AC", 2, "AC\xff\xff\xff\xff", 6},
        {"G\xfe\xfe", 3, "C\xff\xff", 3},   {"AC\xff\xfe", 4, "AC\xff\xfe", 4}};
    static const int64_t SCORES[] = {4, 4, 4, 4, 0, 8};
    int64_t scores[COUNT(PAIRS)];
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    options.scoring = &scoring;
    options.results = take_letters;
    options.user = scores;
    options.alphabet = RHOMB_ALPHABET_BYTES;
    options.free_ends = (rhomb_free_ends){9, 9, 9, 9};
    options.tuning = &tuning;
    for (int bits = 16; bits <= 32; bits += 16)
        for (int mode = RHOMB_MODE_ENDS_FREE; mode <= RHOMB_MODE_LOCAL; mode++)
            for (int32_t group = 1; group <= 8; group += 7) {
                rhomb_batch *batch = NULL;
                /* A share of it: one group for each mode and width, in turns. */
                if (!amount_is_whole() && (group == 1) != ((mode + bits / 16) % 2 == 0))
                    continue;
                options.mode = (rhomb_mode)mode;
                tuning.group_size = group;
                tuning.score_bits = bits;
                assert_int_equal(rhomb_batch_create(device.ctx, &options, &batch), RHOMB_OK);
                assert_int_equal(rhomb_batch_add(batch, PAIRS, COUNT(PAIRS)), RHOMB_OK);
                assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
                rhomb_batch_destroy(batch);
                for (size_t i = 0; i < COUNT(PAIRS); i++)
                    if (scores[i] != SCORES[i])
                        fail_msg("pair %zu, mode %d, group %d, %d bits: %lld instead of %lld", i,
                                 mode, (int)group, bits, (long long)scores[i],
                                 (long long)SCORES[i]);
            }
}

static void expect_refused(const rhomb_batch_options *options)
{
    rhomb_batch *batch = NULL;
    assert_int_equal(rhomb_batch_create(device.ctx, options, &batch), RHOMB_ERR_ARGUMENT);
    assert_null(batch);
    assert_true(rhomb_context_error(device.ctx)[0] != '\0');
}

static void test_arguments(void **state)
{
    int64_t scores[1];
    const rhomb_scoring good = {2, 4, 4, 2, -1, -1, NULL}, none = {0, 4, 6, 2, -1, -1, NULL};
    const rhomb_scoring large = {1 << 21, 4, 6, 2, -1, -1, NULL};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.results = take_letters;
    options.user = scores;
    options.mode = (rhomb_mode)4;
    expect_refused(&options);
    options.mode = RHOMB_MODE_LOCAL;
    expect_refused(&options); /* unit costs */
    options.scoring = &none;
    expect_refused(&options);
    options.mode = RHOMB_MODE_EXTEND;
    expect_refused(&options);
    options.scoring = &large;
    expect_refused(&options);
    options.scoring = &good;
    options.z_drop = -2;
    expect_refused(&options);
    options.z_drop = -1;
    options.end_bonus = -1;
    expect_refused(&options);
    options.end_bonus = 0;
    options.max_distance = 5;
    expect_refused(&options);
    options.max_distance = RHOMB_NO_LIMIT;
    options.mode = RHOMB_MODE_ENDS_FREE;
    options.free_ends.target_end = -1;
    expect_refused(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_too_long, test_beyond,
                                                 test_arrays, test_letters, test_bytes,
                                                 test_arguments)};
    quick_builds = !amount_is_whole(); /* few pairs for each program */
    return session_run(&device, tests, NULL);
}
