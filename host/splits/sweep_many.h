/* SPDX-License-Identifier: MIT */
/* The strips of many sweeps side by side (splitter.h). */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "host/engines/engine.h"

/*
 * The strips and the steps for some subproblems together, where caller and device leave the choice:
 * changes `plan`, which has those that the longest of them would have alone.
 */
void rhomb__sweeps_choose_strips(rhomb_context *ctx, const rhomb_tuning *given,
                                 const rhomb_subproblem *subproblems, int64_t count,
                                 rhomb__plan *plan);

#endif
