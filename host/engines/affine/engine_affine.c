/* SPDX-License-Identifier: MIT */
/*
 * The affine wavefront as an engine: the penalty of one pair, and a point of its path.
 *
 * Both directions advance in the same launches, and after each launch a look on the device says
 * whether they have met; later launches then do nothing, so the host reads the status only once a
 * batch. That they have met by score s, and not by a score before it, leaves a range of costs as
 * wide as a launch. Halving the launch, from the buffer that it started from, narrows that to one
 * score; and then a search, with the forward direction where they have not met and the backward one
 * growing, finds the cost (cl/affine/affine_wavefront.cl). The buffer from before they met stays
 * through all of this, and everything starts from there, also where the breakpoint is looked for
 * (src/planner/tiling.h): so it does not depend on the launches.
 *
 * Where batches end and what is decided there depends on the input and the device's profile alone,
 * as in engine_wavefront.c.
 */
#include "host/device/context.h"
#include "host/engines/affine/affine_waves.h"
#include "host/engines/engine.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/eta.h"
#include "src/planner/rates.h"

#include <limits.h>
#include <stdlib.h>

#define FIRST_BATCH_LAUNCHES 4

/*
 * Offsets are held for scores up to here at first, and then for GROWTH times as many. Tests begin
 * with fewer.
 */
#ifndef RHOMB__AFFINE_FIRST_SCORES
#    define RHOMB__AFFINE_FIRST_SCORES 4096
#endif
#define GROWTH 2

/* The profile's time of the first look at whether the sweep should take over, and to the next. */
#define FIRST_LOOK_SECONDS 0.0004
#define LOOK_GROWTH        1.5

/* So that 32-bit offsets that are none never become one: each score adds 1 at most. */
#define MOST_SCORES (INT64_C(1) << 29)

/* The running wavefront of a pair. */
typedef struct meeting {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__solution solution;
    rhomb__affine_waves waves;
    rhomb_affine_problem place;
    int64_t held;     /* scores that the place is for */
    int64_t complete; /* scores up to this one are enqueued */
    int64_t bound;
    int64_t reach;   /* antidiagonals of both directions together, as read last, and ... */
    int64_t forward; /* ... of one of them */
    int32_t far_shift;
    int32_t launch; /* the number of the next launch, and of the look after it */
    int64_t batch_launches;
    double next_look, pace;
    double began;
    rhomb__forecast forecast; /* for progress; a restored run begins anew */
} meeting;

static rhomb__pair_packing packing(const rhomb__plan *plan)
{
    return rhomb__pair_packing_windows(plan->target_length, plan->query_length, plan->planes, 2);
}

/* By how many scores the costs look back. */
static int64_t lookback(const meeting *e)
{
    return rhomb__affine_lookback(&e->waves.shape.costs);
}

/* Lists tiles of both directions from score `from` to scores `to`, if those come after it. */
static rhomb_status list_scores(meeting *e, int64_t from, const int64_t to[2], int32_t turn)
{
    rhomb__affine_stretch stretches[2];
    for (int direction = 0; direction < 2; direction++) {
        const int64_t last = to[direction];
        if (last > e->held)
            return rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_INTERNAL,
                               "score %lld, where diagonals are held up to %lld", (long long)last,
                               (long long)e->held);
        stretches[direction] = rhomb__affine_no_stretch();
        if (last < from)
            continue;
        stretches[direction].like = (rhomb_affine_tile){.start = from,
                                                        .steps = (rhomb_i32)(last - from + 1),
                                                        .direction = direction,
                                                        .turn = turn};
        stretches[direction].window = rhomb__affine_window(&e->waves.shape.costs, &e->place.range,
                                                           direction, from, last, e->bound);
    }
    return rhomb__affine_list_add(&e->waves, stretches);
}

/* Lays out the place of the offsets for scores up to `until`; their number in a buffer. */
static int64_t lay_out(const meeting *e, int64_t until, rhomb_affine_problem *place)
{
    return rhomb__affine_lay_out(&e->waves.shape.costs, &e->place.range, until, e->bound, 0, place);
}

/* The diagonals of scores up to `until` have a place. */
static void take_place(meeting *e, const rhomb_affine_problem *place, int64_t until,
                       int64_t offsets)
{
    e->place = *place;
    e->held = until;
    e->solution.working_bytes =
        rhomb__max(e->solution.working_bytes, 2 * offsets * (int64_t)e->waves.offset_bytes);
    e->solution.diagonals_in_use = rhomb__max(e->solution.diagonals_in_use, place->cells);
}

/*
 * The last score that a launch's diagonals have to be held for, if the launch ends at score `last`:
 * that of the search, where the directions meet in it.
 */
