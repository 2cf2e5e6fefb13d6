/* SPDX-License-Identifier: MIT */
/*
 * The queue, see queue.h.
 */
#include "host/device/queue.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/rates.h"

static void sleep_seconds(double seconds)
{
    const struct timespec pause = {0, (long)(seconds * 1e9)};
    nanosleep(&pause, NULL);
}

rhomb_status rhomb__queue_wait(rhomb__device_stream *stream, cl_event event)
{
    rhomb_status status = RHOMB_OK;
    const double begin = rhomb__now();
    for (;;) {
        cl_int state = CL_COMPLETE;
        RHOMB_CL(stream, clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                        &state, NULL));
        if (state == CL_COMPLETE)
            break;
        /* A negative state is the error code of the command. */
        if (state < 0)
            RHOMB_TRY(rhomb__cl_fail(stream, state, "an enqueued command", __FILE__, __LINE__));
        const double pause = (rhomb__now() - begin) / 32;
        sleep_seconds(pause < 20e-6 ? 20e-6 : pause > 2e-3 ? 2e-3 : pause);
    }
out:
    return status;
}

rhomb_status rhomb__queue_is_done(rhomb__device_stream *stream, cl_event event, bool *done)
{
    rhomb_status status = RHOMB_OK;
    cl_int state = CL_COMPLETE;
    RHOMB_CL(stream,
             clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    *done = state <= CL_COMPLETE;
out:
    return status;
}

rhomb_status rhomb__queue_finish(rhomb__device_stream *stream)
{
    rhomb_status status = RHOMB_OK;
    cl_event event = NULL;
    RHOMB_CL(stream, clEnqueueMarkerWithWaitList(stream->queue, 0, NULL, &event));
    RHOMB_CL(stream, clFlush(stream->queue));
    RHOMB_TRY(rhomb__queue_wait(stream, event));
out:
    /* The caller is about to free what commands use, so wait all the same. */
    if (status != RHOMB_OK)
        clFinish(stream->queue);
    if (event != NULL)
        clReleaseEvent(event);
    return status;
}

rhomb_status rhomb__queue_arguments(rhomb__device_stream *stream, cl_kernel kernel,
                                    const rhomb__argument *arguments, size_t count)
{
    rhomb_status status = RHOMB_OK;
    for (size_t i = 0; i < count; i++)
        RHOMB_CL(stream, clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, arguments[i].value));
out:
    return status;
}

rhomb_status rhomb__queue_launch(rhomb__device_stream *stream, cl_kernel kernel, int64_t groups,
                                 int64_t group_size)
{
    return rhomb__queue_launch_event(stream, kernel, groups, group_size, NULL);
}

rhomb_status rhomb__queue_run(rhomb__device_stream *stream, cl_kernel kernel,
                              const rhomb__argument *arguments, size_t count, int64_t groups,
                              int64_t group_size)
{
    const rhomb_status status = rhomb__queue_arguments(stream, kernel, arguments, count);
    return status == RHOMB_OK ? rhomb__queue_launch(stream, kernel, groups, group_size) : status;
}

rhomb_status rhomb__queue_launch_event(rhomb__device_stream *stream, cl_kernel kernel,
                                       int64_t groups, int64_t group_size, cl_event *event)
{
    rhomb_status status = RHOMB_OK;
    const cl_uint dimension = stream->device->quirks.shares_kernels ? 2 : 0;
    const size_t local[] = {(size_t)group_size, 1, 1};
    size_t global[] = {local[0], 1, 1};
    global[dimension] *= (size_t)groups;
    RHOMB_CL(stream, clEnqueueNDRangeKernel(stream->queue, kernel, dimension + 1, NULL, global,
                                            local, 0, NULL, event));
out:
    return status;
}

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
