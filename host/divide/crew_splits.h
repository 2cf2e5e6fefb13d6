/* SPDX-License-Identifier: MIT */
/*
 * The subproblems of a round that sweeps or wavefronts split, on all devices of a crew: see
 * split_member.h.
 */
#ifndef RHOMB_HOST_CREW_SPLITS_H
#define RHOMB_HOST_CREW_SPLITS_H

#include "host/divide/crew.h"

typedef struct rhomb__crew_splits rhomb__crew_splits;

/* Opens what splits. Crew and aligner are borrowed. *out is to be closed on failure, too. */
rhomb_status rhomb__crew_splits_open(rhomb__aligner *aligner, rhomb__crew *crew, bool by_waves,
                                     int64_t portion_bytes, rhomb__crew_splits **out);

/*
 * Splits subproblems; by wavefronts `large` ones by many groups each, others, of unit costs, by one
 * each. *cells is what that took.
 */
rhomb_status rhomb__crew_splits_solve(rhomb__crew_splits *splits, bool large,
                                      const rhomb_subproblem *subproblems, int64_t count,
                                      rhomb__breakpoint *breakpoints, int64_t *cells);

/* NULL is allowed. */
void rhomb__crew_splits_close(rhomb__crew_splits *splits);

#endif
