/* SPDX-License-Identifier: MIT */
/*
 * What a checkpoint is of: version, sequences and options, as lines "name: value" of a text. Two
 * calls with the same text compute the same, step by step, wherever they run. The device, its
 * rates, threads and folders are no part of it.
 */
#ifndef RHOMB_HOST_CALL_IDENTITY_H
#define RHOMB_HOST_CALL_IDENTITY_H

#include "rhomb/guide.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "src/base/error.h"

/* A sequence, borrowed. */
typedef struct rhomb__identified {
    const char *bases;
    int64_t length;
} rhomb__identified;

/*
 * The text of a call of some name, "distance" or "align", with complete options; the caller frees
 * it. Takes the time of two MD5 sums of the sequences, on up to two threads. RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__identity_make(rhomb__error *error, const char *call,
                                  const rhomb__identified *target, const rhomb__identified *query,
                                  const rhomb_options *options, int32_t threads, char **out);

#endif
