/* SPDX-License-Identifier: MIT */
/*
 * Every public function with nothing: NULL for each pointer, 0 for each number, then with a context
 * and structures of zeros or of the wrong size. None crashes, and each call that fails leaves a
 * detail of its own, whatever was there before. test_symbols.sh looks that none is missing here.
 */
#include <unistd.h>

#include "rhomb/align.h"
#include "rhomb/all_records.h"
#include "rhomb/anchors.h"
#include "rhomb/batch.h"
#include "rhomb/comparison.h"
#include "rhomb/guide.h"
#include "rhomb/identity.h"
#include "rhomb/local.h"
#include "rhomb/matrix.h"
#include "rhomb/pairs.h"
#include "rhomb/plan.h"
#include "rhomb/ranks.h"
#include "rhomb/verify.h"
#include "support/test.h"
#include "support/whole_files.h"

#define REFUSED(call) assert_string_equal(rhomb_status_name(call), "RHOMB_ERR_ARGUMENT")

/* Leaves the detail of another call. */
static void fail_before(rhomb_context *ctx)
{
    rhomb_sequence *sequence = NULL;
    if (ctx != NULL)
        assert_int_equal(rhomb_sequence_read(ctx, "/no/such", NULL, &sequence), RHOMB_ERR_INPUT);
}

