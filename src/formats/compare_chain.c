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

enum { CIRCLE_SHARE = 20 };

/* The records list[begin .. end) of one target and query, in the order of the target. */
typedef struct pair {
    size_t begin, end;
    int64_t matches;
    bool reverse; /* the main strand */
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

/* Its place by rank along its own strand, from 1 on. */
static size_t place_of(const pair *p, const rhomb__compared *r)
{
    return r->reverse ? p->end - p->begin + 1 - r->place : r->place;
}

/*
 * The best chain of one strand, in the query as it is if it begins with the record of the place
 * `from` on that strand; the records of the strand know which one comes before them.
 */
static best best_chain(chains *c, const pair *p, bool reverse, size_t from)
{
    const size_t count = p->end - p->begin;
    best all = {0, 0};
    memset(c->tree, 0, (count + 1) * sizeof *c->tree);
    for (size_t i = p->begin; i < p->end; i++) {
        rhomb__compared *r = c->list[i];
        if (r->reverse != reverse)
            continue;
        const size_t place = (place_of(p, r) + count - from) % count + 1;
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

/* Where a record begins and ends on its strand, in a side. */
static int64_t before(const rhomb__compared *r, int side)
{
    const bool turned = side == RHOMB__QUERY && r->reverse;
    return turned ? r->length[side] - r->end[side] : r->begin[side];
}

static int64_t after(const rhomb__compared *r, int side)
{
    return r->length[side] - before(r, side) - (r->end[side] - r->begin[side]);
}

/*
 * Whether a chain goes all the way around both sequences, each of its ends being beside an end of
 * one of them and a record of the other: less than a twentieth is not in it there.
 */
static bool is_circle(const chains *c, const pair *p, best chain)
{
    const rhomb__compared *last = c->list[chain.last - 1], *second = NULL, *first = last;
    for (; first->previous > 0; first = c->list[first->previous - 1])
        if (place_of(p, c->list[first->previous - 1]) > place_of(p, first))
            second = first;
    if (second == NULL || last->length[0] == 0)
        return false;
    const rhomb__compared *turn = c->list[second->previous - 1];
    const int64_t gaps[] = {before(first, 0),
                            after(last, 0),
                            after(turn, 1),
                            before(second, 1),
                            second->begin[0] - turn->end[0],
                            before(first, 1) - last->length[1] + after(last, 1)};
    for (int i = 0; i < 6; i++)
        if (llabs(gaps[i]) > last->length[i == 2 || i == 3 || i == 5] / CIRCLE_SHARE)
            return false;
    return true;
}

/* The main chain, or the one of a circle that begins elsewhere, if that is better. */
static best turned_chain(chains *c, const pair *p, best main)
{
    const size_t count = p->end - p->begin;
    size_t froms[2] = {0, 0}; /* the main chain comes first, or last */
    for (size_t at = main.last; at > 0; at = c->list[at - 1]->previous)
        froms[0] = place_of(p, c->list[at - 1]);
    froms[1] = main.last > 0 ? place_of(p, c->list[main.last - 1]) % count + 1 : 1;
    for (int i = 0; i < 2; i++) {
        const best turned = best_chain(c, p, p->reverse, froms[i]);
        if (turned.weight > main.weight && is_circle(c, p, turned))
            return turned;
    }
    return best_chain(c, p, p->reverse, 1);
}

/* Which record of a chain is where the query begins again: the first with a smaller place. */
static void mark_turn(const chains *c, const pair *p, best chain)
{
    for (size_t at = chain.last; at > 0; at = c->list[at - 1]->previous) {
        rhomb__compared *r = c->list[at - 1];
        r->turns = r->previous > 0 && place_of(p, c->list[r->previous - 1]) > place_of(p, r);
    }
}

static void give_kinds(chains *c, size_t number)
{
    pair *p = &c->pairs[number];
    if (!belongs_together(c, number)) {
        for (size_t i = p->begin; i < p->end; i++)
            c->list[i]->kind = RHOMB__COMPARED_TRANSLOCATION;
        return;
    }
    find_places(c, p);
    const best forward = best_chain(c, p, false, 1), backward = best_chain(c, p, true, 1);
    p->reverse = backward.weight > forward.weight;
    for (size_t i = p->begin; i < p->end; i++)
        c->list[i]->kind = c->list[i]->reverse == p->reverse ? RHOMB__COMPARED_RELOCATION
                                                             : RHOMB__COMPARED_INVERSION;
    const best main = turned_chain(c, p, p->reverse ? backward : forward);
    for (size_t at = main.last; at > 0; at = c->list[at - 1]->previous) {
        rhomb__compared *r = c->list[at - 1];
        r->kind = RHOMB__COMPARED_CHAIN;
        r->has_most = 2 * main.weight >= r->length[0] && 2 * main.weight >= r->length[1];
    }
    mark_turn(c, p, main);
}

/* Whether records of pairs that do not belong together are turned, against the rest of the query.
 */
static void note_strands(chains *c)
{
    for (size_t i = 0; i < c->pair_count; i++) {
        const pair *p = &c->pairs[i];
        const size_t query = c->list[p->begin]->sequence[RHOMB__QUERY];
        for (size_t k = p->begin; k < p->end; k++)
            c->list[k]->inverted =
                c->list[k]->kind == RHOMB__COMPARED_TRANSLOCATION &&
                c->list[k]->reverse != c->pairs[c->home[RHOMB__QUERY][query] - 1].reverse;
    }
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
        c.home[0] == NULL || c.home[1] == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, most * (sizeof *c.pairs + sizeof *c.tree),
                                     "chains of records"));
    for (size_t i = 0; i < count; i++)
        c.list[i] = &records[i];
    qsort(c.list, count, sizeof *c.list, by_pair);
    list_pairs(&c, count);
    for (size_t p = 0; p < c.pair_count; p++)
        give_kinds(&c, p);
    note_strands(&c);
out:
    free(c.home[1]);
    free(c.home[0]);
    free(c.pairs);
    free(c.tree);
    free(c.sorted);
    free(c.list);
    return status;
}
