/* SPDX-License-Identifier: MIT */
/*
 * The kernels of cl/divide/split.cl as host code, for groups of all kinds: columns in buffers of
 * the exact sizes that cl/abi.h gives them, one problem at a time, so that the sanitizers see every
 * access. Each point has to be the one of breakpoints.h, and a distance that is wrong has to be
 * noticed.
 */
#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "support/amount.h"
#include "support/guard.h"
#include "support/split_list.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_split name;
EMULATED_SPLIT_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_split *const VARIANTS[] = {EMULATED_SPLIT_MAP(ADDRESS)};

/* Packs a list's sequences for a variant, each symbol with a code of its own. */
static void pack(const emulated_split *v, const split_list *list, emulated_split_arguments *a)
{
    const letters *query = &list->query, *target = &list->target;
    a->query = emulated_pack_bases(query->at, query->length, v->planes, 2);
    a->target = emulated_pack_bases(target->at, target->length, v->planes, 2);
    a->query_backward = rhomb__packing_windows(query->length, v->planes, 2).parts[0].units *
                        RHOMB_UNIT_WORDS(v->planes);
    a->target_backward = rhomb__packing_windows(target->length, v->planes, 2).parts[0].units *
                         RHOMB_UNIT_WORDS(v->planes);
    a->query_length = list->query.length;
    a->target_length = list->target.length;
}

/* Splits a problem; the job is the second of two, whose columns lie after a gap. */
static rhomb_split_point split(const emulated_split *v, emulated_split_arguments *a,
                               const rhomb_split_pair *problem)
{
    const int64_t edits = (problem->distance + 1) / 2;
    const int64_t cells = RHOMB_SPLIT_CELLS(edits, problem->query_length, problem->target_length);
    const int64_t width = v->offset_bits / 8, gap = 3;
    rhomb_split_job jobs[2];
    rhomb_split_point points[2];
    memset(jobs, 0x55, sizeof jobs);
    jobs[1].pair = *problem;
    jobs[1].columns_at = gap;
    a->jobs = jobs;
    a->points = points;
    a->columns = filled_memory((gap + RHOMB_SPLIT_COLUMNS * cells) * width, 1);
    a->state = filled_memory(2 * cells * width, 1);
    a->first_job = 1;
    v->solve(a, 1);
    free(a->columns);
    free(a->state);
    return points[1];
}

static void check_list(const emulated_split *v, const split_list *list)
{
    emulated_split_arguments a = {.query = NULL};
    pack(v, list, &a);
    for (int64_t i = 0; i < list->count; i++) {
        const rhomb_split_pair *p = &list->pairs[i];
        const rhomb_split_point point = split(v, &a, p), *expected = &list->expected[i];
        if (memcmp(&point, expected, sizeof point) != 0)
            fail_msg("PLANES=%d OFFSET_BITS=%d GROUP_SIZE=%d IN_PLACE=%d: problem %lld, %lld by "
                     "%lld letters, distance %lld: (%lld, %lld) with status %d, not (%lld, %lld)",
                     (int)v->planes, (int)v->offset_bits, (int)v->group_size, (int)v->in_place,
                     (long long)i, (long long)p->target_length, (long long)p->query_length,
                     (long long)p->distance, (long long)point.target, (long long)point.query,
                     (int)point.status, (long long)expected->target, (long long)expected->query);
        rhomb_split_pair wrong = *p;
        wrong.distance++;
        if (wrong.distance <= p->target_length || wrong.distance <= p->query_length)
            assert_int_equal(split(v, &a, &wrong).status, RHOMB_SPLIT_LESS);
        wrong.distance -= 2;
        const int64_t least = llabs(p->target_length - p->query_length);
        if (wrong.distance >= 1 && wrong.distance >= least)
            assert_int_equal(split(v, &a, &wrong).status, RHOMB_SPLIT_APART);
    }
    free((void *)(uintptr_t)a.query);
    free((void *)(uintptr_t)a.target);
}

static void test_random(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated split", (int64_t)v);
        const char *alphabet = VARIANTS[v]->planes == 2 ? "ACGT" : "ACGTNRYK";
        split_list_add_random(&list, alphabet, 12, amount(30), 40, &r);
        split_list_add_random(&list, alphabet, 300, amount(8), 60, &r);
        check_list(VARIANTS[v], &list);
        split_list_release(&list);
    }
}

/* Stretches of one base after indels, longer than what a group compares in its first round. */
static void test_gaps(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated split, gaps", (int64_t)v);
        split_list_add_gaps(&list, "ACGT", 160 * VARIANTS[v]->group_size + 2000, amount(8), 400,
                            &r);
        check_list(VARIANTS[v], &list);
        split_list_release(&list);
    }
}

/* Distances that take several launches of a CPU's tiles, and several tiles a launch. */
static void test_launches(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("emulated split, launches", 0);
    split_list_add_random(&list, "ACGT", 1800, amount(24), 1500, &r);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 2500, &r);
    letters_random(&p.b, "ACGT", 2300, &r);
    assert_true(split_list_add(&list, &p, RHOMB_SPLIT_LIMIT));
    pair_release(&p);
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        if (VARIANTS[v]->group_size == 1 || VARIANTS[v]->group_size == 8)
            check_list(VARIANTS[v], &list);
    split_list_release(&list);
}

/* Long runs of one letter that the tables say; ranges begin anywhere in a chunk and a word. */
static void test_known(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated split, known runs", (int64_t)v);
        for (int64_t i = 0; i < amount(3); i++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            pair_make_known_runs(VARIANTS[v]->planes == 2 ? "AC" : "NA", 4 * (int64_t)v + i, &r,
                                 &p);
            assert_true(split_list_add(&list, &p, 2000));
            pair_release(&p);
        }
        check_list(VARIANTS[v], &list);
        split_list_release(&list);
    }
}

static void test_odd(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated split, odd", (int64_t)v);
        split_list_add_odd(&list, &r);
        check_list(VARIANTS[v], &list);
        split_list_release(&list);
    }
}

/* A C of the query stops all diagonals: more runs in a column than a group follows together. */
static void test_runs(void **state)
{
    split_list list = {.count = 0};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int block = 0; block < amount(130); block++) {
        letters_repeat(&p.a, "A", 301);
        letters_repeat(&p.b, "A", 300);
        letters_append(&p.b, "C", 1);
    }
    assert_true(split_list_add(&list, &p, RHOMB_SPLIT_LIMIT));
    pair_release(&p);
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        check_list(VARIANTS[v], &list);
    split_list_release(&list);
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_launches), cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_known),  cmocka_unit_test(test_odd),      cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests_name("emulated split", tests, NULL, NULL);
}
