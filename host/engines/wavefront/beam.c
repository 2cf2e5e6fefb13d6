/* SPDX-License-Identifier: MIT */
/*
 * The beam, see beam.h.
 *
 * After a few launches, before the best diagonals can have left the window, the host looks at it
 * and places the next one (rhomb__beam_window()). Each look also gives a bound: from a cell (i, j)
 * of wavefront r, max(m - i, n - j) more edits are enough.
 *
 * The wavefronts hold the window and as many diagonals on either side, so they are replaced only
 * when the window has moved further than that.
 */
#include "host/engines/wavefront/beam.h"

#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/launch_time.h"

/*
 * A beam's pace is trusted, to within a quarter, after this share of the wavefronts that it may
 * take.
 */
#define PACE_SHARE 8
#define PACE_SPARE 1.25

typedef struct runner {
    rhomb__pyramid pyramid;
    const rhomb__beam_order *order;
    rhomb__beam_result *result;
    rhomb_wavefront_status record; /* as read last; a running read writes here */
    double next_progress;
} runner;

static rhomb__window window_for(const rhomb__pyramid *pyramid, const rhomb__survey *survey)
{
    const rhomb__plan *plan = pyramid->problem->plan;
    return rhomb__beam_window(&pyramid->tiling, survey->near, survey->head,
                              plan->wavefront.beam_least, plan->wavefront.beam_diagonals);
}

/* The diagonals that the wavefronts have to hold for a window: those that its tiles touch. */
static rhomb__window touched_by(const rhomb__tiling *tiling, rhomb__window window)
{
    const rhomb__window touched = {window.low - tiling->diagonals, window.high + tiling->diagonals};
    return touched;
}

/* The diagonals that they get, for that window and the next ones. */
static rhomb__window room_for(const rhomb__tiling *tiling, rhomb__window window)
{
    const int64_t diagonals = window.high - window.low + 1;
    const int64_t middle = window.low + diagonals / 2;
    return touched_by(tiling, rhomb__window_around(tiling, middle, RHOMB__BEAM_ROOM * diagonals));
}

/*
 * Whether the device has memory for two more wavefronts of the most diagonals, and a third during a
 * move.
 */
static bool fits(const rhomb__pyramid *exact)
{
    const rhomb__plan *plan = exact->problem->plan;
    const rhomb__device *device = exact->stream->device;
    const rhomb__window room = room_for(
        &exact->tiling, rhomb__window_around(&exact->tiling, 0, plan->wavefront.beam_diagonals));
    const int64_t bytes = (room.high - room.low + 1) * (plan->wavefront.offset_bits / 8);
    return bytes <= device->info.max_buffer_bytes &&
           3 * bytes + (int64_t)sizeof(rhomb_wavefront_status) <=
               device->info.memory_bytes - exact->stream->bytes_in_use;
}

/* Enqueues some launches on a window, followed by a read. `read` stays NULL if there is no tile. */
static rhomb_status enqueue_batch(runner *r, rhomb__window window, cl_event *read)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tiling *tiling = &r->pyramid.tiling;
    const rhomb__speed *profile = rhomb__plan_profile(r->pyramid.problem->plan);
    const int64_t launches = rhomb__max((window.high - window.low + 1) / 6 / tiling->scores, 1);
    const int64_t tips = tiling->shape == RHOMB_TILE_DIAMOND ? tiling->scores : 0;
    int64_t cells = 0;
    for (int64_t i = 0; i < launches; i++) {
        const rhomb__launch launch =
            rhomb__launch_within(tiling, r->pyramid.start, r->result->bound, window);
        if (launch.tiles == 0 || launch.start >= r->result->bound ||
            (double)cells > profile->cells_per_second * RHOMB__LOOK_SECONDS)
            break;
        RHOMB_TRY(rhomb__pyramid_enqueue(&r->pyramid, &launch));
        cells += launch.tiles * rhomb__tile_cells(tiling);
        r->result->column = launch.complete + tips;
    }
    if (cells > 0) {
        RHOMB_TRY(rhomb__pyramid_read(&r->pyramid, &r->record, read));
        r->result->reads++;
    }
    r->result->cells += cells;
out:
    return status;
}

/* The engine that waits for the beam has reported its position; only time and bound advance. */
static rhomb_status report_progress(runner *r)
{
    const rhomb__problem *problem = r->pyramid.problem;
    const double now = rhomb__now();
    if (problem->options->progress == NULL || now < r->next_progress)
        return RHOMB_OK;
    rhomb_progress progress = r->order->progress;
    progress.upper_bound = rhomb__min(progress.upper_bound, r->result->bound);
    progress.seconds = now - problem->began;
    r->next_progress = now + RHOMB__LOOK_SECONDS;
    if (problem->options->progress(&progress, problem->options->progress_user) != 0)
        return rhomb__fail(&r->pyramid.stream->error, RHOMB_ERR_CANCELLED,
                           "stopped at score %lld of a beam", (long long)r->result->column);
    return RHOMB_OK;
}

