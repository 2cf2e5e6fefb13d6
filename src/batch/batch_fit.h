/* SPDX-License-Identifier: MIT */
/*
 * Which pairs fit in a job of a batch. One thread checks all pairs of a batch, so its time for one
 * pair limits the overall rate.
 */
#ifndef RHOMB_SRC_BATCH_FIT_H
#define RHOMB_SRC_BATCH_FIT_H

#include "src/batch/batch_shape.h"

#include <stdbool.h>
#include <stdint.h>

/* What the pairs of a job take up. */
typedef struct rhomb__batch_load {
    int64_t bases;      /* of the job, each sequence in whole words */
    int64_t operations; /* of CIGARs, at most */
    int64_t long_bases; /* of pairs that are not for the kernels, approximately */
} rhomb__batch_load;

/* Whether a pair is for the kernels at all. */
static inline bool rhomb__batch_is_short(const rhomb__batch_shape *shape, const rhomb_pair *pair)
{
    const int64_t most = shape->long_bases;
    return pair->target_length >= 0 && pair->query_length >= 0 && pair->target_length <= most &&
           pair->query_length <= most && (pair->target != NULL || pair->target_length == 0) &&
           (pair->query != NULL || pair->query_length == 0);
}

/*
 * Adds pairs to a load while a job, with CIGARs or without, has room for them, and returns their
 * count. The fields of the pairs may hold anything.
 */
size_t rhomb__batch_fit(const rhomb__batch_shape *shape, bool cigar, const rhomb_pair *pairs,
                        size_t count, rhomb__batch_load *load);

/*
 * Lays a sequence out for the device, in whole words: copies it to to[at] and returns where the
 * next one begins. The rest of the last word is filled with a base that has a code in any alphabet.
 * `at` is a whole number of words. With `past`, `to` is aligned to 16 bytes, and the bases bypass
 * the caches of this CPU, where it can do that, so that a bus takes them from memory. To be
 * followed by rhomb__bases_are_past().
 */
int64_t rhomb__batch_copy_bases(char *to, int64_t at, const char *bases, int64_t length, bool past);

/* Everything that bypassed the caches is in memory before anything that is stored from here on. */
void rhomb__bases_are_past(void);

#endif
