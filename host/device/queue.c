/* SPDX-License-Identifier: MIT */
/*
 * The queue, see queue.h.
 */
#include "host/device/queue.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "src/base/clock.h"

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
