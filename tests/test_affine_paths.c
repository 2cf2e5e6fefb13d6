/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair with gap-affine costs (host/splits/ranges_affine.c): each leads
 * through its range at the cost of Gotoh's matrix, with borders within gaps, whatever the costs,
 * planes, portions and groups, and wherever the range lies; all groups find the same. Ranges that
 * cannot be, and costs that are wrong, are refused.
 *
 *     test_affine_paths [groups]     groups: those of a GPU as well (RHOMB_TEST_DEVICE)
 */
#include "host/splits/ranges_known.c"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"

#include "rhomb/scoring.h"
#include "split_rig.h"
#include "src/paths/long_path.h"
#include "src/planner/affine_paths.h"
#include "support/affine_list.h"

static bool large_groups;
static int64_t compared; /* with paths of the host */

static const char ACGT[] = "ACGT", IUPAC[] = "ACGTUNRYSWKMBDHV";

/* All bases of list in their own codes, packed. */
static void open_rig(split_rig *g, const affine_list *list, const char *alphabet, int32_t planes,
                     rhomb__split_tuning tuning)
{
    const split_list whole = {.target = list->target, .query = list->query};
    split_rig_open(g, &whole, alphabet, planes, 32, (rhomb__split_tuning){0});
    g->source.tuning = tuning;
}

static rhomb__ranges *open_ranges(split_rig *g, const affine_list *list, const rhomb__costs *costs)
{
    rhomb__ranges *ranges = NULL;
    rhomb__ranges_needs needs = {0};
    for (int64_t i = 0; i < list->count; i++)
        rhomb__ranges_need(costs, &list->subproblems[i], &needs);
    split_expect_ok(g->ctx, rhomb__ranges_open(g->ctx, &g->source, costs, &needs, &ranges));
    return ranges;
}

/* The sum of all operations, each with its place. */
static uint64_t digest(uint64_t sum, const rhomb__cigar *path)
{
    for (int64_t i = 0; i < path->count; i++)
        sum = sum * UINT64_C(0x9e3779b97f4a7c15) + path->ops[i];
    return sum;
}

/* Where a range is solved by wavefronts, the host finds the same path for one that is too long. */
static void compare_with_host(const affine_list *list, const rhomb_subproblem *range,
                              const rhomb__costs *costs, const rhomb__cigar *found)
{
    rhomb__error error = {0};
    rhomb__path path = {.count = 0};
    rhomb__codes codes = {.symbols = 256};
    bool is_found = false;
    if (rhomb__affine_path_size_of(costs, range).way != RHOMB__AFFINE_BY_WAVES)
        return;
    for (int i = 0; i < 256; i++)
        codes.code[i] = (uint8_t)i;
    const rhomb__path_pair whole = {
        list->target.at, list->target.length, list->query.at, list->query.length, &codes, costs};
    assert_int_equal(rhomb__long_path(&error, &whole, range, &path, &is_found), RHOMB_OK);
    assert_true(is_found && path.count == found->count);
    for (int64_t i = 0; i < path.count; i++)
        assert_true(path.ops[i] == found->ops[i]);
    rhomb__path_release(&path);
    compared++;
}

/* Solves all ranges of a list as aligners do; returns a digest of the paths, and the portions. */
static uint64_t check_list(const affine_list *list, const char *alphabet, int32_t planes,
                           const rhomb__costs *costs, rhomb__split_tuning tuning, int64_t *portions)
{
    split_rig g;
    const rhomb__cigar *found = NULL;
    uint64_t sum = 0;
    open_rig(&g, list, alphabet, planes, tuning);
    rhomb__ranges *ranges = open_ranges(&g, list, costs);
    const int64_t room = rhomb__ranges_room(ranges);
    assert_true(room > 0 && room <= list->count);
    *portions = 0;
    for (int64_t at = 0, count; at < list->count; at += count) {
        count = room < list->count - at ? room : list->count - at;
        split_expect_ok(g.ctx, rhomb__ranges_start(ranges, list->subproblems + at, count));
        split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
        for (int64_t i = 0; i < count; i++) {
            affine_list_check(list, at + i, costs, &found[i]);
            compare_with_host(list, &list->subproblems[at + i], costs, &found[i]);
            sum = digest(sum, &found[i]);
        }
        ++*portions;
    }
    rhomb__ranges_close(ranges);
    split_rig_close(&g);
    return sum;
}

/* With groups of one, as a CPU has them, and with others; each is a program to build. */
static void check_groups(const affine_list *list, const rhomb__costs *costs, int64_t number)
{
    static const int32_t SMALL[][2] = {{1, 3}, {1, 16}}, LARGE[] = {1, 32, 64, 128, 256};
    const int32_t *sizes = large_groups ? LARGE : SMALL[number / 6 % 2];
    const size_t count = large_groups ? COUNT(LARGE) : number % 6 == 0 ? 2 : 1;
    int64_t portions = 0;
    uint64_t first = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t sum = check_list(list, ACGT, 2, costs,
                                        (rhomb__split_tuning){.group_size = sizes[i]}, &portions);
        if (i > 0 && sum != first)
            fail_msg("groups of %d find other paths than groups of one", (int)sizes[i]);
        first = sum;
    }
}

