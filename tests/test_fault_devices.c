/* SPDX-License-Identifier: MIT */
/*
 * Devices that are not there or of no use, that cannot pin memory, of several the one that fails;
 * and what another context on a device costs.
 */
#include "fault_tester.h"

/* CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, which older headers lack. */
#define DEVICE_WAVE 0x1067

/* Nothing is listed, for whatever reason: no error of the list, and hints where to look. */
static void expect_empty_list(const fault_plan *plan, const char *text)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 1;
    rhomb_status status;
    fault_begin(plan);
    rhomb_context *ctx = fault_create_context(false, &status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_devices(ctx, &list, &count), RHOMB_OK);
    assert_int_equal(count, 0);
    for (int i = 0; i < 2; i++) {
        const char *detail = rhomb_context_error(ctx);
        if (strstr(detail, text) == NULL || strstr(detail, "package pocl-opencl-icd") == NULL)
            fail_msg("no \"%s\" or no hints in: %s", text, detail);
        assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_ERR_NO_DEVICE);
    }
    assert_null(rhomb_context_device(ctx));
    rhomb_context_destroy(ctx);
    fault_end();
}

static void test_no_device(void **state)
{
    const fault_plan no_icd = {
        .call = 1, .lasting = true, .function = "clGetPlatformIDs", .code = -1001};
    const fault_plan no_platforms = {.no_platforms = true};
    const fault_plan no_devices = {
        .call = 1, .lasting = true, .function = "clGetDeviceIDs", .code = CL_DEVICE_NOT_FOUND};
    expect_empty_list(&no_icd, "no OpenCL device found");
    expect_empty_list(&no_platforms, "no OpenCL device found");
    expect_empty_list(&no_devices, "lists no device: CL_DEVICE_NOT_FOUND");
}

/* Devices that are listed, but of no use. */
static void test_unusable_device(void **state)
{
    static const struct {
        cl_device_info asked;
        const char *text;
        cl_ulong answer;
    } cases[] = {
        {CL_DEVICE_AVAILABLE, "not usable: its driver says that it is not available", 0},
        {CL_DEVICE_COMPILER_AVAILABLE, "not usable: its driver has no compiler", 0},
        {CL_DEVICE_ENDIAN_LITTLE, "not usable: its byte order is not little endian", 0},
        {CL_DEVICE_GLOBAL_MEM_SIZE, "not usable: its driver says that it has no memory", 0},
        {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
         "not usable: its driver says that work-items have no dimension", 0},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE,
         "not usable: groups of 64 work-items are needed, and it allows 63", 63},
        {CL_DEVICE_MAX_WORK_ITEM_SIZES,
         "not usable: groups of 64 work-items are needed, and it allows 32", 32},
        {CL_DEVICE_LOCAL_MEM_SIZE,
         "not usable: 16384 bytes of local memory are needed, and it has 1024", 1024},
    };
    fault_job job;
    fault_result result;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fault_plan plan = {.numbers = {{cases[i].asked, cases[i].answer}}};
        fault_first_solve(&job, &plan, &result);
        assert_int_equal(result.status, RHOMB_ERR_NO_DEVICE);
        fault_expect_detail(&result, "none of the OpenCL devices is usable\nDevices found:\n  #0 ");
        fault_expect_detail(&result, cases[i].text);
    }
}

/* A device by its number, whose profile is not the full one: the error says why it is refused. */
static void test_embedded_profile(void **state)
{
    const fault_plan plan = {.profile = "EMBEDDED_PROFILE"};
    rhomb_status status;
    fault_begin(&plan);
    rhomb_context *ctx = fault_create_context(false, &status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, "0", 0), RHOMB_ERR_NO_DEVICE);
    const char *detail = rhomb_context_error(ctx);
    if (strstr(detail, "is not usable: the full profile of OpenCL is needed, and it has "
                       "\"EMBEDDED_PROFILE\"") == NULL)
        fail_msg("%s", detail);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_ERR_NO_DEVICE);
    assert_int_equal(rhomb_context_open(ctx, "all", 0), RHOMB_ERR_NO_DEVICE);
    rhomb_context_destroy(ctx);
    fault_end();
}

