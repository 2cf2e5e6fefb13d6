/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems of an alignment with the bit-parallel engine, many of them side by side:
 * what split_bands.h does with wavefronts, at the point where a path crosses the middle column of a
 * sweep. It is the point that the engine would find for the problem alone.
 */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "host/divide/sweeper.h"

/*
 * Splits `count` problems, in any order, that are too long in one sequence at least to change
 * places in vain, with strips as `plan` has them for a sweep in two directions; with its planes the
 * pair is packed. meetings[i] is that of pairs[i]. Buffers stay for the next call.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where another distance comes out than a problem's;
 * RHOMB_ERR_INTERNAL for one that cannot be.
 */
rhomb_status rhomb__sweeper_solve(rhomb__sweeper *sweeper, const rhomb_plan *plan,
                                  const rhomb_split_pair *pairs, int64_t count,
                                  rhomb__meeting *meetings);

#endif
