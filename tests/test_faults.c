/* SPDX-License-Identifier: MIT */
/*
 * A device that fails: each OpenCL call in turn, alone and with all that follow, each command that
 * ends with an error, drivers that answer with garbage, devices that are not there. A call returns
 * the right status and names the culprit, nothing stays behind, the next one is as good.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/abi.h"
#include "fault_fixture.h"
#include "fault_opencl.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define MOST_CALLS 100000 /* far more than any of the runs makes */

static const fault_work TILES[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS, FAULT_BEAM};
static const fault_work WORKS[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS, FAULT_BEAM, FAULT_SWEEPS};

static bool is_one_of(const char *function, const char *const *list)
{
    while (*list != NULL && strcmp(function, *list) != 0)
        list++;
    return *list != NULL;
}

/* The status that a failure has to give; RHOMB_OK where the run has to go on without the call. */
static rhomb_status expected_status(const fault_outcome *fault)
{
    static const char *const asking[] = {"clGetDeviceIDs", "clGetDeviceInfo", NULL};
    if (is_one_of(fault->function, asking))
        return RHOMB_ERR_NO_DEVICE;
    if (fault->code == CL_OUT_OF_HOST_MEMORY)
        return RHOMB_ERR_MEMORY;
    if (strcmp(fault->function, "clBuildProgram") == 0)
        return RHOMB_ERR_BUILD;
    return fault->code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? RHOMB_ERR_DEVICE_MEMORY
                                                           : RHOMB_ERR_DEVICE;
}

/* Calls at the end of a run, or of a part of it, whose failure changes nothing. */
static bool is_closing(const char *function)
{
    return strcmp(function, "clFinish") == 0 || strncmp(function, "clRelease", 9) == 0;
}

/* Calls that a run can do without: the cache's shortcut, texts, optional questions, releases. */
static bool is_optional(const char *function)
{
    static const char *const optional[] = {"clGetPlatformInfo",
                                           "clGetDeviceIDs", /* of one platform of several */
                                           "clGetDeviceInfo",
                                           "clGetProgramInfo",
                                           "clGetProgramBuildInfo",
                                           "clCreateProgramWithBinary",
                                           "clBuildProgram", /* of a cached program */
                                           NULL};
    return is_one_of(function, optional) || is_closing(function);
}

/* Whether the result is what has to come of the failure. */
static void check_result(const fault_job *job, const fault_plan *plan, const fault_outcome *fault,
                         const fault_result *result)
{
    static const char *const unnamed[] = {"clGetDeviceIDs", "clGetDeviceInfo", "clBuildProgram",
                                          NULL};
    const char *function = plan->by_command ? "an enqueued command" : fault->function;
    if (result->status == RHOMB_OK) {
        if (plan->lasting ? !is_closing(fault->function) : !is_optional(fault->function))
            fail_msg("call %lld, %s, failed without a trace", (long long)plan->call, function);
        assert_int_equal(result->distance, job->distance);
        return;
    }
    /* When all calls fail, one that is optional may be the first of them. */
    if (!(plan->lasting && is_optional(fault->function))) {
        if (result->status != expected_status(fault))
            fail_msg("call %lld, %s: %s: %s", (long long)plan->call, function,
                     rhomb_status_name(result->status), result->detail);
        if (!is_one_of(function, unnamed))
            fault_expect_detail(result, function);
    }
    fault_expect_detail(result, rhomb__cl_error_name(fault->code));
}

/* ------------------------------------------------------- one call after the other */

