/* SPDX-License-Identifier: MIT */
/*
 * Affine gaps in plain code, without bounds, words or strips: Gotoh's matrix (1982) with a state
 * for each piece and kind of gap, a row at a time, and all paths one by one to judge it. A gap of
 * one kind may follow one of the other (Altschul and Erickson 1986). Bytes are compared as they
 * are. Nothing here knows src/scoring.
 */
#ifndef RHOMB_REFERENCE_GOTOH_H
#define RHOMB_REFERENCE_GOTOH_H

#include <stdint.h>

/*
 * A gap of k bases costs the least of open[p] + k * extend[p] over the pieces p. With a match
 * score, mismatch and gaps are what a score loses, and the penalty is the score with the other
 * sign.
 */
typedef struct oracle_penalties {
    int64_t mismatch;
    int pieces; /* 1 or 2 */
    int64_t open[2];
    int64_t extend[2];
    int64_t match; /* what a match takes off; 0 where penalties alone count */
} oracle_penalties;

/* What a gap of k bases costs; 0 for none. */
int64_t oracle_gap(const oracle_penalties *p, int64_t k);

/* The least penalty of an alignment of all of both texts: about 3e8 cells a second. Aborts without
 * memory. */
int64_t oracle_gotoh(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p);

/* The same from every path there is, each added up as a whole: for up to some 6 bases. */
int64_t oracle_all_paths(const char *a, int64_t n, const char *b, int64_t m,
                         const oracle_penalties *p);

/*
 * Penalties alone with the same best alignments, in the form of rhomb/scoring.h: a mismatch costs a
 * match more, and each base of a gap half a match; with an odd match score all is doubled. And an
 * alignment's penalty by these from its score.
 */
oracle_penalties oracle_without_match(const oracle_penalties *p);
int64_t oracle_penalty_of_score(const oracle_penalties *p, int64_t n, int64_t m, int64_t score);

#endif
