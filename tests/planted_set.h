/* SPDX-License-Identifier: MIT */
/*
 * Sets of records of which is known what belongs together: those of the query are the target's,
 * with substitutions, and with pieces that were copied into other records, moved there, inverted,
 * or exchanged as arms are.
 */
#ifndef RHOMB_TESTS_PLANTED_SET_H
#define RHOMB_TESTS_PLANTED_SET_H

#include "support/rng.h"

enum { PLANTED_RECORDS = 8, PLANTED_PIECES = 128 };

typedef struct planted_set_recipe {
    int records;   /* 1 to PLANTED_RECORDS */
    int64_t bases; /* of the target, about */
    int64_t least; /* bases of a piece that is copied, moved, or left between others */
    int events;    /* copies, moves, inversions and exchanges at most, any number of each */
    double rate;   /* of substitutions */
    bool turned;   /* all records of the query are on the other strand */
    bool swapped;  /* at last target and query are exchanged */
} planted_set_recipe;

/* Bases of a target's record that a query's record has; 0-based, on forward strands. */
typedef struct planted_match {
    int record[2]; /* of target and query */
    int64_t begin[2];
    int64_t length;
    bool reverse;
} planted_match;

typedef struct planted_set {
    int records;
    char *bases[2][PLANTED_RECORDS]; /* of target and query */
    int64_t length[2][PLANTED_RECORDS];
    planted_match matches[PLANTED_RECORDS * PLANTED_PIECES];
    int count;
} planted_set;

/* The test fails without memory. */
void planted_set_make(planted_set *set, const planted_set_recipe *recipe, rng *r);
void planted_set_release(planted_set *set);

/* Ranges of two records, on forward strands. */
typedef struct planted_range {
    int record[2];
    int64_t begin[2], end[2];
    bool reverse;
} planted_range;

/* Bases of a range's shorter side: opposite those that they belong to, and opposite others. */
typedef struct planted_likeness {
    int64_t alike, unlike;
} planted_likeness;

/* Of both ranges, by the chain of matches that has most bases. */
planted_likeness planted_set_compare(const planted_set *set, const planted_range *range);

#endif
