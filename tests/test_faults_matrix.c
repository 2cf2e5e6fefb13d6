/* SPDX-License-Identifier: MIT */
/*
 * A device that fails under a distance matrix: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and answers that are garbage. What was delivered is
 * right, the call fails with the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static fault_subject subject_of(int way)
{
    return fault_matrix();
}

static fault_kind kind = {subject_of, 1, {1, 16}, {1, 16}};

/* Distances far beyond both lengths. */
static void spoil_distances(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data; /* after the counts, which are as records of them */
    for (size_t i = sizeof(rhomb_batch_counts) / sizeof *answers; i < bytes / sizeof *answers; i++)
        answers[i].distance += 100000;
}

static void test_garbage(void **state)
{
    const fault_subject s = fault_matrix();
    static const fault_garbage cases[] = {FAULT_GARBAGE(spoil_distances),
                                          FAULT_GARBAGE(fault_set_high_bits)};
    fault_expect_noticed(&s, cases, COUNT(cases));
}

/* Distances that could be. */
static void spoil_little(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = sizeof(rhomb_batch_counts) / sizeof *answers; i < bytes / sizeof *answers; i++)
        answers[i].distance ^= answers[i].distance > 1;
}

static void test_self_test(void **state)
{
    const fault_subject s = fault_matrix();
    fault_expect_self_test(&s, spoil_little, "self-test of the batch kernels");
    fault_expect_self_test(&s, spoil_distances, "distance 1000");
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
