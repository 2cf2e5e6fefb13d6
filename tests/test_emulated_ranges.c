/* SPDX-License-Identifier: MIT */
/*
 * Rows and columns that cl/common/pack.cl makes out of ranges of a packed pair, as host code
 * (emu/), so that the sanitizers see every access: each bit is that of the base that the engine
 * would have packed there for the range alone, and 0 outside of it. Buffers have just the sizes
 * that src/strips/strips_many.h says.
 */
#include "emu/emu_packed.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/strips/strips_many.h"
#include "support/guard.h"
#include "support/rng.h"
#include "support/test.h"

enum { LONGEST = 1500, MOST_SHARES = 6 };

/* A sequence of codes, which are their own bytes, and packed in two copies. */
typedef struct sequence {
    int64_t length;
    unsigned char codes[LONGEST];
    uint32_t *packed;
} sequence;

typedef struct setting {
    int32_t planes;
    sequence target;
    sequence query;
    int64_t count;
    rhomb__sweep_share shares[MOST_SHARES];
    rhomb__share_side columns_from[MOST_SHARES];
    rhomb__share_side rows_from[MOST_SHARES];
    rhomb__sweep_totals totals;
    rhomb_pack_range ranges[4 * MOST_SHARES]; /* of rows, then of columns */
} setting;

static void make_sequence(sequence *s, int32_t planes, rng *r)
{
    unsigned char table[256];
    for (int code = 0; code < 256; code++)
        table[code] = (unsigned char)code;
    s->length = rng_between(r, 40, LONGEST);
    for (int64_t i = 0; i < s->length; i++)
        s->codes[i] = (unsigned char)rng_below(r, INT64_C(1) << planes);
    const rhomb__packing packing = rhomb__packing_windows(s->length, planes, 2);
    s->packed = emulated_pack_sequence(&packing, s->codes, s->length, table, INT64_MAX);
    assert_non_null(s->packed);
}

/* A range of a sequence, at its ends now and then. */
static rhomb__share_side random_side(const sequence *s, bool from_query, int64_t least,
                                     int32_t planes, rng *r)
{
    const int64_t copy_bytes = rhomb__packed_bytes(s->length, planes);
    rhomb__share_side side = {.from_query = from_query,
                              .whole = s->length,
                              .copy_symbols =
                                  copy_bytes / rhomb__unit_bytes(planes) * RHOMB_WORD_SYMBOLS,
                              .length = rng_between(r, least, s->length)};
    side.at = rng_chance(r, 0.2)   ? 0
              : rng_chance(r, 0.2) ? s->length - side.length
                                   : rng_between(r, 0, s->length - side.length);
    return side;
}

/* Swapped or not, from two blocks in all on, with strips that are larger than a range or not. */
static void make_setting(setting *s, rng *r)
{
    static const int32_t PLANES[] = {2, 3, 8};
    const rhomb__strip_shape shape = {
        .items = rng_between(r, 1, 16), .words = rng_between(r, 1, 3), .lag = 1, .steps = 4};
    s->planes = PLANES[rng_below(r, 3)];
    make_sequence(&s->target, s->planes, r);
    make_sequence(&s->query, s->planes, r);
    s->count = rng_between(r, 1, MOST_SHARES);
    for (int64_t i = 0; i < s->count; i++) {
        const bool swapped = rng_chance(r, 0.5);
        const sequence *columns = swapped ? &s->query : &s->target;
        const sequence *rows = swapped ? &s->target : &s->query;
        s->columns_from[i] = random_side(columns, swapped, 17, s->planes, r);
        s->rows_from[i] = random_side(rows, !swapped, 1, s->planes, r);
        s->shares[i].sweep =
            rhomb__sweep_make(s->columns_from[i].length, s->rows_from[i].length, &shape, 2);
    }
    s->totals = rhomb__shares_lay_out(s->shares, s->count);
    for (int64_t i = 0; i < s->count; i++)
        rhomb__share_ranges(&s->shares[i], &s->columns_from[i], &s->rows_from[i], &s->ranges[2 * i],
                            &s->ranges[2 * (s->count + i)]);
}

/* Bit `plane` of base `at` of a range, which may be outside of it. */
static unsigned plane_of(const setting *s, const rhomb__share_side *side, int64_t at, int plane)
{
    const sequence *from = side->from_query ? &s->query : &s->target;
    return at >= 0 && at < side->length ? from->codes[side->at + at] >> plane & 1u : 0;
}

/* All rows of share i: row r of the forward sweep, and rows - 1 - r of the backward one. */
static void check_rows(const setting *s, int64_t i, const uint32_t *rows)
{
    const rhomb__sweep_share *share = &s->shares[i];
    const rhomb__sweep *sweep = &share->sweep;
    const int64_t padded = sweep->strips * sweep->strip_rows;
    const uint32_t *word = rows + share->first_item * sweep->shape.words * s->planes;
    for (int64_t r = 0; r < 2 * padded; r++) {
        const int64_t row = r % padded, at = r < padded ? row : sweep->rows - 1 - row;
        for (int plane = 0; plane < s->planes; plane++)
            assert_true((word[r / RHOMB__WORD_ROWS * s->planes + plane] >> (r % RHOMB__WORD_ROWS) &
                         1u) == plane_of(s, &s->rows_from[i], at, plane));
    }
}

static void check_columns(const setting *s, int64_t i, const uint16_t *columns)
{
    const rhomb__sweep_share *share = &s->shares[i];
    const rhomb__sweep *sweep = &share->sweep;
    const int64_t middle = sweep->blocks[0] * RHOMB__BLOCK_COLUMNS;
    const uint16_t *block = columns + share->first_block * s->planes;
    for (int64_t c = 0; c < sweep->columns; c++) {
        const int64_t at = c < middle ? c : sweep->columns - 1 - (c - middle);
        for (int plane = 0; plane < s->planes; plane++)
            assert_true((block[c / RHOMB__BLOCK_COLUMNS * s->planes + plane] >>
                             (15 - c % RHOMB__BLOCK_COLUMNS) &
                         1u) == plane_of(s, &s->columns_from[i], at, plane));
    }
}

static void check_setting(const setting *s)
{
    const int64_t words = s->totals.items * s->shares[0].sweep.shape.words;
    emulated_range_arguments a = {.target = s->target.packed,
                                  .query = s->query.packed,
                                  .ranges = s->ranges,
                                  .packed = filled_memory(words * 4 * s->planes, 1),
                                  .count = 2 * s->count,
                                  .units = words,
                                  .planes = s->planes};
    emulated_pack_ranges(PACK_ROWS, &a);
    for (int64_t i = 0; i < s->count; i++)
        check_rows(s, i, a.packed);
    free(a.packed);
    a.packed = filled_memory(s->totals.blocks * 2 * s->planes, 1);
    a.first_range = 2 * s->count;
    a.units = s->totals.blocks;
    emulated_pack_ranges(PACK_COLUMNS, &a);
    for (int64_t i = 0; i < s->count; i++)
        check_columns(s, i, a.packed);
    free(a.packed);
}

static void test_ranges(void **state)
{
    for (int64_t number = 0; number < 300; number++) {
        rng r = rng_for("emulated_ranges", number);
        setting s;
        make_setting(&s, &r);
        check_setting(&s);
        free(s.target.packed);
        free(s.query.packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests_name("emulated_ranges", tests, NULL, NULL);
}