#define UNPINNED "cannot be pinned ("

/* No memory can be pinned: a call goes on, and says so; a failure of what comes after is one. */
static void test_pinned(void **state)
{
    static const char *const subjects[] = {"pinned", "batch", "batch, workers", "batch, array"};
    const fault_plan unpinned = {.function = "clEnqueueMapBuffer",
                                 .call = 1,
                                 .lasting = true,
                                 .code = CL_OUT_OF_HOST_MEMORY};
    for (size_t i = 0; i < COUNT(subjects); i++) {
        const fault_subject s = fault_subject_named(subjects[i]);
        fault_result result;
        int64_t sum;
        rhomb_context *ctx = fault_warm_context(&s, &sum);
        const int64_t handles = fault_live_handles();
        assert_false(fault_logged("cannot be pinned"));
        fault_begin(&unpinned);
        s.run(ctx, &s, &result);
        assert_non_null(fault_end().function);
        if (result.status != RHOMB_OK)
            fail_msg("without pinned memory: %s", result.detail);
        assert_int_equal(result.sum, sum);
        assert_true(fault_logged("cannot be pinned"));
        assert_true(fault_logged("CL_OUT_OF_HOST_MEMORY"));
        fault_check_left(handles);
        rhomb_context_destroy(ctx);
    }
}

/* Where there is no memory at all, what comes after the pinned memory says so. */
static void test_no_buffers(void **state)
{
    fault_plan plan = {.function = "clCreateBuffer", .call = 1, .lasting = true};
    const fault_subject s = fault_subject_named("pinned");
    fault_result result;
    do {
        fault_begin(&plan);
        fault_first_use(&s, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_MEMORY);
        fault_expect_detail(&result, "clCreateBuffer");
        plan.call++;
    } while (!fault_logged(UNPINNED));
}

/* Each device fails at some of these calls, and is named, in the first words. */
static void expect_both(const fault_subject *s)
{
    bool named[2] = {false, false};
    fault_result result;
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(false, &status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, "all", 0), RHOMB_OK);
    s->run(ctx, s, &result);
    assert_int_equal(result.status, RHOMB_OK);
    /* Which device makes a call depends on time: all calls are tried several times. */
    for (int64_t call = 1, rounds = 0; rounds < 100 && !(named[0] && named[1]); call++) {
        const fault_plan plan = {.function = "clEnqueueReadBuffer", .call = call};
        fault_begin(&plan);
        s->run(ctx, s, &result);
        if (fault_end().function == NULL) {
            call = 0;
            rounds++;
        }
        if (result.status == RHOMB_OK)
            continue;
        for (int32_t i = 0; i < 2; i++) {
            char name[300];
            const rhomb_device_info *info = rhomb_context_device_at(ctx, i);
            snprintf(name, sizeof name, "device %d, %s: ", (int)info->index, info->name);
            named[i] |= strncmp(result.detail, name, strlen(name)) == 0;
        }
        if (strncmp(result.detail, "device ", 7) != 0)
            fail_msg("no device is named: %s", result.detail);
    }
    assert_true(named[0] && named[1]);
    rhomb_context_destroy(ctx);
    fault_check_left(0);
}

static void test_names(void **state)
{
    const fault_subject batch = fault_subject_named("several, batch");
    const fault_subject matrix = fault_subject_named("several, matrix");
    expect_both(&batch);
    expect_both(&matrix);
}

/* Calls of a function that opening another context and a run in it take; NULL: of all. */
static int64_t count_calls(const rhomb_context *first, const fault_subject *s, const char *function)
{
    const fault_plan plan = {.function = function};
    rhomb_status status;
    fault_result result;
    rhomb_context *ctx = fault_create_context(false, &status);
    fault_begin(&plan);
    assert_int_equal(rhomb_context_open_shared(ctx, first, 0), RHOMB_OK);
    if (s != NULL)
        s->run(ctx, s, &result);
    const int64_t calls = fault_end().calls;
    rhomb_context_destroy(ctx);
    return calls;
}

