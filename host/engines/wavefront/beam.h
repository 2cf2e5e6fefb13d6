/* SPDX-License-Identifier: MIT */
/*
 * The beam: a wavefront on a window of diagonals that follows the furthest antidiagonal. It costs
 * little per score, whatever the distance, and ends with the cost of a real path. That is an upper
 * bound of the distance and mostly the distance itself (with trapezoids the end of its launch). It
 * is only a bound if the best path leaves the window, as at an insertion longer than half of the
 * window.
 *
 *     k ^            .-----      the exact wavefronts up to r0, and the window on from there;
 *       |    /|  .--'-----.      offsets outside the window stay as they were
 *       |  /  |-' ----.--'
 *       | \   |------'
 *       |   \ |
 *       +-----r0-----------> r
 */
#ifndef RHOMB_HOST_BEAM_H
#define RHOMB_HOST_BEAM_H

#include "host/engines/wavefront/pyramid.h"
#include "src/planner/engine_plan.h"

/* Where a beam starts and when it gives up. The plan gives its width. */
typedef struct rhomb__beam_order {
    rhomb__survey survey;      /* of all diagonals that the exact wavefronts hold */
    int64_t bound;             /* on the distance, so far; a beam that cannot improve it ends */
    rhomb__beam_budget budget; /* a beam also ends when it has spent this, or will at its pace */
    rhomb_progress progress;   /* as last reported to the caller */
} rhomb__beam_order;

typedef struct rhomb__beam_result {
    int64_t bound;    /* on the distance: the order's bound, or a better one */
    bool reaches_end; /* by a path of that cost; else the bound is only a by-product */
    int64_t column;
    int64_t cells;
    int64_t launches;
    int64_t reads;
} rhomb__beam_result;

/*
 * Runs a beam from the wavefronts of `exact`, which stays unchanged. Does nothing without memory
 * for a second pair of wavefronts. Nothing is running any more when it returns.
 */
rhomb_status rhomb__beam_run(const rhomb__pyramid *exact, const rhomb__program *program,
                             const rhomb__beam_order *order, rhomb__beam_result *result);

#endif
