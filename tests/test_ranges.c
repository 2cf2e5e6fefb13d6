/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair (host/splits/ranges.h): each has to be the one of the rule,
 * whatever the planes, portions and groups, and wherever the range lies; ranges that cannot be, and
 * distances that are wrong, are refused.
 *
 *     test_ranges [groups]     groups: those of a GPU as well, on a GPU (RHOMB_TEST_DEVICE)
 */
#include "host/splits/ranges_known.c"
#include "support/run.h"
#include "support/test.h"

#include "split_rig.h"
#include "support/oracle.h"
#include "tests/reference/path.h"

enum { MOST = 128 };

static bool large_groups;

/* What so many ranges with distances up to `most` need. */
static rhomb__ranges_needs needs_of(int64_t most, int64_t count)
{
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb_subproblem largest = {.pair = {.distance = most}};
    rhomb__ranges_needs needs = {0};
    rhomb__ranges_need(&costs, &largest, &needs);
    needs.count = count;
    return needs;
}

static rhomb_status open_ranges(split_rig *g, int64_t most, int64_t count, rhomb__ranges **out)
{
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb__ranges_needs needs = needs_of(most, count);
    return rhomb__ranges_open(g->ctx, &g->source, &costs, &needs, out);
}

static rhomb_status start_ranges(rhomb__ranges *ranges, const rhomb_split_pair *pairs,
                                 int64_t count)
{
    static rhomb_subproblem subproblems[1000];
    assert_true(count <= (int64_t)COUNT(subproblems));
    for (int64_t i = 0; i < count; i++)
        subproblems[i] = (rhomb_subproblem){.pair = pairs[i]};
    return rhomb__ranges_start(ranges, subproblems, count);
}

static const char ACGT[] = "ACGT", IUPAC[] = "ACGTUNRYSWKMBDHV";

/* All bytes but 0. */
static const char *all_bytes(void)
{
    static char bytes[256];
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(i + 1);
    return bytes;
}

/* Compares the paths of a portion with the rule's. */
static void check_paths(const split_list *list, int64_t first, int64_t count,
                        const rhomb__cigar *found, path *expected)
{
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *p = &list->pairs[first + i];
        const rhomb_pair texts = {list->target.at + p->target_at, p->target_length,
                                  list->query.at + p->query_at, p->query_length};
        assert_true(path_find(&texts, p->distance, expected));
        if (found[i].count != expected->count ||
            memcmp(found[i].ops, expected->ops, (size_t)found[i].count * sizeof *found[i].ops) != 0)
            fail_msg("range %lld, %lld letters from %lld on and %lld from %lld on, distance %lld: "
                     "%lld operations, not the %lld of the rule",
                     (long long)(first + i), (long long)p->target_length, (long long)p->target_at,
                     (long long)p->query_length, (long long)p->query_at, (long long)p->distance,
                     (long long)found[i].count, (long long)expected->count);
    }
}

/* Solves all ranges of a list as aligners do, and returns how many portions they took. */
static int64_t check_list(const split_list *list, const char *alphabet, int32_t planes,
                          int64_t most, rhomb__split_tuning tuning)
{
    split_rig g;
    rhomb__ranges *ranges = NULL;
    const rhomb__cigar *found = NULL;
    path expected = {0};
    int64_t portions = 0;
    split_rig_open(&g, list, alphabet, planes, 32, (rhomb__split_tuning){0});
    g.source.tuning = tuning;
    split_expect_ok(g.ctx, open_ranges(&g, most, list->count, &ranges));
    const int64_t room = rhomb__ranges_room(ranges);
    assert_true(room > 0 && room <= list->count);
    split_expect_ok(g.ctx, start_ranges(ranges, list->pairs, room));
    for (int64_t at = 0, count = room, next; at < list->count; at += count, count = next) {
        split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
        next = rhomb__min(room, list->count - at - count);
        if (next > 0)
            split_expect_ok(g.ctx, start_ranges(ranges, list->pairs + at + count, next));
        check_paths(list, at, count, found, &expected);
        portions++;
    }
    rhomb__ranges_close(ranges);
    split_rig_close(&g);
    path_release(&expected);
    return portions;
}

