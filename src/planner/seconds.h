/* SPDX-License-Identifier: MIT */
/*
 * The planner's times, among its own files: what the rows of its table answer (models.h), and how
 * it weighs a row against those that may take over.
 *
 * One model, two sets of speeds. Estimates use the best known speeds, measured ones if there are
 * any. Decisions use the profile's, which never change, and its time for the wavefronts so far
 * instead of a clock. So the same input makes the same choices each time.
 */
#ifndef RHOMB_SRC_SECONDS_H
#define RHOMB_SRC_SECONDS_H

#include "src/planner/engine_plan.h"

/* What is known of a cost when its time is asked for. */
typedef enum rhomb__known {
    RHOMB__KNOWN_GUESS, /* that it is expected: the engine has to find it out */
    RHOMB__KNOWN_BOUND, /* that no path costs more, from the beginning */
    RHOMB__KNOWN_PATH,  /* the same; and if the plan has a guide, what that promises */
    RHOMB__KNOWN_NONE   /* nothing: a whole run of the row's own plan, with all that comes before */
} rhomb__known;

/* The time of a wavefront, with any costs, at a speed that belongs to its row. */
double rhomb__wave_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                           rhomb__known known);

/* The same of a sweep; `plan` may also be one from which it takes over. */
double rhomb__sweep_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                            rhomb__known known);

/* The time to sweep the pieces along a guide, by the profile or for estimates. */
double rhomb__follow_seconds(const rhomb__plan *plan, bool by_profile);

/* What a sweep takes in the strips of its plan, as a share of its time by the model. */
double rhomb__strips_share(const rhomb__plan *sweep);

/* Of the rows that may take over from a plan's the one that takes the least, by the profile. */
typedef struct rhomb__successor {
    rhomb__engine_row row;
    double seconds; /* infinite: there is none */
} rhomb__successor;

rhomb__successor rhomb__plan_successor(const rhomb__plan *plan, int64_t cost, rhomb__known known);

#endif
