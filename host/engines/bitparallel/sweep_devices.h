/* SPDX-License-Identifier: MIT */
/*
 * The devices that run a single sweep, one or several. Where several pay, the sweep's strips are in
 * chunks, whose owners take turns (src/strips/strips.h); one host thread launches on all of
 * them in turns and moves what crosses between them (borders.h). A sweep whose band is too narrow
 * for that runs on the first device alone. Results are the same.
 *
 * A member's device may be another rank's. It launches by itself then (remote_sweep.h), and the
 * member here has only its records and counts. Either all but the first device are other ranks', in
 * their order, or none is.
 */
#ifndef RHOMB_HOST_SWEEP_DEVICES_H
#define RHOMB_HOST_SWEEP_DEVICES_H

#include "host/engines/bitparallel/sweeps.h"
#include "host/engines/engine.h"

/*
 * How far a sweep was when it was saved: all zeros but for the work, if it has not begun or several
 * devices share it.
 */
typedef struct rhomb__kept_sweep {
    int64_t next_launch, all_launches;
    double fraction; /* of the work that is enqueued */
    int64_t cells, launches, reads;
} rhomb__kept_sweep;

typedef struct rhomb__sweep_devices {
    rhomb__sweeps members[RHOMB_MOST_DEVICES]; /* [0] is the caller's device, and has the results */
    int32_t count;
    int32_t running;                    /* members of the running sweep */
    int64_t cells[RHOMB_MOST_DEVICES];  /* of each member, of the sweeps that are done */
    bool has_shared;                    /* some of these */
    double seconds[RHOMB_MOST_DEVICES]; /* of these sweeps, ... */
    double counted[RHOMB_MOST_DEVICES]; /* ... and the cells of that time */
    double began;                       /* the running sweep; later by what checkpoints took */
    double earlier;                     /* the part of it that an earlier run has done */
    double paused;                      /* when a checkpoint began, if it has not ended; else 0 */
    rhomb__kept_sweep kept;             /* of a checkpoint, and ... */
    int64_t kept_bytes[RHOMB__SWEEP_BUFFERS]; /* ... of the first device's buffers; -1: none */
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__program *borders[RHOMB_MOST_DEVICES];
} rhomb__sweep_devices;

/*
 * How the context's devices share a sweep for this bound; one owner: the first device does it
 * alone.
 */
rhomb__strip_chunks rhomb__sweep_devices_chunks(const rhomb_context *ctx, const rhomb__plan *plan,
                                                const rhomb_options *options,
                                                const rhomb__sweep *sweep, int64_t bound);

/*
 * The devices of a problem: the context's device, and its partners' devices. Everything is borrowed
 * until rhomb__sweep_devices_release(), which must be called in any case.
 */
rhomb_status rhomb__sweep_devices_open(rhomb__sweep_devices *devices, rhomb_context *ctx,
                                       const rhomb__programs *programs,
                                       const rhomb__problem *problem);

/*
 * Prepares a sweep of the share's bound, for all members or for the first one. Sets
 * share->sweep.chunks. The share is borrowed until the sweep is finished.
 */
rhomb_status rhomb__sweep_devices_prepare(rhomb__sweep_devices *devices, rhomb__sweep_share *share);

/* As in sweeps.h, for all that run. */
rhomb_status rhomb__sweep_devices_begin(rhomb__sweep_devices *devices);
rhomb_status rhomb__sweep_devices_advance(rhomb__sweep_devices *devices, double *fraction);
rhomb_status rhomb__sweep_devices_finish(rhomb__sweep_devices *devices);

/*
 * A sweep in a checkpoint: what the first device has after some launch, and the index of the next
 * one. Strips of a launch read what launches before have left in the strips' records and the
 * buffers down, across and carry, and nothing else. Of a sweep that several devices share there are
 * the counts alone: it begins again. So does one that several devices go on with.
 *
 * Before it is saved between two advances, once the device has done what is enqueued; after it was
 * restored, and the same sweep has begun: RHOMB_ERR_INPUT if it is another one; and afterwards.
 */
rhomb_status rhomb__sweep_devices_pause(rhomb__sweep_devices *devices);
rhomb_status rhomb__sweep_devices_take_up(rhomb__sweep_devices *devices, const rhomb__saved *saved);
void rhomb__sweep_devices_go_on(rhomb__sweep_devices *devices);

void rhomb__sweep_devices_release(rhomb__sweep_devices *devices);

/* The work of all members so far, and their shares if there are any. */
void rhomb__sweep_devices_report(const rhomb__sweep_devices *devices, rhomb__solution *solution);

#endif
