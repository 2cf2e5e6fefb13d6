/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while a pair is aligned: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and results that are garbage. The call fails with
 * the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_align.h"
#include "fault_opencl.h"
#include "rhomb/cigar.h"

#define MOST_CALLS 10000 /* far more than any of the runs makes */

/* Whether the result is what may come of the failure. */
static void check_result(const fault_plan *plan, const fault_outcome *fault,
                         const fault_result *result)
{
    if (result->status == RHOMB_OK)
        return; /* fault_align_run() has looked at the path */
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

/* Calls whose failure may change nothing; all others have to be noticed. */
static bool is_optional(const char *function)
{
    static const char *const functions[] = {
        "clFinish",         "clGetDeviceInfo",       "clGetPlatformInfo",         "clGetDeviceIDs",
        "clGetProgramInfo", "clGetProgramBuildInfo", "clCreateProgramWithBinary", "clBuildProgram"};
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(function, functions[i]) == 0)
            return true;
    return strncmp(function, "clRelease", 9) == 0 || strstr(function, "Unmap") != NULL;
}

/*
 * Fails calls of an alignment in turn, in a context that stays. There are thousands, most of them
 * in loops: `apart` is from one to the next, and no number that a loop has.
 */
static void fail_calls(fault_plan plan, rhomb_engine engine, int64_t apart)
{
    fault_result result;
    rhomb_status status;
    bool failed = true;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    fault_align_run(ctx, engine, &result); /* builds what stays with the context */
    if (result.status != RHOMB_OK)
        fail_msg("%s", result.detail);
    const int64_t handles = fault_live_handles();
    for (plan.call = 1; failed && plan.call < MOST_CALLS; plan.call += apart) {
        fault_begin(&plan);
        fault_align_run(ctx, engine, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        if (failed && !plan.by_command && result.status == RHOMB_OK && !is_optional(fault.function))
            fail_msg("call %lld, %s, failed without a trace", (long long)plan.call, fault.function);
        assert_int_equal(fault_live_handles(), handles);
        fault_check_use();
    }
    assert_true(plan.call > (plan.function == NULL ? 100 : 3));
    fault_align_run(ctx, engine, &result);
    if (result.status != RHOMB_OK)
        fail_msg("after %lld failures: %s", (long long)(plan.call / apart), result.detail);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

static void test_calls(void **state)
{
    fail_calls((fault_plan){0}, RHOMB_ENGINE_WAVEFRONT, 7);
    fail_calls((fault_plan){0}, RHOMB_ENGINE_BITPARALLEL, 59);
}

static void test_lost_device(void **state)
{
    fail_calls((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES}, RHOMB_ENGINE_WAVEFRONT,
               23);
}

static void test_failed_commands(void **state)
{
    fail_calls((fault_plan){.function = "clGetEventInfo", .by_command = true},
               RHOMB_ENGINE_BITPARALLEL, 1);
}

/* Each call of a first use: opening, building, self-tests. Later ones are further apart. */
static void test_first_use(void **state)
{
    fault_result result;
    bool failed = true;
    fault_align_first_use(RHOMB_ENGINE_BITPARALLEL, &result); /* fills the cache */
    for (int64_t call = 1; failed; call += 1 + call / 8) {
        const fault_plan plan = {.call = call, .code = CL_OUT_OF_HOST_MEMORY};
        fault_begin(&plan);
        fault_align_first_use(RHOMB_ENGINE_BITPARALLEL, &result);
        const fault_outcome fault = fault_end();
        failed = fault.function != NULL;
        check_result(&plan, &fault, &result);
        assert_int_equal(fault_live_handles(), 0);
        fault_check_use();
    }
    assert_int_equal(result.status, RHOMB_OK);
}

/* ----------------------------------------------------------------- garbage */

static void set_zeros(void *data, size_t bytes)
{
    memset(data, 0, bytes);
}

static void set_bytes(void *data, size_t bytes)
{
    memset(data, 0x80, bytes);
}

static void set_ones(void *data, size_t bytes)
{
    memset(data, 0xff, bytes);
}

/* Points of parts, of which each is beside the right one. */
static void spoil_points(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        if (points[i].status == RHOMB_SPLIT_FOUND)
            points[i].target ^= 1;
}

/* Distances of leaves that could be. */
static void spoil_leaves(void *data, size_t bytes)
{
    rhomb_batch_answer *answers = data;
    for (size_t i = 0; bytes % sizeof *answers == 0 && i < bytes / sizeof *answers; i++)
        answers[i].distance ^= 1;
}

/* Of operations of leaves, which end with one, the last says the contrary of the letters. */
static void spoil_operations(void *data, size_t bytes)
{
    const size_t count = bytes / sizeof(rhomb_cigar_op);
    rhomb_cigar_op *last = (rhomb_cigar_op *)data + (count > 0 ? count - 1 : 0);
    if (count > 0 && RHOMB_CIGAR_LENGTH(*last) > 0 &&
        strchr("ID=X", RHOMB_CIGAR_LETTER(*last)) != NULL)
        *last ^= RHOMB_CIGAR_EQ ^ RHOMB_CIGAR_X;
}

/* In a context whose self-tests have passed, what cannot be is noticed. */
static void tamper(rhomb_context *ctx, rhomb_engine engine, void (*with)(void *, size_t))
{
    const fault_plan plan = {.tamper = with};
    fault_result result;
    fault_align_run(ctx, engine, &result);
    assert_int_equal(result.status, RHOMB_OK);
    const int64_t handles = fault_live_handles();
    fault_begin(&plan);
    fault_align_run(ctx, engine, &result);
    fault_end();
    if (result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
        fail_msg("%s: %s", rhomb_status_name(result.status), result.detail);
    fault_expect_detail(&result, rhomb_context_device(ctx)->name);
    assert_int_equal(fault_live_handles(), handles);
    fault_check_use();
}

static void test_garbage(void **state)
{
    static void (*const tampers[])(void *, size_t) = {set_zeros,    set_bytes,    set_ones,
                                                      spoil_points, spoil_leaves, spoil_operations};
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    for (size_t i = 0; i < COUNT(tampers); i++) {
        tamper(ctx, RHOMB_ENGINE_WAVEFRONT, tampers[i]);
        tamper(ctx, RHOMB_ENGINE_BITPARALLEL, tampers[i]);
    }
    rhomb_context_destroy(ctx);
}

/* One bit of one read. */
static struct {
    int64_t reads;
    int64_t at;
    uint32_t random;
} flip;

static void flip_bit(void *data, size_t bytes)
{
    if (flip.reads++ != flip.at || bytes == 0)
        return;
    flip.random = flip.random * 1664525 + 1013904223;
    ((unsigned char *)data)[(flip.random >> 8) % bytes] ^=
        (unsigned char)(1u << (flip.random >> 5 & 7));
}

/* A bit that is wrong, in each read in turn: that is noticed, or the path is none the worse. */
static void test_bits(void **state)
{
    enum { ROUNDS = 12 };
    const fault_plan plan = {.tamper = flip_bit};
    fault_result result;
    rhomb_status status;
    int64_t noticed = 0;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
    for (int64_t round = 0; round < ROUNDS; round++) {
        const rhomb_engine engine =
            round % 2 == 0 ? RHOMB_ENGINE_WAVEFRONT : RHOMB_ENGINE_BITPARALLEL;
        fault_align_run(ctx, engine, &result); /* whose self-tests have all passed then */
        flip.random = (uint32_t)round * 77777 + 5;
        flip.reads = 1;
        for (flip.at = 0; flip.reads > flip.at; flip.at++) {
            flip.reads = 0;
            fault_begin(&plan);
            fault_align_run(ctx, engine, &result);
            fault_end();
            noticed += result.status != RHOMB_OK;
            if (result.status != RHOMB_OK && result.status != RHOMB_ERR_DEVICE_WRONG_RESULT)
                fail_msg("read %lld of round %lld: %s: %s", (long long)flip.at, (long long)round,
                         rhomb_status_name(result.status), result.detail);
        }
    }
    assert_true(noticed > 5);
    rhomb_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_calls, fault_start_afresh),
        cmocka_unit_test_setup(test_lost_device, fault_start_afresh),
        cmocka_unit_test_setup(test_failed_commands, fault_start_afresh),
        cmocka_unit_test_setup(test_first_use, fault_start_afresh),
        cmocka_unit_test_setup(test_garbage, fault_start_afresh),
        cmocka_unit_test_setup(test_bits, fault_start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