/* Whether the budget is spent, or will be before the end at the beam's pace so far. */
static bool is_late(const runner *r, int64_t reach)
{
    const rhomb__beam_order *order = r->order;
    const rhomb__tiling *tiling = &r->pyramid.tiling;
    const double columns = (double)(r->result->column - order->survey.column);
    const double gained = (double)rhomb__max(reach - order->survey.reach, 1);
    const double left = (double)(tiling->query_length + tiling->target_length - reach);
    const double room = (double)(order->budget.column - order->survey.column);
    return columns >= room || r->result->cells >= order->budget.cells ||
           (columns * PACE_SHARE >= room && columns * (1 + left / gained) > PACE_SPARE * room);
}

/*
 * Whether the last wavefronts gained less than half of the average. Then the head may have lost the
 * path, and all diagonals are kept that it can have reached since.
 */
static bool is_slow(const rhomb__survey *now, const rhomb__survey *before)
{
    const double gained = (double)(now->reach - before->reach);
    const double columns = (double)(now->column - before->column);
    return 2 * gained * (double)now->column < columns * (double)now->reach;
}

/* Waits for a batch and evaluates its status and its wavefront. */
static rhomb_status finish_batch(runner *r, rhomb__window window, cl_event read,
                                 rhomb__survey *survey, bool *done)
{
    rhomb_status status = RHOMB_OK;
    rhomb__beam_result *result = r->result;
    const int64_t near = rhomb__beam_near(r->pyramid.problem->plan->wavefront.beam_least);
    const rhomb__survey before = *survey;
    RHOMB_TRY(rhomb__queue_wait(r->pyramid.stream, read));
    RHOMB_TRY(rhomb__pyramid_survey(&r->pyramid, window, result->column, near, survey));
    if (is_slow(survey, &before))
        survey->near = window;
    const int64_t distance = rhomb__pyramid_front(&r->record, 0).distance;
    result->bound = rhomb__min(result->bound, result->column + survey->rest);
    result->reaches_end = distance != RHOMB_UNSOLVED;
    if (result->reaches_end)
        result->bound = rhomb__min(result->bound, distance);
    *done = result->reaches_end || is_late(r, survey->reach);
    if (!*done)
        RHOMB_TRY(report_progress(r));
out:
    return status;
}

/* Runs batch after batch until the end is reached or there is nothing more to gain. */
static rhomb_status run(runner *r)
{
    rhomb_status status = RHOMB_OK;
    rhomb__survey survey = r->order->survey;
    cl_event read = NULL;
    for (bool done = false; !done;) {
        const rhomb__window window = window_for(&r->pyramid, &survey);
        const rhomb__window touched = touched_by(&r->pyramid.tiling, window);
        if (touched.low < r->pyramid.held.low || touched.high > r->pyramid.held.high)
            RHOMB_TRY(rhomb__pyramid_hold(&r->pyramid, room_for(&r->pyramid.tiling, window)));
        RHOMB_TRY(enqueue_batch(r, window, &read));
        if (read == NULL)
            break;
        RHOMB_TRY(finish_batch(r, window, read, &survey, &done));
        clReleaseEvent(read);
        read = NULL;
    }
out:
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}

rhomb_status rhomb__beam_run(const rhomb__pyramid *exact, const rhomb__program *program,
                             const rhomb__beam_order *order, rhomb__beam_result *result)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__beam_result nothing = {.bound = order->bound, .column = order->survey.column};
    const rhomb__window window = window_for(exact, &order->survey);
    runner r = {.order = order, .result = result};
    *result = nothing;
    if (!fits(exact)) {
        rhomb__log(exact->stream, 1, "beam: none, the device has no memory for its columns");
        return RHOMB_OK;
    }
    RHOMB_TRY(rhomb__pyramid_branch(&r.pyramid, exact, program, order->bound,
                                    room_for(&exact->tiling, window)));
    RHOMB_TRY(run(&r));
    result->launches = r.pyramid.launches;
out:
    /* Launches that were enqueued before a failure still use the wavefronts and the record. */
    if (status != RHOMB_OK)
        (void)!rhomb__queue_finish(exact->stream);
    rhomb__pyramid_release(&r.pyramid);
    return status;
}
