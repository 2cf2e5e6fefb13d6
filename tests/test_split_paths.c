/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair (host/splits/ranges.h). With unit costs each is the one of the
 * rule (path.h); with affine costs it leads through its range at the cost of Gotoh's matrix, with
 * borders within gaps, all groups find the same, and where wavefronts do, the host as well. So it
 * is whatever the planes, portions and groups, and wherever the range lies; ranges that cannot be,
 * and costs that are wrong, are refused.
 *
 *     test_split_paths edit|affine [groups]     groups: those of a GPU alone (RHOMB_TEST_DEVICE)
 *
 * Exits with 77 where there is no device.
 */
#include "host/splits/split_known.c"
#include "split_rig.h"
#include "src/paths/long_path.h"
#include "src/planner/affine_paths.h"
#include "support/amount.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/path.h"

/* Edits of base cases, and more than they have. */
enum { MOST = 128, MORE = 500 };

#define IUPAC "ACGTUNRYSWKMBDHV"

static int64_t compared; /* with paths of the host */

static bool takes_base_cases(const split_list *list, const rhomb_subproblem *range)
{
    (void)list;
    return range->pair.distance <= MOST;
}

static bool takes_more(const split_list *list, const rhomb_subproblem *range)
{
    (void)list;
    return range->pair.distance <= MORE;
}

static bool takes_both_texts(const split_list *list, const rhomb_subproblem *range)
{
    (void)list;
    return range->pair.target_length > 0 && range->pair.query_length > 0;
}

static split_list unit_list(split_takes takes)
{
    const rhomb__costs costs = rhomb__costs_edit();
    return split_list_of(&costs, takes);
}

/* For all of a list, with costs that are `more`. */
static rhomb__ranges_needs needs_of(const split_list *list, int64_t more)
{
    rhomb__ranges_needs needs = {0};
    for (int64_t i = 0; i < list->count; i++) {
        rhomb_subproblem range = list->at[i];
        range.pair.distance += more;
        rhomb__ranges_need(&list->costs, &range, &needs);
    }
    return needs;
}

static rhomb__ranges *open_ranges(split_rig *g, const split_list *list, int64_t more)
{
    rhomb__ranges *ranges = NULL;
    const rhomb__ranges_needs needs = needs_of(list, more);
    split_expect_ok(g->ctx, rhomb__ranges_open(g->ctx, &g->source, &list->costs, &needs, &ranges));
    return ranges;
}

/* The rule's path. */
static void check_rule(const split_list *list, int64_t index, const rhomb__cigar *found)
{
    static path expected;
    const plain_pair p = split_list_texts(list, index);
    const rhomb_pair texts = {p.target, p.n, p.query, p.m};
    assert_true(path_find(&texts, list->at[index].pair.distance, &expected));
    if (found->count != expected.count ||
        memcmp(found->ops, expected.ops, (size_t)found->count * sizeof *found->ops) != 0)
        split_list_fail(list, index, "another path than the rule's");
}

/* Where a range is solved by wavefronts, the host finds the same path for one that is too long. */
static void compare_with_host(const split_list *list, int64_t index, const rhomb__cigar *found)
{
    const rhomb_subproblem *range = &list->at[index];
    rhomb__error error = {0};
    rhomb__path own = {.count = 0};
    const rhomb__codes codes = codes_of_bytes();
    bool is_found = false;
    if (rhomb__affine_path_size_of(&list->costs, range).way != RHOMB__AFFINE_BY_WAVES)
        return;
    const rhomb__path_pair whole = {list->target.at, list->target.length,
                                    list->query.at,  list->query.length,
                                    &codes,          &list->costs};
    assert_int_equal(rhomb__long_path(&error, &whole, range, &own, &is_found), RHOMB_OK);
    assert_true(is_found && own.count == found->count);
    for (int64_t i = 0; i < own.count; i++)
        assert_true(own.ops[i] == found->ops[i]);
    rhomb__path_release(&own);
    compared++;
}

static void check_path(const split_list *list, int64_t index, const rhomb__cigar *found)
{
    if (rhomb__costs_are_edit(&list->costs)) {
        check_rule(list, index, found);
        return;
    }
    split_list_check_path(list, index, found);
    compare_with_host(list, index, found);
}