static int64_t last_searched(const meeting *e, int64_t last)
{
    return last + lookback(e);
}

/* Makes room for the diagonals of scores up to `last`. */
static rhomb_status hold(meeting *e, int64_t last, int32_t turn)
{
    rhomb_status status = RHOMB_OK;
    rhomb_affine_problem grown;
    int64_t until = rhomb__max(e->held, RHOMB__AFFINE_FIRST_SCORES);
    if (last <= e->held)
        return RHOMB_OK;
    while (until < last)
        until *= GROWTH;
    const int64_t offsets = lay_out(e, until, &grown);
    if (e->held == 0)
        RHOMB_TRY(rhomb__affine_waves_begin(&e->waves, &grown, 1, offsets));
    else
        RHOMB_TRY(rhomb__affine_waves_grow(&e->waves, &e->place, &grown, offsets, turn));
    take_place(e, &grown, until, offsets);
out:
    return status;
}

/* Whether it is time to ask if another engine should take over, when so much is complete. */
static bool is_look_due(const meeting *e, int64_t complete)
{
    const rhomb__plan *plan = e->problem->plan;
    return plan->may_switch && rhomb__plan_profile_seconds(plan, 2 * complete) >= e->next_look;
}

/* Lists the launches of the next batch, at least one. */
static rhomb_status list_batch(meeting *e)
{
    rhomb_status status = RHOMB_OK;
    const int64_t scores = e->waves.shape.scores;
    const double most =
        rhomb__plan_profile(e->problem->plan)->cells_per_second * RHOMB__BATCH_SECONDS;
    double cells = 0;
    rhomb__affine_list_clear(&e->waves);
    const int64_t longest = rhomb__plan_batch_launches(e->problem->plan, e->batch_launches,
                                                       e->complete, e->complete, e->reach);
    for (int64_t i = 0; i < longest; i++) {
        const int64_t from = e->complete + 1 + i * scores, last = from + scores - 1;
        if (i > 0 &&
            (cells > most || last_searched(e, last) > e->held || is_look_due(e, from - 1) ||
             e->waves.list.count >= RHOMB__AFFINE_LISTED_TILES))
            break;
        const int64_t to[2] = {last, last};
        RHOMB_TRY(list_scores(e, from, to, (int32_t)((e->launch + i) & 1)));
        RHOMB_TRY(rhomb__affine_list_end(&e->waves));
        cells += (double)rhomb__affine_launch_cells(&e->waves, i);
    }
    RHOMB_TRY(rhomb__affine_list_send(&e->waves));
out:
    return status;
}

/*
 * Runs the next batch, with a look after each launch. *seen is as of its end: where the directions
 * have met, and how far they have come.
 */
static rhomb_status run_batch(meeting *e, rhomb_affine_status *seen)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(hold(e, last_searched(e, e->complete + e->waves.shape.scores), e->launch & 1));
    RHOMB_TRY(list_batch(e));
    for (int64_t i = 0; i < e->waves.list.launches; i++) {
        RHOMB_TRY(rhomb__affine_launch(&e->waves, i, e->launch));
        e->complete += e->waves.shape.scores;
        RHOMB_TRY(rhomb__affine_look_at(&e->waves, e->complete, 1 - (e->launch & 1), e->launch,
                                        e->far_shift));
        e->launch++;
        e->solution.batches++;
    }
    RHOMB_TRY(rhomb__affine_status_read(&e->waves, seen));
    e->forward = (int64_t)seen->furthest[0] << e->far_shift;
    e->reach = e->forward + ((int64_t)seen->furthest[1] << e->far_shift);
    e->batch_launches =
        rhomb__min(2 * e->batch_launches, e->problem->plan->wavefront.launches_per_read);
out:
    return status;
}

/* Runs directions from the buffer `turn`, where they are at score `from`, to scores `to`. */
static rhomb_status run_from(meeting *e, int32_t turn, int64_t from, const int64_t to[2])
{
    rhomb_status status = RHOMB_OK;
    rhomb__affine_list_clear(&e->waves);
    RHOMB_TRY(list_scores(e, from + 1, to, turn));
    RHOMB_TRY(rhomb__affine_list_end(&e->waves));
    RHOMB_TRY(rhomb__affine_list_send(&e->waves));
    RHOMB_TRY(rhomb__affine_launch(&e->waves, 0, 0));
out:
    return status;
}

