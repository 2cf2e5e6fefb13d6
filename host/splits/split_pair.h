/* SPDX-License-Identifier: MIT */
/*
 * What all code that splits subproblems of an alignment shares: the pair that subproblems are
 * ranges of, and whether a subproblem and a breakpoint are possible. Splitting itself is in
 * splitter.h.
 */
#ifndef RHOMB_HOST_SPLIT_PAIR_H
#define RHOMB_HOST_SPLIT_PAIR_H

#include "cl/abi.h"
#include "host/device/buffer.h"
#include "host/engines/engine.h"
#include "src/scoring/costs.h"

/* For tests and benchmarks: 0 means "choose". */
typedef struct rhomb__split_tuning {
    int32_t group_size;    /* of all subproblems */
    int32_t in_place;      /* with a group size above 1: no columns in local memory */
    int64_t portion_bytes; /* of device memory for subproblems at a time, one at least */
    int64_t portion_cells; /* of the subproblems of a portion, one at least; wide: between looks */
    int64_t local_bytes;   /* of local memory, the most that a group may use */
    bool is_self_test;     /* of a program: no test comes before it */
} rhomb__split_tuning;

/*
 * The pair, packed as for the wavefront engine, in both directions. The buffers are borrowed until
 * the splitter is closed.
 */
typedef struct rhomb__split_source {
    const rhomb__buffer *target;
    const rhomb__buffer *query;
    int64_t target_length; /* of the whole sequences */
    int64_t query_length;
    int32_t planes;
    int32_t offset_bits; /* 32 where the lengths are at most RHOMB__MAX_LENGTH_32 */
    rhomb__split_tuning tuning;
    /*
     * Sweeps: a breakpoint has nothing but the cost of the best path within its subproblem's band,
     * which holds all paths that cost at most the distance; INT64_MAX where nothing came to its
     * end. A cost above that distance is that of a path, not necessarily the least.
     */
    bool follows;
    /*
     * Called after each portion, and now and then, with the finished fraction of the call. A status
     * other than RHOMB_OK ends the call and is its result. May be NULL.
     */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__split_source;

/* What a splitter has done so far. */
typedef struct rhomb__split_work {
    int64_t problems;
    int64_t cells;
    int64_t portions;
    int64_t launches;
} rhomb__split_work;

/* What kernels have to know of the pair. */
rhomb_split_whole rhomb__split_whole_of(const rhomb__split_source *source);

/* The cells of a subproblem, both directions. */
int64_t rhomb__split_cells(const rhomb_split_pair *pair);

/* Whether a subproblem's ranges are within the pair. */
bool rhomb__split_is_within(const rhomb__split_source *source, const rhomb_split_pair *pair);

/*
 * Whether a subproblem with unit costs is possible: within the pair, with a distance from 1 to
 * `most`; says why not.
 */
rhomb_status rhomb__split_check_pair(rhomb_context *ctx, const rhomb__split_source *source,
                                     const rhomb_split_pair *pair, int64_t most);

/* Whether costs have a gap that a subproblem has at a border; RHOMB_GAP_NONE is one. */
bool rhomb__split_has_gap(const rhomb__costs *costs, int32_t gap);

/*
 * Whether a subproblem can cost what it should, as far as its lengths, at least 0, and its gaps
 * say.
 */
bool rhomb__subproblem_is_possible(const rhomb__costs *costs, const rhomb_subproblem *subproblem);

/* Whether a subproblem is possible and within the pair; says why not. */
rhomb_status rhomb__split_check(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb__costs *costs, const rhomb_subproblem *subproblem);

/* Takes a breakpoint if it is possible, as far as can be said without comparing bases. */
rhomb_status rhomb__split_take_point(rhomb_context *ctx, const rhomb_split_pair *pair,
                                     const rhomb_split_point *point, rhomb__breakpoint *breakpoint);

#endif
