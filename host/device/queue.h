/* SPDX-License-Identifier: MIT */
/*
 * Waits for the device without keeping a core busy, sets kernel arguments, and paces launches.
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

/*
 * How far the host enqueues ahead of the device, where launches need nothing from the host. There
 * are two stretches of launches, with a marker after each. When the second is enqueued, the host
 * waits for the first one's marker. So the device is never idle, and the caller hears about
 * progress about every tenth of a second. Until that rate has been measured, what the caller
 * expects of a launch bounds a stretch: a slow device has no more than two such stretches in its
 * queue, or two launches.
 */
typedef struct rhomb__pace {
    cl_event markers[2];
    int64_t stretch; /* launches between two markers */
    int64_t since;   /* launches since the last marker */
    int64_t before;  /* launches of the stretch before that */
    int64_t turn;
    double expected; /* seconds, of the launches since the last marker */
    double last;     /* when the device reached a marker, or when it began */
    double launches_per_second;
} rhomb__pace;

/* Starts with the known rate, or 0. */
rhomb__pace rhomb__pace_begin(double launches_per_second);

/*
 * To be called after each launch, with the seconds that it is expected to take by the device's
 * rates; 0: unknown. *behind is -1 or, after a wait, the number of launches so far that may not be
 * done.
 */
rhomb_status rhomb__pace_launched(rhomb__device_stream *stream, rhomb__pace *pace, double expected,
                                  int64_t *behind);

/* To be called in any case. */
void rhomb__pace_end(rhomb__pace *pace);

#endif
