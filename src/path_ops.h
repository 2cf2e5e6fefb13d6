/* SPDX-License-Identifier: MIT */
/*
 * The path of an alignment while it is put together, from its beginning to its end.
 */
#ifndef RHOMB_SRC_PATH_OPS_H
#define RHOMB_SRC_PATH_OPS_H

#include "error.h"
#include "rhomb/cigar.h"

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

/* Appends an operation, which grows the last one where that has the same code. 0 adds nothing. */
rhomb_status rhomb__path_append(rhomb__error *error, rhomb__path *path, uint32_t code,
                                int64_t length);

/* The same for those of a short pair. */
rhomb_status rhomb__path_append_cigar(rhomb__error *error, rhomb__path *path,
                                      const rhomb_cigar_op *cigar, int64_t count);

/* Gives back what was allocated ahead. */
void rhomb__path_trim(rhomb__path *path);

/* Empties it and gives its memory back. */
void rhomb__path_release(rhomb__path *path);

#endif
