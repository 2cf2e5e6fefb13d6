/* SPDX-License-Identifier: MIT */
/*
 * Subproblems that are split, and paths of base cases, as subjects of faults, see fault_subjects.h:
 * the known pair is packed, and a few of its ranges are solved in two portions or more.
 */
#include "fault_subjects.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"
#include "host/splits/ranges.h"
#include "host/splits/splitter.h"
#include "src/planner/engine_plan.h"

/* Of host/splits/split.c. Side by side all but the last, which takes launch after launch. */
static const rhomb_subproblem PAIRS[] = {{.pair = {30, 1100, 30, 1070, 55}},
                                         {.pair = {401, 800, 400, 778, 53}},
                                         {.pair = {0, 430, 0, 429, 1}},
                                         {.pair = {1200, 500, 1166, 4, 496}}};
enum { PROBLEMS = COUNT(PAIRS), WIDE = PROBLEMS - 1, SWEEPS = 3, SPLIT = 2 };

/* For sweeps; the same with the costs of `wfa`, and gaps at the borders of whole blocks; base
 * cases. */
static const rhomb_subproblem SWEPT[SWEEPS] = {{.pair = {30, 1100, 30, 1070, 55}},
                                               {.pair = {401, 800, 400, 778, 53}},
                                               {.pair = {1200, 500, 1166, 4, 496}}};
static const rhomb_subproblem SLICED[SWEEPS] = {
    {{30, 1104, 30, 1070, 0}, RHOMB_GAP_I, RHOMB_GAP_D},
    {{401, 800, 400, 778, 0}, RHOMB_GAP_D, RHOMB_GAP_I},
    {{1200, 500, 1166, 4, 0}, RHOMB_GAP_NONE, RHOMB_GAP_NONE}};
static const rhomb_subproblem RANGES[SWEEPS] = {
    {{100, 480, 100, 475, 0}, RHOMB_GAP_NONE, RHOMB_GAP_D},
    {{401, 150, 380, 178, 0}, RHOMB_GAP_I_2, RHOMB_GAP_D_2},
    {{1210, 40, 1190, 50, 0}, RHOMB_GAP_D, RHOMB_GAP_NONE}};

static const rhomb__costs WFA = {
    .mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}, .unit = 2, .doubled = 1};
static const rhomb__costs TWO_PIECES = {
    .mismatch = 4, .pieces = 2, .open = {4, 24}, .extend = {2, 1}, .unit = 1, .doubled = 1};

/* The pair, packed, and what is to be done with it. */
typedef struct work {
    fault_split_way way;
    rhomb__split_source source;
    rhomb__costs costs;
    rhomb_subproblem problems[SWEEPS]; /* with what they cost; made once, before anything fails */
    int64_t sum;                       /* of what comes out */
} work;

static void set_problems(work *w, const rhomb__known_pair *pair)
{
    static rhomb_subproblem made[FAULT_SPLIT_PATHS + 1][SWEEPS];
    rhomb_subproblem *problems = made[w->way];
    const bool unit = w->way == FAULT_SPLIT_SWEEPS, paths = w->way == FAULT_SPLIT_PATHS;
    w->costs = unit ? rhomb__costs_edit() : paths ? TWO_PIECES : WFA;
    if (problems[0].pair.target_length == 0) {
        memcpy(problems, unit ? SWEPT : paths ? RANGES : SLICED, sizeof made[0]);
        for (int i = 0; !unit && i < SWEEPS; i++)
            problems[i].pair.distance = rhomb__known_range_cost(pair, &problems[i], &w->costs);
    }
    memcpy(w->problems, problems, sizeof w->problems);
}

