/* SPDX-License-Identifier: MIT */
/*
 * Which pairs a job of a batch has room for. One thread looks at all pairs of a batch, so that what
 * it takes for one bounds the rate of all.
 */
#ifndef RHOMB_SRC_BATCH_FIT_H
#define RHOMB_SRC_BATCH_FIT_H

#include "src/planner/batch_shape.h"

/* What the pairs of a job take up. */
typedef struct rhomb__batch_load {
    int64_t letters;      /* of the job's, by sequences in whole words */
    int64_t operations;   /* of CIGARs, at the most */
    int64_t long_letters; /* of pairs that are not for the kernels, about */
} rhomb__batch_load;

/* Whether a pair is for the kernels at all. */
static inline bool rhomb__batch_is_short(const rhomb__batch_shape *shape, const rhomb_pair *pair)
{
    const int64_t most = shape->long_letters;
    return pair->target_length >= 0 && pair->query_length >= 0 && pair->target_length <= most &&
           pair->query_length <= most && (pair->target != NULL || pair->target_length == 0) &&
           (pair->query != NULL || pair->query_length == 0);
}

/*
 * Adds pairs to a load as long as a job with CIGARs or without has room for it, and returns how
 * many. Fields of pairs may be anything.
 */
size_t rhomb__batch_fit(const rhomb__batch_shape *shape, bool cigar, const rhomb_pair *pairs,
                        size_t count, rhomb__batch_load *load);

#endif
