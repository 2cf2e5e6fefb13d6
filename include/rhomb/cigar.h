/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: operations of a path through two sequences, coded as SAM and BAM do.
 *
 * `=` is a run of equal letters, X of unequal ones, I of letters that only the query has, D of
 * those that only the target has. Neighbours differ in their codes, and no length is 0. An
 * operation is its length << 4 | its code; the macros take either type of one.
 */
#ifndef RHOMB_CIGAR_H
#define RHOMB_CIGAR_H

#include <stdint.h>

/* Of a short pair: as BAM stores it, lengths below 2^28. */
typedef uint32_t rhomb_cigar_op;

/* Of chromosomes: lengths below 2^60. */
typedef uint64_t rhomb_path_op;

/* M, equal or not, stands only in other programs' files: Rhomb's paths have none. */
#define RHOMB_CIGAR_M  0u
#define RHOMB_CIGAR_I  1u
#define RHOMB_CIGAR_D  2u
#define RHOMB_CIGAR_EQ 7u
#define RHOMB_CIGAR_X  8u

#define RHOMB_CIGAR_LENGTH(op) ((op) >> 4)
#define RHOMB_CIGAR_CODE(op)   ((op)&15u)
/* The letter of an operation, as SAM prints it. */
#define RHOMB_CIGAR_LETTER(op) ("MIDNSHP=XB??????"[RHOMB_CIGAR_CODE(op)])

#endif
