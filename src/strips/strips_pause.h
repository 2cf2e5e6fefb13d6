/* SPDX-License-Identifier: MIT */
/*
 * Where a sweep pauses that several devices share, for a checkpoint: so that what they have is what
 * one device would have after some launches, however many there are.
 *
 * A strip below borders is `delay` launches later than with one owner (strips_chunks.h). Launches
 * of one owner are *plain*: strip g does in launch l what it does in the plain launch l - delay.
 * Before a pause those that are behind catch up, and after it each strip waits for its own launch:
 *
 *     launch l          strips on their way            delay
 *                       0 0 0 | 1 1 1 | 2 2 2          in units of travel
 *     until plain p     0 0 0                          done with p - 1 first, ...
 *                             | 1 1 1
 *                                     | 2 2 2          ... and these last
 *     from plain p on   0 0 0                          begin with p first
 *                       0 0 0 | 1 1 1
 *                       0 0 0 | 1 1 1 | 2 2 2
 *
 * Fronts alternate between the records' two places by the launch, so delays have to be even. Pure
 * functions; `records` have the time table of `sweep`.
 */
#ifndef RHOMB_SRC_STRIPS_PAUSE_H
#define RHOMB_SRC_STRIPS_PAUSE_H

#include "src/strips/strips.h"

/* The plain launches that the furthest strip has done when `launch` is the next one. */
int64_t rhomb__pause_at(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch);

/* The launch before which all strips have done the plain launches up to `plain`, if none did more.
 */
int64_t rhomb__pause_end(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain);

/* The first launch in which a strip does the plain launch `plain`, or a later one. */
int64_t rhomb__pause_begin(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain);

/* Blocks [begin, end) of a direction's row of borders, last written by strips of one owner. */
typedef struct rhomb__written {
    int64_t begin;
    int64_t end;
    int32_t owner;
} rhomb__written;

/*
 * Who has what a direction's strips last wrote in the plain launches before `plain`, from strip *g
 * on, which is at first the number of strips, upwards; false: nobody has any more. Blocks that are
 * left out are in no strip's way any more.
 */
bool rhomb__pause_written(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t plain,
                          int64_t direction, int64_t *g, rhomb__written *written);

#endif
