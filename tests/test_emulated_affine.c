/* SPDX-License-Identifier: MIT */
/*
 * Affine wavefronts as host code, tile by tile, in buffers of just the size, so that the sanitizers
 * see every access: after each launch every offset of M is where the costs of a plain matrix say,
 * in both directions, with long runs and without; and a look sees how far they have come, and
 * whether they have met.
 */
#include <limits.h>

#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "src/planner/affine_tiling.h"
#include "support/cost_sets.h"
#include "support/guard.h"
#include "support/pair.h"
#include "support/rng.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_affine_wavefront name;
EMULATED_AFFINE_WAVEFRONT_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_affine_wavefront *const VARIANTS[] = {EMULATED_AFFINE_WAVEFRONT_MAP(ADDRESS)};

enum { MOST_BASES = 700, LAUNCHES = 6 };

static const int64_t FAR = INT64_MAX / 4;

/* A pair that is packed for a variant, and where its offsets are. */
typedef struct rig {
    const emulated_affine_wavefront *variant;
    rhomb__affine_shape shape;
    pair letters;
    emulated_affine_arguments arguments;
    rhomb_affine_problem problem;
    rhomb_affine_status status;
    int64_t offsets;  /* of a buffer */
    int64_t *best[2]; /* what each prefix costs against each prefix, from either end */
} rig;

/* The furthest offset of a diagonal that costs at most s; -1: none. */
static int64_t furthest(const rig *g, int direction, int64_t s, int64_t k)
{
    const int64_t n = g->letters.a.length, m = g->letters.b.length;
    for (int64_t j = rhomb__min(n, m + k); j >= 0 && j >= k; j--) {
        if (g->best[direction][(j - k) * (n + 1) + j] <= s)
            return j;
    }
    return -1;
}

/* ------------------------------------------------------------------- the rig */

static int64_t offset_in(const rig *g, const void *buffer, int64_t at)
{
    assert_true(at >= 0 && at < g->offsets);
    return g->variant->offset_bits == 64 ? ((const int64_t *)buffer)[at]
                                         : ((const int32_t *)buffer)[at];
}

static void *allocate_offsets(const rig *g)
{
    void *buffer = filled_memory(g->offsets, (size_t)g->variant->offset_bits / 8);
    for (int64_t at = 0; at < g->offsets; at++) {
        if (g->variant->offset_bits == 64)
            ((int64_t *)buffer)[at] = -INT64_C(0x4000000000000000);
        else
            ((int32_t *)buffer)[at] = -0x40000000;
    }
    return buffer;
}

/* As rhomb__affine_lay_out() does it, for all scores of the launches. */
static void lay_out(rig *g)
{
    const rhomb__costs *costs = &g->shape.costs;
    const int64_t n = g->letters.a.length, m = g->letters.b.length;
    const int64_t until = LAUNCHES * g->shape.scores;
    g->problem = (rhomb_affine_problem){.range = {.pair = {0, n, 0, m, 0}}, .cells = 1};
    for (int direction = 0; direction < 2; direction++) {
        const rhomb__window all =
            rhomb__affine_window(costs, &g->problem.range, direction, 0, until, FAR);
        g->problem.origin[direction] = all.low;
        g->problem.cells = rhomb__max(g->problem.cells, all.high - all.low + 1);
    }
    g->offsets = 2 * g->problem.cells * rhomb__affine_slots(costs);
}

static void rig_open(rig *g, const emulated_affine_wavefront *v)
{
    g->variant = v;
    g->shape = (rhomb__affine_shape){.costs = costs_of_numbers(v->costs),
                                     .diagonals = (int64_t)v->group_size * v->item_diagonals,
                                     .scores = v->tile_scores};
    const int64_t n = g->letters.a.length, m = g->letters.b.length;
    const int64_t rows = rhomb__affine_rows(&g->shape.costs, v->group_size > 1);
    const rhomb__packing in_query = rhomb__packing_windows(m, v->planes, 2);
    const rhomb__packing in_target = rhomb__packing_windows(n, v->planes, 2);
    emulated_affine_arguments *a = &g->arguments;
    *a = (emulated_affine_arguments){
        .query = emulated_pack_bases(g->letters.b.at, g->letters.b.length, v->planes, 2),
        .target = emulated_pack_bases(g->letters.a.at, g->letters.a.length, v->planes, 2),
        .problems = &g->problem,
        .status = &g->status};
    a->whole = (rhomb_split_whole){
        .query_length = m,
        .target_length = n,
        .query_backward = in_query.parts[0].units * RHOMB_UNIT_WORDS(v->planes),
        .target_backward = in_target.parts[0].units * RHOMB_UNIT_WORDS(v->planes)};
    g->status = (rhomb_affine_status){.met = RHOMB_AFFINE_NOT_MET, .least = INT_MAX};
    lay_out(g);
    a->offsets[0] = allocate_offsets(g);
    a->offsets[1] = allocate_offsets(g);
    a->memory = filled_memory(2 * rows * (g->shape.diagonals + 2), (size_t)v->offset_bits / 8);
    const letters *target = &g->letters.a, *query = &g->letters.b;
    const oracle_penalties penalties = costs_penalties(&g->shape.costs);
    for (int direction = 0; direction < 2; direction++) {
        const plain_pair texts = {target->at, n, query->at, m, direction == 1};
        g->best[direction] = oracle_gotoh_costs(&texts, &penalties);
    }
}

static void rig_close(rig *g)
{
    free((void *)(uintptr_t)g->arguments.query);
    free((void *)(uintptr_t)g->arguments.target);
    free(g->arguments.offsets[0]);
    free(g->arguments.offsets[1]);
    free(g->arguments.memory);
    free(g->best[0]);
    free(g->best[1]);
}

