/* SPDX-License-Identifier: MIT */
/* Batches of affine wavefronts, on one device or two, see affine_batch.h. */
#include "host/engines/affine/affine_batch.h"

#include "host/device/context.h"
#include "src/base/clock.h"
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

static int devices(const meeting *e)
{
    return e->two.is_shared ? 2 : 1;
}

/* The directions that a device does. */
static bool does(const meeting *e, const rhomb__affine_waves *waves, int direction)
{
    return !e->two.is_shared || (waves == &e->waves) == (direction == 0);
}

rhomb_status rhomb__affine_list_scores(meeting *e, rhomb__affine_waves *waves, int64_t from,
                                       const int64_t to[2], int32_t turn)
{
    rhomb__affine_stretch stretches[2];
    for (int direction = 0; direction < 2; direction++) {
        const int64_t last = to[direction];
        assert(last <= e->held);
        stretches[direction] = rhomb__affine_no_stretch();
        if (last < from || !does(e, waves, direction))
            continue;
        stretches[direction].like = (rhomb_affine_tile){.start = from,
                                                        .steps = (rhomb_i32)(last - from + 1),
                                                        .direction = direction,
                                                        .turn = turn};
        stretches[direction].window = rhomb__affine_window(&e->waves.shape.costs, &e->place.range,
                                                           direction, from, last, e->bound);
    }
    if (waves->rank != NULL)
        rhomb__message_put(&e->order, &stretches[1], sizeof stretches[1]);
    return rhomb__affine_list_add(waves, stretches);
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

rhomb_status rhomb__affine_move_half(meeting *e, int from, int from_half, int to_half, int32_t turn)
{
    const rhomb__affine_waves *waves[2] = {&e->waves, &e->other};
    const int64_t half = e->waves.offsets[turn].bytes / 2;
    const rhomb__two_place there = {waves[from]->offsets, turn, from_half * half};
    const rhomb__two_place here = {waves[1 - from]->offsets, turn, to_half * half};
    return rhomb__two_move(&e->two, from, &there, &here, half, RHOMB__ASK_AFFINE_READ,
                           RHOMB__ASK_AFFINE_WRITE);
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
    for (int i = 0; i < devices(e); i++) {
        rhomb__affine_waves *waves = i == 0 ? &e->waves : &e->other;
        if (waves->rank != NULL)
            RHOMB_TRY(rhomb__remote_affine_hold(&e->two, e->held == 0 ? NULL : &e->place, &grown,
                                                offsets, turn));
        else if (e->held == 0)
            RHOMB_TRY(rhomb__affine_waves_begin(waves, &grown, 1, offsets));
        else
            RHOMB_TRY(rhomb__affine_waves_grow(waves, &e->place, &grown, offsets, turn));
    }
    rhomb__affine_meeting_take_place(e, &grown, until, offsets);
out:
    return status;
}

bool rhomb__affine_is_look_due(const meeting *e, int64_t complete)
{
    const rhomb__plan *plan = e->problem->plan;
    return plan->may_switch && rhomb__plan_profile_seconds(plan, 2 * complete) >= e->next_look;
}

static rhomb__affine_run run_of(const meeting *e)
{
    return (rhomb__affine_run){e->complete, e->launch, e->far_shift};
}

/* Lists the launches of the next batch, at least one. */
static rhomb_status list_batch(meeting *e)
{
    rhomb_status status = RHOMB_OK;
    const int64_t scores = e->waves.shape.scores;
    const double most =
        rhomb__plan_profile(e->problem->plan)->cells_per_second * RHOMB__BATCH_SECONDS;
    const rhomb__affine_run run = run_of(e);
    double cells = 0;
    int64_t listed = 0;
    rhomb__affine_list_clear(&e->waves);
    rhomb__affine_list_clear(&e->other);
    if (e->other.rank != NULL)
        rhomb__remote_affine_begin(&e->order, &run);
    const int64_t longest = rhomb__plan_batch_launches(e->problem->plan, e->batch_launches,
                                                       e->complete, e->complete, e->reach);
    for (int64_t i = 0; i < longest; i++) {
        const int64_t from = e->complete + 1 + i * scores, last = from + scores - 1;
        if (i > 0 &&
            (cells > most || last_searched(e, last) > e->held ||
             rhomb__affine_is_look_due(e, from - 1) || listed >= RHOMB__AFFINE_LISTED_TILES))
            break;
        const int64_t to[2] = {last, last};
        listed = 0;
        for (int d = 0; d < devices(e); d++) {
            rhomb__affine_waves *waves = d == 0 ? &e->waves : &e->other;
            RHOMB_TRY(
                rhomb__affine_list_scores(e, waves, from, to, (int32_t)((e->launch + i) & 1)));
            RHOMB_TRY(rhomb__affine_list_end(waves));
            cells += (double)rhomb__affine_launch_cells(waves, i);
            listed += waves->list.count;
        }
    }
    RHOMB_TRY(rhomb__affine_list_send(&e->waves));
    if (e->two.is_shared && e->other.rank == NULL)
        RHOMB_TRY(rhomb__affine_list_send(&e->other));
out:
    return status;
}

/* The launches of a batch on one device, each with a look. */
static rhomb_status run_alone(meeting *e, rhomb_affine_status *seen)
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

/* What another rank has done in a batch. */
static void take_reply(meeting *e)
{
    for (int64_t i = 0; i < e->other.list.launches; i++)
        e->other.cells += rhomb__affine_launch_cells(&e->other, i);
    e->other.launches = e->reply.launches;
    e->other.reads = e->reply.reads;
}

/* The same on two. */
static rhomb_status run_shared(meeting *e, rhomb_affine_status *seen)
{
    rhomb_status status = RHOMB_OK;
    rhomb_affine_status of[2];
    rhomb__two_read reads[2] = {{.event = NULL}, {.event = NULL}};
    rhomb__affine_waves *const both[2] = {&e->waves, &e->other};
    const int here = e->other.rank == NULL ? 2 : 1;
    const int64_t launches = e->waves.list.launches;
    const rhomb__affine_run run = run_of(e);
    if (e->other.rank != NULL) {
        RHOMB_TRY(rhomb__remote_affine_run(&e->two, &e->order, &e->reply));
        reads[1].number = e->two.asked;
    }
    for (int d = 0; d < here; d++)
        RHOMB_TRY(rhomb__affine_half_begin(both[d], &run, d));
    /* In turns, as a driver may run what is enqueued at once, on the caller's thread. */
    for (int64_t i = 0; i < launches; i++) {
        for (int d = 0; d < here; d++)
            RHOMB_TRY(rhomb__affine_half_launch(both[d], &run, i));
    }
    for (int d = 0; d < here; d++)
        RHOMB_TRY(rhomb__affine_status_ask(both[d], &of[d], &reads[d].event));
    RHOMB_TRY(rhomb__two_wait(&e->two, reads, reads));
    if (e->other.rank != NULL) {
        of[1] = e->reply.status;
        take_reply(e);
    }
    e->complete += launches * e->waves.shape.scores;
    e->launch += (int32_t)launches;
    e->solution.batches += launches;
    e->two.other_cells += e->other.cells;
    e->waves.cells += e->other.cells;
    e->other.cells = 0;
    *seen = (rhomb_affine_status){.met = RHOMB_AFFINE_NOT_MET,
                                  .furthest = {of[0].furthest[0], of[1].furthest[1]}};
out:
    for (int d = 0; d < 2; d++)
        rhomb__affine_status_end(both[d], reads[d].event, status);
    return status;
}

/* Gets another device, which takes the backward direction over. */
static rhomb_status share(meeting *e)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = e->problem;
    rhomb_affine_problem place;
    RHOMB_TRY(rhomb__two_join(&e->two));
    if (!e->two.is_shared)
        return RHOMB_OK;
    const rhomb__partner *partner = e->two.partner;
    e->other = (rhomb__affine_waves){.is_running = false};
    if (partner->ctx->remote != NULL)
        RHOMB_TRY(rhomb__remote_affine_open(&e->other, &e->two, &e->waves.shape));
    else
        RHOMB_TRY(rhomb__affine_waves_open(
            &e->other, &partner->ctx->stream, partner->programs.solve, problem->plan,
            &partner->query, &partner->target, problem->query_length, problem->target_length));
    if (e->held == 0)
        return RHOMB_OK;
    const int64_t offsets = rhomb__affine_meeting_lay_out(e, e->held, &place);
    if (e->other.rank != NULL)
        RHOMB_TRY(rhomb__remote_affine_hold(&e->two, NULL, &e->place, offsets, 0));
    else
        RHOMB_TRY(rhomb__affine_waves_begin(&e->other, &e->place, 1, offsets));
    RHOMB_TRY(rhomb__affine_move_half(e, 0, 1, 1, e->launch & 1));
out:
    return status;
}

