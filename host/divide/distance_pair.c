/* SPDX-License-Identifier: MIT */
/*
 * The distance of a pair, see distance_pair.h.
 */
#include "host/divide/distance_pair.h"

#include "host/device/context.h"
#include "host/divide/guide_follow.h"
#include "src/base/clock.h"

rhomb_status rhomb__distance_pair(rhomb_context *ctx, const rhomb_pair *pair,
                                  const rhomb_options *options, rhomb_result *result)
{
    rhomb_status status = RHOMB_OK;
    rhomb_report *report = &result->report;
    rhomb__solution solution;
    rhomb__task task = {.target = pair->target,
                        .target_length = pair->target_length,
                        .query = pair->query,
                        .query_length = pair->query_length,
                        .shown = &result->plan,
                        .follow = rhomb__guide_follow};
    const double began = rhomb__now();
    rhomb__error_clear(&ctx->stream.error);
    RHOMB_TRY(rhomb__task_plan(ctx, &task, options, report));
    RHOMB_TRY(rhomb__task_open_checkpoint(ctx, &task, "distance", report));
    RHOMB_TRY(rhomb__task_solve(ctx, &task, report, &solution));
    rhomb__shares_publish(&solution, &result->shares, report);
    report->seconds_total = rhomb__now() - began;
    rhomb__checkpoint_report(task.checkpoint, report);
out:
    rhomb__checkpoint_close(task.checkpoint);
    return status;
}
