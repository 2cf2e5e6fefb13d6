/* SPDX-License-Identifier: MIT */
/*
 * Devices that are smaller, or other, than those that the library was tuned on: PoCL's device says
 * that it is one (fault_opencl.h), and each launch and each buffer that it would not allow fails
 * the test. Every engine gives right results on it.
 *
 * First kernels that allow smaller groups than the device does.
 */
#include "fault_driver.h"
#include "rhomb/plan.h"
#include "src/base/int64.h"
#include "support/amount.h"
#include "support/device_examples.h"

/* PoCL's device, as a GPU with memory of its own: groups have more than one work-item. */
#define GPU                                     \
    {CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},       \
    {                                           \
        CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE \
    }

/* CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, which older headers lack. */
#define DEVICE_WAVE 0x1067

/* Small in all that plans look at, and with waves of 64. */
#define SMALL_GPU                                                                         \
    GPU, {CL_DEVICE_MAX_WORK_GROUP_SIZE, 256}, {CL_DEVICE_LOCAL_MEM_SIZE, 16 << 10},      \
        {CL_DEVICE_GLOBAL_MEM_SIZE, 256 << 20}, {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 64 << 20}, \
        {CL_DEVICE_MAX_COMPUTE_UNITS, 4},                                                 \
    {                                                                                     \
        DEVICE_WAVE, 64                                                                   \
    }

/* Runs a subject on such a device, in a context of its own, and expects what is right. */
static void expect_right_on(const fault_plan *plan, const fault_subject *s, const char *what)
{
    fault_result result = {.status = RHOMB_OK};
    rhomb_status status;
    fault_forget_handles();
    fault_begin(plan);
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    s->run(ctx, s, &result);
    rhomb_context_destroy(ctx);
    fault_end();
    fault_check_use();
    if (result.status != RHOMB_OK)
        fail_msg("%s: %s: %s", what, rhomb_status_name(result.status), result.detail);
    if (result.distance != s->distance)
        fail_msg("%s: %lld instead of %lld", what, (long long)result.distance,
                 (long long)s->distance);
}

/* A distance without a tuning but for the engine. */
static fault_subject distance_of(fault_job *job, fault_work work)
{
    const rhomb_tuning tuning = RHOMB_TUNING_INIT;
    fault_make_job(job, work);
    job->tuning = tuning;
    return fault_distance(job);
}

/* The subject, and the kernel whose groups are limited. */
static void expect_smaller(const fault_subject *s, const char *kernel, size_t limit)
{
    const fault_plan plan = {.numbers = {GPU, {DEVICE_WAVE, 64}},
                             .limited = kernel,
                             .group_limit = limit,
                             .quick = true};
    const int64_t before = fault_limited_launches();
    char what[128];
    snprintf(what, sizeof what, "%s with groups of %zu", kernel, limit);
    expect_right_on(&plan, s, what);
    if (fault_limited_launches() == before)
        fail_msg("%s was not launched", kernel);
    if (!fault_logged("smaller groups: ") || !fault_logged(kernel))
        fail_msg("nothing was said about %s", what);
}

static void test_distances(void **state)
{
    static const struct {
        fault_work work;
        const char *kernel;
        size_t limit;
    } cases[] = {{FAULT_TRAPEZOIDS, "rhomb_wavefront_advance", 64},
                 {FAULT_TRAPEZOIDS, "rhomb_wavefront_meet", 32},
                 {FAULT_AFFINE, "rhomb_affine_advance", 48}, /* 32 is its power of two */
                 {FAULT_SWEEPS, "rhomb_bitparallel_sweep", 64},
                 {FAULT_SLICED, "rhomb_bitsliced_sweep", 32}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        fault_job job;
        const fault_subject s = distance_of(&job, cases[i].work);
        expect_smaller(&s, cases[i].kernel, cases[i].limit);
    }
}