/* The last score at which they have not met, which is `*from` or up to a launch later. */
static rhomb_status narrow(meeting *e, int64_t *from, int32_t *turn)
{
    rhomb_status status = RHOMB_OK;
    int64_t met_at = *from + e->waves.shape.scores;
    while (met_at - *from > 1) {
        const int64_t middle = *from + (met_at - *from) / 2, to[2] = {middle, middle};
        rhomb_affine_status seen;
        RHOMB_TRY(rhomb__affine_status_reset(&e->waves));
        RHOMB_TRY(rhomb__affine_waves_forget(&e->waves, 1 - *turn));
        RHOMB_TRY(run_from(e, *turn, *from, to));
        RHOMB_TRY(rhomb__affine_look_at(&e->waves, middle, 1 - *turn, 0, e->far_shift));
        RHOMB_TRY(rhomb__affine_status_read(&e->waves, &seen));
        if (seen.met == RHOMB_AFFINE_NOT_MET) {
            *from = middle;
            *turn = 1 - *turn;
        } else {
            met_at = middle;
        }
    }
out:
    return status;
}

/*
 * The least cost of a path; `from` is the last score at which they have not met.
 *
 * Scores up to F = from for the forward direction and up to F + LOOKBACK + 1 for the backward one
 * find it. They meet at F + 1, so the least cost U is at most 2 (F + 1). On a path of cost U let v
 * be the last vertex that has paid p <= F; its next step costs c, so that p > F - c. Outside of
 * gaps the rest costs U - p < 2 (F + 1) - F + c, so at most F + 1 + c, and c is a mismatch or the
 * first base of a gap: c <= LOOKBACK. Within a gap c is an extension, and the backward direction
 * pays the opening too: U - p + open <= F + 1 + c + open, and c + open <= LOOKBACK. Slots have p:
 * they hold LOOKBACK scores of M and an extension's of gaps, up to F. The rest costs more than F,
 * or they would have met at F: so scores up to F need no look.
 *
 * Diagonals have to be held for all of these scores. The launch in which they met ends at F + 1 or
 * later, so that it needs a LOOKBACK more than its last score. The search for the
 * breakpoint of cost U goes no further: to (U + LOOKBACK) / 2 <= F + 1 + LOOKBACK / 2.
 */
static rhomb_status search(meeting *e, int64_t from, int32_t turn, int64_t *cost)
{
    rhomb_status status = RHOMB_OK;
    const int64_t step = rhomb__costs_least_extend(&e->waves.shape.costs);
    const int64_t last = from + lookback(e) + 1;
    rhomb_affine_status seen;
    RHOMB_TRY(rhomb__affine_status_reset(&e->waves));
    RHOMB_TRY(rhomb__affine_waves_forget(&e->waves, 1 - turn));
    for (int64_t b = from; b < last;) {
        const int32_t fresh = (int32_t)rhomb__min(step, last - b);
        const int64_t to[2] = {from, b += fresh};
        RHOMB_TRY(run_from(e, turn, from, to));
        RHOMB_TRY(rhomb__affine_search_at(&e->waves, turn, from, b, fresh));
    }
    RHOMB_TRY(rhomb__affine_status_read(&e->waves, &seen));
    *cost = seen.least;
out:
    return status;
}

/* Where a path of this cost leads through; see tiling.h. */
static rhomb_status find_breakpoint(meeting *e, int64_t from, int32_t turn, int64_t cost)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__costs *costs = &e->waves.shape.costs;
    rhomb_affine_point point;
    e->place.range.pair.distance = cost;
    RHOMB_TRY(rhomb__affine_waves_forget(&e->waves, 1 - turn));
    RHOMB_TRY(rhomb__affine_meet_begin(&e->waves));
    for (int stage = 0; stage < rhomb__affine_stages(costs); stage++) {
        int64_t until[2];
        rhomb__affine_until(costs, cost, stage, until);
        if (until[0] < from) /* within such a gap they would have met */
            continue;
        RHOMB_TRY(run_from(e, turn, from, until));
        for (int direction = 0; direction < 2; direction++) {
            e->place.until[direction] = until[direction];
            e->place.turn[direction] = until[direction] > from ? 1 - turn : turn;
        }
        RHOMB_TRY(rhomb__affine_waves_update(&e->waves, &e->place));
        RHOMB_TRY(rhomb__affine_meet_in(&e->waves, rhomb__affine_stage_part(costs, stage)));
    }
    RHOMB_TRY(rhomb__affine_meet_end(&e->waves, &point));
    if (point.key == RHOMB_AFFINE_APART)
        RHOMB_TRY(rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                              "%s: no path of cost %lld was found where one has to be",
                              e->ctx->stream.device->info.name, (long long)cost));
    const rhomb__affine_breakpoint found =
        rhomb__affine_breakpoint_of(costs, &point, e->place.origin[0], cost);
    e->solution.breakpoint = (rhomb__breakpoint){found.target, found.query, found.cost, found.gap};
