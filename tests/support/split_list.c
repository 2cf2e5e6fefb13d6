/* SPDX-License-Identifier: MIT */
/*
 * See split_list.h.
 */
#include "split_list.h"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "src/base/int64.h"
#include "tests/reference/breakpoints.h"

bool split_list_add(split_list *list, const pair *p, int64_t most)
{
    static const char TEMPTING[] = "AAAAACAAAGAAAAAACCCCCCTTTTTTTTTTTAAAAAA";
    const int64_t between = (int64_t)sizeof TEMPTING - 1 - list->count % 33;
    const int64_t distance = oracle_edlib(p->a.at, p->a.length, p->b.at, p->b.length);
    if (distance == 0 || distance > most)
        return false;
    if (list->count == list->room) {
        list->room = 2 * list->room + 16;
        list->pairs = realloc(list->pairs, (size_t)list->room * sizeof *list->pairs);
        list->expected = realloc(list->expected, (size_t)list->room * sizeof *list->expected);
        if (list->pairs == NULL || list->expected == NULL)
            abort();
    }
    if (list->count % 7 > 0) { /* the others begin right where one before ends */
        letters_append(&list->target, TEMPTING, between);
        letters_append(&list->query, TEMPTING, between);
    }
    const rhomb_split_pair added = {list->target.length, p->a.length, list->query.length,
                                    p->b.length, distance};
    letters_append(&list->target, p->a.at, p->a.length);
    letters_append(&list->query, p->b.at, p->b.length);
    list->pairs[list->count] = added;
    const plain_pair texts = {p->a.at, p->a.length, p->b.at, p->b.length, false};
    list->expected[list->count] = oracle_split_wavefront(&texts, distance);
    list->count++;
    return true;
}

/* Adds a pair, and says whether its distance is such that it could be. */
static bool add_made(split_list *list, const pair_recipe *recipe, int64_t most, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    pair_make(recipe, r, &p);
    const bool added = split_list_add(list, &p, most);
    pair_release(&p);
    return added;
}

void split_list_add_random(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                           int64_t most, rng *r)
{
    for (int64_t i = 0; i < count;) {
        const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                    .length = rng_between(r, 1, longest),
                                    .error_rate = 0.02 * (double)rng_below(r, 12),
                                    .spacing = rng_between(r, 1, 300),
                                    .longest_indel = longest / 4 + 1,
                                    .alphabet = alphabet};
        i += add_made(list, &recipe, most, r);
    }
}

/* Stretches of one base after indels, longer than what a group compares in its first round. */
static void add_gaps(split_list *list, rng *r)
{
    const pair_recipe recipe = {.model = PAIR_GAPS,
                                .length = 6000,
                                .error_rate = 0.02,
                                .longest_indel = 120,
                                .alphabet = "ACGT"};
    for (int64_t i = 0; i < 4;)
        i += add_made(list, &recipe, 400, r);
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
        split_list_add(list, &p, 400);
    }
    p.a.length = p.b.length = 0;
    for (int block = 0; block < 70; block++) {
        letters_repeat(&p.a, "A", 301);
        letters_repeat(&p.b, "A", 300);
        letters_append(&p.b, "C", 1);
    }
    split_list_add(list, &p, 400);
    pair_release(&p);
}

/* Adds a pair of texts; bases of `middle` follow on `run` equal ones. */
static void add_texts(split_list *list, int64_t run, const char *target, const char *query)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_repeat(&p.a, "A", run);
    letters_repeat(&p.b, "A", run);
    letters_append(&p.a, target, (int64_t)strlen(target));
    letters_append(&p.b, query, (int64_t)strlen(query));
    letters_repeat(&p.a, "A", run);
    letters_repeat(&p.b, "A", run);
    split_list_add(list, &p, RHOMB_SPLIT_LIMIT);
    pair_release(&p);
}

void split_list_add_odd(split_list *list, rng *r)
{
    static const int64_t RUNS[] = {0, 1, 31, 32, 33, 128, 129, 287, 288, 289, 1000, 20000};
    for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
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
        split_list_add(list, &p, RHOMB_SPLIT_LIMIT);
        const letters swap = p.a;
        p.a = p.b;
        p.b = swap;
        split_list_add(list, &p, RHOMB_SPLIT_LIMIT);
        pair_release(&p);
    }
    add_gaps(list, r);
    add_runs(list, r);
}

void split_list_release(split_list *list)
{
    const split_list none = {.count = 0};
    free(list->target.at);
    free(list->query.at);
    free(list->pairs);
    free(list->expected);
    *list = none;
}
