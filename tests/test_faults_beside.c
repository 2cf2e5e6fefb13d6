/* SPDX-License-Identifier: MIT */
/*
 * Contexts that share a device, where OpenCL fails in one of them: that one's call has the error
 * and leaves nothing behind, and the other one's is as good as before. How many calls of OpenCL
 * another context costs; and what kernels of a small device allow.
 */
#include "fault_driver.h"

/* CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, which older headers lack. */
#define DEVICE_WAVE 0x1067

/* Each has a queue of its own, as on a GPU: nothing here runs at the same time. */
rhomb__quirks __real_rhomb__quirks_of(const rhomb_device_info *info);
rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info);

rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info)
{
    rhomb__quirks quirks = __real_rhomb__quirks_of(info);
    quirks.one_queue = quirks.shares_queue = false;
    return quirks;
}

typedef struct two {
    rhomb_context *first, *beside;
} two;

static rhomb_context *create(void)
{
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    return ctx;
}

static two open_both(void)
{
    const two t = {create(), create()};
    assert_int_equal(rhomb_context_open(t.first, NULL, 0), RHOMB_OK);
    assert_int_equal(rhomb_context_open_beside(t.beside, t.first, 0), RHOMB_OK);
    return t;
}

static void close_both(two t, bool first_last)
{
    rhomb_context_destroy(first_last ? t.beside : t.first);
    rhomb_context_destroy(first_last ? t.first : t.beside);
    assert_int_equal(fault_live_handles(), 0);
    fault_check_use();
}

static void expect_right(rhomb_context *ctx, const fault_subject *s, const char *which)
{
    fault_result result;
    s->run(ctx, s, &result);
    if (result.status != RHOMB_OK || result.distance != s->distance)
        fail_msg("%s: %lld, not %lld: %s", which, (long long)result.distance,
                 (long long)s->distance, result.detail);
}

/* Calls of a function that opening and a run in it take; NULL: of all. */
static int64_t count_calls(rhomb_context *ctx, const rhomb_context *first, const fault_subject *s,
                           const char *function)
{
    const fault_plan plan = {.function = function};
    fault_begin(&plan);
    assert_int_equal(rhomb_context_open_beside(ctx, first, 0), RHOMB_OK);
    if (s != NULL)
        expect_right(ctx, s, function != NULL ? function : "all");
    return fault_end().calls;
}

/* A queue is all that opening takes, and nothing of what the first one has built is built again. */
static void test_cost(void **state)
{
    static const char *const built[] = {"clCreateContext", "clCreateProgramWithSource",
                                        "clCreateProgramWithBinary", "clBuildProgram",
                                        "clCreateKernelsInProgram"};
    const two t = open_both();
    rhomb_context *ctx = create();
    const fault_subject s = fault_align(RHOMB_ENGINE_BITPARALLEL);
    expect_right(t.first, &s, "first");
    assert_int_equal(count_calls(ctx, t.first, NULL, NULL), 1);
    rhomb_context_destroy(ctx);
    ctx = create();
    for (size_t i = 0; i < COUNT(built); i++)
        assert_int_equal(count_calls(ctx, t.first, &s, built[i]), 0);
    rhomb_context_destroy(ctx);
    /* Known-answer tests would have more kernels. */
    fault_begin(&(fault_plan){.function = "clCreateKernel"});
    expect_right(t.first, &s, "first");
    const int64_t usual = fault_end().calls;
    ctx = create();
    assert_int_equal(count_calls(ctx, t.first, &s, "clCreateKernel"), usual);
    rhomb_context_destroy(ctx);
    close_both(t, false);
}

/* Opening fails: nothing is open, or what was before. */
static void test_opening(void **state)
{
    const fault_plan plan = {.call = 1, .function = "clCreateCommandQueue"};
    fault_job job;
    fault_make_job(&job, FAULT_FEW_CALLS);
    const fault_subject s = fault_distance(&job);
    const two t = open_both();
    rhomb_context *ctx = create();
    for (int round = 0; round < 2; round++) {
        const int64_t handles = fault_live_handles();
        const rhomb_device_info *before = rhomb_context_device(ctx);
        fault_begin(&plan);
        assert_int_equal(rhomb_context_open_beside(ctx, t.first, 0), RHOMB_ERR_DEVICE);
        assert_string_equal(fault_end().function, plan.function);
        assert_non_null(strstr(rhomb_context_error(ctx), "clCreateCommandQueue"));
        assert_non_null(strstr(rhomb_context_error(ctx), "while opening device #"));
        assert_ptr_equal(rhomb_context_device(ctx), before);
        assert_int_equal(fault_live_handles(), handles);
        assert_int_equal(rhomb_context_open_beside(ctx, t.first, 0), RHOMB_OK);
        expect_right(ctx, &s, "opened");
    }
    rhomb_context_destroy(ctx);
    expect_right(t.first, &s, "first");
    close_both(t, true);
}

