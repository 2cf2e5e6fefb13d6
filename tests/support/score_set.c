/* SPDX-License-Identifier: MIT */
/*
 * See score_set.h.
 */
#include "score_set.h"

#include <stdio.h>

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