/* Fails each call of a first use in turn: listing, opening, building, self-test, solving. */
static void fail_first_use(fault_plan plan)
{
    fault_job job;
    fault_result result;
    bool failed = true;
    /* Tiles that take few calls: bands are for fail_solving(). */
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.diagonals_per_item = 2048;
    job.tuning.tile_columns = 256;
    fault_first_use(&job, &result); /* fills the cache */
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call++) {
        fault_begin(&plan);
        fault_first_use(&job, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        if (failed)
            check_result(&job, &plan, &fault, &result);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_int_equal(result.status, RHOMB_OK);
    assert_int_equal(result.distance, job.distance);
}

/* Fails each call of rhomb_distance() in turn, in a context that stays. */
static void fail_solving(fault_plan plan, fault_work work)
{
    fault_job job;
    fault_result result;
    rhomb_status status;
    bool failed = true;
    fault_make_job(&job, work);
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    fault_solve(ctx, &job, &result);
    assert_int_equal(result.distance, job.distance);
    const int64_t handles = fault_live_handles();
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call++) {
        fault_begin(&plan);
        fault_solve(ctx, &job, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        if (failed)
            check_result(&job, &plan, &fault, &result);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        fault_solve(ctx, &job, &result);
        if (result.status != RHOMB_OK || result.distance != job.distance)
            fail_msg("after the failure of call %lld: %lld, not %lld: %s", (long long)plan.call,
                     (long long)result.distance, (long long)job.distance, result.detail);
    }
    assert_true(plan.call > (plan.function == NULL ? 10 : 2));
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

static void test_first_use(void **state)
{
    (void)state;
    fail_first_use((fault_plan){0});
    fail_first_use((fault_plan){.code = CL_OUT_OF_HOST_MEMORY});
}

static void test_first_use_lost_device(void **state)
{
    (void)state;
    fail_first_use((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES});
}

/* Without a program in the cache, the compiler's calls are no longer optional. */
static void test_build(void **state)
{
    static const char *const functions[] = {"clBuildProgram", "clCreateProgramWithSource",
                                            "clCreateKernel"};
    (void)state;
    for (size_t i = 0; i < COUNT(functions); i++) {
        for (int64_t call = 1; call <= 2; call++) {
            const fault_plan plan = {.call = call, .function = functions[i]};
            fault_job job;
            fault_result result;
            fault_make_job(&job, FAULT_TRAPEZOIDS);
            fault_clear_cache();
            fault_begin(&plan);
            fault_first_use(&job, &result);
            const fault_outcome fault = fault_end();
            assert_non_null(fault.function);
            assert_int_not_equal(result.status, RHOMB_OK);
            check_result(&job, &plan, &fault, &result);
            assert_int_equal(fault_live_handles(), 0);
        }
    }
}

static void test_solving(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(WORKS); i++)
        fail_solving((fault_plan){0}, WORKS[i]);
}

/*
 * Sequences that are long enough to go over the bus from pinned memory: PoCL's device says here
 * that it is a GPU. They are equal but for three letters near the ends and one deletion.
 */
static void make_long_job(fault_job *job, int64_t length)
{
    enum { LONGEST = 40 << 20 };
    static char target[LONGEST], query[LONGEST];
    uint32_t random = 1;
    assert_true(length <= LONGEST);
    fault_make_job(job, FAULT_TRAPEZOIDS);
    for (int64_t i = 0; i < length; i++) {
        random = random * 1664525 + 1013904223;
        target[i] = query[i] = "ACGT"[random >> 30];
    }
    query[3] = query[length / 2] = query[length - 9] = 'N';
    memmove(query + 70000, query + 70001, (size_t)length - 70001);
    job->target = target;
    job->target_length = length;
    job->query = query;
    job->query_length = length - 1;
    job->distance = 4;
}

static void test_pinned_memory(void **state)
{
    static const char *const functions[] = {
        "clCreateBuffer", "clEnqueueMapBuffer",     "clEnqueueUnmapMemObject",
        "clFlush",        "clEnqueueWriteBuffer",   "clGetEventInfo",
        "clReleaseEvent", "clEnqueueNDRangeKernel", "clReleaseMemObject",
        "clCreateKernel", "clSetKernelArg"};
    const fault_plan is_gpu = {.numbers = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU}}};
    fault_job job;
    fault_result result;
    (void)state;
    /* Pieces that several threads copy. */
    make_long_job(&job, 40 << 20);
    fault_begin(&is_gpu);
    fault_first_use(&job, &result);
    fault_end();
    assert_int_equal(result.distance, job.distance);
    make_long_job(&job, (1 << 20) + 12345);
    for (size_t i = 0; i < COUNT(functions); i++) {
        bool failed = true;
        for (int64_t call = 1; failed; call += 1 + call / 4) {
            fault_plan plan = is_gpu;
            plan.call = call;
            plan.function = functions[i];
            fault_begin(&plan);
            fault_first_use(&job, &result);
            const fault_outcome fault = fault_end();
            failed = fault.function != NULL;
            if (failed)
                check_result(&job, &plan, &fault, &result);
            else
                assert_int_equal(result.distance, job.distance);
            assert_true(failed || call > 1);
            assert_int_equal(fault_live_handles(), 0);
            fault_check_use();
        }
    }
}