static void add_breakpoints(work *w, const rhomb__breakpoint *found, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        w->sum = w->sum * 31 + found[i].target * 7 + found[i].query * 5 + found[i].cost * 3 +
                 found[i].gap;
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

static split_case case_of(const work *w)
{
    if (w->way == FAULT_SPLIT_GROUPS)
        return (split_case){.way = &rhomb__split_groups,
                            .problems = PAIRS,
                            .count = PROBLEMS,
                            .tuning.portion_bytes = 2000};
    if (w->way == FAULT_SPLIT_WIDE)
        return (split_case){
            .way = &rhomb__split_wide,
            .plan = {.row = RHOMB__ROW_WAVEFRONT,
                     .wavefront = {.group_size = 1, .diagonals_per_item = 48, .tile_scores = 16}},
            .problems = PAIRS,
            .count = WIDE,
            /* it is waited for each launch */
            .tuning = {.portion_bytes = 2500, .portion_cells = 1},
            .portions = 2};
    if (w->way == FAULT_SPLIT_AFFINE)
        return (split_case){.way = &rhomb__split_affine,
                            .plan = {.row = RHOMB__ROW_AFFINE,
                                     .costs = w->costs,
                                     .planes = 2,
                                     .directions = 2,
                                     .wavefront = {.offset_bits = 32,
                                                   .group_size = 1,
                                                   .diagonals_per_item = 256,
                                                   .tile_scores = 100,
                                                   .launches_per_read = 4}},
                            .problems = w->problems,
                            .count = SWEEPS,
                            .tuning.portion_bytes = 40000,
                            .portions = 2};
    const bool sliced = w->way == FAULT_SPLIT_SLICED;
    return (split_case){.way = &rhomb__split_sweeps,
                        .plan = {.row = RHOMB__ROW_SWEEP,
                                 .costs = w->costs,
                                 .planes = 2,
                                 .directions = 2,
                                 .sweep.sliced = sliced,
                                 .sweep.group_size = 2,
                                 .sweep.lanes = 1,
                                 .sweep.words_per_item = 1,
                                 .sweep.blocks_per_launch = 8,
                                 .sweep.first_half_width = 16},
                        .problems = w->problems,
                        .count = SWEEPS,
                        .tuning.portion_bytes = sliced ? 24000 : 12000,
                        .portions = 2};
}

static rhomb_status split(rhomb_context *ctx, work *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *splitter = NULL;
    rhomb__breakpoint breakpoints[PROBLEMS];
    const split_case c = case_of(w);
    w->source.tuning = c.tuning;
    RHOMB_TRY(rhomb__splitter_open(ctx, c.way, &w->source, &splitter));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &c.plan, c.problems, c.count, breakpoints));
    assert_true(splitter->work.portions > 1);
    assert_true(c.portions == 0 || splitter->work.portions == c.portions);
    add_breakpoints(w, breakpoints, c.count);
out:
    rhomb__splitter_close(splitter);
    return status;
}

static rhomb_status solve_portion(work *w, rhomb__ranges *solver, int first, int count)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__cigar *paths = NULL;
    RHOMB_TRY(rhomb__ranges_start(solver, w->problems + first, count));
    RHOMB_TRY(rhomb__ranges_finish(solver, &paths));
    for (int i = 0; i < count; i++)
        for (int64_t k = 0; k < (int64_t)paths[i].count; k++)
            w->sum = w->sum % 1000003 * 31 + (int64_t)paths[i].ops[k];
out:
    return status;
}

static rhomb_status find_paths(rhomb_context *ctx, work *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb__ranges *solver = NULL;
    rhomb__ranges_needs needs = {0};
    for (int i = 0; i < SWEEPS; i++)
        rhomb__ranges_need(&w->costs, &w->problems[i], &needs);
    RHOMB_TRY(rhomb__ranges_open(ctx, &w->source, &w->costs, &needs, &solver));
    RHOMB_TRY(solve_portion(w, solver, 0, SPLIT));
    RHOMB_TRY(solve_portion(w, solver, SPLIT, SWEEPS - SPLIT));
out:
    rhomb__ranges_close(solver);
    return status;
}

static rhomb_status pack_and_solve(rhomb_context *ctx, work *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    set_problems(w, &p);
    const rhomb__codes codes = rhomb__known_pair_codes(2);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the target"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the query"};
    const rhomb__pair_packing packing = rhomb__pair_packing_windows(
        p.target_length, p.query_length, 2, w->way == FAULT_SPLIT_PATHS ? 1 : 2);
    w->source = (rhomb__split_source){.target = &target,
                                      .query = &query,
                                      .target_length = p.target_length,
                                      .query_length = p.query_length,
                                      .planes = 2,
                                      .offset_bits = 32};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(w->way == FAULT_SPLIT_PATHS ? find_paths(ctx, w) : split(ctx, w));
out:
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    return status;
}

void fault_run_split(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    work w = {.way = (fault_split_way)s->way};
    rhomb__error_clear(&ctx->stream.error);
    result->status = pack_and_solve(ctx, &w);
    fault_keep_detail(ctx, result);
    result->sum = result->status == RHOMB_OK ? w.sum % 1000003 : -2;
}