/* The sum of all operations, each with its place. */
static uint64_t digest(uint64_t sum, const rhomb__cigar *found)
{
    for (int64_t i = 0; i < found->count; i++)
        sum = sum * UINT64_C(0x9e3779b97f4a7c15) + found->ops[i];
    return sum;
}

/* Solves all ranges of a list as aligners do; returns how many portions they took. */
static int64_t check_list(const split_list *list, const split_shape *shape, uint64_t *sum)
{
    split_rig g;
    const rhomb__cigar *found = NULL;
    int64_t portions = 0;
    split_rig_open(&g, list, shape);
    rhomb__ranges *ranges = open_ranges(&g, list, 0);
    const int64_t room = rhomb__ranges_room(ranges);
    assert_true(room > 0 && room <= list->count);
    *sum = 0;
    split_expect_ok(g.ctx, rhomb__ranges_start(ranges, list->at, room));
    for (int64_t at = 0, count = room, next; at < list->count; at += count, count = next) {
        split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
        next = rhomb__min(room, list->count - at - count);
        if (next > 0)
            split_expect_ok(g.ctx, rhomb__ranges_start(ranges, list->at + at + count, next));
        for (int64_t i = 0; i < count; i++) {
            check_path(list, at + i, &found[i]);
            *sum = digest(*sum, &found[i]);
        }
        portions++;
    }
    rhomb__ranges_close(ranges);
    split_rig_close(&g);
    return portions;
}

/* Groups of each of these sizes find the same; each is a program to build. */
static void check_groups(const split_list *list, const int32_t *sizes, size_t count)
{
    uint64_t first = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        const split_shape shape = {.tuning.group_size = sizes[i]};
        check_list(list, &shape, &sum);
        if (i > 0 && sum != first)
            fail_msg("groups of %d find other paths than groups of one", (int)sizes[i]);
        first = sum;
    }
}

/* All bytes but 0. */
static const char *all_bytes(void)
{
    static char bytes[256];
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(i + 1);
    return bytes;
}

/* With as much memory as there is, with so much, and with what a single group takes. */
static void check_memory(const split_list *list, const split_shape *shape, int64_t some_bytes)
{
    const int64_t BYTES[] = {some_bytes, 1};
    uint64_t all, some;
    check_list(list, shape, &all); /* a GPU has room for all of them */
    for (size_t i = 0; i < COUNT(BYTES); i++) {
        split_shape less = *shape;
        less.tuning.portion_bytes = BYTES[i];
        assert_true(check_list(list, &less, &some) > 1 && some == all);
    }
}

/* Ranges of all sorts, from any symbol of a word on, with all kinds of bases. */
static void test_edit(void **state)
{
    const split_shape SHAPES[] = {{.alphabet = "ACGT", .planes = 2},
                                  {.alphabet = "ACGTN", .planes = 3},
                                  {.alphabet = IUPAC, .planes = 4},
                                  {.alphabet = all_bytes(), .planes = 8}};
    for (size_t i = 0; i < COUNT(SHAPES); i++) {
        split_list list = unit_list(takes_base_cases);
        rng r = rng_for("ranges", (int64_t)i);
        split_list_add_random(&list, SHAPES[i].alphabet, 40, 150, &r);
        split_list_add_random(&list, SHAPES[i].alphabet, 1500, 50, &r);
        check_memory(&list, &SHAPES[i], 1 << 20);
        split_list_release(&list);
    }
}

/* Gaps, runs and few edits; and distances beyond those of base cases. */
static split_list odd_list(void)
{
    split_list list = unit_list(takes_more);
    rng r = rng_for("ranges, odd", 0);
    split_list_add_odd(&list, &r);
    split_list_add_random(&list, "ACGT", 1000, 20, &r);
    return list;
}

static void test_odd(void **state)
{
    split_list list = odd_list();
    uint64_t sum;
    check_list(&list, &(split_shape){0}, &sum);
    split_list_release(&list);
}

/*
 * The presets; mismatches that are as dear as two gaps, and dearer; openings of 0; large numbers;
 * then random costs.
 */
