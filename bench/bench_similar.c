/* SPDX-License-Identifier: MIT */
/*
 * The suite `similar`: two strains, two assemblies, two haplotypes, each pair solved by the
 * wavefront and by auto in turns (bench_contest.c). Rows are of the solve alone, with what it took:
 * cells, bands, and the cells of beams. The sweep alone would begin with a share of the length as
 * its band, far more than such pairs need; it verifies them with just what they do.
 */
#include <inttypes.h>

#include "bench_pieces.h"

#define KILO INT64_C(1000)
#define MEGA INT64_C(1000000)

/*
 * Long insertions and deletions in random order in what differs by a thousandth, a third each of
 * substitutions, insertions and deletions: nearly all of the distance is in the long ones, whose
 * lengths are uniform, 25.5 k in the mean.
 */
static const bench_piece_class INDELS[] = {
    {BENCH_DELETED, 100, 1, 1 * KILO, 50 * KILO},
    {BENCH_INSERTED, 100, 1, 1 * KILO, 50 * KILO},
    {.count = 0},
};

const bench_recipe bench_recipe_indels = {.seed = 20240317,
                                          .length = 100 * MEGA,
                                          .substitution_rate = 0.001 / 3,
                                          .short_rate = 0.001 / 3,
                                          .query_gap_share = 1,
                                          .classes = INDELS};

/* One letter in a thousand is another one; the assembly's runs of N are the same in both. */
static const bench_piece_class DIFFERENCES[] = {
    {BENCH_DELETED, 200, 1, 1, 100},
    {BENCH_INSERTED, 200, 1, 1, 100},
    {BENCH_GAP, 1, 1, 18 * MEGA, 18 * MEGA},
    {BENCH_GAP, 20, 1, 50 * KILO, 50 * KILO},
    {.count = 0},
};

static const bench_recipe HAPLOTYPES = {.seed = 20240318,
                                        .length = 250 * MEGA,
                                        .substitution_rate = 0.001,
                                        .query_gap_share = 1,
                                        .classes = DIFFERENCES};

/* With a recipe, `rate` is what its distance is of the length; else it is the share of edits. */
static const struct {
    const char *name;
    int64_t length;
    double rate;
    const bench_recipe *recipe;
} PAIRS[] = {
    {"5.23 M 0.05 %", 5230 * KILO, 0.0005, NULL},
    {"10.2 M 0.0037 %", 10200 * KILO, 0.000037, NULL},
    {"20 M 1 %", 20 * MEGA, 0.01, NULL},
    {"100 M 200 indels", 100 * MEGA, 0.052, &bench_recipe_indels},
    {"250 M haplotypes", 250 * MEGA, 0.001, &HAPLOTYPES},
};

enum { PAIR_COUNT = sizeof PAIRS / sizeof PAIRS[0] };

static void print_contender(const bench_contender *one)
{
    const bench_measured *m = &one->measured;
    const rhomb_report *r = &m->report;
    char tile[BENCH_TILE_TEXT];
    bench_tile_text(&r->plan, tile, sizeof tile);
    printf("%-18s %9" PRId64 "  %-11s %-11s  %-24s %8.4f %8.4f %8.4f %10.4g %8.3f %9" PRId64
           " %10.4g\n",
           one->c.pair->name, r->distance, bench_engine_name(one->c.engine), r->plan.engine, tile,
           m->solve.median, m->solve.least, m->solve.most, (double)r->cells,
           m->solve.median > 0 ? (double)r->cells / m->solve.median / 1e9 : 0, r->bands,
           (double)r->beam_cells);
    fflush(stdout);
}

static bool run_pair(bench *b, const bench_pair *pair, double distance)
{
    bench_contender all[BENCH_CONTENDERS];
    if (!bench_contest(b, "similar", pair, distance, false, all))
        return false;
    for (int e = 0; e < BENCH_CONTENDERS; e++) {
        if (!all[e].taken)
            continue;
        print_contender(&all[e]);
        bench_csv_row(b, &all[e].c, &all[e].measured);
    }
    return true;
}

bool bench_suite_similar(bench *b)
{
    if (b->instead == NULL) {
        if (!bench_open(b))
            return false;
        bench_title(b, "similar");
        printf("%-18s %9s  %-11s %-11s  %-24s %8s %8s %8s %10s %8s %9s %10s\n", "case", "distance",
               "asked", "ended with", "tile", "solve s", "min", "max", "cells", "Gcell/s", "bands",
               "beam cells");
    }
    for (int i = 0; i < PAIR_COUNT; i++) {
        bench_pair pair;
        const double distance = (double)PAIRS[i].length * PAIRS[i].rate * b->scale;
        if (!bench_wants(b, PAIRS[i].name) || distance > (double)b->max_known_distance ||
            bench_scaled(b, PAIRS[i].length) > b->max_length)
            continue;
        if (PAIRS[i].recipe != NULL
                ? !bench_pair_assemble(b, PAIRS[i].name, PAIRS[i].recipe, b->scale, &pair)
                : !bench_pair_generate(b, PAIRS[i].name, PAIRS[i].length, PAIRS[i].rate, &pair))
            return false;
        const bool good = b->instead != NULL ? b->instead(b, &pair) : run_pair(b, &pair, distance);
        bench_pair_release(&pair);
        if (!good)
            return false;
    }
    return true;
}
