/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems of an alignment with the bit-parallel engine, many of them side by side:
 * what split_bands.h does with wavefronts, at the point where a path crosses the middle column of a
 * sweep. It is the point that the engine would find for the problem alone.
 */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "host/divide/split.h"
#include "host/engines/engine.h"

typedef struct rhomb__sweeper rhomb__sweeper;

/*
 * The pair that problems are ranges of: packed as the wavefront engine has it, in two directions.
 * The buffers are borrowed until the sweeper is closed.
 */
typedef struct rhomb__sweep_source {
    const rhomb__buffer *target;
    const rhomb__buffer *query;
    int64_t target_length; /* of the whole sequences */
    int64_t query_length;
    int64_t portion_bytes; /* of device memory that problems take at a time, one at least */
    /* Called now and then, with how much of a call is done; another status than RHOMB_OK ends the
     * call with it. May be NULL. */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__sweep_source;

/* Builds the program that packs, if it is the first to need it. */
rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out);

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

/* host_bytes is not counted. */
rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__sweeper_close(rhomb__sweeper *sweeper);

#endif
