/* SPDX-License-Identifier: MIT */
/*
 * rhomb_align_mode(): what is aligned (host/local), then the alignment of that from end to end.
 */
#include "host/divide/alignment.h"
#include "host/local/long_local.h"

#include "host/device/context.h"
#include "src/base/clock.h"
#include "src/planner/engine_plan.h"
#include "src/planner/long_job.h"

#include <string.h>

/* The part of the work that is left to the path, as progress shows it; a guess. */
#define PATH_FRACTION 0.1

typedef struct watcher {
    rhomb_progress_fn progress;
    void *user;
    double began;
    int64_t penalty; /* of the parts, as the score says */
} watcher;

/* Of rhomb_options: progress of the path as that of the whole call. */
static int watch_path(const rhomb_progress *progress, void *user)
{
    const watcher *w = user;
    rhomb_progress all = *progress;
    all.fraction = 1 - PATH_FRACTION + PATH_FRACTION * progress->fraction;
    all.seconds = rhomb__now() - w->began;
    all.upper_bound = w->penalty;
    return w->progress(&all, w->user);
}

static rhomb_status complete_mode(rhomb_context *ctx, const rhomb_mode_options *given,
                                  const rhomb_options *options, rhomb_mode_options *mode)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_mode_options defaults = RHOMB_MODE_OPTIONS_INIT;
    rhomb__error *error = &ctx->stream.error;
    *mode = defaults;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_mode_options", given, mode, sizeof *mode));
    RHOMB_TRY(rhomb__long_check_mode(error, mode, options->scoring));
    if (mode->mode == RHOMB_MODE_GLOBAL)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "rhomb_align() aligns from end to end");
    else if (options->max_distance != RHOMB_NO_LIMIT)
        status =
            rhomb__fail(error, RHOMB_ERR_ARGUMENT, "max_distance is for alignments end to end");
    else if (options->checkpoint != NULL)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "a checkpoint is of alignments end to end");
out:
    return status;
}

/* Finds what is aligned. */
static rhomb_status find(rhomb_context *ctx, rhomb__task *task, const rhomb_mode_options *mode,
                         const rhomb_options *options, rhomb__long_found *found)
{
    rhomb_status status = RHOMB_OK;
    rhomb_report report = {0};
    RHOMB_TRY(rhomb__task_plan(ctx, task, options, &report));
    RHOMB_TRY(
        rhomb__long_local_find(ctx, task, mode, options->progress, options->progress_user, found));
out:
    return status;
}

/* Aligns the parts: their penalty is known by the score. Of the whole pair are the counts of bases.
 */
static rhomb_status align_parts(rhomb_context *ctx, const rhomb__task *task,
                                const rhomb_options *found, const rhomb_local_report *local,
                                double began, rhomb_alignment **out)
{
    const rhomb_pair_extent *e = local->extent;
    const rhomb__costs *costs = &task->plan.costs;
    const int64_t n = e->target_end - e->target_begin, m = e->query_end - e->query_begin;
    const rhomb_pair part = {n > 0 ? task->target + e->target_begin : NULL, n,
                             m > 0 ? task->query + e->query_begin : NULL, m};
    const int64_t penalty = rhomb__costs_penalty(costs, n, m, e->score);
    rhomb_status status = RHOMB_OK;
    rhomb_options options = *found;
    watcher w = {options.progress, options.progress_user, began, penalty};
    if (options.progress != NULL) {
        options.progress = watch_path;
        options.progress_user = &w;
    }
    RHOMB_TRY((rhomb__long_has_matrix(&options) ? rhomb__long_align : rhomb__align_pair)(
        ctx, &part, penalty, &options, out));
    rhomb_alignment *alignment = *out;
    alignment->local = *local;
    alignment->extent = *local->extent;
    alignment->local.extent = &alignment->extent;
    alignment->is_local = true;
    alignment->distance.max_distance = RHOMB_NO_LIMIT; /* the caller's */
    alignment->distance.target_bases = task->target_bases;
    alignment->distance.query_bases = task->query_bases;
out:
    return status;
}

/* What both calls begin with: complete options, of a context without an error. */
static rhomb_status begin(rhomb_context *ctx, const void *out, const rhomb_mode_options *mode,
                          const rhomb_options *options, rhomb_mode_options *how,
                          rhomb_options *asked, rhomb_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    RHOMB_TRY(rhomb__options_complete(&ctx->stream.error, options, asked, tuning));
    RHOMB_TRY(complete_mode(ctx, mode, asked, how));
    asked->guide = NULL;
out:
    return status;
}

rhomb_status rhomb_align_mode(rhomb_context *ctx, const char *target, int64_t target_length,
                              const char *query, int64_t query_length,
                              const rhomb_mode_options *mode, const rhomb_options *options,
                              rhomb_alignment **out)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    rhomb__plan_view shown;
    rhomb_options asked;
    rhomb_tuning tuning;
    rhomb_mode_options how;
    rhomb__long_found found = {0};
    rhomb__task task = {.target = target,
                        .target_length = target_length,
                        .query = query,
                        .query_length = query_length,
                        .shown = &shown};
    if (out != NULL)
        *out = NULL;
    RHOMB_TRY(begin(ctx, out, mode, options, &how, &asked, &tuning));
    RHOMB_TRY(find(ctx, &task, &how, &asked, &found));
    RHOMB_TRY(align_parts(ctx, &task, &asked, &found.report, began, out));
out:
    return status;
}

rhomb_status rhomb_plan_mode(rhomb_context *ctx, const char *target, int64_t target_length,
                             const char *query, int64_t query_length,
                             const rhomb_mode_options *mode, const rhomb_options *options,
                             rhomb_mode_plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan_view shown;
    rhomb_options asked;
    rhomb_tuning tuning;
    rhomb_mode_options how;
    rhomb_report report = {0};
    rhomb__task task = {.target = target,
                        .target_length = target_length,
                        .query = query,
                        .query_length = query_length,
                        .shown = &shown};
    rhomb_mode_plan full = RHOMB_MODE_PLAN_INIT;
    const size_t size = plan != NULL ? plan->struct_size : 0;
    RHOMB_TRY(begin(ctx, plan, mode, options, &how, &asked, &tuning));
    RHOMB_TRY(rhomb__check_size(&ctx->stream.error, "rhomb_mode_plan", size, sizeof full));
    RHOMB_TRY(rhomb__task_plan(ctx, &task, &asked, &report));
    RHOMB_TRY(rhomb__long_local_plan(ctx, &task, &how, &full));
out:
    if (size >= sizeof size && size <= sizeof full) {
        memcpy(plan, &full, size);
        plan->struct_size = size;
    }
    return status;
}