static void test_affine(void **state)
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
    enum { RANDOM = 9 };
    static const int32_t SIZES[][2] = {{1, 3}, {1, 16}};
    for (int64_t i = 0; i < (int64_t)COUNT(TEXTS) + RANDOM; i++) {
        const int64_t number = i - (int64_t)COUNT(TEXTS);
        const bool large = number == -1, random = number >= 0;
        if (!amount_takes(i) && !large && !(random && number % 6 == 0)) /* groups of both sizes */
            continue;
        rng r = rng_for("affine paths", i);
        const rhomb__costs costs =
            random ? split_list_random_costs(&r, i % 3 == 0 ? 60 : 8) : costs_of_text(TEXTS[i]);
        split_list list = split_list_of(&costs, takes_both_texts);
        split_list_add_random(&list, NULL, large ? 12 : 80, 250, &r);
        if (!random && costs.extend[0] < 10)
            split_list_add_random(&list, NULL, 500, 40, &r);
        check_groups(&list, SIZES[i / 6 % 2], i % 6 == 0 || (random && number % 6 == 0) ? 2 : 1);
        split_list_release(&list);
    }
    assert_true(compared > amount(500));
}

/* Other symbols; memory for few groups, and for a single one. */
static void test_affine_planes(void **state)
{
    static const split_shape SHAPES[] = {{.alphabet = "ACGT", .planes = 2},
                                         {.alphabet = "ACGTN", .planes = 3},
                                         {.alphabet = IUPAC, .planes = 4},
                                         {.alphabet = IUPAC, .planes = 8}};
    const rhomb__costs costs = costs_of_text("affine2p:4,4,2,24,1");
    for (size_t i = 0; i < COUNT(SHAPES); i++) {
        split_list list = split_list_of(&costs, takes_both_texts);
        rng r = rng_for("affine paths, planes", (int64_t)i);
        split_list_add_random(&list, SHAPES[i].alphabet, 300, 100, &r);
        check_memory(&list, &SHAPES[i], 100000);
        split_list_release(&list);
    }
}

/* A list for what is not about paths: of base cases, or the like with affine costs. */
static split_list some_of(const char *text, const char *name, int64_t count)
{
    const rhomb__costs costs = costs_of_text(text);
    const bool edit = rhomb__costs_are_edit(&costs);
    split_list list = split_list_of(&costs, edit ? takes_base_cases : takes_both_texts);
    rng r = rng_for(name, 0);
    split_list_add_random(&list, edit ? "ACGT" : NULL, 300, count, &r);
    return list;
}

