/* SPDX-License-Identifier: MIT */
/*
 * Devices that are smaller, or other, than those that the library was tuned on: our OpenCL says
 * that it is one (opencl/own_faults.h), and ends the process at each launch that it would not
 * allow. Every engine gives right results on it. What cannot fit is refused before there is a
 * buffer, or is an error that says so.
 *
 * First kernels that allow smaller groups than the device does.
 */
#include "fault_tester.h"

#include "rhomb/plan.h"
#include "src/base/int64.h"
#include "support/amount.h"
#include "support/device_examples.h"

/* CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, which older headers lack. */
#define DEVICE_WAVE 0x1067

/* Small in all that plans look at, and with waves of 64. */
static const fault_plan SMALL_GPU = {.numbers = {{CL_DEVICE_MAX_WORK_GROUP_SIZE, 256},
                                                 {CL_DEVICE_LOCAL_MEM_SIZE, 16 << 10},
                                                 {CL_DEVICE_GLOBAL_MEM_SIZE, 256 << 20},
                                                 {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 64 << 20},
                                                 {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
                                                 {DEVICE_WAVE, 64}}};

/* A subject whose groups and tiles the library chooses. */
static fault_subject free_subject(const char *name)
{
    fault_subject s = fault_subject_named(name);
    s.free_tuning = true;
    s.cached = false;
    return s;
}

/* What a subject comes to on the device as it is, in small groups and tiles. */
static int64_t right_sum(const fault_subject *s)
{
    int64_t sum;
    fault_subject small = *s;
    small.free_tuning = false;
    rhomb_context *ctx = fault_warm_context(&small, &sum);
    rhomb_context_destroy(ctx);
    return sum;
}

/* Runs a subject on a device of a plan, in a context of its own, and expects what is right. */
static fault_outcome expect_right_on(const fault_plan *plan, const fault_subject *s,
                                     const char *what)
{
    fault_result result;
    const int64_t sum = right_sum(s);
    fault_begin(plan);
    fault_first_use(s, &result);
    const fault_outcome outcome = fault_end();
    fault_check_left(0);
    if (result.status != RHOMB_OK)
        fail_msg("%s: %s: %s", what, rhomb_status_name(result.status), result.detail);
    if (result.sum != sum)
        fail_msg("%s: %lld instead of %lld", what, (long long)result.sum, (long long)sum);
    return outcome;
}

/* Kernels whose groups are limited, and what launches them. */
static const struct {
    const char *subject, *kernel;
    size_t limit;
} LIMITED[] = {{"few calls", "rhomb_wavefront_advance", 64},
               {"batch", "rhomb_batch_solve", 32},
               {"matrix", "rhomb_batch_solve", 32},
               {"local", "rhomb_long_local", 32},
               {"align, trapezoids", "rhomb_split_wide_advance", 64},
               {"align, trapezoids", "rhomb_split_columns", 64},
               {"few calls", "rhomb_wavefront_meet", 32},
               {"affine", "rhomb_affine_advance", 48}, /* 32 is its power of two */
               {"sweeps", "rhomb_bitparallel_sweep", 64},
               {"sliced", "rhomb_bitsliced_sweep", 32},
               {"batch, distances", "rhomb_batch_solve", 32},
               {"batch, scored", "rhomb_batch_affine", 32},
               {"batch, planes", "rhomb_batch_sliced", 32},
               {"batch, local", "rhomb_batch_local", 32},
               {"z-drop", "rhomb_long_local", 32},
               {"align, trapezoids", "rhomb_batch_solve", 64},
               {"align, sweeps", "rhomb_bitparallel_sweep", 32},
               {"align, affine", "rhomb_affine_meet", 64},
               {"align, affine", "rhomb_affine_path_solve", 64},
               {"align, sliced", "rhomb_bitsliced_sweep", 32}};

static void test_limited(void **state)
{
    for (size_t i = 0; i < COUNT(LIMITED); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const fault_plan plan = {.numbers = {{DEVICE_WAVE, 64}},
                                 .limited = LIMITED[i].kernel,
                                 .group_limit = LIMITED[i].limit};
        const fault_subject s = free_subject(LIMITED[i].subject);
        char what[128];
        snprintf(what, sizeof what, "%s with groups of %zu", LIMITED[i].kernel, LIMITED[i].limit);
        if (expect_right_on(&plan, &s, what).launches == 0)
            fail_msg("%s was not launched", LIMITED[i].kernel);
        if (!fault_logged("smaller groups: ") || !fault_logged(LIMITED[i].kernel))
            fail_msg("nothing was said about %s", what);
    }
}

/*
 * On a device whose limits are known the first choice is right: no kernel has to be asked twice,
 * and no launch or buffer is too large.
 */
static void run_all(const fault_plan *plan, const char *device)
{
    static const char *const subjects[] = {
        "few calls",      "affine",           "sweeps",
        "sliced",         "matrix",           "local",
        "ends-free",      "z-drop",           "batch",
        "batch, workers", "batch, distances", "batch, scored",
        "batch, planes",  "batch, local",     "align, trapezoids",
        "align, sweeps",  "align, affine",    "align, sliced"};
    for (size_t i = 0; i < COUNT(subjects); i++) {
        const fault_subject s = free_subject(subjects[i]);
        char what[256];
        if (!amount_takes((int64_t)i))
            continue;
        snprintf(what, sizeof what, "%s on %s", subjects[i], device);
        expect_right_on(plan, &s, what);
        if (fault_logged("smaller groups: "))
            fail_msg("%s: the first groups are too large", what);
    }
}

static void test_small(void **state)
{
    run_all(&SMALL_GPU, "a small device");
}

/* The limits of every class of GPUs; of memory less. */
static void test_classes(void **state)
{
    for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
        const rhomb_device_info *d = &EXAMPLES[i].info;
        const int64_t memory = rhomb__min(d->memory_bytes, INT64_C(1) << 30);
        const int64_t buffer = memory / (d->memory_bytes / d->max_buffer_bytes);
        const fault_plan plan = {
            .numbers = {{CL_DEVICE_HOST_UNIFIED_MEMORY, d->unified_memory},
                        {CL_DEVICE_MAX_WORK_GROUP_SIZE, (cl_ulong)d->max_group_size},
                        {CL_DEVICE_LOCAL_MEM_SIZE, (cl_ulong)d->local_memory_bytes},
                        {CL_DEVICE_GLOBAL_MEM_SIZE, (cl_ulong)memory},
                        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, (cl_ulong)buffer},
                        {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
                        {DEVICE_WAVE, (cl_ulong)rhomb__max(d->lanes, 1)}}};
        if (d->kind == RHOMB_DEVICE_GPU)
            run_all(&plan, EXAMPLES[i].name);
    }
}