/* All tiles of both directions for the scores [start, start + scores). */
static void advance(rig *g, int64_t start, int32_t turn)
{
    static rhomb_affine_tile tiles[4 * MOST_BASES];
    const int64_t last = start + g->shape.scores - 1;
    int64_t count = 0;
    for (int direction = 0; direction < 2; direction++) {
        const rhomb__window window =
            rhomb__affine_window(&g->shape.costs, &g->problem.range, direction, start, last, FAR);
        for (int64_t i = 0; i < rhomb__affine_tiles(&g->shape, window); i++)
            tiles[count++] =
                (rhomb_affine_tile){.first = rhomb__affine_tile_first(&g->shape, window, i),
                                    .low = window.low,
                                    .high = window.high,
                                    .start = start,
                                    .steps = (int32_t)g->shape.scores,
                                    .direction = direction,
                                    .turn = turn};
    }
    g->arguments.tiles = tiles;
    g->arguments.tile_count = count;
    g->variant->advance(&g->arguments, g->variant->tile_local ? count : 2);
}

/* ------------------------------------------------------------------- checks */

static void check_offsets(const rig *g, int64_t s, int32_t turn, uint64_t seed)
{
    const int64_t slots = rhomb__affine_slots(&g->shape.costs);
    const int64_t look = rhomb__affine_lookback(&g->shape.costs);
    const int64_t n = g->letters.a.length, m = g->letters.b.length;
    for (int direction = 0; direction < 2; direction++) {
        for (int64_t cell = 0; cell < g->problem.cells; cell++) {
            const int64_t k = g->problem.origin[direction] + cell;
            if (k > n || k < -m)
                continue;
            const int64_t at = (direction * slots + s % look) * g->problem.cells + cell;
            const int64_t got = offset_in(g, g->arguments.offsets[turn], at);
            const int64_t right = furthest(g, direction, s, k);
            if (got != right && (got >= 0 || right >= 0))
                fail_msg("RHOMB_TEST_SEED=%llu: group %d of %d, costs %d %d %d %d %d, score %lld, "
                         "direction %d, diagonal %lld: %lld instead of %lld",
                         (unsigned long long)seed, (int)g->variant->group_size,
                         (int)g->variant->item_diagonals, (int)g->variant->costs[0],
                         (int)g->variant->costs[1], (int)g->variant->costs[2],
                         (int)g->variant->costs[3], (int)g->variant->costs[4], (long long)s,
                         direction, (long long)k, (long long)got, (long long)right);
        }
    }
}

/* How far both directions have come, and that they meet only if their costs say so. */
static void check_look(rig *g, int64_t s, int32_t turn)
{
    const int64_t n = g->letters.a.length, m = g->letters.b.length;
    const emulated_affine_look look = {.problems = &g->problem,
                                       .offsets = g->arguments.offsets[turn],
                                       .status = &g->status,
                                       .score = s,
                                       .number = (int32_t)s};
    g->status = (rhomb_affine_status){.met = RHOMB_AFFINE_NOT_MET, .least = INT_MAX};
    g->variant->look(&look, 3);
    for (int direction = 0; direction < 2; direction++) {
        int64_t most = 0;
        for (int64_t k = -m; k <= n; k++) {
            const int64_t j = furthest(g, direction, s, k);
            most = j >= 0 ? rhomb__max(most, 2 * j - k) : most;
        }
        assert_true((int64_t)g->status.furthest[direction] == most);
    }
    /* A step that both would have to pay may lie between them. */
    const int64_t cost = g->best[0][m * (n + 1) + n], *open = g->shape.costs.open;
    if (cost + rhomb__affine_lookback(&g->shape.costs) <= 2 * s)
        assert_int_equal(g->status.met, (int32_t)s);
    else if (cost > 2 * s + rhomb__max(open[0], open[1]))
        assert_int_equal(g->status.met, RHOMB_AFFINE_NOT_MET);
}

/* Letters that a variant can tell from each other. */
static void draw(rig *g, int64_t index, rng *r)
{
    static const double RATES[] = {0, 0.003, 0.02, 0.1, 0.4};
    letters_random(&g->letters.a, "ACGT", rng_between(r, 1, MOST_BASES * 3 / 4), r);
    if (index % 4 == 3) /* a long run of one symbol */
        letters_repeat(&g->letters.a, g->variant->planes > 2 ? "N" : "A", MOST_BASES / 5);
    letters_mutate(&g->letters.b, &g->letters.a, RATES[index % (int64_t)COUNT(RATES)], "ACGT", r);
    if (g->letters.b.length == 0)
        letters_append(&g->letters.b, "A", 1);
    if (g->letters.b.length > MOST_BASES)
        g->letters.b.length = MOST_BASES;
}

static void test_offsets(void **state)
{
    static rig g;
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        for (int64_t index = 0; index < 12; index++) {
            rng r = rng_for("affine", 100 * (int64_t)v + index);
            g.letters = (pair){{NULL, 0, 0}, {NULL, 0, 0}};
            g.variant = VARIANTS[v];
            draw(&g, index, &r);
            rig_open(&g, VARIANTS[v]);
            for (int launch = 0; launch < LAUNCHES; launch++) {
                const int64_t last = (launch + 1) * g.shape.scores - 1;
                advance(&g, launch * g.shape.scores, launch & 1);
                check_offsets(&g, last, 1 - (launch & 1), rng_seed());
                check_look(&g, last, 1 - (launch & 1));
            }
            rig_close(&g);
            pair_release(&g.letters);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_offsets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
