/* SPDX-License-Identifier: MIT */
/*
 * What a distance matrix is computed from: the options, the sequences, and the set of them for a
 * batch.
 */
#ifndef RHOMB_HOST_MATRIX_INPUT_H
#define RHOMB_HOST_MATRIX_INPUT_H

#include "host/batch/batch_set.h"
#include "src/scoring/costs.h"

/*
 * The pairs of a matrix in their order: those of the lower triangle, or of the rectangle of two
 * sets, of which the first `columns` sequences are one; 0: there is one set. The pairs of a row:
 */
static inline int64_t rhomb__matrix_width(int64_t columns, int64_t row)
{
    return columns == 0 ? row : row < columns ? 0 : columns;
}

/* The number of the first pair of a row: that of all pairs for the row after the last. */
static inline int64_t rhomb__matrix_row_begin(int64_t columns, int64_t row)
{
    return columns == 0 ? rhomb_matrix_pair(row, 0) : (row - columns) * columns;
}

/* The pair of a number. */
static inline rhomb__batch_cell rhomb__matrix_cell(int64_t columns, int64_t pair)
{
    rhomb__batch_cell c = {columns == 0 ? 1 : columns, 0};
    while (rhomb__matrix_row_begin(columns, c.row + 1) <= pair)
        c.row++;
    c.column = pair - rhomb__matrix_row_begin(columns, c.row);
    return c;
}

static inline rhomb__batch_cell rhomb__matrix_next(int64_t columns, rhomb__batch_cell c)
{
    return c.column + 1 < rhomb__matrix_width(columns, c.row)
               ? (rhomb__batch_cell){c.row, c.column + 1}
               : (rhomb__batch_cell){c.row + 1, 0};
}

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