static void test_solving_lost_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(WORKS); i++)
        fail_solving((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES}, WORKS[i]);
}

static void test_failed_commands(void **state)
{
    const fault_plan plan = {.function = "clGetEventInfo", .by_command = true};
    (void)state;
    for (size_t i = 0; i < COUNT(TILES); i++)
        fail_solving(plan, TILES[i]);
    fail_solving(plan, FAULT_LONG_SWEEPS);
}

/* Markers, by which sweeps tell how far they are. */
static void test_markers(void **state)
{
    static const char *const functions[] = {"clEnqueueMarkerWithWaitList", "clGetEventInfo",
                                            "clFlush"};
    (void)state;
    for (size_t i = 0; i < COUNT(functions); i++)
        fail_solving((fault_plan){.function = functions[i]}, FAULT_LONG_SWEEPS);
}

/* ---------------------------------------------------------------- garbage */

/* What tamper_status() puts into a status record. */
static rhomb_front garbage;

static void tamper_status(void *data, size_t bytes)
{
    rhomb_wavefront_status *status = data;
    if (bytes != sizeof *status)
        return; /* the sizes that the self-test asks for */
    for (int i = 0; i < 4; i++)
        status->front[i / 2][i % 2] = garbage;
}

static void set_bytes(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

static void clear_bytes(void *data, size_t bytes)
{
    memset(data, 0, bytes);
}

/*
 * Solves with tampered reads, in a context whose self-test has passed: an error, or else the right
 * distance.
 */
static void expect_status(void (*tamper)(void *data, size_t bytes), const char *what,
                          fault_work work, rhomb_status expected)
{
    const fault_plan plan = {.tamper = tamper};
    fault_job job;
    fault_result result;
    rhomb_status status;
    fault_make_job(&job, work);
    job.query_length = job.target_length = 370; /* so that no length gives a distance away */
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    fault_solve(ctx, &job, &result);
    const int64_t distance = result.distance;
    assert_int_equal(result.status, RHOMB_OK);
    const int64_t handles = fault_live_handles();
    fault_begin(&plan);
    fault_solve(ctx, &job, &result);
    fault_end();
    if (result.status != expected || (expected == RHOMB_OK && result.distance != distance))
        fail_msg("%s, work %d: distance %lld, %s", what, (int)work, (long long)result.distance,
                 rhomb_status_name(result.status));
    if (expected != RHOMB_OK)
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
    assert_int_equal(fault_live_handles(), handles);
    fault_check_use();
    fault_solve(ctx, &job, &result);
    assert_int_equal(result.distance, distance);
    rhomb_context_destroy(ctx);
}

static void expect_wrong_result(void (*tamper)(void *data, size_t bytes), const char *what,
                                const fault_work *works, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_status(tamper, what, works[i], RHOMB_ERR_DEVICE_WRONG_RESULT);
}

/* Two directions go by where they meet and by the bound, and by nothing else of a front. */
static void test_garbage(void **state)
{
    static const rhomb_status WRONG = RHOMB_ERR_DEVICE_WRONG_RESULT;
    static const struct {
        const char *what;
        rhomb_front front;
        rhomb_status trapezoids;
    } cases[] = {
        {"distance beyond the longer length", {371, 371, 0, 0}, RHOMB_OK},
        {"distance 0", {0, 371, 0, 0}, RHOMB_OK},
        {"distance below RHOMB_UNSOLVED", {-2, 371, 0, 0}, RHOMB_OK},
        {"distance without measure", {INT64_MAX, 371, 0, 0}, RHOMB_OK},
        {"never solved", {RHOMB_UNSOLVED, INT64_MAX, 0, 0}, RHOMB_OK},
        {"bound below any distance",
         {RHOMB_UNSOLVED, INT64_MIN, 0, 0},
         RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"bound 1", {RHOMB_UNSOLVED, 1, 0, 0}, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"column and reach without measure", {RHOMB_UNSOLVED, 371, INT64_MAX, INT64_MAX}, RHOMB_OK},
        {"column and reach below 0", {RHOMB_UNSOLVED, 371, INT64_MIN, INT64_MIN}, RHOMB_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        garbage = cases[i].front;
        expect_status(tamper_status, cases[i].what, FAULT_DIAMONDS, WRONG);
        expect_status(tamper_status, cases[i].what, FAULT_TRAPEZOIDS, cases[i].trapezoids);
        expect_status(tamper_status, cases[i].what, FAULT_BEAM, cases[i].trapezoids);
    }
    expect_wrong_result(set_bytes, "all bytes 0x80", WORKS, COUNT(WORKS));
    expect_wrong_result(clear_bytes, "all bytes 0", WORKS, COUNT(WORKS));
}

/* What two directions go by: `change` makes it something else in each read of a status record. */
static void (*change)(rhomb_wavefront_status *status);

static void tamper_meeting(void *data, size_t bytes)
{
    if (bytes == sizeof(rhomb_wavefront_status))
        change(data);
}

static void never_met(rhomb_wavefront_status *status)
{
    status->met = 0;
}

static void come_far(rhomb_wavefront_status *status)
{
    status->complete[0] = INT64_MAX;
}

static void fall_back(rhomb_wavefront_status *status)
{
    status->complete[0] = status->complete[1] = -2;
}

static void stop_within_band(rhomb_wavefront_status *status)
{
    status->complete[0]--;
    status->complete[1]--;
}

static void pass_each_other(rhomb_wavefront_status *status)
{
    status->furthest[0][0] = status->furthest[1][1] = UINT32_MAX;
}

static void stay_behind(rhomb_wavefront_status *status)
{
    memset(status->furthest, 0, sizeof status->furthest);
}

/* How far the directions have come is a hint when to look whether they have met, and no more. */
static void test_garbage_meeting(void **state)
{
    static const struct {
        const char *what;
        void (*change)(rhomb_wavefront_status *status);
        rhomb_status status;
    } cases[] = {
        {"never met", never_met, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column without measure", come_far, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column before all others", fall_back, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column within a band", stop_within_band, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"furthest antidiagonals without measure", pass_each_other, RHOMB_OK},
        {"furthest antidiagonals 0", stay_behind, RHOMB_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        change = cases[i].change;
        expect_status(tamper_meeting, cases[i].what, FAULT_TRAPEZOIDS, cases[i].status);
    }
}

/* What tamper_fronts() adds to a strip's front, where a path may leave the strip. */
static rhomb_strip_front garbage_front;

static void tamper_fronts(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    if (bytes % sizeof *strips != 0 || strips[0].last_launch != -1)
        return; /* not the strips, which begin with row 0 */
    for (size_t i = 2; i < bytes / sizeof *strips; i++) {
        rhomb_strip_front *front = &strips[i].front[strips[i].last_launch & 1];
        if (front->begin == RHOMB_NO_BLOCK)
            continue;
        front->begin += garbage_front.begin;
        front->begin_score += garbage_front.begin_score;
        front->end += garbage_front.end;
        front->score += garbage_front.score;
    }
}

static void test_garbage_fronts(void **state)
{
    static const fault_work sweeps = FAULT_SWEEPS;
    static const struct {
        const char *what;
        rhomb_strip_front front;
    } cases[] = {
        {"scores without measure", {.score = INT64_MAX / 2}},
        {"scores below 0", {.score = -1000}},
        {"first scores without measure", {.begin_score = INT64_MAX / 2}},
        {"first scores below 0", {.begin_score = -1000}},
        {"beginnings left of the band", {.begin = -100}},
        {"beginnings behind the end", {.begin = 100}},
        {"ends left of the band", {.end = -100}},
        {"ends right of the band", {.end = 100}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        garbage_front = cases[i].front;
        expect_wrong_result(tamper_fronts, cases[i].what, &sweeps, 1);
    }
}

/* A distance that could be, but is not the self-test's. */
static void test_self_test(void **state)
{
    const fault_plan plan = {.tamper = fault_hide_meeting};
    fault_job job;
    fault_result result;
    rhomb_status status;
    (void)state;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    for (int i = 0; i < 2; i++) { /* a program that has failed is not trusted later */
        fault_begin(&plan);
        fault_solve(ctx, &job, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_expect_detail(&result, "the self-test of the wavefront engine gave ");
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
        fault_begin(&plan);
        assert_int_equal(rhomb_context_self_test(ctx), RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_end();
    }
    fault_solve(ctx, &job, &result);
    assert_int_equal(result.distance, job.distance);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

/* -------------------------------------------------------------- no device */

/* Nothing is listed, for whatever reason: no error of the list, and hints where to look. */
static void expect_empty_list(const fault_plan *plan, const char *text)
{
    const rhomb_device_info *list = NULL;
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
    (void)state;
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
    } cases[] = {
        {CL_DEVICE_AVAILABLE, "not usable: its driver says that it is not available"},
        {CL_DEVICE_COMPILER_AVAILABLE, "not usable: its driver has no compiler"},
        {CL_DEVICE_ENDIAN_LITTLE, "not usable: its byte order is not little endian"},
        {CL_DEVICE_GLOBAL_MEM_SIZE, "not usable: its driver says that it has no memory"},
    };
    fault_job job;
    fault_result result;
    (void)state;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fault_plan plan = {.numbers = {{cases[i].asked, 0}}};
        fault_begin(&plan);
        fault_first_use(&job, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_NO_DEVICE);
        fault_expect_detail(&result, "none of the OpenCL devices is usable\nThere is:\n  #0 ");
        fault_expect_detail(&result, cases[i].text);
    }
}

/* A test that failed may have left a plan and handles. */
static int start_afresh(void **state)
{
    (void)state;
    fault_end();
    fault_forget_handles();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_first_use, start_afresh),
        cmocka_unit_test_setup(test_first_use_lost_device, start_afresh),
        cmocka_unit_test_setup(test_build, start_afresh),
        cmocka_unit_test_setup(test_solving, start_afresh),
        cmocka_unit_test_setup(test_pinned_memory, start_afresh),
        cmocka_unit_test_setup(test_solving_lost_device, start_afresh),
        cmocka_unit_test_setup(test_failed_commands, start_afresh),
        cmocka_unit_test_setup(test_markers, start_afresh),
        cmocka_unit_test_setup(test_garbage, start_afresh),
        cmocka_unit_test_setup(test_garbage_meeting, start_afresh),
        cmocka_unit_test_setup(test_garbage_fronts, start_afresh),
        cmocka_unit_test_setup(test_self_test, start_afresh),
        cmocka_unit_test_setup(test_no_device, start_afresh),
        cmocka_unit_test_setup(test_unusable_device, start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
