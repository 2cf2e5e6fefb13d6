/* SPDX-License-Identifier: MIT */
/*
 * rhomb_distance() and its plan.
 */
#include "host/device/context.h"
#include "host/divide/alignment.h"
#include "host/local/long_local.h"
#include "src/planner/engine_plan.h"
#include "src/scoring/costs.h"

#include <stdlib.h>

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
    if (rhomb__long_has_matrix(options))
        return rhomb__costs_refuse_matrix(&ctx->stream.error, options->scoring,
                                          "the plan of a distance");
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
    const rhomb_pair pair = {target, target_length, query, query_length};
    const rhomb_status status = rhomb__long_has_matrix(options)
                                    ? rhomb__long_distance(ctx, &pair, options, result)
                                    : rhomb__distance_pair(ctx, &pair, options, result);
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
