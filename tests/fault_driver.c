/* SPDX-License-Identifier: MIT */
/*
 * See fault_driver.h.
 */
#include "fault_driver.h"

#include "cl/abi.h"
#include "support/thread_ranks.h"

#define CALL_STRIDES 11 /* the most, see fault_stride() */

#define MOST_CALLS 100000 /* far more than any of the runs makes */

/* Every so many failures, and after the last, there is a run without any; when slow, after each. */
#define RUNS_AGAIN 8

static bool is_one_of(const char *function, const char *const *list)
{
    while (*list != NULL && strcmp(function, *list) != 0)
        list++;
    return *list != NULL;
}

/* The status that a failure has to give. */
static rhomb_status expected_status(const fault_outcome *fault)
{
    static const char *const asking[] = {"clGetDeviceIDs", "clGetDeviceInfo", NULL};
    if (is_one_of(fault->function, asking))
        return RHOMB_ERR_NO_DEVICE;
    if (fault->code == CL_OUT_OF_HOST_MEMORY)
        return RHOMB_ERR_MEMORY;
    if (strcmp(fault->function, "clBuildProgram") == 0 && fault->code != CL_OUT_OF_RESOURCES)
        return RHOMB_ERR_BUILD;
    return fault->code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? RHOMB_ERR_DEVICE_MEMORY
                                                           : RHOMB_ERR_DEVICE;
}

static bool may_report(const fault_subject *s, const fault_outcome *fault, rhomb_status status)
{
    return status == expected_status(fault) ||
           (s->tangled && (status == RHOMB_ERR_NO_DEVICE || status == RHOMB_ERR_DEVICE ||
                           status == RHOMB_ERR_BUILD || status == RHOMB_ERR_MEMORY ||
                           status == RHOMB_ERR_DEVICE_MEMORY));
}

/* Calls that a run can do without: texts, optional questions, its end. */
static const char *const OPTIONAL[] = {
    "clGetPlatformInfo", "clGetDeviceIDs", /* of one platform of several */
    "clGetDeviceInfo",   "clGetProgramBuildInfo", "clFinish", NULL};

/* And where programs are kept: to load one, and to store it. */
static const char *const OPTIONAL_CACHED[] = {"clGetProgramInfo", "clCreateProgramWithBinary",
                                              "clBuildProgram", NULL};

static bool is_optional(const fault_subject *s, const char *function)
{
    return is_one_of(function, OPTIONAL) || (s->cached && is_one_of(function, OPTIONAL_CACHED));
}

static bool is_release(const char *function)
{
    return strncmp(function, "clRelease", 9) == 0;
}

/* Of several threads and buffers: without pinned memory for a bus, all goes on. */
static bool is_optional_when_tangled(const fault_subject *s, const fault_plan *plan,
                                     const char *function)
{
    const bool bus = plan->numbers[0].asked != 0;
    static const char *const pinning[] = {"clCreateBuffer", "clEnqueueMapBuffer", NULL};
    return plan->by_command || strcmp(function, "clEnqueueUnmapMemObject") == 0 ||
           (bus && is_one_of(function, pinning)) || is_optional(s, function);
}

/* Of several devices, another one takes a pair for which one has no memory. */
static bool is_made_up_for(const fault_subject *s, const char *function)
{
    return s->several && strcmp(function, "clCreateBuffer") == 0;
}

/*
 * Whether a failure of this function may change nothing. Where all later calls fail as well, one of
 * them is noticed, unless the run is at its end.
 */
static bool may_be_unnoticed(const fault_subject *s, const fault_plan *plan, const char *function)
{
    if (is_release(function) || s->strict)
        return is_release(function);
    if (s->tangled)
        return is_optional_when_tangled(s, plan, function) || is_made_up_for(s, function);
    return plan->lasting ? strcmp(function, "clFinish") == 0 : is_optional(s, function);
}

