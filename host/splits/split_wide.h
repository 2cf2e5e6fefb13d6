/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems of an alignment, many of them side by side (cl/divide/split_wide.cl):
 * what split.h does for subproblems that one work-group can take. The breakpoints are the same.
 */
#ifndef RHOMB_HOST_SPLIT_WIDE_H
#define RHOMB_HOST_SPLIT_WIDE_H

#include "host/splits/split_pair.h"
#include "src/planner/engine_plan.h"

/*
 * Splits `count` subproblems of any distances above 0, in any order, with tiles as `plan` has them
 * for a wavefront: the wide one where the wavefronts of all are wide enough. The source's
 * portion_bytes are device memory for wavefronts at a time, for one subproblem at least. Its
 * portion_cells are the cells between two calls of portion_done, whatever portions they are in:
 * there may be many calls in a portion, and none in a short call of this function. Its other tuning
 * has no meaning here. work->device_bytes is not counted.
 *
 * Errors as rhomb__split_solve(), but for a wrong distance. One that is too small always gives
 * RHOMB_ERR_DEVICE_WRONG_RESULT: there is no breakpoint. With one that is too large the directions
 * may well meet, at a point that is on no shortest path. Where the distance comes from no trusted
 * device or check, compare the costs of the halves.
 */
rhomb_status rhomb__split_wide_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                     const rhomb__plan *plan, const rhomb_split_pair *pairs,
                                     int64_t count, rhomb_split_point *points,
                                     rhomb__split_work *work);

#endif
