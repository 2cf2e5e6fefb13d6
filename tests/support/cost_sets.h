/* SPDX-License-Identifier: MIT */
/*
 * Costs for tests of what is below the public API, in the form of src/scoring/costs.h: random ones,
 * those of texts, and what oracles make of them; and scorings as users write them.
 */
#ifndef RHOMB_TESTS_COST_SETS_H
#define RHOMB_TESTS_COST_SETS_H

#include "rhomb/scoring.h"
#include "rng.h"
#include "src/base/alphabet.h"
#include "src/scoring/costs.h"
#include "tests/reference/gotoh.h"

/* One piece or two, openings of 0 and of up to `most`, extensions of up to a quarter of that. */
rhomb__costs random_costs(rng *r, int64_t most);

/* A gap at a border (RHOMB_GAP_*), of a piece that the costs have, or none. */
int32_t random_gap(rng *r, const rhomb__costs *costs);

/* Those of a scoring as users write it; fails the cmocka test that is running if it is none. */
rhomb__costs costs_of_text(const char *text);

/*
 * Thirty scorings that look back 2 to 1,018 scores, whose extensions are as dear as that, or cheap;
 * NULL after the last one.
 */
const rhomb_scoring *scoring_at(size_t position);

oracle_penalties costs_penalties(const rhomb__costs *costs);

/* Symbols for the same: bytes are compared as they are. */
rhomb__codes codes_of_bytes(void);

/* A scoring, how users write it, and what oracles make of it. */
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
