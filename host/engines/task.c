/* SPDX-License-Identifier: MIT */
/*
 * The stages of a pair within a call, see task.h.
 */
#include "host/engines/task.h"

#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/group_limit.h"
#include "host/device/open.h"
#include "host/device/remote.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/scoring/score_matrix.h"

#include <stdlib.h>
#include <string.h>

/* An empty sequence may be NULL, but only until here: what follows adds to the pointers. */
static rhomb_status check_arguments(rhomb_context *ctx, rhomb__task *task)
{
    if (task->target_length < 0 || task->query_length < 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a length is negative");
    if ((task->target == NULL && task->target_length > 0) ||
        (task->query == NULL && task->query_length > 0))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a sequence is NULL");
    if (task->target_length > RHOMB__MAX_LENGTH || task->query_length > RHOMB__MAX_LENGTH)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a length is beyond 2^56");
    task->target = task->target != NULL ? task->target : "";
    task->query = task->query != NULL ? task->query : "";
    return RHOMB_OK;
}

/* Counts and checks the bases, gives them codes, and finds out whether they match as they are. */
static rhomb_status inspect(rhomb_context *ctx, rhomb__task *task)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_alphabet alphabet = task->options.alphabet;
    rhomb__histogram target, query;
    rhomb__histogram_count(task->target, task->target_length, ctx->stream.threads, &target);
    rhomb__histogram_count(task->query, task->query_length, ctx->stream.threads, &query);
    RHOMB_TRY(rhomb__matrix_check_bases(&ctx->stream.error, alphabet, task->scoring.matrix,
                                        "target", task->target, task->target_length, &target));
    RHOMB_TRY(rhomb__matrix_check_bases(&ctx->stream.error, alphabet, task->scoring.matrix, "query",
                                        task->query, task->query_length, &query));
    task->target_bases = rhomb__histogram_classify(&target, alphabet);
    task->query_bases = rhomb__histogram_classify(&query, alphabet);
    task->codes = task->scoring.matrix != NULL ? rhomb__matrix_codes(task->scoring.matrix)
                                               : rhomb__codes_assign(alphabet, &target, &query);
    task->equal =
        task->target_length == task->query_length &&
        rhomb__codes_all_match(&task->codes, task->target, task->query, task->target_length);
out:
    return status;
}

rhomb__plan_input rhomb__task_plan_input(const rhomb_context *ctx, const rhomb__task *task)
{
    const rhomb__plan_input input = {.target_length = task->target_length,
                                     .query_length = task->query_length,
                                     .symbols = task->codes.symbols,
                                     .equal = task->equal,
                                     .device = &ctx->stream.device->info,
                                     .options = &task->options,
                                     .rates = &ctx->stream.device->rates,
                                     .threads = ctx->stream.threads};
    return input;
}

rhomb_status rhomb__task_plan_for_other(rhomb_context *ctx, const rhomb__plan_input *input,
                                        rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error no_room = {RHOMB_OK, NULL, ""};
    rhomb__plan other;
    if (!plan->may_switch)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__plan_other(&ctx->stream.error, input, plan, plan->upper_bound,
                                plan->upper_bound, &other));
    if (rhomb__plan_check_memory(&no_room, &other, &ctx->stream.device->info) == RHOMB_OK) {
        plan->device_bytes_max = rhomb__max(plan->device_bytes_max, other.device_bytes_max);
        plan->host_bytes = rhomb__max(plan->host_bytes, other.host_bytes);
    } else {
        plan->may_switch = false;
        plan->reason = "the device has no memory for the bit-parallel engine";
        rhomb__log(&ctx->stream, 1, "plan: no other engine can take over: %s",
                   rhomb__error_text(&no_room));
    }
out:
    return status;
}

/* The plan for the rates known now. */
static rhomb_status make_plan(rhomb_context *ctx, const rhomb__task *task, rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    RHOMB_TRY(rhomb__plan_make(&ctx->stream.error, &input, plan));
    RHOMB_TRY(rhomb__task_plan_for_other(ctx, &input, plan));
out:
    return status;
}

