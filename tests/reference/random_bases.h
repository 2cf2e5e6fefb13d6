/* SPDX-License-Identifier: MIT */
/*
 * Random bases, for generated sequences, those of the other strand, and what matches what. All
 * numbers come from one 64-bit state by integer arithmetic, so that a seed gives the same bases on
 * every machine.
 */
#ifndef RHOMB_REFERENCE_RANDOM_BASES_H
#define RHOMB_REFERENCE_RANDOM_BASES_H

#include <stdbool.h>
#include <stdint.h>

/* The next 64 bits of Steele, Lea and Flood's SplitMix64: quick enough for 1e8 bases. */
uint64_t random_next(uint64_t *state);

/* From 0 to `bound` - 1; the remainder's bias is below bound / 2^64. */
int64_t random_below(uint64_t *state, int64_t bound);

/* What `random_next(state) >> 11` is below with the given probability. */
uint64_t random_threshold(double probability);

/* One of A, C, G and T. */
char random_base(uint64_t *state);

/* A base as the alphabet of DNA compares it: in upper case, and T for U. */
char folded_base(char base);

/*
 * What matches from now on, wherever tests/reference compares two bases: bytes that are equal; with
 * `iupac` also IUPAC codes in upper case that have a base in common.
 */
void match_iupac(bool iupac);
extern bool matching_is_iupac;

/* Whether two IUPAC codes have a base in common. */
bool iupac_match(char a, char b);

/* Whether two bases, or bytes, match. */
static inline bool bases_match(char a, char b)
{
    return a == b || (matching_is_iupac && iupac_match(a, b));
}

/* The bases that an IUPAC code in upper case stands for, as in the standard of 1984; "" of none. */
const char *iupac_bases(char code);

/* The base on the other strand, in the same case; what is none of A, C, G, T and U stays. */
char complement_base(char base);

/* Turns bases round: the reverse complement. */
void complement_bases(char *bases, int64_t length);

void random_bases(char *bases, int64_t length, uint64_t *state);

/* Another base than `base`, each of the three as likely. */
char random_other_base(char base, uint64_t *state);

/*
 * Copies `length` bases with that share of edits, a third each of substitutions, insertions and
 * deletions; returns how many come out, twice as many at most.
 */
int64_t random_edits(const char *from, int64_t length, double rate, uint64_t *state, char *to);

#endif
