/* SPDX-License-Identifier: MIT */
/*
 * Extending blocks, see blocks.h. Each end may go on up to its neighbours in both sequences. They
 * come in turn, and what one has taken, the next one cannot.
 */
#include "host/cli/sketch/blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
    MISMATCH = 2,  /* a match is 1 */
    DROP = 24,     /* so far below what was accepted, it is over */
    GAIN = 12,     /* over mismatches, only for so much more: random bases do not have that */
    END_MOST = 500 /* bases at an end that belong to the block before them in any case */
};

char cli_block_base(char base, bool other)
{
    static const char BASES[] = "ACGTUacgtu", CAPITALS[] = "ACGTTACGTT", PARTNERS[] = "TGCAATGCAA";
    const char *found = base != '\0' ? strchr(BASES, base) : NULL;
    return found == NULL ? '\0' : (other ? PARTNERS : CAPITALS)[found - BASES];
}

/* A place of both sequences, and where it goes on in each: 1 or -1. */
typedef struct walk {
    int64_t target, query;
    int target_step, query_step;
} walk;

/* The bases from there on, up to `most`, that match well enough. */
static int64_t matching(const cli_two *two, const walk *from, int64_t most)
{
    const bool other = from->target_step != from->query_step;
    int64_t score = 0, accepted = 0, length = 0;
    bool mismatched = false;
    for (int64_t i = 0; i < most && score > accepted - DROP; i++) {
        const char a = cli_block_base(two->target[from->target + i * from->target_step], false);
        const char b = cli_block_base(two->query[from->query + i * from->query_step], other);
        const bool matches = a != '\0' && a == b;
        score += matches ? 1 : -MISMATCH;
        mismatched = mismatched || !matches;
        if (mismatched && score < accepted + GAIN)
            continue;
        mismatched = false;
        accepted = score;
        length = i + 1;
    }
    return length;
}

/* What a block has beside it: how far it may go on at one of its ends, and whether that is all. */
typedef struct room {
    int64_t target, query;
    bool is_last; /* no other block is on that side, in either sequence */
} room;

/*
 * How many more bases a block gets at an end, in the target and in the query: as many as match or,
 * at the end of both sequences, all.
 */
static room more_bases(const cli_two *two, const walk *from, const room *r)
{
    const int64_t most = r->target < r->query ? r->target : r->query;
    const int64_t length = matching(two, from, most);
    const bool is_near = r->target - length < END_MOST && r->query - length < END_MOST;
    return r->is_last && is_near ? *r : (room){.target = length, .query = length};
}

/* What is before and after each block in the order of the query: numbers of blocks, -1 for none. */
typedef struct order {
    int64_t before, after;
} order;

/* Leaves the room up to what is taken. */
static void bound(const cli_two *two, const cli_ranges *taken, const walk *from, room *r)
{
    const int64_t at[2] = {from->target, from->query};
    const int steps[2] = {from->target_step, from->query_step};
    int64_t *rooms[2] = {&r->target, &r->query};
    for (int i = 0; i < 2 && taken != NULL; i++) {
        const int64_t length = i == 0 ? two->target_length : two->query_length;
        const int64_t most = steps[i] > 0 ? cli_ranges_after(&taken[i], at[i], length) - at[i]
                                          : at[i] + 1 - cli_ranges_before(&taken[i], at[i] + 1);
        if (most < *rooms[i]) {
            *rooms[i] = most;
            r->is_last = false;
        }
    }
}

/* A block's end along the target, or its beginning. */
static void extend(const cli_two *two, const cli_ranges *taken, cli_block *blocks,
                   const order *orders, int64_t at, int64_t count, bool at_end)
{
    cli_block *b = &blocks[at];
    const int64_t beside = at_end ? at + 1 : at - 1;
    const bool has_target = beside >= 0 && beside < count;
    const bool goes_up = at_end != b->reverse; /* in the query */
    const int64_t query_beside = goes_up ? orders[at].after : orders[at].before;
    room r = {.is_last = !has_target && query_beside < 0};
    if (at_end)
        r.target = (has_target ? blocks[beside].target_begin : two->target_length) - b->target_end;
    else
        r.target = b->target_begin - (has_target ? blocks[beside].target_end : 0);
    if (goes_up)
        r.query = (query_beside >= 0 ? blocks[query_beside].query_begin : two->query_length) -
                  b->query_end;
    else
        r.query = b->query_begin - (query_beside >= 0 ? blocks[query_beside].query_end : 0);
    const walk from = {.target = at_end ? b->target_end : b->target_begin - 1,
                       .query = goes_up ? b->query_end : b->query_begin - 1,
                       .target_step = at_end ? 1 : -1,
                       .query_step = goes_up ? 1 : -1};
    bound(two, taken, &from, &r);
    const room more = more_bases(two, &from, &r);
    *(at_end ? &b->target_end : &b->target_begin) += at_end ? more.target : -more.target;
    *(goes_up ? &b->query_end : &b->query_begin) += goes_up ? more.query : -more.query;
}

/* Takes bases off the beginning of a block, along the target or the query. */
static void shorten(cli_block *b, int64_t bases, bool in_query)
{
    const bool target_begins = !in_query || !b->reverse, query_begins = in_query || !b->reverse;
    *(target_begins ? &b->target_begin : &b->target_end) += target_begins ? bases : -bases;
    *(query_begins ? &b->query_begin : &b->query_end) += query_begins ? bases : -bases;
}

static void separate(cli_block *blocks, const order *orders, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        const int64_t overlap = blocks[i].target_end - blocks[i + 1].target_begin;
        if (overlap > 0)
            shorten(&blocks[i + 1], overlap, false);
    }
    for (size_t i = 0; i < count; i++) {
        cli_block *after = orders[i].after >= 0 ? &blocks[orders[i].after] : NULL;
        if (after != NULL && blocks[i].query_end > after->query_begin)
            shorten(after, blocks[i].query_end - after->query_begin, true);
    }
}

/* The orders of blocks, which the caller frees. NULL if there is no memory. */
static order *order_blocks(const cli_block *blocks, size_t count)
{
    cli_key_value *places = malloc((count + 1) * sizeof *places);
    order *orders = places != NULL ? malloc((count + 1) * sizeof *orders) : NULL;
    for (size_t i = 0; i < count && orders != NULL; i++)
        places[i] = (cli_key_value){(uint64_t)blocks[i].query_begin, i};
    if (orders != NULL)
        cli_key_values_sort(places, count);
    for (size_t i = 0; i < count && orders != NULL; i++)
        orders[places[i].value] =
            (order){.before = i > 0 ? (int64_t)places[i - 1].value : -1,
                    .after = i + 1 < count ? (int64_t)places[i + 1].value : -1};
    free(places);
    return orders;
}

bool cli_blocks_separate(cli_block *blocks, size_t count)
{
    order *orders = order_blocks(blocks, count);
    const bool has_memory = orders != NULL;
    if (has_memory)
        separate(blocks, orders, count);
    free(orders);
    return has_memory;
}

bool cli_blocks_extend(const cli_two *two, const cli_ranges *taken, cli_block *blocks, size_t count)
{
    order *orders = order_blocks(blocks, count);
    const bool has_memory = orders != NULL;
    if (has_memory)
        separate(blocks, orders, count);
    for (size_t i = 0; i < count && has_memory; i++) {
        extend(two, taken, blocks, orders, (int64_t)i, (int64_t)count, false);
        extend(two, taken, blocks, orders, (int64_t)i, (int64_t)count, true);
    }
    free(orders);
    return has_memory;
}
