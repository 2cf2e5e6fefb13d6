/* SPDX-License-Identifier: MIT */
/*
 * The swept subproblems of a round, on all devices of a crew: a sweeper each (sweep_many.h).
 */
#ifndef RHOMB_HOST_CREW_SWEEPS_H
#define RHOMB_HOST_CREW_SWEEPS_H

#include "host/divide/crew.h"

typedef struct rhomb__crew_sweeps rhomb__crew_sweeps;

/*
 * Opens the sweepers; a portion takes at most `portion_bytes` on each device. Crew and aligner are
 * borrowed. *out is to be closed on failure, too.
 */
rhomb_status rhomb__crew_sweeps_open(rhomb__aligner *aligner, rhomb__crew *crew,
                                     int64_t portion_bytes, rhomb__crew_sweeps **out);

/*
 * Splits subproblems as rhomb__sweeper_solve() does, with the strips of each device; *cells is what
 * that took.
 */
rhomb_status rhomb__crew_sweeps_solve(rhomb__crew_sweeps *sweeps,
                                      const rhomb_subproblem *subproblems, int64_t count,
                                      rhomb__breakpoint *breakpoints, int64_t *cells);

/* NULL is allowed. */
void rhomb__crew_sweeps_close(rhomb__crew_sweeps *sweeps);

#endif