/* A queue is all that opening takes, and nothing of what the first one has built is built again. */
static void test_cost(void **state)
{
    static const char *const built[] = {"clCreateContext", "clCreateProgramWithSource",
                                        "clCreateProgramWithBinary", "clBuildProgram",
                                        "clCreateKernelsInProgram"};
    const fault_subject s = fault_subject_named("align, sweeps");
    fault_result result;
    int64_t sum;
    rhomb_context *first = fault_warm_context(&s, &sum);
    assert_int_equal(count_calls(first, NULL, NULL), 1);
    for (size_t i = 0; i < COUNT(built); i++)
        assert_int_equal(count_calls(first, &s, built[i]), 0);
    /* Known-answer tests would have more kernels. */
    fault_begin(&(fault_plan){.function = "clCreateKernel"});
    s.run(first, &s, &result);
    const int64_t usual = fault_end().calls;
    assert_int_equal(count_calls(first, &s, "clCreateKernel"), usual);
    rhomb_context_destroy(first);
    fault_check_left(0);
}

/* Opening beside another context fails: nothing is open, or what was before. */
static void test_opening(void **state)
{
    const fault_plan plan = {.call = 1, .function = "clCreateCommandQueue"};
    const fault_subject s = fault_subject_named("trapezoids");
    rhomb_status status;
    int64_t sum;
    rhomb_context *first = fault_warm_context(&s, &sum);
    rhomb_context *ctx = fault_create_context(false, &status);
    for (int round = 0; round < 2; round++) {
        const int64_t handles = fault_live_handles();
        const rhomb_device_info *before = rhomb_context_device(ctx);
        fault_begin(&plan);
        assert_int_equal(rhomb_context_open_shared(ctx, first, 0), RHOMB_ERR_DEVICE);
        assert_string_equal(fault_end().function, plan.function);
        assert_non_null(strstr(rhomb_context_error(ctx), "clCreateCommandQueue"));
        assert_non_null(strstr(rhomb_context_error(ctx), "while opening device #"));
        assert_ptr_equal(rhomb_context_device(ctx), before);
        fault_check_left(handles);
        assert_int_equal(rhomb_context_open_shared(ctx, first, 0), RHOMB_OK);
    }
    rhomb_context_destroy(first);
    rhomb_context_destroy(ctx);
    fault_check_left(0);
}

/*
 * A kernel allows smaller groups than were chosen: each context chooses again, and the program that
 * is no use is built once. One that is opened later knows.
 */
static void test_small_groups(void **state)
{
    const fault_plan plan = {.numbers = {{DEVICE_WAVE, 64}},
                             .limited = "rhomb_wavefront_advance",
                             .group_limit = 64,
                             .function = "clBuildProgram"};
    fault_subject s = fault_subject_named("trapezoids");
    fault_result result;
    rhomb_status status;
    int64_t sum;
    s.free_tuning = true;
    for (int later = 0; later < 2; later++) {
        rhomb_context *first = fault_create_context(false, &status);
        rhomb_context *beside = fault_create_context(false, &status);
        fault_begin(&plan);
        assert_int_equal(rhomb_context_open(first, "0", 0), RHOMB_OK);
        if (!later)
            assert_int_equal(rhomb_context_open_shared(beside, first, 0), RHOMB_OK);
        s.run(first, &s, &result);
        sum = result.sum;
        assert_true(fault_end().calls > 1);
        fault_begin(&plan);
        if (later)
            assert_int_equal(rhomb_context_open_shared(beside, first, 0), RHOMB_OK);
        s.run(beside, &s, &result);
        assert_int_equal(fault_end().calls, 0);
        assert_int_equal(result.status, RHOMB_OK);
        assert_int_equal(result.sum, sum);
        assert_int_equal(rhomb_context_device(first)->max_group_size, 64);
        assert_int_equal(rhomb_context_device(beside)->max_group_size, 64);
        rhomb_context_destroy(later ? beside : first);
        rhomb_context_destroy(later ? first : beside);
        fault_check_left(0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(
        cmocka_unit_test, test_no_device, test_unusable_device, test_embedded_profile, test_pinned,
        test_no_buffers, test_names, test_cost, test_opening, test_small_groups)};
    setenv("RHOMB_TEST_OPENCL", "gpu,gpu", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
