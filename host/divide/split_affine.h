/* SPDX-License-Identifier: MIT */
/*
 * Splits subproblems of an alignment with any costs by wavefronts: ranges of a pair that is packed
 * on the device, with known costs, and with gaps that they may begin and end within.
 */
#ifndef RHOMB_HOST_SPLIT_AFFINE_H
#define RHOMB_HOST_SPLIT_AFFINE_H

#include "host/divide/split_pair.h"
#include "host/engines/engine.h"

/* breakpoints[i] is that of pairs[i], in any order; work->device_bytes is not counted. */
rhomb_status rhomb__split_affine_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                       const rhomb__costs *costs, const rhomb_subproblem *pairs,
                                       int64_t count, rhomb__breakpoint *breakpoints,
                                       rhomb__split_work *work);

#endif
