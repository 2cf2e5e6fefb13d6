/* SPDX-License-Identifier: MIT */
/*
 * How many steps a launch has for sweeps side by side (strips_many.h), by a model of what they
 * take. Shapes change speed, never results: a problem is split in the first row with the least sum
 * of both costs, whatever the strips are like. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_SHAPE_H
#define RHOMB_SRC_STRIPS_SHAPE_H

#include "src/planner/strips.h"

/* What a device does. */
typedef struct rhomb__sweep_rates {
    int64_t units;           /* that groups are spread over */
    double cells_per_second; /* of all of them, when they are busy */
} rhomb__sweep_rates;

/* Problems of known distances, ranges of a pair. */
typedef struct rhomb__sweep_list {
    const rhomb_split_pair *pairs;
    int64_t count;
} rhomb__sweep_list;

/* The rows that a problem has on average; 0 without problems. */
int64_t rhomb__sweeps_mean_rows(const rhomb__sweep_list *list);

/*
 * Seconds that problems take side by side, in two directions. With L launches of S steps, in each
 * of which a unit has G groups with a block to do, on average:
 *
 *     L (launch + S (hand-over + words * 512 * max(items * G + FULL / 2, items, FULL) / its rate))
 *
 * A block has 32 rows by 16 columns for each word of an item. Up to FULL items a unit does side by
 * side, so that fewer take as long; and the unit that all others wait for has half of that more
 * than the average.
 */
double rhomb__sweeps_seconds(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                             const rhomb__strip_shape *shape);

/*
 * The steps from 16 to 256 with which a shape is quickest, in shape->steps; returns the seconds.
 * More steps are fewer launches, and a longer wait of each strip for the one above.
 */
double rhomb__sweeps_choose_steps(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                                  rhomb__strip_shape *shape);

#endif
