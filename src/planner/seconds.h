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
    RHOMB__KNOWN_PATH   /* the same; and if the plan has a guide, what that promises */
} rhomb__known;

/*
 * The time of a wavefront, with any costs, at a speed that belongs to its row. And that of a whole
 * run of `plan`, a wavefront's, at its speed for estimates.
 */
double rhomb__wave_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                           rhomb__known known);
double rhomb__wave_run_seconds(const rhomb__plan *plan, int64_t cost);

/* The same of a sweep; `plan` may also be one from which it takes over. */
double rhomb__sweep_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                            rhomb__known known);
double rhomb__sweep_run_seconds(const rhomb__plan *plan, int64_t cost);

/* The time to sweep the pieces along a guide, by the profile or for estimates. */
double rhomb__follow_seconds(const rhomb__plan *plan, bool by_profile);

/* What a sweep takes in the strips of its plan, as a share of its time by the model. */
double rhomb__strips_share(const rhomb__plan *sweep);

/*
 * Parts of a wavefront's time: that of the launches up to a sum of d where they are too narrow to
 * take longer, and the cells from a sum of c to one of d, without a bound and with one.
 */
double rhomb__wave_latency(const rhomb__plan *plan, const rhomb__speed *speed, double d);
double rhomb__wave_free_cells(const rhomb__plan *plan, double c, double d);
double rhomb__wave_bounded_cells(const rhomb__plan *plan, double c, double d);

/* Of the rows that may take over from a plan's the one that takes the least, by the profile. */
typedef struct rhomb__successor {
    rhomb__engine_row row;
    double seconds; /* infinite: there is none */
} rhomb__successor;

rhomb__successor rhomb__plan_successor(const rhomb__plan *plan, int64_t cost, rhomb__known known);

/*
 * Another engine takes over when it is faster than the rest of the run by this. Estimates are no
 * better than that, and improve with the share of the pair that the run has seen. So the run goes
 * on for a LEAST_SHARE of the other's time.
 */
#define RHOMB__SWITCH_MARGIN 1.1
#define RHOMB__LEAST_SHARE   0.03

/* The time to the end, for a distance that may also be a known bound. */
typedef struct rhomb__outlook {
    int64_t distance;
    double rest; /* of the run's own engine */
    rhomb__successor other;
} rhomb__outlook;

rhomb__outlook rhomb__look_ahead(const rhomb__plan *plan, const rhomb__look *look, double distance,
                                 rhomb__known known);

/* With as many edits per base to the end as so far; or as few as at the best of any look. */
rhomb__outlook rhomb__look_on_average(const rhomb__plan *plan, const rhomb__look *look);
rhomb__outlook rhomb__look_at_best(const rhomb__plan *plan, const rhomb__look *look);

static inline bool rhomb__other_wins(const rhomb__outlook *ahead)
{
    return ahead->other.seconds * RHOMB__SWITCH_MARGIN < ahead->rest;
}

#endif
