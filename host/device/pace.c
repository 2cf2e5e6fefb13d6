/* SPDX-License-Identifier: MIT */
/*
 * Pacing, see pace.h.
 */
#include "host/device/pace.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/launch_time.h"

/*
 * The first stretches, if launches are expected to be short. The host waits for the first once the
 * second is enqueued. Both have the same length, so the device has enough to do until the host
 * notices.
 */
#define FIRST_STRETCH 32

rhomb__pace rhomb__pace_begin(double launches_per_second)
{
    const rhomb__pace pace = {
        .stretch = FIRST_STRETCH, .last = rhomb__now(), .launches_per_second = launches_per_second};
    return pace;
}

/* The first wait measures the time of a stretch, and those after it go by that. */
static bool is_measured(const rhomb__pace *p)
{
    return p->turn >= 2;
}

rhomb_status rhomb__pace_launched(rhomb__device_stream *stream, rhomb__pace *p, double expected,
                                  int64_t *behind)
{
    rhomb_status status = RHOMB_OK;
    *behind = -1;
    p->expected += expected;
    if (++p->since < p->stretch && (is_measured(p) || p->expected < RHOMB__LOOK_SECONDS))
        return RHOMB_OK;
    RHOMB_CL(stream, clEnqueueMarkerWithWaitList(stream->queue, 0, NULL, &p->markers[p->turn % 2]));
    RHOMB_CL(stream, clFlush(stream->queue));
    p->turn++;
    cl_event *before = &p->markers[p->turn % 2];
    if (*before != NULL) {
        RHOMB_TRY(rhomb__queue_wait(stream, *before));
        clReleaseEvent(*before);
        *before = NULL;
        const double now = rhomb__now();
        if (now > p->last)
            p->launches_per_second = (double)p->before / (now - p->last);
        p->last = now;
        *behind = p->since;
    }
    p->before = p->since;
    p->since = 0;
    p->expected = 0;
    if (p->launches_per_second > 0)
        p->stretch = rhomb__max(
            rhomb__min((int64_t)(p->launches_per_second * RHOMB__LOOK_SECONDS), 2 * p->stretch), 1);
out:
    return status;
}

void rhomb__pace_end(rhomb__pace *pace)
{
    for (int i = 0; i < 2; i++) {
        if (pace->markers[i] != NULL)
            clReleaseEvent(pace->markers[i]);
        pace->markers[i] = NULL;
    }
}
