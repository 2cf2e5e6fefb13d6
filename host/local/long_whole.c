/* SPDX-License-Identifier: MIT */
/*
 * One long pair with a substitution matrix, end to end: no engine has its costs, so its score is
 * that of the sweeps with free ends, none of which is free, and its path that of long_trace.c.
 */
#include "host/local/long_local.h"

#include "host/device/context.h"
#include "src/base/clock.h"
#include "src/planner/long_job.h"
#include "src/planner/profiles.h"

#include <stdlib.h>

static rhomb_status check(rhomb_context *ctx, const rhomb_options *options)
{
    if (options->checkpoint != NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a checkpoint does not go with a substitution matrix");
    return RHOMB_OK;
}

/* What a report of a distance says of a score that was found. */
static void fill_report(const rhomb__task *task, const rhomb__long_found *found, double seconds,
                        rhomb_report *report)
{
    const rhomb_local_report *f = &found->report;
    const rhomb__solution solution = {
        .distance = rhomb__costs_penalty(&task->plan.costs, task->target_length, task->query_length,
                                         found->extent.score),
        .cells = f->cells,
        .batches = f->launches};
    rhomb__task_fill_report(task, &solution, report);
    report->device_bytes = f->device_bytes;
    report->seconds_transfer = f->seconds_transfer;
    report->seconds_build = f->seconds_build;
    report->seconds_solve = seconds - f->seconds_build;
}

static rhomb_status find(rhomb_context *ctx, rhomb__task *task, const rhomb_options *options,
                         rhomb_report *report)
{
    static const rhomb_mode_options whole = {
        sizeof whole, RHOMB_MODE_ENDS_FREE, {0, 0, 0, 0}, RHOMB_NO_LIMIT, 0};
    rhomb_status status = RHOMB_OK;
    rhomb__long_found found = {0};
    RHOMB_TRY(check(ctx, options));
    RHOMB_TRY(rhomb__task_plan(ctx, task, options, report));
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__long_local_find(ctx, task, &whole, options->progress, options->progress_user,
                                     &found));
    fill_report(task, &found, rhomb__now() - began, report);
out:
    return status;
}

rhomb_status rhomb__long_distance(rhomb_context *ctx, const rhomb_pair *pair,
                                  const rhomb_options *options, rhomb_result *result)
{
    const double began = rhomb__now();
    rhomb__task task = {.target = pair->target,
                        .target_length = pair->target_length,
                        .query = pair->query,
                        .query_length = pair->query_length,
                        .shown = &result->plan};
    const rhomb_status status = find(ctx, &task, options, &result->report);
    result->report.seconds_total = rhomb__now() - began;
    return status;
}

/* The path of a planned task, of that penalty; -1: not known. */
static rhomb_status follow(rhomb_context *ctx, const rhomb__task *task, int64_t penalty,
                           const rhomb_options *options, rhomb_alignment *a)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__solution solution = {.distance = penalty};
    rhomb__long_found found = {0};
    const double began = rhomb__now();
    const int64_t known = penalty < 0 ? RHOMB__LONG_UNKNOWN
                                      : rhomb__costs_score(&task->plan.costs, task->target_length,
                                                           task->query_length, penalty);
    RHOMB_TRY(rhomb__long_trace(ctx, task, known, options->progress, options->progress_user,
                                &a->path, &found));
    const rhomb_local_report *f = &found.report;
    if (penalty < 0)
        fill_report(task, &found, f->seconds_build + f->seconds_end, &a->distance);
    else
        rhomb__task_fill_report(task, &solution, &a->distance);
    a->report.engine = a->distance.plan->engine;
    a->report.operations = a->path.count;
    a->report.matches = a->path.matches;
    a->report.mismatches = a->path.mismatches;
    a->report.inserted = a->path.inserted;
    a->report.deleted = a->path.deleted;
    a->report.device_bytes = f->device_bytes;
    a->report.seconds_base_cases = rhomb__now() - began - (penalty < 0 ? f->seconds_end : 0);
out:
    return status;
}

rhomb_status rhomb__long_align(rhomb_context *ctx, const rhomb_pair *pair, int64_t known,
                               const rhomb_options *options, rhomb_alignment **out)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    rhomb_alignment *a = calloc(1, sizeof *a);
    if (a == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *a, "an alignment");
    rhomb__task task = {.target = pair->target,
                        .target_length = pair->target_length,
                        .query = pair->query,
                        .query_length = pair->query_length,
                        .shown = &a->plan};
    a->report.whole = &a->distance;
    a->report.share_splits = a->share_splits;
    RHOMB_TRY(check(ctx, options));
    RHOMB_TRY(rhomb__task_plan(ctx, &task, options, &a->distance));
    RHOMB_TRY(follow(ctx, &task, known, options, a));
    a->distance.seconds_total = a->report.seconds_total = rhomb__now() - began;
    *out = a;
    a = NULL;
out:
    if (a != NULL)
        rhomb__path_release(&a->path);
    free(a);
    return status;
}

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
