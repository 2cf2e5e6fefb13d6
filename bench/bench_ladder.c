/* SPDX-License-Identifier: MIT */
/*
 * The suite `ladder`: the steps of the reference paper's figure 12, from its first versions to this
 * engine's best, as options of the one engine on one pair.
 */
#include "bench.h"

/* One step of the paper's figure 12. 100 launches per read unless the step says otherwise. */
typedef struct rung {
    const char *name;
    rhomb_tile_shape shape;
    int32_t group;
    int32_t items;
    int32_t columns;
    int32_t launches;
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

static bool run_rung(bench *b, const bench_suite *suite, const rung *r, const bench_pair *pair,
                     int64_t distance, const char *verified_by)
{
    /* A distance at or below the limit would be found all the same. */
    const bool stops = r->stops && b->stop_at < distance;
    bench_case c = bench_case_of(b, suite, pair);
    c.name = r->name;
    c.max_distance = stops ? b->stop_at : RHOMB_NO_LIMIT;
    c.distance = distance;
    c.verified_by = stops ? "the limit and the count of cells" : verified_by;
    c.verify_first = false;
    c.tuning.tile_shape = r->shape;
    bench_set_tile(&c.tuning, r->group, r->items, r->columns);
    c.tuning.launches_per_read = r->launches;
    c.tuning.no_pruning = !r->pruning;
    return bench_run(b, &c);
}

static bool run_ladder(bench *b, const bench_suite *suite)
{
    const bool real = b->ladder_pair[0] != NULL;
    const bench_source source = {.name = "unrelated 3.15 M x 3.28 M",
                                 .files = {b->ladder_pair[0], b->ladder_pair[1]},
                                 .length = 3150000,
                                 .query_length = 3276000};
    bench_pair pair;
    const char *verified_by = BENCH_BY_TABLE;
    if (!bench_open(b))
        return false;
    bench_title(b, suite->name);
    bench_heading();
    if (!bench_pair_make(b, &source, &pair))
        return false;
    int64_t distance =
        real ? bench_known_distance(source.files[0], source.files[1]) : BENCH_UNKNOWN;
    if (distance == BENCH_UNKNOWN) {
        verified_by = BENCH_BY_TILES;
        distance = bench_check_by_tiles(b, &pair);
    }
    for (int i = 0; i < RUNG_COUNT && distance >= 0; i++)
        if (bench_wants(b, RUNGS[i].name))
            run_rung(b, suite, &RUNGS[i], &pair, distance, verified_by);
    bench_pair_release(&pair);
    return distance >= 0;
}

const bench_method bench_ladder = {.run = run_ladder};
