/* SPDX-License-Identifier: MIT */
/*
 * The number of steps of a launch for sweeps side by side (strips_many.h), by a model of their
 * time. Shapes change speed, never results: a subproblem is split in the first row with the least
 * sum of both costs, whatever the strips are like. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_SHAPE_H
#define RHOMB_SRC_STRIPS_SHAPE_H

#include "src/strips/strips.h"

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