void fault_check_result(const fault_subject *s, const fault_plan *plan, const fault_outcome *fault,
                        const fault_result *result)
{
    static const char *const unnamed[] = {"clGetDeviceIDs", "clGetDeviceInfo", "clBuildProgram",
                                          NULL};
    const char *function = plan->by_command ? "an enqueued command" : fault->function;
    if (result->status == RHOMB_OK) {
        if (fault->function != NULL && !fault->is_excused &&
            !may_be_unnoticed(s, plan, fault->function))
            fail_msg("call %lld, %s, failed without a trace", (long long)plan->call, function);
        assert_int_equal(result->distance, s->distance);
        return;
    }
    if (fault->function == NULL)
        fail_msg("%s without a failure: %s", rhomb_status_name(result->status), result->detail);
    /* When all calls fail, one that is optional may be the first of them. */
    if (!plan->lasting || !(is_release(fault->function) || is_optional(s, fault->function))) {
        if (!may_report(s, fault, result->status))
            fail_msg("call %lld, %s: %s: %s", (long long)plan->call, function,
                     rhomb_status_name(result->status), result->detail);
        if (!s->tangled && !is_one_of(function, unnamed))
            fault_expect_detail(result, function);
    }
    fault_expect_detail(result, rhomb__cl_error_name(fault->code));
}

static void run_distance(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    fault_solve(ctx, s->job, result);
}

fault_subject fault_distance(const fault_job *job)
{
    const fault_subject s = {.run = run_distance,
                             .job = job,
                             .distance = job->distance,
                             .least_calls = 10,
                             .least_named = 2};
    return s;
}

/* Whether the test is one that is labelled slow. */
static bool is_slow(void)
{
    return getenv("RHOMB_TEST_EACH_FAULT") != NULL;
}

int64_t fault_stride(int64_t at, uint32_t most)
{
    uint32_t state = (uint32_t)at;
    return is_slow() ? 1 : 1 + (fault_random(&state) >> 16) % most;
}

/* Of the calls of one function, which are few, each. */
static int64_t step(const fault_plan *plan, fault_steps steps)
{
    const int64_t apart = steps.apart + (steps.spread > 0 ? plan->call / steps.spread : 0);
    return plan->call +
           (plan->function != NULL ? 1 : fault_stride(plan->call, CALL_STRIDES)) * apart;
}

static void expect_right(rhomb_context *ctx, const fault_subject *s, int64_t call)
{
    fault_result result;
    s->run(ctx, s, &result);
    if (result.status != RHOMB_OK || result.distance != s->distance)
        fail_msg("after the failure of call %lld: %lld, not %lld: %s", (long long)call,
                 (long long)result.distance, (long long)s->distance, result.detail);
}

/* A context with an open device and all that a run leaves there. */
static rhomb_context *warm_context(const fault_subject *s)
{
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(ranks_open(ctx), RHOMB_OK);
    expect_right(ctx, s, 0);
    return ctx;
}

void fault_fail_calls(const fault_subject *s, fault_plan plan, fault_steps steps)
{
    fault_plan numbers_only = {0};
    fault_result result;
    bool failed = true;
    memcpy(numbers_only.numbers, plan.numbers, sizeof plan.numbers);
    fault_begin(&numbers_only);
    rhomb_context *ctx = warm_context(s);
    const int64_t handles = fault_live_handles();
    int64_t failures = 0;
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call = step(&plan, steps)) {
        fault_begin(&plan);
        s->run(ctx, s, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        fault_check_result(s, &plan, &fault, &result);
        /* Of several devices, one may need a program for the first time: all go at the end. */
        if (!s->several)
            assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
        /* A run that fails later than the one before has come past what that one left. */
        failures += failed;
        if (is_slow() || failures % RUNS_AGAIN == 0 || !failed)
            expect_right(ctx, s, plan.call);
    }
    assert_true(plan.call > (plan.function == NULL ? s->least_calls : s->least_named));
    rhomb_context_destroy(ctx);
    ranks_wait();
    assert_int_equal(fault_live_handles(), 0);
}

void fault_first_use(const fault_subject *s, fault_result *result)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 0;
    memset(result, 0, sizeof *result);
    result->distance = -2;
    rhomb_context *ctx =
        s->cached ? fault_create_cached(&result->status) : fault_create_context(&result->status);
    if (ctx == NULL)
        return;
    result->status = rhomb_context_devices(ctx, &list, &count);
    if (result->status == RHOMB_OK)
        result->status = ranks_open(ctx);
    if (result->status == RHOMB_OK)
        s->run(ctx, s, result);
    else
        fault_keep_detail(ctx, result);
    rhomb_context_destroy(ctx);
    ranks_wait();
}

void fault_first_solve(const fault_job *job, fault_result *result)
{
    const fault_subject s = fault_distance(job);
    fault_first_use(&s, result);
}