/* A device of 2^50 bytes: with memory of its own it has them, else what the host has available. */
static void test_available_memory(void **state)
{
    static const struct {
        cl_bool unified;
        cl_device_type type;
    } cases[] = {{CL_FALSE, CL_DEVICE_TYPE_GPU},
                 {CL_TRUE, CL_DEVICE_TYPE_GPU},
                 {CL_TRUE, CL_DEVICE_TYPE_CPU}};
    const int64_t all = INT64_C(1) << 50;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fault_plan plan = {.numbers = {{CL_DEVICE_TYPE, cases[i].type},
                                             {CL_DEVICE_HOST_UNIFIED_MEMORY, cases[i].unified},
                                             {CL_DEVICE_GLOBAL_MEM_SIZE, (cl_ulong)all},
                                             {CL_DEVICE_MAX_MEM_ALLOC_SIZE, (cl_ulong)all}}};
        const bool shares = cases[i].unified;
        rhomb_status status;
        fault_begin(&plan);
        rhomb_context *ctx = fault_create_context(false, &status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_context_open(ctx, "0", 0), RHOMB_OK);
        fault_end();
        const rhomb_device_info *device = rhomb_context_device(ctx);
        assert_int_equal(device->memory_bytes < all, shares);
        assert_int_equal(device->max_buffer_bytes < all, shares);
        assert_true(device->memory_bytes > INT64_C(1) << 20);
        assert_int_equal(fault_logged("the device shares the host's memory, of which"), shares);
        rhomb_context_destroy(ctx);
    }
}

/* A size that the caller gave is not made smaller: an error says what is allowed. */
static void test_given(void **state)
{
    const fault_plan plan = {.limited = "rhomb_wavefront_advance", .group_limit = 32};
    fault_job job;
    fault_result result;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.group_size = 64;
    job.tuning.diagonals_per_item = 2;
    fault_first_solve(&job, &plan, &result);
    assert_int_equal(result.status, RHOMB_ERR_BUILD);
    fault_expect_detail(&result,
                        "groups of 64 work-items are too large for the kernel "
                        "rhomb_wavefront_advance (wavefront/wavefront.cl), which allows 32");
}

/* The distance of large items, or of others, on a device of a vendor, whose compiler has an option.
 */
static int64_t builds_with(int diagonals, const fault_plan *plan)
{
    fault_job job;
    fault_result result;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.group_size = 16;
    job.tuning.diagonals_per_item = diagonals;
    const fault_outcome outcome = fault_first_solve(&job, plan, &result);
    assert_int_equal(result.status, RHOMB_OK);
    assert_int_equal(result.sum,
                     right_sum(&(fault_subject){.name = "trapezoids",
                                                .run = fault_subject_named("trapezoids").run,
                                                .way = FAULT_TRAPEZOIDS}));
    return outcome.builds;
}

/*
 * Large items on Intel's GPUs are built with more registers: by a compiler that knows the option,
 * and by one that refuses it, without.
 */
