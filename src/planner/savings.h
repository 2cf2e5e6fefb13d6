/* SPDX-License-Identifier: MIT */
/*
 * The number of wavefront cells that each bound on the distance saved. Cells are counted as tiles
 * compute them. The launches that the device came to are counted as laid out without a bound, with
 * the limit, and as they were computed in the end.
 */
#ifndef RHOMB_SRC_SAVINGS_H
#define RHOMB_SRC_SAVINGS_H

#include "src/planner/tiling.h"

/* The second bound is credited with what it left out beyond the first. */
typedef struct rhomb__savings {
    int64_t limit;    /* the caller's limit */
    int64_t diagonal; /* what device and host learnt from the end diagonal */
} rhomb__savings;

#define RHOMB__NO_BOUND INT64_MAX

/* Launches that were enqueued one after the other. */
typedef struct rhomb__stretch {
    rhomb__tiling tiling;
    int64_t directions;
    int64_t start; /* the wavefront that the first launch starts from */
    int64_t limit; /* the bound by which launches are laid out, or RHOMB__NO_BOUND */
} rhomb__stretch;

/*
 * Adds the savings of the launches that start before wavefront `end`, of which `cells` were
 * computed. Visits each launch up to there, so the caller has to know that `end` lies within the
 * stretch.
 */
void rhomb__savings_add(rhomb__savings *savings, const rhomb__stretch *stretch, int64_t end,
                        int64_t cells);

#endif
