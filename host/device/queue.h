/* SPDX-License-Identifier: MIT */
/*
 * Waiting for the device without burning a core, and setting kernel arguments.
 */
#ifndef RHOMB_HOST_QUEUE_H
#define RHOMB_HOST_QUEUE_H

#include "host/device/context.h"

/*
 * Waits for an event. Drivers spin in clWaitForEvents; this looks at the event's state and sleeps
 * in between, a 32nd of the time waited so far, from 20 microseconds up to 2 milliseconds.
 */
rhomb_status rhomb__queue_wait(rhomb_context *ctx, cl_event event);

/*
 * Waits for all that was enqueued, in the same way. Nothing is under way any more when it returns,
 * also where it fails.
 */
rhomb_status rhomb__queue_finish(rhomb_context *ctx);

/* One kernel argument: its size and where its value is. */
typedef struct rhomb__argument {
    size_t size;
    const void *value;
} rhomb__argument;

#define RHOMB__ARGUMENT(lvalue)   \
    {                             \
        sizeof(lvalue), &(lvalue) \
    }

/* Sets the arguments 0 .. count - 1 of a kernel. */
rhomb_status rhomb__queue_arguments(rhomb_context *ctx, cl_kernel kernel,
                                    const rhomb__argument *arguments, size_t count);

/* Enqueues a one-dimensional launch of `groups` groups. */
rhomb_status rhomb__queue_launch(rhomb_context *ctx, cl_kernel kernel, int64_t groups,
                                 int64_t group_size);

/* The same, with an event for the caller to release, unless `event` is NULL. */
rhomb_status rhomb__queue_launch_event(rhomb_context *ctx, cl_kernel kernel, int64_t groups,
                                       int64_t group_size, cl_event *event);

#endif
