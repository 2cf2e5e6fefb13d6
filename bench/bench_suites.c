/* SPDX-License-Identifier: MIT */
/*
 * The suites whose runs are plain calls: real pairs, generated pairs, and the steps of the
 * reference paper.
 */
#include "bench.h"

#include <string.h>

/* ------------------------------------------------------------------- pairs */

/*
 * Public records (INSDC, RefSeq, ENCODE, pangenome test sets). Letters folded to upper case, N
 * equal to N only; the distances come from edlib and from a full bit-parallel matrix.
 */
static const struct {
    const char *target;
    const char *query;
    int64_t distance;
} KNOWN[] = {
    {"mt_human", "mt_chimp", 1473},
    {"mt_human", "mt_orang", 3315},
    {"c4_chm13", "c4_hg002", 23},
    {"caulobacter_CB15", "caulobacter_NA1000", 26177},
    {"enm002_human", "enm002_chimp", 71684},
    {"yeast_S288C", "yeast_sacCer3", 157410},
    {"CP000051", "AE002160", 549784},
    {"BA000035", "BX927147", 1528200},
};

const char BENCH_BY_TABLE[] = "edlib and a full matrix";

enum { KNOWN_COUNT = sizeof KNOWN / sizeof KNOWN[0] };

int64_t bench_known_distance(const char *target, const char *query)
{
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (strcmp(KNOWN[i].target, target) == 0 && strcmp(KNOWN[i].query, query) == 0)
            return KNOWN[i].distance;
    return -1;
}

bool bench_known_pair(int i, const char *names[2], int64_t *distance)
{
    if (i < 0 || i >= KNOWN_COUNT)
        return false;
    names[0] = KNOWN[i].target;
    names[1] = KNOWN[i].query;
    *distance = KNOWN[i].distance;
    return true;
}

bool bench_suite_pairs(bench *b)
{
    for (int i = 0; i < KNOWN_COUNT; i++) {
        bench_pair pair;
        if (KNOWN[i].distance > b->max_known_distance || !bench_wants(b, KNOWN[i].target))
            continue;
        if (!bench_pair_read(b, KNOWN[i].target, KNOWN[i].query, &pair))
            return false;
        const bench_case c = {.suite = "pairs",
                              .pair = &pair,
                              .engine = bench_engine(b, RHOMB_ENGINE_WAVEFRONT),
                              .tuning = b->tuning,
                              .max_distance = RHOMB_NO_LIMIT,
                              .distance = KNOWN[i].distance,
                              .verified_by = BENCH_BY_TABLE,
                              .repeat = b->repeat,
                              .verify_first = true};
        bench_run(b, &c);
        bench_pair_release(&pair);
    }
    return true;
}

/* --------------------------------------------------------------- synthetic */

/*
 * Pairs like those on which other programs are measured: uniform error rates over two decades.
 */
static const struct {
    const char *name;
    int64_t length;
    double rate;
} SYNTHETIC[] = {
    {"100 k 1 %", 100000, 0.01},   {"100 k 10 %", 100000, 0.1},  {"1 M 0.1 %", 1000000, 0.001},
    {"1 M 0.5 %", 1000000, 0.005}, {"1 M 1 %", 1000000, 0.01},   {"1 M 2 %", 1000000, 0.02},
    {"1 M 3 %", 1000000, 0.03},    {"1 M 10 %", 1000000, 0.1},   {"10 M 0.1 %", 10000000, 0.001},
    {"10 M 1 %", 10000000, 0.01},  {"10 M 20 %", 10000000, 0.2},
};

enum { SYNTHETIC_COUNT = sizeof SYNTHETIC / sizeof SYNTHETIC[0] };

static void run_synthetic(bench *b, const bench_pair *pair)
{
    const bench_case c = {.suite = "synthetic",
                          .pair = pair,
                          .engine = bench_engine(b, RHOMB_ENGINE_WAVEFRONT),
                          .tuning = b->tuning,
                          .max_distance = RHOMB_NO_LIMIT,
                          .distance = bench_check_by_tiles(b, pair),
                          .verified_by = BENCH_BY_TILES,
                          .repeat = b->repeat,
                          .verify_first = true};
    if (c.distance >= 0)
        bench_run(b, &c);
}

bool bench_suite_synthetic(bench *b)
{
    bool good = true;
    for (int i = 0; i < SYNTHETIC_COUNT && good; i++) {
        bench_pair pair;
        const double edits = (double)SYNTHETIC[i].length * SYNTHETIC[i].rate * b->scale;
        if (edits > (double)b->max_known_distance || !bench_wants(b, SYNTHETIC[i].name) ||
            bench_scaled(b, SYNTHETIC[i].length) > b->max_length)
            continue;
        if (!bench_pair_generate(b, SYNTHETIC[i].name, SYNTHETIC[i].length, SYNTHETIC[i].rate,
                                 &pair))
            return false;
        if (b->instead != NULL)
            good = b->instead(b, &pair);
        else
            run_synthetic(b, &pair);
        bench_pair_release(&pair);
    }
    return good;
}

/* ------------------------------------------------------------------ ladder */

