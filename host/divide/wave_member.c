/* SPDX-License-Identifier: MIT */
/*
 * A device that splits subproblems by wavefronts, see wave_member.h.
 */
#include "host/divide/wave_member.h"

#include "host/device/context.h"
#include "host/splits/split_affine.h"
#include "host/splits/split_wide.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>

rhomb_status rhomb__wave_member_open(rhomb__wave_member *m, rhomb_context *ctx,
                                     const rhomb__task *whole, int64_t cost,
                                     const rhomb__buffer *target, const rhomb__buffer *query,
                                     const rhomb__split_source *source)
{
    rhomb_status status = RHOMB_OK;
    const int64_t longer = rhomb__max(whole->target_length, whole->query_length);
    rhomb__task task = *whole;
    m->source = *source;
    m->source.target = target;
    m->source.query = query;
    m->source.target_length = whole->target_length;
    m->source.query_length = whole->query_length;
    m->source.planes = whole->plan.planes;
    m->source.offset_bits = longer <= RHOMB__MAX_LENGTH_32 ? 32 : 64;
    if (rhomb__affine_can(&whole->plan.costs))
        RHOMB_TRY(rhomb__task_plan_subproblem(ctx, whole, &task, cost, false));
    m->plan = task.plan;
    if (rhomb__costs_are_edit(&whole->plan.costs))
        RHOMB_TRY(rhomb__splitter_open(ctx, &m->source, &m->splitter));
out:
    return status;
}

/* The breakpoints of subproblems with unit costs. */
static rhomb_status split_edits(rhomb__wave_member *m, rhomb_context *ctx, bool large,
                                const rhomb_subproblem *subproblems, int64_t count,
                                rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    const size_t size = (size_t)count;
    rhomb_split_pair *pairs = malloc(size * sizeof *pairs);
    rhomb_split_point *found = malloc(size * sizeof *found);
    if (pairs == NULL || found == NULL) {
        status = rhomb__fail_memory(&ctx->stream.error, size * (sizeof *pairs + sizeof *found),
                                    "the subproblems of an alignment");
        goto out;
    }
    for (size_t i = 0; i < size; i++)
        pairs[i] = subproblems[i].pair;
    if (large)
        RHOMB_TRY(
            rhomb__split_wide_solve(ctx, &m->source, &m->plan, pairs, count, found, &m->work));
    else
        RHOMB_TRY(rhomb__split_solve(m->splitter, pairs, count, found));
    for (size_t i = 0; i < size; i++) {
        breakpoints[i] = (rhomb__breakpoint){.target = found[i].target,
                                             .query = found[i].query,
                                             .cost = rhomb__ceil_div(pairs[i].distance, 2)};
    }
out:
    free(found);
    free(pairs);
    return status;
}

/* The cells that a member has computed. */
static int64_t cells_of(const rhomb__wave_member *m)
{
    return m->work.cells + (m->splitter != NULL ? rhomb__splitter_work(m->splitter).cells : 0);
}

rhomb_status rhomb__wave_member_split(rhomb__wave_member *m, rhomb_context *ctx, bool large,
                                      const rhomb_subproblem *subproblems, int64_t count,
                                      rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    const int64_t before = cells_of(m);
    if (rhomb__costs_are_edit(&m->plan.costs))
        RHOMB_TRY(split_edits(m, ctx, large, subproblems, count, breakpoints));
    else
        RHOMB_TRY(rhomb__split_affine_solve(ctx, &m->source, &m->plan, subproblems, count,
                                            breakpoints, &m->work));
    *cells += cells_of(m) - before;
out:
    return status;
}

void rhomb__wave_member_close(rhomb__wave_member *m)
{
    rhomb__splitter_close(m->splitter);
    m->splitter = NULL;
}
