/* SPDX-License-Identifier: MIT */
/*
 * Where a problem is split in two, by the rules of those that split it and without anything of
 * them: plain wavefronts that meet, and Gotoh's matrix up to the middle column from either end.
 */
#ifndef RHOMB_REFERENCE_BREAKPOINTS_H
#define RHOMB_REFERENCE_BREAKPOINTS_H

#include "gotoh.h"

/*
 * By wavefronts, with unit costs: on the first diagonal on which half of the edits, rounded up, and
 * the others from the end meet. RHOMB_SPLIT_APART where the distance is larger than it is said to
 * be.
 */
rhomb_split_point oracle_split_wavefront(const plain_pair *texts, int64_t distance);

/* Where the first part ends, what it costs, and the gap that goes on there, if any (RHOMB_GAP_*).
 */
typedef struct oracle_breakpoint {
    int64_t target;
    int64_t query;
    int64_t cost;
    int32_t gap;
} oracle_breakpoint;

/*
 * By a sweep, with any costs: in the middle column, rounded up to whole blocks, the first row that
 * a path of least cost goes through; not within a gap, if such a path is not, else within one of
 * the first piece, if one is. *distance is that cost. For targets of more than 15 bases. Aborts
 * without memory.
 */
oracle_breakpoint oracle_split_sweep(const plain_pair *texts, const oracle_penalties *p,
                                     oracle_borders borders, int64_t *distance);

#endif