static void test_batches(void **state)
{
    static const struct {
        fault_batch_work work;
        const char *kernel;
    } cases[] = {{FAULT_BATCH_PATHS, "rhomb_batch_solve"},
                 {FAULT_BATCH_DISTANCES, "rhomb_batch_solve"},
                 {FAULT_BATCH_SCORED, "rhomb_batch_affine"},
                 {FAULT_BATCH_PLANES, "rhomb_batch_sliced"},
                 {FAULT_BATCH_LOCAL, "rhomb_batch_local"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        fault_subject s = fault_batch(cases[i].work);
        s.free_groups = true;
        expect_smaller(&s, cases[i].kernel, 32);
    }
}

static void test_matrices(void **state)
{
    fault_subject s = fault_matrix();
    s.free_groups = true;
    expect_smaller(&s, "rhomb_batch_solve", 32);
}

static void test_local(void **state)
{
    fault_subject local = fault_local(RHOMB_MODE_LOCAL, -1);
    fault_subject drop = fault_local(RHOMB_MODE_EXTEND, 50);
    local.free_groups = drop.free_groups = true;
    expect_smaller(&local, "rhomb_long_local", 32);
    if (amount_is_whole())
        expect_smaller(&drop, "rhomb_long_local", 32);
}

static void test_alignments(void **state)
{
    const fault_subject waves = fault_align(RHOMB_ENGINE_WAVEFRONT);
    const fault_subject sweeps = fault_align(RHOMB_ENGINE_BITPARALLEL);
    const fault_subject scored_waves = fault_align_scored(RHOMB_ENGINE_WAVEFRONT);
    const fault_subject scored_sweeps = fault_align_scored(RHOMB_ENGINE_BITPARALLEL);
    const struct {
        const fault_subject *subject;
        const char *kernel;
        size_t limit;
    } cases[] = {{&waves, "rhomb_split_wide_advance", 64},
                 {&waves, "rhomb_split_columns", 64},
                 {&waves, "rhomb_batch_solve", 64},
                 {&sweeps, "rhomb_bitparallel_sweep", 32},
                 {&scored_waves, "rhomb_affine_meet", 64},
                 {&scored_waves, "rhomb_affine_path_solve", 64},
                 {&scored_sweeps, "rhomb_bitsliced_sweep", 32}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (amount_takes((int64_t)i))
            expect_smaller(cases[i].subject, cases[i].kernel, cases[i].limit);
    }
}

/*
 * On a device whose limits are known the first choice is right: no kernel has to be asked twice,
 * and no launch or buffer is too large.
 */
static void expect_first_choice(const fault_plan *plan, const char *device, fault_subject s,
                                const char *subject)
{
    char what[256];
    snprintf(what, sizeof what, "%s on %s", subject, device);
    s.free_groups = true;
    expect_right_on(plan, &s, what);
    if (fault_logged("smaller groups: "))
        fail_msg("%s: the first groups are too large", what);
}

/*
 * The distance by each engine; of the rest a share, where one is taken. In a share there are no
 * bit planes of a long pair, which take PoCL the longest to compile in a GPU's groups: half a
 * minute.
 */
static void run_all(const fault_plan *plan, const char *device)
{
    static const fault_work distances[] = {FAULT_TRAPEZOIDS, FAULT_AFFINE, FAULT_SWEEPS,
                                           FAULT_SLICED};
    const size_t engines = COUNT(distances) - (amount_is_whole() ? 0 : 1);
    const struct {
        fault_subject subject;
        const char *what;
    } others[] = {{fault_matrix(), "a matrix"},
                  {fault_local(RHOMB_MODE_LOCAL, -1), "a local alignment"},
                  {fault_local(RHOMB_MODE_ENDS_FREE, -1), "an alignment with free ends"},
                  {fault_local(RHOMB_MODE_EXTEND, 50), "an extension"},
                  {fault_align(RHOMB_ENGINE_WAVEFRONT), "an alignment by wavefronts"},
                  {fault_align(RHOMB_ENGINE_BITPARALLEL), "an alignment by sweeps"},
                  {fault_align_scored(RHOMB_ENGINE_WAVEFRONT), "affine wavefronts"},
                  {fault_align_scored(RHOMB_ENGINE_BITPARALLEL), "affine sweeps"}};
    for (size_t i = 0; i < engines; i++) {
        fault_job job;
        expect_first_choice(plan, device, distance_of(&job, distances[i]), "a distance");
    }
    for (int work = 0; work < FAULT_BATCH_WORKS; work++) {
        if (amount_takes(work))
            expect_first_choice(plan, device, fault_batch((fault_batch_work)work), "a batch");
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        if (amount_takes((int64_t)i))
            expect_first_choice(plan, device, others[i].subject, others[i].what);
    }
}

static void test_small(void **state)
{
    const fault_plan plan = {.numbers = {SMALL_GPU}, .quick = true};
    run_all(&plan, "a small device");
}

/* PoCL's device with the limits of every class of GPUs, but for memory that it does not have. */
static void test_classes(void **state)
{
    for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
        const rhomb_device_info *d = &EXAMPLES[i].info;
        const int64_t memory = rhomb__min(d->memory_bytes, INT64_C(1) << 30);
        const int64_t buffer = memory / (d->memory_bytes / d->max_buffer_bytes);
        const fault_plan plan = {
            .numbers = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},
                        {CL_DEVICE_HOST_UNIFIED_MEMORY, d->unified_memory},
                        {CL_DEVICE_MAX_WORK_GROUP_SIZE, (cl_ulong)d->max_group_size},
                        {CL_DEVICE_LOCAL_MEM_SIZE, (cl_ulong)d->local_memory_bytes},
                        {CL_DEVICE_GLOBAL_MEM_SIZE, (cl_ulong)memory},
                        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, (cl_ulong)buffer},
                        {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
                        {DEVICE_WAVE, (cl_ulong)rhomb__max(d->lanes, 1)}},
            .quick = true};
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
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        assert_int_equal(rhomb_context_open(ctx, NULL, 0), RHOMB_OK);
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
    const fault_plan plan = {
        .numbers = {GPU}, .limited = "rhomb_wavefront_advance", .group_limit = 32};
    fault_job job;
    fault_result result;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.group_size = 64;
    job.tuning.diagonals_per_item = 2;
    fault_begin(&plan);
    fault_first_solve(&job, &result);
    fault_end();
    assert_int_equal(result.status, RHOMB_ERR_BUILD);
    fault_expect_detail(&result,
                        "groups of 64 work-items are too large for the kernel "
                        "rhomb_wavefront_advance (wavefront/wavefront.cl), which allows 32");
    assert_int_equal(fault_live_handles(), 0);
}