static void test_registers(void **state)
{
    static const char option[] = "-cl-intel-256-GRF-per-thread";
    static const char intel[] = "Intel(R) Corporation";
    const fault_plan takes = {.vendor = intel, .taken_option = option};
    const fault_plan refuses = {.vendor = intel};
    /* All items of a GPU Max, of which large ones make it half as wide. */
    const fault_plan wide = {.vendor = intel,
                             .name = "Intel(R) Data Center GPU Max 1550",
                             .taken_option = option,
                             .refused_option = "sub_group_size"};
    const fault_plan other = {.vendor = "NVIDIA Corporation", .taken_option = option};
    assert_true(builds_with(4, &takes) > 0);
    assert_int_equal(builds_with(4, &refuses), 0);
    builds_with(4, &wide);
    assert_true(builds_with(3, &wide) > 0);
    /* Small items of others, and other vendors, do without. */
    assert_int_equal(builds_with(4, &other), 0);
    assert_int_equal(builds_with(3, &takes), 0);
}

/* Solves a job on a device with changed numbers, and expects a refusal that says `text`. */
static void expect_no_memory(const fault_job *job, const fault_plan *plan, const char *text)
{
    fault_result result;
    fault_first_solve(job, plan, &result);
    if (result.status != RHOMB_ERR_DEVICE_MEMORY)
        fail_msg("%s: %s", rhomb_status_name(result.status), result.detail);
    fault_expect_detail(&result, text);
}

/* What can be foreseen is refused before there is a buffer, and by the plan as well. */
static void test_memory_foreseen(void **state)
{
    static const cl_device_info asked[] = {CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE};
    for (size_t i = 0; i < COUNT(asked); i++) {
        const fault_plan plan = {.function = "clCreateBuffer", .numbers = {{asked[i], 8000}}};
        fault_job job;
        rhomb_plan *planned = NULL;
        rhomb_status status;
        fault_make_job(&job, FAULT_TRAPEZOIDS);
        expect_no_memory(&job, &plan,
                         asked[i] == CL_DEVICE_GLOBAL_MEM_SIZE
                             ? "8000 bytes of memory; the packed sequences"
                             : "has at most 8000 bytes; the largest that the pair needs has");
        fault_begin(&plan);
        rhomb_context *ctx = fault_create_context(false, &status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_plan_distance(ctx, job.target, job.target_length, job.query,
                                             job.query_length, &job.options, &planned),
                         RHOMB_ERR_DEVICE_MEMORY);
        assert_true(rhomb_context_error(ctx)[0] != '\0');
        rhomb_context_destroy(ctx);
        const fault_outcome outcome = fault_end();
        assert_int_equal(outcome.calls, 0);
    }
}

static char *make_letters(int64_t length)
{
    char *letters = malloc((size_t)length);
    assert_non_null(letters);
    fault_random_letters(letters, length);
    return letters;
}

/* Memory that runs out while the columns grow, and a buffer that gets too large. */
static void test_memory_columns(void **state)
{
    enum { LENGTH = 20000 };
    char *letters = make_letters(2 * LENGTH);
    for (size_t i = 0; i < 2; i++) {
        fault_job job;
        fault_job large;
        fault_result result;
        rhomb_plan *planned = NULL;
        rhomb_status status;
        fault_make_job(&job, i == 0 ? FAULT_TRAPEZOIDS : FAULT_DIAMONDS);
        large = job;
        large.target = letters;
        large.query = letters + LENGTH;
        large.target_length = large.query_length = LENGTH;
        large.tuning.offset_bits = 64;
        large.options.tuning = &large.tuning;
        rhomb_context *ctx = fault_create_context(false, &status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_plan_distance(ctx, large.target, LENGTH, large.query, LENGTH,
                                             &large.options, &planned),
                         RHOMB_OK);
        rhomb_context_destroy(ctx);
        const cl_ulong enough = (cl_ulong)planned->device_bytes_min + 65536; /* for the self-test */
        rhomb_plan_destroy(planned);
        expect_no_memory(&large, &(fault_plan){.numbers = {{CL_DEVICE_GLOBAL_MEM_SIZE, enough}}},
                         "for a wavefront");
        /* No single sequence needs as much, but a column does. */
        const fault_plan plan = {.numbers = {{CL_DEVICE_MAX_MEM_ALLOC_SIZE, 66000}}};
        expect_no_memory(&large, &plan, "for a wavefront, and a buffer has at most");

        /* The context of such a failure solves what does fit. */
        fault_begin(&plan);
        ctx = fault_create_context(false, &status);
        assert_non_null(ctx);
        fault_solve(ctx, &large, &result);
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_MEMORY);
        fault_solve(ctx, &job, &result);
        assert_int_equal(result.status, RHOMB_OK);
        rhomb_context_destroy(ctx);
        fault_end();
        fault_check_left(0);
    }
    free(letters);
}

/* test_small_devices [CASE]; the last one takes minutes, and only runs where it is named. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_limited, test_given,
                                                 test_small, test_available_memory, test_registers,
                                                 test_memory_foreseen, test_memory_columns)};
    const struct CMUnitTest classes[] = {TEST_LIST(cmocka_unit_test, test_classes)};
    return argc > 1 ? cmocka_run_group_tests(classes, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