/* Of rhomb_options: engines count in costs, and callers in penalties. `user` is the task. */
static int tell(const rhomb_progress *progress, void *user)
{
    rhomb__task *task = user;
    rhomb_progress told = *progress;
    told.lower_bound *= task->plan.costs.unit;
    told.upper_bound *= task->plan.costs.unit;
    if (progress->building)
        told.fraction = task->rise.shown;
    else if (!task->is_solved)
        told.fraction = rhomb__rise_to(&task->rise, progress->fraction);
    const int stops = task->told(&told, task->told_user);
    return stops != 0 && rhomb__checkpoint_defers(task->checkpoint) ? 0 : stops;
}

/* The options become the task's own, with what they point to. */
static rhomb_status complete_options(rhomb_context *ctx, rhomb__task *task,
                                     const rhomb_options *given)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_guide no_guide = RHOMB_GUIDE_INIT;
    rhomb_options *options = &task->options;
    RHOMB_TRY(rhomb__options_complete(&ctx->stream.error, given, options, &task->tuning));
    task->scoring = *options->scoring;
    options->scoring = &task->scoring;
    if (options->guide != NULL) {
        RHOMB_TRY(rhomb__check_size(&ctx->stream.error, "rhomb_guide", options->guide->struct_size,
                                    sizeof task->guide));
        task->guide = no_guide;
        memcpy(&task->guide, options->guide, options->guide->struct_size);
        task->guide.struct_size = sizeof task->guide;
        options->guide = &task->guide;
    }
    if (options->progress != NULL) {
        task->told = options->progress;
        task->told_user = options->progress_user;
        options->progress = tell;
        options->progress_user = task;
    }
out:
    return status;
}

rhomb_status rhomb__task_plan(rhomb_context *ctx, rhomb__task *task, const rhomb_options *options,
                              rhomb_report *report)
{
    rhomb_status status = RHOMB_OK;
    rhomb__remotes_forget(ctx);
    RHOMB_TRY(complete_options(ctx, task, options));
    RHOMB_TRY(check_arguments(ctx, task));
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__context_need_device(ctx));
    const double opened = rhomb__now();
    report->seconds_open = opened - began;
    RHOMB_TRY(inspect(ctx, task));
    report->seconds_inspect = rhomb__now() - opened;
    RHOMB_TRY(make_plan(ctx, task, &task->plan));
    if (task->options.guide != NULL)
        RHOMB_TRY(rhomb__task_plan_by_guide(ctx, task));
    rhomb__task_plan_sharing(ctx, task);
    rhomb__plan_publish(&task->plan, task->shown);
    report->plan = &task->shown->view;
out:
    return status;
}

/*
 * The answer where no engine is needed, see rhomb__plan_make(): nothing, or the gap opposite an
 * empty sequence.
 */
static void solve_trivially(const rhomb__task *task, rhomb__solution *solution)
{
    const rhomb__plan *plan = &task->plan;
    const bool exceeds = plan->lower_bound > plan->upper_bound;
    *solution = (rhomb__solution){.distance = exceeds ? -1 : plan->lower_bound};
}

/* Lets the caller cancel between two stages, or before a kernel is built. */
static rhomb_status poll_caller(rhomb_context *ctx, const rhomb__task *task, bool building)
{
    const rhomb__plan *plan = &task->plan;
    const rhomb_progress progress = {.lower_bound = plan->lower_bound,
                                     .upper_bound =
                                         rhomb__min(plan->upper_bound, task->upper_bound),
                                     .seconds = task->began > 0 ? rhomb__now() - task->began : 0,
                                     .eta_seconds = -1,
                                     .building = building};
    if (task->options.progress == NULL ||
        task->options.progress(&progress, task->options.progress_user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped between two stages");
}

/* The callback of rhomb__build_watch. */
static rhomb_status tell_build(rhomb_context *ctx, void *user)
{
    return poll_caller(ctx, user, true);
}

static rhomb__bases target_of(const rhomb__task *task)
{
    return (rhomb__bases){task->target, task->target_length, &task->codes, "the packed target"};
}

static rhomb__bases query_of(const rhomb__task *task)
{
    return (rhomb__bases){task->query, task->query_length, &task->codes, "the packed query"};
}

rhomb_status rhomb__task_pack(rhomb_context *ctx, const rhomb__task *task, rhomb__buffer *target,
                              rhomb__buffer *query)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program *pack = NULL;
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(task->target_length, task->query_length, task->plan.planes, 2);
    const rhomb__bases in_target = target_of(task), in_query = query_of(task);
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, target, query));
out:
    return status;
}

