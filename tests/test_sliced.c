/* SPDX-License-Identifier: MIT */
/*
 * The bit-sliced step as the host knows it (src/strips/sliced.h): the planes that costs take, the
 * differences and savings of rows in planes, and gaps that go on, against loops over single rows
 * and bases.
 */
#include "src/base/int64.h"
#include "src/strips/sliced.h"
#include "support/cost_sets.h"
#include "support/test.h"

/* The bits of a number. */
static int bits_of(int64_t n)
{
    int bits = 0;
    while (n >> bits > 0)
        bits++;
    return bits;
}

/* Numbers up to two gaps of a base for differences, and up to an opening for what is saved. */
static void test_planes(void **state)
{
    for (int64_t i = 0; i < 20000; i++) {
        rng r = rng_for("planes", i);
        const rhomb__costs c = random_costs(&r, INT64_C(1) << rng_between(&r, 0, 13));
        const rhomb__slices planes = rhomb__sliced_planes(&c);
        const int u = bits_of(2 * (c.open[0] + c.extend[0])), x = bits_of(c.open[0]);
        const int x2 = c.pieces == 2 ? bits_of(c.open[1]) : 0;
        assert_int_equal(planes.u, u);
        assert_int_equal(planes.saves[0], x);
        assert_int_equal(planes.saves[1], x2);
        assert_int_equal(rhomb__sliced_state_words(&c), 2 * (u + x + x2));
        assert_int_equal(rhomb__sliced_border_words(&c), (u + x + x2 + 1) / 2);
    }
}

/* The largest numbers that are allowed, and one more. */
static void test_can(void **state)
{
    rhomb__costs c = {.mismatch = 1, .pieces = 1, .open = {32766, 0}, .extend = {1, 0}};
    assert_true(rhomb__sliced_can(&c));
    assert_int_equal(rhomb__sliced_planes(&c).u, 16);
    c.extend[0] = 2;
    assert_false(rhomb__sliced_can(&c));
    c.open[0] = 0;
    c.extend[0] = 32767;
    assert_true(rhomb__sliced_can(&c));
    c.open[1] = 32768; /* of a second piece that is not there */
    assert_true(rhomb__sliced_can(&c));
    c.pieces = 2;
    c.extend[1] = 1;
    assert_false(rhomb__sliced_can(&c));
    c.open[1] = 32767;
    assert_true(rhomb__sliced_can(&c));
    c.extend[0] = 32768;
    assert_false(rhomb__sliced_can(&c));
}

enum { WORDS = 4, ROWS = 32 * WORDS };

/* Rows with any numbers, and their state in planes; what the host does not read is anything. */
typedef struct rows_of_numbers {
    rhomb__costs costs;
    int64_t growth[ROWS];
    int64_t saves[2][ROWS];
    uint32_t *state;
} rows_of_numbers;

static void put_number(uint32_t *words, int64_t bit, int planes, int64_t number)
{
    for (int k = 0; k < planes; k++) {
        words[k] &= ~(UINT32_C(1) << bit);
        words[k] |= (uint32_t)(number >> k & 1) << bit;
    }
}

static void make_rows(rows_of_numbers *n, rng *r)
{
    const rhomb__costs *c = &n->costs;
    n->costs = random_costs(r, INT64_C(1) << rng_between(r, 0, 12));
    const rhomb__slices planes = rhomb__sliced_planes(c);
    const int64_t pitch = rhomb__sliced_state_words(c), first = c->open[0] + c->extend[0];
    const size_t bytes = (size_t)(WORDS * pitch) * sizeof *n->state; /* of just the size */
    n->state = malloc(bytes);
    assert_non_null(n->state);
    memset(n->state, 0x5a, bytes);
    for (int64_t row = 0; row < ROWS; row++) {
        uint32_t *words = &n->state[row / 32 * pitch];
        n->growth[row] = rng_between(r, -first, first);
        put_number(words, row % 32, planes.u, first - n->growth[row]);
        words += planes.u;
        for (int piece = 0; piece < c->pieces; piece++) {
            n->saves[piece][row] = rng_between(r, 0, c->open[piece]);
            put_number(words, row % 32, planes.saves[piece], n->saves[piece][row]);
            words += planes.saves[piece];
        }
    }
}

