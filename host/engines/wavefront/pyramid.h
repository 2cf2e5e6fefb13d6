/* SPDX-License-Identifier: MIT */
/*
 * The pyramid on the device: the status record, two wavefronts for a window of its diagonals, and
 * the work enqueued on them. An exact run has a window that grows; a beam has one that moves. With
 * two directions each wavefront is followed by the backward wavefront that is as far from the ends.
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

/* What the newest wavefront says about some diagonals. */
typedef struct rhomb__survey {
    int64_t column; /* its score, or one not much earlier */
    int64_t reach;  /* the furthest antidiagonal i + j */
    int64_t head;   /* its diagonal */
    int64_t rest;   /* the least max(m - i, n - j): this number of further edits reaches the end */
    /* The outermost diagonals that lag by at most what `near` wavefronts gain on average. */
    rhomb__window near;
} rhomb__survey;

/*
 * Begins before wavefront 0, without any wavefront yet. The device's fronts know that the distance
 * is at most `bound`. The pyramid has to be released afterwards, also on failure.
 */
rhomb_status rhomb__pyramid_open(rhomb__pyramid *pyramid, rhomb__device_stream *stream,
                                 const rhomb__program *program, const rhomb__problem *problem,
                                 int64_t bound);

/*
 * Opens a second pyramid, which goes on from the forward wavefronts of another in its own window.
 *
 */
rhomb_status rhomb__pyramid_branch(rhomb__pyramid *pyramid, const rhomb__pyramid *from,
                                   const rhomb__program *program, int64_t bound,
                                   rhomb__window window);

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
 * Waits for everything enqueued, and looks at the part of a window that the wavefronts hold. They
 * have come to `column`; `near` is for survey->near.
 */
rhomb_status rhomb__pyramid_survey(const rhomb__pyramid *pyramid, rhomb__window window,
                                   int64_t column, int64_t near, rhomb__survey *survey);

/* Waits, and tells the device that the distance is at most `bound`. */
rhomb_status rhomb__pyramid_tighten(const rhomb__pyramid *pyramid, int64_t bound);

/* Nothing may be in flight. */
void rhomb__pyramid_release(rhomb__pyramid *pyramid);

#endif