/* Each call of a run fails in turn, and the other context does not notice. */
static void fail_calls(const fault_subject *s, fault_plan plan, int64_t apart)
{
    const two t = open_both();
    bool failed = true;
    expect_right(t.first, s, "first");
    expect_right(t.beside, s, "beside");
    const int64_t handles = fault_live_handles();
    for (plan.call = 1; failed; plan.call += apart) {
        fault_result result;
        fault_begin(&plan);
        s->run(t.beside, s, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        fault_check_result(s, &plan, &fault, &result);
        assert_int_equal(fault_live_handles(), handles);
        expect_right(t.first, s, "first");
    }
    assert_true(plan.call > s->least_calls);
    expect_right(t.beside, s, "beside");
    close_both(t, plan.lasting);
}

static void test_run(void **state)
{
    static const fault_work works[] = {FAULT_TRAPEZOIDS, FAULT_SWEEPS};
    for (size_t i = 0; i < COUNT(works); i++) {
        fault_job job;
        fault_make_job(&job, works[i]);
        const fault_subject s = fault_distance(&job);
        fail_calls(&s, FAULT_ALONE, 3);
        fail_calls(&s, FAULT_LOST, 16);
    }
}

/* What fails in a context that is the first to need its programs is done again by the other one. */
static void test_first_use(void **state)
{
    fault_plan plan = {.code = CL_OUT_OF_RESOURCES};
    fault_job job;
    fault_make_job(&job, FAULT_FEW_CALLS);
    const fault_subject s = fault_distance(&job);
    bool failed = true;
    for (plan.call = 1; failed; plan.call += 1 + plan.call / 16) {
        fault_result result;
        const two t = open_both();
        fault_begin(&plan);
        s.run(t.beside, &s, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        fault_check_result(&s, &plan, &fault, &result);
        expect_right(t.first, &s, "first");
        expect_right(t.beside, &s, "beside");
        close_both(t, plan.call % 2 == 0);
    }
    assert_true(plan.call > 50);
}

/*
 * A kernel allows smaller groups than were chosen: each context chooses again, and the program that
 * is no use is built once.
 */
static void test_small_groups(void **state)
{
    const fault_plan plan = {.numbers = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},
                                         {CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE},
                                         {DEVICE_WAVE, 64}},
                             .limited = "rhomb_wavefront_advance",
                             .group_limit = 64,
                             .function = "clBuildProgram",
                             .quick = true};
    const rhomb_tuning tuning = RHOMB_TUNING_INIT;
    fault_job job;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning = tuning;
    const fault_subject s = fault_distance(&job);
    fault_begin(&plan);
    const two t = open_both();
    expect_right(t.first, &s, "first");
    const int64_t of_first = fault_end().calls;
    fault_begin(&plan);
    assert_true(fault_logged("smaller groups: "));
    expect_right(t.beside, &s, "beside");
    const int64_t of_beside = fault_end().calls;
    assert_int_equal(rhomb_context_device(t.first)->max_group_size, 64);
    assert_int_equal(rhomb_context_device(t.beside)->max_group_size, 64);
    assert_true(of_first > 1);
    assert_int_equal(of_beside, 0);
    close_both(t, false);
    /* One that is opened later knows. */
    fault_begin(&plan);
    const two later = {create(), create()};
    assert_int_equal(rhomb_context_open(later.first, NULL, 0), RHOMB_OK);
    expect_right(later.first, &s, "first");
    assert_int_equal(rhomb_context_open_beside(later.beside, later.first, 0), RHOMB_OK);
    assert_int_equal(rhomb_context_device(later.beside)->max_group_size, 64);
    expect_right(later.beside, &s, "beside");
    fault_end();
    close_both(later, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost),         cmocka_unit_test(test_opening),
        cmocka_unit_test(test_run),          cmocka_unit_test(test_first_use),
        cmocka_unit_test(test_small_groups),
    };
    return fault_run(tests);
}