static void test_rows(void **state)
{
    for (int64_t i = 0; i < 500; i++) {
        rng r = rng_for("rows", i);
        rows_of_numbers n;
        make_rows(&n, &r);
        const rhomb__sliced_rows rows = rhomb__sliced_rows_of(&n.costs, n.state);
        for (int64_t row = 0; row < ROWS; row++) {
            for (int piece = 0; piece < n.costs.pieces; piece++)
                assert_true(rhomb__sliced_saves(&rows, row, piece) == n.saves[piece][row]);
        }
        for (int k = 0; k < 100; k++) {
            const int64_t from = rng_between(&r, 0, ROWS);
            const int64_t count = rng_between(&r, 0, ROWS - from);
            int64_t sum = 0;
            for (int64_t row = from; row < from + count; row++)
                sum += n.growth[row];
            assert_true(rhomb__sliced_growth(&rows, from, count) == sum);
        }
        free(n.state);
    }
}

/*
 * A gap that goes on, base by base: with a piece that is open, or a new one. Pieces of the same gap
 * may take turns, which never is better than the best one alone.
 */
static void test_runs(void **state)
{
    for (int64_t i = 0; i < 5000; i++) {
        rng r = rng_for("runs", i);
        const rhomb__costs c = random_costs(&r, 60);
        int32_t saves[2] = {0, 0}, after[2];
        int64_t any = 0, open[2];
        for (int piece = 0; piece < c.pieces; piece++) {
            saves[piece] = (int32_t)rng_between(&r, 0, c.open[piece]);
            open[piece] = c.open[piece] - saves[piece]; /* the cost before the first base */
        }
        for (int64_t bases = 0; bases < 100; bases++) {
            assert_true(rhomb__sliced_run_on(&c, saves, bases) == any);
            rhomb__sliced_run_saves(&c, saves, bases, after);
            for (int piece = 0; piece < 2; piece++) {
                const int64_t saved =
                    piece < c.pieces ? rhomb__max(any + c.open[piece] - open[piece], 0) : 0;
                assert_true(after[piece] == saved);
            }
            int64_t next = INT64_MAX;
            for (int piece = 0; piece < c.pieces; piece++) {
                open[piece] = rhomb__min(open[piece], any + c.open[piece]) + c.extend[piece];
                next = rhomb__min(next, open[piece]);
            }
            any = next;
        }
    }
}

/* More planes are more work, and few of a short form less. */
static void test_operations(void **state)
{
    const rhomb__costs edit = rhomb__costs_edit();
    rhomb__costs c = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const double few = rhomb__sliced_operations(&c, 2, 1);
    assert_true(rhomb__sliced_operations(&edit, 2, 1) < few);
    assert_true(rhomb__sliced_operations(&c, 8, 1) == few + 12);
    assert_true(rhomb__sliced_operations(&c, 2, 2) < few);
    assert_true(rhomb__sweep_rate(17e9, &c, 2, 1) == 17e9 * 17 / few);
    assert_true(rhomb__sweep_rate(17e9, NULL, 2, 1) == 17e9);
    assert_true(rhomb__sweep_rate(17e9, NULL, 19, 1) == 8.5e9);
    c.mismatch = 3;
    const double more = rhomb__sliced_operations(&c, 2, 1);
    assert_true(more > few);
    c.extend[0] = 2;
    assert_true(rhomb__sliced_operations(&c, 2, 1) >= more);
    c.pieces = 2;
    c.open[1] = 9;
    c.extend[1] = 1;
    assert_true(rhomb__sliced_operations(&c, 2, 1) > more * 3 / 2);
}

TEST_MAIN(test_planes, test_can, test_rows, test_runs, test_operations)
