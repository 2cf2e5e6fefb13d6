/* SPDX-License-Identifier: MIT */
/*
 * See fault_tester.h.
 */
#include "fault_tester.h"

#include "host/device/cl_error.h"
#include "support/amount.h"
#include "support/thread_ranks.h"

#define MOST_CALLS 100000 /* far more than any of the runs makes */

/* Every so many failures, and after the last, there is a run without any; when slow, after each. */
#define RUNS_AGAIN 8

static char where[128]; /* the fault that a test is at */

const char *fault_where(void)
{
    return where;
}

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
    if (strcmp(fault->function, "fcntl") == 0)
        return RHOMB_ERR_OUTPUT;
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

/* On a GPU, which has bases over its bus from pinned memory, that can be done without. */
static const char *const PINNING[] = {"clCreateBuffer", "clEnqueueMapBuffer",
                                      "clEnqueueUnmapMemObject", NULL};

static bool is_release(const char *function)
{
    return strncmp(function, "clRelease", 9) == 0;
}

static bool is_optional(const fault_subject *s, const char *function)
{
    return is_one_of(function, OPTIONAL) || (s->cached && is_one_of(function, OPTIONAL_CACHED));
}

/*
 * Whether a failure of this function may change nothing. Where all later calls fail as well, one of
 * them is noticed, unless the run is at its end.
 */
static bool may_be_unnoticed(const fault_subject *s, const fault *f, const char *function)
{
    if (is_release(function) || (s->strict && !f->first_use))
        return is_release(function);
    if (s->tangled)
        return f->plan.by_command || is_optional(s, function) ||
               (!f->plan.lasting && is_one_of(function, PINNING));
    return f->plan.lasting ? strcmp(function, "clFinish") == 0 : is_optional(s, function);
}

void fault_expect_detail(const fault_result *result, const char *text)
{
    if (strstr(result->detail, text) == NULL)
        fail_msg("no \"%s\" in: %s", text, result->detail);
}

/* Whether the result is what may come of a failure. */
static void check_result(const fault_subject *s, const fault *f, const fault_outcome *fault,
                         const fault_result *result)
{
    static const char *const unnamed[] = {"clGetDeviceIDs", "clGetDeviceInfo", "clBuildProgram",
                                          "fcntl", NULL};
    const char *function = f->plan.by_command ? "an enqueued command" : fault->function;
    if (result->status == RHOMB_OK) {
        if (fault->function != NULL && !fault->is_excused &&
            !may_be_unnoticed(s, f, fault->function))
            fail_msg("%s failed without a trace", function);
        return;
    }
    if (fault->function == NULL)
        fail_msg("%s without a failure: %s", rhomb_status_name(result->status), result->detail);
    /* When all calls fail, one that is optional may be the first of them. */
    if (!f->plan.lasting || !(is_release(fault->function) || is_optional(s, fault->function))) {
        if (!may_report(s, fault, result->status))
            fail_msg("%s: %s: %s", function, rhomb_status_name(result->status), result->detail);
        if (!s->tangled && !is_one_of(function, unnamed))
            fault_expect_detail(result, function);
    }
    fault_expect_detail(result, result->status == RHOMB_ERR_OUTPUT
                                    ? "another run writes it"
                                    : rhomb__cl_error_name(fault->code));
}

/* An allocation fails: there was no memory, or it was not needed. */
static void check_allocation(const fault *f, bool failed, const fault_result *result)
{
    if (result->status != f->status && !(failed && result->status == RHOMB_ERR_MEMORY))
        fail_msg("%s: %s", rhomb_status_name(result->status), result->detail);
}

void fault_check_left(int64_t handles)
{
    if (fault_borrows())
        fail_msg("a transfer may still use memory of the host");
    if (fault_live_handles() != handles)
        fail_msg("%lld handles are left", (long long)(fault_live_handles() - handles));
}

static rhomb_status open_devices(rhomb_context *ctx, const fault_subject *s)
{
    return s->ranks > 0 ? ranks_join(ctx, s->ranks, NULL) : rhomb_context_open(ctx, s->devices, 0);
}

static int64_t run_right(rhomb_context *ctx, const fault_subject *s)
{
    fault_result result;
    s->run(ctx, s, &result);
    if (result.status != RHOMB_OK)
        fail_msg("without a failure: %s: %s", rhomb_status_name(result.status), result.detail);
    return result.sum;
}

rhomb_context *fault_warm_context(const fault_subject *s, int64_t *sum)
{
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(s->cached, &status);
    assert_non_null(ctx);
    assert_int_equal(open_devices(ctx, s), RHOMB_OK);
    *sum = run_right(ctx, s);
    return ctx;
}

