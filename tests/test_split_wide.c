/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems side by side on a device (host/splits/split_wide.c,
 * cl/divide/split_wide.cl): each point has to be the one that a plain wavefront finds, whatever
 * the planes, offsets, tiles and portions; distances that are too small, and problems that cannot
 * be, are refused.
 *
 *     test_split_wide [groups]     groups: those of a GPU as well, on a GPU (RHOMB_TEST_DEVICE)
 */
#include "host/device/context.h"
#include "split_rig.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "support/run.h"
#include "support/test.h"

static bool large_groups;

static const char ACGT[] = "ACGT", IUPAC[] = "ACGTUNRYSWKMBDHV";

/* Tiles that build in no time: of a CPU, and none but the narrow ones. */
static const rhomb__plan NARROW = {.row = RHOMB__ROW_WAVEFRONT,
                                   .wavefront.group_size = 1,
                                   .wavefront.diagonals_per_item = 16,
                                   .wavefront.tile_scores = 5};

/* Both tiles; the wide one from so many diagonals on. */
static rhomb__plan plan_of_two(int64_t wide_diagonals)
{
    rhomb__plan plan = NARROW;
    plan.wavefront.wide_group_size = 1;
    plan.wavefront.wide_diagonals_per_item = 48;
    plan.wavefront.wide_tile_scores = 16;
    plan.wavefront.wide_diagonals = wide_diagonals;
    return plan;
}

static void add_random(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                       rng *r)
{
    split_list_add_random(list, alphabet, longest, count, INT64_MAX, r);
}

static rhomb__split_work check_list(const split_list *list, const char *alphabet, int32_t planes,
                                    int32_t offset_bits, const rhomb__plan *plan,
                                    int64_t portion_bytes)
{
    split_rig g;
    int64_t cells = 0;
    rhomb_split_point *points = calloc((size_t)list->count, sizeof *points);
    assert_non_null(points);
    split_rig_open(&g, list, alphabet, planes, offset_bits,
                   (rhomb__split_tuning){.portion_bytes = portion_bytes});
    split_rig_way(&g, &rhomb__split_wide);
    split_expect_ok(g.ctx, split_rig_solve(&g, plan, list->pairs, list->count, points));
    const rhomb__split_work work = g.splitter->work;
    split_list_check(list, points);
    for (int64_t i = 0; i < list->count; i++)
        cells += rhomb__split_cells(&list->pairs[i]);
    assert_int_equal(work.problems, list->count);
    assert_int_equal(work.cells, cells);
    split_rig_close(&g);
    free(points);
    return work;
}

/* Problems of all sorts, in both widths of offsets and with all kinds of bases. */
static void test_points(void **state)
{
    static const struct {
        const char *alphabet;
        int32_t planes, offset_bits;
    } CASES[] = {{ACGT, 2, 32}, {IUPAC, 8, 64}};
    for (size_t c = 0; c < COUNT(CASES); c++) {
        split_list list = {.count = 0};
        rng r = rng_for("split launches", (int64_t)c);
        split_list_add_odd(&list, &r);
        add_random(&list, CASES[c].alphabet, 40, 100, &r);
        add_random(&list, CASES[c].alphabet, 1500, 30, &r);
        const rhomb__split_work work = check_list(&list, CASES[c].alphabet, CASES[c].planes,
                                                  CASES[c].offset_bits, &NARROW, 1 << 26);
        assert_int_equal(work.portions, 1);
        split_list_release(&list);
    }
}

/* Distances that no group takes: long gaps, so that there are few cells. */
static void test_far(void **state)
{
    static const int64_t DISTANCES[] = {RHOMB_SPLIT_LIMIT + 1, RHOMB_SPLIT_LIMIT + 2, 40001};
    split_list list = {.count = 0};
    rng r = rng_for("split launches, far", 0);
    for (size_t i = 0; i < COUNT(DISTANCES); i++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, ACGT, DISTANCES[i] + 9, &r);
        letters_append(&p.b, p.a.at + 100 * i, 9);
        assert_true(split_list_add(&list, &p, INT64_MAX));
        assert_int_equal(list.pairs[i].distance, DISTANCES[i]);
        pair_release(&p);
    }
    const rhomb__plan plan = plan_of_two(1);
    check_list(&list, ACGT, 2, 32, &plan, 1 << 26);
    split_list_release(&list);
}

