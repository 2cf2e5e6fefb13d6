/* SPDX-License-Identifier: MIT */
/*
 * Waits for the device without keeping a core busy, and sets kernel arguments.
 */
#ifndef RHOMB_HOST_QUEUE_H
#define RHOMB_HOST_QUEUE_H

#include "host/device/context.h"

/*
 * Waits for an event. Drivers spin in clWaitForEvents(); this function polls the event's state and
 * sleeps in between, for a 32nd of the time waited so far, from 20 microseconds up to 2
 * milliseconds.
 */
rhomb_status rhomb__queue_wait(rhomb__device_stream *stream, cl_event event);

/* Sets *done to whether an event's command has ended, well or not. */
rhomb_status rhomb__queue_is_done(rhomb__device_stream *stream, cl_event event, bool *done);

/*
 * Waits in the same way for everything enqueued. Nothing is running when it returns, even on
 * failure.
 */
rhomb_status rhomb__queue_finish(rhomb__device_stream *stream);

/* One kernel argument: its size and a pointer to its value. */
typedef struct rhomb__argument {
    size_t size;
    const void *value;
} rhomb__argument;

#define RHOMB__ARGUMENT(lvalue)   \
    {                             \
        sizeof(lvalue), &(lvalue) \
    }

/* Sets the arguments 0 .. count - 1 of a kernel. */
rhomb_status rhomb__queue_arguments(rhomb__device_stream *stream, cl_kernel kernel,
                                    const rhomb__argument *arguments, size_t count);

/* Enqueues a launch of `groups` groups, which kernels number in dimension 0. */
rhomb_status rhomb__queue_launch(rhomb__device_stream *stream, cl_kernel kernel, int64_t groups,
                                 int64_t group_size);

/* Both. */
rhomb_status rhomb__queue_run(rhomb__device_stream *stream, cl_kernel kernel,
                              const rhomb__argument *arguments, size_t count, int64_t groups,
                              int64_t group_size);

/* A launch with an event that the caller releases, unless `event` is NULL. */
rhomb_status rhomb__queue_launch_event(rhomb__device_stream *stream, cl_kernel kernel,
                                       int64_t groups, int64_t group_size, cl_event *event);

#endif
