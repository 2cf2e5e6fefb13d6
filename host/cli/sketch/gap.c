/* SPDX-License-Identifier: MIT */
/*
 * Gaps, see blocks.h. Long ones are looked at by a part of their k-mers, the same ones on both
 * sides: those whose hash is a multiple of some number.
 */
#include "host/cli/sketch/blocks.h"

#include <math.h>

#include "host/cli/sketch/relation.h"

enum {
    KMER_LEAST = 11,
    ROOM = 16,            /* k-mers that there are, for each base: most of a gap's are unique */
    KMERS_MOST = 1 << 16, /* of a side that are kept */
    END_BASES = 1 << 11,  /* next to either block, of a gap of which not all is looked at */
    BIN_KMERS = 16,       /* of a stretch that is alike or not, at 30 % of edits; */
    ALIKE_KMERS = 4,      /* so many are enough, .. */
    ALIKE_CHANCE = 4      /* .. or so many times what is there by chance, if that is more */
};

/*
 * With ALIKE_KMERS of 8, two bacteria of 3.1 Mb that have few k-mers in common but the same order
 * of genes (C. efficiens, C. glutamicum) are 36 blocks of 1.50 Mb that are alike, with 4 they are
 * 20 of 1.99 Mb; less comes near what is there by chance, one a stretch at 50 % GC and three at 25
 * %.
 */
static const double IDENTITY = 0.7;

/* All k-mers, or some, of gaps whose sides have up to so many bases. */
static cli_minimizer_shape shape_of(int64_t longer)
{
    cli_minimizer_shape shape = {
        .k = KMER_LEAST, .w = 1, .share = 1, .one_in = (int)(longer / KMERS_MOST) + 1};
    while (shape.k < CLI_MINIMIZER_BASES_MOST && (INT64_C(1) << 2 * shape.k) / ROOM < longer)
        shape.k++;
    return shape;
}

/* Lists the k-mers of both sides. */
static bool list(const cli_two *two, const cli_block *gap, int threads, cli_minimizers lists[2])
{
    const int64_t n = gap->target_end - gap->target_begin;
    const int64_t m = gap->query_end - gap->query_begin;
    const int64_t rest = two->query_length - gap->query_begin;
    if (!cli_minimizers_add(&lists[0], two->target + gap->target_begin, n, threads) ||
        !cli_minimizers_add(&lists[1], two->query + gap->query_begin, m < rest ? m : rest,
                            threads) ||
        (rest < m && !cli_minimizers_add(&lists[1], two->query, m - rest, threads)))
        return false;
    cli_minimizers_finish(&lists[0]);
    cli_minimizers_finish(&lists[1]);
    return true;
}

/* The points of a chain, in the order of the target; places of the query fall if it is reverse. */
typedef struct chain {
    rhomb_guide_point *points;
    size_t count;
} chain;

/*
 * The longest chain of those k-mers that both have on a strand; if it leads the `other` way, there
 * are only points that are there by chance. False if there is no memory.
 */
static bool find_chain(const cli_anchor *anchors, size_t count, bool reverse, bool other, chain *c)
{
    size_t used = 0;
    c->points = malloc((count + 1) * sizeof *c->points);
    for (size_t i = 0; c->points != NULL && i < count; i++) {
        const int64_t query = anchors[i].query;
        if (anchors[i].reverse == reverse)
            c->points[used++] =
                (rhomb_guide_point){anchors[i].target, reverse != other ? -query : query};
    }
    return c->points != NULL && cli_chain_keep(c->points, used, &c->count);
}

/*
 * The bases of a side, the target's or the query's, in stretches where the chain has enough points;
 * so many are there by chance.
 */
static int64_t alike(const chain *c, size_t chance, int64_t length, bool in_target,
                     const cli_minimizer_shape *shape)
{
    const double density = pow(IDENTITY, shape->k) / shape->one_in;
    const int64_t bins = (int64_t)((double)length * density / BIN_KMERS) + 1;
    const double width = (double)length / (double)bins;
    const double random = ALIKE_CHANCE * (double)chance / (double)bins;
    const double needed = random > ALIKE_KMERS ? random : ALIKE_KMERS;
    int64_t alike_bins = 0, bin = -1, points = 0;
    for (size_t i = 0; i < c->count; i++) {
        const int64_t at = in_target ? c->points[i].target : llabs(c->points[i].query);
        const int64_t here = (int64_t)((double)at / width);
        const int64_t before = here == bin ? points : 0;
        bin = here;
        points = before + 1;
        alike_bins += (double)before < needed && (double)points >= needed;
    }
    return (int64_t)((double)alike_bins * width);
}

static bool look_at_all(const cli_two *two, const cli_block *gap, int threads, cli_likeness *found)
{
    const int64_t n = gap->target_end - gap->target_begin, m = gap->query_end - gap->query_begin;
    const cli_minimizer_shape shape = shape_of(n > m ? n : m);
    cli_minimizers lists[2] = {{.shape = shape}, {.shape = shape}};
    chain along = {NULL, 0}, other = {NULL, 0};
    cli_anchor *anchors = NULL;
    size_t count = 0;
    bool good = list(two, gap, threads, lists);
    if (good)
        anchors = cli_anchors_find(&lists[0], &lists[1], &count);
    good = good && (anchors != NULL || count == 0) &&
           find_chain(anchors, count, gap->reverse, false, &along) &&
           find_chain(anchors, count, gap->reverse, true, &other);
    if (good) {
        const bool in_target = lists[0].count < lists[1].count;
        const int64_t says = (int64_t)lists[in_target ? 0 : 1].count * shape.one_in;
        const int64_t bases = alike(&along, other.count, in_target ? n : m, in_target, &shape);
        found->alike = bases < says ? bases : says;
        found->unlike = says - found->alike;
    }
    free(along.points);
    free(other.points);
    free(anchors);
    cli_minimizers_release(&lists[0]);
    cli_minimizers_release(&lists[1]);
    return good;
}

/* END_BASES of both sides next to the block before the gap, or to the one after. */
static cli_block end_of(const cli_two *two, const cli_block *gap, bool first)
{
    const bool first_of_query = first != gap->reverse;
    cli_block end = *gap;
    end.target_begin = first ? gap->target_begin : gap->target_end - END_BASES;
    end.target_end = end.target_begin + END_BASES;
    end.query_begin = first_of_query ? gap->query_begin : gap->query_end - END_BASES;
    end.query_begin -= end.query_begin >= two->query_length ? two->query_length : 0;
    end.query_end = end.query_begin + END_BASES;
    return end;
}

static bool is_alike(const cli_likeness *l)
{
    return l->alike > l->unlike;
}

bool cli_gap_look(const cli_two *two, const cli_block *gap, bool whole, int threads,
                  cli_likeness *found)
{
    const int64_t n = gap->target_end - gap->target_begin, m = gap->query_end - gap->query_begin;
    const int64_t shorter = n < m ? n : m;
    cli_likeness ends[2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2 && !whole; i++) {
        const cli_block end = end_of(two, gap, i == 0);
        whole = shorter <= 2 * END_BASES;
        if (!whole && !look_at_all(two, &end, threads, &ends[i]))
            return false;
    }
    if (whole || is_alike(&ends[0]) != is_alike(&ends[1]))
        return look_at_all(two, gap, threads, found);
    found->alike = (ends[0].alike + ends[1].alike) * shorter / (2 * END_BASES);
    found->unlike = (ends[0].unlike + ends[1].unlike) * shorter / (2 * END_BASES);
    return true;
}
