/* SPDX-License-Identifier: MIT */
/*
 * How far the host enqueues ahead of the device, where launches need nothing from it: two stretches
 * of launches, with a marker behind each. When the second is enqueued it waits for the first one's
 * marker, so that the device is never idle and the caller hears of what is done, about every tenth
 * of a second.
 */
#ifndef RHOMB_HOST_PACE_H
#define RHOMB_HOST_PACE_H

#include "host/device/context.h"

typedef struct rhomb__pace {
    cl_event markers[2];
    int64_t stretch; /* launches between two markers */
    int64_t since;   /* launches since the last */
    int64_t before;  /* launches of the stretch before that */
    int64_t turn;
    double last; /* when the device came to a marker, or when it began */
    double launches_per_second;
} rhomb__pace;

/* At the rate that is known, or 0. */
rhomb__pace rhomb__pace_begin(double launches_per_second);

/*
 * To be called after each launch. *behind is -1, or, after a wait, how many of the launches so far
 * may not be done.
 */
rhomb_status rhomb__pace_launched(rhomb_context *ctx, rhomb__pace *pace, int64_t *behind);

/* In any case. */
void rhomb__pace_end(rhomb__pace *pace);

#endif
