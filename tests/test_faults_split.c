/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while problems are split: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and points that are garbage. The call fails with
 * the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_opencl.h"
#include "fault_split.h"

#define MOST_CALLS 10000 /* far more than any of the runs makes */

/* Whether the result is what may come of the failure. */
static void check_result(const fault_plan *plan, const fault_outcome *fault,
                         const fault_result *result)
{
    if (result->status == RHOMB_OK)
        return; /* all points came out, and right: fault_split_run() has looked */
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

/* Fails each call of a run in turn, in a context that stays. */
static void fail_calls(fault_plan plan, fault_split_way way)
{
    fault_result result;
    rhomb_status status;
    bool failed = true;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    fault_split_run(ctx, way, &result); /* builds what stays with the context */
    if (result.status != RHOMB_OK)
        fail_msg("%s", result.detail);
    const int64_t handles = fault_live_handles();
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call++) {
        fault_begin(&plan);
        fault_split_run(ctx, way, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        if (failed && result.status == RHOMB_OK && strncmp(fault.function, "clRelease", 9) != 0)
            fail_msg("call %lld, %s, failed without a trace", (long long)plan.call, fault.function);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        fault_split_run(ctx, way, &result);
        if (result.status != RHOMB_OK)
            fail_msg("after the failure of call %lld: %s", (long long)plan.call, result.detail);
    }
    assert_true(plan.call > (plan.function == NULL ? 50 : 3));
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

static void test_calls(void **state)
{
    fail_calls((fault_plan){0}, FAULT_SPLIT_GROUPS);
    fail_calls((fault_plan){0}, FAULT_SPLIT_BANDS);
    fail_calls((fault_plan){0}, FAULT_SPLIT_SWEEPS);
}

static void test_lost_device(void **state)
{
    const fault_plan plan = {.lasting = true, .code = CL_OUT_OF_RESOURCES};
    fail_calls(plan, FAULT_SPLIT_GROUPS);
    fail_calls(plan, FAULT_SPLIT_BANDS);
    fail_calls(plan, FAULT_SPLIT_SWEEPS);
}

static void test_failed_commands(void **state)
{
    const fault_plan plan = {.function = "clGetEventInfo", .by_command = true};
    fail_calls(plan, FAULT_SPLIT_GROUPS);
    fail_calls(plan, FAULT_SPLIT_BANDS);
    fail_calls(plan, FAULT_SPLIT_SWEEPS);
}

/* Each call of a first use: opening, building, self-test. Later ones are further apart. */
static void fail_first_use(fault_split_way way)
{
    fault_result result;
    bool failed = true;
    fault_split_first_use(way, &result); /* fills the cache */
    for (int64_t call = 1; failed; call += 1 + call / 16) {
        const fault_plan plan = {.call = call, .code = CL_OUT_OF_HOST_MEMORY};
        fault_begin(&plan);
        fault_split_first_use(way, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_int_equal(result.status, RHOMB_OK);
}

static void test_first_use(void **state)
{
    fail_first_use(FAULT_SPLIT_GROUPS);
    fail_first_use(FAULT_SPLIT_BANDS);
    fail_first_use(FAULT_SPLIT_SWEEPS);
}

/* ------------------------------------------------------------------ garbage */

static void set_bytes(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

static void set_zeros(void *data, size_t bytes)
{
    memset(data, 0, bytes);
}

/* Points outside of the ranges. */
static void spoil_places(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].target += 5000;
}

/* Points inside, with parts whose lengths differ too much. */
static void spoil_diagonals(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].query = 0;
}

static void say_apart(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].status = RHOMB_SPLIT_APART;
}

/* Whether what is read are the records of sweeps. */
static bool are_strips(size_t bytes)
{
    return bytes >= sizeof(rhomb_strip) && bytes % sizeof(rhomb_strip) == 0;
}

/* Strips that end or begin where they cannot. */
static void spoil_ends(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].end = strips[i].front[1].end = INT64_MIN;
}

static void spoil_begins(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].begin = strips[i].front[1].begin = INT64_MAX - 1;
}

/* Scores that are none. */
static void spoil_scores(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].score = strips[i].front[1].score = INT64_MAX;
}

/* Scores that could be, but are not. */
static void raise_scores(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; are_strips(bytes) && i < bytes / sizeof *strips; i++) {
        strips[i].front[0].score++;
        strips[i].front[1].score++;
    }
}

/* All but the records: the differences in the middle columns. */
static void spoil_differences(void *data, size_t bytes)
{
    if (!are_strips(bytes))
        memset(data, 0xff, bytes);
}

/* In a context whose self-test has passed, what cannot be is noticed. */
static void expect_noticed(fault_split_way way, void (*const *tampers)(void *, size_t),
                           size_t count)
{
    fault_result result;
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    fault_split_run(ctx, way, &result);
    assert_int_equal(result.status, RHOMB_OK);
    const int64_t handles = fault_live_handles();
    for (size_t i = 0; i < count; i++) {
        const fault_plan plan = {.tamper = tampers[i]};
        fault_begin(&plan);
        fault_split_run(ctx, way, &result);
        fault_end();
        if (result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
            fail_msg("garbage %d: %s", (int)i, rhomb_status_name(result.status));
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        fault_split_run(ctx, way, &result);
        assert_int_equal(result.status, RHOMB_OK);
    }
    rhomb_context_destroy(ctx);
}

static void test_garbage(void **state)
{
    static void (*const points[])(void *, size_t) = {set_bytes, set_zeros, spoil_places,
                                                     spoil_diagonals, say_apart};
    static void (*const sweeps[])(void *, size_t) = {set_bytes,        set_zeros,    spoil_ends,
                                                     spoil_begins,     spoil_scores, raise_scores,
                                                     spoil_differences};
    expect_noticed(FAULT_SPLIT_GROUPS, points, COUNT(points));
    expect_noticed(FAULT_SPLIT_BANDS, points, COUNT(points));
    expect_noticed(FAULT_SPLIT_SWEEPS, sweeps, COUNT(sweeps));
}

/* A point beside the right one. */
static void spoil_a_little(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++) {
        points[i].target -= 1;
        points[i].query -= 1;
    }
}

/* A device that is wrong from the beginning does not pass the self-test. */
static void test_self_test(void **state)
{
    const fault_plan plan = {.tamper = spoil_a_little};
    fault_result result;
    for (int bands = 0; bands <= 1; bands++) {
        fault_begin(&plan);
        fault_split_first_use(bands ? FAULT_SPLIT_BANDS : FAULT_SPLIT_GROUPS, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_expect_detail(&result, "self-test of the split kernel");
        assert_int_equal(fault_live_handles(), 0);
    }
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