/* The presets; mismatches that are as dear as two gaps, and dearer; openings of 0; large numbers.
 */
static void test_presets(void **state)
{
    static const char *const TEXTS[] = {"wfa",
                                        "asm5",
                                        "asm10",
                                        "asm20",
                                        "map-ont",
                                        "affine:2,3,1",
                                        "affine:4,0,2",
                                        "affine:9,0,2",
                                        "affine:50,3,1",
                                        "affine:1,0,2",
                                        "affine:3,1,5",
                                        "affine2p:7,6,2,8,1",
                                        "affine2p:2000,900,411,30000,5"};
    for (size_t i = 0; i < COUNT(TEXTS); i++) {
        if (!amount_takes((int64_t)i) && i + 1 < COUNT(TEXTS))
            continue;
        const rhomb__costs costs = costs_of_text(TEXTS[i]);
        affine_list list = {.count = 0};
        rng r = rng_for("affine paths, presets", (int64_t)i);
        affine_list_add_random(&list, NULL, i + 1 == COUNT(TEXTS) ? 12 : 70, 200, &costs, &r);
        if (costs.extend[0] < 10)
            affine_list_add_random(&list, NULL, 500, 40, &costs, &r);
        check_groups(&list, &costs, (int64_t)i);
        affine_list_release(&list);
    }
}

static void test_random_costs(void **state)
{
    for (int64_t i = 0; i < 9; i++) {
        if (!amount_takes(i) && i % 6 != 0) /* groups of both sizes */
            continue;
        affine_list list = {.count = 0};
        rng r = rng_for("affine paths, costs", i);
        const rhomb__costs costs = affine_list_random_costs(&r, i % 3 == 0 ? 60 : 8);
        affine_list_add_random(&list, NULL, 90, 300, &costs, &r);
        check_groups(&list, &costs, (int64_t)i);
        affine_list_release(&list);
    }
    assert_true(compared > amount(500));
}

/* Other symbols; memory for few groups, and for a single one. */
static void test_planes(void **state)
{
    const struct {
        const char *alphabet;
        int32_t planes;
    } cases[] = {{ACGT, 2}, {"ACGTN", 3}, {IUPAC, 4}, {IUPAC, 8}};
    const rhomb__costs costs = costs_of_text("affine2p:4,4,2,24,1");
    for (size_t c = 0; c < COUNT(cases); c++) {
        affine_list list = {.count = 0};
        rng r = rng_for("affine paths, planes", (int64_t)c);
        int64_t portions = 0, more = 0;
        affine_list_add_random(&list, cases[c].alphabet, 300, 120, &costs, &r);
        const uint64_t sum = check_list(&list, cases[c].alphabet, cases[c].planes, &costs,
                                        (rhomb__split_tuning){0}, &portions);
        assert_true(check_list(&list, cases[c].alphabet, cases[c].planes, &costs,
                               (rhomb__split_tuning){.portion_bytes = 1}, &more) == sum);
        assert_true(more > 1);
        affine_list_release(&list);
    }
}

/* Ranges that cannot be are refused before anything runs. */
static void test_refused(void **state)
{
    const rhomb__costs costs = costs_of_text("affine:2,3,1"), two = costs_of_text("asm20");
    affine_list list = {.count = 0};
    rng r = rng_for("affine paths, refused", 0);
    split_rig g;
    affine_list_add_random(&list, ACGT, 300, 3, &costs, &r);
    const int64_t n = list.target.length, m = list.query.length;
    const rhomb_subproblem refused[] = {{{0, 10, 0, 10, 0}, 0, 0},
                                        {{0, 10, 0, 10, 21}, 0, 0},
                                        {{0, 0, 0, 10, 13}, 0, 0},
                                        {{0, 10, 0, 0, 13}, 0, 0},
                                        {{-1, 10, 0, 10, 5}, 0, 0},
                                        {{0, 10, m - 9, 10, 5}, 0, 0},
                                        {{n - 9, 10, 0, 10, 5}, 0, 0},
                                        {{0, INT64_MAX, 0, 10, 5}, 0, 0},
                                        {{0, 10, 0, 10, 5}, -1, 0},
                                        {{0, 10, 0, 10, 5}, 0, RHOMB_GAP_I_2 + 1},
                                        {{0, 10, 0, 10, 5}, RHOMB_GAP_D_2, 0},
                                        {{0, 10, 0, 10, 5}, 0, RHOMB_GAP_I_2},
                                        {{0, n, 0, m, 5 * (n + m)}, 0, 0}};
    open_rig(&g, &list, ACGT, 2, (rhomb__split_tuning){0});
    rhomb__ranges *ranges = open_ranges(&g, &list, &costs);
    for (size_t i = 0; i < COUNT(refused); i++) {
        const rhomb_subproblem both[] = {list.subproblems[0], refused[i]};
        rhomb__error_clear(&g.ctx->stream.error);
        if (rhomb__ranges_start(ranges, both, 2) != RHOMB_ERR_INTERNAL)
            fail_msg("range %zu was not refused", i);
    }
    split_expect_ok(g.ctx, rhomb__ranges_start(ranges, list.subproblems, 3));
    rhomb__ranges_close(ranges); /* while a portion runs */
    ranges = NULL;
    const rhomb__ranges_needs large = {1, 1000, INT64_C(1) << 31, 10};
    assert_int_equal(rhomb__ranges_open(g.ctx, &g.source, &two, &large, &ranges),
                     RHOMB_ERR_INTERNAL);
    assert_null(ranges);
    split_rig_close(&g);
    affine_list_release(&list);
}