/* Ranges that cannot be are refused before anything runs, and so are calls out of turn. */
static void test_refused(void **state)
{
    static const char *const TEXTS[] = {"edit", "affine:2,3,1"};
    for (size_t t = 0; t < COUNT(TEXTS); t++) {
        split_list list = some_of(TEXTS[t], "ranges, refused", 3);
        split_rig g;
        const rhomb__cigar *found = NULL;
        const int64_t n = list.target.length, m = list.query.length;
        const int64_t most = rhomb__costs_most(&list.costs, 10, 10);
        const int64_t gap = rhomb__costs_gap(&list.costs, 10);
        const bool edit = t == 0;
        const struct {
            rhomb_subproblem range;
            bool may; /* be what is asked for */
        } refused[] = {{{{0, 10, 0, 10, 0}, 0, 0}, false},
                       {{{0, 10, 0, 10, most + 1}, 0, 0}, false},
                       {{{0, 200, 0, 200, MOST + 1}, 0, 0}, !edit},
                       {{{0, 20, 0, 10, gap - 1}, 0, 0}, !edit}, /* as the kernel says */
                       {{{0, 0, 0, 10, gap}, 0, 0}, edit},
                       {{{0, 10, 0, 0, gap}, 0, 0}, edit},
                       {{{-1, 10, 0, 10, 5}, 0, 0}, false},
                       {{{0, 10, m - 9, 10, 5}, 0, 0}, false},
                       {{{n - 9, 10, 0, 10, 5}, 0, 0}, false},
                       {{{0, INT64_MAX, 0, 10, 5}, 0, 0}, false},
                       {{{0, 10, INT64_MAX, 10, 5}, 0, 0}, false},
                       {{{0, 10, 0, 10, 5}, -1, 0}, false},
                       {{{0, 10, 0, 10, 5}, 0, RHOMB_GAP_I_2 + 1}, false},
                       {{{0, 10, 0, 10, 5}, RHOMB_GAP_D_2, 0}, false},
                       {{{0, 10, 0, 10, 5}, 0, RHOMB_GAP_I_2}, false},
                       {{{0, n, 0, m, 5 * (n + m)}, 0, 0}, false}};
        split_rig_open(&g, &list, &(split_shape){0});
        rhomb__ranges *ranges = open_ranges(&g, &list, 0);
        assert_int_equal(rhomb__ranges_finish(ranges, &found), RHOMB_ERR_INTERNAL);
        assert_int_equal(rhomb__ranges_start(ranges, list.at, 0), RHOMB_ERR_INTERNAL);
        assert_int_equal(rhomb__ranges_start(ranges, list.at, 4), RHOMB_ERR_INTERNAL);
        for (size_t i = 0; i < COUNT(refused); i++) {
            const rhomb_subproblem both[] = {list.at[0], refused[i].range};
            rhomb__error_clear(&g.ctx->stream.error);
            if (!refused[i].may && rhomb__ranges_start(ranges, both, 2) != RHOMB_ERR_INTERNAL)
                fail_msg("%s: range %zu was not refused", TEXTS[t], i);
        }
        rhomb__ranges_close(ranges);
        g.source.target_length = g.source.query_length = INT64_C(1) << 29;
        ranges = open_ranges(&g, &list, 0);
        const rhomb_subproblem longer = {.pair = {0, INT64_C(1) << 28, 0, INT64_C(1) << 28, 5}};
        assert_int_equal(rhomb__ranges_start(ranges, &longer, 1), RHOMB_ERR_INTERNAL);
        split_expect_ok(g.ctx, rhomb__ranges_start(ranges, list.at, 3));
        assert_int_equal(rhomb__ranges_start(ranges, list.at, 3), RHOMB_ERR_INTERNAL);
        rhomb__ranges_close(ranges); /* while a portion runs */
        rhomb__ranges_close(NULL);
        split_rig_close(&g);
        split_list_release(&list);
    }
}

/* More than is allowed, none at all, and groups that are too large. */
static void test_needs(void **state)
{
    const rhomb__costs edit = rhomb__costs_edit(), two = costs_of_text("asm20");
    const rhomb__ranges_needs far = {1, 2001, 0, 0}, none = {0, MOST, 0, 0},
                              right = {1, MOST, 0, 0}, large = {1, 1000, INT64_C(1) << 31, 10};
    split_list list = some_of("edit", "ranges, needs", 1);
    rhomb__ranges *ranges = NULL;
    split_rig g;
    split_rig_open(&g, &list, &(split_shape){0});
    assert_int_equal(rhomb__ranges_open(g.ctx, &g.source, &edit, &far, &ranges),
                     RHOMB_ERR_INTERNAL);
    assert_int_equal(rhomb__ranges_open(g.ctx, &g.source, &edit, &none, &ranges),
                     RHOMB_ERR_INTERNAL);
    assert_int_equal(rhomb__ranges_open(g.ctx, &g.source, &two, &large, &ranges),
                     RHOMB_ERR_INTERNAL);
    g.source.tuning.group_size = 512;
    assert_int_equal(rhomb__ranges_open(g.ctx, &g.source, &edit, &right, &ranges),
                     RHOMB_ERR_ARGUMENT);
    assert_null(ranges);
    split_rig_close(&g);
    split_list_release(&list);
}

