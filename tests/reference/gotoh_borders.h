/* SPDX-License-Identifier: MIT */
/*
 * Affine gaps of a subproblem that may begin and end within a gap, in plain code: Gotoh's matrix
 * whole, without bounds, and what a path costs there. A gap at the beginning may go on with the one
 * of that border at no cost of opening, and a gap at the end likewise; a gap that does both is
 * paid an opening. Nothing here knows src/scoring.
 */
#ifndef RHOMB_REFERENCE_GOTOH_BORDERS_H
#define RHOMB_REFERENCE_GOTOH_BORDERS_H

#include "cl/abi.h"
#include "gotoh.h"
#include "rhomb/cigar.h"

/* The gaps of both borders, RHOMB_GAP_*; a second piece only where the penalties have one. */
typedef struct oracle_borders {
    int32_t begin;
    int32_t end;
} oracle_borders;

/*
 * The least penalty of a path through all of target and query, n + m > 0. Below 0 only where one of
 * them is empty. Aborts without memory.
 */
int64_t oracle_gotoh_borders(const char *target, int64_t n, const char *query, int64_t m,
                             const oracle_penalties *p, oracle_borders borders);

/* The penalty of a path whose neighbouring operations differ, added up gap by gap. */
int64_t oracle_path_penalty(const rhomb_cigar_op *ops, int64_t count, const oracle_penalties *p,
                            oracle_borders borders);

#endif
