/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while it finds paths of base cases with gap-affine costs: each OpenCL call in
 * turn, alone and with all that follow, each command that ends with an error, and answers that are
 * garbage. The call fails with the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static fault_subject subject_of(int way)
{
    return fault_paths();
}

static fault_kind kind = {subject_of, 1, {1, 0}, {1, 16}};

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
    static const fault_garbage cases[] = {
        FAULT_GARBAGE(fault_set_zeros),     FAULT_GARBAGE(fault_set_ones),
        FAULT_GARBAGE(fault_set_high_bits), FAULT_GARBAGE(spoil_costs),
        FAULT_GARBAGE(spoil_places),        FAULT_GARBAGE(spoil_counts)};
    const fault_subject s = fault_paths();
    fault_expect_noticed(&s, cases, COUNT(cases));
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
        FAULT_TESTS(kind),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_self_test),
    };
    return fault_run(tests);
}
