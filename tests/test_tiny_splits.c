/* SPDX-License-Identifier: MIT */
/*
 * Few and tiny subproblems, split by each kernel of cl/divide in groups and without, and without
 * the known-answer tests of programs (no_self_test.c): for an interpreter of kernels, which takes a
 * second for each. test_split and test_split_wide have the others.
 *
 * Exits with 77 without a device.
 */
#include "host/device/context.h"
#include "split_rig.h"
#include "src/planner/engine_plan.h"
#include "support/run.h"
#include "support/test.h"

static split_list tiny_list(const char *name)
{
    split_list list = {.count = 0};
    rng r = rng_for(name, 0);
    split_list_add_random(&list, "ACGT", 40, 8, INT64_MAX, &r);
    return list;
}

static void test_groups(void **state)
{
    static const rhomb__split_tuning TUNINGS[] = {{.group_size = 8},
                                                  {.group_size = 8, .in_place = true},
                                                  {.group_size = 1, .in_place = true}};
    split_list list = tiny_list("tiny splits");
    rhomb_split_point *points = calloc((size_t)list.count, sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < COUNT(TUNINGS); i++) {
        split_rig g;
        split_rig_open(&g, &list, "ACGT", 2, 32, TUNINGS[i]);
        split_expect_ok(g.ctx,
                        split_rig_solve(&g, &(rhomb__plan){0}, list.pairs, list.count, points));
        split_list_check(&list, points);
        split_rig_close(&g);
    }
    free(points);
    split_list_release(&list);
}

static void test_tiles(void **state)
{
    static const rhomb__plan PLANS[] = {{.row = RHOMB__ROW_WAVEFRONT,
                                         .wavefront.group_size = 4,
                                         .wavefront.diagonals_per_item = 4,
                                         .wavefront.tile_scores = 3},
                                        {.row = RHOMB__ROW_WAVEFRONT,
                                         .wavefront.group_size = 1,
                                         .wavefront.diagonals_per_item = 16,
                                         .wavefront.tile_scores = 5}};
    split_list list = tiny_list("tiny wide splits");
    rhomb_split_point *points = calloc((size_t)list.count, sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < COUNT(PLANS); i++) {
        split_rig g;
        split_rig_open(&g, &list, "ACGT", 2, 32, (rhomb__split_tuning){0});
        split_rig_way(&g, &rhomb__split_wide);
        split_expect_ok(g.ctx, split_rig_solve(&g, &PLANS[i], list.pairs, list.count, points));
        split_list_check(&list, points);
        split_rig_close(&g);
    }
    free(points);
    split_list_release(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups), cmocka_unit_test(test_tiles)};
    return device_exists() ? cmocka_run_group_tests_name("tiny splits", tests, NULL, NULL) : 77;
}
