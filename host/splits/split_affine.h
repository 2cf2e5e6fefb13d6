/* SPDX-License-Identifier: MIT */
/*
 * Splits subproblems with affine costs by wavefronts from both ends, many of them side by side:
 * what split.h and split_wide.h do for unit costs. The engine would find the same breakpoint for
 * the subproblem alone (src/planner/affine_tiling.h).
 */
#ifndef RHOMB_HOST_SPLIT_AFFINE_H
#define RHOMB_HOST_SPLIT_AFFINE_H

#include "host/engines/engine.h"
#include "host/splits/split_pair.h"

/*
 * Whether a cost is large enough to be split so: more than twice what the costs look back. Smaller
 * ones are base cases.
 */
bool rhomb__split_affine_can(const rhomb__costs *costs, int64_t cost);

/*
 * Splits `count` subproblems, in any order. `plan` has the costs and the tiles of an affine
 * wavefront; of the source's tuning portion_bytes counts. breakpoints[i] is that of pairs[i]. *work
 * is added to. RHOMB_ERR_DEVICE_WRONG_RESULT where the directions do not meet at the cost;
 * RHOMB_ERR_INTERNAL for an impossible subproblem.
 */
rhomb_status rhomb__split_affine_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                       const rhomb__plan *plan, const rhomb_subproblem *pairs,
                                       int64_t count, rhomb__breakpoint *breakpoints,
                                       rhomb__split_work *work);

#endif
