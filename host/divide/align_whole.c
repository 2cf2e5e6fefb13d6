/* SPDX-License-Identifier: MIT */
/*
 * A pair from end to end: its distance and, for an alignment, its first breakpoint, then rounds of
 * splits (align_rounds.c) and the base cases (align_base_cases.c); see aligner.h.
 */
#include "host/divide/aligner.h"
#include "host/divide/alignment.h"

#include "host/device/context.h"
#include "host/device/program.h"
#include "host/upload/pack.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/affine_tiling.h"
#include "src/planner/engine_plan.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>

/* Seconds to the end, on a clock that leaves out the building of kernels; see eta.h. */
static double seconds_to_go(rhomb__aligner *a, const rhomb_progress *progress)
{
    const double now = rhomb__work_clock(a->ctx);
    const double share = rhomb__plan_speed(&a->whole.plan)->path_share;
    if (a->eta.phase < 2)
        return rhomb__eta_of_distance(&a->eta, now, progress->eta_seconds, share);
    return rhomb__eta_of_path(&a->eta, now, a->shown / a->all_work - 1, share);
}

/*
 * Of rhomb_options: reports a solve's progress as progress of the whole call. `user` is the
 * aligner.
 */
static int watch(const rhomb_progress *progress, void *user)
{
    rhomb__aligner *a = user;
    rhomb_progress all = *progress;
    const double work = a->phase_began + progress->fraction * a->phase_work;
    /* An engine that takes over begins at 0 again, and subproblems may count for too much. */
    a->shown = work > a->shown ? work : a->shown;
    a->shown = a->shown < 2 * a->all_work ? a->shown : 2 * a->all_work;
    all.seconds = rhomb__now() - a->began;
    all.fraction = a->shown / (2 * a->all_work);
    all.eta_seconds = seconds_to_go(a, progress);
    if (a->distance->distance > 0)
        all.lower_bound = all.upper_bound = a->distance->distance;
    return a->asked.progress(&all, a->asked.progress_user);
}

rhomb_status rhomb__align_tell(rhomb__aligner *aligner, const rhomb_progress *progress)
{
    if (aligner->asked.progress == NULL || watch(progress, aligner) == 0)
        return RHOMB_OK;
    return rhomb__fail(&aligner->ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped while aligning");
}

double rhomb__subproblem_work(const rhomb__aligner *aligner, const rhomb__subproblem *subproblem)
{
    const double distance = (double)subproblem->pair.distance;
    const int64_t longer =
        rhomb__max(subproblem->pair.target_length, subproblem->pair.query_length);
    return distance * (aligner->sweeps ? (double)longer : distance);
}

rhomb_status rhomb__align_advance(rhomb__aligner *aligner, double work)
{
    const rhomb_progress nothing = {0};
    aligner->done += work;
    if (aligner->done > aligner->all_work)
        aligner->done = aligner->all_work;
    aligner->phase_began = aligner->all_work + aligner->done;
    aligner->phase_work = 0;
    return rhomb__align_tell(aligner, &nothing);
}

/* The caller's options, with two directions. */
static rhomb_status complete_options(rhomb__aligner *a, const rhomb_options *given,
                                     rhomb_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__options_complete(&a->ctx->stream.error, given, &a->asked, tuning));
    if (tuning->directions == 1 || tuning->tile_shape == RHOMB_TILE_DIAMOND)
        RHOMB_TRY(rhomb__fail(&a->ctx->stream.error, RHOMB_ERR_ARGUMENT,
                              "an alignment needs two directions, and trapezoids"));
    tuning->directions = 2;
out:
    return status;
}

/* The first one or two subproblems, once the distance is known. */
static rhomb_status begin_path(rhomb__aligner *a, const rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__subproblem whole = {
        .pair = {0, a->whole.target_length, 0, a->whole.query_length, solution->distance}};
    a->subproblems = malloc(2 * sizeof *a->subproblems);
    if (a->subproblems == NULL)
        return rhomb__fail_memory(&a->ctx->stream.error, 2 * sizeof *a->subproblems,
                                  "the subproblems of an alignment");
    a->count = 1;
    a->subproblems[0] = whole;
    const rhomb__costs *costs = &a->whole.plan.costs;
    if (rhomb__subproblem_is_base_case(a, &whole) ||
        (a->sweeps &&
         (rhomb__sweep_swaps(costs, a->whole.target_length) || !rhomb__sweep_can(costs, &whole))))
        return RHOMB_OK; /* the last two are split as other subproblems are */
    RHOMB_TRY(rhomb__subproblem_divide(a, &whole, &solution->breakpoint, a->subproblems));
    a->count = 2;
out:
    return status;
}

