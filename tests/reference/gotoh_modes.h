/* SPDX-License-Identifier: MIT */
/*
 * Local alignments, alignments with free ends and extensions in plain code: whole matrices of the
 * scores of all paths and of those within gaps, and the rules of rhomb/batch.h for which of equal
 * alignments counts. Bytes are compared as they are. Nothing here knows src/scoring.
 */
#ifndef RHOMB_REFERENCE_GOTOH_MODES_H
#define RHOMB_REFERENCE_GOTOH_MODES_H

#include <stdbool.h>

#include "rhomb/batch.h"
#include "tests/reference/gotoh.h"

/* How a pair is aligned. */
typedef struct oracle_mode {
    rhomb_mode mode;
    rhomb_free_ends free_ends;
    int64_t z_drop; /* below 0: none */
    int64_t end_bonus;
} oracle_mode;

/*
 * What of a target of n and a query of m bases is aligned, and its score: of penalties with a match
 * score, or less the penalty. Aborts without memory. With `ties` not NULL, it says whether an
 * antidiagonal of an extension had its highest score in several cells.
 */
rhomb_pair_extent oracle_mode_extent(const char *target, int64_t n, const char *query, int64_t m,
                                     const oracle_penalties *p, const oracle_mode *mode,
                                     bool *ties);

/*
 * What is wrong with a CIGAR, or NULL: it leads from begin to end, `=` and X tell the truth,
 * neighbours differ, and all its gaps, matches and mismatches have the score.
 */
const char *oracle_mode_judge(const rhomb_pair *pair, const rhomb_pair_extent *extent,
                              const rhomb_cigar_op *ops, int64_t count, const oracle_penalties *p);

#endif
