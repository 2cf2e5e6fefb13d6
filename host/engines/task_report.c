/* SPDX-License-Identifier: MIT */
/* What a solved task reports, and whether the devices of a context share a pair, see task.h. */
#include "host/engines/task.h"

#include "host/device/context.h"
#include "rhomb/identity.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <string.h>

void rhomb__shares_publish(const rhomb__solution *solution, rhomb__shares *shares,
                           rhomb_report *report)
{
    memcpy(shares->each, solution->shares, sizeof shares->each);
    for (int32_t i = 0; i < RHOMB_MOST_DEVICES; i++)
        shares->pointers[i] = &shares->each[i];
    report->share_count = solution->share_count;
    report->shares = shares->pointers;
}

void rhomb__task_fill_report(const rhomb__task *task, const rhomb__solution *solution,
                             rhomb_report *report)
{
    const int64_t longer = rhomb__max(task->target_length, task->query_length);
    const rhomb__costs *costs = &task->plan.costs;
    const bool exceeds = solution->distance < 0;
    const bool is_edit = rhomb__costs_are_edit(costs);
    report->target_length = task->target_length;
    report->query_length = task->query_length;
    report->target_bases = task->target_bases;
    report->query_bases = task->query_bases;
    report->max_distance = task->options.max_distance;
    report->distance = exceeds ? -1 : solution->distance * costs->unit;
    report->exceeds_max_distance = exceeds;
    report->edit_penalty = is_edit ? costs->unit : 0;
    report->similarity = exceeds || !is_edit ? -1 : rhomb_similarity(solution->distance, longer);
    report->has_score = costs->match > 0 && !exceeds;
    if (report->has_score)
        report->score =
            rhomb__costs_score(costs, task->target_length, task->query_length, report->distance);
    report->cells = solution->cells;
    report->batches = solution->batches;
    report->launches = solution->launches;
    report->reads = solution->reads;
    report->diagonals_in_use = solution->diagonals_in_use;
    report->column_bytes = solution->working_bytes;
    report->cells_saved_limit = solution->saved.limit;
    report->cells_saved_diagonal = solution->saved.diagonal;
}

/*
 * Of the speeds of devices that share a sweep, as launches are uneven and what they pass on takes
 * time: two H100, 62 x 57 Mbp 0.86, 249 x 229 Mbp 0.97.
 */
#define SHARED_EFFICIENCY 0.9

/* Whether all devices but the first have room for a plan; the log says if not. */
static bool others_have_room(rhomb_context *ctx, const rhomb__plan *plan)
{
    for (int32_t i = 0; i < ctx->other_count; i++) {
        rhomb__error no_room = {RHOMB_OK, NULL, ""};
        const rhomb_device_info *info = &ctx->others[i]->stream.device->info;
        rhomb__plan own = *plan;
        own.device_bytes_limit = info->memory_bytes;
        own.buffer_bytes_limit = info->max_buffer_bytes;
        if (rhomb__plan_check_memory(&no_room, &own, info) == RHOMB_OK)
            continue;
        rhomb__log(&ctx->stream, 1, "the first device runs alone: %s", rhomb__error_text(&no_room));
        return false;
    }
    return true;
}

/* Sets what a shared plan takes besides on each device; 0: it is not shared. */
static void take_bytes(rhomb__plan *plan, int64_t bytes)
{
    plan->device_bytes_min += bytes - plan->share_bytes;
    plan->device_bytes_max += bytes - plan->share_bytes;
    plan->share_bytes = bytes;
}

void rhomb__task_plan_sharing(rhomb_context *ctx, rhomb__task *task)
{
    rhomb__plan *plan = &task->plan;
    const rhomb__engine *engine = rhomb__engine_of(plan);
    const bool can = ctx->other_count > 0 && engine != NULL && engine->share_bytes != NULL;
    const double first = ctx->stream.device->rates.values.sweep_cells_per_second;
    take_bytes(plan, can ? engine->share_bytes(ctx, plan, &task->options) : 0);
    if (plan->share_bytes > 0 && !others_have_room(ctx, plan))
        take_bytes(plan, 0);
    plan->sharing = plan->share_bytes > 0 ? 1 + ctx->other_count : 0;
    plan->path_devices = engine != NULL && ctx->other_count > 0 ? 1 + ctx->other_count : 0;
    plan->shared_speed = SHARED_EFFICIENCY;
    for (int32_t i = 0; i < ctx->other_count; i++)
        plan->shared_speed += SHARED_EFFICIENCY *
                              ctx->others[i]->stream.device->rates.values.sweep_cells_per_second /
                              first;
}