/* The self-test waits for the device, so it comes last. */
rhomb_status rhomb__task_send_and_build(rhomb_context *ctx, const rhomb__engine *engine,
                                        const rhomb__task *task, bool tells, rhomb_report *report,
                                        rhomb__programs *programs, rhomb__buffer *target,
                                        rhomb__buffer *query)
{
    rhomb_status status = RHOMB_OK, finished = RHOMB_OK;
    const rhomb__plan *plan = &task->plan;
    rhomb__sending sending = {.count = 0};
    const rhomb__pair_packing packing = engine->packing(plan);
    const rhomb__bases in_target = target_of(task), in_query = query_of(task);
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__pack_program(ctx, &programs->pack));
    const double sending_from = rhomb__now();
    RHOMB_TRY(rhomb__send_pair(&ctx->stream, programs->pack, &packing, &in_target, &in_query,
                               target, query, &sending));
    const double building_from = rhomb__now();
    RHOMB_TRY(engine->program(ctx, plan, &programs->solve));
    const double built = rhomb__now();
    if (tells)
        RHOMB_TRY(poll_caller(ctx, task, false));
    RHOMB_TRY(rhomb__send_finish(&ctx->stream, &sending));
    const double sent = rhomb__now();
    const int64_t peak = ctx->stream.bytes_peak;
    RHOMB_TRY(rhomb__self_test_engine(ctx, engine, programs->solve, programs->pack, plan));
    ctx->stream.bytes_peak = peak; /* of the pair, which reports are about */
    if (tells)
        RHOMB_TRY(poll_caller(ctx, task, false));
    report->seconds_transfer += sent - sending_from;
    report->seconds_build += sending_from - began + built - building_from + rhomb__now() - sent;
out:
    finished = rhomb__send_finish(&ctx->stream, &sending);
    return status != RHOMB_OK ? status : finished;
}

/* The other devices of the context, as they get ready for a pair. */
typedef struct partners {
    const rhomb__engine *engine;
    const rhomb__task *task;
    rhomb__partner all[RHOMB_MOST_DEVICES];
    int32_t count;
} partners;

/* A rhomb__device_fn; the first device is ready. */
static rhomb_status ready_partner(rhomb_context *device, int32_t index, void *user)
{
    partners *p = user;
    rhomb_report unused = {0};
    if (index == 0)
        return RHOMB_OK;
    rhomb__partner *partner = &p->all[index - 1];
    if (device->remote != NULL)
        return rhomb__remote_pair_send(device, RHOMB__PAIR_CALL, p->task, true);
    return rhomb__task_send_and_build(device, p->engine, p->task, false, &unused,
                                      &partner->programs, &partner->target, &partner->query);
}

/* Gets the others ready where the engine shares the work with them. */
static rhomb_status ready_partners(rhomb_context *ctx, const rhomb__engine *engine,
                                   const rhomb__programs *programs, rhomb__task *task,
                                   rhomb_report *report, partners *p)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    rhomb__task_plan_sharing(ctx, task); /* a guide may have changed the band */
    rhomb__plan_publish(&task->plan, task->shown);
    if (task->plan.sharing == 0)
        return RHOMB_OK;
    p->count = ctx->other_count;
    for (int32_t i = 0; i < p->count; i++)
        p->all[i].ctx = ctx->others[i];
    RHOMB_TRY(poll_caller(ctx, task, true));
    RHOMB_TRY(rhomb__each_device(ctx, ready_partner, p));
    RHOMB_TRY(poll_caller(ctx, task, true));
    const int64_t peak = ctx->stream.bytes_peak;
    RHOMB_TRY(rhomb__self_test_shared(ctx, engine, programs, p->all, p->count, &task->plan));
    ctx->stream.bytes_peak = peak; /* of the pair, which reports are about */
    report->seconds_build += rhomb__now() - began;
out:
    return status;
}

