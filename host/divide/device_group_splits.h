/* SPDX-License-Identifier: MIT */
/*
 * The subproblems of a round that sweeps or wavefronts split, on all devices of a device group: see
 * split_member.h.
 */
#ifndef RHOMB_HOST_DEVICE_GROUP_SPLITS_H
#define RHOMB_HOST_DEVICE_GROUP_SPLITS_H

#include "host/divide/device_group.h"

typedef struct rhomb__group_splits rhomb__group_splits;

/* Opens what splits. Crew and aligner are borrowed. *out is to be closed on failure, too. */
rhomb_status rhomb__group_splits_open(rhomb__aligner *aligner, rhomb__device_group *group,
                                      bool by_waves, int64_t portion_bytes,
                                      rhomb__group_splits **out);

/*
 * Splits subproblems; by wavefronts `large` ones by many groups each, others, of unit costs, by one
 * each. *cells is what that took.
 */
rhomb_status rhomb__group_splits_solve(rhomb__group_splits *splits, bool large,
                                       const rhomb_subproblem *subproblems, int64_t count,
                                       rhomb__breakpoint *breakpoints, int64_t *cells);

/* NULL is allowed. */
void rhomb__group_splits_close(rhomb__group_splits *splits);

#endif
