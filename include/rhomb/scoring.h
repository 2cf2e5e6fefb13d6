/* SPDX-License-Identifier: MIT */
/*
 * Scoring: what mismatches and gaps cost.
 *
 * A gap of k bases costs gap_open + k * gap_extend, as with WFA2 and minimap2 (parasail has
 * gap_open + (k - 1) * gap_extend). With a second piece it costs the less of both, so that long
 * gaps become cheaper. The *penalty* of an alignment is what its mismatches and gaps cost; the best
 * alignment has the least. Unit costs are mismatch 1, gap_open 0, gap_extend 1: the penalty is the
 * edit distance.
 *
 * With a match score A > 0, mismatch and gaps are what a score loses, in minimap2's form: the score
 * of an alignment is A * matches - mismatch * mismatches - gaps, and the best one has the highest.
 * That is the same as a least penalty: a mismatch costs A + mismatch, and each base of a gap
 * gap_extend + A / 2, so that
 *
 *     score = A * (n + m) / 2 - penalty
 *
 * for sequences of n and m bases. With an odd A all penalties are doubled, to be whole numbers, and
 * the score is (A * (n + m) - penalty) / 2.
 */
#ifndef RHOMB_SCORING_H
#define RHOMB_SCORING_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an alignment is scored. Each value is at most 2^40. Does not grow. */
struct rhomb_scoring {
    int64_t match;        /* A: the score of a match; 0: penalties alone */
    int64_t mismatch;     /* at least 0 with a match score, else at least 1 */
    int64_t gap_open;     /* at least 0 */
    int64_t gap_extend;   /* at least 1; at least 0 with a match score */
    int64_t gap_open_2;   /* of the second piece; ... */
    int64_t gap_extend_2; /* ... both are -1 if there is none; not 0 and 0 */
};

/* Unit costs. */
#define RHOMB_SCORING_EDIT \
    {                      \
        0, 1, 0, 1, -1, -1 \
    }

/*
 * Reads a scoring as users write it:
 *   edit                           unit costs
 *   affine:X,O,E                   mismatch X, a gap of k bases O + k * E
 *   affine2p:X,O1,E1,O2,E2         the less of O1 + k * E1 and O2 + k * E2
 *   match:A,B,O,E or ...,O2,E2     minimap2's form: a match scores A, a mismatch -B
 *   wfa                            affine:4,6,2, the default of WFA2
 *   asm5, asm10, asm20, map-ont    minimap2's presets of these names
 * Returns RHOMB_OK or RHOMB_ERR_ARGUMENT; the detail (rhomb_context_error()) says what is wrong.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_scoring_parse(rhomb_context *ctx, const char *text,
                                                            rhomb_scoring *out);

/*
 * What an operation adds to the score of a path: A for each match, -B for each mismatch, and less
 * what a gap costs for I and D; 0 for M, which does not tell. Without a match score that is the
 * negative penalty. Summed over the path of rhomb_align() with the same scoring it is the score of
 * its report, or less its distance; over a part of a path, the score of that part alone, in which a
 * gap that was cut in two is opened twice. Beyond 2^62 the result stays there. `scoring` NULL: unit
 * costs. A value below 0 counts as 0, one above 2^40 as 2^40.
 */
RHOMB_API int64_t rhomb_scoring_op_score(const rhomb_scoring *scoring, rhomb_path_op op);

#ifdef __cplusplus
}
#endif

#endif
