/* SPDX-License-Identifier: MIT */
/*
 * Paths through the matrix of two texts, as CIGARs: what they have to be by the rule of
 * include/rhomb/batch.h. Bytes are compared as they are.
 */
#ifndef RHOMB_REFERENCE_PATH_H
#define RHOMB_REFERENCE_PATH_H

#include "path_judge.h"

/* A path, and memory that finding the next one uses again. All zero at first. */
typedef struct path {
    rhomb_cigar_op *ops;
    int64_t count;
    int64_t room;
    plain_wavefront wavefront;
} path;

/*
 * Finds the path of the rule by a plain wavefront that keeps all its columns. False when the
 * distance is more than `most`. Aborts without memory.
 */
bool path_find(const rhomb_pair *texts, int64_t most, path *out);

void path_release(path *p);

/* Reads a CIGAR; returns how many operations it has, for which there has to be room. */
int64_t path_read(const char *cigar, rhomb_path_op *ops);

/*
 * Puts a path's gaps in order, by the rule of include/rhomb/align.h; returns how many operations
 * there are then: `ops` has room for one more for each gap. Aborts without memory.
 */
int64_t path_in_order(rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts);

#endif
