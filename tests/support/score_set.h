/* SPDX-License-Identifier: MIT */
/* A scoring, how users write it, and what oracles make of it. */
#ifndef RHOMB_TESTS_SCORE_SET_H
#define RHOMB_TESTS_SCORE_SET_H

#include "rhomb/scoring.h"
#include "tests/reference/gotoh.h"

typedef struct score_set {
    rhomb_scoring scoring;
    oracle_penalties penalties;
    char text[96];
} score_set;

score_set score_set_of(const rhomb_scoring *scoring);

/* The planes that its costs take: of 2 * (open + extend) + 1 values, without what all have in
 * common. */
int score_set_planes(const score_set *set);

/*
 * What a pair costs by the library's count, whose least penalty the oracle says, or with a match
 * score the score with the sign turned.
 */
int64_t score_set_penalty(const score_set *set, int64_t n, int64_t m, int64_t least);

#endif
