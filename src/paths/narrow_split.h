/* SPDX-License-Identifier: MIT */
/*
 * Splits a subproblem that is too narrow for a sweep, on the host: fewer than RHOMB__NARROW bases
 * of one sequence, and any number of the other, as long gaps leave them. Gotoh's recurrence (1982)
 * goes from both ends to the middle of the longer side, one base of it at a time. Time: some 5 ns
 * for each pair of bases; no memory.
 */
#ifndef RHOMB_SRC_NARROW_SPLIT_H
#define RHOMB_SRC_NARROW_SPLIT_H

#include "cl/abi.h"
#include "src/paths/path_ops.h"

/* One more than the most bases of the shorter side. */
#define RHOMB__NARROW 64

/* Where a path of least cost goes through, and the costs as a split has them. */
typedef struct rhomb__narrow_point {
    int64_t target; /* from the subproblem's beginning */
    int64_t query;
    int32_t gap;          /* RHOMB_GAP_*, along the longer side, or none */
    int64_t forward_cost; /* of the part up to there, which may end within this gap */
    int64_t cost;         /* of the whole */
} rhomb__narrow_point;

/* Whether a subproblem is that narrow, and can be split: its longer side has two bases or more. */
bool rhomb__narrow_can(const rhomb_split_pair *subproblem);

/*
 * In the middle of the longer side, the query if both are as long, rounded down: the first place
 * along the other side that a path of least cost goes through; not within a gap there, if such a
 * path is not, else within one of the first piece, if one is.
 */
rhomb__narrow_point rhomb__narrow_split(const rhomb__path_pair *pair,
                                        const rhomb_subproblem *subproblem);

#endif
