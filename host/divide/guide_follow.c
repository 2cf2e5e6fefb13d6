/* SPDX-License-Identifier: MIT */
/*
 * Following a guide, see aligner.h. The pair is packed as for wavefronts, from which the
 * sweeper takes pieces as it takes subproblems of an alignment; what they cost is known only
 * afterwards, so each has a band of a fixed width (src/planner/guide_segments.h), and paths of any
 * cost are followed in it.
 */
#include "host/divide/aligner.h"

#include <stdlib.h>

#include "host/device/context.h"
#include "host/splits/splitter.h"
#include "host/upload/send.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/guide_segments.h"

typedef struct following {
    rhomb_context *ctx;
    rhomb__task *task;
    rhomb__buffer target, query; /* packed */
    rhomb_subproblem pieces[RHOMB__GUIDE_SEGMENTS];
    rhomb__breakpoint ends[RHOMB__GUIDE_SEGMENTS]; /* with their costs alone */
    int64_t count;
} following;

/* The strips of the pieces: those that the longest would have alone, in two directions. */
static rhomb_status plan_pieces(following *f, rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__task whole = *f->task;
    const rhomb_subproblem *longest = &f->pieces[0];
    whole.tuning.directions = 2;
    whole.tuning.first_half_width = 0;
    whole.options.tuning = &whole.tuning;
    for (int64_t i = 1; i < f->count; i++) {
        if (f->pieces[i].pair.query_length > longest->pair.query_length)
            longest = &f->pieces[i];
    }
    rhomb__task piece = {.target = whole.target + longest->pair.target_at,
                         .target_length = longest->pair.target_length,
                         .query = whole.query + longest->pair.query_at,
                         .query_length = longest->pair.query_length};
    RHOMB_TRY(rhomb__task_plan_subproblem(f->ctx, &whole, &piece, longest->pair.distance, true));
    *plan = piece.plan;
    rhomb__sweeps_choose_strips(f->ctx, &whole.tuning, f->pieces, f->count, plan);
out:
    return status;
}

/* Tells the caller, who may stop it. */
static rhomb_status advance(rhomb_context *ctx, double fraction, void *user)
{
    const following *f = user;
    const rhomb_options *options = &f->task->options;
    const rhomb_progress progress = {
        .lower_bound = f->task->plan.lower_bound,
        .upper_bound = rhomb__min(f->task->plan.upper_bound, f->task->upper_bound),
        .seconds = f->task->began > 0 ? rhomb__now() - f->task->began : 0,
        .eta_seconds = -1};
    (void)fraction;
    if (options->progress == NULL || options->progress(&progress, options->progress_user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped while following a guide");
}

static rhomb_status sweep(following *f)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *splitter = NULL;
    rhomb__plan plan;
    const rhomb__split_source source = {
        .target = &f->target,
        .query = &f->query,
        .target_length = f->task->target_length,
        .query_length = f->task->query_length,
        .planes = f->task->plan.planes,
        .tuning.portion_bytes = rhomb__guide_bytes(f->task->target_length, f->task->query_length),
        .follows = true,
        .advance = advance,
        .user = f};
    RHOMB_TRY(plan_pieces(f, &plan));
    RHOMB_TRY(rhomb__splitter_open(f->ctx, &rhomb__split_sweeps, &source, &splitter));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &plan, f->pieces, f->count, f->ends));
out:
    rhomb__splitter_close(splitter);
    return status;
}

/* The cost of the path through all pieces; INT64_MAX if there is none. */
static int64_t sum_of(const following *f)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < f->count && sum < INT64_MAX; i++)
        sum = f->ends[i].cost < INT64_MAX ? sum + f->ends[i].cost : INT64_MAX;
    return sum;
}

/* Takes over the cost of a path. */
static rhomb_status take(following *f, int64_t cost, rhomb_report *report)
{
    rhomb__task *task = f->task;
    if (cost < task->plan.lower_bound)
        return rhomb__fail(&f->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a path along the guide costs %lld, less than %lld",
                           f->ctx->stream.device->info.name, (long long)cost,
                           (long long)task->plan.lower_bound);
    report->guide_bound = cost * task->plan.costs.unit;
    rhomb__task_know(f->ctx, task, cost);
    return RHOMB_OK;
}

rhomb_status rhomb__guide_follow(rhomb_context *ctx, rhomb__task *task, rhomb_report *report)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now(), built = ctx->stream.device->build_seconds;
    following *f = NULL;
    f = calloc(1, sizeof *f);
    if (f == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *f, "a guide");
    f->ctx = ctx;
    f->task = task;
    ctx->stream.bytes_peak = ctx->stream.bytes_in_use;
    f->count = rhomb__guide_cut(&task->plan.costs, task->options.guide, task->target_length,
                                task->query_length, f->pieces);
    if (f->count == 0)
        goto out;
    RHOMB_TRY(rhomb__task_pack(f->ctx, f->task, &f->target, &f->query));
    RHOMB_TRY(sweep(f));
    const int64_t cost = sum_of(f);
    if (cost < INT64_MAX)
        RHOMB_TRY(take(f, cost, report));
    const double build = ctx->stream.device->build_seconds - built;
    report->seconds_build += build;
    report->device_bytes = rhomb__max(report->device_bytes, ctx->stream.bytes_peak);
    report->seconds_guide = rhomb__now() - began - build;
    rhomb__log(&ctx->stream, 1,
               "guide: a path of cost %lld along %lld point%s in %lld pieces, %.2f ms",
               cost < INT64_MAX ? (long long)(cost * task->plan.costs.unit) : -1LL,
               (long long)task->options.guide->count, task->options.guide->count == 1 ? "" : "s",
               (long long)f->count, 1e3 * report->seconds_guide);
out:
    if (f != NULL) {
        rhomb__buffer_release(&ctx->stream, &f->query);
        rhomb__buffer_release(&ctx->stream, &f->target);
    }
    free(f);
    return status;
}
