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

#include "host/engines/engine.h"

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
} rhomb__two_devices;

/* Some bytes of a device's buffer. */
typedef struct rhomb__two_bytes {
    rhomb__device_stream *stream;
    const rhomb__buffer *buffer;
    int64_t at;
} rhomb__two_bytes;

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

/* The first device is alone from here on. */
void rhomb__two_part(rhomb__two_devices *two);

/* Copies so many bytes from device `from`, 0 or 1, to the other one; waits for both. */
rhomb_status rhomb__two_move(rhomb__two_devices *two, int from, const rhomb__two_bytes *source,
                             const rhomb__two_bytes *target, int64_t bytes);

/*
 * Waits for a read on each device. `last` are those enqueued last, which say whether a device had
 * nothing to do meanwhile. In reports a device waits for the other one's direction.
 */
rhomb_status rhomb__two_wait(rhomb__two_devices *two, const cl_event reads[2],
                             const cl_event last[2]);

/*
 * While two devices are in use: passes a failure to the caller's record, with the name of the
 * device that it is of. Returns `status`.
 */
rhomb_status rhomb__two_adopt(rhomb__two_devices *two, rhomb_status status);

/* Fills in what each has done, if both have; solution->cells are of both. */
void rhomb__two_report(const rhomb__two_devices *two, rhomb__solution *solution);

#endif
