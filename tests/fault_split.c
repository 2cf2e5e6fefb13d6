/* SPDX-License-Identifier: MIT */
/*
 * Problems that are split under fault injection, see fault_driver.h: the known pair is packed, a
 * few of its ranges are split in several portions, and the points are compared with what they have
 * to be.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"
#include "host/splits/splitter.h"
#include "src/planner/engine_plan.h"
#include "support/cost_sets.h"
#include "tests/reference/breakpoints.h"

/* The points of host/splits/split_kind.c, which test_split.c compares with a plain wavefront's. */
static const rhomb_subproblem PAIRS[] = {{.pair = {30, 1100, 30, 1070, 55}},
                                         {.pair = {401, 800, 400, 778, 53}},
                                         {.pair = {0, 430, 0, 429, 1}},
                                         {.pair = {1200, 500, 1166, 4, 496}}};
static const rhomb__breakpoint POINTS[] = {
    {826, 814, 28, 0}, {424, 414, 27, 0}, {430, 429, 1, 0}, {252, 4, 248, 0}};

/* Side by side all but the last, which takes launch after launch. */
enum { PROBLEMS = COUNT(PAIRS), WIDE = PROBLEMS - 1 };

/* Problems for sweeps, and where a plain dynamic program splits them by their middle columns. */
static const rhomb_subproblem SWEPT[] = {{.pair = {30, 1100, 30, 1070, 55}},
                                         {.pair = {401, 800, 400, 778, 53}},
                                         {.pair = {1200, 500, 1166, 4, 496}}};
static const rhomb__breakpoint MEETINGS[] = {
    {560, 555, 12, 0}, {400, 390, 26, 0}, {256, 0, 256, 0}};

/* The same with the costs of `wfa`, and gaps at the borders of whole blocks. */
static const rhomb__costs WFA = {
    .mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}, .unit = 2, .doubled = 1};
static const rhomb_subproblem SLICED[] = {
    {{30, 1104, 30, 1070, 0}, RHOMB_GAP_I, RHOMB_GAP_D},
    {{401, 800, 400, 778, 0}, RHOMB_GAP_D, RHOMB_GAP_I},
    {{1200, 500, 1166, 4, 0}, RHOMB_GAP_NONE, RHOMB_GAP_NONE}};

enum { SWEEPS = COUNT(SWEPT) };

/* What a way of sweeps splits, by which costs, and where. */
typedef struct swept {
    rhomb__costs costs;
    rhomb_subproblem problems[SWEEPS];
    rhomb__breakpoint meetings[SWEEPS];
} swept;

/* By breakpoints.h where the costs are not unit costs. */
static swept make_swept(fault_split_way way)
{
    swept s;
    rhomb__known_pair known;
    rhomb__known_pair_make(&known);
    memset(&s, 0, sizeof s);
    s.costs = way == FAULT_SPLIT_SLICED ? WFA : rhomb__costs_edit();
    memcpy(s.problems, way == FAULT_SPLIT_SLICED ? SLICED : SWEPT, sizeof s.problems);
    memcpy(s.meetings, MEETINGS, sizeof s.meetings);
    for (int i = 0; way == FAULT_SPLIT_SLICED && i < SWEEPS; i++) {
        rhomb_split_pair *of = &s.problems[i].pair;
        const plain_pair texts = {known.target + of->target_at, of->target_length,
                                  known.query + of->query_at, of->query_length, false};
        const oracle_penalties penalties = costs_penalties(&s.costs);
        const oracle_borders borders = {s.problems[i].begin_gap, s.problems[i].end_gap};
        const oracle_breakpoint at = oracle_split_sweep(&texts, &penalties, borders, &of->distance);
        s.meetings[i] = (rhomb__breakpoint){at.target, at.query, at.cost, at.gap};
    }
    return s;
}

/* Made once, before anything fails. */
static const swept *swept_of(fault_split_way way)
{
    static swept made[FAULT_SPLIT_WAYS];
    static bool is_made[FAULT_SPLIT_WAYS];
    if (!is_made[way])
        made[way] = make_swept(way);
    is_made[way] = true;
    return &made[way];
}

static bool is_swept(fault_split_way way)
{
    return way == FAULT_SPLIT_SWEEPS || way == FAULT_SPLIT_SLICED;
}

/* Those of unit costs that a way of wavefronts splits. */
static int problems_of(fault_split_way way)
{
    return way == FAULT_SPLIT_GROUPS ? PROBLEMS : way == FAULT_SPLIT_WIDE ? WIDE : 0;
}

static int64_t places_of(fault_split_way way)
{
    int64_t sum = 0;
    for (int i = 0; i < problems_of(way); i++)
        sum += POINTS[i].target + POINTS[i].query;
    const swept *s = swept_of(way == FAULT_SPLIT_AFFINE ? FAULT_SPLIT_SLICED : way);
    for (int i = 0; is_swept(way) && i < SWEEPS; i++)
        sum += s->meetings[i].target + s->meetings[i].query;
    return sum;
}

/* How a way of this test splits what, in how many portions (0: more than one) of how many bytes. */
typedef struct split_case {
    const rhomb__split_way *way;
    rhomb__plan plan;
    const rhomb_subproblem *problems;
    int64_t count;
    rhomb__split_tuning tuning;
    int64_t portions;
} split_case;

