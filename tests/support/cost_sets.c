/* SPDX-License-Identifier: MIT */
/*
 * See cost_sets.h.
 */
#include "cost_sets.h"

#include "test.h"

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

rhomb__costs costs_of_text(const char *text)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_scoring scoring;
    rhomb__costs costs = {0};
    if (rhomb__scoring_parse(&error, text, &scoring) != RHOMB_OK ||
        rhomb__costs_of(&error, &scoring, &costs) != RHOMB_OK)
        fail_msg("%s: %s", text, rhomb__error_text(&error));
    return costs;
}

rhomb__costs costs_of_numbers(const int32_t numbers[5])
{
    return (rhomb__costs){.mismatch = numbers[0],
                          .pieces = numbers[4] > 0 ? 2 : 1,
                          .open = {numbers[1], numbers[3]},
                          .extend = {numbers[2], numbers[4]},
                          .unit = 1,
                          .doubled = 1};
}

oracle_penalties costs_penalties(const rhomb__costs *costs)
{
    return (oracle_penalties){.mismatch = costs->mismatch,
                              .pieces = costs->pieces,
                              .open = {costs->open[0], costs->open[1]},
                              .extend = {costs->extend[0], costs->extend[1]}};
}
