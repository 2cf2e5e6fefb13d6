/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while it finds paths of base cases with gap-affine costs: each OpenCL call in
 * turn, alone and with all that follow, each command that ends with an error, and answers that are
 * garbage. The call fails with the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static void test_calls(void **state)
{
    const fault_subject s = fault_paths();
    fault_fail_calls(&s, (fault_plan){0}, FAULT_EACH_CALL);
}

static void test_lost_device(void **state)
{
    const fault_subject s = fault_paths();
    fault_fail_calls(&s, (fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES},
                     FAULT_EACH_CALL);
}

static void test_failed_commands(void **state)
{
    const fault_subject s = fault_paths();
    fault_fail_calls(&s, (fault_plan){.function = "clGetEventInfo", .by_command = true},
                     FAULT_EACH_CALL);
}

/* Opening, building, self-test. */
static void test_first_use(void **state)
{
    const fault_subject s = fault_paths();
    fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 16});
}

/* Whether what is read may be answers; operations may be as many. */
static bool are_answers(size_t bytes)
{
    return bytes % sizeof(rhomb_batch_answer) == 0;
}

static void spoil_costs(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; are_answers(bytes) && i < bytes / sizeof *answers; i++)
        answers[i].distance--;
}

/* Operations that are in no room. */
static void spoil_places(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; are_answers(bytes) && i < bytes / sizeof *answers; i++)
        answers[i].cigar_at = UINT32_MAX;
}

static void spoil_counts(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; are_answers(bytes) && i < bytes / sizeof *answers; i++)
        answers[i].cigar_count = i % 2 == 0 ? 0 : 100000;
}

static void test_garbage(void **state)
{
    static fault_tamper *const tampers[] = {fault_set_zeros, fault_set_ones, fault_set_high_bits,
                                            spoil_costs,     spoil_places,   spoil_counts};
    const fault_subject s = fault_paths();
    for (size_t i = 0; i < COUNT(tampers); i++) {
        char what[32];
        snprintf(what, sizeof what, "garbage %zu", i);
        fault_expect_tampered(&s, tampers[i], what, RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
}

/* A longer gap or run than there is. */
static void spoil_operations(void *data, size_t bytes)
{
    uint32_t *operations = data;
    if (bytes > 100) /* more than answers take */
        operations[0] += 16;
}

static void test_self_test(void **state)
{
    const fault_subject s = fault_paths();
    fault_expect_self_test(&s, spoil_operations, "self-test of the kernels for base cases");
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
