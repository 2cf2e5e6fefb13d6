/* SPDX-License-Identifier: MIT */
/*
 * How far the host enqueues ahead of the device, where launches need nothing from the host. There
 * are two stretches of launches, with a marker after each. When the second is enqueued, the host
 * waits for the first one's marker. So the device is never idle, and the caller hears about
 * progress about every tenth of a second. Until that rate has been measured, what the caller
 * expects of a launch bounds a stretch: a slow device has no more than two such stretches in its
 * queue, or two launches.
 */
#ifndef RHOMB_HOST_PACE_H
#define RHOMB_HOST_PACE_H

#include "host/device/context.h"

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
