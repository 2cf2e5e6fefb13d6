/* SPDX-License-Identifier: MIT */
/*
 * What a plan asks of the host: memory besides the bases, which is that of the stage that takes
 * the most.
 */
#include "support/plans.h"

#define MIB (INT64_C(1) << 20)

/* A plan for two sequences of a length, which has so many threads of the host. */
static rhomb__plan plan_on(const rhomb_device_info *device, rhomb_engine engine, int64_t length,
                           bool equal, int32_t threads)
{
    planning p;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    assert_int_equal(planning_prepare(&p, length, length, &options, device), RHOMB_OK);
    p.input.equal = equal;
    p.input.threads = threads;
    assert_int_equal(rhomb__plan_make(&p.error, &p.input, &p.plan), RHOMB_OK);
    return p.plan;
}

/* Bytes besides the one MiB that is there in any case. */
static int64_t host_bytes(const rhomb_device_info *device, rhomb_engine engine, int64_t length,
                          int32_t threads)
{
    return plan_on(device, engine, length, false, threads).host_bytes - MIB;
}

/* A MiB of tables for each thread that has some of 16 Mi bases to count. */
static void test_tables(void **state)
{
    rhomb_device_info cpu = LARGE_GPU;
    cpu.kind = RHOMB_DEVICE_CPU;
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 1000, 16) == 0);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB, 16) == MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 16 * MIB + 1, 16) == 2 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 16) == 16 * MIB);
    assert_true(host_bytes(&cpu, RHOMB_ENGINE_WAVEFRONT, 256 * MIB, 3) == 3 * MIB);
    const rhomb__plan trivial = plan_on(&cpu, RHOMB_ENGINE_AUTO, 64 * MIB, true, 16);
    assert_string_equal(rhomb__plan_engine_name(&trivial), "trivial");
    assert_true(trivial.host_bytes == MIB + 4 * MIB);
}

/* Two pieces of bases, on the way to memory that is not the host's. */
static void test_pinned(void **state)
{
    rhomb_device_info small_cpu = LARGE_GPU;
    small_cpu.kind = RHOMB_DEVICE_CPU;
    small_cpu.max_buffer_bytes = 100 * MIB;
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, MIB - 1, 1) == MIB); /* the tables */
    assert_true(rhomb__pinned_bytes(&LARGE_GPU, MIB - 1) == 0);
    assert_true(rhomb__pinned_bytes(&LARGE_GPU, MIB) == 2 << 16);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 128 * MIB, 1) == 8 * MIB);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 1) == 32 * MIB);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_WAVEFRONT, 4096 * MIB, 64) == 64 * MIB);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB) == 0);
    assert_true(rhomb__pinned_bytes(&small_cpu, 100 * MIB + 32) == 2 * (100 * MIB + 32) / 32);
}

/* A sweep's own memory takes the place of what is given back before, or is less. */
static void test_sweep(void **state)
{
    const int64_t length = 100 * MIB;
    const rhomb__plan one = plan_on(&LARGE_GPU, RHOMB_ENGINE_AUTO, length, false, 1);
    const int64_t sweep = host_bytes(&LARGE_GPU, RHOMB_ENGINE_BITPARALLEL, length, 1);
    assert_true(one.host_bytes == MIB + 2 * length / 32);
    assert_true(sweep >= length / 2 && sweep < length / 2 + length / 8);
    assert_true(host_bytes(&LARGE_GPU, RHOMB_ENGINE_BITPARALLEL, length, 7) == sweep);
}

TEST_MAIN(test_tables, test_pinned, test_sweep)
