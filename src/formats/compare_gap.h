/* SPDX-License-Identifier: MIT */
/*
 * Gaps in pieces. Where opening a gap costs nothing, a long one costs as much in pieces, with bases
 * of the other side matched by chance between them:
 *
 *     target   ======== t1 ---- t2 --- t3 ------ ======      t1 t2 t3: bases that belong together,
 *     query    ======== q1 ---- q2 --- q3 ------ ======      beside either end of the gap
 *
 * So what lies between two similar stretches is one gap if one side has at least twice the bases of
 * the other, and the shorter one is similar to the beginning or the end of the longer one, or
 * partly to either. Where bases were replaced by others, it is not.
 */
#ifndef RHOMB_SRC_COMPARE_GAP_H
#define RHOMB_SRC_COMPARE_GAP_H

#include "rhomb/comparison.h"
#include "src/formats/score.h"

/* The two sides, as indexes. */
enum { RHOMB__TARGET, RHOMB__QUERY, RHOMB__SIDES };

/* Adds a gap of one base or more. */
void rhomb__gaps_add(rhomb_comparison_gaps *gaps, int64_t bases);

/* What may be a gap in pieces: ranges on the forward strands. */
typedef struct rhomb__between {
    const char *bases[RHOMB__SIDES]; /* of the whole sequences */
    int64_t begin[RHOMB__SIDES], end[RHOMB__SIDES];
    bool reverse;
    const rhomb__score_codes *codes; /* of what matches */
} rhomb__between;

/*
 * Adds ranges that are a gap, in pieces or in one, to those of the longer side: as many bases as
 * that has more; true, with the ranges less what goes along at either end. Time: the bases of the
 * shorter side and the square of the edits in them, of which there may be up to 1000 at either end.
 */
bool rhomb__between_add(rhomb__between *between, rhomb_comparison_gaps gaps[RHOMB__SIDES]);

#endif
