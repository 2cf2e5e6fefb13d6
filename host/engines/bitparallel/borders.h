/* SPDX-License-Identifier: MIT */
/*
 * One device's part in a sweep that several share: what the last rows of its chunks pass on, and
 * what the first rows of its chunks get from the device before it (src/strips/strips.h,
 * cl/common/borders.cl). All packets of a launch cross in one read and one write.
 *
 *     launch l of device d      scatter what device d - 1 sent after launch l - 1 - travel
 *                               sweep
 *                               gather, and read: on its way to device d + 1
 *
 * The queue of a way orders these. The host waits for packets only `travel` launches after it has
 * asked for them, so no device waits while launches take longer than the way.
 *
 * Where the next device is another rank's, the packets are messages, sent when they would be taken:
 * `travel` launches later, too. After its last launch, or where it ends early, each rank tells the
 * next one that this was all, and takes what is left of the rank before, up to the same word from
 * that. So nothing stays in a channel, and a sweep that one rank ends early ends on all: those that
 * still need packets end early, too.
 */
#ifndef RHOMB_HOST_BORDERS_H
#define RHOMB_HOST_BORDERS_H

#include "host/device/buffer.h"
#include "host/device/program.h"
#include "host/device/remote.h"
#include "src/strips/strips.h"

/*
 * Launches whose packets may have been sent and not taken: more than travel + 1, as a device gives
 * those of a launch before the next device has taken those of travel + 1 launches before.
 */
#define RHOMB__BORDER_SLOTS 4

/* One way: from this device to the next, or from the one before to this one. */
typedef struct rhomb__border_side {
    int32_t owner;         /* whose borders they are */
    cl_kernel kernel;      /* that gathers, or scatters */
    int64_t group_size;    /* of its launches */
    rhomb__buffer listed;  /* the strips with a border */
    rhomb__buffer packets; /* of a launch */
    rhomb__pinned slots;   /* packets of some launches, slot_bytes each */
    int64_t slot_bytes;
    cl_event events[RHOMB__BORDER_SLOTS]; /* of the last transfer of each slot */
    int64_t counts[RHOMB__BORDER_SLOTS];  /* of its packets */
    int64_t first, end; /* strips that run in the launch that was looked at last */
    rhomb__link *link;  /* to the rank that has the other device; NULL: this process has */
} rhomb__border_side;

/* What borders have cost. */
typedef struct rhomb__border_work {
    int64_t bytes_sent;
    double seconds_waited; /* for the device before; and of that ... */
    double seconds_idle;   /* ... while the queue had nothing left to do */
} rhomb__border_work;

/* All zeros: none. */
typedef struct rhomb__borders {
    rhomb__device_stream *stream; /* of commands; and ... */
    rhomb__device_stream *memory; /* ... of the device, which counts its buffers */
    const rhomb__sweep *sweep;
    const rhomb_strip *records;    /* as they are sent */
    cl_mem strips, across;         /* of this device */
    int64_t directions, direction; /* both, from 0 on, or this one alone */
    rhomb__border_side out, in;
    int32_t channel;    /* of messages between ranks, and ... */
    int64_t job;        /* ... the sweep that they are of */
    bool has_told;      /* the next rank that nothing more comes */
    bool has_heard;     /* the same of the rank before */
    double waits_since; /* for the rank before; 0: it does not */
    bool waits_idle;
    int64_t packet_bytes;
    rhomb__border_work work;
} rhomb__borders;

/* The most bytes that a sweep's borders take on a device. */
int64_t rhomb__borders_bytes(const rhomb__sweep *sweep, const rhomb__strip_chunks *chunks);

/* The program of both kernels; it belongs to the device. */
rhomb_status rhomb__borders_program(rhomb_context *ctx, rhomb__program **out);

/*
 * Prepares for a sweep, after the caller has filled what is above `out`. All of that is borrowed
 * until rhomb__borders_stop().
 */
rhomb_status rhomb__borders_prepare(rhomb__borders *borders, const rhomb__program *program,
                                    int32_t owner);

/*
 * Before a launch: takes in what the device before has sent for it, if anything. `before` is NULL
 * where another rank has that device.
 */
rhomb_status rhomb__borders_take(rhomb__borders *borders, rhomb__borders *before, int64_t launch);

/*
 * Where another rank has the device before: passes on what is to be passed on before a launch, and
 * finds out whether rhomb__borders_take() would wait for that rank.
 */
rhomb_status rhomb__borders_would_wait(rhomb__borders *borders, int64_t launch, bool *waits);

/* After it: sends what it passes on, if anything. */
rhomb_status rhomb__borders_give(rhomb__borders *borders, int64_t launch);

/*
 * Tells the next rank, if that has the next device, that nothing more comes; and takes the rest of
 * the rank before, if that has the device before. All ways have to be told before any is taken.
 */
rhomb_status rhomb__borders_tell_end(rhomb__borders *borders);
rhomb_status rhomb__borders_take_rest(rhomb__borders *borders);

/* Once no command uses them any more; the memory stays for the next sweep. */
void rhomb__borders_stop(rhomb__borders *borders);

/* The same, and releases everything. */
void rhomb__borders_release(rhomb__borders *borders);

#endif
