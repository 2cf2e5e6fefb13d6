/* SPDX-License-Identifier: MIT */
/* Cutting a pair at points of a guide, see guide_segments.h. */
#include "src/planner/guide_segments.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/int64.h"

/* The shortest segment, in either sequence: as many rows as a short strip has. */
#define LEAST_PIECE 4096

/*
 * Diagonals on either side of those between a segment's ends: a share of its length, but no more
 * than strips cover anyway, and no fewer than indels in it are likely to need.
 */
#define BESIDE_SHARE    16
#define LEAST_BESIDE    512
#define MOST_HALF_WIDTH 4096

/* Device memory for segments at a time. */
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
           rhomb__costs_half_width(costs, n - m, bound) > MOST_HALF_WIDTH;
}

static int64_t half_width_of(int64_t longer)
{
    return rhomb__min(rhomb__max(longer / BESIDE_SHARE, LEAST_BESIDE), MOST_HALF_WIDTH);
}

static int64_t least_segment(int64_t longer)
{
    return rhomb__max(longer / RHOMB__GUIDE_SEGMENTS + 1, LEAST_PIECE);
}

int64_t rhomb__guide_half_width(int64_t longer)
{
    return half_width_of(least_segment(longer));
}

/* The segment between two corners. */
static rhomb_subproblem segment_of(const rhomb__costs *costs, rhomb_guide_point from,
                                   rhomb_guide_point to)
{
    rhomb_subproblem segment = {
        .pair = {from.target, to.target - from.target, from.query, to.query - from.query, 0}};
    const int64_t n = segment.pair.target_length, m = segment.pair.query_length;
    const int64_t half_width = half_width_of(rhomb__max(n, m));
    segment.pair.distance =
        rhomb__min(rhomb__costs_bound(costs, n - m, half_width), rhomb__costs_most(costs, n, m));
    return segment;
}

int64_t rhomb__guide_cut(const rhomb__costs *costs, const rhomb_guide *guide, int64_t n, int64_t m,
                         rhomb_subproblem *segments)
{
    const int64_t least = least_segment(rhomb__max(n, m));
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
        segments[count++] = segment_of(costs, from, at);
        from = at;
    }
    segments[count++] = segment_of(costs, from, end);
    return count > 1 ? count : 0;
}

/*
 * Stretches without a point that are so many times as long as the mean one have been replaced: they
 * are as random sequences.
 */
#define REPLACED 16

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

/* Bases that are the same in both by chance less often than once in SAMPLES times. */
#define WORD 12

/*
 * Where both repeat something, nobody finds points either: the share of a segment's bases that
 * are the same on the diagonal where it begins, or where it ends, by samples.
 */
static double alike_share(const rhomb__guided_pair *pair, rhomb_guide_point from,
                          rhomb_guide_point to)
{
    const int64_t length = rhomb__min(to.target - from.target, to.query - from.query);
    int64_t alike = 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const int64_t before = i * length / SAMPLES, after = length - before;
        alike +=
            (before + WORD <= length && memcmp(pair->target + from.target + before,
                                               pair->query + from.query + before, WORD) == 0) ||
            (after >= WORD &&
             memcmp(pair->target + to.target - after, pair->query + to.query - after, WORD) == 0);
    }
    return (double)alike / SAMPLES;
}

/* What a guide's segments have in common. */
typedef struct promising {
    const rhomb__costs *costs;
    const rhomb_guide *guide;
    const rhomb__guided_pair *pair;
    double random;  /* the cost of random sequences, for each base, and ... */
    double differs; /* ... of what belongs together */
    double least;   /* bases of a segment that has been replaced */
} promising;

static rhomb_guide_point end_of(const promising *p, int64_t i)
{
    const rhomb_guide_point end = {p->pair->target_length, p->pair->query_length};
    return i < p->guide->count ? p->guide->points[i] : end;
}

/* What a segment costs. */
typedef struct segment_cost {
    double differs; /* spread evenly */
    double moves;   /* somewhere in it: to the other diagonal, and what was replaced */
    int64_t runs;   /* not a cost: the bases that one of both has more in runs there */
} segment_cost;

