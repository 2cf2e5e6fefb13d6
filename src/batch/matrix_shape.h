/* SPDX-License-Identifier: MIT */
/*
 * The shape of a distance matrix: the kernels that its pairs pass through, the pairs of a launch,
 * and which sequences are packed for all pairs. Pure; see host/matrix/matrix.c.
 */
#ifndef RHOMB_SRC_MATRIX_SHAPE_H
#define RHOMB_SRC_MATRIX_SHAPE_H

#include "cl/abi.h"
#include "rhomb/matrix.h"
#include "src/base/error.h"
#include "src/planner/rates.h"

/* A kernel: the largest distance that it finds, and its groups. */
typedef struct rhomb__matrix_level {
    int32_t limit;
    int32_t group_size;
    int64_t groups; /* that keep the device busy */
    bool given;     /* the caller says how large groups are: no others will do */
} rhomb__matrix_level;

typedef struct rhomb__matrix_shape {
    rhomb__matrix_level levels[RHOMB_BATCH_MOST_LEVELS];
    int32_t count; /* of levels */
    int64_t launch_pairs;
    int64_t launch_cells; /* that a launch may have to compute */
    int64_t pool_bytes;   /* the most for packed sequences */
} rhomb__matrix_shape;

/*
 * The shape for a device, and for distances up to `max_distance` in edits, or RHOMB_NO_LIMIT.
 * `tuning` may be NULL. RHOMB_ERR_ARGUMENT if a value of it is out of range.
 */
rhomb_status rhomb__matrix_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                      const rhomb__rate_values *rates, int64_t max_distance,
                                      const rhomb_matrix_tuning *tuning,
                                      rhomb__matrix_shape *shape);

/*
 * The most pairs of a launch of a level, whose sequences have up to `longest` bases: as many as the
 * device computes in a fraction of a second, but enough to keep it busy.
 */
int64_t rhomb__matrix_launch_pairs(const rhomb__matrix_shape *shape, int32_t level,
                                   int64_t longest);

/* Words of 32 symbols that a sequence takes in the pool: at least one. */
int64_t rhomb__matrix_words(int64_t length);

/* Words after the last sequence: a window may read the word after it, a run the one after that. */
#define RHOMB__MATRIX_WORDS_AFTER 2

/* Bytes of a pool of so many words. */
int64_t rhomb__matrix_pool_bytes(int64_t words, int32_t planes);

/* Whether the kernels take a pair of these lengths: its distance may be within their limits. */
bool rhomb__matrix_is_short(const rhomb__matrix_shape *shape, int64_t a, int64_t b);

#endif
