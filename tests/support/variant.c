/* SPDX-License-Identifier: MIT */
/*
 * The tunings that distances are tested with. Each is a program to build, so there are few, chosen
 * so that every legal extreme occurs: tiles of 4 to 2048 diagonals, tiles that are one diagonal
 * wider than twice their columns, items of 1 to 8, both widths of offsets, one band a read; strips
 * of 32 to 16384 rows, in groups and in vectors, and launches that are shorter and longer than a
 * strip.
 */
#include "check.h"

#include "src/tuning.h"

#include <assert.h>

#define TRAPEZOID RHOMB_TILE_TRAPEZOID
#define DIAMOND   RHOMB_TILE_DIAMOND

#define SWEEP(group, lanes, symbol_bits, words, blocks, directions, beside)             \
    {                                                                                   \
        RHOMB_TILE_AUTO, group, 0, 16, 0, 32, symbol_bits, false, lanes, words, blocks, \
            directions, beside                                                          \
    }

static const variant TABLE[] = {
    /* shape, group, items, columns, bands, offset bits, symbol bits, no pruning */
    {TRAPEZOID, 1, 64, 1, 1, 32, 2, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 1, 64, 31, 2, 64, 8, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 1, 65, 32, 100, 32, 2, true, 0, 0, 0, 0, 0},
    {TRAPEZOID, 1, 100, 8, 100, 64, 4, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 2, 2, 1, 1, 32, 2, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 2, 8, 3, 2, 64, 2, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 2, 3, 2, 100, 32, 4, true, 0, 0, 0, 0, 0},
    {TRAPEZOID, 8, 1, 3, 2, 32, 8, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 8, 5, 8, 100, 32, 2, true, 0, 0, 0, 0, 0},
    {TRAPEZOID, 64, 1, 31, 100, 32, 2, false, 0, 0, 0, 0, 0},
    {TRAPEZOID, 256, 4, 64, 2, 64, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 1, 64, 1, 1, 32, 2, true, 0, 0, 0, 0, 0},
    {DIAMOND, 1, 65, 32, 2, 32, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 1, 100, 31, 100, 64, 8, false, 0, 0, 0, 0, 0},
    {DIAMOND, 1, 2048, 64, 100, 32, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 2, 2, 1, 100, 32, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 2, 3, 2, 1, 64, 4, false, 0, 0, 0, 0, 0},
    {DIAMOND, 2, 8, 3, 100, 32, 2, true, 0, 0, 0, 0, 0},
    {DIAMOND, 8, 1, 3, 2, 32, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 8, 6, 8, 100, 64, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 64, 2, 32, 100, 32, 4, true, 0, 0, 0, 0, 0},
    {DIAMOND, 64, 7, 64, 2, 32, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 256, 1, 64, 100, 64, 2, false, 0, 0, 0, 0, 0},
    {DIAMOND, 256, 4, 32, 100, 32, 8, false, 0, 0, 0, 0, 0},
    /* The bit-parallel engine: group, lanes, symbol bits, words, blocks, directions, first band. */
    SWEEP(1, 1, 2, 1, 1, 1, 0),
    SWEEP(1, 1, 2, 1, 3, 2, 1),
    SWEEP(4, 1, 2, 1, 2, 2, 5),
    SWEEP(4, 1, 2, 1, 7, 1, 40),
    SWEEP(4, 1, 4, 1, 2, 2, 3),
    SWEEP(4, 1, 8, 1, 3, 2, 0),
    SWEEP(8, 1, 2, 2, 5, 2, 16),
    SWEEP(32, 1, 2, 1, 64, 2, 100),
    SWEEP(1, 16, 2, 1, 1, 1, 0),
    SWEEP(1, 16, 2, 1, 7, 2, 5),
    SWEEP(1, 16, 4, 2, 2, 2, 1),
    SWEEP(1, 16, 8, 4, 3, 1, 100),
    SWEEP(1, 16, 2, 8, 256, 2, 5),
};
enum { TABLE_SIZE = sizeof TABLE / sizeof TABLE[0] };

static const int32_t SYMBOL_BITS[] = {2, 4, 8};
enum { WIDTHS = sizeof SYMBOL_BITS / sizeof SYMBOL_BITS[0], MOST_ROWS = 16 };

static variant tile_of(const rhomb__tuning_row *row, int32_t symbol_bits)
{
    const variant v = {.shape = row->tile_shape,
                       .group = row->group_size,
                       .items = row->diagonals_per_item,
                       .columns = row->tile_columns,
                       .bands = row->bands_per_read,
                       .offset_bits = 32,
                       .symbol_bits = symbol_bits};
    return v;
}

static variant sweep_of(const rhomb__tuning_row *row, int32_t symbol_bits)
{
    const variant v = SWEEP(row->sweep_group_size, row->sweep_lanes, symbol_bits,
                            row->words_per_item, row->blocks_per_launch, 2, 0);
    return v;
}

static bool equal(const variant *x, const variant *y)
{
    return x->shape == y->shape && x->group == y->group && x->items == y->items &&
           x->columns == y->columns && x->bands == y->bands && x->symbol_bits == y->symbol_bits &&
           x->lanes == y->lanes && x->words == y->words && x->blocks == y->blocks;
}

/* Rows that share a tile or a sweep are one variant. */
static size_t list_rows(variant *list)
{
    size_t rows = 0, count = 0;
    const rhomb__tuning_row *row = rhomb__tuning_rows(&rows);
    assert(rows <= MOST_ROWS);
    for (size_t i = 0; i < 2 * rows * WIDTHS; i++) {
        const rhomb__tuning_row *from = &row[i / 2 / WIDTHS];
        const int32_t symbol_bits = SYMBOL_BITS[i / 2 % WIDTHS];
        list[count] = i % 2 == 0 ? tile_of(from, symbol_bits) : sweep_of(from, symbol_bits);
        size_t same = 0;
        while (!equal(&list[same], &list[count]))
            same++;
        count += same == count;
    }
    return count;
}

const variant *variant_at(size_t position)
{
    static variant rows[2 * MOST_ROWS * WIDTHS + 1];
    static size_t count = 0;
    if (count == 0)
        count = list_rows(rows);
    if (position < TABLE_SIZE)
        return &TABLE[position];
    return position - TABLE_SIZE < count ? &rows[position - TABLE_SIZE] : NULL;
}

bool variant_is_sweep(const variant *v)
{
    return v->words > 0;
}

int64_t variant_diagonals(const variant *v)
{
    return variant_is_sweep(v) ? (int64_t)v->group * v->lanes * v->words * 32
                               : (int64_t)v->group * v->items;
}
