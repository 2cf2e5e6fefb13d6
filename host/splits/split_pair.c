/* SPDX-License-Identifier: MIT */
/* Whether subproblems and breakpoints are possible: see split_pair.h. */
#include "host/splits/split_pair.h"

#include "host/device/context.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

/* 0 + 1 + ... + last. */
static int64_t sum_up_to(int64_t last)
{
    return last * (last + 1) / 2;
}

/* The sum of min(r, most, c - r) over columns 0 <= r <= last <= c + 1, for c and most >= 0. */
static int64_t side_cells(int64_t last, int64_t most, int64_t c)
{
    const int64_t rising = rhomb__min(most, c / 2);
    const int64_t flat = rhomb__max(rising, c - most); /* it stays as high up to here */
    const int64_t level = rhomb__max(rhomb__min(last, flat) - rising, 0);
    const int64_t falling = rhomb__max(last - flat, 0);
    return sum_up_to(rhomb__min(last, rising)) + level * most + falling * (c - flat) -
           sum_up_to(falling);
}

int64_t rhomb__split_cells(const rhomb_split_pair *pair)
{
    const int64_t m = pair->query_length, n = pair->target_length, d = pair->distance;
    int64_t cells = 0;
    for (int direction = 0; direction < 2; direction++) {
        const int64_t last = (d + 1 - direction) / 2;
        cells += side_cells(last, n, d + (n - m)) + side_cells(last, m, d - (n - m)) + last + 1;
    }
    return cells;
}

static bool is_range(int64_t at, int64_t length, int64_t whole)
{
    return at >= 0 && length >= 0 && at <= whole && length <= whole - at;
}

bool rhomb__split_is_within(const rhomb__split_source *source, const rhomb_split_pair *pair)
{
    return is_range(pair->target_at, pair->target_length, source->target_length) &&
           is_range(pair->query_at, pair->query_length, source->query_length);
}

rhomb_status rhomb__split_check_pair(rhomb_context *ctx, const rhomb__split_source *source,
                                     const rhomb_split_pair *pair, int64_t most)
{
    const int64_t m = pair->query_length, n = pair->target_length, d = pair->distance;
    if (rhomb__split_is_within(source, pair) && d >= 1 && d <= most && d >= n - m && d >= m - n &&
        d <= rhomb__max(m, n))
        return RHOMB_OK;
    return rhomb__fail(
        &ctx->stream.error, RHOMB_ERR_INTERNAL,
        "no subproblem to split: distance %lld, %lld bases from %lld on and %lld from %lld on",
        (long long)d, (long long)n, (long long)pair->target_at, (long long)m,
        (long long)pair->query_at);
}

bool rhomb__split_has_gap(const rhomb__costs *costs, int32_t gap)
{
    return gap == RHOMB_GAP_NONE ||
           (gap >= RHOMB_GAP_D && gap <= RHOMB_GAP_I_2 && RHOMB_GAP_PIECE(gap) < costs->pieces);
}

bool rhomb__subproblem_is_possible(const rhomb__costs *costs, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    if (!rhomb__split_has_gap(costs, subproblem->begin_gap) ||
        !rhomb__split_has_gap(costs, subproblem->end_gap))
        return false;
    const int64_t least = rhomb__costs_least(costs, n, m) -
                          rhomb__costs_of_opening(costs, subproblem->begin_gap) -
                          rhomb__costs_of_opening(costs, subproblem->end_gap);
    return subproblem->pair.distance >= least &&
           subproblem->pair.distance <= rhomb__costs_most(costs, n, m);
}

rhomb_status rhomb__split_check(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb__costs *costs, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    if (rhomb__split_is_within(source, pair) && rhomb__subproblem_is_possible(costs, subproblem))
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL,
                       "no subproblem to split: distance %lld, gaps %d and %d, %lld bases from "
                       "%lld on and %lld from %lld on",
                       (long long)pair->distance, (int)subproblem->begin_gap,
                       (int)subproblem->end_gap, (long long)pair->target_length,
                       (long long)pair->target_at, (long long)pair->query_length,
                       (long long)pair->query_at);
}

rhomb_status rhomb__split_take_point(rhomb_context *ctx, const rhomb_split_pair *pair,
                                     const rhomb_split_point *point, rhomb__breakpoint *breakpoint)
{
    const int64_t m = pair->query_length, n = pair->target_length, d = pair->distance;
    const int64_t i = point->query, j = point->target;
    if (point->status == RHOMB_SPLIT_FOUND && i >= 0 && i <= m && j >= 0 && j <= n) {
        const int64_t first = (d + 1) / 2, second = d / 2;
        const int64_t rest = (n - j) - (m - i);
        if (j - i <= first && i - j <= first && rest <= second && -rest <= second &&
            rhomb__max(i, j) >= first && rhomb__max(m - i, n - j) >= second) {
            *breakpoint = (rhomb__breakpoint){.target = j, .query = i, .cost = first};
            return RHOMB_OK;
        }
    }
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: a subproblem of %lld by %lld bases with distance %lld %s (%lld, %lld)",
                       ctx->stream.device->info.name, (long long)n, (long long)m, (long long)d,
                       point->status == RHOMB_SPLIT_APART  ? "has no breakpoint"
                       : point->status == RHOMB_SPLIT_LESS ? "seems to have a smaller one"
                                                           : "cannot be split at",
                       (long long)j, (long long)i);
}

rhomb_split_whole rhomb__split_whole_of(const rhomb__split_source *source)
{
    const int64_t words = sizeof(rhomb_u32);
    const rhomb_split_whole whole = {
        .query_length = source->query_length,
        .target_length = source->target_length,
        .query_backward = rhomb__packed_bytes(source->query_length, source->planes) / words,
        .target_backward = rhomb__packed_bytes(source->target_length, source->planes) / words};
    return whole;
}
