/* SPDX-License-Identifier: MIT */
/*
 * The subproblems of a round that wavefronts split, on all devices of a crew: with unit costs
 * large ones in launches of many groups (split_wide.h) and small ones by a group each (split.h),
 * with other costs those of split_affine.h.
 */
#ifndef RHOMB_HOST_CREW_WAVES_H
#define RHOMB_HOST_CREW_WAVES_H

#include "host/divide/crew.h"

typedef struct rhomb__crew_waves rhomb__crew_waves;

/*
 * Plans the tiles of each device, as a wavefront of the whole pair would have them. A portion takes
 * at most `portion_bytes` on each, or what one subproblem needs. Crew and aligner are borrowed.
 * *out is to be closed on failure, too.
 */
rhomb_status rhomb__crew_waves_open(rhomb__aligner *aligner, rhomb__crew *crew,
                                    int64_t portion_bytes, rhomb__crew_waves **out);

/*
 * Splits subproblems; `large` ones by many groups each, others, of unit costs, by one each. *cells
 * is what that took.
 */
rhomb_status rhomb__crew_waves_solve(rhomb__crew_waves *waves, bool large,
                                     const rhomb_subproblem *subproblems, int64_t count,
                                     rhomb__breakpoint *breakpoints, int64_t *cells);

/* NULL is allowed. */
void rhomb__crew_waves_close(rhomb__crew_waves *waves);

#endif
