/* SPDX-License-Identifier: MIT */
/*
 * What a guide tells of a pair, before an engine is chosen and before it runs, see task.h.
 */
#include "host/device/context.h"
#include "host/engines/task.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/guide_segments.h"

/* Whether there is a guide that may pay before a sweep. */
static bool is_guided(const rhomb__task *task)
{
    const rhomb_guide *guide = task->options.guide;
    return guide != NULL && guide->count > 0 && !task->plan.is_trivial &&
           rhomb__guide_pays(&task->plan.costs, task->target_length, task->query_length,
                             task->plan.upper_bound);
}

void rhomb__task_know(rhomb_context *ctx, rhomb__task *task, int64_t cost)
{
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    if (cost > task->upper_bound)
        return;
    task->upper_bound = cost;
    rhomb__plan_take_bound(&input, &task->plan, cost);
    rhomb__plan_publish(&task->plan, task->shown);
}

/* Counts the memory for following the guide, which is free again before an engine runs. */
static void count_guide_bytes(rhomb__task *task)
{
    rhomb__plan *plan = &task->plan;
    const int64_t n = task->target_length, m = task->query_length;
    plan->device_bytes_max = rhomb__max(
        plan->device_bytes_max,
        rhomb__windows_bytes(n, plan->planes, 2) + rhomb__windows_bytes(m, plan->planes, 2) +
            rhomb__chunk_bases(rhomb__max(n, m)) + rhomb__guide_most_bytes(n, m));
}

/*
 * Follows the guide with a plan for the sweep, which stays if it is faster by what that tells; else
 * the wavefront has a bound. It goes on without where the device cannot follow.
 */
static rhomb_status settle_doubt(rhomb_context *ctx, rhomb__task *task, rhomb_report *report)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    const rhomb__plan before = task->plan;
    const int64_t expected = rhomb__plan_expected(&before);
    RHOMB_TRY(rhomb__plan_other(&ctx->stream.error, &input, &before, expected, before.upper_bound,
                                &task->plan));
    task->plan.promise = before.promise;
    task->plan.guide_seconds = before.guide_seconds;
    task->plan.device_bytes_max = rhomb__max(task->plan.device_bytes_max, before.device_bytes_max);
    task->plan.reason = "a path along the guide has a cost for which this engine is faster";
    rhomb__task_plan_sharing(ctx, task);
    status = task->follow(ctx, task, report);
    const bool knows = status == RHOMB_OK && report->guide_bound > 0;
    task->followed = knows ? task->upper_bound : 0;
    if (knows && rhomb__plan_guided_wins(&before, &task->plan, task->upper_bound))
        goto out;
    task->plan = before;
    task->plan.upper_bound = rhomb__min(before.upper_bound, task->upper_bound);
    if (status == RHOMB_ERR_DEVICE_MEMORY || status == RHOMB_ERR_BUILD) {
        rhomb__log(&ctx->stream, 1, "the guide is not followed: %s",
                   rhomb__error_text(&ctx->stream.error));
        rhomb__error_clear(&ctx->stream.error);
        status = RHOMB_OK;
    }
out:
    rhomb__plan_publish(&task->plan, task->shown);
    return status;
}

rhomb_status rhomb__task_follow_guide(rhomb_context *ctx, rhomb__task *task, rhomb_report *report)
{
    if (task->follow == NULL || !is_guided(task))
        return RHOMB_OK;
    if (!rhomb__plan_sweeps(&task->plan))
        return rhomb__plan_doubts_guide(&task->plan) ? settle_doubt(ctx, task, report) : RHOMB_OK;
    if (task->followed == 0) {
        count_guide_bytes(task);
        return task->follow(ctx, task, report);
    }
    rhomb__task_know(ctx, task, task->followed);
    return RHOMB_OK;
}

rhomb_status rhomb__task_plan_by_guide(rhomb_context *ctx, rhomb__task *task)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan *plan = &task->plan;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    const int64_t n = task->target_length, m = task->query_length;
    rhomb__plan other;
    RHOMB_TRY(rhomb__guide_check(&ctx->stream.error, task->options.guide, n, m));
    const rhomb__guided_pair pair = {task->target, n, task->query, m,
                                     llabs(task->target_bases.n - task->query_bases.n)};
    rhomb__promise promise;
    rhomb__guide_promise(&plan->costs, task->options.guide, &pair, &promise);
    const int64_t expected = (int64_t)promise.cost;
    if (plan->may_switch && expected >= 0 && rhomb__plan_prefers_other(plan, expected)) {
        RHOMB_TRY(rhomb__plan_other(&ctx->stream.error, &input, plan,
                                    rhomb__min(expected, plan->upper_bound), plan->upper_bound,
                                    &other));
        *plan = other;
        plan->reason = "the guide expects a distance for which this engine is faster";
    }
    plan->promise = promise;
    if (is_guided(task) && (rhomb__plan_sweeps(plan) || plan->may_switch)) {
        plan->guide_seconds = rhomb__plan_guide_seconds(plan);
        count_guide_bytes(task);
    }
    if (plan->guide_seconds > 0 && expected > 0 && rhomb__plan_sweeps(plan)) {
        const int64_t bound = rhomb__min(expected, plan->upper_bound);
        rhomb__plan_fit_strips(&input, plan, bound); /* a path along it will cost about that */
    } else if (expected > 0 && !plan->is_trivial && !plan->may_switch && rhomb__plan_sweeps(plan)) {
        rhomb__plan_take_estimate(&input, plan, rhomb__min(expected, plan->upper_bound),
                                  plan->upper_bound);
    }
out:
    return status;
}