/* Of a cost that is wrong the device says so; and the next portion is as good. */
static void test_wrong_costs(void **state)
{
    static const int64_t BESIDE[] = {-40, -3, -2, -1, 1, 2, 3, 40};
    static const char *const TEXTS[] = {"affine:2,3,1", "asm20", "affine:4,0,2"};
    for (size_t t = 0; t < COUNT(TEXTS); t++) {
        const rhomb__costs costs = costs_of_text(TEXTS[t]);
        affine_list list = {.count = 0};
        rng r = rng_for("affine paths, wrong", (int64_t)t);
        const rhomb__cigar *found = NULL;
        split_rig g;
        affine_list_add_random(&list, ACGT, 200, 60, &costs, &r);
        open_rig(&g, &list, ACGT, 2, (rhomb__split_tuning){0});
        /* Room for more than the right costs need. */
        rhomb__ranges_needs needs = {0};
        rhomb__ranges *ranges = NULL;
        for (int64_t i = 0; i < list.count; i++) {
            rhomb_subproblem larger = list.subproblems[i];
            larger.pair.distance += 40;
            rhomb__ranges_need(&costs, &larger, &needs);
        }
        split_expect_ok(g.ctx, rhomb__ranges_open(g.ctx, &g.source, &costs, &needs, &ranges));
        for (int64_t i = 0; i < list.count; i++) {
            for (size_t b = 0; b < COUNT(BESIDE); b++) {
                rhomb_subproblem wrong = list.subproblems[i];
                wrong.pair.distance += BESIDE[b];
                rhomb__error_clear(&g.ctx->stream.error);
                if (rhomb__ranges_start(ranges, &wrong, 1) != RHOMB_OK)
                    continue; /* it cannot be at all */
                if (rhomb__ranges_finish(ranges, &found) != RHOMB_ERR_DEVICE_WRONG_RESULT)
                    fail_msg("%s: range %lld with %lld added to its cost was solved", TEXTS[t],
                             (long long)i, (long long)BESIDE[b]);
            }
            rhomb__error_clear(&g.ctx->stream.error);
            split_expect_ok(g.ctx, rhomb__ranges_start(ranges, &list.subproblems[i], 1));
            split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
            affine_list_check(&list, i, &costs, found);
        }
        rhomb__ranges_close(ranges);
        split_rig_close(&g);
        affine_list_release(&list);
    }
}

/* What the self-test says that its ranges cost, with all gaps at their borders. */
static void test_known(void **state)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    for (int64_t number = 0; number < 20; number++) {
        rng r = rng_for("affine paths, known", number);
        const rhomb__costs costs = affine_list_random_costs(&r, 30);
        const oracle_penalties penalties = costs_penalties(&costs);
        for (int i = 0; i < KNOWN_RANGES * 25; i++) {
            rhomb_subproblem known = KNOWN_AFFINE[i / 25];
            const rhomb_split_pair *range = &known.pair;
            known.begin_gap = gap_by(&costs, i % 5);
            known.end_gap = gap_by(&costs, i / 5 % 5);
            assert_true(rhomb__known_range_cost(&p, &known, &costs) ==
                        oracle_gotoh_borders(p.target + range->target_at, range->target_length,
                                             p.query + range->query_at, range->query_length,
                                             &penalties,
                                             (oracle_borders){known.begin_gap, known.end_gap}));
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets), cmocka_unit_test(test_random_costs),
        cmocka_unit_test(test_planes),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_known),   cmocka_unit_test(test_wrong_costs),
    };
    quick_builds = true;
    large_groups = argc > 1 && strcmp(argv[1], "groups") == 0;
    return device_exists() ? cmocka_run_group_tests_name("affine paths", tests, NULL, NULL) : 77;
}
