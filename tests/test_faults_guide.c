/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while a guide is followed: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and costs that are garbage. The call fails with the
 * right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static fault_subject subject_of(int way)
{
    return fault_guide();
}

static fault_kind kind = {subject_of, 1, {7, 0}, {1, 8}};

/* Pieces that cost half of what they do. */
static void lower_scores(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; fault_are_strips(bytes) && i < bytes / sizeof *strips; i++) {
        strips[i].front[0].score /= 2;
        strips[i].front[1].score /= 2;
    }
}

static void test_garbage(void **state)
{
    static const fault_garbage cases[] = {{"all bytes 0", fault_set_zeros},
                                          {"all bytes 0x80", fault_set_high_bits},
                                          {"all bytes 0xff", fault_set_ones},
                                          {"ends that cannot be", fault_spoil_ends},
                                          {"scores that are none", fault_spoil_scores},
                                          {"scores that are low", lower_scores}};
    const fault_subject s = fault_guide();
    fault_expect_noticed(&s, cases, COUNT(cases));
}

/* A path that costs less than the lengths differ by is refused before there is a band for it. */
static void test_too_cheap(void **state)
{
    const fault_subject s = fault_guide();
    const fault_plan plan = {.tamper = lower_scores};
    fault_result result;
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    s.run(ctx, &s, &result); /* whose self-tests have passed then */
    assert_int_equal(result.status, RHOMB_OK);
    fault_begin(&plan);
    s.run(ctx, &s, &result);
    fault_end();
    assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
    fault_expect_detail(&result, "a path along the guide costs");
    rhomb_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULT_TESTS(kind),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_too_cheap),
    };
    return fault_run(tests);
}
