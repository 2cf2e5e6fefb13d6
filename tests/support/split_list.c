/* SPDX-License-Identifier: MIT */
/*
 * See split_list.h.
 */
#include "split_list.h"

#include "affine_pair.h"
#include "test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/path_judge.h"

split_list split_list_of(const rhomb__costs *costs, split_takes takes)
{
    return (split_list){.costs = *costs, .takes = takes};
}

rhomb__costs split_list_random_costs(rng *r, int64_t most)
{
    rhomb__costs costs = random_costs(r, most);
    const int64_t two_gaps = 2 * (costs.open[0] + costs.extend[0]);
    if (rng_chance(r, 0.3))
        costs.mismatch = two_gaps;
    costs.replaced = costs.mismatch == two_gaps && rng_chance(r, 0.5);
    return costs;
}

int64_t split_list_cost(const split_list *list, const rhomb_subproblem *range)
{
    const rhomb_split_pair *p = &range->pair;
    const char *target = list->target.at + p->target_at, *query = list->query.at + p->query_at;
    const oracle_penalties penalties = costs_penalties(&list->costs);
    if (rhomb__costs_are_edit(&list->costs))
        return oracle_edlib(target, p->target_length, query, p->query_length);
    return oracle_gotoh_borders(target, p->target_length, query, p->query_length, &penalties,
                                (oracle_borders){range->begin_gap, range->end_gap});
}

plain_pair split_list_texts(const split_list *list, int64_t index)
{
    const rhomb_split_pair *p = &list->at[index].pair;
    return (plain_pair){list->target.at + p->target_at, p->target_length,
                        list->query.at + p->query_at, p->query_length, false};
}

static void make_room(split_list *list)
{
    if (list->count < list->room)
        return;
    list->room = 2 * list->room + 16;
    list->at = realloc(list->at, (size_t)list->room * sizeof *list->at);
    if (list->at == NULL)
        abort();
}

bool split_list_add(split_list *list, const pair *p, oracle_borders borders)
{
    static const char TEMPTING[] = "AAAAACAAAGAAAAAACCCCCCTTTTTTTTTTTAAAAAA";
    const int64_t between = (int64_t)sizeof TEMPTING - 1 - list->count % 33;
    const int64_t target_end = list->target.length, query_end = list->query.length;
    if (p->a.length + p->b.length == 0)
        return false;
    if (list->count % 7 > 0) { /* the others begin right where one before ends */
        letters_append(&list->target, TEMPTING, between);
        letters_append(&list->query, TEMPTING, between);
    }
    rhomb_subproblem added = {
        {list->target.length, p->a.length, list->query.length, p->b.length, 0},
        borders.begin,
        borders.end};
    letters_append(&list->target, p->a.at, p->a.length);
    letters_append(&list->query, p->b.at, p->b.length);
    added.pair.distance = split_list_cost(list, &added);
    if (added.pair.distance <= 0 || (list->takes != NULL && !list->takes(list, &added))) {
        list->target.length = target_end;
        list->query.length = query_end;
        return false;
    }
    make_room(list);
    list->at[list->count++] = added;
    return true;
}

/* Families of gaps, and pairs whose paths begin or end within one. */
static void make_gapped(int64_t length, rng *r, pair *p)
{
    affine_family family = (affine_family)rng_below(r, AFFINE_FAMILY_COUNT);
    if (family == AFFINE_STRIPS || family == AFFINE_CODES) /* long; IUPAC codes */
        affine_bordered_pair(length, rng_chance(r, 0.5) ? length : 4, r, p);
    else
        affine_pair_make(family, length, r, p);
}

static void make_random(const char *alphabet, int64_t length, rng *r, pair *p)
{
    const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                .length = length,
                                .error_rate = 0.02 * (double)rng_below(r, 12),
                                .spacing = rng_between(r, 1, 300),
                                .longest_indel = length / 4 + 1,
                                .alphabet = alphabet};
    if (alphabet != NULL)
        pair_make(&recipe, r, p);
    else if (rng_chance(r, 0.5))
        make_gapped(length, r, p);
    else
        affine_bordered_pair(length, rng_chance(r, 0.5) ? length : 4, r, p);
}

/* A third of them about as long as a group has diagonals, or a word has bases. */
static int64_t random_length(int64_t longest, rng *r)
{
    const int64_t around = (rng_chance(r, 0.5) ? 16 : 32) * rng_between(r, 1, 4);
    const int64_t length =
        rng_chance(r, 0.3) ? around + rng_between(r, -1, 1) : rng_between(r, 1, longest);
    return length < longest ? length : longest;
}

int64_t split_list_add_some(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                            rng *r)
{
    const bool edit = rhomb__costs_are_edit(&list->costs);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t added = 0;
    for (int64_t tries = 0; added < count && tries < 50 * (count + 10); tries++) {
        make_random(alphabet, random_length(longest, r), r, &p);
        oracle_borders borders = SPLIT_NO_GAPS;
        if (!edit)
            borders = (oracle_borders){random_gap(r, &list->costs), random_gap(r, &list->costs)};
        added += split_list_add(list, &p, borders);
    }
    pair_release(&p);
    return added;
}

