/* SPDX-License-Identifier: MIT */
/*
 * The suite `chromosome`: generated pairs like human and chimpanzee chromosome 1, whole and at a
 * quarter of their length, with a distance of about a fifth of it. What makes such pairs hard is
 * that the differences are not spread evenly: long insertions and deletions take the path far from
 * the diagonal, and pieces that have nothing to do with each other lie between stretches that
 * differ by a hundredth.
 */
#include <inttypes.h>

#include "bench_pieces.h"

/* Balanced by hand until distance and lengths were in the ratio of the real pair's, 51 M of 249 M
 * and 228 M. */
static const bench_piece_class PIECES[] = {
    {BENCH_DELETED, 2, 11, 0, 204800},   {BENCH_INSERTED, 1, 11, 0, 204800},
    {BENCH_UNRELATED, 1, 3, 0, 2000000}, {BENCH_INVERTED, 1, 3, 0, 1000000},
    {BENCH_DIVERGED, 1, 2, 0, 1000000},  {BENCH_GAP, 1, 1, 4000000, 4000000},
    {BENCH_GAP, 5, 1, 100000, 100000},   {.count = 0},
};

/* Short insertions and deletions have four letters in the mean. */
static const bench_recipe QUARTER = {.seed = 20050901,
                                     .length = 62000000,
                                     .substitution_rate = 0.012,
                                     .short_rate = 0.0007,
                                     .short_more = 3,
                                     .query_gap_share = 4,
                                     .classes = PIECES};

/* The whole one takes minutes on the quickest device, so that only --only asks for it. */
static const struct {
    const char *name;
    double scale;
    bool on_request;
} CHROMOSOMES[] = {{"quarter 62 M x 57 M", 1, false}, {"whole 249 M x 229 M", 4.016, true}};

enum { CHROMOSOME_COUNT = sizeof CHROMOSOMES / sizeof CHROMOSOMES[0] };

/* Times the pair once, checks the distance by another sweep, and says what was done. */
static bool run_pair(bench *b, const bench_pair *pair)
{
    bench_runs runs = {0};
    bench_case c = {.suite = "chromosome",
                    .pair = pair,
                    .engine = bench_engine(b, RHOMB_ENGINE_AUTO),
                    .tuning = b->tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = BENCH_UNKNOWN,
                    .repeat = 1};
    if (!bench_run_checked(b, &c, b->verify_long, &runs))
        return false;
    const rhomb_report *r = &runs.report;
    if (runs.count == 0)
        return true;
    printf("%-34s %" PRId64 " x %" PRId64 ", similarity %.4f, %.4g cells in %" PRId64 " bands\n",
           "", r->target_length, r->query_length, r->similarity, (double)r->cells, r->bands);
    printf("%-34s %s: %s\n", "", r->plan.engine, r->plan.reason);
    return true;
}

bool bench_suite_chromosome(bench *b)
{
    for (int i = 0; i < CHROMOSOME_COUNT; i++) {
        bench_pair pair;
        const double scale = CHROMOSOMES[i].scale * b->scale;
        if (!bench_wants(b, CHROMOSOMES[i].name) ||
            (double)QUARTER.length * scale > (double)b->max_length)
            continue;
        if (CHROMOSOMES[i].on_request && b->only == NULL)
            continue;
        if (!bench_pair_assemble(b, CHROMOSOMES[i].name, &QUARTER, scale, &pair))
            return false;
        const bool good = b->instead != NULL ? b->instead(b, &pair) : run_pair(b, &pair);
        bench_pair_release(&pair);
        if (!good)
            return false;
    }
    return true;
}
