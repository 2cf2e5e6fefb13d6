/* SPDX-License-Identifier: MIT */
/*
 * A path in segments that threads process independently.
 */
#ifndef RHOMB_SRC_PATH_SEGMENTS_H
#define RHOMB_SRC_PATH_SEGMENTS_H

#include "src/paths/path_ops.h"

/*
 * The beginning of a segment, which ends where the next one begins: all but the first at an X, so
 * that no gap is in two of them.
 */
typedef struct rhomb__path_segment {
    int64_t op;
    int64_t target;
    int64_t query;
} rhomb__path_segment;

typedef struct rhomb__path_segments {
    rhomb__path_segment *begin; /* count + 1 of them; to be freed */
    int64_t count;
} rhomb__path_segments;

/*
 * Cuts a path by its operations alone. *fits is whether they cost `cost` and lead from the
 * beginnings of both sequences to their ends; if not, there are no segments. The cuts do not
 * depend on `threads`.
 */
rhomb_status rhomb__path_cut(rhomb__error *error, const rhomb__path *path,
                             const rhomb__path_pair *pair, int64_t cost, int32_t threads,
                             rhomb__path_segments *out, bool *fits);

/* Whether a segment has matches and mismatches where its operations say so. */
bool rhomb__path_segment_fits(const rhomb__path *path, const rhomb__path_pair *pair,
                              const rhomb__path_segment *segment);

/* The number of threads, up to `threads`, that pay for processing all segments. */
int32_t rhomb__path_threads(const rhomb__path *path, const rhomb__path_pair *pair, int32_t threads);

static inline int64_t rhomb__op_length(rhomb_path_op op)
{
    return (int64_t)RHOMB_CIGAR_LENGTH(op);
}

static inline bool rhomb__op_is(rhomb_path_op op, uint64_t code)
{
    return RHOMB_CIGAR_CODE(op) == code;
}

static inline int64_t rhomb__op_target_bases(rhomb_path_op op)
{
    return rhomb__op_is(op, RHOMB_CIGAR_I) ? 0 : rhomb__op_length(op);
}

static inline int64_t rhomb__op_query_bases(rhomb_path_op op)
{
    return rhomb__op_is(op, RHOMB_CIGAR_D) ? 0 : rhomb__op_length(op);
}

/* What an operation that is a whole run costs. */
static inline int64_t rhomb__op_cost(const rhomb__costs *costs, rhomb_path_op op)
{
    switch (RHOMB_CIGAR_CODE(op)) {
    case RHOMB_CIGAR_EQ:
        return 0;
    case RHOMB_CIGAR_X:
        return rhomb__op_length(op) * costs->mismatch;
    default:
        return rhomb__costs_gap(costs, rhomb__op_length(op));
    }
}

#endif
