/* SPDX-License-Identifier: MIT */
/*
 * Splits of narrow subproblems on the host, with random costs and borders: both parts cost what the
 * split says by Gotoh's matrix of each, and no earlier place or gap along the middle would do.
 */
#include "src/paths/narrow_split.h"
#include "support/affine_pair.h"
#include "support/cost_sets.h"
#include "support/test.h"
#include "tests/reference/gotoh.h"

/* A subproblem in the middle of a pair, and the pair. */
typedef struct problem {
    pair letters;
    rhomb__codes codes;
    rhomb__costs costs;
    rhomb__path_pair pair;
    rhomb_subproblem subproblem;
} problem;

enum { AROUND = 3 };

static void make_problem(problem *p, rng *r)
{
    const bool tall = rng_chance(r, 0.5);
    letters *longer = tall ? &p->letters.b : &p->letters.a;
    letters *shorter = tall ? &p->letters.a : &p->letters.b;
    affine_pair_make(rng_chance(r, 0.5) ? AFFINE_LONG_GAPS : AFFINE_ENDS, 40, r, &p->letters);
    shorter->length = shorter->length < RHOMB__NARROW - 1 ? shorter->length : RHOMB__NARROW - 1;
    letters_random(longer, "ACGT", rng_between(r, 1, 40), r);
    const int64_t n = p->letters.a.length, m = p->letters.b.length;
    for (int side = 0; side < 2; side++) { /* bases that are no part of it */
        letters all = {NULL, 0, 0}, *own = side == 0 ? &p->letters.a : &p->letters.b;
        letters_random(&all, "ACGT", AROUND, r);
        letters_append(&all, own->at, own->length);
        letters_random(&all, "ACGT", AROUND, r);
        free(own->at);
        *own = all;
    }
    p->costs = random_costs(r, rng_chance(r, 0.5) ? 8 : 100);
    for (int i = 0; i < 256; i++)
        p->codes.code[i] = (uint8_t)i;
    p->pair = (rhomb__path_pair){p->letters.a.at,     p->letters.a.length, p->letters.b.at,
                                 p->letters.b.length, &p->codes,           &p->costs};
    p->subproblem = (rhomb_subproblem){
        {AROUND, n, AROUND, m, 0}, random_gap(r, &p->costs), random_gap(r, &p->costs)};
}

/* The cost of a part. */
static int64_t cost_of(const problem *p, int64_t target, int64_t target_end, int64_t query,
                       int64_t query_end, int32_t begin, int32_t end)
{
    const rhomb__costs *c = &p->costs;
    const oracle_penalties penalties = costs_penalties(c);
    const oracle_borders borders = {begin, end};
    if (target == target_end && query == query_end)
        return begin == end && begin != RHOMB_GAP_NONE ? -rhomb__costs_of_opening(c, begin) : 0;
    return oracle_gotoh_borders(p->letters.a.at + AROUND + target, target_end - target,
                                p->letters.b.at + AROUND + query, query_end - query, &penalties,
                                borders);
}

/* The least cost through a place, within a gap or not; *forward is that up to there. */
static int64_t through(const problem *p, int64_t target, int64_t query, int32_t gap,
                       int64_t *forward)
{
    const rhomb_split_pair *of = &p->subproblem.pair;
    *forward = cost_of(p, 0, target, 0, query, p->subproblem.begin_gap, gap);
    return *forward + rhomb__costs_of_opening(&p->costs, gap) +
           cost_of(p, target, of->target_length, query, of->query_length, gap,
                   p->subproblem.end_gap);
}

static void check(const problem *p, int64_t index, int64_t counts[5])
{
    const rhomb_split_pair *of = &p->subproblem.pair;
    const int64_t n = of->target_length, m = of->query_length;
    const bool by_query = m >= n;
    const rhomb__narrow_point found = rhomb__narrow_split(&p->pair, &p->subproblem);
    const int64_t cost = cost_of(p, 0, n, 0, m, p->subproblem.begin_gap, p->subproblem.end_gap);
    int64_t forward = 0;
    const int64_t sum = through(p, found.target, found.query, found.gap, &forward);
    if (found.cost != cost || sum != cost || found.forward_cost != forward)
        fail_msg("%lld: cost %lld of %lld, split %lld, first %lld of %lld", (long long)index,
                 (long long)found.cost, (long long)cost, (long long)sum,
                 (long long)found.forward_cost, (long long)forward);
    assert_true(by_query ? found.query == m / 2 : found.target == n / 2);
    const int64_t at = by_query ? found.target : found.query;
    const int32_t first_gap = by_query ? RHOMB_GAP_I : RHOMB_GAP_D;
    for (int64_t i = 0; i <= at; i++) {
        for (int32_t piece = -1; piece < p->costs.pieces; piece++) {
            const int32_t gap = piece < 0 ? RHOMB_GAP_NONE : first_gap + piece;
            if (i == at && gap == found.gap)
                break;
            if (through(p, by_query ? i : n / 2, by_query ? m / 2 : i, gap, &forward) <= cost)
                fail_msg("%lld: place %lld, gap %d comes before %lld, gap %d", (long long)index,
                         (long long)i, (int)gap, (long long)at, (int)found.gap);
        }
    }
    counts[found.gap]++;
}

static void test_splits(void **state)
{
    problem p = {.letters = {{NULL, 0, 0}, {NULL, 0, 0}}};
    int64_t counts[5] = {0};
    for (int64_t i = 0; i < 2000; i++) {
        rng r = rng_for("narrow split", i);
        make_problem(&p, &r);
        if (rhomb__narrow_can(&p.subproblem.pair))
            check(&p, i, counts);
    }
    for (int gap = 0; gap < 5; gap++)
        assert_true(counts[gap] > 20);
    pair_release(&p.letters);
}

static void test_narrow(void **state)
{
    static const struct {
        int64_t n, m;
        bool can;
    } ROWS[] = {{63, 63, true},  {64, 64, false}, {63, 1000000, true}, {1000000, 63, true},
                {64, 63, true},  {1, 1, false},   {1, 2, true},        {2, 1, true},
                {65, 64, false}, {0, 2, true}};
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        const rhomb_split_pair of = {0, ROWS[i].n, 0, ROWS[i].m, 1};
        assert_true(rhomb__narrow_can(&of) == ROWS[i].can);
    }
}

TEST_MAIN(test_splits, test_narrow)