/* The wide tile is used from its diagonals on, those of all problems together on average. */
static void test_tiles(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split launches, tiles", 0);
    int64_t diagonals = 0, most = 0;
    add_random(&list, ACGT, 900, 20, &r);
    for (int64_t i = 0; i < list.count; i++) {
        diagonals += list.pairs[i].distance;
        most = rhomb__max(most, (list.pairs[i].distance + 1) / 2);
    }
    const rhomb__plan wide = plan_of_two(diagonals), narrow = plan_of_two(diagonals + 1);
    /* Wavefronts -1 and all after it, and where they meet. */
    assert_int_equal(check_list(&list, ACGT, 2, 32, &wide, 1 << 26).launches,
                     rhomb__ceil_div(most + 1, wide.wavefront.wide_tile_scores) + 1);
    assert_int_equal(check_list(&list, ACGT, 2, 32, &narrow, 1 << 26).launches,
                     rhomb__ceil_div(most + 1, narrow.wavefront.tile_scores) + 1);
    split_list_release(&list);
}

/* Portions of any size give the same points. */
static void test_portions(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split launches, portions", 0);
    add_random(&list, ACGT, 300, 60, &r);
    assert_int_equal(check_list(&list, ACGT, 2, 32, &NARROW, 0).portions, list.count);
    const int64_t portions = check_list(&list, ACGT, 2, 32, &NARROW, 20000).portions;
    assert_true(portions > 2 && portions < list.count);
    split_list_release(&list);
}

/* Problems that cannot be are refused before anything runs. */
static void test_refused(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split launches, refused", 0);
    split_rig g;
    add_random(&list, ACGT, 100, 3, &r);
    const int64_t n = list.target.length, m = list.query.length;
    const rhomb_split_pair refused[] = {
        {0, n, 0, m, 0},           {0, n, 0, m, -1},         {0, 10, 0, 10, 11},
        {0, 20, 0, 10, 9},         {0, 10, 0, 20, 9},        {-1, 10, 0, 10, 5},
        {n - 9, 10, 0, 10, 5},     {0, 10, m - 9, 10, 5},    {n, 0, m, 0, 0},
        {INT64_MAX, 10, 0, 10, 5}, {0, INT64_MAX, 0, 10, 5}, {0, 10, 0, INT64_MIN, 5},
        {0, 10, 0, 10, INT64_MAX}};
    split_rig_open(&g, &list, ACGT, 2, 32, (rhomb__split_tuning){0});
    split_rig_way(&g, &rhomb__split_wide);
    for (size_t i = 0; i < COUNT(refused); i++) {
        rhomb_split_point points[2];
        const rhomb_split_pair pairs[] = {list.pairs[0], refused[i]};
        rhomb__error_clear(&g.ctx->stream.error);
        if (split_rig_solve(&g, &NARROW, pairs, 2, points) != RHOMB_ERR_INTERNAL)
            fail_msg("problem %zu was not refused", i);
        assert_non_null(strstr(rhomb__error_text(&g.ctx->stream.error), "no subproblem to split"));
    }
    split_expect_ok(g.ctx, split_rig_solve(&g, &NARROW, NULL, 0, NULL));
    assert_int_equal(g.splitter->work.launches, 0);
    split_rig_close(&g);
    split_list_release(&list);
}

/* With a distance that is too small no directions meet. One that is too large may have a point. */
static void test_wrong_distance(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split launches, wrong", 0);
    split_rig g;
    int tried = 0;
    add_random(&list, ACGT, 300, 20, &r);
    split_rig_open(&g, &list, ACGT, 2, 32, (rhomb__split_tuning){0});
    split_rig_way(&g, &rhomb__split_wide);
    for (int64_t i = 0; i < list.count; i++) {
        rhomb_split_point points[2];
        rhomb_split_pair pairs[] = {list.pairs[i], list.pairs[0]};
        const int64_t n = pairs[0].target_length, m = pairs[0].query_length;
        pairs[0].distance--;
        if (pairs[0].distance < rhomb__max(rhomb__max(n - m, m - n), 1))
            continue;
        rhomb__error_clear(&g.ctx->stream.error);
        assert_int_equal(split_rig_solve(&g, &NARROW, pairs, 2, points),
                         RHOMB_ERR_DEVICE_WRONG_RESULT);
        assert_non_null(strstr(rhomb__error_text(&g.ctx->stream.error), "no breakpoint"));
        tried++;
    }
    assert_true(tried > 5);
    split_rig_close(&g);
    split_list_release(&list);
}

