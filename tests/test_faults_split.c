/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while problems are split: each OpenCL call in turn, alone and with all that
 * follow, each command that ends with an error, and points that are garbage. The call fails with
 * the right status, nothing stays behind, and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static fault_subject subject_of(int way)
{
    return fault_split((fault_split_way)way);
}

static fault_kind kind = {subject_of, FAULT_SPLIT_WAYS, {1, 0}, {1, 16}};

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

static void expect_noticed(fault_split_way way, const fault_garbage *cases, size_t count)
{
    const fault_subject s = fault_split(way);
    fault_expect_noticed(&s, cases, count);
}

static void test_garbage(void **state)
{
    static const fault_garbage points[] = {
        FAULT_GARBAGE(fault_set_high_bits), FAULT_GARBAGE(fault_set_zeros),
        FAULT_GARBAGE(spoil_places), FAULT_GARBAGE(spoil_diagonals), FAULT_GARBAGE(say_apart)};
    static const fault_garbage sweeps[] = {
        FAULT_GARBAGE(fault_set_high_bits), FAULT_GARBAGE(fault_set_zeros),
        FAULT_GARBAGE(fault_spoil_ends),    FAULT_GARBAGE(spoil_begins),
        FAULT_GARBAGE(fault_spoil_scores),  FAULT_GARBAGE(raise_scores),
        FAULT_GARBAGE(spoil_differences)};
    static const fault_garbage keys[] = {FAULT_GARBAGE(spoil_keys)};
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
        FAULT_TESTS(kind),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_self_test),
    };
    return fault_run(tests);
}
