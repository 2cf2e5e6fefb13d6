/* SPDX-License-Identifier: MIT */
/*
 * The beam: a wavefront on a window of diagonals that follows the furthest antidiagonal. It costs
 * little for each column, whatever the distance, and ends with the cost of a real path: an upper
 * bound of the distance, and mostly the distance itself, or with trapezoids the end of its band. It
 * is no more than a bound where the best path leaves the window, as at an insertion that is longer
 * than half of it.
 *
 *     k ^            .-----      the exact columns up to r0, and the window on from there;
 *       |    /|  .--'-----.      offsets outside the window stay as they were
 *       |  /  |-' ----.--'
 *       | \   |------'
 *       |   \ |
 *       +-----r0-----------> r
 */
#ifndef RHOMB_HOST_BEAM_H
#define RHOMB_HOST_BEAM_H

#include "host/engines/wavefront/pyramid.h"
#include "src/planner/plan.h"

/* Where a beam starts and when it gives up; its width is the plan's. */
typedef struct rhomb__beam_order {
    rhomb__survey survey;      /* of all diagonals that the exact columns hold */
    int64_t bound;             /* on the distance, so far: a beam that cannot better it ends */
    rhomb__beam_budget budget; /* and so does one that has spent it, or will at its pace */
    rhomb_progress progress;   /* as the caller was told last */
} rhomb__beam_order;

typedef struct rhomb__beam_result {
    int64_t bound;    /* on the distance: that of the order, or a better one */
    bool reaches_end; /* by a path of that cost; else the bound is no more than a by-product */
    int64_t column;
    int64_t cells;
    int64_t launches;
    int64_t reads;
} rhomb__beam_result;

/*
 * Runs a beam that starts from the columns of `exact`, which stays as it is. Without memory for a
 * second pair of columns nothing happens. When it returns, nothing is under way any more.
 */
rhomb_status rhomb__beam_run(const rhomb__pyramid *exact, const rhomb__program *program,
                             const rhomb__beam_order *order, rhomb__beam_result *result);

#endif
