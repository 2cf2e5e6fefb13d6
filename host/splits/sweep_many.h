/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems of an alignment with the bit-parallel engine, many of them side by side:
 * what split_wide.h does with wavefronts, at the point where a path crosses the middle column of a
 * sweep. The engine would find the same breakpoint for the subproblem alone.
 */
#ifndef RHOMB_HOST_SWEEP_MANY_H
#define RHOMB_HOST_SWEEP_MANY_H

#include "host/engines/engine.h"
#include "host/splits/split_pair.h"

/* What is kept from one call to the next: the pair, buffers on the device, kernels. */
typedef struct rhomb__sweeper rhomb__sweeper;

/*
 * The pair that subproblems are ranges of, packed as for the wavefront engine, in both directions.
 * The buffers are borrowed until the sweeper is closed.
 */
typedef struct rhomb__sweep_source {
    const rhomb__buffer *target;
    const rhomb__buffer *query;
    int64_t target_length; /* of the whole sequences */
    int64_t query_length;
    int64_t portion_bytes; /* of device memory for subproblems at a time, one at least */
    /*
     * Called now and then with the finished fraction of a call. A status other than RHOMB_OK ends
     * the call and is its result. May be NULL.
     */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__sweep_source;

/* Builds the program that packs, unless it is built. */
rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out);

/*
 * Splits `count` subproblems, in any order. As swept (rhomb__sweep_of()), each has more than
 * RHOMB__BLOCK_COLUMNS columns, and rows; all can be swept (rhomb__sweep_can()). Costs and strips
 * are as `plan` has them for a sweep in two directions, and the pair is packed with its planes.
 * breakpoints[i] is that of subproblems[i]. Buffers stay for the next call.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where a distance differs from the subproblem's; RHOMB_ERR_INTERNAL
 * for an impossible subproblem.
 */
rhomb_status rhomb__sweeper_solve(rhomb__sweeper *sweeper, const rhomb__plan *plan,
                                  const rhomb_subproblem *subproblems, int64_t count,
                                  rhomb__breakpoint *breakpoints);

/*
 * The costs of the best paths of `pieces` within their bands, which hold all paths that cost at
 * most their `distance`: costs[i] is that of pieces[i], INT64_MAX where nothing came to its end. A
 * cost above that distance is that of a path, not necessarily the least. Otherwise as above.
 */
rhomb_status rhomb__sweeper_follow(rhomb__sweeper *sweeper, const rhomb__plan *plan,
                                   const rhomb_subproblem *pieces, int64_t count, int64_t *costs);

/*
 * The strips and the steps for some subproblems together, where caller and device leave the choice:
 * changes `plan`, which has those that the longest of them would have alone.
 */
void rhomb__sweeper_choose_strips(rhomb_context *ctx, const rhomb_tuning *given,
                                  const rhomb_subproblem *subproblems, int64_t count,
                                  rhomb__plan *plan);

/* What was done so far; host_bytes is not counted. */
rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__sweeper_close(rhomb__sweeper *sweeper);

#endif
