/* SPDX-License-Identifier: MIT */
/*
 * Subproblems split by wavefronts on several devices, see crew_waves.h.
 */
#include "host/divide/crew_waves.h"

#include "host/device/context.h"
#include "host/splits/split.h"
#include "host/splits/split_affine.h"
#include "host/splits/split_wide.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>

/* What a member needs for all rounds. */
typedef struct wave_member {
    rhomb__split_source source;
    rhomb__splitter *splitter; /* unit costs: for those that a group can split; else NULL */
    rhomb__plan plan;          /* with the tiles for those that are too large for one group */
    rhomb__split_work work;    /* of the latter, or with other costs of all */
} wave_member;

struct rhomb__crew_waves {
    rhomb__aligner *aligner;
    rhomb__crew *crew;
    int64_t portion_bytes;
    wave_member members[RHOMB_MOST_DEVICES];
    bool large; /* of the running round */
};

int32_t rhomb__crew_waves_means(const rhomb__aligner *aligner)
{
    return rhomb__costs_are_edit(&aligner->whole.plan.costs) ? RHOMB__BY_WAVEFRONTS
                                                             : RHOMB__BY_AFFINE_WAVEFRONTS;
}

/* Of rhomb__split_source; `user` is the crew. */
static rhomb_status portion_done(rhomb_context *ctx, int64_t cells_done, int64_t cells, void *user)
{
    return rhomb__crew_go_on(user, ctx, (double)cells_done / (double)rhomb__max(cells, 1));
}

/*
 * A rhomb__crew_fn: where the packed pair is, the tiles if there can be any, and with unit costs
 * the splitter.
 */
static rhomb_status open_member(const rhomb__crew_part *part, void *user)
{
    rhomb_status status = RHOMB_OK;
    rhomb__crew_waves *waves = user;
    rhomb__aligner *a = waves->aligner;
    wave_member *m = &waves->members[part->member];
    const rhomb__task *whole = &a->whole;
    if (part->ctx->remote != NULL)
        return RHOMB_OK;
    const int64_t longer = rhomb__max(whole->target_length, whole->query_length);
    rhomb__task task = *whole;
    m->source = (rhomb__split_source){.target = part->target,
                                      .query = part->query,
                                      .target_length = whole->target_length,
                                      .query_length = whole->query_length,
                                      .planes = whole->plan.planes,
                                      .offset_bits = longer <= RHOMB__MAX_LENGTH_32 ? 32 : 64,
                                      .tuning = {.portion_bytes = waves->portion_bytes},
                                      .portion_done = portion_done,
                                      .user = waves->crew};
    if (rhomb__affine_can(&whole->plan.costs))
        RHOMB_TRY(
            rhomb__task_plan_subproblem(part->ctx, whole, &task, a->cost, RHOMB_ENGINE_WAVEFRONT));
    m->plan = task.plan;
    if (rhomb__costs_are_edit(&whole->plan.costs))
        RHOMB_TRY(rhomb__splitter_open(part->ctx, &m->source, &m->splitter));
out:
    return status;
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

/* The breakpoints of a part, with unit costs. */
static rhomb_status split_edits(const rhomb__crew_part *part, bool large, wave_member *m)
{
    rhomb_status status = RHOMB_OK;
    const size_t count = (size_t)part->count;
    rhomb_split_pair *pairs = malloc(count * sizeof *pairs);
    rhomb_split_point *found = malloc(count * sizeof *found);
    if (pairs == NULL || found == NULL) {
        status =
            rhomb__fail_memory(&part->ctx->stream.error, count * (sizeof *pairs + sizeof *found),
                               "the subproblems of an alignment");
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        pairs[i] = part->subproblems[i].pair;
    if (large)
        RHOMB_TRY(rhomb__split_wide_solve(part->ctx, &m->source, &m->plan, pairs, part->count,
                                          found, &m->work));
    else
        RHOMB_TRY(rhomb__split_solve(m->splitter, pairs, part->count, found));
    for (size_t i = 0; i < count; i++) {
        part->breakpoints[i] = (rhomb__breakpoint){.target = found[i].target,
                                                   .query = found[i].query,
                                                   .cost = rhomb__ceil_div(pairs[i].distance, 2)};
    }
out:
    free(found);
    free(pairs);
    return status;
}

/* The cells that a member has computed. */
static int64_t cells_of(const wave_member *m)
{
    return m->work.cells + (m->splitter != NULL ? rhomb__splitter_work(m->splitter).cells : 0);
}

/* A rhomb__crew_fn: a part of a round. */
static rhomb_status split_part(const rhomb__crew_part *part, void *user)
{
    rhomb_status status = RHOMB_OK;
    rhomb__crew_waves *waves = user;
    wave_member *m = &waves->members[part->member];
    const int64_t before = cells_of(m);
    m->source.keeper = part->keeper;
    if (rhomb__costs_are_edit(&m->plan.costs))
        RHOMB_TRY(split_edits(part, waves->large, m));
    else
        RHOMB_TRY(rhomb__split_affine_solve(part->ctx, &m->source, &m->plan, part->subproblems,
                                            part->count, part->breakpoints, &m->work));
    *part->cells += cells_of(m) - before;
out:
    return status;
}

/* A rhomb__crew_seconds. */
static double seconds_of(const rhomb_rates *rates, const rhomb_subproblem *subproblem)
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
                                     .means = large ? rhomb__crew_waves_means(waves->aligner)
                                                    : RHOMB__NOT_SAVED,
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
    for (int32_t i = 0; i < rhomb__crew_count(waves->crew); i++)
        rhomb__splitter_close(waves->members[i].splitter);
    free(waves);
}
