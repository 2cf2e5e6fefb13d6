/* SPDX-License-Identifier: MIT */
/* Stands for the wavefronts of split_affine.h until they are there. */
#include "host/divide/split_affine.h"

#include "host/device/context.h"

rhomb_status rhomb__split_affine_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                       const rhomb__costs *costs, const rhomb_subproblem *pairs,
                                       int64_t count, rhomb__breakpoint *breakpoints,
                                       rhomb__split_work *work)
{
    (void)source;
    (void)costs;
    (void)pairs;
    (void)breakpoints;
    (void)work;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL,
                       "%lld subproblems are left to a wavefront that has unit costs only",
                       (long long)count);
}
