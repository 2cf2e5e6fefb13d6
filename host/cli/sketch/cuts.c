/* SPDX-License-Identifier: MIT */
/* Cutting blocks, see relation.h. */
#include "host/cli/sketch/relation.h"

#include "host/cli/base/cli.h"
#include "host/cli/sketch/blocks.h"

enum {
    EXACT = 100,   /* bases of a match in whose middle is a cut: 1 in 170 bases at 95 % identity */
    DIAGONALS = 8, /* that the next anchors of the chain may be off on either side, and ... */
    BESIDE = 1000, /* ... bases that they may be away */
    QUIET = 50000, /* bases of a segment without a long gap */
    UNALIKE = 500  /* bases between two anchors, or diagonals, that are worth a segment */
};

/* The segments so far. */
typedef struct segments {
    cli_block *list;
    size_t count;
} segments;

static bool add(segments *p, const cli_block *block)
{
    cli_block *grown = cli_list_grown(p->list, p->count, sizeof *grown);
    if (grown == NULL)
        return false;
    p->list = grown;
    p->list[p->count++] = *block;
    return true;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Anchors of a block, counted from its beginning and on its strand: *count of them. */
static rhomb_guide_point *points_of(const cli_relation *r, const cli_block *b, size_t *count)
{
    rhomb_guide_point *points = malloc((r->anchor_count + 1) * sizeof *points);
    *count = 0;
    for (size_t i = 0; points != NULL && i < r->anchor_count; i++) {
        const cli_anchor *a = &r->anchors[i];
        if (a->reverse == b->reverse && a->target >= b->target_begin &&
            a->target + r->k <= b->target_end && a->query >= b->query_begin &&
            a->query + r->k <= b->query_end)
            points[(*count)++] = (rhomb_guide_point){a->target - b->target_begin,
                                                     b->reverse ? b->query_end - r->k - a->query
                                                                : a->query - b->query_begin};
    }
    return points;
}

/* Whether the bases around a point are an exact match. */
static bool is_exact(const cli_two *two, const cli_block *b, rhomb_guide_point at)
{
    const int64_t n = b->target_end - b->target_begin, m = b->query_end - b->query_begin;
    if (at.target < EXACT / 2 || at.query < EXACT / 2 || at.target + EXACT / 2 > n ||
        at.query + EXACT / 2 > m)
        return false;
    for (int64_t i = -EXACT / 2; i < EXACT / 2; i++) {
        const int64_t q = at.query + i;
        const char base = cli_block_base(
            two->query[b->reverse ? b->query_end - 1 - q : b->query_begin + q], b->reverse);
        if (base == '\0' ||
            base != cli_block_base(two->target[b->target_begin + at.target + i], false))
            return false;
    }
    return true;
}

/* Bases of the longer side between two points, and how far their diagonals are apart. */
static int64_t apart(rhomb_guide_point a, rhomb_guide_point b)
{
    return larger(b.target - a.target, b.query - a.query);
}

static int64_t turned(rhomb_guide_point a, rhomb_guide_point b)
{
    return llabs((b.target - a.target) - (b.query - a.query));
}

/* Leaves the points at which the block may be cut, in the middle of their anchors. */
static size_t keep_exact(const cli_two *two, const cli_relation *r, const cli_block *b,
                         rhomb_guide_point *points, size_t count)
{
    size_t kept = 0;
    rhomb_guide_point before = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const rhomb_guide_point at = points[i];
        const bool joins = i > 0 && apart(before, at) < BESIDE && turned(before, at) < DIAGONALS;
        const bool goes_on = i + 1 < count && apart(at, points[i + 1]) < BESIDE &&
                             turned(at, points[i + 1]) < DIAGONALS;
        const rhomb_guide_point middle = {at.target + r->k / 2, at.query + r->k / 2};
        before = at;
        if ((joins || goes_on) && is_exact(two, b, middle))
            points[kept++] = middle;
    }
    return kept;
}

/* Cuts a block off at a point; what is left of it remains, and the points of that count anew. */
static bool cut_off(segments *out, cli_block *rest, const cli_block *whole, rhomb_guide_point at)
{
    cli_block segment = *rest;
    segment.goes_on = true;
    segment.target_end = rest->target_begin = whole->target_begin + at.target;
    if (whole->reverse)
        segment.query_begin = rest->query_end = whole->query_end - at.query;
    else
        segment.query_end = rest->query_begin = whole->query_begin + at.query;
    /* About in proportion: they only tell how much is alike. */
    const double share = (double)(segment.target_end - segment.target_begin) /
                         (double)(whole->target_end - whole->target_begin);
    segment.bases = (int64_t)(share * (double)whole->bases);
    rest->bases -= segment.bases;
    return add(out, &segment);
}

static bool cut(const cli_two *two, const cli_relation *r, const cli_block *whole, segments *out)
{
    size_t count;
    rhomb_guide_point *points = points_of(r, whole, &count), last = {0, 0};
    cli_block rest = *whole;
    bool good = points != NULL && cli_chain_keep(points, count, &count);
    count = good ? keep_exact(two, r, whole, points, count) : 0;
    for (size_t i = 0; i < count && good; i++) {
        const rhomb_guide_point at = points[i], next = points[i + 1 < count ? i + 1 : i];
        const bool begins = apart(at, next) >= UNALIKE;
        const bool ends = i > 0 && apart(points[i - 1], at) >= UNALIKE;
        if (apart(last, at) < EXACT || (!begins && !ends && apart(last, at) < QUIET))
            continue;
        good = cut_off(out, &rest, whole, at);
        last = at;
    }
    free(points);
    return good && add(out, &rest);
}

bool cli_blocks_cut(const cli_two *two, cli_relation *relation)
{
    segments out = {NULL, 0};
    bool good = true;
    for (size_t i = 0; i < relation->count && good; i++)
        good = cut(two, relation, &relation->blocks[i], &out);
    if (!good) {
        free(out.list);
        return false;
    }
    free(relation->blocks);
    relation->blocks = out.list;
    relation->count = out.count;
    return true;
}
