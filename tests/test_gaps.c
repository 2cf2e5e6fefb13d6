/* SPDX-License-Identifier: MIT */
/*
 * test_gaps: whether blocks go on over what is planted between them: other sequence on both sides,
 * changed sequence, runs of N, insertions; on either strand, cut elsewhere on a circle, by the look
 * before the work and by that for --blocks, in sequences of 25 to 75 % GC.
 */
#include "host/cli/base/cli.h"
#include "host/cli/sketch/relation.h"
#include "support/amount.h"
#include "support/pair.h"
#include "support/test.h"

/*
 * Parts of a pair: "=9" are nine bases that both have, "~9:25" the same with 25 % of edits, "?9:8"
 * nine of the target and eight other ones of the query, and "N9:8" runs of N.
 */
typedef struct recipe {
    const char *parts;
    size_t blocks;
    bool interrupted, unrelated; /* what the look says */
} recipe;

static const recipe RECIPES[] = {
    /* A repeat after or before 70 kb that are unlike, or two chromosomes with an end in common. */
    {"=150000 ?80000:68000 =400 ?69600:31600", 2, true, false},
    {"?31600:69600 =400 ?68000:80000 =150000", 2, true, false},
    {"=150000 ?80000:90000 =2000", 2, true, false},
    {"=60000 ?100000:100000 =60000", 2, true, false},
    {"=150000 ?10000:11000 =20000", 2, false, false},
    {"=100000 ?10000:11000 =100000", 1, false, false},
    /* One end in common, or the middle; ends that are changed, or that only one has. */
    {"=60000 ?140000:140000", 1, true, false},
    {"?70000:75000 =60000 ?70000:65000", 1, true, false},
    {"=150000 ?8000:8000", 1, false, false},
    {"~60000:20 =100000 ~60000:20", 1, false, false},
    {"=150000 ?0:50000", 1, false, false},
    /* One element in common, or two. */
    {"?140000:100000 =400 ?159600:199600", 1, false, true},
    {"?140000:100000 =15000 ?145000:185000", 1, false, true},
    {"?100000:80000 =2000 ?100000:100000 =3000 ?90000:80000", 2, false, true},
    /* Changed sequence, also where little comes after it. */
    {"=100000 ~80000:25 =100000", 1, false, false},
    {"=100000 ~80000:15 =2000", 1, false, false},
    {"=100000 ~80000:20 =2000", 1, false, false},
    {"=100000 ~80000:25 =2000", 1, false, false},
    /* Nothing is known of these. */
    {"=100000 N90000:70000 =2000", 1, false, false},
    {"=100000 N90000:0 ?0:70000 =2000", 1, false, false},
    /* An insertion, and a deletion. */
    {"=100000 ?0:200000 =2000", 1, false, false},
    {"=100000 ?200000:400 =2000", 1, false, false},
};

static const char *const ALPHABETS[] = {"ACGT", "AATTATCG", "GGCCGCAT"};

/* Appends the first part; the rest of the parts. */
static const char *append(pair *p, const char *parts, const char *alphabet, rng *r)
{
    letters piece = {NULL, 0, 0}, changed = {NULL, 0, 0};
    char *rest;
    const char what = *parts;
    const int64_t target = strtoll(parts + 1, &rest, 10);
    const int64_t query = *rest == ':' ? strtoll(rest + 1, &rest, 10) : 0;
    if (what == 'N') {
        letters_repeat(&p->a, "N", target);
        letters_repeat(&p->b, "N", query);
    } else if (what == '?') {
        letters_random(&p->a, alphabet, target, r);
        letters_random(&p->b, alphabet, query, r);
    } else {
        letters_random(&piece, alphabet, target, r);
        letters_mutate(&changed, &piece, (double)query / 100, alphabet, r);
        letters_append(&p->a, piece.at, piece.length);
        letters_append(&p->b, changed.at, changed.length);
    }
    free(piece.at);
    free(changed.at);
    return rest + strspn(rest, " ");
}

static int failures;

