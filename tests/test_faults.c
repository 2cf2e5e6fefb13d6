/* SPDX-License-Identifier: MIT */
/*
 * A device that fails: each OpenCL call in turn, alone and with all that follow, each command that
 * ends with an error, devices that are not there. A call returns the right status and names the
 * culprit, nothing stays behind, the next one is as good.
 */
#include "fault_driver.h"
#include "rhomb/plan.h"

static const fault_work TILES[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS};
static const fault_work WORKS[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS, FAULT_SWEEPS, FAULT_SLICED,
                                   FAULT_AFFINE};

/* Fails each call of rhomb_distance() in turn; where there are many that move offsets, not each. */
static void fail_solving(fault_plan plan, fault_work work)
{
    fault_job job;
    fault_make_job(&job, work);
    const fault_subject s = fault_distance(&job);
    fault_fail_calls(&s, plan, work == FAULT_AFFINE ? (fault_steps){1, 64} : FAULT_EACH_CALL);
}

/* The distance of a job that it makes, with programs that are kept. */
static fault_subject cached_distance(fault_job *job, fault_work work)
{
    fault_make_job(job, work);
    fault_subject s = fault_distance(job);
    s.cached = true;
    return s;
}

/*
 * Fails calls of a first use: listing, opening, building, self-test, solving in tiles that take few
 * calls. Most of the late ones set the self-test's arguments.
 */
static void fail_first_use(fault_plan plan, fault_steps steps)
{
    fault_job job;
    const fault_subject s = cached_distance(&job, FAULT_FEW_CALLS);
    fault_fail_first_use(&s, plan, steps);
}

static void test_first_use(void **state)
{
    fail_first_use(FAULT_ALONE, FAULT_EACH_CALL);
    fail_first_use((fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 16});
}

static void test_first_use_lost_device(void **state)
{
    fail_first_use(FAULT_LOST, (fault_steps){1, 16});
}

/* Without a program in the cache, the compiler's calls are no longer optional. */
static void test_build(void **state)
{
    static const char *const functions[] = {"clBuildProgram", "clCreateProgramWithSource",
                                            "clCreateKernel"};
    for (size_t i = 0; i < COUNT(functions); i++) {
        for (int64_t call = 1; call <= 2; call++) {
            const fault_plan plan = {.call = call, .function = functions[i]};
            fault_job job;
            fault_result result;
            const fault_subject s = cached_distance(&job, FAULT_TRAPEZOIDS);
            fault_clear_cache();
            fault_begin(&plan);
            fault_first_use(&s, &result);
            const fault_outcome fault = fault_end();
            assert_non_null(fault.function);
            assert_int_not_equal(result.status, RHOMB_OK);
            fault_check_result(&s, &plan, &fault, &result);
            assert_int_equal(fault_live_handles(), 0);
        }
    }
}

/* A program that cannot be stored, at the second use, runs. */
static void test_storing(void **state)
{
    for (int64_t call = 1; call <= 2; call++) {
        const fault_plan plan = {.call = call, .function = "clGetProgramInfo"};
        fault_job job;
        fault_result result;
        const fault_subject s = cached_distance(&job, FAULT_TRAPEZOIDS);
        fault_clear_cache();
        fault_first_use(&s, &result);
        fault_begin(&plan);
        fault_first_use(&s, &result);
        assert_non_null(fault_end().function);
        assert_int_equal(result.status, RHOMB_OK);
        assert_int_equal(result.distance, s.distance);
        assert_true(fault_logged("the driver gives no binary to cache"));
        assert_int_equal(fault_live_handles(), 0);
    }
}

static void test_solving(void **state)
{
    for (size_t i = 0; i < COUNT(WORKS); i++)
        fail_solving(FAULT_ALONE, WORKS[i]);
}

/*
 * Sequences that are long enough to go over a GPU's bus from pinned memory, equal but for three
 * bases near the ends and one deletion.
 */
static void make_long_job(fault_job *job, int64_t length)
{
    enum { LONGEST = 40 << 20 };
    static char target[LONGEST], query[LONGEST];
    assert_true(length <= LONGEST);
    fault_make_job(job, FAULT_TRAPEZOIDS);
    fault_random_letters(target, length);
    memcpy(query, target, (size_t)length);
    query[3] = query[length / 2] = query[length - 9] = 'N';
    memmove(query + 70000, query + 70001, (size_t)length - 70001);
    job->target = target;
    job->target_length = length;
    job->query = query;
    job->query_length = length - 1;
    job->distance = 4;
}

/* PoCL's device says that it is a GPU, and the `call`-th call of a function fails; 0: none does. */
static fault_plan on_gpu(const char *function, int64_t call)
{
    const fault_plan plan = {
        .call = call, .function = function, .numbers = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU}}};
    return plan;
}

/* Solves a job on such a device in a context of its own. */
static fault_outcome solve_on_gpu(const fault_job *job, const fault_plan *plan,
                                  fault_result *result)
{
    fault_begin(plan);
    fault_first_solve(job, result);
    const fault_outcome fault = fault_end();
    assert_int_equal(fault_live_handles(), 0);
    fault_check_use();
    return fault;
}

#define UNPINNED "bytes cannot be pinned ("

