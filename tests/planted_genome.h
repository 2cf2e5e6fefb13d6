/* SPDX-License-Identifier: MIT */
/*
 * A genome and a rearranged, mutated copy of it, with the alignments that made the copy and the
 * numbers of everything that was planted, for the tests of comparisons.
 *
 *     c1   S1 S2 S3 S4 S5 S6          q1   S1 S5 S2 -S3 S4 S6 T3
 *     c2   T1 T2 T3                   q2   T1 (500 new bases) T2, then some of S4 again
 *
 * So S3 is an inversion, S5 a relocation, T3 a translocation. S3 has two records: of its halves,
 * which were turned together or, for two inversions, each in its place. The 500 bases are an
 * insertion between two records or, where 200 bases of the target are left out too, a replaced
 * segment. Each query may be the reverse complement of this, which changes no number.
 */
#ifndef RHOMB_TESTS_PLANTED_GENOME_H
#define RHOMB_TESTS_PLANTED_GENOME_H

#include "support/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLANTED_MOST = 40000, PLANTED_TEXT = 400000 };

typedef struct planted_genome {
    char target[2][PLANTED_MOST + 1], query[2][PLANTED_MOST + 1];
    char paf[PLANTED_TEXT];
    /* What the records have, without that of the copy of S4. */
    int64_t substitutions[4][4];
    int64_t other_mismatches;
    int64_t matches;
    int64_t gaps[2][2]; /* insertions, deletions: how many, bases; within records */
    int64_t sizes[2][7];
    int64_t breakpoints[2]; /* of all records, of target and query */
    /* How often each base of target and query is aligned, and is in the range of a record. */
    unsigned char aligned[2][2][PLANTED_MOST], covered[2][2][PLANTED_MOST];
    bool replaced;
    bool two_inversions;
    bool secondary; /* the copy of S4 */
    char notation;  /* '=', 'M' or ':' (cs) */
} planted_genome;

void planted_genome_make(planted_genome *g, rng *r);

#endif
