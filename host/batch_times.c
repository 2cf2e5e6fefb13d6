/* SPDX-License-Identifier: MIT */
/*
 * What commands cost, see batch_times.h.
 */
#include "batch_times.h"

#include <assert.h>

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

rhomb_status rhomb__batch_times_add(rhomb_context *ctx, rhomb__batch_times *times)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < times->count; i++) {
        const cl_event event = times->commands[i].event;
        cl_ulong began = 0, ended = 0; /* nanoseconds */
        RHOMB_CL(ctx, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began,
                                              &began, NULL));
        RHOMB_CL(ctx, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended,
                                              NULL));
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