/* Of a cost that is wrong the device says so; and the next portion is as good. */
static void check_wrong(const char *text)
{
    static const int64_t OFF[] = {-40, -3, -2, -1, 1, 2, 3, 40};
    split_list list = some_of(text, "ranges, wrong", 40);
    const rhomb__cigar *found = NULL;
    split_rig g;
    split_rig_open(&g, &list, &(split_shape){0});
    rhomb__ranges *ranges = open_ranges(&g, &list, 40);
    for (int64_t i = 0; i < list.count; i++) {
        for (size_t k = 0; k < COUNT(OFF); k++) {
            rhomb_subproblem wrong = list.at[i];
            wrong.pair.distance += OFF[k];
            rhomb__error_clear(&g.ctx->stream.error);
            if (rhomb__ranges_start(ranges, &wrong, 1) != RHOMB_OK)
                continue; /* it cannot be at all */
            if (rhomb__ranges_finish(ranges, &found) != RHOMB_ERR_DEVICE_WRONG_RESULT)
                fail_msg("%s: range %lld with %lld added to its cost was solved", text,
                         (long long)i, (long long)OFF[k]);
            assert_non_null(
                strstr(rhomb__error_text(&g.ctx->stream.error), rhomb_context_device(g.ctx)->name));
        }
        rhomb__error_clear(&g.ctx->stream.error);
        split_expect_ok(g.ctx, rhomb__ranges_start(ranges, &list.at[i], 1));
        split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
        check_path(&list, i, found);
    }
    rhomb__ranges_close(ranges);
    split_rig_close(&g);
    split_list_release(&list);
}

static void test_wrong_distances(void **state)
{
    check_wrong("edit");
}

static void test_wrong_costs(void **state)
{
    check_wrong("affine:2,3,1");
    check_wrong("asm20");
    check_wrong("affine:4,0,2");
}

/* The self-test's distances are right, and what it says that its ranges cost with all gaps. */
static void test_known(void **state)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    for (int64_t number = 0; number < 20; number++) {
        rng r = rng_for("affine paths, known", number);
        const rhomb__costs costs =
            number == 0 ? rhomb__costs_edit() : split_list_random_costs(&r, 30);
        const split_list list = {.target = {p.target, p.target_length, 0},
                                 .query = {p.query, p.query_length, 0},
                                 .costs = costs};
        for (int i = 0; i < KNOWN_RANGES * 25; i++) {
            rhomb_subproblem known = number == 0 ? KNOWN_EDIT[i / 25] : KNOWN_AFFINE[i / 25];
            assert_true(known.pair.target_at + known.pair.target_length <= p.target_length);
            assert_true(known.pair.query_at + known.pair.query_length <= p.query_length);
            known.begin_gap = gap_by(&costs, i % 5);
            known.end_gap = gap_by(&costs, i / 5 % 5);
            assert_true(number == 0 ? known.pair.distance == split_list_cost(&list, &known)
                                    : rhomb__known_range_cost(&p, &known, &costs) ==
                                          split_list_cost(&list, &known));
        }
    }
}

/* Groups of a GPU. */
static void test_edit_groups(void **state)
{
    split_list list = odd_list();
    uint64_t sum;
    for (int32_t group = 32; group <= 256; group *= 2)
        for (int32_t in_place = 0; in_place <= 1; in_place++)
            check_list(&list, &(split_shape){.tuning = {.group_size = group, .in_place = in_place}},
                       &sum);
    split_list_release(&list);
}

static void test_affine_groups(void **state)
{
    static const int32_t SIZES[] = {1, 32, 64, 128, 256};
    static const char *const TEXTS[] = {"wfa", "asm20", "affine:4,0,2", "affine2p:7,6,2,8,1"};
    for (size_t i = 0; i < COUNT(TEXTS); i++) {
        split_list list = some_of(TEXTS[i], "affine paths, groups", 300);
        check_groups(&list, SIZES, COUNT(SIZES));
        split_list_release(&list);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest edit[] = {TEST_LIST(cmocka_unit_test, test_edit, test_odd, test_refused,
                                                test_needs, test_known, test_wrong_distances)};
    const struct CMUnitTest affine[] = {
        TEST_LIST(cmocka_unit_test, test_affine, test_affine_planes, test_wrong_costs)};
    const struct CMUnitTest edit_groups[] = {TEST_LIST(cmocka_unit_test, test_edit_groups)};
    const struct CMUnitTest affine_groups[] = {TEST_LIST(cmocka_unit_test, test_affine_groups)};
    if (!device_exists())
        return 77;
    quick_builds = argc > 1 && strcmp(argv[1], "affine") == 0;
    if (argc > 2)
        return quick_builds ? cmocka_run_group_tests(affine_groups, NULL, NULL)
                            : cmocka_run_group_tests(edit_groups, NULL, NULL);
    return quick_builds ? cmocka_run_group_tests(affine, NULL, NULL)
                        : cmocka_run_group_tests(edit, NULL, NULL);
}
