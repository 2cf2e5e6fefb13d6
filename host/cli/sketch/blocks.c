/* SPDX-License-Identifier: MIT */
/*
 * Collinear blocks, see blocks.h. Blocks are in two linked lists, in the order of each sequence.
 * Two blocks become one if they are neighbours in both lists, in the order that their strand asks
 * for, and the gap between them is worth it. Weights grow as blocks do, so which ones are joined in
 * the end is the same in whatever order that is tried.
 */
#include "host/cli/sketch/blocks.h"

#include <stdlib.h>

/*
 * What a base between two blocks that is unlike the other side's costs, where others gain 1. With 2
 * the bacteria of gap.c are 5 blocks of 2.86 Mb, of which 2.44 are alike, instead of 20 of 2.24 and
 * 1.99; and a third of a pair may be replaced within a block, instead of a ninth.
 */
enum { UNLIKE_COST = 4 };

/* Of a block, the share that is alike where it would be if its neighbours went on: a duplicate. */
static const double DUPLICATE = 0.75;

/* Anchors, and blocks of them: a block goes by the number of its first anchor. */
typedef struct node {
    const cli_anchor *anchor;
    /* Of a block; -1 for none. */
    int64_t target_before, target_after;
    int64_t query_before, query_after;
    int64_t last;   /* its last anchor, along the target */
    int64_t count;  /* its anchors; 0: it was taken away, or is part of another block */
    int64_t unlike; /* bases between its anchors */
    int64_t next;   /* of an anchor: the block's next one */
    /* Of an anchor: one that may be its next one, and what is between them. */
    int64_t beside;
    cli_likeness gap;
} node;

/* All blocks, and how they are found. */
typedef struct list {
    node *nodes;
    size_t count;
    const cli_block_limits *limits;
    bool failed; /* out of memory */
} list;

static cli_anchor anchor_of(const cli_key_value *target, const cli_key_value *query, int k)
{
    return (cli_anchor){.target = (int64_t)(target->value >> 1) - k + 1,
                        .query = (int64_t)(query->value >> 1) - k + 1,
                        .reverse = ((target->value ^ query->value) & 1) != 0};
}