out:
    return status;
}

/* They had met at look number `met`. */
static rhomb_status settle(meeting *e, int32_t met)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = e->problem->plan;
    int64_t from = met * e->waves.shape.scores - 1, cost = INT_MAX;
    int32_t turn = met & 1;
    RHOMB_TRY(narrow(e, &from, &turn));
    RHOMB_TRY(search(e, from, turn, &cost));
    /* Windows have all paths within the bound. With other costs the search may have missed some. */
    const bool is_within = cost <= e->bound;
    if (is_within
            ? cost < plan->lower_bound || cost > 2 * (from + 1) || cost < 2 * from - lookback(e)
            : 2 * (from + 1) <= e->bound)
        RHOMB_TRY(
            rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                        "%s: affine wavefronts that met after score %lld ended with cost %lld",
                        e->ctx->stream.device->info.name, (long long)from, (long long)cost));
    if (!is_within)
        goto out;
    e->solution.distance = cost;
    if (e->problem->wants_breakpoint && cost > 2 * lookback(e))
        RHOMB_TRY(find_breakpoint(e, from, turn, cost));
out:
    return status;
}

/* Costs up to here are ruled out. */
static int64_t proved(const meeting *e)
{
    return rhomb__max(2 * e->complete - lookback(e), 0);
}

static rhomb_status report_progress(meeting *e)
{
    const rhomb_options *options = e->problem->options;
    const rhomb__plan *plan = e->problem->plan;
    if (options->progress == NULL)
        return RHOMB_OK;
    const double bases = (double)plan->target_length + (double)plan->query_length;
    const double now = rhomb__now();
    const rhomb__wave_moment moment = {
        .seconds = now - e->began,
        .done = 2 * (double)e->complete,
        .bound = (double)e->bound,
        .directions = 2,
        .reach = {(double)e->forward / bases, (double)(e->reach - e->forward) / bases}};
    const rhomb__foretold told =
        rhomb__forecast_make(&e->forecast, &plan->promise, rhomb__plan_full_cost(plan), &moment);
    rhomb_progress progress = {
        .lower_bound = rhomb__max(plan->lower_bound, rhomb__min(proved(e) + 1, e->bound)),
        .upper_bound = e->bound,
        .fraction = told.fraction,
        .seconds = now - e->problem->began,
        .eta_seconds = told.seconds};
    progress.cells_per_second = (double)e->waves.cells / (now - e->began + 1e-9);
    if (options->progress(&progress, options->progress_user) != 0)
        return rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped at distance > %lld",
                           (long long)proved(e));
    return RHOMB_OK;
}

/* Hands over to the sweep, if the planner says so. */
static bool hands_over(meeting *e)
{
    const rhomb__plan *plan = e->problem->plan;
    const double bases = (double)plan->target_length + (double)plan->query_length;
    int64_t estimate = 0;
    if (!is_look_due(e, e->complete))
        return false;
    const double pace = 2 * (double)e->complete / (double)rhomb__max(e->reach, 1);
    e->pace = e->pace > 0 && e->pace < pace ? e->pace : pace;
    const rhomb__look look = {.seconds = rhomb__plan_profile_seconds(plan, 2 * e->complete),
                              .column = 2 * e->complete,
                              .reach = e->reach,
                              .pace = e->pace};
    e->next_look =
        look.seconds > FIRST_LOOK_SECONDS ? LOOK_GROWTH * look.seconds : FIRST_LOOK_SECONDS;
    if (!rhomb__plan_should_switch(plan, &look, &estimate))
        return false;
    e->solution.estimate = estimate;
    e->solution.proved = proved(e);
    e->solution.bound = e->problem->upper_bound;
    rhomb__log(&e->ctx->stream, 1,
               "wavefront: score %lld comes to %.1f %% of the pair; for the cost expected, %lld, "
               "the bit-parallel engine is faster",
               (long long)look.column, 100.0 * (double)look.reach / bases, (long long)estimate);
    return true;
}

/* No path within the bound is left: only a limit of the caller's can rule out all. */
static rhomb_status give_up(const meeting *e)
{
    const rhomb__plan *plan = e->problem->plan;
    if (plan->upper_bound <
        rhomb__costs_most(&plan->costs, plan->target_length, plan->query_length))
        return RHOMB_OK;
    return rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: affine wavefronts have not met at score %lld",
                       e->ctx->stream.device->info.name, (long long)e->complete);
}

