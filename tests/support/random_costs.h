/* SPDX-License-Identifier: MIT */
/*
 * Random costs for tests of what is below the public API, in the form of src/scoring/costs.h.
 */
#ifndef RHOMB_TESTS_RANDOM_COSTS_H
#define RHOMB_TESTS_RANDOM_COSTS_H

#include "rng.h"
#include "src/scoring/costs.h"

/* One piece or two, openings of 0 and of up to `most`, extensions of up to a quarter of that. */
rhomb__costs random_costs(rng *r, int64_t most);

/* A gap at a border (RHOMB_GAP_*), of a piece that the costs have, or none. */
int32_t random_gap(rng *r, const rhomb__costs *costs);

#endif
