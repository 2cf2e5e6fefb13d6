/* SPDX-License-Identifier: MIT */
/*
 * Main chains, see compare_chain.h. A chain is an increasing subsequence of the most weight: of
 * ranks in the query (decreasing on the reverse strand), in the order of the target, each weighing
 * its matches. The best chain that ends at a rank or before it is the largest value of a prefix,
 * which a binary indexed tree keeps.
 */
#include "src/formats/compare_chain.h"

#include <stdlib.h>
#include <string.h>

/* The records list[begin .. end) of one target and query, in the order of the target. */
typedef struct pair {
    size_t begin, end;
    int64_t matches;
} pair;

/* The best chain so far up to a place: its weight, and its last record as an index + 1; 0: none. */
typedef struct best {
    int64_t weight;
    size_t last;
} best;

typedef struct chains {
    rhomb__compared **list;   /* by target and query, then by their places in the target */
    rhomb__compared **sorted; /* of a pair, by rank */
    best *tree;
    pair *pairs;
    size_t pair_count;
    size_t *home[RHOMB__SIDES]; /* of each sequence: the pair with most of its matches, + 1; or 0 */
} chains;

static int by_pair(const void *a, const void *b)
{
    const rhomb__compared *x = *(rhomb__compared *const *)a, *y = *(rhomb__compared *const *)b;
    for (int side = 0; side < RHOMB__SIDES; side++)
        if (x->sequence[side] != y->sequence[side])
            return x->sequence[side] < y->sequence[side] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static int by_rank(const void *a, const void *b)
{
    const rhomb__compared *x = *(rhomb__compared *const *)a, *y = *(rhomb__compared *const *)b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Lists the pairs, and where each sequence has most of its matches. */
static void list_pairs(chains *c, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const rhomb__compared *r = c->list[i], *before = i > 0 ? c->list[i - 1] : NULL;
        if (before == NULL || before->sequence[0] != r->sequence[0] ||
            before->sequence[1] != r->sequence[1])
            c->pairs[c->pair_count++] = (pair){.begin = i};
        c->pairs[c->pair_count - 1].end = i + 1;
        c->pairs[c->pair_count - 1].matches += r->all.matches;
    }
    for (size_t p = 0; p < c->pair_count; p++) {
        const rhomb__compared *r = c->list[c->pairs[p].begin];
        for (int side = 0; side < RHOMB__SIDES; side++) {
            size_t *home = &c->home[side][r->sequence[side]];
            if (*home == 0 || c->pairs[*home - 1].matches < c->pairs[p].matches)
                *home = p + 1;
        }
    }
}

static bool belongs_together(const chains *c, size_t p)
{
    const rhomb__compared *r = c->list[c->pairs[p].begin];
    return c->home[RHOMB__TARGET][r->sequence[RHOMB__TARGET]] == p + 1 ||
           c->home[RHOMB__QUERY][r->sequence[RHOMB__QUERY]] == p + 1;
}

/* Gives the records of a pair their places by rank, from 1 on. */
static void find_places(chains *c, const pair *p)
{
    const size_t count = p->end - p->begin;
    memcpy(c->sorted, c->list + p->begin, count * sizeof *c->sorted);
    qsort(c->sorted, count, sizeof *c->sorted, by_rank);
    for (size_t i = 0; i < count; i++)
        c->sorted[i]->place = i + 1;
}

/* The best chain of one strand; the records of the strand know which one comes before them. */
static best best_chain(chains *c, const pair *p, bool reverse)
{
    const size_t count = p->end - p->begin;
    best all = {0, 0};
    memset(c->tree, 0, (count + 1) * sizeof *c->tree);
    for (size_t i = p->begin; i < p->end; i++) {
        rhomb__compared *r = c->list[i];
        if (r->reverse != reverse)
            continue;
        const size_t place = reverse ? count + 1 - r->place : r->place;
        best own = {0, 0};
        for (size_t at = place - 1; at > 0; at -= at & (~at + 1))
            if (c->tree[at].weight > own.weight)
                own = c->tree[at];
        r->previous = own.last;
        own = (best){own.weight + r->all.matches, i + 1};
        for (size_t at = place; at <= count; at += at & (~at + 1))
            if (c->tree[at].weight < own.weight)
                c->tree[at] = own;
        if (all.weight < own.weight || all.last == 0)
            all = own;
    }
    return all;
}

static void give_kinds(chains *c, size_t number)
{
    const pair *p = &c->pairs[number];
    if (!belongs_together(c, number)) {
        for (size_t i = p->begin; i < p->end; i++)
            c->list[i]->kind = RHOMB__COMPARED_TRANSLOCATION;
        return;
    }
    find_places(c, p);
    const best forward = best_chain(c, p, false), backward = best_chain(c, p, true);
    const bool main_strand = backward.weight > forward.weight;
    for (size_t i = p->begin; i < p->end; i++)
        c->list[i]->kind = c->list[i]->reverse == main_strand ? RHOMB__COMPARED_RELOCATION
                                                              : RHOMB__COMPARED_INVERSION;
    for (size_t at = main_strand ? backward.last : forward.last; at > 0;
         at = c->list[at - 1]->previous)
        c->list[at - 1]->kind = RHOMB__COMPARED_CHAIN;
}

rhomb_status rhomb__compare_chains(rhomb__error *error, rhomb__compared *records, size_t count,
                                   const size_t *sequences)
{
    rhomb_status status = RHOMB_OK;
    const size_t most = count + 1;
    chains c = {.list = malloc(most * sizeof *c.list),
                .sorted = malloc(most * sizeof *c.sorted),
                .tree = malloc(most * sizeof *c.tree),
                .pairs = malloc(most * sizeof *c.pairs),
                .home = {calloc(sequences[RHOMB__TARGET] + 1, sizeof *c.home[0]),
                         calloc(sequences[RHOMB__QUERY] + 1, sizeof *c.home[0])}};
    if (c.list == NULL || c.sorted == NULL || c.tree == NULL || c.pairs == NULL ||
        c.home[0] == NULL || c.home[1] == NULL) {
        status = rhomb__fail_memory(error, most * (sizeof *c.pairs + sizeof *c.tree),
                                    "chains of records");
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        c.list[i] = &records[i];
    qsort(c.list, count, sizeof *c.list, by_pair);
    list_pairs(&c, count);
    for (size_t p = 0; p < c.pair_count; p++)
        give_kinds(&c, p);
out:
    free(c.home[1]);
    free(c.home[0]);
    free(c.pairs);
    free(c.tree);
    free(c.sorted);
    free(c.list);
    return status;
}
