/* SPDX-License-Identifier: MIT */
/*
 * The sequences of a batch whose pairs are pairs of them: sent to each device and packed once, for
 * cl/common/extend.clh, each from the beginning of a word on.
 */
#ifndef RHOMB_HOST_BATCH_SET_H
#define RHOMB_HOST_BATCH_SET_H

#include "host/device/buffer.h"
#include "rhomb/batch.h"
#include "rhomb/matrix.h"
#include "src/base/alphabet.h"
#include "src/base/error.h"

/* A pair of sequences of a set: the query and the target. */
typedef struct rhomb__batch_cell {
    int64_t row, column;
} rhomb__batch_cell;

typedef struct rhomb__batch_set {
    rhomb_context *ctx;
    const rhomb_matrix_sequence *sequences; /* borrowed */
    int64_t count;
    rhomb__codes codes; /* one table, as any two sequences may be a pair */
    int32_t planes;
    int64_t job_pairs;  /* the most of a job */
    int64_t *positions; /* in the buffers, of each sequence's first base; -1: it is not packed */
    int64_t packed;     /* sequences that are */
    int64_t bases;      /* of these, in whole words */
    int64_t longest;    /* of these */
    rhomb__buffer buffers[RHOMB_MOST_DEVICES];
} rhomb__batch_set;

/*
 * Counts the bases of sequences, and checks each: RHOMB_ERR_ALPHABET names the first that is not of
 * the alphabet. None is packed. The set is released in any case.
 */
rhomb_status rhomb__batch_set_make(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                   int64_t count, rhomb_alphabet alphabet, rhomb__batch_set *set);

/*
 * Packs, on all open devices, the sequences of which another one has at most `most_edits` bases
 * more or less: the shortest first, while they take at most `bytes` of each device.
 */
rhomb_status rhomb__batch_set_pack(rhomb__batch_set *set, int64_t most_edits, int64_t bytes);

void rhomb__batch_set_release(rhomb__batch_set *set);

/* Whether both sequences of a pair are packed. */
static inline bool rhomb__batch_set_has(const rhomb__batch_set *set, const rhomb__batch_cell *c)
{
    return set->positions[c->row] >= 0 && set->positions[c->column] >= 0;
}

/* Of a pair of packed sequences, a distance beyond the kernels' limits: it is left to the caller.
 */
#define RHOMB__BATCH_UNKNOWN (-2)

/*
 * A batch for pairs of a set, which it borrows. With unit costs end to end all its pairs are of
 * packed sequences, of which there is one; else they are solved as if they had been added by
 * rhomb_batch_add(), and the set need not be packed. `wide`: groups have the work-items that suit
 * long wavefronts, of hundreds of edits, instead of those of a batch.
 */
rhomb_status rhomb__batch_create_of_set(rhomb_context *ctx, const rhomb_batch_options *options,
                                        const rhomb__batch_set *set, bool wide, rhomb_batch **out);

/* As rhomb_batch_add(). */
rhomb_status rhomb__batch_add_cells(rhomb_batch *batch, const rhomb__batch_cell *cells,
                                    size_t count);

#endif
