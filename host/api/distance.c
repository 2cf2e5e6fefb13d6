/* SPDX-License-Identifier: MIT */
/*
 * rhomb_distance() and its plan.
 */
#include "host/device/context.h"
#include "host/divide/guide_follow.h"
#include "host/engines/task.h"
#include "src/base/clock.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>

struct rhomb_result {
    rhomb_report report;
    rhomb__plan_view plan;
    rhomb__shares shares;
};

rhomb_status rhomb_plan_distance(rhomb_context *ctx, const char *target, int64_t target_length,
                                 const char *query, int64_t query_length,
                                 const rhomb_options *options, rhomb_plan **out)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    rhomb__plan_view *shown = calloc(1, sizeof *shown);
    if (shown == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *shown, "a plan");
    rhomb__task task = {.target = target,
                        .target_length = target_length,
                        .query = query,
                        .query_length = query_length,
                        .shown = shown};
    rhomb_report report = {0};
    rhomb_status status = rhomb__task_plan(ctx, &task, options, &report);
    if (status == RHOMB_OK)
        status =
            rhomb__plan_check_memory(&ctx->stream.error, &task.plan, &ctx->stream.device->info);
    if (status == RHOMB_OK)
        status = rhomb__engine_lacks_program(ctx, &task.plan, &shown->view.must_build);
    if (status == RHOMB_OK)
        *out = &shown->view;
    else
        free(shown);
    return status;
}

void rhomb_plan_destroy(rhomb_plan *plan)
{
    free(plan); /* the first member of what was allocated */
}

/* The body of rhomb_distance() once its pointers are checked. */
static rhomb_status compute(rhomb_context *ctx, rhomb__task *task, const rhomb_options *options,
                            rhomb_result *result)
{
    rhomb_status status = RHOMB_OK;
    rhomb_report *report = &result->report;
    rhomb__solution solution;
    const double began = rhomb__now();
    task->follow = rhomb__guide_follow;
    RHOMB_TRY(rhomb__task_plan(ctx, task, options, report));
    RHOMB_TRY(rhomb__task_open_checkpoint(ctx, task, "distance", report));
    RHOMB_TRY(rhomb__task_solve(ctx, task, report, &solution));
    rhomb__shares_publish(&solution, &result->shares, report);
    report->seconds_total = rhomb__now() - began;
    rhomb__checkpoint_report(task->checkpoint, report);
out:
    rhomb__checkpoint_close(task->checkpoint);
    return status;
}

rhomb_status rhomb_distance(rhomb_context *ctx, const char *target, int64_t target_length,
                            const char *query, int64_t query_length, const rhomb_options *options,
                            rhomb_result **out)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    rhomb_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *result, "a result");
    rhomb__task task = {.target = target,
                        .target_length = target_length,
                        .query = query,
                        .query_length = query_length,
                        .shown = &result->plan};
    const rhomb_status status = compute(ctx, &task, options, result);
    if (status == RHOMB_OK)
        *out = result;
    else
        rhomb_result_destroy(result);
    return status;
}

const rhomb_report *rhomb_result_report(const rhomb_result *result)
{
    return result != NULL ? &result->report : NULL;
}

void rhomb_result_destroy(rhomb_result *result)
{
    free(result);
}
