/* SPDX-License-Identifier: MIT */
/*
 * A device that fails under a batch: each OpenCL call in turn, alone and with all that follow, each
 * command that ends with an error, and answers that are garbage. What was delivered is right, the
 * batch fails with the right status, nothing stays behind, and the next batch is as good.
 */
#include "cl/abi.h"
#include "fault_batch.h"
#include "fault_opencl.h"

#define MOST_CALLS 100000 /* far more than any of the runs makes */

/* PoCL's device, with memory of its own, so that letters go over a bus from pinned memory. */
#define IS_GPU                                      \
    {                                               \
        {CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},       \
        {                                           \
            CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE \
        }                                           \
    }

/* Whether the result is what may come of the failure. */
static void check_result(const fault_plan *plan, const fault_outcome *fault,
                         const fault_result *result)
{
    if (result->status == RHOMB_OK)
        return; /* all pairs came out, and right: fault_batch_run() has looked */
    if (fault->function == NULL)
        fail_msg("%s without a failure: %s", rhomb_status_name(result->status), result->detail);
    switch (result->status) {
    case RHOMB_ERR_NO_DEVICE:
    case RHOMB_ERR_DEVICE:
    case RHOMB_ERR_BUILD:
    case RHOMB_ERR_MEMORY:
    case RHOMB_ERR_DEVICE_MEMORY:
        break;
    default:
        fail_msg("call %lld, %s: %s: %s", (long long)plan->call, fault->function,
                 rhomb_status_name(result->status), result->detail);
    }
    fault_expect_detail(result, rhomb__cl_error_name(fault->code));
}

/*
 * Calls whose failure may change nothing; all others have to be noticed. Among those that pin
 * memory for a bus, without which a batch goes on, are some that do other things.
 */
static bool is_optional(const fault_plan *plan, const char *function)
{
    const bool bus = plan->numbers[0].asked != 0;
    static const char *const functions[] = {
        "clFinish",         "clGetDeviceInfo",       "clGetPlatformInfo",         "clGetDeviceIDs",
        "clGetProgramInfo", "clGetProgramBuildInfo", "clCreateProgramWithBinary", "clBuildProgram"};
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(function, functions[i]) == 0)
            return true;
    if (bus &&
        (strcmp(function, "clCreateBuffer") == 0 || strcmp(function, "clEnqueueMapBuffer") == 0))
        return true;
    return strncmp(function, "clRelease", 9) == 0 || strstr(function, "Unmap") != NULL;
}

/* Fails each call of a batch in turn, in a context that stays. */
static void fail_batch(fault_plan plan, fault_batch_work work)
{
    fault_result result;
    rhomb_status status;
    bool failed = true;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    const fault_plan numbers_only = {.numbers = {{plan.numbers[0].asked, plan.numbers[0].answer},
                                                 {plan.numbers[1].asked, plan.numbers[1].answer}}};
    fault_begin(&numbers_only);
    fault_batch_run(ctx, work, &result); /* builds what stays with the context */
    if (result.status != RHOMB_OK)
        fail_msg("%s", result.detail);
    const int64_t handles = fault_live_handles();
    /* What is lost for good at one call is so at the next: these are further and further apart. */
    for (plan.call = 1; failed && plan.call < MOST_CALLS;
         plan.call += plan.lasting ? 1 + plan.call / 16 : 1) {
        fault_begin(&plan);
        fault_batch_run(ctx, work, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        if (failed && !plan.by_command && result.status == RHOMB_OK &&
            !is_optional(&plan, fault.function))
            fail_msg("call %lld, %s, failed without a trace", (long long)plan.call, fault.function);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        fault_batch_run(ctx, work, &result);
        if (result.status != RHOMB_OK)
            fail_msg("after the failure of call %lld: %s", (long long)plan.call, result.detail);
    }
    assert_true(plan.call > (plan.function == NULL ? 50 : 2));
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

static void test_calls(void **state)
{
    for (int work = 0; work < FAULT_BATCH_WORKS; work++)
        fail_batch((fault_plan){0}, (fault_batch_work)work);
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
        fault_result result;
        rhomb_status status;
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        fault_begin(&bus);
        fault_batch_run(ctx, works[i], &result);
        assert_int_equal(result.status, RHOMB_OK);
        assert_false(fault_logged("cannot be pinned"));
        const int64_t handles = fault_live_handles();
        fault_begin(&plan);
        fault_batch_run(ctx, works[i], &result);
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
        fail_batch((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES},
                   (fault_batch_work)work);
}

static void test_failed_commands(void **state)
{
    fail_batch((fault_plan){.function = "clGetEventInfo", .by_command = true}, FAULT_BATCH_WORKERS);
}

/* Each call of a first use: opening, building, self-test. Later ones are further apart. */
static void test_first_use(void **state)
{
    fault_result result;
    bool failed = true;
    fault_batch_first_use(FAULT_BATCH_PATHS, &result); /* fills the cache */
    for (int64_t call = 1; failed; call += 1 + call / 16) {
        const fault_plan plan = {.call = call, .code = CL_OUT_OF_HOST_MEMORY};
        fault_begin(&plan);
        fault_batch_first_use(FAULT_BATCH_PATHS, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_int_equal(result.status, RHOMB_OK);
}

/* ------------------------------------------------------------------ garbage */

static void set_bytes(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

static void set_ones(void *data, size_t bytes)
{
    memset(data, 0xff, bytes);
}

/* Answers, behind the counts. */
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

/* In a context whose self-test has passed, what cannot be is noticed, and nothing is read there. */
static void test_garbage(void **state)
{
    static void (*const tampers[])(void *, size_t) = {set_bytes, set_ones, spoil_distances,
                                                      spoil_places, spoil_places_low};
    for (size_t i = 0; i < COUNT(tampers); i++) {
        const fault_plan plan = {.tamper = tampers[i]};
        fault_result result;
        rhomb_status status;
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        fault_batch_run(ctx, FAULT_BATCH_PATHS, &result);
        assert_int_equal(result.status, RHOMB_OK);
        const int64_t handles = fault_live_handles();
        fault_begin(&plan);
        fault_batch_run(ctx, FAULT_BATCH_PATHS, &result);
        fault_end();
        if (result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
            fail_msg("garbage %zu: %s", i, rhomb_status_name(result.status));
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        fault_batch_run(ctx, FAULT_BATCH_PATHS, &result);
        assert_int_equal(result.status, RHOMB_OK);
        rhomb_context_destroy(ctx);
    }
}

/* A device that is wrong from the beginning does not pass the self-test. */
static void test_self_test(void **state)
{
    const fault_plan plan = {.tamper = spoil_distances};
    fault_result result;
    fault_begin(&plan);
    fault_batch_first_use(FAULT_BATCH_PATHS, &result);
    fault_end();
    assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
    assert_int_equal(fault_live_handles(), 0);
}

/* A test that failed may have left a plan and handles. */
static int start_afresh(void **state)
{
    fault_end();
    fault_forget_handles();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_calls, start_afresh),
        cmocka_unit_test_setup(test_calls_pinned, start_afresh),
        cmocka_unit_test_setup(test_opening, start_afresh),
        cmocka_unit_test_setup(test_pageable, start_afresh),
        cmocka_unit_test_setup(test_lost_device, start_afresh),
        cmocka_unit_test_setup(test_failed_commands, start_afresh),
        cmocka_unit_test_setup(test_first_use, start_afresh),
        cmocka_unit_test_setup(test_garbage, start_afresh),
        cmocka_unit_test_setup(test_self_test, start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
