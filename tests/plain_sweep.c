/* SPDX-License-Identifier: MIT */
/*
 * See plain_sweep.h.
 */
#include "plain_sweep.h"

#include "src/base/int64.h"

#include <stdlib.h>

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

/* The code of symbol `at` of a padded sequence, read from either end. */
static unsigned char symbol(const plain_sweep *s, const letters *these, int64_t padded,
                            int64_t direction, int64_t at)
{
    const int64_t place = direction == 0 ? at : padded - 1 - at;
    if (place < 0 || place >= these->length)
        return 0;
    const unsigned char letter = (unsigned char)these->at[place];
    return s->codes != NULL ? s->codes[letter] : letter;
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

void plain_sweep_start(plain_sweep *s, const pair *p, const unsigned char *codes,
                       const rhomb__sweep *sweep)
{
    s->p = p;
    s->codes = codes;
    s->sweep = sweep;
    for (int direction = 0; direction < 2; direction++) {
        const int64_t rows = sweep->strips * sweep->strip_rows + 1;
        s->value[direction] = allocate(rows * pitch(s, direction), sizeof(int32_t));
        s->columns[direction] = allocate(sweep->columns, 1);
        for (int64_t c = 0; c < sweep->columns; c++)
            s->columns[direction][c] = symbol(s, &p->a, sweep->columns, direction, c);
    }
}

void plain_sweep_end(plain_sweep *s)
{
    for (int direction = 0; direction < 2; direction++) {
        free(s->value[direction]);
        free(s->columns[direction]);
        s->value[direction] = NULL;
        s->columns[direction] = NULL;
    }
}

int64_t plain_sweep_at(const plain_sweep *s, int64_t direction, int64_t row, int64_t column)
{
    return s->value[direction][row * pitch(s, direction) + column];
}

/* One row of a block, from the row above and the vertex at its left edge. */
static void fill_row(const plain_sweep *s, int64_t direction, int64_t row, int64_t left)
{
    int32_t *below = &s->value[direction][row * pitch(s, direction)];
    const int32_t *above = below - pitch(s, direction);
    const unsigned char letter = symbol(s, &s->p->b, s->sweep->rows, direction, row - 1);
    const unsigned char *columns = s->columns[direction];
    for (int64_t c = left + 1; c <= left + RHOMB__BLOCK_COLUMNS; c++) {
        const int differs = letter != columns[c - 1];
        const int32_t side = (above[c] < below[c - 1] ? above[c] : below[c - 1]) + 1;
        below[c] = above[c - 1] + differs < side ? above[c - 1] + differs : side;
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
    int32_t *row_above = &s->value[direction][top * pitch(s, direction)];
    if (top == 0 && left == 0)
        row_above[0] = 0;
    for (int64_t c = left + 1; !block->above_known && c <= left + RHOMB__BLOCK_COLUMNS; c++)
        row_above[c] = row_above[c - 1] + 1;
    for (int64_t row = top + 1; row <= bottom; row++) {
        if (block->first)
            s->value[direction][row * pitch(s, direction) + left] =
                row_above[left] + (int32_t)(row - top);
        fill_row(s, direction, row, left);
    }
    return plain_sweep_at(s, direction, bottom, left + RHOMB__BLOCK_COLUMNS) -
           plain_sweep_at(s, direction, bottom, left);
}

void plain_sweep_run(plain_sweep *s, int64_t bound, rhomb_strip *records)
{
    s->model.sweep = s->sweep;
    s->model.bound = bound;
    s->model.records = records;
    s->model.sweep_block = sweep_block;
    s->model.user = s;
    sweep_model_run(&s->model);
}
