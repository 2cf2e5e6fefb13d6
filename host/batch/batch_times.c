/* SPDX-License-Identifier: MIT */
/*
 * What commands cost, see batch_times.h.
 */
#include "host/batch/batch_times.h"

#include <assert.h>

#include "host/device/cl_error.h"
#include "host/device/queue.h"

cl_event *rhomb__batch_times_next(rhomb__batch_times *times, rhomb__batch_stage stage)
{
    if (!times->asked)
        return NULL;
    assert(times->count < RHOMB__BATCH_MOST_COMMANDS);
    times->commands[times->count].stage = stage;
    times->commands[times->count].event = NULL;
    return &times->commands[times->count++].event;
}

void rhomb__batch_times_keep(rhomb__batch_times *times, rhomb__batch_stage stage, cl_event *event)
{
    cl_event *place = rhomb__batch_times_next(times, stage);
    if (place == NULL)
        return;
    *place = *event;
    *event = NULL;
}

/*
 * Gets a time of a command that has ended. NVIDIA's driver (580) sometimes says that it does not
 * know it yet, for a command before one whose end it has reported: that is no reason to fail.
 */
static rhomb_status ask(rhomb__device_stream *stream, cl_event event, cl_profiling_info what,
                        cl_ulong *nanoseconds, bool *known)
{
    const cl_int code =
        clGetEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, NULL);
    *known = *known && code == CL_SUCCESS;
    return code == CL_SUCCESS || code == CL_PROFILING_INFO_NOT_AVAILABLE
               ? RHOMB_OK
               : rhomb__cl_fail(stream, code, "clGetEventProfilingInfo(event, what)", __FILE__,
                                __LINE__);
}

rhomb_status rhomb__batch_times_add(rhomb__device_stream *stream, rhomb__batch_times *times)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < times->count; i++) {
        const cl_event event = times->commands[i].event;
        cl_ulong began = 0, ended = 0;
        bool known = true;
        RHOMB_TRY(rhomb__queue_wait(stream, event));
        RHOMB_TRY(ask(stream, event, CL_PROFILING_COMMAND_START, &began, &known));
        RHOMB_TRY(ask(stream, event, CL_PROFILING_COMMAND_END, &ended, &known));
        if (!known)
            continue;
        /* Some drivers' clocks are coarse. */
        if (ended > began)
            times->seconds[times->commands[i].stage] += (double)(ended - began) * 1e-9;
    }
out:
    rhomb__batch_times_drop(times);
    return status;
}

void rhomb__batch_times_drop(rhomb__batch_times *times)
{
    for (int32_t i = 0; i < times->count; i++)
        if (times->commands[i].event != NULL)
            clReleaseEvent(times->commands[i].event);
    times->count = 0;
}
