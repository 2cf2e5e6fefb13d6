/* SPDX-License-Identifier: MIT */
/*
 * What a sweep over one long pair (cl/local/long_local.cl) is told of how the pair is aligned: the
 * credit of its corner, a score that the best alignment has at least, the cells in which alignments
 * may begin and end, and the part of the matrix that they can reach. Pure integer functions. The
 * kernel counts scores from a floor: its score of an alignment is the score and the job's credit.
 *
 * With a z-drop nothing may be cut or left out: where an extension stops depends on the highest
 * cell of every antidiagonal, also far from the best one.
 */
#ifndef RHOMB_SRC_LONG_JOB_H
#define RHOMB_SRC_LONG_JOB_H

#include "cl/abi.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "src/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* RHOMB_ERR_ARGUMENT for values that a mode does not take: limits below 0, no match score. */
rhomb_status rhomb__long_check_mode(rhomb__error *error, const rhomb_mode_options *mode,
                                    const rhomb_scoring *scoring);

/* Whether an extension has a z-drop. */
bool rhomb__long_drops(const rhomb_mode_options *mode);

/*
 * The sweep from the beginnings of sequences of n and m bases, for all but packing and launches;
 * *best is a score that the kernel's best cell has at least, if there is a cell. RHOMB_ERR_ARGUMENT
 * where 32 bits might not hold the kernel's scores.
 */
rhomb_status rhomb__long_forward(rhomb__error *error, const rhomb_mode_options *mode,
                                 const rhomb_scoring *scoring, int64_t n, int64_t m,
                                 rhomb_long_local_job *job, int32_t *best);

/* The same backwards from the end of an alignment, whose begin is to be found. */
void rhomb__long_backward(const rhomb_mode_options *mode, const rhomb_scoring *scoring,
                          const rhomb_pair_extent *extent, rhomb_long_local_job *job,
                          int32_t *best);

/*
 * The cell in which the best alignment ends that ends in the first row or column, which sweeps do
 * not visit; with the score 0 if there is none. Of extensions and local alignments that is the
 * corner.
 */
rhomb_long_local_cell rhomb__long_border_end(const rhomb_mode_options *mode,
                                             const rhomb_scoring *scoring,
                                             const rhomb_long_local_job *job);

/* Whether the first cell counts and not the other one. */
bool rhomb__long_is_before(rhomb_mode mode, const rhomb_long_local_cell *a,
                           const rhomb_long_local_cell *b);

/*
 * Where an extension with a z-drop stops (rhomb_mode in rhomb/batch.h), from the highest cell of
 * each antidiagonal but for the first row and column, in order.
 */
typedef struct rhomb__long_drop {
    int64_t score; /* of the best cell so far; at first nothing is aligned */
    int64_t row;
    int64_t column;
    int64_t looked_at; /* the last antidiagonal that was taken; 1 at first */
    bool dropped;
} rhomb__long_drop;

/* Takes the next antidiagonal, unless the extension has stopped. */
void rhomb__long_drop_take(rhomb__long_drop *d, const rhomb_scoring *scoring, int64_t z_drop,
                           int64_t score, int64_t row);

#endif
