/* SPDX-License-Identifier: MIT */
/*
 * Random pairs that are hard for affine gaps: a family for each thing that can go wrong with a gap.
 */
#ifndef RHOMB_TESTS_AFFINE_PAIR_H
#define RHOMB_TESTS_AFFINE_PAIR_H

#include "pair.h"

/* FAMILY(NAME, name in messages). Edges are multiples of 16, 32, 512, 2048 and 4096. */
#define AFFINE_FAMILIES(FAMILY)                                             \
    FAMILY(UNIFORM, "errors of 1 to 30 %, spread evenly")                   \
    FAMILY(LONG_GAPS, "long gaps, and errors")                              \
    FAMILY(BESIDE, "gaps next to mismatches and to gaps of the other kind") \
    FAMILY(ENDS, "gaps at either end of either sequence")                   \
    FAMILY(ACROSS, "gaps across rows and columns at edges of words")        \
    FAMILY(STRIPS, "gaps across rows and columns at edges of strips")       \
    FAMILY(UNEQUAL, "one sequence much longer, with parts of the other")    \
    FAMILY(UNRELATED, "nothing in common")                                  \
    FAMILY(REPEATS, "short units and single bases, repeated")               \
    FAMILY(CODES, "errors, runs of N and IUPAC codes")                      \
    FAMILY(EMPTY, "an empty sequence, or next to nothing")

typedef enum affine_family {
#define AFFINE_FAMILY_ENUM(name, text) AFFINE_##name,
    AFFINE_FAMILIES(AFFINE_FAMILY_ENUM)
#undef AFFINE_FAMILY_ENUM
        AFFINE_FAMILY_COUNT
} affine_family;

const char *affine_family_text(affine_family family);

/*
 * Makes a pair of about `length` bases; of STRIPS it has up to 4200 whatever was asked. What `p`
 * held is released. Aborts without memory.
 */
void affine_pair_make(affine_family family, int64_t length, rng *r, pair *p);

/*
 * A pair of blocks of matches, mismatches and gaps; with up to `gap` bases more of one sequence at
 * either end, so that paths begin or end within a gap. What `p` held is released.
 */
void affine_bordered_pair(int64_t length, int64_t gap, rng *r, pair *p);

#endif
