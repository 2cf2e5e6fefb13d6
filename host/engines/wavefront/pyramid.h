/* SPDX-License-Identifier: MIT */
/*
 * The pyramid on the device: the status record, two wavefronts for a window of its diagonals, and
 * the work enqueued on them. The window grows. With two directions each wavefront is followed by
 * the backward wavefront that is as far from the ends.
 *
 * Diagonals new to the wavefronts, and those of tiles that were left out, have "no offset" or the
 * offset of an earlier wavefront. Both are lower bounds, and a load needs no more
 * (cl/wavefront/wavefront.clh). So whatever is launched, r edits reach an offset in wavefront r,
 * and when the end diagonal is at n, the distance is at most r.
 */
#ifndef RHOMB_HOST_PYRAMID_H
#define RHOMB_HOST_PYRAMID_H

#include "host/engines/engine.h"

#include "cl/abi.h"
#include "src/planner/tiling.h"

typedef struct rhomb__pyramid {
    rhomb__device_stream *stream;
    const rhomb__problem *problem;
    rhomb__tiling tiling;
    cl_kernel kernel;
    cl_kernel meet; /* NULL for diamonds */
    rhomb__buffer status;
    rhomb__buffer wavefronts[2];
    rhomb__window held; /* diagonals that the wavefronts hold, in either direction */
    int32_t directions;
    int64_t start;    /* the wavefront that the next launch starts from */
    int32_t front;    /* the front that the next launch reads */
    int32_t turn;     /* the same for everything else that alternates in the status record */
    int32_t source;   /* the wavefront that the next trapezoid reads */
    bool watches;     /* a look whether the directions have met follows each launch */
    double tile_rate; /* cells per second of the launches, pruned tiles included: for pacing */
    int64_t launches;
} rhomb__pyramid;

/*
 * Begins before wavefront 0, without any wavefront yet. The device's fronts know that the distance
 * is at most `bound`. The pyramid has to be released afterwards, also on failure.
 */
rhomb_status rhomb__pyramid_open(rhomb__pyramid *pyramid, rhomb__device_stream *stream,
                                 const rhomb__program *program, const rhomb__problem *problem,
                                 int64_t bound);

/* Goes on with another tile, that of the problem's plan. Nothing may be in flight. */
rhomb_status rhomb__pyramid_retile(rhomb__pyramid *pyramid, const rhomb__program *program);

/* Waits, and makes the wavefronts hold exactly the diagonals of `to`. */
rhomb_status rhomb__pyramid_hold(rhomb__pyramid *pyramid, rhomb__window to);

/*
 * The bound by which launches are laid out when the distance is at most `bound`. Two directions
 * advance together, so the sum of their scores passes an odd bound by one before they are looked
 * at.
 */
int64_t rhomb__pyramid_bound(const rhomb__pyramid *pyramid, int64_t bound);

/* Enqueues the tiles of the next launch. The wavefronts must hold them and their neighbours. */
rhomb_status rhomb__pyramid_enqueue(rhomb__pyramid *pyramid, const rhomb__launch *launch);

/* Enqueues a read of the status record and flushes. */
rhomb_status rhomb__pyramid_read(const rhomb__pyramid *pyramid, rhomb_wavefront_status *status,
                                 cl_event *read);

/*
 * The newer of a direction's two fronts: the one with the later wavefront, or with the distance.
 */
rhomb_front rhomb__pyramid_front(const rhomb_wavefront_status *status, int direction);

/*
 * How far a direction has come, or all of them together, as antidiagonals i + j of n + m, rounded
 * up.
 */
int64_t rhomb__pyramid_reach_of(const rhomb__pyramid *pyramid, const rhomb_wavefront_status *status,
                                int direction);
int64_t rhomb__pyramid_reach(const rhomb__pyramid *pyramid, const rhomb_wavefront_status *status);

/*
 * Forgets the launches that the device has left out after wavefront `complete`, from which the next
 * launch starts. Nothing may be in flight.
 */
void rhomb__pyramid_rewind(rhomb__pyramid *pyramid, int64_t complete);

/*
 * Waits, and looks whether the directions have met at the wavefronts that the next launch starts
 * from.
 */
rhomb_status rhomb__pyramid_look(rhomb__pyramid *pyramid, int64_t bound, bool *met);

/*
 * The least distance, given that the directions have met at the wavefronts that the next launch
 * would start from, and had not met one launch before. Also the breakpoint in `breakpoint`, which
 * may be NULL and needs two directions. Nothing may be in flight. The wavefronts are of no use
 * afterwards.
 */
rhomb_status rhomb__pyramid_replay(rhomb__pyramid *pyramid, int64_t bound, int64_t *distance,
                                   rhomb__breakpoint *breakpoint);

/*
 * The point on the lowest diagonal of a window where the newest wavefronts meet, `forward` and
 * `backward` edits from the two ends. RHOMB_ERR_DEVICE_WRONG_RESULT if they do not meet.
 */
rhomb_status rhomb__pyramid_meeting(const rhomb__pyramid *pyramid, rhomb__window window,
                                    int64_t forward, int64_t backward,
                                    rhomb__breakpoint *breakpoint);

/*
 * Waits for everything enqueued, and reads how far the newest wavefront of diamonds has come: their
 * status record does not say it.
 */
rhomb_status rhomb__pyramid_poll(const rhomb__pyramid *pyramid, int64_t *reach);

/* Nothing may be in flight. */
void rhomb__pyramid_release(rhomb__pyramid *pyramid);

#endif
