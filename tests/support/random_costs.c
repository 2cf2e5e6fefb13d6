/* SPDX-License-Identifier: MIT */
/*
 * See random_costs.h.
 */
#include "random_costs.h"

#include "cl/abi.h"

rhomb__costs random_costs(rng *r, int64_t most)
{
    const int64_t extend = rng_between(r, 1, 1 + most / 4);
    const int64_t open = rng_chance(r, 0.2) ? 0 : rng_between(r, 0, most);
    rhomb__costs costs = {.mismatch = rng_between(r, 1, 2 * (open + extend)),
                          .pieces = 1,
                          .open = {open, 0},
                          .extend = {extend, 0},
                          .unit = 1,
                          .doubled = 1};
    if (extend > 1 && rng_chance(r, 0.5)) {
        costs.pieces = 2;
        costs.extend[1] = rng_between(r, 1, extend - 1);
        costs.open[1] = open + extend - costs.extend[1] + rng_between(r, 1, 1 + 2 * most);
    }
    return costs;
}

int32_t random_gap(rng *r, const rhomb__costs *costs)
{
    static const int32_t ONE[] = {RHOMB_GAP_NONE, RHOMB_GAP_D, RHOMB_GAP_I};
    return costs->pieces == 1 ? ONE[rng_below(r, 3)]
                              : (int32_t)rng_between(r, RHOMB_GAP_NONE, RHOMB_GAP_I_2);
}
