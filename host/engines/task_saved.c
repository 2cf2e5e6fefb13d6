/* SPDX-License-Identifier: MIT */
/*
 * A task in a checkpoint (task.h): its stage, plan and bounds, and what the report has so far. The
 * engine that runs adds its own part.
 */
#include "host/engines/task.h"

#include "host/checkpoint/call_identity.h"
#include "host/device/context.h"
#include "src/base/clock.h"

#define SECTION "stage"

static void list_fields(rhomb__task *task, double *gone, rhomb__fields *fields)
{
    rhomb_report *report = task->report;
    int32_t stage = (int32_t)task->stage;
    rhomb__field_int32(fields, &stage);
    task->stage = stage == RHOMB__STAGE_FIRST    ? RHOMB__STAGE_FIRST
                  : stage == RHOMB__STAGE_SECOND ? RHOMB__STAGE_SECOND
                                                 : RHOMB__STAGE_SOLVED;
    rhomb__field_int64(fields, &task->upper_bound);
    rhomb__field_double(fields, gone);
    rhomb__field_double(fields, &task->rise.before);
    rhomb__field_double(fields, &task->rise.phase);
    rhomb__field_double(fields, &task->rise.shown);
    rhomb__field_int64(fields, &report->device_bytes);
    rhomb__field_int64(fields, &report->guide_bound);
    rhomb__field_double(fields, &report->seconds_guide);
    rhomb__solution_fields(&task->before, fields);
}

/* A rhomb__checkpoint_head; `user` is the task. */
static void save(rhomb__saver *saver, void *user)
{
    rhomb__task *task = user;
    double gone = task->began > 0 ? rhomb__now() - task->began : task->earlier;
    rhomb__fields fields = {.is_saving = true};
    list_fields(task, &gone, &fields);
    rhomb__fields_save(&fields, saver, SECTION);
    rhomb__plan_save(&task->plan, saver);
}

static rhomb_status restore(rhomb_context *ctx, rhomb__task *task, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    rhomb__fields fields;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    const rhomb__promise promise = task->plan.promise; /* of this call's guide */
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, SECTION));
    list_fields(task, &task->earlier, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
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
