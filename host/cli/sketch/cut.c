/* SPDX-License-Identifier: MIT */
/*
 * Cutting blocks, see cut.h.
 */
#include "host/cli/sketch/cut.h"

#include <stdlib.h>

#include "host/cli/sketch/chain.h"
#include "host/cli/sketch/extend.h"

/* Bases that an anchor of a chain is worth, in diagonals of the way to it. */
enum { ANCHOR_WORTH = 8 };

typedef struct cutter {
    const cli_two *two;
    const cli_relation *relation;
    int64_t every;
    rhomb_guide_point *points; /* room for all anchors */
    cli_block *cut;
    size_t count;
} cutter;

/*
 * The anchors of a block that are in its order: the middle of each, counted from the block's
 * beginning on the query's strand. *count of them. False if there is no memory.
 */
static bool list_points(const cutter *c, const cli_block *block, size_t *count)
{
    const cli_relation *r = c->relation;
    *count = 0;
    for (size_t i = 0; i < r->anchor_count; i++) {
        const cli_anchor *a = &r->anchors[i];
        if (a->reverse != block->reverse || a->target < block->target_begin ||
            a->target + r->k > block->target_end || a->query < block->query_begin ||
            a->query + r->k > block->query_end)
            continue;
        const int64_t query =
            a->reverse ? block->query_end - a->query - r->k : a->query - block->query_begin;
        c->points[(*count)++] =
            (rhomb_guide_point){a->target - block->target_begin + r->k / 2, query + r->k / 2};
    }
    const int64_t end =
        block->query_end - block->query_begin - (block->target_end - block->target_begin);
    return *count == 0 || (cli_chain_keep(c->points, *count, count) &&
                           cli_chain_straighten(c->points, *count, ANCHOR_WORTH, end, count));
}

/* Whether the bases around a point of a block match. */
static bool matches_at(const cutter *c, const cli_block *block, const rhomb_guide_point *point)
{
    const int64_t before = CLI_CUT_BASES / 2;
    if (point->target < before || point->query < before ||
        block->target_begin + point->target + before > block->target_end ||
        point->query + before > block->query_end - block->query_begin)
        return false;
    const char *target = c->two->target + block->target_begin + point->target;
    const char *query = block->reverse ? c->two->query + block->query_end - 1 - point->query
                                       : c->two->query + block->query_begin + point->query;
    for (int64_t i = -before; i < before; i++)
        if (!cli_bases_match(target[i], query[block->reverse ? -i : i], block->reverse))
            return false;
    return true;
}

/* The stretch of a block from one point to another. */
static cli_block stretch(const cli_block *block, rhomb_guide_point from, rhomb_guide_point to)
{
    cli_block s = *block;
    s.target_begin = block->target_begin + from.target;
    s.target_end = block->target_begin + to.target;
    s.query_begin = block->reverse ? block->query_end - to.query : block->query_begin + from.query;
    s.query_end = block->reverse ? block->query_end - from.query : block->query_begin + to.query;
    s.goes_on = s.target_end != block->target_end;
    return s;
}

/* False if there is no memory. */
static bool cut_block(cutter *c, const cli_block *block)
{
    const rhomb_guide_point end = {block->target_end - block->target_begin,
                                   block->query_end - block->query_begin};
    rhomb_guide_point from = {0, 0};
    size_t count = 0;
    const int64_t room = (end.target / c->every + 1) * (int64_t)sizeof *c->cut;
    cli_block *grown = realloc(c->cut, c->count * sizeof *c->cut + (size_t)room);
    if (grown == NULL)
        return false;
    c->cut = grown;
    if (end.target >= 2 * c->every && !list_points(c, block, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const rhomb_guide_point *at = &c->points[i];
        if (at->target - from.target < c->every || end.target - at->target < c->every ||
            !matches_at(c, block, at))
            continue;
        c->cut[c->count++] = stretch(block, from, *at);
        from = *at;
    }
    c->cut[c->count++] = stretch(block, from, end);
    return true;
}

cli_block *cli_blocks_cut(const cli_two *two, const cli_relation *relation, int64_t every,
                          size_t *count)
{
    cutter c = {.two = two, .relation = relation, .every = every};
    c.points = malloc((relation->anchor_count + 1) * sizeof *c.points);
    c.cut = malloc(sizeof *c.cut);
    bool good = c.points != NULL && c.cut != NULL;
    for (size_t i = 0; i < relation->count && good; i++)
        good = cut_block(&c, &relation->blocks[i]);
    free(c.points);
    *count = c.count;
    if (good)
        return c.cut;
    free(c.cut);
    return NULL;
}
