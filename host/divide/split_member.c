/* SPDX-License-Identifier: MIT */
/* A device that splits subproblems, see split_member.h. */
#include "host/divide/split_member.h"

#include "host/device/context.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

rhomb_status rhomb__split_member_open(rhomb__split_member *m, const rhomb__device_group_part *part,
                                      const rhomb__aligner *aligner,
                                      const rhomb__device_group_order *order,
                                      rhomb_status (*advance)(rhomb_context *, double, void *),
                                      void *user)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *whole = &aligner->whole;
    const rhomb__device_stream *stream = &part->ctx->stream;
    const bool is_edit = rhomb__costs_are_edit(&whole->plan.costs);
    const int64_t left = stream->device->info.memory_bytes - stream->bytes_in_use;
    const int64_t longer = rhomb__max(whole->target_length, whole->query_length);
    const rhomb__split_source source = {
        .target = part->target,
        .query = part->query,
        .target_length = whole->target_length,
        .query_length = whole->query_length,
        .planes = whole->plan.planes,
        .offset_bits = longer <= RHOMB__MAX_LENGTH_32 ? 32 : 64,
        .tuning.portion_bytes =
            order->by_waves ? order->portion_bytes : rhomb__min(order->portion_bytes, left),
        .advance = advance,
        .user = user};
    rhomb__task task = *whole;
    m->aligner = aligner;
    m->by_waves = order->by_waves;
    if (order->by_waves && rhomb__affine_can(&whole->plan.costs))
        RHOMB_TRY(rhomb__task_plan_subproblem(part->ctx, whole, &task, order->cost, false));
    m->plan = task.plan;
    RHOMB_TRY(rhomb__splitter_open(part->ctx,
                                   !order->by_waves ? &rhomb__split_sweeps
                                   : is_edit        ? &rhomb__split_wide
                                                    : &rhomb__split_affine,
                                   &source, &m->large));
    if (order->by_waves && is_edit)
        RHOMB_TRY(rhomb__splitter_open(part->ctx, &rhomb__split_groups, &source, &m->small));
out:
    return status;
}

rhomb_status rhomb__split_member_solve(rhomb__split_member *m, const rhomb__device_group_part *part,
                                       bool large)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *splitter = large ? m->large : m->small;
    const int64_t before = splitter->work.cells;
    if (!m->by_waves)
        RHOMB_TRY(rhomb__align_plan_strips(m->aligner, part->ctx, part->subproblems, part->count,
                                           &m->plan));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &m->plan, part->subproblems, part->count,
                                    part->breakpoints));
    *part->cells += splitter->work.cells - before;
out:
    return status;
}

void rhomb__split_member_close(rhomb__split_member *m)
{
    rhomb__splitter_close(m->large);
    rhomb__splitter_close(m->small);
}
