/* SPDX-License-Identifier: MIT */
/*
 * A device that fails under a distance matrix: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and answers that are garbage. What was delivered is
 * right, the call fails with the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static void fail_matrix(fault_plan plan)
{
    const fault_subject s = fault_matrix();
    fault_fail_calls(&s, plan, (fault_steps){1, plan.lasting ? 16 : 0});
}

static void test_calls(void **state)
{
    fail_matrix((fault_plan){0});
}

static void test_lost_device(void **state)
{
    fail_matrix((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES});
}

static void test_failed_commands(void **state)
{
    fail_matrix((fault_plan){.function = "clGetEventInfo", .by_command = true});
}

/* Opening, building, self-test. */
static void test_first_use(void **state)
{
    const fault_subject s = fault_matrix();
    fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 16});
}

/* Distances far beyond both lengths. */
static void spoil_distances(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; i < bytes / sizeof *answers && bytes % sizeof *answers == 0; i++)
        answers[i].distance += 100000;
}

static void test_garbage(void **state)
{
    const fault_subject s = fault_matrix();
    fault_expect_tampered(&s, spoil_distances, "distances", RHOMB_ERR_DEVICE_WRONG_RESULT);
    fault_expect_tampered(&s, fault_set_high_bits, "all bytes 0x80", RHOMB_ERR_DEVICE_WRONG_RESULT);
}

/* Distances that could be. */
static void spoil_little(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; i < bytes / sizeof *answers && bytes % sizeof *answers == 0; i++)
        answers[i].distance ^= answers[i].distance > 1;
}

static void test_self_test(void **state)
{
    const fault_subject s = fault_matrix();
    fault_expect_self_test(&s, spoil_little, "self-test of the kernels for matrices");
    fault_expect_self_test(&s, spoil_distances, "distance 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_calls, fault_start_afresh),
        cmocka_unit_test_setup(test_lost_device, fault_start_afresh),
        cmocka_unit_test_setup(test_failed_commands, fault_start_afresh),
        cmocka_unit_test_setup(test_first_use, fault_start_afresh),
        cmocka_unit_test_setup(test_garbage, fault_start_afresh),
        cmocka_unit_test_setup(test_self_test, fault_start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
