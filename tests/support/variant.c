/* SPDX-License-Identifier: MIT */
/*
 * The tunings that distances are tested with. Each is a program to build, so there are few, chosen
 * so that every legal extreme occurs: tiles of 4 to 2048 diagonals, tiles that are one diagonal
 * wider than twice their columns, items of 1 to 8, both widths of offsets, one launch per read;
 * strips of 32 to 16384 rows, in groups and in vectors, and launches that are shorter and longer
 * than a strip. Directions are no part of a program: every trapezoid is there with one and with
 * two.
 */
#include "amount.h"
#include "check.h"

#include "src/planner/profiles.h"

#include <assert.h>

#define TRAPEZOID RHOMB_TILE_TRAPEZOID
#define DIAMOND   RHOMB_TILE_DIAMOND

/* Trapezoids are listed with two directions as well. */
#define TILE(shape, group, items, columns, launches, offset_bits, planes, no_pruning)          \
    {                                                                                          \
        shape, group, items, columns, launches, offset_bits, planes, no_pruning, 1, 0, 0, 0, 0 \
    }

#define SWEEP(group, planes, words, blocks, directions, half_width)                             \
    {                                                                                           \
        RHOMB_TILE_AUTO, group, 0, 16, 0, 32, planes, false, directions, (group) == 1 ? 16 : 1, \
            words, blocks, half_width                                                           \
    }

static const variant TABLE[] = {
    /* shape, group, items, columns, launches, offset bits, planes, no pruning */
    TILE(TRAPEZOID, 1, 64, 1, 1, 32, 2, false),
    TILE(TRAPEZOID, 1, 64, 31, 2, 64, 8, false),
    TILE(TRAPEZOID, 1, 65, 32, 100, 32, 2, true),
    TILE(TRAPEZOID, 1, 100, 8, 100, 64, 3, false),
    TILE(TRAPEZOID, 2, 2, 1, 1, 32, 2, false),
    TILE(TRAPEZOID, 2, 8, 3, 2, 64, 2, false),
    TILE(TRAPEZOID, 2, 3, 2, 100, 32, 4, true),
    TILE(TRAPEZOID, 8, 1, 3, 2, 32, 8, false),
    TILE(TRAPEZOID, 8, 5, 8, 100, 32, 2, true),
    TILE(TRAPEZOID, 64, 1, 31, 100, 32, 3, false),
    TILE(TRAPEZOID, 256, 4, 64, 2, 64, 2, false),
    TILE(DIAMOND, 1, 64, 1, 1, 32, 2, true),
    TILE(DIAMOND, 1, 65, 32, 2, 32, 2, false),
    TILE(DIAMOND, 1, 100, 31, 100, 64, 8, false),
    TILE(DIAMOND, 1, 2048, 64, 100, 32, 2, false),
    TILE(DIAMOND, 2, 2, 1, 100, 32, 2, false),
    TILE(DIAMOND, 2, 3, 2, 1, 64, 4, false),
    TILE(DIAMOND, 2, 8, 3, 100, 32, 2, true),
    TILE(DIAMOND, 8, 1, 3, 2, 32, 2, false),
    TILE(DIAMOND, 8, 6, 8, 100, 64, 2, false),
    TILE(DIAMOND, 64, 2, 32, 100, 32, 3, true),
    TILE(DIAMOND, 64, 7, 64, 2, 32, 2, false),
    TILE(DIAMOND, 256, 1, 64, 100, 64, 2, false),
    TILE(DIAMOND, 256, 4, 32, 100, 32, 8, false),
    /* The bit-parallel engine: group, planes, words, blocks, directions, first band. */
    SWEEP(4, 2, 1, 2, 2, 5),
    SWEEP(4, 2, 1, 7, 1, 40),
    SWEEP(4, 3, 1, 2, 2, 3),
    SWEEP(4, 8, 1, 3, 2, 0),
    SWEEP(8, 2, 2, 5, 2, 16),
    SWEEP(32, 2, 1, 64, 2, 100),
    SWEEP(1, 2, 1, 1, 1, 0),
    SWEEP(1, 2, 1, 7, 2, 5),
    SWEEP(1, 4, 2, 2, 2, 1),
    SWEEP(1, 8, 4, 3, 1, 100),
    SWEEP(1, 2, 8, 256, 2, 5),
};
enum { TABLE_SIZE = sizeof TABLE / sizeof TABLE[0] };

static const int32_t PLANES[] = {2, 3, 4, 8};
enum { WIDTHS = sizeof PLANES / sizeof PLANES[0], MOST_ROWS = 16 };
enum { MOST_VARIANTS = 2 * TABLE_SIZE + 5 * MOST_ROWS * WIDTHS };

static variant tile_of(const rhomb__tuning_row *row, int32_t planes)
{
    const variant v = TILE(row->tile_shape, row->group_size, row->diagonals_per_item,
                           row->tile_scores, row->launches_per_read, 32, planes, false);
    return v;
}

