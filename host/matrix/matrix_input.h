/* SPDX-License-Identifier: MIT */
/*
 * What a distance matrix is computed from: the options, the sequences, and the set of them for a
 * batch.
 */
#ifndef RHOMB_HOST_MATRIX_INPUT_H
#define RHOMB_HOST_MATRIX_INPUT_H

#include "host/batch/batch_set.h"
#include "src/scoring/costs.h"

/* The most batches that pairs pass through: those of usual groups, and of wide ones. */
#define RHOMB__MATRIX_BATCHES 2

typedef struct rhomb__matrix_batch {
    bool wide;
    rhomb_batch_tuning tuning; /* pairs beyond its last limit are for the next batch */
} rhomb__matrix_batch;

typedef struct rhomb__matrix_input {
    rhomb_context *ctx;
    const rhomb_matrix_sequence *sequences;
    int64_t count, pairs;
    int64_t columns;              /* as in rhomb_matrix_options */
    int64_t end;                  /* the pair after the last one that is asked for */
    rhomb_matrix_options options; /* complete, but without tuning and scoring */
    rhomb_matrix_tuning tuning;
    rhomb__matrix_batch batches[RHOMB__MATRIX_BATCHES];
    int32_t batch_count;
    rhomb_scoring scoring;
    bool has_scoring;
    rhomb__costs costs;
    int64_t most_edits; /* max_distance in edits, or RHOMB_NO_LIMIT */
    int32_t devices;
    rhomb__batch_set set; /* packed with unit costs alone */
} rhomb__matrix_input;

/* Checks the arguments and opens the device. All zeros before, to be released in any case. */
rhomb_status rhomb__matrix_input_check(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                       int64_t count, const rhomb_matrix_options *options,
                                       rhomb__matrix_input *input);

/* Checks the bases, and packs those of the sequences that may be pairs for the kernels. */
rhomb_status rhomb__matrix_input_pack(rhomb__matrix_input *input);

#endif
