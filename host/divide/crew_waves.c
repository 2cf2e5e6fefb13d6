/* SPDX-License-Identifier: MIT */
/*
 * Subproblems split by wavefronts on several devices, see crew_waves.h.
 */
#include "host/divide/crew_waves.h"

#include "host/device/context.h"
#include "host/divide/remote_crew.h"
#include "host/divide/wave_member.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>

struct rhomb__crew_waves {
    rhomb__aligner *aligner;
    rhomb__crew *crew;
    int64_t portion_bytes;
    rhomb__wave_member members[RHOMB_MOST_DEVICES];
    bool large; /* of the running round */
};

/* Of rhomb__split_source; `user` is the crew. */
static rhomb_status portion_done(rhomb_context *ctx, int64_t cells_done, int64_t cells, void *user)
{
    return rhomb__crew_go_on(user, ctx, (double)cells_done / (double)rhomb__max(cells, 1));
}

/* A rhomb__crew_fn. */
static rhomb_status open_member(const rhomb__crew_part *part, void *user)
{
    rhomb__crew_waves *waves = user;
    const rhomb__aligner *a = waves->aligner;
    const rhomb__crew_order order = {
        .by_waves = true, .portion_bytes = waves->portion_bytes, .cost = a->cost};
    if (part->ctx->remote != NULL)
        return rhomb__remote_crew_open(part->ctx, &a->whole, &order);
    const rhomb__split_source source = {.tuning = {.portion_bytes = waves->portion_bytes},
                                        .portion_done = portion_done,
                                        .user = waves->crew};
    return rhomb__wave_member_open(&waves->members[part->member], part->ctx, &a->whole, a->cost,
                                   part->target, part->query, &source);
}

rhomb_status rhomb__crew_waves_open(rhomb__aligner *aligner, rhomb__crew *crew,
                                    int64_t portion_bytes, rhomb__crew_waves **out)
{
    rhomb__crew_waves *waves = calloc(1, sizeof *waves);
    *out = waves;
    if (waves == NULL)
        return rhomb__fail_memory(&aligner->ctx->stream.error, sizeof *waves, "splitters");
    waves->aligner = aligner;
    waves->crew = crew;
    waves->portion_bytes = portion_bytes;
    return rhomb__crew_each(crew, open_member, waves);
}

/* A rhomb__crew_fn: a part of a round. */
static rhomb_status split_part(const rhomb__crew_part *part, void *user)
{
    rhomb__crew_waves *waves = user;
    rhomb__wave_member *m = &waves->members[part->member];
    if (part->ctx->remote != NULL)
        return rhomb__remote_crew_solve(part, waves->large);
    return rhomb__wave_member_split(m, part->ctx, waves->large, part->subproblems, part->count,
                                    part->breakpoints, part->cells);
}

/* A rhomb__crew_seconds. */
static double seconds_of(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const double distance = (double)subproblem->pair.distance;
    return distance * distance / rates->cells_per_second;
}

rhomb_status rhomb__crew_waves_solve(rhomb__crew_waves *waves, bool large,
                                     const rhomb_subproblem *subproblems, int64_t count,
                                     rhomb__breakpoint *breakpoints, int64_t *cells)
{
    const rhomb__crew_round round = {.subproblems = subproblems,
                                     .count = count,
                                     .seconds = seconds_of,
                                     .split = split_part,
                                     .user = waves};
    waves->large = large;
    return rhomb__crew_solve(waves->crew, &round, breakpoints, cells);
}

void rhomb__crew_waves_close(rhomb__crew_waves *waves)
{
    if (waves == NULL)
        return;
    for (int32_t i = 0; i < rhomb__crew_count(waves->crew); i++) {
        rhomb_context *ctx = rhomb__crew_context(waves->crew, i);
        if (ctx->remote != NULL)
            rhomb__remote_crew_close(ctx);
        rhomb__wave_member_close(&waves->members[i]);
    }
    free(waves);
}