void split_list_add_random(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                           rng *r)
{
    assert_int_equal(split_list_add_some(list, alphabet, longest, count, r), count);
}

/* Stretches of one base after indels, longer than what a group compares in its first round. */
static void add_gaps(split_list *list, rng *r)
{
    const pair_recipe recipe = {.model = PAIR_GAPS,
                                .length = 6000,
                                .error_rate = 0.02,
                                .longest_indel = 120,
                                .alphabet = "ACGT"};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 4;) {
        pair_make(&recipe, r, &p);
        i += split_list_add(list, &p, SPLIT_NO_GAPS);
    }
    pair_release(&p);
}

/*
 * Runs of one base that the tables say, from anywhere in a chunk and a word on. And a C of the
 * query that stops all diagonals, again and again: more runs in a wavefront than a group follows
 * together.
 */
static void add_runs(split_list *list, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 6; i++) {
        pair_make_known_runs("AC", 5 * i, r, &p);
        split_list_add(list, &p, SPLIT_NO_GAPS);
    }
    p.a.length = p.b.length = 0;
    for (int block = 0; block < 70; block++) {
        letters_repeat(&p.a, "A", 301);
        letters_repeat(&p.b, "A", 300);
        letters_append(&p.b, "C", 1);
    }
    split_list_add(list, &p, SPLIT_NO_GAPS);
    pair_release(&p);
}

/* Adds a pair of texts, before and after which are `run` equal bases. */
static void add_texts(split_list *list, int64_t run, const char *target, const char *query)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_repeat(&p.a, "A", run);
    letters_repeat(&p.b, "A", run);
    letters_append(&p.a, target, (int64_t)strlen(target));
    letters_append(&p.b, query, (int64_t)strlen(query));
    letters_repeat(&p.a, "A", run);
    letters_repeat(&p.b, "A", run);
    split_list_add(list, &p, SPLIT_NO_GAPS);
    pair_release(&p);
}

void split_list_add_odd(split_list *list, rng *r)
{
    static const int64_t RUNS[] = {0, 1, 31, 32, 33, 128, 129, 287, 288, 289, 1000, 20000};
    for (size_t i = 0; i < COUNT(RUNS); i++) {
        add_texts(list, RUNS[i], "C", "");
        add_texts(list, RUNS[i], "", "CC");
        add_texts(list, RUNS[i], "CT", "GA");
        add_texts(list, RUNS[i], "CAAAACTTTTGC", "GAAAAG");
        add_texts(list, RUNS[i], "", "AAA");
    }
    for (int64_t n = 0; n < 400; n += 57) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, "ACGT", n, r);
        letters_random(&p.b, "ACGT", n % 5, r);
        const pair swapped = {p.b, p.a};
        split_list_add(list, &p, SPLIT_NO_GAPS);
        split_list_add(list, &swapped, SPLIT_NO_GAPS);
        pair_release(&p);
    }
    add_gaps(list, r);
    add_runs(list, r);
}

void split_list_fail(const split_list *list, int64_t index, const char *why)
{
    const rhomb_subproblem *s = &list->at[index];
    const rhomb__costs *costs = &list->costs;
    fail_msg("subproblem %lld, %lld bases from %lld on and %lld from %lld on, gaps %d and %d, "
             "cost %lld, with mismatch %lld, gaps %lld + k * %lld and %lld + k * %lld: %s",
             (long long)index, (long long)s->pair.target_length, (long long)s->pair.target_at,
             (long long)s->pair.query_length, (long long)s->pair.query_at, (int)s->begin_gap,
             (int)s->end_gap, (long long)s->pair.distance, (long long)costs->mismatch,
             (long long)costs->open[0], (long long)costs->extend[0], (long long)costs->open[1],
             (long long)costs->extend[1], why);
}

void split_list_check_path(const split_list *list, int64_t index, const rhomb__cigar *path)
{
    const rhomb_subproblem *s = &list->at[index];
    const oracle_penalties penalties = costs_penalties(&list->costs);
    const oracle_borders borders = {s->begin_gap, s->end_gap};
    const plain_pair texts = split_list_texts(list, index);
    const rhomb_pair judged = {texts.target, texts.n, texts.query, texts.m};
    int64_t edits = 0;
    for (int64_t i = 0; i < path->count; i++) {
        const bool equal = RHOMB_CIGAR_CODE(path->ops[i]) == RHOMB_CIGAR_EQ;
        edits += equal ? 0 : (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        if (list->costs.replaced && RHOMB_CIGAR_CODE(path->ops[i]) == RHOMB_CIGAR_X)
            split_list_fail(list, index, "a mismatch, which gaps should replace");
    }
    const char *complaint = path_judge(path->ops, path->count, &judged, edits);
    if (complaint == NULL &&
        oracle_path_penalty(path->ops, path->count, &penalties, borders) != s->pair.distance)
        complaint = "another cost";
    if (complaint != NULL)
        split_list_fail(list, index, complaint);
}

void split_list_release(split_list *list)
{
    free(list->target.at);
    free(list->query.at);
    free(list->at);
    free(list->expected);
    *list = split_list_of(&list->costs, list->takes);
}
