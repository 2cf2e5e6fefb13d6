/* SPDX-License-Identifier: MIT */
/*
 * Models of the time of launches: whether several devices share a sweep, and in which chunks
 * (strips.h); and the number of steps of a launch for sweeps side by side (strips_many.h).
 * Shares and shapes change speed, never results: a subproblem is split in the first row with the
 * least sum of both costs, whatever the strips are like. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_MODEL_H
#define RHOMB_SRC_STRIPS_MODEL_H

#include "src/strips/strips.h"

/* The most strips of a direction that run at a time in the band for a bound, about. */
int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound);

/*
 * Whether several devices take less time than the first one alone, where that many strips of a
 * direction run at a time. Speeds are in cells a second; a step takes at least `step_seconds`.
 */
bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         const rhomb__strip_chunks *chunks, double step_seconds);

/*
 * Launches that a border has to travel: a read, a copy and a write have to be done within them. Two
 * H200 need 42 microseconds a launch with one, 24 to 29 with two.
 */
#define RHOMB__BORDER_TRAVEL 2

/*
 * The strips of a chunk, where about `in_flight` strips run at a time on equal devices. A launch
 * takes as long as the device with the most strips in it, which has up to a chunk too many: c of
 * the W / D that are its share, half of that in the mean. Each border delays the strips below it by
 * `travel` launches, of c * (the launches by which a strip follows the one above). The sum of both,
 * travel / (c * launches) + c * D / (2 * W), is least at c = sqrt(2 * travel * W / (launches * D)).
 */
int64_t rhomb__chunk_strips(const rhomb__sweep *sweep, int32_t owners, int64_t in_flight);

/* The same for devices of different speeds, which get chunks in proportion to them. */
rhomb__strip_chunks rhomb__chunks_for(const rhomb__sweep *sweep, const double *speeds,
                                      int32_t owners, int64_t in_flight);

/* The speed of a device. */
typedef struct rhomb__sweep_rates {
    int64_t units;                            /* over which groups are spread */
    double cells_per_second;                  /* of all units, when they are busy */
    double launch_seconds, hand_over_seconds; /* of a launch, and of a block */
    int32_t full_items;                       /* that a unit runs side by side */
} rhomb__sweep_rates;

/* Subproblems of known distances, which are ranges of a pair. */
typedef struct rhomb__sweep_list {
    const rhomb_subproblem *subproblems;
    int64_t count;
} rhomb__sweep_list;

/* The mean number of rows of a subproblem by these costs; 0 without subproblems. */
int64_t rhomb__sweeps_mean_rows(const rhomb__sweep_list *list, const rhomb__costs *costs);

/*
 * The seconds for subproblems side by side, in two directions. With L launches of S steps, in each
 * of which a unit has on average G groups with a block to do:
 *
 *     L (launch + S (hand-over + words * 512 * max(items * G + full / 2, items, full) / its rate))
 *
 * A block has 32 rows by 16 columns for each word of an item. A unit runs up to `full` items side
 * by side, so fewer take as long. The unit that all others wait for has full / 2 items more than
 * the average.
 */
double rhomb__sweeps_seconds(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                             const rhomb__strip_shape *shape);

/*
 * The number of steps from 16 to 256 with which a shape is fastest, in shape->steps; returns the
 * seconds. More steps mean fewer launches, but a longer wait of each strip for the one above.
 */
double rhomb__sweeps_choose_steps(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                                  rhomb__strip_shape *shape);

#endif
