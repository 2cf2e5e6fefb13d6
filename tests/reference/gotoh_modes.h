/* SPDX-License-Identifier: MIT */
/*
 * Local alignments, alignments with free ends and extensions in plain code: whole matrices by the
 * rows of gotoh.h, and the rules of rhomb/batch.h for which of equal alignments counts, and which
 * cells of an extension: none of the first row and column. Bytes are compared as they are. Nothing
 * here knows src/scoring.
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
 * An extension by another rule, in which cells of the first row and column count like all others,
 * unlike ksw2's: where it is another one, a pair tells the rules apart.
 */
rhomb_pair_extent oracle_extent_with_borders(const rhomb_pair *pair, const oracle_penalties *p,
                                             const oracle_mode *mode);

#endif
