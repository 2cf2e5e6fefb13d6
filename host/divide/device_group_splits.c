/* SPDX-License-Identifier: MIT */
/*
 * Subproblems split on several devices, see device_group.h.
 */
#include "host/divide/device_group.h"

#include "host/device/context.h"
#include "host/divide/remote_group.h"
#include "host/divide/split_member.h"
#include "src/base/int64.h"

#include <stdlib.h>

struct rhomb__group_splits {
    rhomb__aligner *aligner;
    rhomb__device_group *group;
    rhomb__device_group_order order;
    rhomb__split_member members[RHOMB_MOST_DEVICES];
    bool large; /* of the running round */
};

/* Of rhomb__split_source; `user` is the device group. */
static rhomb_status advance(rhomb_context *ctx, double fraction, void *user)
{
    return rhomb__device_group_go_on(user, ctx, fraction);
}

/* A rhomb__device_group_fn. */
static rhomb_status open_member(const rhomb__device_group_part *part, void *user)
{
    rhomb__group_splits *splits = user;
    const rhomb__aligner *a = splits->aligner;
    return part->ctx->remote != NULL
               ? rhomb__remote_group_open(part->ctx, &a->whole, &splits->order)
               : rhomb__split_member_open(&splits->members[part->member], part, a, &splits->order,
                                          advance, splits->group);
}

rhomb_status rhomb__group_splits_open(rhomb__aligner *aligner, rhomb__device_group *group,
                                      bool by_waves, int64_t portion_bytes,
                                      rhomb__group_splits **out)
{
    rhomb__group_splits *splits = calloc(1, sizeof *splits);
    *out = splits;
    if (splits == NULL)
        return rhomb__fail_memory(&aligner->ctx->stream.error, sizeof *splits, "splitters");
    splits->aligner = aligner;
    splits->group = group;
    splits->order = (rhomb__device_group_order){by_waves, portion_bytes, aligner->cost};
    return rhomb__device_group_each(group, open_member, splits);
}

/* A rhomb__device_group_fn: a part of a round. */
static rhomb_status split_part(const rhomb__device_group_part *part, void *user)
{
    rhomb__group_splits *splits = user;
    return part->ctx->remote != NULL
               ? rhomb__remote_group_solve(part, splits->large)
               : rhomb__split_member_solve(&splits->members[part->member], part, splits->large);
}

/* Both a rhomb__device_group_seconds. */
static double sweep_seconds(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const double longer = (double)rhomb__max(pair->target_length, pair->query_length);
    return longer * (double)pair->distance / rates->sweep_cells_per_second;
}

static double wave_seconds(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const double distance = (double)subproblem->pair.distance;
    return distance * distance / rates->cells_per_second;
}

rhomb_status rhomb__group_splits_solve(rhomb__group_splits *splits, bool large,
                                       const rhomb_subproblem *subproblems, int64_t count,
                                       rhomb__breakpoint *breakpoints, int64_t *cells)
{
    const rhomb__device_group_round round = {.subproblems = subproblems,
                                             .count = count,
                                             .seconds = splits->order.by_waves ? wave_seconds
                                                                               : sweep_seconds,
                                             .split = split_part,
                                             .user = splits};
    splits->large = large;
    return rhomb__device_group_solve(splits->group, &round, breakpoints, cells);
}

void rhomb__group_splits_close(rhomb__group_splits *splits)
{
    if (splits == NULL)
        return;
    for (int32_t i = 0; i < rhomb__device_group_count(splits->group); i++) {
        rhomb_context *ctx = rhomb__device_group_context(splits->group, i);
        if (ctx->remote != NULL)
            rhomb__remote_group_close(ctx);
        rhomb__split_member_close(&splits->members[i]);
    }
    free(splits);
}