static void release_partners(partners *p)
{
    for (int32_t i = 0; i < p->count; i++) {
        rhomb__partner *partner = &p->all[i];
        if (partner->ctx->remote != NULL) {
            rhomb__remote_pair_release(partner->ctx, RHOMB__PAIR_CALL);
            continue;
        }
        rhomb__buffer_release(&partner->ctx->stream, &partner->query);
        rhomb__buffer_release(&partner->ctx->stream, &partner->target);
    }
}

/* Solves the pair on the device and records the times. */
static rhomb_status solve_on_device(rhomb_context *ctx, const rhomb__engine *engine,
                                    rhomb__task *task, rhomb_report *report,
                                    rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = &task->plan;
    rhomb__programs programs = {NULL, NULL};
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    partners others = {.engine = engine, .task = task};
    ctx->stream.bytes_peak = ctx->stream.bytes_in_use;
    RHOMB_TRY(
        rhomb__task_send_and_build(ctx, engine, task, true, report, &programs, &target, &query));
    RHOMB_TRY(ready_partners(ctx, engine, &programs, task, report, &others));
    const double ready = rhomb__now();
    if (task->began == 0)
        task->began = ready - task->earlier;

    const rhomb__problem problem = {.plan = plan,
                                    .options = &task->options,
                                    .query_length = task->query_length,
                                    .target_length = task->target_length,
                                    .query = &query,
                                    .target = &target,
                                    .upper_bound = task->upper_bound,
                                    .began = task->began,
                                    .wants_breakpoint = task->wants_breakpoint,
                                    .partners = others.all,
                                    .partner_count = others.count,
                                    .checkpoint = task->checkpoint};
    const double built = ctx->stream.device->build_seconds;
    RHOMB_TRY(rhomb__engine_solve(ctx, engine, &programs, &problem, solution));
    const double build = ctx->stream.device->build_seconds - built; /* of a wide tile */
    report->seconds_build += build;
    report->seconds_solve += rhomb__now() - ready - build;
    report->device_bytes = rhomb__max(report->device_bytes, ctx->stream.bytes_peak);
    if (task->keeps_packed && engine->packs_for_splits && solution->estimate == 0) {
        const rhomb__buffer none = {NULL, 0};
        task->packed_target = target;
        task->packed_query = query;
        target = query = none;
    }
out:
    release_partners(&others);
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    return status;
}

/* Another engine takes over from the one that came to task->before. */
static rhomb_status take_over(rhomb_context *ctx, rhomb__task *task, rhomb_report *report)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__solution *before = &task->before;
    const rhomb__plan first = task->plan;
    const rhomb__plan_input input = rhomb__task_plan_input(ctx, task);
    RHOMB_TRY(rhomb__plan_other(&ctx->stream.error, &input, &first, before->estimate, before->bound,
                                &task->plan));
    task->plan.lower_bound = rhomb__max(task->plan.lower_bound, before->proved + 1);
    task->plan.promise = first.promise;
    task->plan.guide_seconds = first.guide_seconds;
    /* The call has taken what the first engine took, whichever takes more. */
    task->plan.device_bytes_max = rhomb__max(task->plan.device_bytes_max, report->device_bytes);
    rhomb__plan_publish(&task->plan, task->shown);
    task->upper_bound = before->bound;
    task->began = rhomb__now() - report->seconds_solve - task->earlier;
    RHOMB_TRY(rhomb__task_follow_guide(ctx, task, report));
    task->stage = RHOMB__STAGE_SECOND;
    rhomb__checkpoint_write(task->checkpoint);
out:
    return status;
}

/* Whether a run failed because a device allows no groups as large: then smaller ones will do. */
static bool has_too_large_groups(rhomb_context *ctx, const rhomb__task *task)
{
    bool lowered = false;
    for (int32_t i = 0; i <= ctx->other_count; i++)
        lowered |= rhomb__group_limit_lowered(rhomb__context_of(ctx, i), task->plan.groups_given);
    if (lowered)
        rhomb__error_clear(&ctx->stream.error); /* another device's was passed on */
    return lowered;
}

/*
 * Runs the engine of the plan. Programs are built while the pair is sent, packed as the plan says:
 * with smaller groups it is sent again.
 */
