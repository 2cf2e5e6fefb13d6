/* SPDX-License-Identifier: MIT */
/*
 * Costs for tests of what is below the public API, in the form of src/scoring/costs.h: random ones,
 * those of texts, and what oracles make of them.
 */
#ifndef RHOMB_TESTS_COST_SETS_H
#define RHOMB_TESTS_COST_SETS_H

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

#endif
