/* SPDX-License-Identifier: MIT */
/*
 * Splits many subproblems of an alignment at once (cl/divide/split.cl): ranges of a pair that is
 * packed on the device, with known distances. Each gets its breakpoint, the point where half of the
 * distance is paid. Breakpoints do not depend on the device, on group sizes, or on what else is
 * solved beside them.
 */
#ifndef RHOMB_HOST_SPLIT_H
#define RHOMB_HOST_SPLIT_H

#include "host/splits/split_pair.h"

typedef struct rhomb__splitter rhomb__splitter;

/* Builds nothing yet: programs are built, and checked, when the first subproblems need them. */
rhomb_status rhomb__splitter_open(rhomb_context *ctx, const rhomb__split_source *source,
                                  rhomb__splitter **out);

/*
 * Splits `count` subproblems, in any order. points[i] is the breakpoint of pairs[i], with the
 * status RHOMB_SPLIT_FOUND: the halves before and after it have the distances ceil(d / 2) and
 * floor(d / 2). This much was checked: it lies inside, and the lengths of each half differ by no
 * more than its distance. Memory of the host: about 100 bytes for each subproblem of a portion, 16
 * for all.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where no such point exists: a distance was wrong, or the device is.
 * RHOMB_ERR_INTERNAL for an impossible subproblem: its range leaves the pair, or its distance
 * is not from 1 to RHOMB_SPLIT_LIMIT, or below the difference of the lengths, or above the longer
 * one.
 */
rhomb_status rhomb__split_solve(rhomb__splitter *splitter, const rhomb_split_pair *pairs,
                                int64_t count, rhomb_split_point *points);

rhomb__split_work rhomb__splitter_work(const rhomb__splitter *splitter);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__splitter_close(rhomb__splitter *splitter);

#endif
