/* SPDX-License-Identifier: MIT */
/*
 * What a distance matrix is computed from: the options, the sequences, and the pool of those that
 * are packed for all pairs.
 */
#ifndef RHOMB_HOST_MATRIX_INPUT_H
#define RHOMB_HOST_MATRIX_INPUT_H

#include "host/matrix/matrix_pool.h"
#include "src/scoring/costs.h"

typedef struct rhomb__matrix_input {
    rhomb_context *ctx;
    const rhomb_matrix_sequence *sequences;
    int64_t count, pairs;
    rhomb_matrix_options options; /* complete, but without tuning and scoring */
    rhomb_scoring scoring;
    bool has_scoring;
    rhomb__costs costs;
    int64_t most_edits; /* max_distance in edits, or RHOMB_NO_LIMIT */
    rhomb__matrix_shape shape;
    rhomb__codes codes;
    int32_t planes;
    int64_t *words; /* of each sequence: its first word in the pool; -1: it is not there */
    int64_t pooled; /* sequences of the pool; 0: there is none */
    rhomb__pool pool;
} rhomb__matrix_input;

/* Checks the arguments and opens the device. All zeros before, to be released in any case. */
rhomb_status rhomb__matrix_input_check(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                       int64_t count, const rhomb_matrix_options *options,
                                       rhomb__matrix_input *input);

/* Checks the bases, chooses the sequences of the pool and packs them. */
rhomb_status rhomb__matrix_input_pack(rhomb__matrix_input *input);

void rhomb__matrix_input_release(rhomb__matrix_input *input);

#endif
