/* SPDX-License-Identifier: MIT */
/*
 * A device that fails under a batch: each OpenCL call in turn, alone and with all that follow, each
 * command that ends with an error, and answers that are garbage. What was delivered is right, the
 * batch fails with the right status, nothing stays behind, and the next batch is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"
#include "rhomb/batch.h"

/* PoCL's device, with memory of its own, so that bases go over a bus from pinned memory. */
#define IS_GPU                                      \
    {                                               \
        {CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},       \
        {                                           \
            CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE \
        }                                           \
    }

/* What is lost for good at one call is so at the next: these are further and further apart. */
static void fail_batch(fault_plan plan, fault_batch_work work)
{
    const fault_subject s = fault_batch(work);
    fault_fail_calls(&s, plan, (fault_steps){1, plan.lasting ? 16 : 0});
}

static void test_calls(void **state)
{
    for (int work = 0; work < FAULT_BATCH_WORKS; work++)
        fail_batch(FAULT_ALONE, (fault_batch_work)work);
}

static void test_calls_pinned(void **state)
{
    fail_batch((fault_plan){.numbers = IS_GPU}, FAULT_BATCH_PATHS);
}

/* A worker that cannot open, while others, still opening, have pairs in the caller's memory. */
static void test_opening(void **state)
{
    static const char *const functions[] = {"clCreateCommandQueue", "clCreateBuffer"};
    for (size_t i = 0; i < COUNT(functions); i++) {
        const fault_plan plan = {.function = functions[i], .slow = i == 0};
        fail_batch(plan, FAULT_BATCH_BORROWED);
        fail_batch(plan, FAULT_BATCH_ARRAY);
    }
}

/* No memory can be pinned: the batch goes on, and says so. */
static void test_pageable(void **state)
{
    static const fault_batch_work works[] = {FAULT_BATCH_PATHS, FAULT_BATCH_WORKERS,
                                             FAULT_BATCH_ARRAY};
    const fault_plan bus = {.numbers = IS_GPU};
    const fault_plan plan = {.numbers = IS_GPU,
                             .function = "clEnqueueMapBuffer",
                             .call = 1,
                             .lasting = true,
                             .code = CL_OUT_OF_HOST_MEMORY};
    for (size_t i = 0; i < COUNT(works); i++) {
        const fault_subject s = fault_batch(works[i]);
        fault_result result;
        rhomb_status status;
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        fault_begin(&bus);
        s.run(ctx, &s, &result);
        assert_int_equal(result.status, RHOMB_OK);
        assert_false(fault_logged("cannot be pinned"));
        const int64_t handles = fault_live_handles();
        fault_begin(&plan);
        s.run(ctx, &s, &result);
        const fault_outcome fault = fault_end();
        assert_non_null(fault.function);
        if (result.status != RHOMB_OK)
            fail_msg("without pinned memory: %s", result.detail);
        assert_true(fault_logged("cannot be pinned"));
        assert_true(fault_logged("CL_OUT_OF_HOST_MEMORY"));
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        rhomb_context_destroy(ctx);
    }
}

static void test_lost_device(void **state)
{
    for (int work = 0; work < FAULT_BATCH_WORKS; work++)
        fail_batch(FAULT_LOST, (fault_batch_work)work);
}

static void test_failed_commands(void **state)
{
    fail_batch(FAULT_COMMAND, FAULT_BATCH_WORKERS);
}

/* Opening, building, self-test. */
static void test_first_use(void **state)
{
    static const fault_batch_work works[] = {FAULT_BATCH_PATHS, FAULT_BATCH_PLANES};
    for (size_t i = 0; i < COUNT(works); i++) {
        const fault_subject s = fault_batch(works[i]);
        fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 16});
    }
}

/* Answers, after the counts. */
static rhomb_batch_answer *answers_in(void *data, size_t bytes, size_t *count)
{
    rhomb_batch_counts *counts = data;
    *count = bytes > sizeof *counts ? (bytes - sizeof *counts) / sizeof(rhomb_batch_answer) : 0;
    return (rhomb_batch_answer *)(counts + 1);
}

/* Answers that say a distance far beyond both lengths. */
static void spoil_distances(void *data, size_t bytes)
{
    size_t count;
    rhomb_batch_answer *answers = answers_in(data, bytes, &count);
    for (size_t i = 0; i < count; i++)
        answers[i].distance += 100000;
}

/* Operations that are where none are. */
static void spoil_places(void *data, size_t bytes)
{
    size_t count;
    rhomb_batch_answer *answers = answers_in(data, bytes, &count);
    for (size_t i = 0; i < count; i++)
        answers[i].cigar_at = UINT32_MAX - 1;
}

/* Operations before the first one: among the answers. */
static void spoil_places_low(void *data, size_t bytes)
{
    size_t count;
    rhomb_batch_answer *answers = answers_in(data, bytes, &count);
    for (size_t i = 0; i < count; i++)
        answers[i].cigar_at = 0;
}

/* What cannot be is noticed, and nothing is read there. */
static void test_garbage(void **state)
{
    static const fault_garbage cases[] = {
        {"all bytes 0x80", fault_set_high_bits}, {"all bytes 0xff", fault_set_ones},
        {"distances", spoil_distances},          {"places", spoil_places},
        {"low places", spoil_places_low},
    };
    const fault_subject s = fault_batch(FAULT_BATCH_PATHS);
    fault_expect_noticed(&s, cases, COUNT(cases));
}

static void test_self_test(void **state)
{
    const fault_subject s = fault_batch(FAULT_BATCH_PATHS);
    fault_expect_self_test(&s, spoil_distances, "distance 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),       cmocka_unit_test(test_calls_pinned),
        cmocka_unit_test(test_opening),     cmocka_unit_test(test_pageable),
        cmocka_unit_test(test_lost_device), cmocka_unit_test(test_failed_commands),
        cmocka_unit_test(test_first_use),   cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_self_test),
    };
    return fault_run(tests);
}
