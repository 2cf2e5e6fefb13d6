/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: operations of a path through two sequences, with the codes of SAM and BAM.
 *
 * `=` is a run of matches, X of mismatches, I of bases only in the query, D of bases only in the
 * target. Adjacent operations have different codes, and no length is 0. An operation is
 * 16 * length + code; the macros take either type.
 */
#ifndef RHOMB_CIGAR_H
#define RHOMB_CIGAR_H

#include <stdint.h>

/* For short pairs, as in BAM: lengths below 2^28. */
typedef uint32_t rhomb_cigar_op;

/* For chromosomes: lengths below 2^60. */
typedef uint64_t rhomb_path_op;

/* M (match or mismatch) occurs only in other programs' files: Rhomb's paths have none. */
#define RHOMB_CIGAR_M  0u
#define RHOMB_CIGAR_I  1u
#define RHOMB_CIGAR_D  2u
#define RHOMB_CIGAR_EQ 7u
#define RHOMB_CIGAR_X  8u

#define RHOMB_CIGAR_LENGTH(op) ((op) >> 4)
#define RHOMB_CIGAR_CODE(op)   ((op)&15u)
/* The character of an operation, as SAM prints it. */
#define RHOMB_CIGAR_LETTER(op) ("MIDNSHP=XB??????"[RHOMB_CIGAR_CODE(op)])

#endif