/*
 * Large items on Intel's GPUs are built with more registers: by a compiler that knows the option,
 * and by one that refuses it, without.
 */
static void test_registers(void **state)
{
    static const char option[] = "-cl-intel-256-GRF-per-thread";
    fault_job job;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    job.tuning.group_size = 16;
    job.tuning.diagonals_per_item = 4;
    for (int refuses = 0; refuses < 2; refuses++) {
        const fault_plan plan = {.numbers = {GPU},
                                 .quick = true,
                                 .vendor = "Intel(R) Corporation",
                                 .taken_option = refuses ? NULL : option,
                                 .refused_option = refuses ? option : NULL};
        const fault_subject s = fault_distance(&job);
        const int64_t before = fault_taken_options();
        expect_right_on(&plan, &s, refuses ? "refusing" : "taking");
        assert_int_equal(fault_taken_options() > before, !refuses);
        assert_int_equal(fault_logged("wavefront.cl: built without -cl-intel-256-GRF-per-thread, "
                                      "which the compiler refuses: CL_INVALID_BUILD_OPTIONS"),
                         refuses);
    }
    /* All items of a GPU Max, of which large ones make it half as wide. */
    const fault_plan wide = {.numbers = {GPU},
                             .quick = true,
                             .vendor = "Intel(R) Corporation",
                             .name = "Intel(R) Data Center GPU Max 1550",
                             .taken_option = option,
                             .refused_option = "sub_group_size"};
    const fault_subject w = fault_distance(&job);
    expect_right_on(&wide, &w, "refusing to be half as wide");
    assert_int_equal(fault_logged("wavefront.cl: built without -cl-intel-256-GRF-per-thread "
                                  "-D__kernel=__attribute__((intel_reqd_sub_group_size(16)))"
                                  "__kernel, which the compiler refuses"),
                     1);
    const int64_t before_small = fault_taken_options();
    job.tuning.diagonals_per_item = 3;
    expect_right_on(&wide, &w, "small items of a GPU Max");
    assert_true(fault_taken_options() > before_small);
    job.tuning.diagonals_per_item = 4;
    /* Small items of others, and other vendors, do without. */
    const fault_plan other = {
        .numbers = {GPU}, .quick = true, .vendor = "NVIDIA Corporation", .taken_option = option};
    const fault_plan intel = {
        .numbers = {GPU}, .quick = true, .vendor = "Intel(R) Corporation", .taken_option = option};
    const int64_t before = fault_taken_options();
    const fault_subject s = fault_distance(&job);
    expect_right_on(&other, &s, "another vendor");
    job.tuning.diagonals_per_item = 3;
    expect_right_on(&intel, &s, "small items");
    assert_int_equal(fault_taken_options(), before);
}

/* The last one takes minutes, and only runs where it is named. */
static const struct CMUnitTest CASES[] = {
    cmocka_unit_test_setup(test_distances, fault_start_afresh),
    cmocka_unit_test_setup(test_batches, fault_start_afresh),
    cmocka_unit_test_setup(test_matrices, fault_start_afresh),
    cmocka_unit_test_setup(test_local, fault_start_afresh),
    cmocka_unit_test_setup(test_alignments, fault_start_afresh),
    cmocka_unit_test_setup(test_given, fault_start_afresh),
    cmocka_unit_test_setup(test_small, fault_start_afresh),
    cmocka_unit_test_setup(test_available_memory, fault_start_afresh),
    cmocka_unit_test_setup(test_registers, fault_start_afresh),
    cmocka_unit_test_setup(test_classes, fault_start_afresh),
};

/* test_small_devices [CASE] */
int main(int argc, char **argv)
{
    int failures = 0;
    if (!fault_has_device())
        return 77;
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const struct CMUnitTest one[] = {CASES[i]};
        if (argc < 2 ? i + 1 < COUNT(CASES) : strcmp(CASES[i].name + strlen("test_"), argv[1]) == 0)
            failures +=
                cmocka_run_group_tests_name(CASES[i].name, one, fault_set_up, fault_tear_down);
    }
    return failures;
}