/* The hashes that both lists have: finds their number if `places` is NULL. */
static size_t join(const cli_minimizers *target, const cli_minimizers *query, cli_key_value *places)
{
    size_t count = 0;
    for (size_t i = 0, j = 0; i < target->count && j < query->count;) {
        const uint64_t a = target->entries[i].key, b = query->entries[j].key;
        if (a == b && places != NULL)
            places[count] = (cli_key_value){target->entries[i].value, j};
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
    cli_key_value *places = *count > 0 ? malloc(*count * sizeof *places) : NULL;
    cli_anchor *anchors = places != NULL ? malloc(*count * sizeof *anchors) : NULL;
    if (anchors != NULL) {
        join(target, query, places);
        cli_key_values_sort(places, *count);
        for (size_t i = 0; i < *count; i++) {
            const cli_key_value here = {0, places[i].key};
            anchors[i] = anchor_of(&here, &query->entries[places[i].value], target->shape.k);
        }
    }
    free(places);
    return anchors;
}

/* Makes each anchor a block. False if there is no memory. */
static bool link_anchors(node *nodes, const cli_anchor *anchors, size_t count)
{
    cli_key_value *order = malloc(count * sizeof *order);
    if (order == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        order[i] = (cli_key_value){(uint64_t)anchors[i].query, i};
        nodes[i] = (node){.anchor = &anchors[i],
                          .target_before = (int64_t)i - 1,
                          .target_after = i + 1 < count ? (int64_t)i + 1 : -1,
                          .query_before = -1,
                          .query_after = -1,
                          .last = (int64_t)i,
                          .count = 1,
                          .next = -1,
                          .beside = -1};
    }
    cli_key_values_sort(order, count);
    for (size_t i = 0; i + 1 < count; i++) {
        nodes[order[i].value].query_after = (int64_t)order[i + 1].value;
        nodes[order[i + 1].value].query_before = (int64_t)order[i].value;
    }
    free(order);
    return true;
}

static cli_block block_of(const node *nodes, int64_t at, int64_t last, int k)
{
    const cli_anchor *a = nodes[at].anchor, *b = nodes[last].anchor;
    const bool reverse = a->reverse;
    return (cli_block){.target_begin = a->target,
                       .target_end = b->target + k,
                       .query_begin = reverse ? b->query : a->query,
                       .query_end = (reverse ? a->query : b->query) + k,
                       .reverse = reverse,
                       .couple = a->couple};
}

static int64_t shorter_side(const cli_block *block)
{
    const int64_t target = block->target_end - block->target_begin;
    const int64_t query = block->query_end - block->query_begin;
    return target < query ? target : query;
}

static int64_t weight_of(const list *l, int64_t at)
{
    const cli_block block = block_of(l->nodes, at, l->nodes[at].last, l->limits->k);
    return shorter_side(&block) - l->nodes[at].unlike;
}

/* What is between an anchor and another one that may follow it in a block. */
static cli_block gap_of(const list *l, int64_t at, int64_t after)
{
    const cli_anchor *a = l->nodes[at].anchor, *b = l->nodes[after].anchor;
    const cli_anchor *first = a->reverse ? b : a, *second = a->reverse ? a : b; /* in the query */
    return (cli_block){.target_begin = a->target + l->limits->k,
                       .target_end = b->target,
                       .query_begin = first->query + l->limits->k,
                       .query_end = second->query,
                       .reverse = a->reverse};
}

static bool is_taken(const list *l, const cli_block *gap)
{
    const cli_ranges *taken = l->limits->taken;
    return taken != NULL && (cli_ranges_meet(&taken[0], gap->target_begin, gap->target_end) ||
                             cli_ranges_meet(&taken[1], gap->query_begin, gap->query_end));
}

static void look_between(list *l, int64_t at, int64_t after)
{
    node *here = &l->nodes[at];
    const cli_block gap = gap_of(l, at, after);
    if (here->beside == after)
        return;
    here->beside = after;
    here->gap = (cli_likeness){0, 0};
    if (is_taken(l, &gap))
        here->gap.unlike = INT64_MAX / (2 * UNLIKE_COST);
    else if (l->limits->look != NULL && shorter_side(&gap) > l->limits->near &&
             !l->limits->look(&gap, l->limits->user, &here->gap))
        l->failed = true;
}

/* Whether a block and the one that follows it in both sequences are one. */
static bool are_one(list *l, int64_t at, int64_t after)
{
    const int64_t last = l->nodes[at].last;
    look_between(l, last, after);
    const cli_likeness *gap = &l->nodes[last].gap;
    const int64_t cost = UNLIKE_COST * gap->unlike - gap->alike;
    return !l->failed && (cost <= 0 || (cost <= weight_of(l, at) && cost <= weight_of(l, after)));
}

/* Appends to a block those that follow it in both sequences. True if there are any. */
static bool merge(list *l, int64_t at)
{
    node *nodes = l->nodes;
    if (at < 0 || nodes[at].count == 0)
        return false;
    node *block = &nodes[at];
    const bool reverse = block->anchor->reverse;
    const int64_t had = block->count;
    int64_t after;
    while ((after = block->target_after) >= 0 && nodes[after].anchor->reverse == reverse &&
           nodes[after].anchor->couple == block->anchor->couple &&
           (reverse ? block->query_before : block->query_after) == after && are_one(l, at, after)) {
        node *other = &nodes[after];
        block->target_after = other->target_after;
        if (other->target_after >= 0)
            nodes[other->target_after].target_before = at;
        const int64_t beyond = reverse ? other->query_before : other->query_after;
        *(reverse ? &block->query_before : &block->query_after) = beyond;
        if (beyond >= 0)
            *(reverse ? &nodes[beyond].query_after : &nodes[beyond].query_before) = at;
        block->unlike += nodes[block->last].gap.unlike + other->unlike;
        nodes[block->last].next = after;
        block->last = other->last;
        block->count += other->count;
        other->count = 0;
    }
    return block->count > had;
}

/* As far as it goes: what is too light to be joined may grow by its next blocks. */
static void merge_all(list *l)
{
    bool merged = true;
    while (merged && !l->failed) {
        merged = false;
        for (size_t i = 0; i < l->count && !l->failed; i++)
            merged = merge(l, (int64_t)i) || merged;
    }
}

static void take_away(list *l, int64_t at)
{
    node *nodes = l->nodes;
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
    merge(l, block->target_before);
    merge(l, block->query_before);
    merge(l, block->query_after);
}

static const cli_couple_limits *couple_of(const list *l, int64_t at)
{
    return &l->limits->couples[l->nodes[at].anchor->couple];
}

static bool is_light(const list *l, int64_t at, int64_t anchors, int64_t parts)
{
    return l->nodes[at].count < anchors || weight_of(l, at) < couple_of(l, at)->least_bases / parts;
}

/* Takes away all blocks of fewer anchors, or below one of so many parts of the least bases. */
static void sift(list *l, int64_t anchors, int64_t parts)
{
    for (size_t i = 0; i < l->count && !l->failed; i++) {
        if (l->nodes[i].count > 0 && is_light(l, (int64_t)i, anchors, parts))
            take_away(l, (int64_t)i);
    }
    merge_all(l);
}

/* The lightest first: by the number of anchors, then by length. */
static void eliminate(list *l)
{
    const cli_block_limits *limits = l->limits;
    merge_all(l);
    for (int64_t anchors = 2; anchors < limits->least_anchors; anchors++)
        sift(l, anchors, INT64_MAX);
    for (int64_t parts = 16; parts > 0; parts /= 2)
        sift(l, limits->least_anchors, parts);
}

/* The block before or after another one in a sequence; -1 is none, at an end of its record. */
static int64_t neighbour(const list *l, int64_t at, bool in_query, bool after)
{
    const node *block = &l->nodes[at];
    const int64_t beside = in_query ? (after ? block->query_after : block->query_before)
                                    : (after ? block->target_after : block->target_before);
    if (beside < 0)
        return -1;
    const cli_couple_limits *own = couple_of(l, at), *other = couple_of(l, beside);
    const bool is_same = in_query ? own->query_begin == other->query_begin
                                  : own->target_begin == other->target_begin;
    return is_same ? beside : -1;
}

/* Whether one block follows the other in a sequence if a third were away. */
static bool follows(const list *l, int64_t first, int64_t second, int64_t without, bool in_query)
{
    const bool forward = first >= 0;
    const int64_t from = forward ? first : second, to = forward ? second : first;
    const int64_t beside = neighbour(l, from, in_query, forward);
    return to == (beside == without ? neighbour(l, without, in_query, forward) : beside);
}

/* What is between two blocks on a strand, or between one and an end of both: -1 is none. */
static cli_block gap_around(const list *l, int64_t before, int64_t after)
{
    const int k = l->limits->k;
    if (before >= 0 && after >= 0)
        return gap_of(l, l->nodes[before].last, after);
    const cli_couple_limits *couple = couple_of(l, before >= 0 ? before : after);
    cli_block gap = {.target_begin = couple->target_begin,
                     .target_end = couple->target_end,
                     .query_begin = couple->query_begin,
                     .query_end = couple->query_end};
    if (before >= 0) {
        const cli_anchor *last = l->nodes[l->nodes[before].last].anchor;
        gap.target_begin = last->target + k;
        gap.query_begin = last->query + k;
    } else {
        gap.target_end = l->nodes[after].anchor->target;
        gap.query_end = l->nodes[after].anchor->query;
    }
    return gap;
}

/*
 * Whether so much of a gap is alike, and what is not may be part of a block of that weight. Half is
 * enough where hardly anything is unlike: repeats say nothing.
 */
static bool is_alike(list *l, const cli_block *gap, int64_t needed, int64_t weight)
{
    cli_likeness found = {0, 0};
    if (shorter_side(gap) < needed)
        return false;
    l->failed = l->failed || !l->limits->look(gap, l->limits->user, &found);
    return !l->failed && UNLIKE_COST * found.unlike <= found.alike + weight &&
           (found.alike >= needed ||
            (2 * found.alike >= needed && UNLIKE_COST * found.unlike <= found.alike));
}

/* With the target for the query. */
static cli_block exchanged(const cli_block *block)
{
    cli_block other = *block;
    other.target_begin = block->query_begin;
    other.target_end = block->query_end;
    other.query_begin = block->target_begin;
    other.query_end = block->target_end;
    return other;
}

/*
 * Whether a block's neighbours in a sequence would be one block without it, or one of them would go
 * on to the ends, and the block's own bases there would be alike to what the other sequence has
 * between them: its copy. Beside the block itself, where that is between them on the other strand.
 * What else is between them says nothing: repeats have no anchors either, and are alike.
 */
static bool has_copy(list *l, int64_t at, int64_t before, int64_t after, bool in_query)
{
    const int64_t k = l->limits->k, needed = (int64_t)(DUPLICATE * (double)weight_of(l, at));
    const int64_t some = before >= 0 ? before : after, other = after >= 0 ? after : before;
    if (some < 0)
        return false;
    const bool reverse = l->nodes[some].anchor->reverse;
    /* The ends of both are forward of each other. */
    if (l->nodes[other].anchor->reverse != reverse ||
        l->nodes[other].anchor->couple != l->nodes[some].anchor->couple ||
        (reverse && (before < 0 || after < 0)) || !follows(l, before, after, at, false) ||
        !follows(l, reverse ? after : before, reverse ? before : after, at, true))
        return false;
    const int64_t first_weight = weight_of(l, some), second_weight = weight_of(l, other);
    const int64_t weight = first_weight < second_weight ? first_weight : second_weight;
    const cli_block found = block_of(l->nodes, at, l->nodes[at].last, l->limits->k);
    const cli_block around = gap_around(l, before, after);
    /* Below the target is the sequence in which they are neighbours. */
    const cli_block own = in_query ? exchanged(&found) : found;
    cli_block first = in_query ? exchanged(&around) : around;
    first.target_begin = own.target_begin;
    first.target_end = own.target_end;
    cli_block second = first;
    const bool is_between =
        own.query_begin >= first.query_begin - k && own.query_end <= first.query_end + k;
    if (is_between) {
        first.query_end = own.query_begin;
        second.query_begin = own.query_end;
    }
    if (in_query) {
        first = exchanged(&first);
        second = exchanged(&second);
    }
    if (!is_between)
        return is_alike(l, &first, needed, weight);
    return own.reverse != reverse &&
           (is_alike(l, &first, needed, weight) || is_alike(l, &second, needed, weight));
}

static bool is_duplicate(list *l, int64_t at)
{
    const int64_t first = neighbour(l, at, true, false), second = neighbour(l, at, true, true);
    const bool reverse = first >= 0 && l->nodes[first].anchor->reverse;
    return has_copy(l, at, neighbour(l, at, false, false), neighbour(l, at, false, true), false) ||
           has_copy(l, at, reverse ? second : first, reverse ? first : second, true);
}

/*
 * Takes away blocks of which the other side has a second copy that is in order, the lightest first.
 * Where two copies of a piece have had edits since, each is the only one that has some of its
 * k-mers, and blocks of the piece lead to one copy and the other by turns.
 */
static bool leave_out_duplicates(list *l)
{
    cli_key_value *order = malloc(l->count * sizeof *order);
    bool taken = order != NULL && l->limits->look != NULL;
    while (taken && !l->failed) {
        size_t count = 0;
        for (size_t i = 0; i < l->count; i++) {
            if (l->nodes[i].count > 0)
                order[count++] = (cli_key_value){(uint64_t)weight_of(l, (int64_t)i), i};
        }
        cli_key_values_sort(order, count);
        taken = false;
        for (size_t i = 0; i < count && count > 1 && !l->failed; i++) {
            const int64_t at = (int64_t)order[i].value;
            if (l->nodes[at].count > 0 && is_duplicate(l, at)) {
                take_away(l, at);
                taken = true;
            }
        }
    }
    free(order);
    return order != NULL && !l->failed;
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
    block->bases = shorter_side(block);
    for (int64_t at = begin; at != end; at = nodes[at].next)
        block->bases -= nodes[at].gap.unlike;
    return true;
}

/* All blocks that there are, trimmed. False if there is no memory. */
static bool list_blocks(const list *l, cli_block **blocks, size_t *block_count)
{
    const cli_block_limits *limits = l->limits;
    const node *nodes = l->nodes;
    size_t left = 0;
    for (size_t i = 0; i < l->count; i++)
        left += nodes[i].count > 0;
    *blocks = left > 0 ? malloc(left * sizeof **blocks) : NULL;
    for (size_t i = 0; i < l->count && *blocks != NULL; i++) {
        cli_block *next = &(*blocks)[*block_count];
        if (nodes[i].count > 0)
            *block_count += trim(nodes, (int64_t)i, limits, limits->far, next) ||
                            trim(nodes, (int64_t)i, limits, limits->farthest, next);
    }
    return left == 0 || *blocks != NULL;
}

bool cli_blocks_find(const cli_anchor *anchors, size_t count, const cli_block_limits *limits,
                     cli_block **blocks, size_t *block_count)
{
    *blocks = NULL;
    *block_count = 0;
    if (count == 0)
        return true;
    list l = {.nodes = malloc(count * sizeof *l.nodes), .count = count, .limits = limits};
    l.failed = l.nodes == NULL || !link_anchors(l.nodes, anchors, count);
    if (!l.failed) {
        eliminate(&l);
        l.failed = l.failed || !leave_out_duplicates(&l);
    }
    if (!l.failed)
        l.failed = !list_blocks(&l, blocks, block_count);
    free(l.nodes);
    return !l.failed;
}

int64_t cli_blocks_bases(const cli_block *blocks, size_t count)
{
    int64_t bases = 0;
    for (size_t i = 0; i < count; i++)
        bases += blocks[i].target_end - blocks[i].target_begin + blocks[i].query_end -
                 blocks[i].query_begin;
    return bases;
}