static variant wide_tile_of(const rhomb__tuning_row *row, int32_t planes)
{
    variant v = tile_of(row, planes);
    v.group = row->wide_group_size;
    v.items = row->wide_diagonals_per_item;
    v.columns = row->wide_tile_scores;
    return v;
}

static variant sweep_of(const rhomb__tuning_row *row, int32_t planes)
{
    const variant v =
        SWEEP(row->sweep_group_size, planes, row->words_per_item, row->blocks_per_launch, 2, 0);
    return v;
}

static bool equal(const variant *x, const variant *y)
{
    return x->shape == y->shape && x->group == y->group && x->items == y->items &&
           x->columns == y->columns && x->launches == y->launches &&
           x->offset_bits == y->offset_bits && x->planes == y->planes &&
           x->no_pruning == y->no_pruning && x->directions == y->directions &&
           x->lanes == y->lanes && x->words == y->words && x->blocks == y->blocks &&
           x->half_width == y->half_width;
}

typedef struct variant_list {
    variant at[MOST_VARIANTS];
    size_t count;
} variant_list;

/* Rows that share a tile or a sweep are one variant. */
static void add(variant_list *list, variant v)
{
    for (size_t i = 0; i < list->count; i++) {
        if (equal(&list->at[i], &v))
            return;
    }
    assert(list->count < MOST_VARIANTS);
    list->at[list->count++] = v;
}

static void add_both_directions(variant_list *list, variant v)
{
    v.directions = v.shape == TRAPEZOID ? 2 : v.directions;
    add(list, v);
    v.directions = v.shape == TRAPEZOID ? 1 : v.directions;
    add(list, v);
}

/*
 * Whether a row's tile or sweep, number `which` of them, is tested with a width: all are with two
 * planes and, in turn, with one more, as what planes mean to a kernel is the same in all shapes.
 */
static bool takes(size_t which, size_t width)
{
    return width == 0 || width == 1 + which % (WIDTHS - 1);
}

static void list_all(variant_list *list)
{
    size_t rows = 0;
    const rhomb__tuning_row *row = rhomb__tuning_rows(&rows);
    assert(rows <= MOST_ROWS);
    for (size_t i = 0; i < TABLE_SIZE; i++)
        add_both_directions(list, TABLE[i]);
    for (size_t i = 0; i < rows * WIDTHS; i++) {
        const size_t r = i / WIDTHS, width = i % WIDTHS;
        if (takes(r, width))
            add_both_directions(list, tile_of(&row[r], PLANES[width]));
        if (row[r].wide_group_size > 0 && takes(r + 1, width))
            add_both_directions(list, wide_tile_of(&row[r], PLANES[width]));
        if (takes(r + 2, width))
            add(list, sweep_of(&row[r], PLANES[width]));
    }
}

/* What tests tell variants apart by: the widths of symbols, engines, and what long pairs take. */
static bool alike(const variant *x, const variant *y)
{
    return x->planes == y->planes && x->shape == y->shape &&
           variant_is_sweep(x) == variant_is_sweep(y) && variant_is_long(x) == variant_is_long(y);
}

/* A share of all, by neighbours, which mostly are one program, and the first one of each kind. */
static void list_share(variant_list *list)
{
    variant_list all = {.count = 0};
    list_all(&all);
    for (size_t i = 0; i < all.count; i++) {
        bool first = true;
        for (size_t k = 0; first && k < i; k++)
            first = !alike(&all.at[k], &all.at[i]);
        if (first || amount_takes((int64_t)(i / 2)))
            list->at[list->count++] = all.at[i];
    }
}

const variant *variant_at(size_t position)
{
    static variant_list list;
    if (list.count == 0)
        list_share(&list);
    return position < list.count ? &list.at[position] : NULL;
}

/* All bytes that a C string can have. */
static const char *every_byte(void)
{
    static char bytes[256];
    for (int byte = 1; byte < 256; byte++)
        bytes[byte - 1] = (char)(unsigned char)byte;
    return bytes;
}

const char *variant_letters(const variant *v, rhomb_alphabet *alphabet)
{
    *alphabet = v->planes > 4 ? RHOMB_ALPHABET_BYTES : RHOMB_ALPHABET_DNA;
    return v->planes > 4    ? every_byte()
           : v->planes == 4 ? "ACGTNRYSWKMBDHV"
           : v->planes == 3 ? "ACGTN"
                            : "ACGT";
}

bool variant_is_sweep(const variant *v)
{
    return v->words > 0;
}

bool variant_is_long(const variant *v)
{
    return variant_diagonals(v) >= 256 && !v->no_pruning;
}

int64_t variant_diagonals(const variant *v)
{
    return variant_is_sweep(v) ? (int64_t)v->group * v->lanes * v->words * 32
                               : (int64_t)v->group * v->items;
}
