/* SPDX-License-Identifier: MIT */
/* Cutting a pair at points of a guide, see guide_pieces.h. */
#include "src/planner/guide_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/int64.h"

/* The shortest piece, in either sequence: as many rows as a short strip has. */
#define LEAST_PIECE 4096

/*
 * Diagonals on either side of those between a piece's ends: a share of its length, but no more than
 * strips cover anyway, and no fewer than indels in it are likely to need.
 */
#define BESIDE_SHARE 16
#define LEAST_BESIDE 512
#define MOST_BESIDE  4096

/* Device memory for pieces at a time. */
#define LEAST_BYTES (INT64_C(1) << 20)
#define MOST_BYTES  (INT64_C(48) << 20)
#define SPARE_BYTES (INT64_C(8) << 20) /* of eight buffers, a mebibyte each at most */

rhomb_status rhomb__guide_check(rhomb__error *error, const rhomb_guide *guide, int64_t n, int64_t m)
{
    if (guide->count < 0 || (guide->count > 0 && guide->points == NULL))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "a guide without points");
    for (int64_t i = 0; i < guide->count; i++) {
        const rhomb_guide_point *here = &guide->points[i];
        const bool grows =
            i == 0 || (here->target > here[-1].target && here->query > here[-1].query);
        if (here->target < 0 || here->target >= n || here->query < 0 || here->query >= m || !grows)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                               "point %lld of the guide (%lld, %lld) is not within %lld and %lld "
                               "bases, or not after the one before",
                               (long long)i, (long long)here->target, (long long)here->query,
                               (long long)n, (long long)m);
    }
    return RHOMB_OK;
}

bool rhomb__guide_pays(const rhomb__costs *costs, int64_t n, int64_t m, int64_t bound)
{
    return rhomb__min(n, m) >= RHOMB_GUIDE_LEAST &&
           rhomb__costs_beside(costs, n - m, bound) > MOST_BESIDE;
}

static int64_t beside_of(int64_t longer)
{
    return rhomb__min(rhomb__max(longer / BESIDE_SHARE, LEAST_BESIDE), MOST_BESIDE);
}

static int64_t least_piece(int64_t longer)
{
    return rhomb__max(longer / RHOMB__GUIDE_PIECES + 1, LEAST_PIECE);
}

int64_t rhomb__guide_beside(int64_t longer)
{
    return beside_of(least_piece(longer));
}

/* The piece between two corners. */
static rhomb_subproblem piece_of(const rhomb__costs *costs, rhomb_guide_point from,
                                 rhomb_guide_point to)
{
    rhomb_subproblem piece = {
        .pair = {from.target, to.target - from.target, from.query, to.query - from.query, 0}};
    const int64_t n = piece.pair.target_length, m = piece.pair.query_length;
    const int64_t beside = beside_of(rhomb__max(n, m));
    piece.pair.distance =
        rhomb__min(rhomb__costs_bound(costs, n - m, beside), rhomb__costs_most(costs, n, m));
    return piece;
}

int64_t rhomb__guide_cut(const rhomb__costs *costs, const rhomb_guide *guide, int64_t n, int64_t m,
                         rhomb_subproblem *pieces)
{
    const int64_t least = least_piece(rhomb__max(n, m));
    const rhomb_guide_point end = {n, m};
    rhomb_guide_point from = {0, 0};
    int64_t count = 0;
    if (rhomb__min(n, m) < RHOMB_GUIDE_LEAST)
        return 0;
    for (int64_t i = 0; i < guide->count; i++) {
        const rhomb_guide_point at = guide->points[i];
        if (rhomb__min(at.target - from.target, at.query - from.query) < least ||
            rhomb__min(end.target - at.target, end.query - at.query) < least)
            continue;
        pieces[count++] = piece_of(costs, from, at);
        from = at;
    }
    pieces[count++] = piece_of(costs, from, end);
    return count > 1 ? count : 0;
}

/*
 * Stretches without a point that are so many times as long as the mean one have been replaced: they
 * are as random sequences, which have about RANDOM edits per base.
 */
#define REPLACED 16
#define RANDOM   0.52

/* Where one symbol is repeated so often, as N between contigs, nobody finds points. */
#define RUN     32
#define SAMPLES 64

/* About how many of these bases are in such runs, by samples. */
static int64_t run_bases(const char *bases, int64_t length)
{
    const int64_t step = length / SAMPLES;
    int64_t runs = 0;
    if (step < RUN)
        return 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const char *at = bases + i * step;
        runs += memcmp(at, at + 1, RUN - 1) == 0;
    }
    return length / SAMPLES * runs;
}

/* What a stretch costs besides the divergence: the other diagonal, and what was replaced. */
static double stretch_cost(const rhomb__costs *costs, const rhomb__guided_pair *pair,
                           rhomb_guide_point from, rhomb_guide_point to, double edit, double least)
{
    const int64_t n = to.target - from.target, m = to.query - from.query;
    const int64_t gap = llabs(n - m);
    double replaced = 0;
    if ((double)rhomb__min(n, m) > least) {
        const int64_t target = n - run_bases(pair->target + from.target, n);
        const int64_t query = m - run_bases(pair->query + from.query, m);
        /* Where only one of them has a run, nothing matches. */
        const int64_t unlike = rhomb__max(llabs(target - query) - gap, 0);
        replaced = RANDOM * edit * (double)rhomb__min(target, query) + edit * (double)unlike;
    }
    return replaced + (double)rhomb__costs_gap(costs, gap);
}

int64_t rhomb__guide_expected(const rhomb__costs *costs, const rhomb_guide *guide,
                              const rhomb__guided_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    const rhomb_guide_point end = {n, m};
    const double edit = ((double)costs->mismatch + 2 * (double)rhomb__costs_gap(costs, 1)) / 3;
    const double least = REPLACED * (double)rhomb__max(n, m) / (double)(guide->count + 1);
    double expected = guide->divergence * (double)rhomb__min(n, m) * edit;
    rhomb_guide_point from = {0, 0};
    if (guide->divergence < 0)
        return -1;
    for (int64_t i = 0; i < guide->count; i++) {
        expected += stretch_cost(costs, pair, from, guide->points[i], edit, least);
        from = guide->points[i];
    }
    expected += stretch_cost(costs, pair, from, end, edit, least);
    /* False points lie on wrong diagonals, and add up to more than random sequences cost. */
    const double random =
        RANDOM * edit * (double)rhomb__min(n, m) + (double)rhomb__costs_gap(costs, llabs(n - m));
    const int64_t most = rhomb__costs_most(costs, n, m);
    expected = expected < random ? expected : random;
    return expected < (double)most ? (int64_t)expected : most;
}

int64_t rhomb__guide_bytes(int64_t n, int64_t m)
{
    return rhomb__min(MOST_BYTES, rhomb__max(4 * (n + m), LEAST_BYTES));
}

int64_t rhomb__guide_most_bytes(int64_t n, int64_t m)
{
    const int64_t bytes = rhomb__guide_bytes(n, m);
    return bytes + rhomb__min(bytes / 2, SPARE_BYTES);
}
