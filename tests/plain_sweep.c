/* SPDX-License-Identifier: MIT */
/*
 * See plain_sweep.h.
 */
#include "plain_sweep.h"

#include "src/base/int64.h"

#include <stdlib.h>

/* Of a gap that no path has; with room for what is added. */
#define NEVER (INT32_MAX / 2)

plain_gaps plain_first_gaps(int32_t gap)
{
    plain_gaps first = {{NEVER, NEVER}, {NEVER, NEVER}};
    if (gap != RHOMB_GAP_NONE)
        (RHOMB_GAP_IS_I(gap) ? first.down : first.right)[RHOMB_GAP_PIECE(gap)] = 0;
    return first;
}

bool plain_sweep_fits(const rhomb__sweep *sweep)
{
    return 2 * sweep->strips <= MODEL_MOST_STRIPS &&
           sweep->columns <= MODEL_MOST_BLOCKS * RHOMB__BLOCK_COLUMNS;
}

/* Vertices of a row. */
static int64_t pitch(const plain_sweep *s, int64_t direction)
{
    return s->sweep->blocks[direction] * RHOMB__BLOCK_COLUMNS + 1;
}

/* Symbol `at` of a padded sequence, read from either end. */
static unsigned char symbol(const letters *these, int64_t padded, int64_t direction, int64_t at)
{
    const int64_t place = direction == 0 ? at : padded - 1 - at;
    return place < 0 || place >= these->length ? 0 : (unsigned char)these->at[place];
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

void plain_sweep_start(plain_sweep *s, const pair *p, const rhomb__sweep *sweep)
{
    const int64_t rows = sweep->strips * sweep->strip_rows;
    s->p = p;
    s->sweep = sweep;
    for (int direction = 0; direction < 2; direction++) {
        const int64_t vertices = (rows + 1) * pitch(s, direction);
        s->value[direction] = allocate(vertices, sizeof(int32_t));
        s->gaps[direction] = sweep->shape.sliced ? allocate(vertices, sizeof(plain_gaps)) : NULL;
        s->columns[direction] = allocate(sweep->columns, 1);
        s->rows[direction] = allocate(rows, 1);
        for (int64_t c = 0; c < sweep->columns; c++)
            s->columns[direction][c] = symbol(&p->a, sweep->columns, direction, c);
        for (int64_t r = 0; r < rows; r++)
            s->rows[direction][r] = symbol(&p->b, sweep->rows, direction, r);
    }
}

void plain_sweep_end(plain_sweep *s)
{
    for (int direction = 0; direction < 2; direction++) {
        free(s->value[direction]);
        free(s->gaps[direction]);
        free(s->columns[direction]);
        free(s->rows[direction]);
        s->value[direction] = NULL;
        s->gaps[direction] = NULL;
        s->columns[direction] = s->rows[direction] = NULL;
    }
}

int64_t plain_sweep_at(const plain_sweep *s, int64_t direction, int64_t row, int64_t column)
{
    return s->value[direction][row * pitch(s, direction) + column];
}

static int64_t saves(const plain_sweep *s, int64_t cost, int64_t gap_cost, int piece)
{
    const rhomb__costs *costs = &s->sweep->costs;
    const int64_t opened = cost + costs->open[piece];
    return piece < costs->pieces ? rhomb__max(opened - gap_cost, 0) : 0;
}

int64_t plain_sweep_saves_down(const plain_sweep *s, int64_t direction, int64_t row, int64_t column,
                               int piece)
{
    const int64_t at = row * pitch(s, direction) + column;
    return saves(s, s->value[direction][at], s->gaps[direction][at].down[piece], piece);
}

int64_t plain_sweep_saves_right(const plain_sweep *s, int64_t direction, int64_t row,
                                int64_t column, int piece)
{
    const int64_t at = row * pitch(s, direction) + column;
    return saves(s, s->value[direction][at], s->gaps[direction][at].right[piece], piece);
}

/* One row of a block, from the row above and the vertex at its left edge. */
static void fill_row(const plain_sweep *s, int64_t direction, int64_t row, int64_t left)
{
    int32_t *below = &s->value[direction][row * pitch(s, direction)];
    const int32_t *above = below - pitch(s, direction);
    const unsigned char letter = s->rows[direction][row - 1];
    const unsigned char *columns = s->columns[direction];
    for (int64_t c = left + 1; c <= left + RHOMB__BLOCK_COLUMNS; c++) {
        const int differs = letter != columns[c - 1];
        const int32_t side = (above[c] < below[c - 1] ? above[c] : below[c - 1]) + 1;
        below[c] = above[c - 1] + differs < side ? above[c - 1] + differs : side;
    }
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* A gap that gets a base longer: the vertex before has the cost `any`, or `gap` with that gap. */
static int32_t extended(const plain_sweep *s, int32_t any, int32_t gap, int piece)
{
    const rhomb__costs *costs = &s->sweep->costs;
    if (piece >= costs->pieces)
        return NEVER;
    return least(any + (int32_t)costs->open[piece], gap) + (int32_t)costs->extend[piece];
}

/* A vertex from its neighbours that are swept; NULL: there is none. */
static void fill_vertex(const plain_sweep *s, int64_t direction, int64_t row, int64_t column,
                        bool has_above, bool has_left)
{
    const int64_t at = row * pitch(s, direction) + column;
    const int64_t above = at - pitch(s, direction), left = at - 1;
    const int32_t *value = s->value[direction];
    const plain_gaps *gaps = s->gaps[direction];
    plain_gaps now = {{NEVER, NEVER}, {NEVER, NEVER}};
    int32_t any = NEVER;
    if (has_above && has_left) {
        const bool differs = s->rows[direction][row - 1] != s->columns[direction][column - 1];
        any = value[above - 1] + (differs ? (int32_t)s->sweep->costs.mismatch : 0);
    }
    for (int piece = 0; piece < s->sweep->costs.pieces; piece++) {
        if (has_above)
            now.down[piece] = extended(s, value[above], gaps[above].down[piece], piece);
        if (has_left)
            now.right[piece] = extended(s, value[left], gaps[left].right[piece], piece);
        any = least(any, least(now.down[piece], now.right[piece]));
    }
    s->value[direction][at] = any;
    s->gaps[direction][at] = now;
}

/* The block's rows [top, bottom], where it has no others above or on its left. */
static void fill_sliced(const plain_sweep *s, const model_block *block, int64_t top, int64_t bottom,
                        int64_t left)
{
    const int64_t direction = block->strip % 2;
    for (int64_t c = left + 1; !block->above_known && c <= left + RHOMB__BLOCK_COLUMNS; c++)
        fill_vertex(s, direction, top, c, false, true);
    for (int64_t row = top + 1; row <= bottom; row++) {
        if (block->first)
            fill_vertex(s, direction, row, left, true, false);
        for (int64_t c = left + 1; c <= left + RHOMB__BLOCK_COLUMNS; c++)
            fill_vertex(s, direction, row, c, true, true);
    }
}

static void fill_plain(const plain_sweep *s, const model_block *block, int64_t top, int64_t bottom,
                       int64_t left)
{
    const int64_t direction = block->strip % 2;
    int32_t *row_above = &s->value[direction][top * pitch(s, direction)];
    for (int64_t c = left + 1; !block->above_known && c <= left + RHOMB__BLOCK_COLUMNS; c++)
        row_above[c] = row_above[c - 1] + 1;
    for (int64_t row = top + 1; row <= bottom; row++) {
        if (block->first)
            s->value[direction][row * pitch(s, direction) + left] =
                row_above[left] + (int32_t)(row - top);
        fill_row(s, direction, row, left);
    }
}

static int64_t sweep_block(void *user, const model_block *block)
{
    const plain_sweep *s = user;
    const int64_t direction = block->strip % 2;
    const int64_t top = block->strip / 2 * s->sweep->strip_rows;
    const int64_t bottom = top + s->sweep->strip_rows;
    const int64_t first = sweep_model_first_block(s->sweep, direction);
    const int64_t left = (block->block - first) * RHOMB__BLOCK_COLUMNS;
    if (top == 0 && left == 0) {
        s->value[direction][0] = 0;
        if (s->gaps[direction] != NULL)
            s->gaps[direction][0] = plain_first_gaps(s->sweep->gaps[direction]);
    }
    if (s->gaps[direction] != NULL)
        fill_sliced(s, block, top, bottom, left);
    else
        fill_plain(s, block, top, bottom, left);
    return plain_sweep_at(s, direction, bottom, left + RHOMB__BLOCK_COLUMNS) -
           plain_sweep_at(s, direction, bottom, left);
}

static int64_t left_edge(void *user, int64_t strip)
{
    const plain_sweep *s = user;
    const int64_t direction = strip % 2, top = strip / 2 * s->sweep->strip_rows;
    const int64_t block = sweep_model_strip(&s->model, strip)->begin;
    const int64_t first = sweep_model_first_block(s->sweep, direction);
    const int64_t left = (block - first) * RHOMB__BLOCK_COLUMNS;
    return plain_sweep_at(s, direction, top + s->sweep->strip_rows, left) -
           plain_sweep_at(s, direction, top, left);
}

/* What gaps save at both ends of the strips' last rows. */
static void leave_saves(const plain_sweep *s, rhomb_strip *records)
{
    for (int64_t i = 0; i < 2 * s->sweep->strips; i++) {
        const int64_t direction = i % 2, bottom = (i / 2 + 1) * s->sweep->strip_rows;
        const int64_t first = sweep_model_first_block(s->sweep, direction);
        rhomb_strip *record = &records[2 + i];
        rhomb_strip_front *front = &record->front[record->last_launch & 1];
        const bool leaves = front->begin != RHOMB_NO_BLOCK;
        const int64_t begin = leaves ? (front->begin - first) * RHOMB__BLOCK_COLUMNS : -1;
        const int64_t end = (front->end - first) * RHOMB__BLOCK_COLUMNS;
        if (sweep_model_strip(&s->model, i)->begin < 0)
            continue;
        for (int piece = 0; piece < 2; piece++) {
            front->end_saves[piece] =
                (int32_t)plain_sweep_saves_right(s, direction, bottom, end, piece);
            if (leaves)
                front->begin_saves[piece] =
                    (int32_t)plain_sweep_saves_down(s, direction, bottom, begin, piece);
        }
    }
}

void plain_sweep_run(plain_sweep *s, int64_t bound, rhomb_strip *records)
{
    s->model.sweep = s->sweep;
    s->model.bound = bound;
    s->model.records = records;
    s->model.sweep_block = sweep_block;
    s->model.left_edge = left_edge;
    s->model.user = s;
    sweep_model_run(&s->model);
    if (s->sweep->shape.sliced)
        leave_saves(s, records);
}
