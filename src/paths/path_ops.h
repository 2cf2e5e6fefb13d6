/* SPDX-License-Identifier: MIT */
/*
 * The path of an alignment while it is built, from its beginning to its end.
 */
#ifndef RHOMB_SRC_PATH_OPS_H
#define RHOMB_SRC_PATH_OPS_H

#include "rhomb/cigar.h"
#include "src/base/alphabet.h"
#include "src/base/error.h"
#include "src/scoring/costs.h"

/* All zeros is empty. */
typedef struct rhomb__path {
    rhomb_path_op *ops;
    int64_t count;
    int64_t room;
    /* Bases by code, for reports. */
    int64_t matches;
    int64_t mismatches;
    int64_t inserted;
    int64_t deleted;
} rhomb__path;

/* The two sequences that a path goes through, and what it costs. */
typedef struct rhomb__path_pair {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    const rhomb__codes *codes;
    const rhomb__costs *costs;
} rhomb__path_pair;

/* Appends an operation, or extends the last one if that has the same code. 0 adds nothing. */
rhomb_status rhomb__path_append(rhomb__error *error, rhomb__path *path, uint32_t code,
                                int64_t length);

/* Makes room for `more` operations after the present ones. */
rhomb_status rhomb__path_reserve(rhomb__error *error, rhomb__path *path, int64_t more);

/* Operations of a short pair; adjacent ones have different codes. */
typedef struct rhomb__cigar {
    const rhomb_cigar_op *ops;
    int64_t count;
} rhomb__cigar;

/*
 * The same for the operations of consecutive short pairs, on up to `threads` threads. Only the
 * first operation of each pair may extend the one before.
 */
rhomb_status rhomb__path_append_cigars(rhomb__error *error, rhomb__path *path,
                                       const rhomb__cigar *cigars, int64_t count, int32_t threads);

/*
 * Merges and left-aligns the gaps of an optimal path; the cost stays the same. Two insertions with
 * no mismatch between them become one if they can be shifted together past matches that stay
 * matches, and so do deletions; in an optimal path only where a gap costs nothing to open. Then
 * each gap is shifted left, past as many matches as stay matches, as variants are written.
 * Insertions and deletions pass each other; where they touch, the deletion comes first. The result
 * depends only on the path and the pair, not on `threads`. Time is proportional to both. Memory:
 * some KiB per thread, and room for the additional operations: at most one for each gap that is not
 * followed by matches. One thread handles a path without mismatches.
 * *fits is whether the path goes through the whole of both sequences, has matches at `=` and
 * mismatches at X, by their codes, and costs `cost`; where mismatches are replaced, it has no X.
 * False as well if merging gaps made it cheaper. Release it if *fits is false or this fails.
 */
rhomb_status rhomb__path_tidy(rhomb__error *error, rhomb__path *path, const rhomb__path_pair *pair,
                              int64_t cost, int32_t threads, bool *fits);

/* Frees the memory allocated ahead. */
void rhomb__path_trim(rhomb__path *path);

/* Empties it and frees its memory. */
void rhomb__path_release(rhomb__path *path);

#endif
