/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while problems are split: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and points that are garbage. The call fails with
 * the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

#define MOST_CALLS 10000 /* far more than any of the runs makes */

static void fail_all_ways(fault_plan plan)
{
    for (int way = 0; way < FAULT_SPLIT_WAYS; way++) {
        const fault_subject s = fault_split((fault_split_way)way);
        fault_fail_calls(&s, plan, FAULT_EACH_CALL);
    }
}

static void test_calls(void **state)
{
    fail_all_ways((fault_plan){0});
}

static void test_lost_device(void **state)
{
    fail_all_ways((fault_plan){.lasting = true, .code = CL_OUT_OF_RESOURCES});
}

static void test_failed_commands(void **state)
{
    fail_all_ways((fault_plan){.function = "clGetEventInfo", .by_command = true});
}

/* Opening, building, self-test. */
static void test_first_use(void **state)
{
    for (int way = 0; way < FAULT_SPLIT_WAYS; way++) {
        const fault_subject s = fault_split((fault_split_way)way);
        fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 16});
    }
}

/* Points outside of the ranges. */
static void spoil_places(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].target += 5000;
}

/* Points inside, with parts whose lengths differ too much. */
static void spoil_diagonals(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].query = 0;
}

static void say_apart(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].status = RHOMB_SPLIT_APART;
}

/* Affine wavefronts that do not meet. */
static void spoil_keys(void *data, size_t bytes)
{
    rhomb_affine_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++)
        points[i].key = RHOMB_AFFINE_APART;
}

/* Strips that begin where they cannot. */
static void spoil_begins(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; fault_are_strips(bytes) && i < bytes / sizeof *strips; i++)
        strips[i].front[0].begin = strips[i].front[1].begin = INT64_MAX - 1;
}

/* Scores that could be, but are not. */
static void raise_scores(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    for (size_t i = 0; fault_are_strips(bytes) && i < bytes / sizeof *strips; i++) {
        strips[i].front[0].score++;
        strips[i].front[1].score++;
    }
}

/* All but the records: the differences in the middle columns. */
static void spoil_differences(void *data, size_t bytes)
{
    if (!fault_are_strips(bytes))
        memset(data, 0xff, bytes);
}

static void expect_noticed(fault_split_way way, fault_tamper *const *tampers, size_t count)
{
    const fault_subject s = fault_split(way);
    for (size_t i = 0; i < count; i++) {
        char what[32];
        snprintf(what, sizeof what, "garbage %zu", i);
        fault_expect_tampered(&s, tampers[i], what, RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
}

static void test_garbage(void **state)
{
    static fault_tamper *const points[] = {fault_set_high_bits, fault_set_zeros, spoil_places,
                                           spoil_diagonals, say_apart};
    static fault_tamper *const sweeps[] = {
        fault_set_high_bits, fault_set_zeros, fault_spoil_ends, spoil_begins,
        fault_spoil_scores,  raise_scores,    spoil_differences};
    static fault_tamper *const keys[] = {spoil_keys};
    expect_noticed(FAULT_SPLIT_AFFINE, keys, COUNT(keys));
    expect_noticed(FAULT_SPLIT_GROUPS, points, COUNT(points));
    expect_noticed(FAULT_SPLIT_WIDE, points, COUNT(points));
    expect_noticed(FAULT_SPLIT_SWEEPS, sweeps, COUNT(sweeps));
    expect_noticed(FAULT_SPLIT_SLICED, sweeps, COUNT(sweeps));
}

/* A point beside the right one. */
static void spoil_a_little(void *data, size_t bytes)
{
    rhomb_split_point *points = data;
    for (size_t i = 0; bytes % sizeof *points == 0 && i < bytes / sizeof *points; i++) {
        points[i].target -= 1;
        points[i].query -= 1;
    }
}

static void test_self_test(void **state)
{
    const fault_subject groups = fault_split(FAULT_SPLIT_GROUPS);
    const fault_subject launches = fault_split(FAULT_SPLIT_WIDE);
    fault_expect_self_test(&groups, spoil_a_little, "self-test of the split kernel");
    fault_expect_self_test(&launches, spoil_a_little, "self-test of the split kernel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_calls, fault_start_afresh),
        cmocka_unit_test_setup(test_lost_device, fault_start_afresh),
        cmocka_unit_test_setup(test_failed_commands, fault_start_afresh),
        cmocka_unit_test_setup(test_first_use, fault_start_afresh),
        cmocka_unit_test_setup(test_garbage, fault_start_afresh),
        cmocka_unit_test_setup(test_self_test, fault_start_afresh),
    };
    return fault_has_device() ? cmocka_run_group_tests(tests, fault_set_up, fault_tear_down) : 77;
}