/* What a function that is asked every so often has seen, and when it ends the call. */
typedef struct looks {
    double last;
    int count;
    int most;
} looks;

static rhomb_status look(rhomb_context *ctx, double fraction, void *user)
{
    looks *seen = user;
    assert_true(fraction >= seen->last && fraction <= 1);
    seen->last = fraction;
    return ++seen->count == seen->most
               ? rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "it is enough")
               : RHOMB_OK;
}

static int64_t cells_of(const split_list *list)
{
    int64_t cells = 0;
    for (int64_t i = 0; i < list->count; i++)
        cells += rhomb__split_cells(&list->pairs[i]);
    return cells;
}

/* A call may be ended within a portion, and between portions. */
static void test_cancel(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("split launches, cancel", 0);
    add_random(&list, ACGT, 500, 20, &r);
    rhomb_split_point *points = calloc((size_t)list.count, sizeof *points);
    assert_non_null(points);
    for (int64_t portion_bytes = 1; portion_bytes <= 1 << 26; portion_bytes <<= 26) {
        looks seen = {.most = 3};
        split_rig g;
        split_rig_open(&g, &list, ACGT, 2, 32,
                       (rhomb__split_tuning){.portion_bytes = portion_bytes,
                                             .portion_cells = cells_of(&list) / 4});
        g.source.advance = look;
        g.source.user = &seen;
        split_rig_way(&g, &rhomb__split_wide);
        assert_int_equal(split_rig_solve(&g, &NARROW, list.pairs, list.count, points),
                         RHOMB_ERR_CANCELLED);
        assert_int_equal(seen.count, 3);
        const int64_t portions = g.splitter->work.portions;
        assert_true(portion_bytes == 1 ? portions > 0 && portions < list.count : portions == 0);
        /* And the next call is as good. */
        seen.most = 0;
        seen.last = 0;
        split_expect_ok(g.ctx, split_rig_solve(&g, &NARROW, list.pairs, list.count, points));
        split_list_check(&list, points);
        split_rig_close(&g);
    }
    free(points);
    split_list_release(&list);
}

/* Groups of a GPU. */
static void test_groups(void **state)
{
    static const struct {
        int32_t group_size, diagonals_per_item, tile_scores;
    } TILES[] = {{32, 2, 16}, {64, 8, 32}, {128, 8, 64}, {256, 1, 64}, {1024, 8, 256}};
    split_list list = {.count = 0};
    rng r = rng_for("split launches, groups", 0);
    if (!large_groups)
        skip();
    split_list_add_odd(&list, &r);
    add_random(&list, ACGT, 3000, 60, &r);
    for (size_t i = 0; i < COUNT(TILES); i++) {
        const rhomb__plan plan = {.wavefront.group_size = TILES[i].group_size,
                                  .wavefront.diagonals_per_item = TILES[i].diagonals_per_item,
                                  .wavefront.tile_scores = TILES[i].tile_scores};
        check_list(&list, ACGT, 2, 32, &plan, 1 << 26);
        check_list(&list, ACGT, 4, 64, &plan, 1 << 18);
    }
    split_list_release(&list);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),  cmocka_unit_test(test_far),
        cmocka_unit_test(test_tiles),   cmocka_unit_test(test_portions),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_wrong_distance),
        cmocka_unit_test(test_cancel),  cmocka_unit_test(test_groups),
    };
    large_groups = argc > 1 && strcmp(argv[1], "groups") == 0;
    return device_exists() ? cmocka_run_group_tests_name("split launches", tests, NULL, NULL) : 77;
}
