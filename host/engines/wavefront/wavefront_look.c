/* SPDX-License-Identifier: MIT */
/*
 * What a running wavefront reports to its caller and asks the planner, see wavefront.h.
 */
#include "host/engines/wavefront/wavefront.h"

#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

/*
 * Each look comes at LOOK_GROWTH times the profile's time for the wavefronts up to the previous
 * look.
 */
#define LOOK_GROWTH 1.5

int64_t rhomb__wavefront_complete(const rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    if (s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND)
        return b->complete;
    return rhomb__max(b->status.complete[0], b->status.complete[1]);
}

bool rhomb__wavefront_has_stopped(const rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    const rhomb__problem *problem = s->problem;
    if (s->pyramid.directions == 1)
        return rhomb__pyramid_front(&b->status, 0).distance != RHOMB_UNSOLVED;
    return b->status.met != 0 || rhomb__wavefront_complete(s, b) < b->complete ||
           (!s->pyramid.watches && rhomb__pyramid_reach(&s->pyramid, &b->status) >=
                                       problem->query_length + problem->target_length);
}

rhomb_status rhomb__wavefront_await(const rhomb__wavefront *s, bool *ended)
{
    rhomb_status status = RHOMB_OK;
    for (int i = 0; i < 2; i++) {
        const rhomb__launch_batch *b = &s->batches[i];
        if (b->read == NULL)
            continue;
        RHOMB_TRY(rhomb__queue_wait(&s->ctx->stream, b->read));
        *ended = *ended || rhomb__wavefront_has_stopped(s, b);
    }
out:
    return status;
}

int64_t rhomb__wavefront_ruled_out(const rhomb__wavefront *s, int64_t column)
{
    return s->pyramid.directions * column;
}

rhomb_status rhomb__wavefront_report(rhomb__wavefront *s, int64_t proved)
{
    const rhomb_options *options = s->problem->options;
    if (options->progress == NULL)
        return RHOMB_OK;
    const double bases = (double)s->problem->query_length + (double)s->problem->target_length;
    const rhomb__plan *plan = s->problem->plan;
    const rhomb__wave_moment moment = {
        .seconds = rhomb__now() - s->began,
        .done = (double)rhomb__max(proved, 0),
        .bound = (double)s->bound,
        .directions = s->pyramid.directions,
        .reach = {(double)s->forward / bases, (double)(s->reach - s->forward) / bases}};
    const rhomb__foretold told =
        rhomb__forecast_make(&s->forecast, &plan->promise, rhomb__plan_full_cost(plan), &moment);
    rhomb_progress *progress = &s->progress;
    s->proved = proved;
    progress->lower_bound = rhomb__max(plan->lower_bound, rhomb__min(proved + 1, s->bound));
    progress->upper_bound = s->bound;
    progress->fraction = told.fraction;
    progress->seconds = rhomb__now() - s->problem->began;
    progress->eta_seconds = told.seconds;
    progress->cells_per_second = s->cell_rate;
    if (options->progress(progress, options->progress_user) != 0)
        return rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped at distance > %lld",
                           (long long)proved);
    return RHOMB_OK;
}

/* Hands over to the other engine, if the planner says so. */
static void consider_switch(rhomb__wavefront *s, const rhomb__look *sight, int64_t proved,
                            bool *done)
{
    const rhomb__plan *plan = s->problem->plan;
    const double bases = (double)s->problem->target_length + (double)s->problem->query_length;
    int64_t estimate = 0;
    if (!rhomb__plan_should_switch(plan, sight, &estimate))
        return;
    s->solution.estimate = estimate;
    s->solution.proved = proved;
    /* A bound that is only the caller's limit says nothing about the distance. */
    s->solution.bound = s->bound < plan->upper_bound ? s->bound : s->problem->upper_bound;
    *done = true;
    rhomb__log(&s->ctx->stream, 1,
               "wavefront: score %lld comes to %.1f %% of the pair; for the distance expected, "
               "%lld, the bit-parallel engine is faster",
               (long long)sight->column, 100.0 * (double)sight->reach / bases, (long long)estimate);
}

/* The state that the planner is asked about, at the end of a batch. */
static rhomb_status look_around(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                rhomb__look *sight)
{
    rhomb_status status = RHOMB_OK;
    const int64_t sum = rhomb__wavefront_ruled_out(s, rhomb__wavefront_complete(s, b));
    if (s->pyramid.tiling.shape == RHOMB_TILE_DIAMOND) {
        RHOMB_TRY(rhomb__pyramid_poll(&s->pyramid, &s->reach));
        s->forward = s->reach;
    }
    const double pace = (double)sum / (double)rhomb__max(s->reach, 1);
    s->pace = s->pace > 0 && s->pace < pace ? s->pace : pace;
    sight->seconds = rhomb__plan_profile_seconds(s->problem->plan, sum);
    sight->column = sum;
    sight->reach = s->reach;
    sight->pace = s->pace;
out:
    return status;
}

bool rhomb__wavefront_is_due(const rhomb__wavefront *s, int64_t start)
{
    const rhomb__plan *plan = s->problem->plan;
    return plan->may_switch &&
           rhomb__plan_profile_seconds(plan, rhomb__wavefront_ruled_out(s, start)) >= s->next_look;
}

/* Looks become rarer as work grows, since the device waits for each. */
rhomb_status rhomb__wavefront_look(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                   int64_t proved, bool *done)
{
    rhomb_status status = RHOMB_OK;
    rhomb__look sight;
    if (s->batches[0].read != NULL || s->batches[1].read != NULL ||
        !rhomb__wavefront_is_due(s, s->pyramid.start))
        return RHOMB_OK;
    RHOMB_TRY(look_around(s, b, &sight));
    s->next_look = sight.seconds > RHOMB__FIRST_LOOK_SECONDS ? LOOK_GROWTH * sight.seconds
                                                             : RHOMB__FIRST_LOOK_SECONDS;
    consider_switch(s, &sight, proved, done);
out:
    return status;
}