static rhomb_status run_engine(rhomb_context *ctx, rhomb__task *task, rhomb_report *report,
                               rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    do {
        for (int32_t i = 0; i <= ctx->other_count; i++)
            rhomb__engine_fit(rhomb__context_of(ctx, i), &task->plan);
        rhomb__plan_publish(&task->plan, task->shown);
        RHOMB_TRY(
            rhomb__plan_check_memory(&ctx->stream.error, &task->plan, &ctx->stream.device->info));
        status = solve_on_device(ctx, rhomb__engine_of(&task->plan), task, report, solution);
    } while (status != RHOMB_OK && has_too_large_groups(ctx, task));
out:
    return status;
}

/* Runs one engine or both; times and counts keep the first engine's share. */
static rhomb_status run_engines(rhomb_context *ctx, rhomb__task *task, rhomb_report *report,
                                rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    if (task->stage == RHOMB__STAGE_FIRST) {
        RHOMB_TRY(run_engine(ctx, task, report, solution));
        if (solution->estimate == 0)
            return RHOMB_OK;
        task->before = *solution;
        RHOMB_TRY(take_over(ctx, task, report));
    }
    RHOMB_TRY(run_engine(ctx, task, report, solution));
    const rhomb__solution *before = &task->before;
    solution->cells += before->cells;
    solution->batches += before->batches;
    solution->launches += before->launches;
    solution->reads += before->reads;
    solution->saved = before->saved;
out:
    return status;
}

/* The pair is solved: where a checkpoint is kept, one that says so if the caller wishes to stop. */
static rhomb_status end_solve(rhomb_context *ctx, rhomb__task *task,
                              const rhomb__solution *solution)
{
    task->stage = RHOMB__STAGE_SOLVED;
    task->before = *solution;
    task->is_solved = true;
    if (!rhomb__checkpoint_stops(task->checkpoint))
        return RHOMB_OK;
    rhomb__checkpoint_write(task->checkpoint);
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped at a checkpoint");
}

rhomb_status rhomb__task_solve(rhomb_context *ctx, rhomb__task *task, rhomb_report *report,
                               rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__solution none = {0};
    const rhomb__build_watch before = ctx->build_watch;
    ctx->build_watch = (rhomb__build_watch){tell_build, task};
    *solution = none;
    if (rhomb__checkpoint_found(task->checkpoint) == NULL) {
        task->upper_bound =
            rhomb__costs_most(&task->plan.costs, task->target_length, task->query_length);
        RHOMB_TRY(rhomb__task_follow_guide(ctx, task, report));
    }
    if (task->stage == RHOMB__STAGE_SOLVED)
        *solution = task->before;
    else if (rhomb__engine_of(&task->plan) == NULL)
        solve_trivially(task, solution);
    else
        RHOMB_TRY(run_engines(ctx, task, report, solution));
    rhomb__task_fill_report(task, solution, report);
    RHOMB_TRY(end_solve(ctx, task, solution));
out:
    ctx->build_watch = before;
    return status;
}

/* The first band of a sweep holds all paths of the known distance. */
static void adapt_tuning(rhomb__task *subproblem, int64_t distance)
{
    const rhomb__costs edit = rhomb__costs_edit();
    const int64_t end = subproblem->target_length - subproblem->query_length;
    subproblem->tuning.first_half_width =
        rhomb__max(rhomb__costs_half_width(&edit, end, distance), INT64_C(1));
    subproblem->options.tuning = &subproblem->tuning;
}

rhomb_status rhomb__task_plan_subproblem(rhomb_context *ctx, const rhomb__task *whole,
                                         rhomb__task *subproblem, int64_t distance, bool sweeps)
{
    rhomb_status status = RHOMB_OK;
    subproblem->options = whole->options;
    subproblem->options.engine = rhomb__engine_that(sweeps, &whole->plan.costs);
    subproblem->options.max_distance = distance * whole->plan.costs.unit;
    subproblem->tuning = whole->tuning;
    subproblem->codes = whole->codes;
    subproblem->wants_breakpoint = true;
    adapt_tuning(subproblem, distance);
    RHOMB_TRY(make_plan(ctx, subproblem, &subproblem->plan));
    subproblem->plan.lower_bound = distance;
out:
    return status;
}