/* What the aligner needs of the solved pair. */
static void take_distance(rhomb__aligner *a, const rhomb__solution *solution)
{
    rhomb_report *report = a->distance;
    const rhomb__subproblem whole = {
        .pair = {0, a->whole.target_length, 0, a->whole.query_length, solution->distance}};
    a->packed_target = a->whole.packed_target;
    a->packed_query = a->whole.packed_query;
    report->seconds_total = rhomb__now() - a->began;
    a->report->engine = report->plan->engine;
    a->report->device_bytes = report->device_bytes;
    a->sweeps = rhomb__plan_sweeps(&a->whole.plan);
    a->cost = solution->distance;
    a->all_work = rhomb__subproblem_work(a, &whole) + 1;
    a->shown = a->all_work;
}

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

/* The distance, and the first two subproblems, or those that a checkpoint has. */
static rhomb_status solve_whole(rhomb__aligner *a, const rhomb_options *given,
                                rhomb__shares *shares)
{
    rhomb_status status = RHOMB_OK;
    rhomb_tuning tuning;
    rhomb__solution solution;
    rhomb__task *whole = &a->whole;
    RHOMB_TRY(complete_options(a, given, &tuning));
    rhomb_options options = a->asked;
    options.tuning = &tuning;
    if (options.progress != NULL) {
        options.progress = watch;
        options.progress_user = a;
    }
    whole->wants_breakpoint = whole->keeps_packed = true;
    whole->follow = rhomb__guide_follow;
    a->phase_work = a->all_work = 1;
    RHOMB_TRY(rhomb__task_plan(a->ctx, whole, &options, a->distance));
    RHOMB_TRY(rhomb__task_open_checkpoint(a->ctx, whole, "align", a->distance));
    RHOMB_TRY(rhomb__task_solve(a->ctx, whole, a->distance, &solution));
    rhomb__shares_publish(&solution, shares, a->distance);
    take_distance(a, &solution);
    if (solution.distance < 0 || (whole->target_length == 0 && whole->query_length == 0))
        return RHOMB_OK;
    rhomb__eta_begin_path(&a->eta, rhomb__work_clock(a->ctx));
    if (rhomb__align_is_saved(a)) {
        RHOMB_TRY(rhomb__align_restore(a));
    } else {
        rhomb__checkpoint_drop(whole->checkpoint);
        RHOMB_TRY(begin_path(a, &solution));
        rhomb__align_save(a);
    }
out:
    return status;
}

rhomb_status rhomb__align_pack_on(const rhomb__aligner *a, rhomb_context *ctx,
                                  rhomb__buffer *packed_target, rhomb__buffer *packed_query)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *whole = &a->whole;
    rhomb__program *pack = NULL;
    const rhomb__pair_packing packing = rhomb__pair_packing_windows(
        whole->target_length, whole->query_length, whole->plan.planes, 2);
    const rhomb__bases target = {whole->target, whole->target_length, &whole->codes,
                                 "the packed target"};
    const rhomb__bases query = {whole->query, whole->query_length, &whole->codes,
                                "the packed query"};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(rhomb__pack_pair(&ctx->stream, pack, &packing, &target, &query, packed_target,
                               packed_query));
out:
    return status;
}

rhomb_status rhomb__align_pack(rhomb__aligner *a)
{
    if (a->packed_target.handle != NULL)
        return RHOMB_OK;
    return rhomb__align_pack_on(a, a->ctx, &a->packed_target, &a->packed_query);
}

/* Releases all but the path. */
static void release(rhomb__aligner *a)
{
    rhomb__buffer_release(&a->ctx->stream, &a->packed_target);
    rhomb__buffer_release(&a->ctx->stream, &a->packed_query);
    free(a->subproblems);
}

/* Of rhomb__build_watch, for the path's programs. */
static rhomb_status tell_build(rhomb_context *ctx, void *user)
{
    const rhomb_progress building = {.building = true};
    (void)ctx;
    return rhomb__align_tell(user, &building);
}

/* Splits the subproblems until they are base cases, and puts the path together. */
static rhomb_status follow(rhomb__aligner *a)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__build_watch before = a->ctx->build_watch;
    a->ctx->build_watch = (rhomb__build_watch){tell_build, a};
    const double built = a->ctx->stream.device->build_seconds;
    const double split = rhomb__work_clock(a->ctx);
    RHOMB_TRY(rhomb__align_rounds(a));
    a->report->seconds_split = rhomb__work_clock(a->ctx) - split;
    if (a->count > 0)
        RHOMB_TRY(rhomb__align_base_cases(a));
    a->report->seconds_build = a->ctx->stream.device->build_seconds - built;
    a->report->operations = a->path.count;
    a->report->matches = a->path.matches;
    a->report->mismatches = a->path.mismatches;
    a->report->inserted = a->path.inserted;
    a->report->deleted = a->path.deleted;
    a->report->seconds_total = rhomb__now() - a->began;
