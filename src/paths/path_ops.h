/* SPDX-License-Identifier: MIT */
/*
 * The path of an alignment while it is put together, from its beginning to its end.
 */
#ifndef RHOMB_SRC_PATH_OPS_H
#define RHOMB_SRC_PATH_OPS_H

#include "rhomb/cigar.h"
#include "src/base/alphabet.h"
#include "src/base/error.h"

/* All zeros is empty. */
typedef struct rhomb__path {
    rhomb_path_op *ops;
    int64_t count;
    int64_t room;
    /* Letters by code, for reports. */
    int64_t matches;
    int64_t mismatches;
    int64_t inserted;
    int64_t deleted;
} rhomb__path;

/* What a path leads through. */
typedef struct rhomb__path_pair {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    const rhomb__codes *codes;
} rhomb__path_pair;

/* Appends an operation, which grows the last one where that has the same code. 0 adds nothing. */
rhomb_status rhomb__path_append(rhomb__error *error, rhomb__path *path, uint32_t code,
                                int64_t length);

/* Makes room for `more` operations behind those that there are. */
rhomb_status rhomb__path_reserve(rhomb__error *error, rhomb__path *path, int64_t more);

/* Operations of a short pair, of which neighbours differ. */
typedef struct rhomb__cigar {
    const rhomb_cigar_op *ops;
    int64_t count;
} rhomb__cigar;

/*
 * The same for those of short pairs that follow each other, by up to `threads` threads. Only the
 * first operation of each is looked at for whether it grows the one before.
 */
rhomb_status rhomb__path_append_cigars(rhomb__error *error, rhomb__path *path,
                                       const rhomb__cigar *cigars, int64_t count, int32_t threads);

/*
 * Makes of a path of least cost that one of the same cost whose gaps are few and lie to the left:
 * two insertions with nothing but a run of equal letters between them become one where they can be
 * moved to each other for nothing, and so do deletions; then each gap is moved to the left past as
 * many letters as that costs nothing, as variants are written. Depends on the path and the pair
 * alone, not on how many `threads` there are; takes time in proportion to both, and some KiB a
 * thread and room for as many operations as there come to be more: at most one for each gap that no
 * equal run follows. What has no unequal run is put in order by one thread.
 * *fits as of rhomb__path_check(); the path is to be released where it is false or this fails.
 */
rhomb_status rhomb__path_tidy(rhomb__error *error, rhomb__path *path, const rhomb__path_pair *pair,
                              int64_t cost, int32_t threads, bool *fits);

/*
 * Whether a path leads through the whole of both sequences, is equal where it says so and unequal
 * where it says that, by their codes, and costs `cost`; looked at by up to `threads` threads.
 * *fits is valid where RHOMB_OK comes back.
 */
rhomb_status rhomb__path_check(rhomb__error *error, const rhomb__path *path,
                               const rhomb__path_pair *pair, int64_t cost, int32_t threads,
                               bool *fits);

/* Gives back what was allocated ahead. */
void rhomb__path_trim(rhomb__path *path);

/* Empties it and gives its memory back. */
void rhomb__path_release(rhomb__path *path);

#endif
