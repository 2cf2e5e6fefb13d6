/* SPDX-License-Identifier: MIT */
/*
 * What a plan asks of the host: memory besides the bases, which is that of the stage that takes
 * the most, and a second program where a pyramid may become wide.
 */
#include "src/planner/engine_plan.h"
#include "support/rng.h"
#include "support/test.h"

#define MIB (INT64_C(1) << 20)

static const rhomb_device_info GPU = {.kind = RHOMB_DEVICE_GPU,
                                      .name = "a GPU",
                                      .memory_bytes = INT64_C(1) << 36,
                                      .max_buffer_bytes = INT64_C(1) << 35,
                                      .max_group_size = 1024,
                                      .local_memory_bytes = 49152};

/* A plan for target and query of a length, with threads of the host. */
static rhomb__plan plan_of(const rhomb_device_info *device, const rhomb_options *given,
                           int64_t length, bool equal, int32_t threads)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb__plan plan = {0};
    const rhomb__rates rates = rhomb__rates_of_row(device);
    if (rhomb__options_complete(&error, given, &options, &tuning) == RHOMB_OK) {
        const rhomb__plan_input input = {.target_length = length,
                                         .query_length = length,
                                         .symbols = 4,
                                         .equal = equal,
                                         .device = device,
                                         .options = &options,
                                         .rates = &rates,
                                         .threads = threads};
        if (rhomb__plan_make(&error, &input, &plan) == RHOMB_OK)
            return plan;
    }
    fail_msg("%s", rhomb__error_text(&error));
    return plan;
}

/* Bytes besides the one MiB that is there in any case. */
static int64_t host_bytes(const rhomb_device_info *device, rhomb_engine engine, int64_t length,
                          int32_t threads)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    return plan_of(device, &options, length, false, threads).host_bytes - MIB;
}

/* A MiB of tables for each thread that has some of 16 Mi bases to count. */
static void test_tables(void **state)
{
    rhomb_device_info cpu = GPU;
    cpu.kind = RHOMB_DEVICE_CPU;
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 1000, 16) == 0);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB, 16) == MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB + 1, 16) == 2 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 16) == 16 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 3) == 3 * MIB);
    const rhomb__plan trivial = plan_of(&cpu, NULL, 64 * MIB, true, 16);
    assert_string_equal(rhomb__plan_engine_name(&trivial), "trivial");
    assert_true(trivial.host_bytes == MIB + 4 * MIB);
}

/* Two pieces of bases, on the way to memory that is not the host's. */
static void test_pinned(void **state)
{
    rhomb_device_info small_cpu = GPU;
    small_cpu.kind = RHOMB_DEVICE_CPU;
    small_cpu.max_buffer_bytes = 100 * MIB;
    assert_true(host_bytes(&GPU, RHOMB_ENGINE_WAVEFRONT, MIB - 1, 1) == MIB); /* the tables */
    assert_true(rhomb__pinned_bytes(&GPU, MIB - 1) == 0);
    assert_true(rhomb__pinned_bytes(&GPU, MIB) == 2 << 16);
    assert_true(host_bytes(&GPU, RHOMB_ENGINE_WAVEFRONT, 128 * MIB, 1) == 8 * MIB);
    assert_true(host_bytes(&GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 1) == 32 * MIB);
    assert_true(host_bytes(&GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 64) == 64 * MIB);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB) == 0);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB + 32) == 2 * (100 * MIB + 32) / 32);
}

/* A sweep's own memory takes the place of what is given back before, or is less. */
static void test_sweep(void **state)
{
    const int64_t length = 100 * MIB;
    const rhomb__plan one = plan_of(&GPU, NULL, length, false, 1);
    const int64_t sweep = host_bytes(&GPU, RHOMB_ENGINE_BITPARALLEL, length, 1);
    assert_true(one.host_bytes == MIB + 2 * length / 32);
    assert_true(sweep >= length / 2 && sweep < length / 2 + length / 8);
    assert_true(host_bytes(&GPU, RHOMB_ENGINE_BITPARALLEL, length, 7) == sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_sweep),
    };
    return cmocka_run_group_tests_name("plan host", tests, NULL, NULL);
}