out:
    a->ctx->build_watch = before;
    return status;
}

/* Prepares the path of a pair whose distance is known. */
static rhomb_status know_whole(rhomb__aligner *a, const rhomb_options *options, int64_t distance)
{
    rhomb_status status = RHOMB_OK;
    rhomb_tuning tuning;
    rhomb__costs costs = rhomb__costs_edit();
    rhomb__subproblem whole = {
        .pair = {0, a->whole.target_length, 0, a->whole.query_length, distance}};
    a->began = rhomb__now();
    a->whole.is_solved = true;
    if (options->scoring != NULL)
        RHOMB_TRY(rhomb__costs_of(&a->ctx->stream.error, options->scoring, &costs));
    whole.pair.distance /= costs.unit;
    RHOMB_TRY(complete_options(a, options, &tuning));
    rhomb_options asked = a->asked;
    asked.tuning = &tuning;
    if (asked.engine == RHOMB_ENGINE_AUTO)
        asked.engine = rhomb__engine_that(
            !(rhomb__affine_can(&costs) && rhomb__subproblem_is_sparse(&costs, &whole)), &costs);
    if (asked.progress != NULL) {
        asked.progress = watch;
        asked.progress_user = a;
    }
    RHOMB_TRY(rhomb__task_plan(a->ctx, &a->whole, &asked, a->distance));
    a->sweeps = rhomb__plan_sweeps(&a->whole.plan);
    const rhomb__solution solution = {.distance = whole.pair.distance};
    rhomb__task_fill_report(&a->whole, &solution, a->distance);
    a->report->engine = a->distance->plan->engine;
    a->cost = whole.pair.distance;
    a->shown = a->all_work = rhomb__subproblem_work(a, &whole) + 1;
    rhomb__eta_begin_path(&a->eta, rhomb__work_clock(a->ctx));
    if (a->whole.target_length == 0 && a->whole.query_length == 0)
        goto out;
    a->subproblems = malloc(sizeof *a->subproblems);
    if (a->subproblems == NULL)
        RHOMB_TRY(rhomb__fail_memory(&a->ctx->stream.error, sizeof *a->subproblems,
                                     "the subproblems of an alignment"));
    a->subproblems[0] = whole;
    a->count = 1;
out:
    return status;
}

rhomb_status rhomb__align_known(rhomb_context *ctx, const rhomb_pair *pair, int64_t distance,
                                const rhomb_options *options, rhomb__path *path,
                                int64_t *device_bytes)
{
    rhomb_status status = RHOMB_OK;
    rhomb_align_report report = {0};
    rhomb_report whole_report = {0};
    int64_t share_splits[RHOMB_MOST_DEVICES] = {0};
    rhomb__plan_view shown;
    rhomb__aligner a = {.ctx = ctx,
                        .whole = {.target = pair->target,
                                  .target_length = pair->target_length,
                                  .query = pair->query,
                                  .query_length = pair->query_length,
                                  .shown = &shown},
                        .report = &report,
                        .distance = &whole_report,
                        .share_splits = share_splits};
    RHOMB_TRY(know_whole(&a, options, distance));
    RHOMB_TRY(follow(&a));
    *path = a.path;
    *device_bytes = report.device_bytes;
out:
    if (status != RHOMB_OK)
        rhomb__path_release(&a.path);
    release(&a);
    return status;
}

rhomb_status rhomb__align_pair(rhomb_context *ctx, const rhomb_pair *pair, int64_t known,
                               const rhomb_options *options, rhomb_alignment **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_alignment *alignment = calloc(1, sizeof *alignment);
    if (alignment == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *alignment, "an alignment");
    rhomb__aligner a = {.ctx = ctx,
                        .whole = {.target = pair->target,
                                  .target_length = pair->target_length,
                                  .query = pair->query,
                                  .query_length = pair->query_length,
                                  .shown = &alignment->plan},
                        .report = &alignment->report,
                        .distance = &alignment->distance,
                        .share_splits = alignment->share_splits,
                        .began = rhomb__now()};
    alignment->report.whole = &alignment->distance;
    alignment->report.share_splits = alignment->share_splits;
    if (known >= 0)
        RHOMB_TRY(know_whole(&a, options, known));
    else
        RHOMB_TRY(solve_whole(&a, options, &alignment->shares));
    status = follow(&a);
    if (status == RHOMB_ERR_CANCELLED)
        rhomb__align_save(&a);
    if (status == RHOMB_OK)
        rhomb__checkpoint_report(a.whole.checkpoint, a.distance);
out:
    rhomb__checkpoint_close(a.whole.checkpoint);
    alignment->path = a.path;
    release(&a);
    if (status == RHOMB_OK) {
        *out = alignment;
    } else {
        rhomb__path_release(&alignment->path);
        free(alignment);
    }
    return status;
}
