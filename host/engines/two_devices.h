/* SPDX-License-Identifier: MIT */
/*
 * The two directions of a wavefront on two devices: what the engines for unit costs
 * (wavefront/wavefront_two.c) and for others (affine/affine_batch.c) have in common.
 *
 *     first device   |-- batch --|-- batch --|-- batch --| once more, both directions |-- alone -->
 *     other device   |-- batch --|-- batch --|-- batch --|
 *                    ^           ^           ^           ^
 *                    wavefront   antidiagonals           wavefront
 *
 * A run that the planner expects to take long gets another device, which does the backward
 * direction from there on. The directions cannot have met while the antidiagonals that both have
 * come to are fewer than those of the pair. So nothing has to be compared after a launch: the host
 * adds up after a batch, of some hundred launches, how far each has come. Where they may have met,
 * both are again where that batch began, which each device has kept, and the first device does it
 * and all that follows alone. So each batch, and what is decided after it, is as on one device.
 *
 * What crosses, through the host: a wavefront to the other device and one back, of an offset (4 or
 * 8 bytes) a diagonal, with other costs as many as they look back; with a checkpoint one more each
 * time; and each device's status record after a batch, below 200 bytes. Nothing for a launch.
 *
 * Errors of both are in their own records until rhomb__two_adopt(). Not thread-safe.
 */
#ifndef RHOMB_HOST_TWO_DEVICES_H
#define RHOMB_HOST_TWO_DEVICES_H

#include "host/device/remote.h"
#include "host/engines/engine.h"

/* Requests that another rank may have at a time: a batch that it runs, and the next one. */
#define RHOMB__TWO_REQUESTS 2

/* A request that another rank works on, and where the reply's bytes go. */
typedef struct rhomb__two_request {
    rhomb__request kind;
    void *to;
    int64_t bytes;
} rhomb__two_request;

typedef struct rhomb__two_devices {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    const rhomb__partner *partner; /* the other device, while is_shared */
    bool may_share;
    bool is_shared;
    int64_t other_cells;          /* of those that the run counts */
    rhomb_device_share shares[2]; /* of the first and the other device; but for the cells */
    int64_t cells_earlier;        /* of the run, before it went on from a checkpoint */
    double began;                 /* the first device; and ... */
    double joined;                /* ... the other one, while is_shared */
    double other_seconds;         /* of that, before */
    /* Where the other device is another rank's: requests to it so far, and replies. */
    int64_t asked, answered;
    rhomb__two_request requests[RHOMB__TWO_REQUESTS]; /* request i, from 0 on, in place i % 2 */
} rhomb__two_devices;

/* A place in one of the buffers that a direction is in. Those of another rank are not here. */
typedef struct rhomb__two_place {
    const rhomb__buffer *buffers;
    int32_t which;
    int64_t at;
} rhomb__two_place;

/* A read on a device: its event, or on another rank the number of the request. Zeros: none. */
typedef struct rhomb__two_read {
    cl_event event;
    int64_t number;
} rhomb__two_read;

/* Before a run, which borrows both. */
rhomb__two_devices rhomb__two_begin(rhomb_context *ctx, const rhomb__problem *problem);

/*
 * Whether the run should get another device, when costs up to `done` are ruled out and both
 * directions have come to `reach` antidiagonals: by the planner's estimate, or because the tuning
 * has everything shared. Not by a clock.
 */
bool rhomb__two_pays(const rhomb__two_devices *two, int64_t done, int64_t bound, int64_t reach);

/* Gets the other device ready: is_shared afterwards, unless there is none with room. */
rhomb_status rhomb__two_join(rhomb__two_devices *two);

/*
 * The first device is alone from here on. Another rank has replied to all requests by then, or it
 * is lost.
 */
void rhomb__two_part(rhomb__two_devices *two);

/* The context of the rank that has the other device, while is_shared; NULL: it is none. */
rhomb_context *rhomb__two_rank(const rhomb__two_devices *two);

/*
 * Another rank. Sends a request whose reply has `bytes` bytes and is waited for later: it is number
 * two->asked then. The second waits for all replies, asks, and waits for that one.
 */
rhomb_status rhomb__two_send(rhomb__two_devices *two, rhomb__request request,
                             rhomb__message *message, void *to, int64_t bytes);
rhomb_status rhomb__two_ask(rhomb__two_devices *two, rhomb__request request,
                            rhomb__message *message);

/*
 * Copies so many bytes from device `from`, 0 or 1, to the other one; waits for both. Another rank
 * is asked by requests of the kinds `read` and `write`.
 */
rhomb_status rhomb__two_move(rhomb__two_devices *two, int from, const rhomb__two_place *source,
                             const rhomb__two_place *target, int64_t bytes, rhomb__request read,
                             rhomb__request write);

/*
 * Waits for a read on each device. `last` are those enqueued last, which say whether a device had
 * nothing to do meanwhile. In reports a device waits for the other one's direction.
 */
rhomb_status rhomb__two_wait(rhomb__two_devices *two, const rhomb__two_read reads[2],
                             const rhomb__two_read last[2]);

/* Waits for all that the other device was asked for. */
rhomb_status rhomb__two_finish(rhomb__two_devices *two);

/*
 * While two devices are in use: passes a failure to the caller's record, with the name of the
 * device that it is of. Returns `status`.
 */
rhomb_status rhomb__two_adopt(rhomb__two_devices *two, rhomb_status status);

/* Fills in what each has done, if both have; solution->cells are of both. */
void rhomb__two_report(const rhomb__two_devices *two, rhomb__solution *solution);

#endif
