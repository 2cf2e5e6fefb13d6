/* SPDX-License-Identifier: MIT */
/*
 * Splits the swept subproblems of a round on all devices of a context: each gets a part of them, by
 * their work and its speed, and a thread. On each device it is as in sweep_many.h; where a
 * subproblem is split does not depend on the device.
 */
#ifndef RHOMB_HOST_SWEEP_CREW_H
#define RHOMB_HOST_SWEEP_CREW_H

#include "host/divide/aligner.h"
#include "host/divide/sweep_many.h"

typedef struct rhomb__sweep_crew rhomb__sweep_crew;

/*
 * A sweeper for the aligner's device, and those for the others where they are worth it. The pair is
 * packed on the first device; the others get it here. `source` is that of the first device.
 */
rhomb_status rhomb__crew_open(rhomb__aligner *aligner, const rhomb__sweep_source *source,
                              rhomb__sweep_crew **out);

/* Splits subproblems as rhomb__sweeper_solve() does; plans the strips of each device. */
rhomb_status rhomb__crew_solve(rhomb__sweep_crew *crew, const rhomb_subproblem *subproblems,
                               int64_t count, rhomb__breakpoint *breakpoints);

/* Cells so far, of all devices. */
int64_t rhomb__crew_cells(const rhomb__sweep_crew *crew);

/* NULL is allowed. */
void rhomb__crew_close(rhomb__sweep_crew *crew);

#endif