static rhomb_status affine_advance(void *run, bool *done)
{
    rhomb_status status = RHOMB_OK;
    meeting *e = run;
    rhomb_affine_status seen;
    const int32_t first = e->launch;
    RHOMB_TRY(run_batch(e, &seen));
    if (seen.met != RHOMB_AFFINE_NOT_MET && (seen.met < first || seen.met >= e->launch)) {
        status = rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: affine wavefronts met at look %d, which is not one of %d to %d",
                             e->ctx->stream.device->info.name, (int)seen.met, (int)first,
                             (int)e->launch - 1);
    } else if (seen.met != RHOMB_AFFINE_NOT_MET) {
        *done = true;
        RHOMB_TRY(settle(e, seen.met));
    } else if (proved(e) >= e->bound) {
        *done = true;
        RHOMB_TRY(give_up(e));
    } else if (e->complete > MOST_SCORES) {
        status = rhomb__fail(&e->ctx->stream.error, RHOMB_ERR_ARGUMENT,
                             "the wavefront ends at score %lld; the bit-parallel engine has no "
                             "such limit",
                             (long long)MOST_SCORES);
    } else {
        RHOMB_TRY(report_progress(e));
        *done = hands_over(e);
    }
out:
    return status;
}

static void affine_report(const void *run, rhomb__solution *solution)
{
    const meeting *e = run;
    *solution = e->solution;
    solution->cells = e->waves.cells;
    solution->launches = e->waves.launches;
    solution->reads = e->waves.reads;
}

static void affine_close(void *run)
{
    meeting *e = run;
    if (e == NULL)
        return;
    rhomb__affine_waves_release(&e->waves);
    free(e);
}

static rhomb_status affine_open(rhomb_context *ctx, const rhomb__programs *programs,
                                const rhomb__problem *problem, void **run)
{
    const rhomb__plan *plan = problem->plan;
    meeting *e = calloc(1, sizeof *e);
    *run = e;
    if (e == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *e, "an affine wavefront");
    e->ctx = ctx;
    e->problem = problem;
    e->solution.distance = -1;
    e->complete = -1;
    e->bound = rhomb__min(plan->upper_bound, problem->upper_bound);
    e->place.range.pair =
        (rhomb_split_pair){0, problem->target_length, 0, problem->query_length, 0};
    e->batch_launches = rhomb__min(FIRST_BATCH_LAUNCHES, plan->wavefront.launches_per_read);
    while ((problem->target_length + problem->query_length) >> e->far_shift > INT32_MAX)
        e->far_shift++;
    e->next_look = FIRST_LOOK_SECONDS;
    e->began = rhomb__now();
    return rhomb__affine_waves_open(&e->waves, &ctx->stream, programs->solve, plan, problem->query,
                                    problem->target, problem->query_length, problem->target_length);
}

/* Nothing is in flight between two steps. */
static const rhomb__field FIELDS[] = {
    RHOMB__MOMENT(meeting, began),
    RHOMB__FIELD(meeting, held),
    RHOMB__FIELD(meeting, complete),
    RHOMB__FIELD(meeting, reach),
    RHOMB__FIELD(meeting, launch),
    RHOMB__FIELD(meeting, batch_launches),
    RHOMB__FIELD(meeting, next_look),
    RHOMB__FIELD(meeting, pace),
    RHOMB__FIELD(meeting, waves.cells),
    RHOMB__FIELD(meeting, waves.launches),
    RHOMB__FIELD(meeting, waves.reads),
    RHOMB__PART(meeting, solution, rhomb__solution_fields),
    RHOMB__FIELDS_END,
};

static const rhomb__kept_buffer BUFFERS[] = {
    RHOMB__KEPT(meeting, "waves 0", waves.offsets[0]),
    RHOMB__KEPT(meeting, "waves 1", waves.offsets[1]),
    RHOMB__KEPT(meeting, "status", waves.status),
    {.name = NULL},
};

static rhomb_status affine_take_up(void *run, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    meeting *e = run;
    rhomb_affine_problem place;
    (void)saved;
    if (e->held > 0) {
        const int64_t offsets = lay_out(e, e->held, &place);
        RHOMB_TRY(rhomb__affine_waves_begin(&e->waves, &place, 1, offsets));
        take_place(e, &place, e->held, offsets);
    }
out:
    return status;
}

const rhomb__engine rhomb__engine_affine = {
    .packs_for_splits = true,
    .packing = packing,
    .program = rhomb__affine_program,
    .open = affine_open,
    .advance = affine_advance,
    .report = affine_report,
    .fields = FIELDS,
    .buffers = BUFFERS,
    .take_up = affine_take_up,
    .close = affine_close,
};