static void fail_case(const recipe *wanted, const char *how, size_t alphabet,
                      const cli_relation *found)
{
    for (size_t i = 0; i < found->count; i++)
        print_error("%" PRId64 "-%" PRId64 " %" PRId64 "-%" PRId64 " %c, %" PRId64 " alike\n",
                    found->blocks[i].target_begin, found->blocks[i].target_end,
                    found->blocks[i].query_begin, found->blocks[i].query_end,
                    found->blocks[i].reverse ? '-' : '+', found->blocks[i].bases);
    print_error("%s, %s, of %s: %zu blocks, rearranged %d, interrupted %d, unrelated %d; again: "
                "RHOMB_TEST_SEED=%" PRIu64 " test_gaps\n",
                wanted->parts, how, ALPHABETS[alphabet], found->count, found->is_rearranged,
                found->is_interrupted, found->is_unrelated, rng_seed());
    failures++;
}

/* The bases that are the same or changed. */
static int64_t covered_bases(const char *parts)
{
    int64_t bases = 0;
    for (const char *at = strpbrk(parts, "=~"); at != NULL; at = strpbrk(at + 1, "=~"))
        bases += strtoll(at + 1, NULL, 10);
    return bases;
}

/* Whether a guide, if there is one, has points of a pair that is related, and of no other. */
static bool is_guided(const cli_relation *found, int64_t target_length, int64_t query_length)
{
    rhomb_guide guide;
    rhomb_guide_point *points;
    const bool said = cli_guide_make(found, NULL, target_length, query_length, found->reverse,
                                     found->rotation, &guide, &points);
    free(points);
    return said && (guide.count == 0) == found->is_unrelated &&
           (guide.divergence > 0.5) == found->is_unrelated;
}

/* How a query is given, and looked at. */
typedef struct view {
    const char *name;
    bool reverse, rotated;
    bool blocks; /* as --blocks does, or else as the look before the work */
} view;

static const view VIEWS[] = {{"the look", false, false, false},
                             {"the look, reverse-complemented", true, false, false},
                             {"the look, cut elsewhere", false, true, false},
                             {"the look, both", true, true, false},
                             {"blocks", false, false, true},
                             {"blocks, reverse-complemented", true, false, true}};

static void check(const recipe *wanted, const view *how, size_t alphabet, const pair *p)
{
    const cli_relation_options look = {.threads = 2};
    const cli_relation_options blocks = {
        .threads = 2, .whole = true, .dense = true, .strand = '+', .has_rotation = true};
    /* A circle that is one block is one wherever it is cut. */
    const int64_t rotation = how->rotated ? p->b.length * 11 / 20 : 0;
    if (how->rotated && (wanted->blocks > 1 || wanted->interrupted || wanted->unrelated))
        return;
    char *query = cli_orient(p->b.at, p->b.length, how->reverse, rotation);
    assert_non_null(query);
    const cli_two two = {p->a.at, p->a.length, query, p->b.length};
    cli_relation found;
    assert_true(cli_relate(&two, how->blocks ? &blocks : &look, &found));
    /* Runs of N, and what is beside them, may be covered or not. */
    const bool has_runs = strchr(wanted->parts, 'N') != NULL;
    const int64_t bases = covered_bases(wanted->parts);
    const bool is_covered = llabs(found.covered - bases) < bases / 8 + 100;
    const bool is_turned = how->reverse && how->blocks;
    if (found.count != wanted->blocks || found.is_unrelated != wanted->unrelated ||
        found.is_interrupted != (wanted->interrupted && !is_turned) ||
        found.is_rearranged != (is_turned && wanted->blocks > 1) ||
        found.reverse != (how->reverse && !how->blocks) || (found.rotation != 0) != how->rotated ||
        (!has_runs && !is_covered) || (!is_turned && !is_guided(&found, p->a.length, p->b.length)))
        fail_case(wanted, how->name, alphabet, &found);
    cli_relation_release(&found);
    free(query);
}

static void test_all(void **state)
{
    for (size_t i = 0; i < COUNT(RECIPES) * COUNT(ALPHABETS); i++) {
        if (!amount_takes((int64_t)i) && i + 1 < COUNT(RECIPES) * COUNT(ALPHABETS))
            continue;
        const recipe *what = &RECIPES[i / COUNT(ALPHABETS)];
        const size_t alphabet = i % COUNT(ALPHABETS);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        rng r = rng_for("gaps", (int64_t)i);
        for (const char *rest = what->parts; *rest != '\0';)
            rest = append(&p, rest, ALPHABETS[alphabet], &r);
        for (size_t k = 0; k < COUNT(VIEWS); k++)
            check(what, &VIEWS[k], alphabet, &p);
        free(p.a.at);
        free(p.b.at);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    if (!cli_has_minimizers)
        return 77;
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