static split_case case_of(fault_split_way way)
{
    const swept *s = swept_of(way == FAULT_SPLIT_AFFINE ? FAULT_SPLIT_SLICED : way);
    if (way == FAULT_SPLIT_GROUPS)
        return (split_case){.way = &rhomb__split_groups,
                            .problems = PAIRS,
                            .count = PROBLEMS,
                            .tuning.portion_bytes = 2000};
    if (way == FAULT_SPLIT_WIDE)
        return (split_case){
            .way = &rhomb__split_wide,
            .plan = {.row = RHOMB__ROW_WAVEFRONT,
                     .wavefront = {.group_size = 1, .diagonals_per_item = 48, .tile_scores = 16}},
            .problems = PAIRS,
            .count = WIDE,
            .tuning = {.portion_bytes = 2500,
                       .portion_cells = 1}, /* it is waited for each launch */
            .portions = 2};
    if (way ==
        FAULT_SPLIT_AFFINE) /* the same problems as for sweeps, in two portions of launches */
        return (split_case){.way = &rhomb__split_affine,
                            .plan = {.row = RHOMB__ROW_AFFINE,
                                     .costs = WFA,
                                     .planes = 2,
                                     .directions = 2,
                                     .wavefront = {.offset_bits = 32,
                                                   .group_size = 1,
                                                   .diagonals_per_item = 256,
                                                   .tile_scores = 100,
                                                   .launches_per_read = 4}},
                            .problems = s->problems,
                            .count = SWEEPS,
                            .tuning.portion_bytes = 40000,
                            .portions = 2};
    return (split_case){.way = &rhomb__split_sweeps,
                        .plan = {.row = RHOMB__ROW_SWEEP,
                                 .costs = s->costs,
                                 .planes = 2,
                                 .directions = 2,
                                 .sweep.sliced = way == FAULT_SPLIT_SLICED,
                                 .sweep.group_size = 2,
                                 .sweep.lanes = 1,
                                 .sweep.words_per_item = 1,
                                 .sweep.blocks_per_launch = 8,
                                 .sweep.first_beside = 16},
                        .problems = s->problems,
                        .count = SWEEPS,
                        .tuning.portion_bytes = way == FAULT_SPLIT_SLICED ? 24000 : 12000,
                        .portions = 2};
}

static rhomb_status split(rhomb_context *ctx, fault_split_way way, rhomb__split_source *source,
                          rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *splitter = NULL;
    const split_case c = case_of(way);
    source->tuning = c.tuning;
    RHOMB_TRY(rhomb__splitter_open(ctx, c.way, source, &splitter));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &c.plan, c.problems, c.count, breakpoints));
    assert_true(splitter->work.portions > 1);
    assert_true(c.portions == 0 || splitter->work.portions == c.portions);
out:
    rhomb__splitter_close(splitter);
    return status;
}

/* Breakpoints of wavefronts: halves that cost what the whole does; and the same each time. */
static void check_affine(const rhomb__breakpoint *found)
{
    static rhomb__breakpoint first[SWEEPS];
    static bool is_known;
    const swept *s = swept_of(FAULT_SPLIT_SLICED);
    rhomb__known_pair known;
    rhomb__known_pair_make(&known);
    for (int i = 0; !is_known && i < SWEEPS; i++) {
        const rhomb__breakpoint *b = &found[i];
        rhomb_subproblem halves[2] = {s->problems[i], s->problems[i]};
        halves[0].pair.target_length = b->target;
        halves[0].pair.query_length = b->query;
        halves[1].pair.target_at += b->target;
        halves[1].pair.target_length -= b->target;
        halves[1].pair.query_at += b->query;
        halves[1].pair.query_length -= b->query;
        halves[0].end_gap = halves[1].begin_gap = b->gap;
        assert_int_equal(rhomb__known_range_cost(&known, &halves[0], &s->costs), b->cost);
        assert_int_equal(b->cost + rhomb__costs_of_opening(&s->costs, b->gap) +
                             rhomb__known_range_cost(&known, &halves[1], &s->costs),
                         s->problems[i].pair.distance);
        first[i] = *b;
    }
    is_known = true;
    assert_memory_equal(found, first, sizeof first);
}

/* Packs the pair and has it split. */
static rhomb_status pack_and_split(rhomb_context *ctx, fault_split_way way,
                                   rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const rhomb__codes codes = rhomb__known_pair_codes(2);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the target"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the query"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(p.target_length, p.query_length, 2, 2);
    rhomb__split_source source = {.target = &target,
                                  .query = &query,
                                  .target_length = p.target_length,
                                  .query_length = p.query_length,
                                  .planes = 2,
                                  .offset_bits = 32};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(split(ctx, way, &source, breakpoints));
out:
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    assert_int_equal(ctx->stream.bytes_in_use, 0);
    return status;
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const fault_split_way way = (fault_split_way)s->way;
    rhomb__breakpoint breakpoints[PROBLEMS];
    memset(breakpoints, 0, sizeof breakpoints);
    rhomb__error_clear(&ctx->stream.error);
    result->status = pack_and_split(ctx, way, breakpoints);
    fault_keep_detail(ctx, result);
    const swept *expected = swept_of(way);
    if (result->status == RHOMB_OK && is_swept(way))
        assert_memory_equal(breakpoints, expected->meetings, sizeof expected->meetings);
    else if (result->status == RHOMB_OK && way == FAULT_SPLIT_AFFINE)
        check_affine(breakpoints);
    else if (result->status == RHOMB_OK)
        assert_memory_equal(breakpoints, POINTS, (size_t)problems_of(way) * sizeof *breakpoints);
    result->distance = result->status == RHOMB_OK ? s->distance : -2;
}

fault_subject fault_split(fault_split_way way)
{
    const fault_subject s = {.run = run,
                             .way = way,
                             .distance = places_of(way),
                             .least_calls = 50,
                             .least_named = 3,
                             .strict = true};
    return s;
}
