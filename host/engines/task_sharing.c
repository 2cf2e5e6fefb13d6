/* SPDX-License-Identifier: MIT */
/*
 * Whether the devices of a context share a pair, see task.h.
 */
#include "host/device/context.h"
#include "host/engines/task.h"
#include "src/planner/engine_plan.h"

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