/* One step of the paper's figure 12. Bands a read are 100 but where the step says otherwise. */
typedef struct rung {
    const char *name;
    rhomb_tile_shape shape;
    int32_t group;
    int32_t items;
    int32_t columns;
    int32_t bands;
    bool pruning;
    bool stops; /* takes minutes to its end, so it is stopped at a column */
} rung;

#define DIAMOND   RHOMB_TILE_DIAMOND
#define TRAPEZOID RHOMB_TILE_TRAPEZOID

/*
 * From the paper's first versions to this engine's best: what each step brings. Columns of narrow
 * groups are a quarter of the tile, so that half of it or more is no margin.
 */
static const rung RUNGS[] = {
    {"one column, read each", DIAMOND, 128, 1, 1, 1, false, true},
    {"one column, read per 100", DIAMOND, 128, 1, 1, 100, false, true},
    {"tiles T8, read each", DIAMOND, 256, 4, 8, 1, false, false},
    {"tiles T8, read per 100", DIAMOND, 256, 4, 8, 100, false, false},
    {"tiles T16", DIAMOND, 256, 4, 16, 100, false, false},
    {"tiles T32", DIAMOND, 256, 4, 32, 100, false, false},
    {"tiles T64", DIAMOND, 256, 4, 64, 100, false, false},
    {"tiles T128", DIAMOND, 256, 4, 128, 100, false, false},
    {"dynamic diamond T32", DIAMOND, 256, 4, 32, 100, true, false},
    {"dynamic diamond T64", DIAMOND, 256, 4, 64, 100, true, false},
    {"dynamic diamond T128", DIAMOND, 256, 4, 128, 100, true, false},
    {"trapezoid T8", TRAPEZOID, 256, 4, 8, 100, true, false},
    {"trapezoid T16", TRAPEZOID, 256, 4, 16, 100, true, false},
    {"trapezoid T32", TRAPEZOID, 256, 4, 32, 100, true, false},
    {"trapezoid T64", TRAPEZOID, 256, 4, 64, 100, true, false},
    {"group 64x1", TRAPEZOID, 64, 1, 16, 100, true, false},
    {"group 64x2", TRAPEZOID, 64, 2, 32, 100, true, false},
    {"group 64x4", TRAPEZOID, 64, 4, 32, 100, true, false},
    {"group 128x1", TRAPEZOID, 128, 1, 32, 100, true, false},
    {"group 128x2", TRAPEZOID, 128, 2, 32, 100, true, false},
    {"group 128x4", TRAPEZOID, 128, 4, 32, 100, true, false},
    {"group 256x1", TRAPEZOID, 256, 1, 32, 100, true, false},
    {"group 256x2", TRAPEZOID, 256, 2, 32, 100, true, false},
    {"group 256x4", TRAPEZOID, 256, 4, 32, 100, true, false},
    {"group 512x1", TRAPEZOID, 512, 1, 32, 100, true, false},
    {"group 512x2", TRAPEZOID, 512, 2, 32, 100, true, false},
    {"group 512x4", TRAPEZOID, 512, 4, 32, 100, true, false},
    {"group 1024x1", TRAPEZOID, 1024, 1, 32, 100, true, false},
    {"group 1024x2", TRAPEZOID, 1024, 2, 32, 100, true, false},
    {"group 1024x4", TRAPEZOID, 1024, 4, 32, 100, true, false},
};

enum { RUNG_COUNT = sizeof RUNGS / sizeof RUNGS[0] };

static void run_rung(bench *b, const rung *r, const bench_pair *pair, int64_t distance,
                     const char *verified_by)
{
    /* A distance at or below the limit would be found all the same. */
    const bool stops = r->stops && b->stop_at < distance;
    bench_case c = {.suite = "ladder",
                    .name = r->name,
                    .pair = pair,
                    .engine = bench_engine(b, RHOMB_ENGINE_WAVEFRONT),
                    .tuning = b->tuning,
                    .max_distance = stops ? b->stop_at : RHOMB_NO_LIMIT,
                    .distance = distance,
                    .verified_by = stops ? "the limit and the count of cells" : verified_by,
                    .repeat = b->repeat};
    c.tuning.tile_shape = r->shape;
    bench_set_tile(&c.tuning, r->group, r->items, r->columns);
    c.tuning.bands_per_read = r->bands;
    c.tuning.no_pruning = !r->pruning;
    bench_run(b, &c);
}

bool bench_suite_ladder(bench *b)
{
    bench_pair pair;
    const char *verified_by = BENCH_BY_TABLE;
    int64_t distance = -1;
    if (b->ladder_pair[0] == NULL) {
        if (!bench_pair_unrelated(b, "unrelated 3.15 M x 3.28 M", 3150000, 3276000, &pair))
            return false;
    } else {
        if (!bench_pair_read(b, b->ladder_pair[0], b->ladder_pair[1], &pair))
            return false;
        distance = bench_known_distance(b->ladder_pair[0], b->ladder_pair[1]);
    }
    if (distance < 0) {
        verified_by = BENCH_BY_TILES;
        distance = bench_check_by_tiles(b, &pair);
    }
    for (int i = 0; i < RUNG_COUNT && distance >= 0; i++)
        if (bench_wants(b, RUNGS[i].name))
            run_rung(b, &RUNGS[i], &pair, distance, verified_by);
    bench_pair_release(&pair);
    return distance >= 0;
}
