/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: how alike two sequences are, in one number. There are three, and they differ; every
 * command and every file of Rhomb means these, by these names:
 *
 *     similarity                 1 - distance / longer length
 *     identity                   matches / columns
 *     gap-compressed identity    matches / (matches + mismatches + gaps)
 *
 * The distance is the edit distance of two whole sequences. The columns of an alignment are its
 * matches, mismatches, and inserted and deleted bases. A gap is a run of inserted or of deleted
 * bases, whatever its length.
 *
 * Similarity needs no alignment, and is the same whichever of the best ones is taken. Identity is
 * that of BLAST. Gap-compressed identity takes a gap for one event; minimap2's tag de is one less
 * it. A pair with substitutions alone has the same value of all three.
 */
#ifndef RHOMB_IDENTITY_H
#define RHOMB_IDENTITY_H

#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The similarity of two sequences; 1 if both are empty. */
RHOMB_API double rhomb_similarity(int64_t distance, int64_t longer_length);

/* The identity of an alignment; 1 if there are no columns. */
RHOMB_API double rhomb_identity(int64_t matches, int64_t columns);

/*
 * The gap-compressed identity of an alignment, and one less that, without the digits that a
 * subtraction loses, as in tag de. 1 and 0 if all three are 0.
 */
RHOMB_API double rhomb_gap_compressed_identity(int64_t matches, int64_t mismatches, int64_t gaps);
RHOMB_API double rhomb_gap_compressed_divergence(int64_t matches, int64_t mismatches, int64_t gaps);

#ifdef __cplusplus
}
#endif

#endif
