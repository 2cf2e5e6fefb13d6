/* SPDX-License-Identifier: MIT */
/*
 * Collinear blocks, see blocks.h. Blocks are in two linked lists, in the order of each sequence.
 * Two blocks become one if they are neighbours in both lists, in the order that their strand asks
 * for.
 */
#include "host/cli/sketch/blocks.h"

#include <stdlib.h>

/* Anchors, and blocks of them: a block goes by the number of its first anchor. */
typedef struct node {
    const cli_anchor *anchor;
    /* Of a block; -1 for none. */
    int64_t target_before, target_after;
    int64_t query_before, query_after;
    int64_t last;  /* its last anchor, along the target */
    int64_t count; /* its anchors; 0: it was taken away, or is part of another block */
    int64_t next;  /* of an anchor: the block's next one */
} node;

static cli_anchor anchor_of(const cli_place *target, const cli_place *query, int k)
{
    return (cli_anchor){.target = (int64_t)(target->value >> 1) - k + 1,
                        .query = (int64_t)(query->value >> 1) - k + 1,
                        .reverse = ((target->value ^ query->value) & 1) != 0};
}

/* The hashes that both lists have: finds their number if `places` is NULL. */
static size_t join(const cli_minimizers *target, const cli_minimizers *query, cli_place *places)
{
    size_t count = 0;
    for (size_t i = 0, j = 0; i < target->count && j < query->count;) {
        const uint64_t a = target->places[i].key, b = query->places[j].key;
        if (a == b && places != NULL)
            places[count] = (cli_place){target->places[i].value, j};
        count += a == b;
        i += a <= b;
        j += b <= a;
    }
    return count;
}

cli_anchor *cli_anchors_find(const cli_minimizers *target, const cli_minimizers *query,
                             size_t *count)
{
    *count = join(target, query, NULL);
    cli_place *places = *count > 0 ? malloc(*count * sizeof *places) : NULL;
    cli_anchor *anchors = places != NULL ? malloc(*count * sizeof *anchors) : NULL;
    if (anchors != NULL) {
        join(target, query, places);
        cli_places_sort(places, *count);
        for (size_t i = 0; i < *count; i++) {
            const cli_place here = {0, places[i].key};
            anchors[i] = anchor_of(&here, &query->places[places[i].value], target->shape.k);
        }
    }
    free(places);
    return anchors;
}

/* Makes each anchor a block. False if there is no memory. */
static bool link_anchors(node *nodes, const cli_anchor *anchors, size_t count)
{
    cli_place *order = malloc(count * sizeof *order);
    if (order == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        order[i] = (cli_place){(uint64_t)anchors[i].query, i};
        nodes[i] = (node){.anchor = &anchors[i],
                          .target_before = (int64_t)i - 1,
                          .target_after = i + 1 < count ? (int64_t)i + 1 : -1,
                          .query_before = -1,
                          .query_after = -1,
                          .last = (int64_t)i,
                          .count = 1,
                          .next = -1};
    }
    cli_places_sort(order, count);
    for (size_t i = 0; i + 1 < count; i++) {
        nodes[order[i].value].query_after = (int64_t)order[i + 1].value;
        nodes[order[i + 1].value].query_before = (int64_t)order[i].value;
    }
    free(order);
    return true;
}

/* Appends to a block those that follow it in both sequences. */
static void merge(node *nodes, int64_t at)
{
    if (at < 0 || nodes[at].count == 0)
        return;
    node *block = &nodes[at];
    const bool reverse = block->anchor->reverse;
    int64_t after;
    while ((after = block->target_after) >= 0 && nodes[after].anchor->reverse == reverse &&
           (reverse ? block->query_before : block->query_after) == after) {
        node *other = &nodes[after];
        block->target_after = other->target_after;
        if (other->target_after >= 0)
            nodes[other->target_after].target_before = at;
        const int64_t beyond = reverse ? other->query_before : other->query_after;
        *(reverse ? &block->query_before : &block->query_after) = beyond;
        if (beyond >= 0)
            *(reverse ? &nodes[beyond].query_after : &nodes[beyond].query_before) = at;
        nodes[block->last].next = after;
        block->last = other->last;
        block->count += other->count;
        other->count = 0;
    }
}

