/* SPDX-License-Identifier: MIT */
/*
 * Paths of base cases with gap-affine costs under fault injection, see fault_driver.h: the known
 * pair is packed, and two portions of its ranges, with borders within gaps, are solved. What comes
 * out has to cost what plain dynamic programming says.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"
#include "host/splits/ranges.h"
#include "tests/reference/gotoh.h"

/* The distances are those of COSTS; one portion before, and one after `SPLIT`. */
static rhomb_subproblem ranges[] = {{{100, 480, 100, 475, 0}, RHOMB_GAP_NONE, RHOMB_GAP_D},
                                    {{401, 150, 380, 178, 0}, RHOMB_GAP_I_2, RHOMB_GAP_D_2},
                                    {{1210, 40, 1190, 50, 0}, RHOMB_GAP_D, RHOMB_GAP_NONE}};
enum { RANGES = COUNT(ranges), SPLIT = 2 };

static const oracle_penalties PENALTIES = {
    .mismatch = 4, .pieces = 2, .open = {4, 24}, .extend = {2, 1}};

static const rhomb__costs COSTS = {
    .mismatch = 4, .pieces = 2, .open = {4, 24}, .extend = {2, 1}, .unit = 1, .doubled = 1};

/* Sets the distances; returns their sum. */
static int64_t price_ranges(const rhomb__known_pair *p)
{
    int64_t sum = 0;
    for (int i = 0; i < RANGES; i++) {
        rhomb_split_pair *range = &ranges[i].pair;
        range->distance =
            oracle_gotoh_borders(p->target + range->target_at, range->target_length,
                                 p->query + range->query_at, range->query_length, &PENALTIES,
                                 (oracle_borders){ranges[i].begin_gap, ranges[i].end_gap});
        sum += range->distance;
    }
    return sum;
}

static rhomb_status solve_portion(rhomb__ranges *solver, int first, int count, int64_t *sum)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__cigar *paths = NULL;
    RHOMB_TRY(rhomb__ranges_start(solver, ranges + first, count));
    RHOMB_TRY(rhomb__ranges_finish(solver, &paths));
    for (int i = 0; i < count; i++)
        *sum += oracle_path_penalty(
            paths[i].ops, paths[i].count, &PENALTIES,
            (oracle_borders){ranges[first + i].begin_gap, ranges[first + i].end_gap});
out:
    return status;
}

static rhomb_status pack_and_solve(rhomb_context *ctx, int64_t *sum)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb__ranges *solver = NULL;
    rhomb__ranges_needs needs = {0};
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const rhomb__codes codes = rhomb__known_pair_codes(2);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the target"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the query"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(p.target_length, p.query_length, 2, 1);
    const rhomb__split_source source = {.target = &target,
                                        .query = &query,
                                        .target_length = p.target_length,
                                        .query_length = p.query_length,
                                        .planes = 2};
    for (int i = 0; i < RANGES; i++)
        rhomb__ranges_need(&COSTS, &ranges[i], &needs);
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(rhomb__ranges_open(ctx, &source, &COSTS, &needs, &solver));
    RHOMB_TRY(solve_portion(solver, 0, SPLIT, sum));
    RHOMB_TRY(solve_portion(solver, SPLIT, RANGES - SPLIT, sum));
out:
    rhomb__ranges_close(solver);
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    assert_int_equal(ctx->stream.bytes_in_use, 0);
    return status;
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    int64_t sum = 0;
    rhomb__error_clear(&ctx->stream.error);
    result->status = pack_and_solve(ctx, &sum);
    fault_keep_detail(ctx, result);
    if (result->status == RHOMB_OK)
        assert_int_equal(sum, s->distance);
    result->distance = result->status == RHOMB_OK ? s->distance : -2;
}

fault_subject fault_paths(void)
{
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const fault_subject s = {.run = run,
                             .distance = price_ranges(&p),
                             .least_calls = 40,
                             .least_named = 3,
                             .strict = true};
    return s;
}