/* Ranges of all sorts, from any symbol of a word on, with all kinds of bases. */
static void test_paths(void **state)
{
    const struct {
        const char *alphabet;
        int32_t planes;
    } cases[] = {{ACGT, 2}, {"ACGTN", 3}, {IUPAC, 4}, {all_bytes(), 8}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        split_list list = {.count = 0};
        rng r = rng_for("ranges", (int64_t)c);
        split_list_add_random(&list, cases[c].alphabet, 40, 150, MOST, &r);
        split_list_add_random(&list, cases[c].alphabet, 1500, 50, MOST, &r);
        /* A GPU has room for all of them. */
        check_list(&list, cases[c].alphabet, cases[c].planes, MOST, (rhomb__split_tuning){0});
        assert_true(check_list(&list, cases[c].alphabet, cases[c].planes, MOST,
                               (rhomb__split_tuning){.portion_bytes = 1 << 20}) > 1);
        split_list_release(&list);
    }
}

/* Gaps, runs and few edits; and distances beyond those of leaves. */
static void test_odd(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("ranges, odd", 0);
    split_list_add_odd(&list, &r);
    split_list_add_random(&list, ACGT, 1000, 20, 500, &r);
    check_list(&list, ACGT, 2, 500, (rhomb__split_tuning){0});
    split_list_release(&list);
}

/* Columns for a single group alone. */
static void test_one_group(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("ranges, one group", 0);
    split_list_add_random(&list, ACGT, 500, 90, MOST, &r);
    check_list(&list, ACGT, 2, MOST, (rhomb__split_tuning){.portion_bytes = 1});
    split_list_release(&list);
}

/* Opens ranges of a list with ACGT. */
static rhomb__ranges *open_list(split_rig *g, const split_list *list)
{
    rhomb__ranges *ranges = NULL;
    split_rig_open(g, list, ACGT, 2, 32, (rhomb__split_tuning){0});
    split_expect_ok(g->ctx, open_ranges(g, MOST, list->count, &ranges));
    return ranges;
}

/* Ranges that cannot be are refused before anything runs, and so are calls out of turn. */
static void test_refused(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("ranges, refused", 0);
    split_rig g;
    const rhomb__cigar *found = NULL;
    rhomb__ranges *none = NULL;
    split_list_add_random(&list, ACGT, 300, 3, MOST, &r);
    const int64_t n = list.target.length, m = list.query.length;
    const rhomb_split_pair refused[] = {
        {0, 10, 0, 10, 0},     {0, 10, 0, 10, 11},       {0, 200, 0, 200, MOST + 1},
        {0, 20, 0, 10, 9},     {-1, 10, 0, 10, 5},       {0, 10, m - 9, 10, 5},
        {n - 9, 10, 0, 10, 5}, {0, INT64_MAX, 0, 10, 5}, {0, 10, INT64_MAX, 10, 5}};
    rhomb__ranges *ranges = open_list(&g, &list);
    assert_int_equal(rhomb__ranges_finish(ranges, &found), RHOMB_ERR_INTERNAL);
    assert_int_equal(start_ranges(ranges, list.pairs, 0), RHOMB_ERR_INTERNAL);
    assert_int_equal(start_ranges(ranges, list.pairs, 4), RHOMB_ERR_INTERNAL);
    for (size_t i = 0; i < COUNT(refused); i++) {
        const rhomb_split_pair pairs[] = {list.pairs[0], refused[i]};
        rhomb__error_clear(&g.ctx->stream.error);
        if (start_ranges(ranges, pairs, 2) != RHOMB_ERR_INTERNAL)
            fail_msg("range %zu was not refused", i);
    }
    g.source.target_length = g.source.query_length = INT64_C(1) << 29;
    rhomb__ranges_close(ranges);
    split_expect_ok(g.ctx, open_ranges(&g, MOST, list.count, &ranges));
    const rhomb_split_pair longer = {0, INT64_C(1) << 28, 0, INT64_C(1) << 28, 5};
    assert_int_equal(start_ranges(ranges, &longer, 1), RHOMB_ERR_INTERNAL);
    split_expect_ok(g.ctx, start_ranges(ranges, list.pairs, 3));
    assert_int_equal(start_ranges(ranges, list.pairs, 3), RHOMB_ERR_INTERNAL);
    rhomb__ranges_close(ranges); /* while a portion runs */
    assert_int_equal(open_ranges(&g, 2001, 1, &none), RHOMB_ERR_INTERNAL);
    assert_int_equal(open_ranges(&g, MOST, 0, &none), RHOMB_ERR_INTERNAL);
    g.source.tuning.group_size = 512;
    assert_int_equal(open_ranges(&g, MOST, 1, &none), RHOMB_ERR_ARGUMENT);
    assert_null(none);
    rhomb__ranges_close(NULL);
    split_rig_close(&g);
    split_list_release(&list);
}

