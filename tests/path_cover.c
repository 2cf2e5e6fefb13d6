/* SPDX-License-Identifier: MIT */
/*
 * See path_cover.h.
 */
#include "path_cover.h"

#include "src/base/int64.h"
#include "support/cost_sets.h"

#include <stdlib.h>

/* What the diagonal step to a vertex costs. */
static int64_t diagonal(const path_cover *c, int end, int64_t row, int64_t column)
{
    const bool differs = c->plain->rows[end][row - 1] != c->plain->columns[end][column - 1];
    return differs ? c->sweep->costs.mismatch : 0;
}

void path_cover_start(path_cover *c, const plain_sweep *s)
{
    c->plain = s;
    c->sweep = s->sweep;
    c->penalties = costs_penalties(&s->sweep->costs);
    for (int end = 0; end < 2; end++) {
        const plain_pair texts = {(const char *)s->columns[end], s->sweep->columns,
                                  (const char *)s->rows[end], s->sweep->rows, false};
        c->vertices[end] = oracle_gotoh_matrix(&texts, &c->penalties, s->sweep->gaps[end]);
    }
}

void path_cover_end(path_cover *c)
{
    for (int end = 0; end < 2; end++) {
        free(c->vertices[end]);
        c->vertices[end] = NULL;
    }
}

int64_t path_cover_distance(const path_cover *c)
{
    const int64_t last = (c->sweep->rows + 1) * (c->sweep->columns + 1) - 1;
    return oracle_gotoh_end(&c->vertices[0][last], &c->penalties, c->sweep->gaps[1]);
}

/* Whether there is a path within the bound through any of the steps ... */
typedef struct through {
    bool across; /* ... to a vertex from the column before, ... */
    bool down;   /* ... or from the row above in the same column */
} through;

static through through_of(const path_cover *c, int direction, int64_t row, int64_t column,
                          int64_t bound)
{
    const rhomb__costs *costs = &c->sweep->costs;
    const int64_t pitch = c->sweep->columns + 1, at = row * pitch + column;
    const int64_t to_end = (c->sweep->rows + 1) * pitch - 1 - at; /* from the other end */
    const int64_t *here = c->vertices[direction][at].cost;
    const int64_t *there = c->vertices[1 - direction][to_end].cost;
    through t = {false, false};
    if (column > 0)
        t.across = c->vertices[direction][at - pitch - 1].cost[RHOMB_GAP_NONE] +
                       diagonal(c, direction, row, column) + there[RHOMB_GAP_NONE] <=
                   bound;
    for (int piece = 0; piece < costs->pieces; piece++) {
        /* A gap that goes on after the step was opened once. */
        const int64_t down = there[RHOMB_GAP_I + piece] - costs->open[piece];
        const int64_t right = there[RHOMB_GAP_D + piece] - costs->open[piece];
        t.down |= here[RHOMB_GAP_I + piece] + rhomb__min(there[0], down) <= bound;
        t.across |= here[RHOMB_GAP_D + piece] + rhomb__min(there[0], right) <= bound;
    }
    return t;
}

int64_t path_cover_left_out(const path_cover *c, const rhomb_strip *records, int64_t bound)
{
    const rhomb__sweep *w = c->sweep;
    for (int direction = 0; direction < 2; direction++) {
        const int64_t first = sweep_model_first_block(w, direction);
        const int64_t middle = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
        for (int64_t row = 1; middle > 0 && row <= w->rows; row++) {
            const int64_t strip = (row - 1) / w->strip_rows * 2 + direction;
            const int64_t begin = rhomb__strip_result(&records[strip])->begin;
            const int64_t end = rhomb__strip_result(&records[strip + 2])->end;
            const bool any = begin < end;
            const int64_t left = any ? (begin - first) * RHOMB__BLOCK_COLUMNS : INT64_MAX;
            const int64_t right = any ? (end - first) * RHOMB__BLOCK_COLUMNS : -1;
            for (int64_t column = 0; column <= middle; column++) {
                const through t = through_of(c, direction, row, column, bound);
                if ((t.across && (column <= left || column > right)) ||
                    (t.down && column < middle && (column < left || column > right)))
                    return strip;
            }
        }
    }
    return -1;
}
