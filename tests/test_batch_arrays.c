/* SPDX-License-Identifier: MIT */
/*
 * Batches from one call: results of arrays are those of the same pairs elsewhere, in their places,
 * and the caller's to keep. Exits with 77 without a device.
 */
#include "support/batch_check.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static session device;

static const rhomb_pair PAIR = {"GATTACA", 7, "GATACCA", 7}; /* two edits */

static void test_distances(void **state)
{
    const rhomb_pair pairs[] = {PAIR, {"ACGT", 4, NULL, 0}, PAIR};
    rhomb_pair spoilt[] = {PAIR, {"ACGX", 4, "ACGT", 4}, {"A", -1, "C", 1}, PAIR};
    int64_t distances[4] = {7, 7, 7, 7};
    rhomb_status statuses[4];
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    assert_int_equal(rhomb_batch_distances(device.ctx, pairs, 3, NULL, distances, NULL), RHOMB_OK);
    assert_int_equal(distances[0], 2);
    assert_int_equal(distances[1], 4);
    assert_int_equal(distances[2], 2);
    assert_int_equal(distances[3], 7);
    options.max_distance = 3;
    assert_int_equal(rhomb_batch_distances(device.ctx, pairs, 3, &options, distances, statuses),
                     RHOMB_OK);
    assert_int_equal(distances[1], -1);
    assert_int_equal(distances[2], 2);
    assert_int_equal(statuses[1], RHOMB_OK);
    assert_int_equal(rhomb_batch_distances(device.ctx, spoilt, 4, NULL, distances, statuses),
                     RHOMB_OK);
    assert_int_equal(statuses[0], RHOMB_OK);
    assert_int_equal(statuses[1], RHOMB_ERR_ALPHABET);
    assert_int_equal(statuses[2], RHOMB_ERR_ARGUMENT);
    assert_int_equal(statuses[3], RHOMB_OK);
    assert_int_equal(distances[1], -1);
    assert_int_equal(distances[2], -1);
    assert_int_equal(distances[3], 2);
    assert_int_equal(rhomb_batch_distances(device.ctx, spoilt, 4, NULL, distances, NULL),
                     RHOMB_ERR_ALPHABET);
    if (strstr(rhomb_context_error(device.ctx), "2") == NULL ||
        strstr(rhomb_context_error(device.ctx), "'X'") == NULL)
        fail_msg("no number or letter in: %s", rhomb_context_error(device.ctx));
    assert_int_equal(rhomb_batch_distances(device.ctx, NULL, 0, NULL, NULL, NULL), RHOMB_OK);
    assert_int_equal(rhomb_batch_distances(NULL, pairs, 1, NULL, distances, NULL),
                     RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_batch_distances(device.ctx, NULL, 1, NULL, distances, NULL),
                     RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_batch_distances(device.ctx, pairs, 1, NULL, NULL, NULL),
                     RHOMB_ERR_ARGUMENT);
}

/* Pairs of all sorts, in jobs so small that results come in many pieces. */
static void test_many(void **state)
{
    enum { PAIRS = 3000 };
    static rhomb_pair pairs[PAIRS];
    static int64_t distances[PAIRS];
    const rhomb_pair_result *const *results = NULL;
    pair_list list = pair_list_of("arrays", RHOMB_ALPHABET_DNA);
    rng r = rng_for(list.family, 0);
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    tuning.job_bases = 4096;
    tuning.last_limit = 100; /* beyond it, pairs are solved alone */
    options.tuning = &tuning;
    for (int64_t i = 0; i < PAIRS; i++) {
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = rng_below(&r, i % 100 == 0 ? 600 : 100),
                                    .error_rate = i % 100 == 0 ? 0.4 : 0.05,
                                    .alphabet = "ACGT"};
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &r, &p);
        if (i % 7 == 3 && p.b.length > 0) {
            p.b.at[0] = '*';
            pair_list_add(&list, &p)->status = RHOMB_ERR_ALPHABET;
        } else {
            pair_list_add(&list, &p);
        }
        pair_release(&p);
    }
    for (int64_t i = 0; i < PAIRS; i++)
        pairs[i] = pair_list_given(&list, i);
    static rhomb_status statuses[PAIRS];
    assert_int_equal(rhomb_batch_distances(device.ctx, pairs, PAIRS, &options, distances, statuses),
                     RHOMB_OK);
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, PAIRS, &options, &results), RHOMB_OK);
    for (int64_t i = 0; i < PAIRS; i++) {
        const rhomb_pair_result *result = results[i];
        const bool good = list.at[i].status == RHOMB_OK;
        const int64_t distance = good ? list.at[i].distance : -1;
        const char *complaint =
            good ? path_judge(result->cigar, result->cigar_count, &pairs[i], distance) : NULL;
        if (complaint != NULL)
            fail_msg("pair %lld: %s", (long long)i, complaint);
        if (statuses[i] != list.at[i].status || result->status != list.at[i].status ||
            distances[i] != distance || result->distance != distance ||
            (result->detail == NULL) != good)
            fail_msg("pair %lld of distance %lld: %s, %lld; %s, %lld", (long long)i,
                     (long long)distance, rhomb_status_name(statuses[i]), (long long)distances[i],
                     rhomb_status_name(result->status), (long long)result->distance);
        if (!good && strstr(result->detail, "'*'") == NULL)
            fail_msg("pair %lld: %s", (long long)i, result->detail);
    }
    rhomb_batch_results_destroy(results);
    pair_list_release(&list);
}

static void test_align_calls(void **state)
{
    const rhomb_pair pairs[] = {PAIR, {NULL, 0, NULL, 0}, {"A", -1, "C", 1}, {"A", 1, "C", 1}};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_pair_result *const *results = NULL;
    options.max_distance = 1;
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, 4, &options, &results), RHOMB_OK);
    assert_int_equal(results[0]->distance, -1);
    assert_null(results[0]->cigar);
    assert_int_equal(results[1]->distance, 0);
    assert_int_equal(results[2]->status, RHOMB_ERR_ARGUMENT);
    assert_int_equal(results[3]->cigar_count, 1);
    assert_int_equal(RHOMB_CIGAR_LETTER(results[3]->cigar[0]), 'X');
    rhomb_batch_results_destroy(results);
    assert_int_equal(rhomb_batch_align(device.ctx, NULL, 0, NULL, &results), RHOMB_OK);
    assert_non_null(results);
    rhomb_batch_results_destroy(results);
    options.max_distance = -2;
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, 1, &options, &results),
                     RHOMB_ERR_ARGUMENT);
    assert_null(results);
    assert_int_equal(rhomb_batch_align(NULL, pairs, 1, NULL, &results), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, 1, NULL, NULL), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_batch_align(device.ctx, NULL, 1, NULL, &results), RHOMB_ERR_ARGUMENT);
    rhomb_batch_results_destroy(NULL);
}

SESSION_MAIN(device, test_distances, test_many, test_align_calls)