/* Of a distance that is wrong, by one, the device says so; and the next portion is as good. */
static void test_wrong_distance(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("ranges, wrong", 0);
    const rhomb__cigar *found = NULL;
    path expected = {0};
    split_rig g;
    split_list_add_random(&list, ACGT, 300, 10, MOST, &r);
    rhomb__ranges *ranges = open_list(&g, &list);
    for (int64_t i = 0; i < list.count; i++) {
        for (int64_t beside = -1; beside <= 1; beside += 2) {
            rhomb_split_pair wrong = list.pairs[i];
            wrong.distance += beside;
            rhomb__error_clear(&g.ctx->stream.error);
            if (start_ranges(ranges, &wrong, 1) != RHOMB_OK)
                continue; /* it cannot be at all */
            assert_int_equal(rhomb__ranges_finish(ranges, &found), RHOMB_ERR_DEVICE_WRONG_RESULT);
            assert_non_null(
                strstr(rhomb__error_text(&g.ctx->stream.error), rhomb_context_device(g.ctx)->name));
        }
        split_expect_ok(g.ctx, start_ranges(ranges, &list.pairs[i], 1));
        split_expect_ok(g.ctx, rhomb__ranges_finish(ranges, &found));
        check_paths(&list, i, 1, found, &expected);
    }
    rhomb__ranges_close(ranges);
    split_rig_close(&g);
    split_list_release(&list);
    path_release(&expected);
}

/* The self-test's distances are right. */
static void test_known(void **state)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    for (int i = 0; i < KNOWN_RANGES; i++) {
        const rhomb_split_pair *known = &KNOWN_EDIT[i].pair;
        assert_true(known->target_at + known->target_length <= p.target_length);
        assert_true(known->query_at + known->query_length <= p.query_length);
        assert_int_equal(known->distance,
                         oracle_distance(p.target + known->target_at, known->target_length,
                                         p.query + known->query_at, known->query_length, false));
    }
}

/* Groups of a GPU. */
static void test_groups(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("ranges, groups", 0);
    if (!large_groups)
        skip();
    split_list_add_odd(&list, &r);
    split_list_add_random(&list, ACGT, 2000, 60, 500, &r);
    for (int32_t group = 32; group <= 256; group *= 2)
        for (int32_t in_place = 0; in_place <= 1; in_place++)
            check_list(&list, ACGT, 2, 500,
                       (rhomb__split_tuning){.group_size = group, .in_place = in_place});
    split_list_release(&list);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_odd),
        cmocka_unit_test(test_one_group), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_known),     cmocka_unit_test(test_wrong_distance),
        cmocka_unit_test(test_groups),
    };
    large_groups = argc > 1 && strcmp(argv[1], "groups") == 0;
    return device_exists() ? cmocka_run_group_tests_name("ranges", tests, NULL, NULL) : 77;
}