void fault_first_use(const fault_subject *s, fault_result *result)
{
    const rhomb_device_info *const *list = NULL;
    size_t count = 0;
    memset(result, 0, sizeof *result);
    result->sum = -2;
    rhomb_context *ctx = fault_create_context(s->cached, &result->status);
    if (ctx == NULL)
        return;
    result->status = rhomb_context_devices(ctx, &list, &count);
    if (result->status == RHOMB_OK)
        result->status = open_devices(ctx, s);
    if (result->status == RHOMB_OK)
        s->run(ctx, s, result);
    else
        fault_keep_detail(ctx, result);
    rhomb_context_destroy(ctx);
    ranks_wait();
}

static const fault_job *the_job;

static void run_job(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    fault_solve(ctx, the_job, result);
}

fault_outcome fault_first_solve(const fault_job *job, const fault_plan *plan, fault_result *result)
{
    const fault_subject s = {.name = "a job", .run = run_job};
    the_job = job;
    fault_begin(plan);
    fault_first_use(&s, result);
    const fault_outcome outcome = fault_end();
    fault_check_left(0);
    return outcome;
}

bool fault_is_slow(void)
{
    return getenv("RHOMB_TEST_EACH_FAULT") != NULL;
}

/* By a random step, which no loop is in step with; later calls are further apart. */
static int64_t next_call(const fault_subject *s, const fault *f, int64_t call)
{
    uint32_t state = (uint32_t)call;
    if (fault_is_slow())
        return call + 1;
    const int64_t share = s->dear || f->first_use ? 3 : 12;
    const int64_t apart = 1 + call / (amount_is_first_tier() ? share / 3 : share);
    return call + apart * (f->plan.function != NULL ? 1 : 1 + (fault_random(&state) >> 16) % 11);
}

/* Uses programs so many times. */
static void use(const fault_subject *s, int uses)
{
    fault_result result;
    for (int i = 0; i < uses; i++) {
        fault_first_use(s, &result);
        assert_int_equal(result.status, RHOMB_OK);
    }
}

static void set_cache(const fault_subject *s, fault_cache cache)
{
    if (cache != FAULT_CACHE_KEPT)
        fault_clear_cache();
    use(s, cache == FAULT_CACHE_NOTED);
}

/* A run in which something fails; whether it did. `ctx` is NULL for a first use. */
static bool fail_once(rhomb_context *ctx, const fault_subject *s, const fault *f, int64_t sum)
{
    fault_result result;
    const int64_t handles = fault_live_handles(), blocks = fault_live_blocks();
    fault_begin(&f->plan);
    if (ctx != NULL)
        s->run(ctx, s, &result);
    else
        fault_first_use(s, &result);
    const bool no_memory = fault_allocation_failed();
    fault_allocation_at(0);
    const fault_outcome fault = fault_end();
    if (f->is_allocation) {
        check_allocation(f, no_memory, &result);
        assert_int_equal(fault_live_blocks(), blocks);
    } else {
        check_result(s, f, &fault, &result);
    }
    if (result.status == RHOMB_OK)
        assert_int_equal(result.sum, sum);
    /* Of several devices, one may need a program for the first time: all go at the end. */
    fault_check_left(s->devices != NULL || s->ranks > 0 ? fault_live_handles() : handles);
    return f->is_allocation ? no_memory : fault.function != NULL;
}

void fault_fail(const fault_subject *s, const fault *f, rhomb_context *ctx, int64_t sum)
{
    fault now = *f;
    fault_result result;
    int64_t failures = 0, call = 1;
    bool failed = true;
    snprintf(where, sizeof where, "%s: %s", s->name, f->name);
    if (f->first_use) {
        if (s->cached)
            fault_clear_cache();
        use(s, s->cached ? 2 : 0);
        fault_first_use(s, &result);
        assert_int_equal(result.status, RHOMB_OK);
        assert_int_equal(fault_logged("loaded from the program cache"), s->cached);
        sum = result.sum;
        ctx = NULL;
    }
    for (; failed && call < MOST_CALLS; call = next_call(s, f, call)) {
        set_cache(s, f->cache);
        if (f->is_allocation)
            fault_allocation_at(call);
        else
            now.plan.call = call;
        snprintf(where, sizeof where, "%s: %s: call %lld", s->name, f->name, (long long)call);
        failed = fail_once(ctx, s, &now, sum);
        /* A run that fails later than the one before has come past what that one left. */
        failures += failed;
        if (ctx != NULL && (fault_is_slow() || failures % RUNS_AGAIN == 0 || !failed))
            assert_int_equal(run_right(ctx, s), sum);
    }
    assert_true(failures > 0 || f->plan.function != NULL);
    where[0] = '\0';
}
