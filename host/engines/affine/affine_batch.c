/* SPDX-License-Identifier: MIT */
/* Batches of affine wavefronts, see affine_batch.h. */
#include "host/engines/affine/affine_batch.h"

#include "src/base/int64.h"
#include "src/planner/launch_time.h"

#include <assert.h>

/*
 * Offsets are held for scores up to here at first, and then for GROWTH times as many. Tests begin
 * with fewer.
 */
#ifndef RHOMB__AFFINE_FIRST_SCORES
#    define RHOMB__AFFINE_FIRST_SCORES 4096
#endif
#define GROWTH 2

typedef rhomb__affine_meeting meeting;

int64_t rhomb__affine_meeting_lookback(const meeting *e)
{
    return rhomb__affine_lookback(&e->waves.shape.costs);
}

rhomb_status rhomb__affine_list_scores(meeting *e, int64_t from, const int64_t to[2], int32_t turn)
{
    rhomb__affine_stretch stretches[2];
    for (int direction = 0; direction < 2; direction++) {
        const int64_t last = to[direction];
        assert(last <= e->held);
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

int64_t rhomb__affine_meeting_lay_out(const meeting *e, int64_t until, rhomb_affine_problem *place)
{
    return rhomb__affine_lay_out(&e->waves.shape.costs, &e->place.range, until, e->bound, 0, place);
}

void rhomb__affine_meeting_take_place(meeting *e, const rhomb_affine_problem *place, int64_t until,
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
 * that of the search, where the directions meet in it (engine_affine.c).
 */
static int64_t last_searched(const meeting *e, int64_t last)
{
    return last + rhomb__affine_meeting_lookback(e);
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
    const int64_t offsets = rhomb__affine_meeting_lay_out(e, until, &grown);
    if (e->held == 0)
        RHOMB_TRY(rhomb__affine_waves_begin(&e->waves, &grown, 1, offsets));
    else
        RHOMB_TRY(rhomb__affine_waves_grow(&e->waves, &e->place, &grown, offsets, turn));
    rhomb__affine_meeting_take_place(e, &grown, until, offsets);
out:
    return status;
}

bool rhomb__affine_is_look_due(const meeting *e, int64_t complete)
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
        if (i > 0 && (cells > most || last_searched(e, last) > e->held ||
                      rhomb__affine_is_look_due(e, from - 1) ||
                      e->waves.list.count >= RHOMB__AFFINE_LISTED_TILES))
            break;
        const int64_t to[2] = {last, last};
        RHOMB_TRY(rhomb__affine_list_scores(e, from, to, (int32_t)((e->launch + i) & 1)));
        RHOMB_TRY(rhomb__affine_list_end(&e->waves));
        cells += (double)rhomb__affine_launch_cells(&e->waves, i);
    }
    RHOMB_TRY(rhomb__affine_list_send(&e->waves));
out:
    return status;
}

/* The launches of a batch, each with a look. */
static rhomb_status run_launches(meeting *e, rhomb_affine_status *seen)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t i = 0; i < e->waves.list.launches; i++) {
        RHOMB_TRY(rhomb__affine_launch(&e->waves, i, e->launch));
        e->complete += e->waves.shape.scores;
        RHOMB_TRY(rhomb__affine_look_at(&e->waves, e->complete, 1 - (e->launch & 1), e->launch,
                                        e->far_shift));
        e->launch++;
        e->solution.batches++;
    }
    RHOMB_TRY(rhomb__affine_status_read(&e->waves, seen));
out:
    return status;
}

rhomb_status rhomb__affine_run_batch(meeting *e, rhomb_affine_status *seen)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(hold(e, last_searched(e, e->complete + e->waves.shape.scores), e->launch & 1));
    RHOMB_TRY(list_batch(e));
    RHOMB_TRY(run_launches(e, seen));
    e->forward = (int64_t)seen->furthest[0] << e->far_shift;
    e->reach = e->forward + ((int64_t)seen->furthest[1] << e->far_shift);
    e->batch_launches =
        rhomb__min(2 * e->batch_launches, e->problem->plan->wavefront.launches_per_read);
out:
    return status;
}