void fault_fill_caches(const fault_subject *s)
{
    fault_result result;
    /* The first use leaves a note and the second one the program, see host/device/program.c. */
    for (int use = 0; use < (s->cached ? 3 : 1); use++) {
        fault_first_use(s, &result);
        assert_int_equal(result.status, RHOMB_OK);
    }
    assert_int_equal(fault_logged("loaded from the program cache"), s->cached);
}

void fault_fail_first_use(const fault_subject *s, fault_plan plan, fault_steps steps)
{
    fault_subject lenient = *s;
    fault_result result;
    bool failed = true;
    lenient.strict = false;
    fault_fill_caches(s);
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call = step(&plan, steps)) {
        fault_begin(&plan);
        fault_first_use(s, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        fault_check_result(&lenient, &plan, &fault, &result);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_int_equal(result.status, RHOMB_OK);
}

void fault_set_zeros(void *data, size_t bytes)
{
    memset(data, 0, bytes);
}

void fault_set_ones(void *data, size_t bytes)
{
    memset(data, 0xff, bytes);
}

void fault_set_high_bits(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

bool fault_are_strips(size_t bytes)
{
    return bytes >= sizeof(rhomb_strip) && bytes % sizeof(rhomb_strip) == 0;
}

void fault_spoil_ends(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; fault_are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].end = strips[i].front[1].end = INT64_MIN;
}

void fault_spoil_scores(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; fault_are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].score = strips[i].front[1].score = INT64_MAX;
}

void fault_expect_tampered(const fault_subject *s, fault_tamper *tamper, const char *what,
                           rhomb_status expected)
{
    const fault_plan plan = {.tamper = tamper};
    fault_result result;
    rhomb_context *ctx = warm_context(s);
    const int64_t handles = fault_live_handles();
    fault_begin(&plan);
    s->run(ctx, s, &result);
    fault_end();
    if (result.status != expected || (expected == RHOMB_OK && result.distance != s->distance))
        fail_msg("%s, way %d: distance %lld, %s", what, s->way, (long long)result.distance,
                 rhomb_status_name(result.status));
    if (expected != RHOMB_OK)
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
    assert_int_equal(fault_live_handles(), handles);
    fault_check_use();
    expect_right(ctx, s, 0);
    rhomb_context_destroy(ctx);
    ranks_wait();
}

void fault_expect_self_test(const fault_subject *s, fault_tamper *tamper, const char *text)
{
    const fault_plan plan = {.tamper = tamper};
    fault_result result;
    fault_begin(&plan);
    fault_first_use(s, &result);
    fault_end();
    assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
    fault_expect_detail(&result, text);
    assert_int_equal(fault_live_handles(), 0);
}

void fault_expect_noticed(const fault_subject *s, const fault_garbage *garbage, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fault_expect_tampered(s, garbage[i].tamper, garbage[i].what, RHOMB_ERR_DEVICE_WRONG_RESULT);
}

static void fail_kind(const fault_kind *kind, fault_plan plan, fault_steps steps)
{
    for (int way = 0; way < kind->ways; way++) {
        const fault_subject s = kind->subject(way);
        fault_fail_calls(&s, plan, steps);
    }
}

void fault_test_calls(void **kind)
{
    fail_kind(*kind, FAULT_ALONE, FAULT_EACH_CALL);
}

void fault_test_lost_device(void **kind)
{
    fail_kind(*kind, FAULT_LOST, ((const fault_kind *)*kind)->lost);
}

void fault_test_failed_commands(void **kind)
{
    fail_kind(*kind, FAULT_COMMAND, FAULT_EACH_CALL);
}

void fault_test_first_use(void **state)
{
    const fault_kind *kind = *state;
    for (int way = 0; way < kind->ways; way++) {
        const fault_subject s = kind->subject(way);
        fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, kind->first_use);
    }
}

int fault_run_tests(const struct CMUnitTest *tests, size_t count)
{
    struct CMUnitTest afresh[32];
    if (!fault_has_device())
        return 77;
    if (count > COUNT(afresh))
        return 2;
    for (size_t i = 0; i < count; i++) {
        afresh[i] = tests[i];
        afresh[i].setup_func = fault_start_afresh;
    }
    return _cmocka_run_group_tests("faults", afresh, count, fault_set_up, fault_tear_down);
}
