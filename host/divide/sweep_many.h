/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems of an alignment with the bit-parallel engine, many of them side by side:
 * what split_bands.h does with wavefronts, at the point where a path crosses the middle column of a
 * sweep. The engine would find the same breakpoint for the subproblem alone.
 */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "host/divide/sweeper.h"

/*
 * Splits `count` subproblems, in any order. As swept (rhomb__sweep_swaps()), each has more than
 * RHOMB__BLOCK_COLUMNS columns, and rows. Strips are as `plan` has them for a sweep in two
 * directions, and the pair is packed with its planes. meetings[i] is that of pairs[i]. Buffers stay
 * for the next call.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where a distance differs from the subproblem's; RHOMB_ERR_INTERNAL
 * for an impossible subproblem.
 */
rhomb_status rhomb__sweeper_solve(rhomb__sweeper *sweeper, const rhomb_plan *plan,
                                  const rhomb_split_pair *pairs, int64_t count,
                                  rhomb__meeting *meetings);

#endif