void rhomb__affine_close_other(meeting *e)
{
    rhomb__two_part(&e->two);
    if (e->other.rank != NULL)
        rhomb__remote_affine_close(e->other.rank);
    rhomb__affine_waves_release(&e->other);
    e->other = (rhomb__affine_waves){.is_running = false};
}

/* Both directions are on the first device again, as `mark` has them. */
static rhomb_status gather(meeting *e, const meeting *mark)
{
    rhomb_status status = RHOMB_OK;
    const int32_t turn = mark->launch & 1;
    RHOMB_TRY(rhomb__affine_waves_copy_half(&e->waves, turn, 1));
    RHOMB_TRY(rhomb__affine_move_half(e, 1, 0, 1, turn));
    RHOMB_TRY(rhomb__affine_waves_forget(&e->waves, 1 - turn));
    RHOMB_TRY(rhomb__affine_status_reset(&e->waves));
    e->complete = mark->complete;
    e->launch = mark->launch;
    e->solution.batches = mark->solution.batches;
    e->waves.cells = mark->waves.cells;
    e->two.other_cells = mark->two.other_cells;
    e->waves.launches += e->other.launches;
    e->waves.reads += e->other.reads;
    rhomb__affine_close_other(e);
out:
    return status;
}

rhomb_status rhomb__affine_run_batch(meeting *e, rhomb_affine_status *seen)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = e->problem;
    if (rhomb__two_pays(&e->two, 2 * e->complete, e->bound, e->reach))
        RHOMB_TRY(share(e));
    RHOMB_TRY(hold(e, last_searched(e, e->complete + e->waves.shape.scores), e->launch & 1));
    RHOMB_TRY(list_batch(e));
    if (e->two.is_shared) {
        const meeting mark = *e;
        RHOMB_TRY(run_shared(e, seen));
        /* Each was rounded down. */
        const int64_t most = ((int64_t)seen->furthest[0] + seen->furthest[1] + 2) << e->far_shift;
        if (most >= problem->query_length + problem->target_length) {
            RHOMB_TRY(gather(e, &mark));
            RHOMB_TRY(list_batch(e));
        }
    }
    if (!e->two.is_shared)
        RHOMB_TRY(run_alone(e, seen));
    e->forward = (int64_t)seen->furthest[0] << e->far_shift;
    e->reach = e->forward + ((int64_t)seen->furthest[1] << e->far_shift);
    e->batch_launches =
        rhomb__min(2 * e->batch_launches, problem->plan->wavefront.launches_per_read);
out:
    return status;
}
