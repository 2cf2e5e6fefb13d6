/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while a guide is followed: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and costs that are garbage. The call fails with the
 * right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static void test_calls(void **state)
{
    const fault_subject s = fault_guide();
    fault_fail_calls(&s, (fault_plan){0}, FAULT_EACH_CALL);
}

static void test_lost_device(void **state)
{
    const fault_subject s = fault_guide();
    fault_fail_calls(&s, (fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES},
                     (fault_steps){7, 0});
}

static void test_failed_commands(void **state)
{
    const fault_subject s = fault_guide();
    fault_fail_calls(&s, (fault_plan){.function = "clGetEventInfo", .by_command = true},
                     FAULT_EACH_CALL);
}

/* Opening, building, self-tests. */
static void test_first_use(void **state)
{
    const fault_subject s = fault_guide();
    fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 8});
}

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
    static const struct {
        const char *what;
        fault_tamper *tamper;
    } cases[] = {{"all bytes 0", fault_set_zeros},
                 {"all bytes 0x80", fault_set_high_bits},
                 {"all bytes 0xff", fault_set_ones},
                 {"ends that cannot be", fault_spoil_ends},
                 {"scores that are none", fault_spoil_scores},
                 {"scores that are low", lower_scores}};
    const fault_subject s = fault_guide();
    for (size_t i = 0; i < COUNT(cases); i++)
        fault_expect_tampered(&s, cases[i].tamper, cases[i].what, RHOMB_ERR_DEVICE_WRONG_RESULT);
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
        cmocka_unit_test_setup(test_calls, fault_start_afresh),
        cmocka_unit_test_setup(test_lost_device, fault_start_afresh),
        cmocka_unit_test_setup(test_failed_commands, fault_start_afresh),
        cmocka_unit_test_setup(test_first_use, fault_start_afresh),
        cmocka_unit_test_setup(test_garbage, fault_start_afresh),
        cmocka_unit_test_setup(test_too_cheap, fault_start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
