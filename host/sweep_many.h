/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems of an alignment with the bit-parallel engine, many of them side by side:
 * what split_bands.h does with wavefronts, at the point where a path crosses the middle column of a
 * sweep. It is the point that the engine would find for the problem alone.
 */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "engine.h"
#include "split.h"

/* The pair that problems are ranges of. The letters are borrowed for the call. */
typedef struct rhomb__sweep_source {
    const char *target;
    const char *query;
    int64_t target_length;
    int64_t query_length;
    const rhomb__codes *codes;
    int64_t portion_bytes; /* of device memory that problems take at a time, one at least */
    /* Called now and then, with how much of the call is done; another status than RHOMB_OK ends the
     * call with it. May be NULL. */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__sweep_source;

/* A sweep splits the target, so a target that is too short for that changes places. */
bool rhomb__sweep_swaps(int64_t target_length);

/*
 * Splits `count` problems, in any order, that are too long in one sequence at least to change
 * places in vain, with strips as `plan` has them for a sweep in two directions. meetings[i] is that
 * of pairs[i]. work->host_bytes is not counted, and of work->device_bytes the portion that took
 * most.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where another distance comes out than a problem's;
 * RHOMB_ERR_INTERNAL for one that cannot be.
 */
rhomb_status rhomb__sweep_many(rhomb_context *ctx, const rhomb__sweep_source *source,
                               const rhomb_plan *plan, const rhomb_split_pair *pairs, int64_t count,
                               rhomb__meeting *meetings, rhomb__split_work *work);

#endif
