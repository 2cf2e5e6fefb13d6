/* SPDX-License-Identifier: MIT */
/*
 * What the commands of a job cost on the device, by the device's own clock. Only for a profile, as
 * a queue that keeps times is not free on every driver. Each command leaves an event, which is
 * read when all of them have ended.
 */
#ifndef RHOMB_HOST_BATCH_TIMES_H
#define RHOMB_HOST_BATCH_TIMES_H

#include "cl/abi.h"
#include "host/device/context.h"

typedef enum rhomb__batch_stage {
    RHOMB__BATCH_SEND,
    RHOMB__BATCH_PACK,
    RHOMB__BATCH_SOLVE,
    RHOMB__BATCH_FETCH,
    RHOMB__BATCH_STAGES
} rhomb__batch_stage;

enum {
    RHOMB__BATCH_ROUNDS = 2,
    /*
     * Counts and lists to the device, packing, levels and bins; counts, answers and CIGARs from
     * there.
     */
    RHOMB__BATCH_ROUND_COMMANDS = 4 + RHOMB_BATCH_LISTS + RHOMB_BATCH_LISTS,
    /* Codes to the device, bases with places, the other CIGARs from there. */
    RHOMB__BATCH_MOST_COMMANDS = 3 + RHOMB__BATCH_ROUNDS * RHOMB__BATCH_ROUND_COMMANDS
};

/* All zeros but for `asked` holds nothing. */
typedef struct rhomb__batch_times {
    bool asked;
    int32_t count;
    struct {
        cl_event event; /* NULL where the command was not enqueued */
        rhomb__batch_stage stage;
    } commands[RHOMB__BATCH_MOST_COMMANDS];
    double seconds[RHOMB__BATCH_STAGES];
} rhomb__batch_times;

/*
 * Where the next command's event belongs, as the last argument of a function that enqueues; NULL
 * without a profile.
 */
cl_event *rhomb__batch_times_next(rhomb__batch_times *times, rhomb__batch_stage stage);

/* The same for an event that the caller has used; sets it to NULL where it is kept. */
void rhomb__batch_times_keep(rhomb__batch_times *times, rhomb__batch_stage stage, cl_event *event);

/* Adds up the times of the commands, all of which have ended, and releases them. */
rhomb_status rhomb__batch_times_add(rhomb__device_stream *stream, rhomb__batch_times *times);

/* Releases the commands. */
void rhomb__batch_times_drop(rhomb__batch_times *times);

#endif
