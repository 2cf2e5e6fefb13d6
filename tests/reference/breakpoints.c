/* SPDX-License-Identifier: MIT */
/*
 * See breakpoints.h.
 */
#include "breakpoints.h"

#include <stdlib.h>

/* The wavefront of a score. */
static plain_wavefront wavefront_of(const plain_pair *texts, int64_t score)
{
    plain_wavefront w = {.memory = NULL};
    plain_wavefront_begin(&w, texts, score);
    while (w.score < score)
        plain_wavefront_next(&w);
    return w;
}

rhomb_split_point oracle_split_wavefront(const plain_pair *texts, int64_t distance)
{
    const int64_t first = (distance + 1) / 2, second = distance / 2;
    plain_pair reversed = *texts;
    reversed.backward = !texts->backward;
    plain_wavefront f = wavefront_of(texts, first), g = wavefront_of(&reversed, second);
    rhomb_split_point point = {0, 0, RHOMB_SPLIT_APART, 0};
    for (int64_t k = -first; k <= first && point.status == RHOMB_SPLIT_APART; k++) {
        const int64_t other = texts->n - texts->m - k;
        if (other < -second || other > second)
            continue;
        const int64_t j = f.offset[k], rest = g.offset[other];
        if (j != PLAIN_NOTHING && rest != PLAIN_NOTHING && j + rest >= texts->n)
            point = (rhomb_split_point){j, j - k, RHOMB_SPLIT_FOUND, 0};
    }
    plain_wavefront_end(&f);
    plain_wavefront_end(&g);
    return point;
}

oracle_breakpoint oracle_split_sweep(const plain_pair *texts, const oracle_penalties *p,
                                     oracle_borders borders, int64_t *distance)
{
    const int64_t n = texts->n, m = texts->m, middle = ((n + 15) / 16 + 1) / 2 * 16;
    const plain_pair forward = {texts->target, middle, texts->query, m, false};
    const plain_pair backward = {texts->target + middle, n - middle, texts->query, m, true};
    oracle_vertex *before = oracle_gotoh_column(&forward, p, borders.begin);
    oracle_vertex *behind = oracle_gotoh_column(&backward, p, borders.end);
    oracle_breakpoint breakpoint = {.target = middle};
    *distance = ORACLE_NEVER;
    for (int64_t i = 0; i <= m; i++) {
        for (int32_t gap = RHOMB_GAP_NONE; gap <= p->pieces;
             gap++) { /* none, and D of each piece */
            const int64_t open = gap == RHOMB_GAP_NONE ? 0 : p->open[RHOMB_GAP_PIECE(gap)];
            const int64_t first = before[i].cost[gap] - open;
            const int64_t cost = first + behind[m - i].cost[gap];
            if (cost >= *distance)
                continue;
            *distance = cost;
            breakpoint = (oracle_breakpoint){middle, i, first, gap};
        }
    }
    free(before);
    free(behind);
    return breakpoint;
}