/* Of the segment up to point i. */
static segment_cost cost_of_segment(const promising *p, int64_t i)
{
    const rhomb_guide_point none = {0, 0}, from = i > 0 ? p->guide->points[i - 1] : none;
    const rhomb_guide_point to = end_of(p, i);
    const int64_t n = to.target - from.target, m = to.query - from.query;
    const int64_t gap = llabs(n - m), shorter = rhomb__min(n, m);
    segment_cost cost = {p->differs * (double)shorter, (double)rhomb__costs_gap(p->costs, gap), 0};
    if ((double)rhomb__max(n, m) <= p->least)
        return cost;
    const int64_t target = n - run_bases(p->pair->target + from.target, n);
    const int64_t query = m - run_bases(p->pair->query + from.query, m);
    cost.runs = llabs((n - target) - (m - query));
    if ((double)shorter <= p->least)
        return cost;
    /* Where only one of them has a run, nothing matches. */
    const int64_t apart = rhomb__max(llabs(target - query) - gap, 0);
    const double replaced = 1 - alike_share(p->pair, from, to);
    cost.moves += p->random * replaced * (double)rhomb__min(target, query) +
                  (double)p->costs->mismatch * (double)apart;
    cost.differs *= 1 - replaced;
    return cost;
}

/* The next steps of a promise, up to a cost, are paid between these places: evenly, or anywhere. */
static int pay(rhomb__promise *promise, int step, double whole, double before, double more,
               const double places[2], bool evenly)
{
    const double each = whole / RHOMB__PROMISE_STEPS, length = places[1] - places[0];
    for (; more > 0 && step < RHOMB__PROMISE_STEPS && (step + 0.5) * each <= before + more;
         step++) {
        const double at = places[0] + length * ((step + 0.5) * each - before) / more;
        promise->begins[step] = evenly ? at : places[0];
        promise->ends[step] = evenly ? at : places[1];
    }
    return step;
}

/* Where each step of the whole cost is paid. */
static void find_places(const promising *p, double whole, rhomb__promise *promise)
{
    double cost = 0, places[2] = {0, 0};
    int step = 0;
    for (int64_t i = 0; i <= p->guide->count; i++) {
        const rhomb_guide_point to = end_of(p, i);
        const segment_cost more = cost_of_segment(p, i);
        places[1] = ((double)to.target + (double)to.query) / promise->bases;
        step = pay(promise, step, whole, cost, more.differs, places, true);
        cost += more.differs;
        step = pay(promise, step, whole, cost, more.moves, places, false);
        cost += more.moves;
        places[0] = places[1];
    }
    for (; step < RHOMB__PROMISE_STEPS; step++)
        promise->begins[step] = promise->ends[step] = 1;
}

/* The cost of all segments. */
static double whole_cost(const promising *p, int64_t *runs)
{
    double whole = 0;
    *runs = 0;
    for (int64_t i = 0; i <= p->guide->count; i++) {
        const segment_cost more = cost_of_segment(p, i);
        whole += more.differs + more.moves;
        *runs += more.runs;
    }
    return whole;
}

void rhomb__guide_promise(const rhomb__costs *costs, const rhomb_guide *guide,
                          const rhomb__guided_pair *pair, rhomb__promise *promise)
{
    const int64_t n = pair->target_length, m = pair->query_length, shorter = rhomb__min(n, m);
    const double edit = ((double)costs->mismatch + 2 * (double)rhomb__costs_gap(costs, 1)) / 3;
    promising p = {.costs = costs,
                   .guide = guide,
                   .pair = pair,
                   .random = rhomb__costs_random(costs),
                   .differs = guide->divergence * edit,
                   .least = REPLACED * (double)rhomb__max(n, m) / (double)(guide->count + 1)};
    int64_t runs = 0;
    *promise = (rhomb__promise){.cost = -1, .bases = (double)n + (double)m, .random = p.random};
    if (guide->divergence < 0)
        return;
    double whole = whole_cost(&p, &runs);
    if (pair->unlike > runs && shorter > 0) { /* in shorter segments */
        p.differs += (double)costs->mismatch * (double)(pair->unlike - runs) / (double)shorter;
        whole = whole_cost(&p, &runs);
    }
    find_places(&p, whole, promise);
    /* False points lie on wrong diagonals, and add up to more than random sequences cost. */
    const double random =
        p.random * (double)shorter + (double)rhomb__costs_gap(costs, llabs(n - m));
    const double most = (double)rhomb__costs_most(costs, n, m);
    promise->cost = whole < random ? whole : random;
    promise->cost = promise->cost < most ? promise->cost : most;
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