static void test_pinned_memory(void **state)
{
    static const char *const functions[] = {
        "clCreateBuffer", "clEnqueueMapBuffer",     "clEnqueueUnmapMemObject",
        "clFlush",        "clEnqueueWriteBuffer",   "clGetEventInfo",
        "clReleaseEvent", "clEnqueueNDRangeKernel", "clReleaseMemObject",
        "clCreateKernel", "clSetKernelArg"};
    fault_job job;
    fault_result result;
    int unpinned = 0;
    make_long_job(&job, (1 << 20) + 12345);
    const fault_subject s = fault_distance(&job);
    for (size_t i = 0; i < COUNT(functions); i++) {
        bool failed = true;
        for (int64_t call = 1; failed; call += 1 + call / 4) {
            const fault_plan plan = on_gpu(functions[i], call);
            const fault_outcome fault = solve_on_gpu(&job, &plan, &result);
            failed = fault.function != NULL;
            if (failed && !fault_logged(UNPINNED))
                fault_check_result(&s, &plan, &fault, &result);
            else
                assert_int_equal(result.distance, job.distance);
            unpinned += fault_logged(UNPINNED);
            assert_true(failed || call > 1);
        }
    }
    assert_int_equal(unpinned, 2); /* one for each of the functions that pin */
}

/* Pieces that several threads copy, and the same without pinned memory. */
static void test_many_pieces(void **state)
{
    const fault_plan plans[] = {on_gpu("clEnqueueMapBuffer", 0), on_gpu("clEnqueueMapBuffer", 1)};
    fault_job job;
    fault_result result;
    make_long_job(&job, 40 << 20);
    for (size_t i = 0; i < COUNT(plans); i++) {
        solve_on_gpu(&job, &plans[i], &result);
        assert_int_equal(result.distance, job.distance);
        assert_int_equal(fault_logged(UNPINNED), i == 1);
    }
}

/* Where there is no memory at all, what comes after the pinned memory says so. */
static void test_no_buffers(void **state)
{
    fault_plan plan = on_gpu("clCreateBuffer", 1);
    fault_job job;
    fault_result result;
    plan.lasting = true;
    make_long_job(&job, (1 << 20) + 12345);
    do {
        solve_on_gpu(&job, &plan, &result);
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_MEMORY);
        fault_expect_detail(&result, "clCreateBuffer");
        plan.call++;
    } while (!fault_logged(UNPINNED));
}

/* A plan counts what is pinned, and the report has the same. */
static void test_pinned_bytes(void **state)
{
    enum { LENGTH = 40 << 20, PIECE = LENGTH / 32, BESIDES = 1 << 20 };
    const fault_plan plan = on_gpu("clCreateBuffer", 0);
    fault_job job;
    rhomb_plan *planned = NULL;
    rhomb_result *result = NULL;
    rhomb_status status;
    make_long_job(&job, LENGTH);
    fault_begin(&plan);
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_plan_distance(ctx, job.target, job.target_length, job.query,
                                         job.query_length, &job.options, &planned),
                     RHOMB_OK);
    assert_int_equal(rhomb_distance(ctx, job.target, job.target_length, job.query, job.query_length,
                                    &job.options, &result),
                     RHOMB_OK);
    fault_end();
    assert_true(planned->host_bytes >= 2 * PIECE + BESIDES);
    assert_true(rhomb_result_report(result)->plan->host_bytes == planned->host_bytes);
    rhomb_plan_destroy(planned);
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
}

static void test_solving_lost_device(void **state)
{
    for (size_t i = 0; i < COUNT(WORKS); i++)
        fail_solving(FAULT_LOST, WORKS[i]);
}

static void test_failed_commands(void **state)
{
    const fault_plan plan = {.function = "clGetEventInfo", .by_command = true};
    for (size_t i = 0; i < COUNT(TILES); i++)
        fail_solving(plan, TILES[i]);
    fail_solving(plan, FAULT_AFFINE);
    fail_solving(plan, FAULT_LONG_SWEEPS);
}

/* Markers, by which sweeps tell how far they are. */
static void test_markers(void **state)
{
    static const char *const functions[] = {"clEnqueueMarkerWithWaitList", "clGetEventInfo",
                                            "clFlush"};
    for (size_t i = 0; i < COUNT(functions); i++)
        fail_solving((fault_plan){.function = functions[i]}, FAULT_LONG_SWEEPS);
}

/* Nothing is listed, for whatever reason: no error of the list, and hints where to look. */
static void expect_empty_list(const fault_plan *plan, const char *text)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 1;
    rhomb_status status;
    fault_begin(plan);
    rhomb_context *ctx = fault_create_context(&status);
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
        fault_begin(&plan);
        fault_first_solve(&job, &result);
        fault_end();
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
    rhomb_context *ctx = fault_create_context(&status);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_use),
        cmocka_unit_test(test_first_use_lost_device),
        cmocka_unit_test(test_build),
        cmocka_unit_test(test_storing),
        cmocka_unit_test(test_solving),
        cmocka_unit_test(test_pinned_memory),
        cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_no_buffers),
        cmocka_unit_test(test_pinned_bytes),
        cmocka_unit_test(test_solving_lost_device),
        cmocka_unit_test(test_failed_commands),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_unusable_device),
        cmocka_unit_test(test_embedded_profile),
    };
    return fault_run(tests);
}
