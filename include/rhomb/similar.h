/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: which parts of an alignment are similar, and which are random sequence that the alignment
 * had to go through: an end-to-end alignment aligns a prophage with the one that replaced it, and
 * each base of them that differs looks like a SNP.
 *
 * Each column of a path adds to a score. At a *least identity* of p, a match adds 1 - p, a mismatch
 * takes p, and a gap of k bases p * (1 + floor(log2(k))), so that the score falls where less than p
 * of the columns match, each gap being one event or a few:
 *
 *      score                   __/   a fall of more than X: not similar
 *               __    /\    __/
 *            __/  \__/  \  /         falls of less belong to the segment
 *         __/            \/
 *
 * A *similar segment* begins at the lowest point of the score in it and ends at the highest, rises
 * by X or more, has no fall of more than X, and is part of no other one: as a local alignment that
 * is extended until the score drops. X is what 100 matches add. At an end of the path, columns
 * beyond the segment belong to it unless the score falls by more than X / 2 there. A path without
 * a segment is one, as a whole, if its own score is 0 or more and none of these falls is in it. All
 * other columns are *aligned, but not similar*.
 *
 * So a segment's gap-compressed identity is at least p. Segments begin and end with matches or at
 * an end of the path, and are the same for the path that is read backwards. They are the maximal
 * segments of Zhang, Berman, Wiehe and Miller, Post-processing long pairwise alignments,
 * Bioinformatics 15 (1999), 1012-1019, with gaps that cost less; as there, time is linear in the
 * path.
 */
#ifndef RHOMB_SIMILAR_H
#define RHOMB_SIMILAR_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The default of p. A larger one leaves out what has diverged, a smaller one lets related but other
 * sequence in: between S. aureus COL and USA300, of 6,528 SNPs at unit costs, 2,368 are in
 * similar segments at 0.7, 1,398 at 0.8 and 1,112 at 0.9. Random sequences, aligned with unit or
 * affine costs, have a gap-compressed identity of 0.55 to 0.60.
 */
#define RHOMB_LEAST_IDENTITY 0.8

/* What is known once another operation has been added. */
typedef enum rhomb_similar_part {
    RHOMB_SIMILAR_OPEN, /* nothing yet of the operations since the last answer but this one */
    RHOMB_SIMILAR_YES,  /* all of these, with the last one, are in a similar segment */
    RHOMB_SIMILAR_NO    /* none of them is */
} rhomb_similar_part;

/* A path that is being followed: a few numbers, which are the library's. Does not grow. */
typedef struct rhomb_similar {
    int64_t match, mismatch; /* what they add and take, in ten-thousandths */
    int64_t turn;            /* X */
    int64_t score, low, high;
    int64_t state;
} rhomb_similar;

/* Begins a path; `least_identity` is p, from 0.0001 to 0.9999, or 0 for the default. */
RHOMB_API rhomb_similar rhomb_similar_begin(double least_identity);

/*
 * Adds the next operation. M, which does not tell, is taken for matches. What has been said of
 * operations stays, and the last ones remain open until rhomb_similar_end().
 */
RHOMB_API rhomb_similar_part rhomb_similar_add(rhomb_similar *similar, rhomb_path_op op);

/* Ends the path: RHOMB_SIMILAR_YES or RHOMB_SIMILAR_NO, for the operations that are open. */
RHOMB_API rhomb_similar_part rhomb_similar_end(const rhomb_similar *similar);

#ifdef __cplusplus
}
#endif

#endif
