/* SPDX-License-Identifier: MIT */
/*
 * See path_cover.h.
 */
#include "path_cover.h"

#include "src/base/int64.h"

#include <stdlib.h>

#define NEVER (INT32_MAX / 2)

static int64_t pitch(const path_cover *c)
{
    return c->sweep->columns + 1;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t extended(const rhomb__costs *costs, int32_t any, int32_t gap, int piece)
{
    return least(any + (int32_t)costs->open[piece], gap) + (int32_t)costs->extend[piece];
}

/* What the diagonal step to a vertex costs. */
static int32_t diagonal(const path_cover *c, int end, int64_t row, int64_t column)
{
    const bool differs = c->plain->rows[end][row - 1] != c->plain->columns[end][column - 1];
    return differs ? (int32_t)c->sweep->costs.mismatch : 0;
}

static void fill_vertex(path_cover *c, int end, int64_t row, int64_t column)
{
    const rhomb__costs *costs = &c->sweep->costs;
    const int64_t at = row * pitch(c) + column, above = at - pitch(c), left = at - 1;
    const bool is_first = row == 0 && column == 0;
    plain_gaps now = plain_first_gaps(is_first ? c->sweep->gaps[end] : RHOMB_GAP_NONE);
    int32_t any = is_first ? 0 : NEVER;
    if (row > 0 && column > 0)
        any = c->any[end][above - 1] + diagonal(c, end, row, column);
    for (int piece = 0; piece < costs->pieces; piece++) {
        if (row > 0)
            now.down[piece] =
                extended(costs, c->any[end][above], c->gaps[end][above].down[piece], piece);
        if (column > 0)
            now.right[piece] =
                extended(costs, c->any[end][left], c->gaps[end][left].right[piece], piece);
        any = least(any, least(now.down[piece], now.right[piece]));
    }
    c->any[end][at] = any;
    c->gaps[end][at] = now;
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)count * size);
    if (memory == NULL)
        abort();
    return memory;
}

void path_cover_start(path_cover *c, const plain_sweep *s)
{
    c->plain = s;
    c->sweep = s->sweep;
    for (int end = 0; end < 2; end++) {
        const int64_t vertices = (c->sweep->rows + 1) * pitch(c);
        c->any[end] = allocate(vertices, sizeof *c->any[end]);
        c->gaps[end] = allocate(vertices, sizeof *c->gaps[end]);
        for (int64_t row = 0; row <= c->sweep->rows; row++) {
            for (int64_t column = 0; column <= c->sweep->columns; column++)
                fill_vertex(c, end, row, column);
        }
    }
}

void path_cover_end(path_cover *c)
{
    for (int end = 0; end < 2; end++) {
        free(c->any[end]);
        free(c->gaps[end]);
        c->any[end] = NULL;
        c->gaps[end] = NULL;
    }
}

int64_t path_cover_distance(const path_cover *c)
{
    const int64_t last = (c->sweep->rows + 1) * pitch(c) - 1;
    const int32_t gap = c->sweep->gaps[1];
    const plain_gaps *gaps = &c->gaps[0][last];
    if (gap == RHOMB_GAP_NONE)
        return c->any[0][last];
    const int32_t within = (RHOMB_GAP_IS_I(gap) ? gaps->down : gaps->right)[RHOMB_GAP_PIECE(gap)];
    return rhomb__min(c->any[0][last], within - c->sweep->costs.open[RHOMB_GAP_PIECE(gap)]);
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
    const int64_t at = row * pitch(c) + column;
    const int64_t to_end = (c->sweep->rows + 1) * pitch(c) - 1 - at; /* from the other end */
    const int64_t rest = c->any[1 - direction][to_end];
    const plain_gaps *here = &c->gaps[direction][at], *there = &c->gaps[1 - direction][to_end];
    through t = {false, false};
    if (column > 0)
        t.across =
            c->any[direction][at - pitch(c) - 1] + diagonal(c, direction, row, column) + rest <=
            bound;
    for (int piece = 0; piece < costs->pieces; piece++) {
        /* A gap that goes on after the step was opened once. */
        const int64_t down = rhomb__min(rest, there->down[piece] - costs->open[piece]);
        const int64_t right = rhomb__min(rest, there->right[piece] - costs->open[piece]);
        t.down |= here->down[piece] + down <= bound;
        t.across |= here->right[piece] + right <= bound;
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