static void take_away(node *nodes, int64_t at)
{
    node *block = &nodes[at];
    block->count = 0;
    if (block->target_before >= 0)
        nodes[block->target_before].target_after = block->target_after;
    if (block->target_after >= 0)
        nodes[block->target_after].target_before = block->target_before;
    if (block->query_before >= 0)
        nodes[block->query_before].query_after = block->query_after;
    if (block->query_after >= 0)
        nodes[block->query_after].query_before = block->query_before;
    merge(nodes, block->target_before);
    merge(nodes, block->query_before);
    merge(nodes, block->query_after);
}

static cli_block block_of(const node *nodes, int64_t at, int64_t last, int k)
{
    const cli_anchor *a = nodes[at].anchor, *b = nodes[last].anchor;
    const bool reverse = a->reverse;
    return (cli_block){.target_begin = a->target,
                       .target_end = b->target + k,
                       .query_begin = reverse ? b->query : a->query,
                       .query_end = (reverse ? a->query : b->query) + k,
                       .reverse = reverse};
}

static int64_t shorter_side(const cli_block *block)
{
    const int64_t target = block->target_end - block->target_begin;
    const int64_t query = block->query_end - block->query_begin;
    return target < query ? target : query;
}

static bool is_light(const node *nodes, int64_t at, int64_t anchors, int64_t bases, int k)
{
    const cli_block block = block_of(nodes, at, nodes[at].last, k);
    return nodes[at].count < anchors || shorter_side(&block) < bases;
}

/* Takes away all blocks below a weight. */
static void sift(node *nodes, size_t count, int64_t anchors, int64_t bases, int k)
{
    for (size_t i = 0; i < count; i++) {
        if (nodes[i].count > 0 && is_light(nodes, (int64_t)i, anchors, bases, k))
            take_away(nodes, (int64_t)i);
    }
}

/* The lightest first: by the number of anchors, then by length. */
static void eliminate(node *nodes, size_t count, const cli_block_limits *limits)
{
    for (size_t i = 0; i < count; i++)
        merge(nodes, (int64_t)i);
    for (int64_t anchors = 2; anchors < limits->least_anchors; anchors++)
        sift(nodes, count, anchors, 0, limits->k);
    for (int64_t parts = 16; parts > 0; parts /= 2)
        sift(nodes, count, limits->least_anchors, limits->least_bases / parts, limits->k);
}

/* How far an anchor is from the next one of its block. */
static int64_t gap_after(const node *nodes, int64_t at)
{
    const cli_anchor *a = nodes[at].anchor, *b = nodes[nodes[at].next].anchor;
    const int64_t query = a->query < b->query ? b->query - a->query : a->query - b->query;
    return query > b->target - a->target ? query : b->target - a->target;
}

/*
 * The block from the first to the last of its stretches that have anchors enough, each at most
 * `far` from the next one. False if there is none.
 */
static bool trim(const node *nodes, int64_t first, const cli_block_limits *limits, int64_t far,
                 cli_block *block)
{
    int64_t begin = -1, end = -1, stretch = first, since = 0;
    for (int64_t at = first; at >= 0; at = nodes[at].next) {
        since++;
        if (nodes[at].next >= 0 && gap_after(nodes, at) <= far)
            continue;
        if (since >= limits->least_anchors) {
            begin = begin < 0 ? stretch : begin;
            end = at;
        }
        stretch = nodes[at].next;
        since = 0;
    }
    if (begin < 0)
        return false;
    *block = block_of(nodes, begin, end, limits->k);
    block->anchors = nodes[first].count;
    return true;
}

bool cli_blocks_find(const cli_anchor *anchors, size_t count, const cli_block_limits *limits,
                     cli_block **blocks, size_t *block_count)
{
    *blocks = NULL;
    *block_count = 0;
    if (count == 0)
        return true;
    node *nodes = malloc(count * sizeof *nodes);
    if (nodes == NULL || !link_anchors(nodes, anchors, count)) {
        free(nodes);
        return false;
    }
    eliminate(nodes, count, limits);
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += nodes[i].count > 0;
    *blocks = left > 0 ? malloc(left * sizeof **blocks) : NULL;
    for (size_t i = 0; i < count && *blocks != NULL; i++) {
        cli_block *next = &(*blocks)[*block_count];
        if (nodes[i].count > 0)
            *block_count += trim(nodes, (int64_t)i, limits, limits->far, next) ||
                            trim(nodes, (int64_t)i, limits, limits->farthest, next);
    }
    free(nodes);
    return left == 0 || *blocks != NULL;
}
