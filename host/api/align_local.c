/* SPDX-License-Identifier: MIT */
/*
 * rhomb_align_local(): what is aligned (host/local), then the alignment of that from end to end.
 */
#include "host/divide/aligner.h"
#include "host/local/long_local.h"

#include "host/device/context.h"
#include "src/base/clock.h"
#include "src/planner/engine_plan.h"

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

static rhomb_status check(rhomb_context *ctx, const rhomb_options *options)
{
    if (options->max_distance != RHOMB_NO_LIMIT)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a local alignment has no max_distance");
    if (options->checkpoint != NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a local alignment has no checkpoint");
    if (options->scoring->match <= 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a local alignment needs a scoring with a match score");
    return RHOMB_OK;
}

/* Finds what is aligned. */
static rhomb_status find(rhomb_context *ctx, rhomb__task *task, const rhomb_options *given,
                         rhomb_options *options, rhomb_local_report *local)
{
    rhomb_status status = RHOMB_OK;
    rhomb_tuning tuning;
    rhomb_report report = {0};
    RHOMB_TRY(rhomb__options_complete(&ctx->stream.error, given, options, &tuning));
    RHOMB_TRY(check(ctx, options));
    options->guide = NULL;
    RHOMB_TRY(rhomb__task_plan(ctx, task, options, &report));
    RHOMB_TRY(rhomb__long_local_find(ctx, task, options->progress, options->progress_user, local));
out:
    options->tuning = given != NULL ? given->tuning : NULL;
    return status;
}

/* Aligns the parts: their penalty is known by the score. */
static rhomb_status align_parts(rhomb_context *ctx, const rhomb__task *task,
                                const rhomb_options *found, const rhomb_local_report *local,
                                double began, rhomb_alignment **out)
{
    const rhomb_pair_extent *e = &local->extent;
    const rhomb__costs *costs = &task->plan.costs;
    const int64_t n = e->target_end - e->target_begin, m = e->query_end - e->query_begin;
    rhomb_options options = *found;
    watcher w = {options.progress, options.progress_user, began, 0};
    w.penalty = options.max_distance =
        costs->doubled * costs->match / 2 * (n + m) - costs->doubled * e->score;
    if (options.progress != NULL) {
        options.progress = watch_path;
        options.progress_user = &w;
    }
    const rhomb_status status =
        rhomb_align(ctx, n > 0 ? task->target + e->target_begin : NULL, n,
                    m > 0 ? task->query + e->query_begin : NULL, m, &options, out);
    if (status != RHOMB_OK)
        return status;
    const int64_t distance = rhomb_alignment_report(*out)->whole->distance;
    if (distance == options.max_distance)
        return RHOMB_OK;
    rhomb_alignment_destroy(*out);
    *out = NULL;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: a local alignment has the penalty %lld, and %lld with its path",
                       ctx->stream.device->info.name, (long long)options.max_distance,
                       (long long)distance);
}

rhomb_status rhomb_align_local(rhomb_context *ctx, const char *target, int64_t target_length,
                               const char *query, int64_t query_length,
                               const rhomb_options *options, rhomb_alignment **out)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    rhomb__plan_view shown;
    rhomb_options asked;
    rhomb_local_report local = {0};
    rhomb__task task = {.target = target,
                        .target_length = target_length,
                        .query = query,
                        .query_length = query_length,
                        .shown = &shown};
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    RHOMB_TRY(find(ctx, &task, options, &asked, &local));
    RHOMB_TRY(align_parts(ctx, &task, &asked, &local, began, out));
    rhomb__alignment_set_local(*out, &local, &task);
out:
    return status;
}
