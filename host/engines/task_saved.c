/* SPDX-License-Identifier: MIT */
/*
 * A task in a checkpoint (task.h): its stage, plan and bounds, and what the report has so far. The
 * engine that runs adds its own part.
 */
#include "host/engines/task.h"

#include "host/checkpoint/checkpoint.h"
#include "host/device/context.h"
#include "src/base/clock.h"

#define SECTION "stage"

static const rhomb__field FIELDS[] = {
    RHOMB__CHOICE(rhomb__task, stage, RHOMB__STAGE_FIRST, RHOMB__STAGE_SOLVED),
    RHOMB__FIELD(rhomb__task, upper_bound),
    RHOMB__FIELD(rhomb__task, earlier),
    RHOMB__FIELD(rhomb__task, rise),
    RHOMB__PART(rhomb__task, before, rhomb__solution_fields),
    RHOMB__FIELDS_END,
};

static const rhomb__field REPORTED[] = {
    RHOMB__FIELD(rhomb_report, device_bytes),
    RHOMB__FIELD(rhomb_report, guide_bound),
    RHOMB__FIELD(rhomb_report, seconds_guide),
    RHOMB__FIELDS_END,
};

/* A rhomb__checkpoint_head; `user` is the task. */
static void save(rhomb__saver *saver, void *user)
{
    rhomb__task *task = user;
    const double earlier = task->earlier;
    if (task->began > 0)
        task->earlier = rhomb__now() - task->began;
    rhomb__state_save(saver, SECTION, FIELDS, task);
    rhomb__state_save(saver, "report", REPORTED, task->report);
    rhomb__plan_save(&task->plan, saver);
    task->earlier = earlier;
}

static rhomb_status restore(rhomb_context *ctx, rhomb__task *task, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    const rhomb__promise promise = task->plan.promise; /* of this call's guide */
    RHOMB_TRY(rhomb__state_restore(error, saved, SECTION, FIELDS, task));
    RHOMB_TRY(rhomb__state_restore(error, saved, "report", REPORTED, task->report));
    RHOMB_TRY(rhomb__plan_restore(error, &input, saved, &task->plan));
    task->plan.promise = promise;
    RHOMB_TRY(rhomb__task_plan_for_other(ctx, &input, &task->plan));
    rhomb__plan_publish(&task->plan, task->shown);
    task->report->seconds_earlier = task->earlier;
    rhomb__log(&ctx->stream, 0, "goes on from %s: %.1f %% of the distance after %.0f s",
               task->options.checkpoint, 100 * task->rise.shown, task->earlier);
out:
    return status;
}

rhomb_status rhomb__task_open_checkpoint(rhomb_context *ctx, rhomb__task *task, const char *call,
                                         rhomb_report *report)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_options *options = &task->options;
    const rhomb__identified target = {task->target, task->target_length};
    const rhomb__identified query = {task->query, task->query_length};
    rhomb__checkpoint_order order = {.path = options->checkpoint,
                                     .seconds = options->checkpoint_seconds,
                                     .head = save,
                                     .user = task};
    /* A task that is trivial too: a file that is there has to be refused if it is another one. */
    if (options->checkpoint == NULL)
        return RHOMB_OK;
    task->report = report;
    RHOMB_TRY(rhomb__identity_make(&ctx->stream.error, call, &target, &query, options,
                                   ctx->stream.threads, &order.identity));
    RHOMB_TRY(rhomb__checkpoint_open(&ctx->stream, &order, &task->checkpoint));
    const rhomb__saved *found = rhomb__checkpoint_found(task->checkpoint);
    if (found != NULL)
        RHOMB_TRY(restore(ctx, task, found));
out:
    return status;
}