/* The same of a call whose detail goes to `ctx`, if it is not NULL. */
#define SAYS_WHY(call)                                                                \
    do {                                                                              \
        fail_before(ctx);                                                             \
        REFUSED(call);                                                                \
        const char *detail = rhomb_context_error(ctx);                                \
        if (ctx != NULL && (detail[0] == '\0' || strstr(detail, "/no/such") != NULL)) \
            fail_msg("%s: the detail is \"%s\"", #call, detail);                      \
    } while (0)

static void test_destroy(void **state)
{
    rhomb_context_destroy(NULL);
    rhomb_sequence_destroy(NULL);
    rhomb_result_destroy(NULL);
    rhomb_alignment_destroy(NULL);
    rhomb_plan_destroy(NULL);
    rhomb_batch_destroy(NULL);
    rhomb_batch_results_destroy(NULL);
    rhomb_pair_chunk_destroy(NULL);
    rhomb_pairs_destroy(NULL);
    rhomb_records_destroy(NULL);
    rhomb_paf_destroy(NULL);
    rhomb_sequence_set_destroy(NULL);
    rhomb_comparison_destroy(NULL);
    rhomb_anchors_destroy(NULL);
}

/* What an object has, of none. */
static void test_getters(void **state)
{
    int64_t count = 7;
    assert_string_equal(rhomb_context_error(NULL), "");
    assert_null(rhomb_context_device(NULL));
    assert_int_equal(rhomb_context_device_count(NULL), 0);
    assert_null(rhomb_context_device_at(NULL, 0));
    assert_null(rhomb_context_work(NULL, 0));
    assert_string_equal(rhomb_sequence_name(NULL), "");
    assert_string_equal(rhomb_sequence_bases(NULL), "");
    assert_null(rhomb_sequence_qualities(NULL));
    assert_int_equal(rhomb_sequence_length(NULL), 0);
    assert_string_equal(rhomb_sequence_path(NULL), "");
    assert_string_equal(rhomb_sequence_record(NULL), "");
    assert_int_equal(rhomb_sequence_record_length(NULL), 0);
    assert_int_equal(rhomb_sequence_record_begin(NULL), 0);
    assert_string_equal(rhomb_sequence_md5(NULL), "");
    assert_null(rhomb_result_report(NULL));
    assert_null(rhomb_alignment_path(NULL, NULL));
    assert_null(rhomb_alignment_path(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(rhomb_alignment_report(NULL));
    assert_null(rhomb_alignment_local(NULL));
    assert_true(rhomb_plan_seconds(NULL, 0) == 0 && rhomb_plan_path_seconds(NULL, 0) == 0);
    assert_null(rhomb_batch_get_report(NULL));
    assert_int_equal(rhomb_pair_chunk_line(NULL, 0), 0);
    assert_null(rhomb_pairs_get_report(NULL));
    assert_int_equal(rhomb_sequence_set_count(NULL), 0);
    assert_null(rhomb_sequence_set_qualities(NULL, 0));
    assert_null(rhomb_paf_get_tags(NULL));
    assert_false(rhomb_paf_second_path(NULL));
    rhomb_paf_read_both(NULL);
    rhomb_paf_watch(NULL, NULL, NULL);
    rhomb_paf_take_tables(NULL);
    rhomb_paf_keep_tags(NULL);
    assert_null(rhomb_comparison_get_report(NULL));
    assert_null(rhomb_comparison_get_events(NULL, NULL));
}

/* Functions of numbers alone. */
static void test_numbers(void **state)
{
    assert_non_null(rhomb_version());
    assert_non_null(rhomb_status_name((rhomb_status)-1));
    assert_non_null(rhomb_status_text((rhomb_status)RHOMB_STATUS_COUNT));
    assert_int_equal(rhomb_status_class((rhomb_status)-1), 1);
    assert_true(rhomb_similarity(0, 0) == 1 && rhomb_identity(0, 0) == 1);
    assert_true(rhomb_gap_compressed_identity(0, 0, 0) == 1);
    assert_true(rhomb_gap_compressed_divergence(0, 0, 0) == 0);
    assert_int_equal(rhomb_matrix_pair(0, 0), 0);
    assert_int_equal(rhomb_scoring_op_score(NULL, 0), 0);
    assert_int_equal(rhomb_scoring_bases_score(NULL, 0, NULL, NULL), 0);
    assert_int_equal(rhomb_score_matrix_symbol(NULL, 'A'), -1);
    rhomb_scoring_set_matrix(NULL, NULL);
    rhomb_anchor *anchors = NULL;
    size_t count = 0;
    const rhomb_pair none = {NULL, 1, NULL, 0};
    REFUSED(rhomb_anchors_find(NULL, NULL, 0, &anchors, &count));
    REFUSED(rhomb_anchors_find(&none, NULL, 0, &anchors, &count));
    REFUSED(rhomb_anchors_find(&none, NULL, -1, NULL, NULL));
    rhomb_similar similar = rhomb_similar_begin(-1);
    assert_int_equal(rhomb_similar_add(&similar, 0), RHOMB_SIMILAR_OPEN);
    assert_int_equal(rhomb_similar_end(&similar), RHOMB_SIMILAR_YES);
    assert_int_equal(rhomb_scoring_op_score(NULL, 16 * 3 + RHOMB_CIGAR_X), -3);
}

/* Calls that need an object, or a place for what they make. */
static void refuse_nothing(rhomb_context *ctx)
{
    static const rhomb_pair PAIR = {"A", 1, "A", 1};
    const rhomb_device_info *const *list = NULL;
    const rhomb_pair_result *const *results = NULL;
    size_t count = 0;
    SAYS_WHY(rhomb_context_devices(ctx, NULL, NULL));
    SAYS_WHY(rhomb_context_devices(ctx, NULL, &count));
    SAYS_WHY(rhomb_context_devices(ctx, &list, NULL));
    SAYS_WHY(rhomb_context_open_share(ctx, NULL, 0, -1));
    SAYS_WHY(rhomb_context_open_shared(ctx, NULL, 0));
    SAYS_WHY(rhomb_context_join_ranks(ctx, NULL, RHOMB_OK));
    SAYS_WHY(rhomb_ranks_serve(ctx, NULL, RHOMB_OK));
    SAYS_WHY(rhomb_sequence_read(ctx, NULL, NULL, NULL));
    SAYS_WHY(rhomb_distance(ctx, NULL, 0, NULL, 0, NULL, NULL));
    SAYS_WHY(rhomb_align(ctx, NULL, 0, NULL, 0, NULL, NULL));
    SAYS_WHY(rhomb_align_mode(ctx, NULL, 0, NULL, 0, NULL, NULL, NULL));
    SAYS_WHY(rhomb_plan_distance(ctx, NULL, 0, NULL, 0, NULL, NULL));
    SAYS_WHY(rhomb_distance(ctx, "A", 1, "A", 1, NULL, NULL));
    SAYS_WHY(rhomb_align(ctx, "A", 1, "A", 1, NULL, NULL));
    SAYS_WHY(rhomb_plan_distance(ctx, "A", 1, "A", 1, NULL, NULL));
    SAYS_WHY(rhomb_plan_mode(ctx, NULL, 0, NULL, 0, NULL, NULL, NULL));
    SAYS_WHY(rhomb_scoring_parse(ctx, NULL, NULL));
    SAYS_WHY(rhomb_score_matrix_read(ctx, NULL, NULL));
    SAYS_WHY(rhomb_score_matrix_parse(ctx, "m", NULL, 0, NULL));
    SAYS_WHY(rhomb_batch_create(ctx, NULL, NULL));
    SAYS_WHY(rhomb_batch_align(ctx, NULL, 1, NULL, NULL));
    SAYS_WHY(rhomb_batch_distances(ctx, NULL, 1, NULL, NULL, NULL));
    SAYS_WHY(rhomb_batch_distances(ctx, &PAIR, 1, NULL, NULL, NULL));
    SAYS_WHY(rhomb_batch_align(ctx, &PAIR, 1, NULL, NULL));
    SAYS_WHY(rhomb_batch_align(ctx, NULL, 1, NULL, &results));
    SAYS_WHY(rhomb_matrix_digest(ctx, NULL, 1, NULL, NULL));
    SAYS_WHY(rhomb_matrix_compute(ctx, NULL, 1, NULL, NULL));
    SAYS_WHY(rhomb_pairs_open(ctx, NULL, NULL, NULL, NULL));
    SAYS_WHY(rhomb_records_open(ctx, NULL, NULL));
    SAYS_WHY(rhomb_paf_open(ctx, NULL, NULL));
    SAYS_WHY(rhomb_sequence_set_read(ctx, NULL, NULL));
    SAYS_WHY(rhomb_sequence_set_read_all(ctx, NULL, NULL));
}

static void test_nothing(void **state)
{
    rhomb_context *ctx = NULL;
    refuse_nothing(NULL);
    REFUSED(rhomb_context_create(NULL, NULL));
    REFUSED(rhomb_context_open(NULL, NULL, 0));
    REFUSED(rhomb_context_self_test(NULL));
    REFUSED(rhomb_batch_add(NULL, NULL, 0));
    REFUSED(rhomb_batch_finish(NULL));
    REFUSED(rhomb_matrix_part(NULL, 0, 0, 0, NULL, NULL));
    REFUSED(rhomb_pairs_next(NULL, NULL));
    REFUSED(rhomb_records_next(NULL, NULL));
    REFUSED(rhomb_records_md5(NULL, NULL));
    REFUSED(rhomb_paf_next(NULL, NULL));
    REFUSED(rhomb_paf_ops(NULL, NULL, 0, NULL));
    REFUSED(rhomb_paf_locate(NULL, NULL, NULL, NULL));
    REFUSED(rhomb_sequence_set_get(NULL, 0, NULL, NULL, NULL));
    REFUSED(rhomb_verify(NULL, NULL, NULL, NULL, NULL));
    REFUSED(rhomb_compare(NULL, NULL, NULL, NULL, NULL));
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    refuse_nothing(ctx);
    rhomb_context_destroy(ctx);
}

/* Calls with an input that could be one, and options of so many bytes. */
static void refuse_options(rhomb_context *ctx, size_t size)
{
    const rhomb_pair pair = {"ACGT", 4, "ACCT", 4};
    const rhomb_matrix_sequence sequence = {"ACGT", 4, "a"};
    const rhomb_options options = {.struct_size = size};
    const rhomb_mode_options mode = {.struct_size = size};
    const rhomb_batch_options batch_options = {.struct_size = size};
    const rhomb_matrix_options matrix_options = {.struct_size = size};
    const rhomb_pairs_options pairs_options = {.struct_size = size};
    const rhomb_context_options context_options = {.struct_size = size};
    const rhomb_ranks ranks = {.struct_size = size};
    rhomb_mode_plan mode_plan = {.struct_size = size};
    rhomb_context *other = NULL;
    rhomb_result *result = NULL;
    rhomb_alignment *alignment = NULL;
    rhomb_plan *plan = NULL;
    rhomb_batch *batch = NULL;
    rhomb_pairs *pairs = NULL;
    const rhomb_pair_result *const *results = NULL;
    int64_t distance;
    char digest[33];
    REFUSED(rhomb_context_create(&other, &context_options));
    SAYS_WHY(rhomb_distance(ctx, "A", 1, "C", 1, &options, &result));
    SAYS_WHY(rhomb_align(ctx, "A", 1, "C", 1, &options, &alignment));
    SAYS_WHY(rhomb_align_mode(ctx, "A", 1, "C", 1, &mode, NULL, &alignment));
    SAYS_WHY(rhomb_align_mode(ctx, "A", 1, "C", 1, NULL, &options, &alignment));
    SAYS_WHY(rhomb_plan_distance(ctx, "A", 1, "C", 1, &options, &plan));
    SAYS_WHY(rhomb_plan_mode(ctx, "A", 1, "C", 1, NULL, NULL, &mode_plan));
    SAYS_WHY(rhomb_batch_create(ctx, &batch_options, &batch));
    SAYS_WHY(rhomb_batch_align(ctx, &pair, 1, &batch_options, &results));
    SAYS_WHY(rhomb_batch_distances(ctx, &pair, 1, &batch_options, &distance, NULL));
    SAYS_WHY(rhomb_matrix_digest(ctx, &sequence, 1, &matrix_options, digest));
    SAYS_WHY(rhomb_matrix_compute(ctx, &sequence, 1, &matrix_options, NULL));
    SAYS_WHY(rhomb_pairs_open(ctx, "/dev/null", NULL, &pairs_options, &pairs));
    SAYS_WHY(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK));
    SAYS_WHY(rhomb_ranks_serve(ctx, &ranks, RHOMB_OK));
}

/* Structures that options point to: of zeros, or of values that none has. */
static void refuse_pointed(rhomb_context *ctx, size_t size, const rhomb_scoring *scoring)
{
    const rhomb_tuning tuning = {.struct_size = size};
    const rhomb_guide guide = {.struct_size = size};
    const rhomb_batch_tuning batch_tuning = {.struct_size = size};
    const rhomb_matrix_tuning matrix_tuning = {.struct_size = size};
    rhomb_options options[3] = {RHOMB_OPTIONS_INIT, RHOMB_OPTIONS_INIT, RHOMB_OPTIONS_INIT};
    rhomb_batch_options batch[2] = {RHOMB_BATCH_OPTIONS_INIT, RHOMB_BATCH_OPTIONS_INIT};
    rhomb_matrix_options matrix[2] = {RHOMB_MATRIX_OPTIONS_INIT, RHOMB_MATRIX_OPTIONS_INIT};
    const rhomb_pair pair = {"ACGT", 4, "ACCT", 4};
    const rhomb_matrix_sequence sequence = {"ACGT", 4, "a"};
    rhomb_result *result = NULL;
    rhomb_alignment *alignment = NULL;
    rhomb_plan *plan = NULL;
    int64_t distance;
    options[0].tuning = &tuning;
    options[1].scoring = scoring;
    options[2].guide = &guide;
    batch[0].tuning = &batch_tuning;
    batch[1].scoring = scoring;
    matrix[0].tuning = &matrix_tuning;
    matrix[1].scoring = scoring;
    for (int i = 0; i < 3; i++) {
        REFUSED(rhomb_distance(ctx, "A", 1, "C", 1, &options[i], &result));
        REFUSED(rhomb_align(ctx, "A", 1, "C", 1, &options[i], &alignment));
        REFUSED(rhomb_plan_distance(ctx, "A", 1, "C", 1, &options[i], &plan));
    }
    for (int i = 0; i < 2; i++) {
        REFUSED(rhomb_batch_distances(ctx, &pair, 1, &batch[i], &distance, NULL));
        REFUSED(rhomb_matrix_compute(ctx, &sequence, 1, &matrix[i], NULL));
    }
    /* Not one to check: no operation crashes, or goes beyond 2^62. */
    for (rhomb_path_op op = 0; op < 16; op++) {
        const int64_t most = rhomb_scoring_op_score(scoring, UINT64_MAX << 4 | op);
        assert_true(most >= -(INT64_C(1) << 62) && most <= INT64_C(1) << 62);
    }
}

static void test_structures(void **state)
{
    static const int64_t VALUES[] = {INT64_MIN, -2, 0, INT64_MAX};
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    refuse_options(ctx, 0);
    refuse_options(ctx, 1 << 20);
    for (size_t i = 0; i < COUNT(VALUES); i++) {
        const int64_t x = VALUES[i];
        const rhomb_scoring scoring = {i % 2 == 0 ? x : 0, x, x, x, x, x, NULL};
        refuse_pointed(ctx, i % 2 == 0 ? 0 : 1 << 20, &scoring);
    }
    rhomb_context_destroy(ctx);
}

/* Of one rank alone there is nothing to join, and nothing to open. */
static void test_one_rank(void **state)
{
    const rhomb_ranks alone = RHOMB_RANKS_INIT;
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_join_ranks(ctx, &alone, RHOMB_OK), RHOMB_OK);
    assert_int_equal(rhomb_context_join_ranks(ctx, &alone, RHOMB_ERR_DEVICE), RHOMB_ERR_DEVICE);
    assert_int_equal(rhomb_context_device_count(ctx), 0);
    rhomb_context_destroy(ctx);
}

/* Sequences may be of another context than the PAF, which gets the detail. */
static void test_verify_detail(void **state)
{
    char path[2][64];
    static const char *const TEXTS[2] = {">t\nACGT\n",
                                         "q\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n"};
    rhomb_context *ctx = NULL, *other = NULL;
    rhomb_paf *paf = NULL;
    rhomb_sequence_set *set = NULL;
    rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/rhomb-test-details-%ld-%d", (long)getpid(), i);
        file_write_text(path[i], TEXTS[i]);
    }
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_create(&other, NULL), RHOMB_OK);
    assert_int_equal(rhomb_sequence_set_read(other, path[0], &set), RHOMB_OK);
    assert_int_equal(rhomb_paf_open(ctx, path[1], &paf), RHOMB_OK);
    assert_int_equal(rhomb_verify(paf, set, set, NULL, &report), RHOMB_ERR_INPUT);
    assert_contains(rhomb_context_error(ctx), "has no record 'q'");
    rhomb_paf_destroy(paf);
    rhomb_sequence_set_destroy(set);
    rhomb_context_destroy(other);
    rhomb_context_destroy(ctx);
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
}

TEST_MAIN(test_destroy, test_getters, test_numbers, test_nothing, test_structures, test_one_rank,
          test_verify_detail)
