/* SPDX-License-Identifier: MIT */
/*
 * What the sweeps of one long pair would be, see long_local.h.
 */
#include "host/local/long_local.h"

#include "host/device/context.h"
#include "src/planner/long_job.h"
#include "src/planner/profiles.h"

rhomb_status rhomb__long_local_plan(rhomb_context *ctx, const rhomb__task *task,
                                    const rhomb_mode_options *mode, rhomb_mode_plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    const rhomb_device_info *device = &ctx->stream.device->info;
    rhomb__long_shape shape;
    rhomb_long_local_job job;
    int32_t least = 0;
    RHOMB_TRY(rhomb__long_forward(error, mode, &task->scoring, task->target_length,
                                  task->query_length, &job, &least));
    const int64_t n = job.target_length, m = job.query_length;
    RHOMB_TRY(rhomb__long_shape_make(error, device, &task->tuning, &task->scoring, n,
                                     rhomb__long_drops(mode), &shape));
    *plan = (rhomb_mode_plan){.columns = n,
                              .rows = m,
                              .planes = RHOMB_PLANE_COUNT(task->plan.planes),
                              .group_size = shape.group_size,
                              .item_rows = shape.item_rows,
                              .lanes = shape.lanes,
                              .steps = shape.steps,
                              .seconds = (double)n * (double)m /
                                         rhomb__tuning_find(device)->local_cells_per_second};
    plan->device_bytes_limit = device->memory_bytes;
    if (n == 0 || m == 0)
        goto out;
    plan->strips = rhomb__long_strips(&shape, m);
    plan->launches = rhomb__long_launches(&shape, n, m);
    plan->device_bytes = rhomb__long_local_bytes(&shape, task->plan.planes, n, m);
out:
    return status;
}
