/* SPDX-License-Identifier: MIT */
/*
 * What a distance matrix is computed from: the options, the sequences, and the pools of those
 * that are packed for all pairs, one for each device.
 */
#ifndef RHOMB_HOST_MATRIX_INPUT_H
#define RHOMB_HOST_MATRIX_INPUT_H

#include "host/device/device.h"
#include "host/matrix/matrix_pool.h"
#include "src/scoring/costs.h"

typedef struct rhomb__matrix_input {
    rhomb_context *ctx;
    const rhomb_matrix_sequence *sequences;
    int64_t count, pairs;
    int64_t end;                  /* the pair after the last one that is asked for */
    rhomb_matrix_options options; /* complete, but without tuning and scoring */
    rhomb_scoring scoring;
    bool has_scoring;
    rhomb__costs costs;
    int64_t most_edits; /* max_distance in edits, or RHOMB_NO_LIMIT */
    int32_t devices;
    /* Of each device. Levels have the same limits, and pools the same sequences. */
    rhomb__matrix_shape shapes[RHOMB_MOST_DEVICES];
    rhomb__pool pools[RHOMB_MOST_DEVICES];
    rhomb__codes codes;
    int32_t planes;
    int64_t *words; /* of each sequence: its first word in a pool; -1: it is not there */
    int64_t pooled; /* sequences of a pool; 0: there is none */
} rhomb__matrix_input;

/* Checks the arguments and opens the device. All zeros before, to be released in any case. */
rhomb_status rhomb__matrix_input_check(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                       int64_t count, const rhomb_matrix_options *options,
                                       rhomb__matrix_input *input);

/* Checks the bases, chooses the sequences of the pool and packs them. */
rhomb_status rhomb__matrix_input_pack(rhomb__matrix_input *input);

void rhomb__matrix_input_release(rhomb__matrix_input *input);

#endif
