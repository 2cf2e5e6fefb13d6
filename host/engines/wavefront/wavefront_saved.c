/* SPDX-License-Identifier: MIT */
/*
 * A wavefront in a checkpoint, see wavefront.h.
 *
 * A run decides by what each batch has read at its end, and when it is read decides what is laid
 * out next. So that a run that goes on is the same as one that was never stopped, batches that were
 * in flight are saved with what they have read, and are in flight again afterwards, after an event
 * that comes at once.
 */
#include "host/engines/wavefront/wavefront.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/planner/engine_plan.h"

/* All that is not on the device. */
static const rhomb__field BATCH[] = {
    RHOMB__FIELD(rhomb__launch_batch, status),
    RHOMB__FIELD(rhomb__launch_batch, in_flight),
    RHOMB__FIELD(rhomb__launch_batch, complete),
    RHOMB__FIELD(rhomb__launch_batch, cells),
    RHOMB__FIELD(rhomb__launch_batch, tile_cells),
    RHOMB__FIELD(rhomb__launch_batch, stretch.tiling.diagonals),
    RHOMB__FIELD(rhomb__launch_batch, stretch.tiling.scores),
    RHOMB__FIELD(rhomb__launch_batch, stretch.directions),
    RHOMB__FIELD(rhomb__launch_batch, stretch.start),
    RHOMB__FIELD(rhomb__launch_batch, stretch.limit),
    RHOMB__FIELDS_END,
};

const rhomb__field rhomb__wavefront_state[] = {
    RHOMB__FIELD(rhomb__wavefront, is_wide),
    RHOMB__MOMENT(rhomb__wavefront, began),
    RHOMB__FIELD(rhomb__wavefront, turn),
    RHOMB__FIELD(rhomb__wavefront, bound),
    RHOMB__FIELD(rhomb__wavefront, reach),
    RHOMB__FIELD(rhomb__wavefront, reach_score),
    RHOMB__FIELD(rhomb__wavefront, tiles),
    RHOMB__FIELD(rhomb__wavefront, settled),
    RHOMB__FIELD(rhomb__wavefront, next_look),
    RHOMB__FIELD(rhomb__wavefront, pace),
    RHOMB__FIELD(rhomb__wavefront, proved),
    RHOMB__FIELD(rhomb__wavefront, batch_launches),
    RHOMB__PART(rhomb__wavefront, solution, rhomb__solution_fields),
    RHOMB__FIELD(rhomb__wavefront, pyramid.held),
    RHOMB__FIELD(rhomb__wavefront, pyramid.start),
    RHOMB__CHOICE(rhomb__wavefront, pyramid.front, 0, 1),
    RHOMB__CHOICE(rhomb__wavefront, pyramid.turn, 0, 1),
    RHOMB__CHOICE(rhomb__wavefront, pyramid.source, 0, 1),
    RHOMB__FIELD(rhomb__wavefront, pyramid.watches),
    RHOMB__FIELD(rhomb__wavefront, pyramid.launches),
    RHOMB__PART(rhomb__wavefront, batches[0], BATCH),
    RHOMB__PART(rhomb__wavefront, batches[1], BATCH),
    RHOMB__FIELDS_END,
};

const rhomb__kept_buffer rhomb__wavefront_buffers[] = {
    RHOMB__KEPT(rhomb__wavefront, "waves 0", pyramid.wavefronts[0]),
    RHOMB__KEPT(rhomb__wavefront, "waves 1", pyramid.wavefronts[1]),
    RHOMB__KEPT(rhomb__wavefront, "status", pyramid.status),
    {.name = NULL},
};

rhomb_status rhomb__wavefront_pause(void *run)
{
    rhomb__wavefront *s = run;
    const rhomb_status status = rhomb__queue_finish(s->pyramid.stream);
    for (int i = 0; i < 2; i++) {
        s->batches[i].in_flight = s->batches[i].read != NULL;
        s->batches[i].paused = true;
    }
    return status;
}

/* The batch is in flight again, and its read is done. Its tile may be the one before a wide one. */
static rhomb_status fly_again(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    const int64_t diagonals = b->stretch.tiling.diagonals, scores = b->stretch.tiling.scores;
    b->paused = true;
    b->stretch.tiling = s->pyramid.tiling;
    b->stretch.tiling.diagonals = diagonals;
    b->stretch.tiling.scores = scores;
    RHOMB_CL(&s->ctx->stream, clEnqueueMarkerWithWaitList(s->ctx->stream.queue, 0, NULL, &b->read));
    RHOMB_CL(&s->ctx->stream, clFlush(s->ctx->stream.queue));
out:
    return status;
}

rhomb_status rhomb__wavefront_take_up(void *run, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__wavefront *s = run;
    rhomb__pyramid *p = &s->pyramid;
    const rhomb__window held = p->held, none = {0, -1};
    (void)saved;
    s->last_read = rhomb__now();
    p->held = none;
    if (s->is_wide)
        RHOMB_TRY(rhomb__wavefront_retile(s));
    if (held.low <= held.high)
        RHOMB_TRY(rhomb__pyramid_hold(p, held));
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].in_flight)
            RHOMB_TRY(fly_again(s, &s->batches[i]));
    }
out:
    return status;
}
