/* SPDX-License-Identifier: MIT */
/*
 * A pair from end to end: its distance and, for an alignment, its first breakpoint, then rounds of
 * splits (align_rounds.c) and the base cases (align_base_cases.c); see aligner.h.
 */
#include "host/divide/aligner.h"
#include "host/divide/alignment.h"

#include "host/device/context.h"
#include "host/device/program.h"
#include "host/upload/send.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/tiling.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS  "path"
#define REPORTED "work"
#define PARTS    "parts"

static const rhomb__field FIELDS[] = {
    RHOMB__FIELD(rhomb__aligner, count),
    RHOMB__FIELD(rhomb__aligner, done),
    RHOMB__FIELD(rhomb__aligner, shown),
    RHOMB__FIELD(rhomb__aligner, seconds),
    RHOMB__FIELDS_END,
};

static const rhomb__field REPORT_FIELDS[] = {
    RHOMB__FIELD(rhomb_align_report, cells),
    RHOMB__FIELD(rhomb_align_report, splits),
    RHOMB__FIELD(rhomb_align_report, device_bytes),
    RHOMB__FIELD(rhomb_align_report, host_bytes),
    RHOMB__FIELDS_END,
};

void rhomb__align_save(rhomb__aligner *a)
{
    if (a->whole.checkpoint == NULL)
        return;
    a->seconds[0] = a->eta.path_began - a->eta.work_began;
    a->seconds[1] = rhomb__work_clock(a->ctx) - a->eta.path_began;
    rhomb__saver *saver = rhomb__checkpoint_begin(a->whole.checkpoint);
    if (saver != NULL) {
        rhomb__state_save(saver, NUMBERS, FIELDS, a);
        rhomb__state_save(saver, REPORTED, REPORT_FIELDS, a->report);
        rhomb__saver_section(saver, PARTS, a->subproblems,
                             (size_t)a->count * sizeof *a->subproblems);
    }
    rhomb__checkpoint_end(a->whole.checkpoint, saver);
}

static bool path_is_saved(const rhomb__aligner *a)
{
    int64_t bytes = 0;
    const rhomb__saved *saved = rhomb__checkpoint_found(a->whole.checkpoint);
    return saved != NULL && rhomb__saved_section(saved, PARTS, &bytes) != NULL;
}

/* Whether the subproblems are the pair, one after the other. */
static bool are_sound(const rhomb__aligner *a)
{
    const rhomb__costs *costs = &a->whole.plan.costs;
    int64_t target = 0, query = 0, cost = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const rhomb__subproblem *s = &a->subproblems[i];
        const rhomb_split_pair *pair = &s->pair;
        if (pair->target_at != target || pair->query_at != query || pair->target_length < 0 ||
            pair->query_length < 0 || pair->target_length > a->whole.target_length - target ||
            pair->query_length > a->whole.query_length - query ||
            !rhomb__subproblem_is_possible(costs, s))
            return false;
        target += pair->target_length;
        query += pair->query_length;
        cost += pair->distance + (i > 0 ? rhomb__costs_of_opening(costs, s->begin_gap) : 0);
    }
    return target == a->whole.target_length && query == a->whole.query_length && cost == a->cost;
}

static rhomb_status restore_path(rhomb__aligner *a)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &a->ctx->stream.error;
    const rhomb__saved *saved = rhomb__checkpoint_found(a->whole.checkpoint);
    const void *parts = NULL;
    RHOMB_TRY(rhomb__state_restore(error, saved, NUMBERS, FIELDS, a));
    RHOMB_TRY(rhomb__state_restore(error, saved, REPORTED, REPORT_FIELDS, a->report));
    if (a->count < 1 || a->count > a->whole.target_length + a->whole.query_length)
        RHOMB_TRY(rhomb__saved_damaged(error, saved, "its path has too many parts"));
    const size_t bytes = (size_t)a->count * sizeof *a->subproblems;
    RHOMB_TRY(rhomb__saved_need(error, saved, PARTS, (int64_t)bytes, &parts));
    a->subproblems = malloc(bytes);
    if (a->subproblems == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, bytes, "the subproblems of an alignment"));
    memcpy(a->subproblems, parts, bytes);
    if (!are_sound(a))
        status = rhomb__saved_damaged(error, saved, "its path is of another pair");
    a->eta.path_began = rhomb__work_clock(a->ctx) - a->seconds[1];
    a->eta.work_began = a->eta.path_began - a->seconds[0];
    rhomb__log(&a->ctx->stream, 1,
               "goes on with %lld subproblems, as the last saved round left them",
               (long long)a->count);
    rhomb__checkpoint_drop(a->whole.checkpoint);
out:
    return status;
}

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
    if (path_is_saved(a)) {
        RHOMB_TRY(restore_path(a));
    } else {
        rhomb__checkpoint_drop(whole->checkpoint);
        RHOMB_TRY(begin_path(a, &solution));
        rhomb__align_save(a);
    }
out:
    return status;
}

rhomb_status rhomb__align_pack(rhomb__aligner *a)
{
    if (a->packed_target.handle != NULL)
        return RHOMB_OK;
    return rhomb__task_pack(a->ctx, &a->whole, &a->packed_target, &a->packed_query);
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
