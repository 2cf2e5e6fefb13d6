/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems of an alignment, many of them side by side (cl/divide/split_bands.cl):
 * what split.h does for problems that one work-group can take. The points are the same.
 */
#ifndef RHOMB_HOST_SPLIT_BANDS_H
#define RHOMB_HOST_SPLIT_BANDS_H

#include "host/divide/split_pair.h"

/*
 * Splits `count` problems of any distances above 0, in any order, with tiles as `plan` has them for
 * a wavefront: the wide one where the columns of all are wide enough. The source's portion_bytes
 * are device memory for columns at a time, for one problem at least; its portion_cells are those
 * from one call of portion_done to the next, whatever portions they are in, so that there may be
 * many in a portion, and none in a call that is short. Its other tuning has no meaning here.
 * work->device_bytes is not counted.
 *
 * Errors as rhomb__split_solve(), but for a distance that is wrong. One that is too small always is
 * RHOMB_ERR_DEVICE_WRONG_RESULT: there is no point. Of one that is too large the directions may
 * well meet, at a point that no shortest path needs to have; who has not got the distance from a
 * device or a check that can be trusted has to compare the costs of the parts.
 */
rhomb_status rhomb__split_bands_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                      const rhomb_plan *plan, const rhomb_split_pair *pairs,
                                      int64_t count, rhomb_split_point *points,
                                      rhomb__split_work *work);

#endif
