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

static const rhomb_scoring SCORINGS[] = {
    {0, 4, 6, 2, -1, -1, NULL},      {0, 1, 1, 1, -1, -1, NULL},
    {0, 1, 0, 5, -1, -1, NULL},      {0, 1, 0, 7, -1, -1, NULL},
    {0, 1, 0, 10, -1, -1, NULL},     {0, 1, 0, 100, -1, -1, NULL},
    {0, 1, 0, 500, -1, -1, NULL},    {0, 1, 0, 1000, -1, -1, NULL},
    {0, 1000, 0, 999, -1, -1, NULL}, {1000, 1, 1, 1, -1, -1, NULL},
    {0, 1, 120, 1, -1, -1, NULL},    {0, 1, 500, 500, -1, -1, NULL},
    {0, 150, 200, 1, -1, -1, NULL},  {0, 1000, 1, 500, -1, -1, NULL},
    {0, 3, 1, 2, 3, 1, NULL},        {0, 5, 8, 2, 24, 1, NULL},
    {1, 19, 39, 3, 81, 1, NULL},     {1, 4, 6, 2, 26, 1, NULL},
    {2, 4, 4, 2, -1, -1, NULL},      {2, 4, 4, 2, 24, 1, NULL},
    {0, 12, 5, 3, 8, 2, NULL},       {0, 7, 300, 100, 350, 3, NULL},
    {0, 1, 0, 1000, 900, 20, NULL},  {0, 700, 0, 1000, 17, 990, NULL},
    {0, 31, 29, 37, -1, -1, NULL},   {0, 2, 0, 3, -1, -1, NULL},
    {0, 2, 63, 1, -1, -1, NULL},     {0, 997, 0, 991, -1, -1, NULL},
    {0, 13, 800, 7, 900, 5, NULL},   {5, 4, 100, 50, 130, 2, NULL},
};

const rhomb_scoring *scoring_at(size_t position)
{
    return position < COUNT(SCORINGS) ? &SCORINGS[position] : NULL;
}

oracle_penalties costs_penalties(const rhomb__costs *costs)
{
    return (oracle_penalties){.mismatch = costs->mismatch,
                              .pieces = costs->pieces,
                              .open = {costs->open[0], costs->open[1]},
                              .extend = {costs->extend[0], costs->extend[1]}};
}

rhomb__codes codes_of_bytes(void)
{
    rhomb__codes codes = {{0}, 256};
    for (int i = 0; i < 256; i++)
        codes.code[i] = (uint8_t)i;
    return codes;
}

score_set score_set_of(const rhomb_scoring *scoring)
{
    score_set set = {.scoring = *scoring, .penalties = oracle_penalties_of(scoring)};
    const bool scores = scoring->match > 0, two = set.penalties.pieces == 2;
    size_t used = (size_t)snprintf(set.text, sizeof set.text, "%s:",
                                   scores ? "match"
                                   : two  ? "affine2p"
                                          : "affine");
    const int64_t values[] = {scoring->match,      scoring->mismatch,   scoring->gap_open,
                              scoring->gap_extend, scoring->gap_open_2, scoring->gap_extend_2};
    for (int i = scores ? 0 : 1; i < (two ? 6 : 4); i++)
        used += (size_t)snprintf(set.text + used, sizeof set.text - used, "%s%lld",
                                 set.text[used - 1] == ':' ? "" : ",", (long long)values[i]);
    return set;
}

static int64_t divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

int score_set_planes(const score_set *set)
{
    const oracle_penalties p = oracle_without_match(&set->penalties);
    int64_t unit = p.mismatch, step = INT64_MAX;
    int planes = 1;
    for (int piece = 0; piece < p.pieces; piece++) {
        unit = divisor(divisor(unit, p.open[piece]), p.extend[piece]);
        if (p.open[piece] + p.extend[piece] < step)
            step = p.open[piece] + p.extend[piece];
    }
    while ((INT64_C(1) << planes) < 2 * step / unit + 1)
        planes++;
    return planes;
}

int64_t score_set_penalty(const score_set *set, int64_t n, int64_t m, int64_t least)
{
    const oracle_penalties *p = &set->penalties;
    return p->match == 0 ? least : oracle_penalty_of_score(p, n, m, -least);
}
