/* SPDX-License-Identifier: MIT */
/*
 * The details of failures: every call that fails leaves one of its own, whatever was there
 * before. No device is needed: arguments are looked at first.
 */
#include "support/test.h"

#include <unistd.h>

#include <rhomb/align.h>
#include <rhomb/batch.h>
#include <rhomb/paf.h>
#include <rhomb/pairs.h>
#include <rhomb/plan.h>
#include <rhomb/verify.h>

static rhomb_context *ctx;

static int set_up(void **state)
{
    return rhomb_context_create(&ctx, NULL) == RHOMB_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    rhomb_context_destroy(ctx);
    return 0;
}

/* Leaves the detail of another call. */
static void fail_before(void)
{
    rhomb_sequence *sequence = NULL;
    assert_int_equal(rhomb_sequence_read(ctx, "/no/such/file", NULL, &sequence), RHOMB_ERR_INPUT);
    assert_non_null(strstr(rhomb_context_error(ctx), "/no/such/file"));
}

/* A failure's status, and that its detail is neither empty nor that of fail_before(). */
static void expect_own_detail(rhomb_status status, const char *call)
{
    const char *detail = rhomb_context_error(ctx);
    if (status != RHOMB_ERR_ARGUMENT)
        fail_msg("%s: %s", call, rhomb_status_name(status));
    if (detail[0] == '\0' || strstr(detail, "/no/such/file") != NULL)
        fail_msg("%s: the detail is '%s'", call, detail);
}

#define EXPECT_OWN_DETAIL(call)         \
    do {                                \
        fail_before();                  \
        expect_own_detail(call, #call); \
    } while (0)

static void test_arguments(void **state)
{
    static const rhomb_pair PAIR = {"A", 1, "A", 1};
    const rhomb_device_info *const *list = NULL;
    size_t count = 0;
    const rhomb_pair_result *const *results = NULL;
    EXPECT_OWN_DETAIL(rhomb_context_devices(ctx, NULL, &count));
    EXPECT_OWN_DETAIL(rhomb_context_devices(ctx, &list, NULL));
    EXPECT_OWN_DETAIL(rhomb_sequence_read(ctx, NULL, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_plan_distance(ctx, "A", 1, "A", 1, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_distance(ctx, "A", 1, "A", 1, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_align(ctx, "A", 1, "A", 1, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_batch_create(ctx, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_batch_distances(ctx, NULL, 1, NULL, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_batch_distances(ctx, &PAIR, 1, NULL, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_batch_align(ctx, &PAIR, 1, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_batch_align(ctx, NULL, 1, NULL, &results));
    EXPECT_OWN_DETAIL(rhomb_pairs_open(ctx, NULL, NULL, NULL, NULL));
    rhomb_pairs *pairs = NULL;
    rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
    options.one_to_many = true;
    EXPECT_OWN_DETAIL(rhomb_pairs_open(ctx, "-", NULL, &options, &pairs));
    options.struct_size++;
    EXPECT_OWN_DETAIL(rhomb_pairs_open(ctx, "-", "-", &options, &pairs));
    options.struct_size = 0;
    EXPECT_OWN_DETAIL(rhomb_pairs_open(ctx, "-", "-", &options, &pairs));
    EXPECT_OWN_DETAIL(rhomb_paf_open(ctx, NULL, NULL));
    EXPECT_OWN_DETAIL(rhomb_sequence_set_read(ctx, NULL, NULL));
}

/* Sequences may be of another context than the PAF, which gets the detail. */
static void test_verify(void **state)
{
    char path[2][64];
    static const char *const TEXTS[2] = {">t\nACGT\n",
                                         "q\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n"};
    rhomb_context *other = NULL;
    rhomb_paf *paf = NULL;
    rhomb_sequence_set *set = NULL;
    rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/rhomb-test-details-%ld-%d", (long)getpid(), i);
        FILE *file = fopen(path[i], "w");
        assert_non_null(file);
        assert_true(fputs(TEXTS[i], file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(rhomb_context_create(&other, NULL), RHOMB_OK);
    assert_int_equal(rhomb_sequence_set_read(other, path[0], &set), RHOMB_OK);
    assert_int_equal(rhomb_paf_open(ctx, path[1], &paf), RHOMB_OK);
    assert_int_equal(rhomb_verify(paf, set, set, NULL, &report), RHOMB_ERR_INPUT);
    assert_non_null(strstr(rhomb_context_error(ctx), "has no record 'q'"));
    rhomb_paf_destroy(paf);
    rhomb_sequence_set_destroy(set);
    rhomb_context_destroy(other);
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_verify, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
