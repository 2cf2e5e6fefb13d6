/* SPDX-License-Identifier: MIT */
/*
 * Swept subproblems on several devices, see crew_sweeps.h.
 */
#include "host/divide/crew_sweeps.h"

#include "host/device/context.h"
#include "host/divide/remote_crew.h"
#include "host/splits/sweep_many.h"
#include "src/base/int64.h"

#include <stdlib.h>

struct rhomb__crew_sweeps {
    rhomb__aligner *aligner;
    rhomb__crew *crew;
    int64_t portion_bytes;
    rhomb__sweeper *sweepers[RHOMB_MOST_DEVICES]; /* of the members */
};

/* Of rhomb__sweep_source; `user` is the crew. */
static rhomb_status advance(rhomb_context *ctx, double fraction, void *user)
{
    return rhomb__crew_go_on(user, ctx, fraction);
}

/* A rhomb__crew_fn: opens the sweeper of a member. */
static rhomb_status open_sweeper(const rhomb__crew_part *part, void *user)
{
    rhomb__crew_sweeps *sweeps = user;
    const rhomb__task *whole = &sweeps->aligner->whole;
    const rhomb__device_stream *stream = &part->ctx->stream;
    const rhomb__crew_order order = {.portion_bytes = sweeps->portion_bytes};
    if (part->ctx->remote != NULL)
        return rhomb__remote_crew_open(part->ctx, whole, &order);
    const rhomb__sweep_source source = {
        .target = part->target,
        .query = part->query,
        .target_length = whole->target_length,
        .query_length = whole->query_length,
        .portion_bytes = rhomb__min(sweeps->portion_bytes,
                                    stream->device->info.memory_bytes - stream->bytes_in_use),
        .advance = advance,
        .user = sweeps->crew};
    return rhomb__sweeper_open(part->ctx, &source, &sweeps->sweepers[part->member]);
}

rhomb_status rhomb__crew_sweeps_open(rhomb__aligner *aligner, rhomb__crew *crew,
                                     int64_t portion_bytes, rhomb__crew_sweeps **out)
{
    rhomb__crew_sweeps *sweeps = calloc(1, sizeof *sweeps);
    *out = sweeps;
    if (sweeps == NULL)
        return rhomb__fail_memory(&aligner->ctx->stream.error, sizeof *sweeps, "sweepers");
    sweeps->aligner = aligner;
    sweeps->crew = crew;
    sweeps->portion_bytes = portion_bytes;
    return rhomb__crew_each(crew, open_sweeper, sweeps);
}

/* A rhomb__crew_fn: a part of a round. */
static rhomb_status sweep_part(const rhomb__crew_part *part, void *user)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__crew_sweeps *sweeps = user;
    rhomb__sweeper *sweeper = sweeps->sweepers[part->member];
    rhomb__plan plan;
    if (part->ctx->remote != NULL)
        return rhomb__remote_crew_solve(part, true);
    const int64_t before = rhomb__sweeper_work(sweeper).cells;
    RHOMB_TRY(rhomb__align_plan_strips(sweeps->aligner, part->ctx, part->subproblems, part->count,
                                       &plan));
    RHOMB_TRY(
        rhomb__sweeper_solve(sweeper, &plan, part->subproblems, part->count, part->breakpoints));
    *part->cells += rhomb__sweeper_work(sweeper).cells - before;
out:
    return status;
}

/* A rhomb__crew_seconds. */
static double seconds_of(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const double longer = (double)rhomb__max(pair->target_length, pair->query_length);
    return longer * (double)pair->distance / rates->sweep_cells_per_second;
}

rhomb_status rhomb__crew_sweeps_solve(rhomb__crew_sweeps *sweeps,
                                      const rhomb_subproblem *subproblems, int64_t count,
                                      rhomb__breakpoint *breakpoints, int64_t *cells)
{
    const rhomb__crew_round round = {.subproblems = subproblems,
                                     .count = count,
                                     .seconds = seconds_of,
                                     .split = sweep_part,
                                     .user = sweeps};
    return rhomb__crew_solve(sweeps->crew, &round, breakpoints, cells);
}

void rhomb__crew_sweeps_close(rhomb__crew_sweeps *sweeps)
{
    if (sweeps == NULL)
        return;
    for (int32_t i = 0; i < rhomb__crew_count(sweeps->crew); i++) {
        rhomb_context *ctx = rhomb__crew_context(sweeps->crew, i);
        if (ctx->remote != NULL)
            rhomb__remote_crew_close(ctx);
        rhomb__sweeper_close(sweeps->sweepers[i]);
    }
    free(sweeps);
}
