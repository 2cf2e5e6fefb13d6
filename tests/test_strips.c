/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine, by simulation: which cells the strips of a band have,
 * and, launch by launch, which block of the row above each strip reads and which it writes in its
 * place, so that nothing is read before an earlier launch wrote it or after it was overwritten.
 * And the score: strips of a plain dynamic program, of any band and both directions, give the sums
 * and the differences from which rhomb__sweep_cost() has to find the least cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/int64.h"
#include "src/strips.h"
#include "support/oracle.h"
#include "support/pair.h"
#include "support/rng.h"

/* Largest sizes: letters of a sequence, strips of both directions, vertices of a row or column. */
enum { LONGEST = 300, MOST_STRIPS = 2 * 12, MOST_BLOCKS = 32, SIDE = LONGEST + 160 };

/* A sweep, its band, and what it was made from. */
typedef struct setting {
    int64_t n; /* the target's length */
    int64_t m; /* the query's */
    int64_t items;
    int64_t words;
    int64_t steps;
    int directions;
    int64_t beside;
    rhomb__sweep sweep;
    rhomb_strip strips[MOST_STRIPS];
    int64_t launches;
} setting;

static void fail_at(const setting *s, const char *what, int64_t direction, int64_t strip)
{
    fail_msg("%s: strip %lld of direction %lld; target %lld, query %lld, %lld items of %lld words, "
             "%lld steps a launch, %d directions, %lld diagonals beside",
             what, (long long)strip, (long long)direction, (long long)s->n, (long long)s->m,
             (long long)s->items, (long long)s->words, (long long)s->steps, s->directions,
             (long long)s->beside);
}

static void make_band(setting *s, int64_t beside)
{
    s->beside = beside;
    s->launches = rhomb__sweep_band(&s->sweep, beside, s->strips);
}

static void make_sweep(setting *s)
{
    s->sweep = rhomb__sweep_make(s->n, s->m, s->items, s->words, s->steps, s->directions);
    assert_true(2 * s->sweep.strips <= MOST_STRIPS);
}

/* Lengths near the edges of blocks and words, or any. */
static int64_t random_length(rng *r)
{
    const int64_t length = rng_chance(r, 0.5)
                               ? 16 * rng_between(r, 0, LONGEST / 16) + rng_between(r, -2, 2)
                               : rng_between(r, 1, LONGEST);
    return rhomb__min(rhomb__max(length, 1), LONGEST);
}

static setting random_setting(rng *r)
{
    setting s = {.n = random_length(r), .items = 1, .words = 1};
    s.m = rng_chance(r, 0.5) ? random_length(r)
                             : rhomb__max(1, rhomb__min(s.n + rng_between(r, -20, 20), LONGEST));
    if (rng_chance(r, 0.7))
        s.items = rng_between(r, 1, 5);
    if (rng_chance(r, 0.3))
        s.words = rng_between(r, 1, 3);
    s.steps = rng_between(r, 1, rng_chance(r, 0.5) ? 4 : 40);
    s.directions = (int)rng_between(r, 1, 2);
    make_sweep(&s);
    make_band(&s, rng_chance(r, 0.5) ? rng_between(r, 0, 20) : rng_between(r, 0, LONGEST));
    return s;
}

/* ---------------------------------------------------------------- the band */

static void check_sizes(const setting *s)
{
    const rhomb__sweep *w = &s->sweep;
    const int64_t forward = w->blocks[0], backward = w->blocks[1];
    assert_true(w->columns >= s->n && w->columns < s->n + RHOMB__BLOCK_COLUMNS);
    assert_true(w->rows - s->m == w->columns - s->n);
    assert_true((forward + backward) * RHOMB__BLOCK_COLUMNS == w->columns);
    if (s->directions == 1)
        assert_true(backward == 0);
    else
        assert_true(forward - backward == 0 || forward - backward == 1);
    assert_true(w->strip_rows == s->items * s->words * RHOMB__WORD_ROWS);
    assert_true(w->strips * w->strip_rows >= w->rows);
    assert_true((w->strips - 1) * w->strip_rows < w->rows);
}

/* The blocks of one strip against those that the band's cells have in its rows. */
static void check_cells(const setting *s, int64_t direction, int64_t g)
{
    const rhomb__sweep *w = &s->sweep;
    const rhomb_strip *strip = &s->strips[2 * g + direction];
    const int64_t diagonal = w->columns - w->rows;
    const int64_t low = rhomb__min(diagonal, 0) - s->beside;
    const int64_t high = rhomb__max(diagonal, 0) + s->beside;
    const int64_t offset = direction * w->blocks[0], end = offset + w->blocks[direction];
    const int64_t columns = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
    int64_t least = columns, most = -1; /* columns of cells, from 0 on */
    for (int64_t i = g * w->strip_rows; i < rhomb__min((g + 1) * w->strip_rows, w->rows); i++) {
        /* The cell right of the vertex (i, i + low), to the one left of (i + 1, i + 1 + high). */
        least = rhomb__min(least, rhomb__max(i + low, 0));
        most = rhomb__max(most, rhomb__min(i + high, columns - 1));
    }
    if (strip->first_block < offset || strip->end_block > end ||
        strip->end_block < strip->first_block)
        fail_at(s, "blocks outside of the direction's", direction, g);
    if (least > most ? strip->end_block > strip->first_block
                     : strip->first_block != offset + least / RHOMB__BLOCK_COLUMNS ||
                           strip->end_block != offset + most / RHOMB__BLOCK_COLUMNS + 1)
        fail_at(s, "not the blocks of the band's cells", direction, g);
}

static void check_order(const setting *s, int64_t direction, int64_t g)
{
    const rhomb_strip *strip = &s->strips[2 * g + direction];
    if (strip->first_item != (direction * s->sweep.strips + g) * s->items)
        fail_at(s, "not its own rows", direction, g);
    if (strip->top_sum != 0 || strip->bottom_sum != 0)
        fail_at(s, "sums do not begin with 0", direction, g);
    if (g == 0) {
        if (strip->above_end_block > direction * s->sweep.blocks[0])
            fail_at(s, "something above the first strip", direction, g);
        return;
    }
    const rhomb_strip *above = strip - 2;
    if (strip->first_block < above->first_block || strip->end_block < above->end_block)
        fail_at(s, "goes left", direction, g);
    if (strip->first_block > above->end_block)
        fail_at(s, "does not touch the strip above", direction, g);
    if (strip->above_end_block != above->end_block || above->score_end_block != strip->first_block)
        fail_at(s, "does not know its neighbour", direction, g);
}

static void check_band(const setting *s)
{
    check_sizes(s);
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        if (s->sweep.blocks[i % 2] == 0 && s->strips[i].first_block != s->strips[i].end_block)
            fail_at(s, "blocks in a direction without any", i % 2, i / 2);
        check_cells(s, i % 2, i / 2);
        check_order(s, i % 2, i / 2);
    }
}

/* ---------------------------------------------------------------- launches */

/* What the simulation knows of a block of the row that strips hand on. */
typedef struct handed {
    int64_t writer; /* the strip that wrote it last, or -1 */
    int64_t launch; /* in which it did */
    bool read;      /* by the strip below */
} handed;

typedef struct simulation {
    const setting *s;
    handed row[MOST_BLOCKS];
    int64_t shared[MOST_STRIPS];     /* blocks that a strip has read from the one above */
    int64_t least_wait[MOST_STRIPS]; /* launches from a write to its reading, at least */
    int64_t launches[MOST_STRIPS];   /* in which a strip has had steps to do */
    int64_t blocks;                  /* of all strips that are done */
} simulation;

/* The first step of a strip in a launch, or -1 when it has none to do: as the kernel decides. */
static int64_t first_step(const setting *s, int64_t i, int64_t launch)
{
    const rhomb_strip *strip = &s->strips[i];
    const int64_t blocks = strip->end_block - strip->first_block;
    const int64_t step = (launch - strip->first_launch) * s->steps;
    return step >= 0 && blocks > 0 && step < blocks + s->items - 1 ? step : -1;
}

static void read_above(simulation *sim, int64_t i, int64_t block, int64_t launch)
{
    handed *h = &sim->row[block];
    if (block >= sim->s->strips[i].above_end_block)
        return;
    if (h->writer != i - 2)
        fail_at(sim->s, "reads what the strip above has not written", i % 2, i / 2);
    if (h->launch >= launch)
        fail_at(sim->s, "reads what the same launch writes", i % 2, i / 2);
    h->read = true;
    sim->shared[i]++;
    sim->least_wait[i] = rhomb__min(sim->least_wait[i], launch - h->launch);
}

static void write_below(simulation *sim, int64_t i, int64_t block, int64_t launch)
{
    handed *h = &sim->row[block];
    if (h->writer >= 0 && (h->writer != i - 2 || !h->read))
        fail_at(sim->s, "overwrites what was not read", i % 2, i / 2);
    *h = (handed){i, launch, false};
    sim->blocks++;
}

static void run_strip(simulation *sim, int64_t i, int64_t launch)
{
    const setting *s = sim->s;
    const rhomb_strip *strip = &s->strips[i];
    const int64_t step = first_step(s, i, launch);
    if (step < 0)
        return;
    sim->launches[i]++;
    for (int64_t t = step; t < step + s->steps; t++) {
        const int64_t top = strip->first_block + t, bottom = top - (s->items - 1);
        if (top < strip->end_block)
            read_above(sim, i, top, launch);
        if (bottom >= strip->first_block && bottom < strip->end_block)
            write_below(sim, i, bottom, launch);
    }
}

/* Strips outside of [first, end) have nothing to do, and those at either end are under way. */
static void check_active(const setting *s, int64_t first, int64_t end, int64_t launch)
{
    bool any[2] = {false, false};
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        const bool outside = i / 2 < first || i / 2 >= end;
        if (outside && first_step(s, i, launch) >= 0)
            fail_at(s, "is left out of a launch", i % 2, i / 2);
        if (outside || first == end)
            continue;
        const int64_t last =
            s->strips[i].first_launch + rhomb__sweep_launches(&s->sweep, &s->strips[i]) - 1;
        any[0] |= i / 2 == first && last >= launch;
        any[1] |= i / 2 == end - 1 && last >= s->strips[i].first_launch &&
                  s->strips[i].first_launch <= launch;
    }
    if (first < end && !(any[0] && any[1]))
        fail_at(s, "is launched for nothing", 0, any[0] ? end - 1 : first);
}

static void check_launches(const setting *s)
{
    simulation sim = {.s = s};
    int64_t first = 0, end = 0, last = 0;
    for (int64_t b = 0; b < MOST_BLOCKS; b++)
        sim.row[b].writer = -1;
    for (int64_t i = 0; i < MOST_STRIPS; i++)
        sim.least_wait[i] = INT64_MAX;
    for (int64_t launch = 0; launch < s->launches; launch++) {
        const int64_t first_before = first, end_before = end;
        rhomb__sweep_active(&s->sweep, s->strips, launch, &first, &end);
        assert_true(first_before <= first && first <= end);
        assert_true(end_before <= end && end <= s->sweep.strips);
        check_active(s, first, end, launch);
        for (int64_t i = 2 * end - 1; i >= 2 * first; i--) {
            run_strip(&sim, i, launch);
            last = first_step(s, i, launch) >= 0 ? launch : last;
        }
    }
    if (last != s->launches - 1)
        fail_at(s, "launches at the end without work", 0, 0);
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        blocks += s->strips[i].end_block - s->strips[i].first_block;
        if (sim.launches[i] != rhomb__sweep_launches(&s->sweep, &s->strips[i]))
            fail_at(s, "takes another number of launches", i % 2, i / 2);
        /* Steps of all remainders were shared: then a launch earlier is too early. */
        if (sim.shared[i] >= s->steps && sim.least_wait[i] != 1)
            fail_at(s, "waits longer than it has to", i % 2, i / 2);
    }
    if (sim.blocks != blocks)
        fail_at(s, "blocks are missing when all launches are done", 0, 0);
    assert_true(rhomb__sweep_cells(&s->sweep, s->strips) ==
                blocks * RHOMB__BLOCK_COLUMNS * s->sweep.strip_rows);
}

static void test_bands(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 20000; i++) {
        rng r = rng_for("bands", i);
        const setting s = random_setting(&r);
        check_band(&s);
        check_launches(&s);
    }
}

/* Few rows and columns, all of them. */
static void test_small_bands(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 70 * 70; i++) {
        setting s = {.n = i % 70 + 1, .m = i / 70 + 1, .items = i % 3 + 1, .words = 1};
        for (int64_t k = 0; k < 8; k++) {
            s.directions = k % 2 == 0 ? 1 : 2;
            s.steps = k / 2 + 1;
            make_sweep(&s);
            make_band(&s, k * (i % 5));
            check_band(&s);
            check_launches(&s);
        }
    }
}

/* A path that leaves by d diagonals and comes back costs 2 d more than the end diagonal does. */
static void test_beside(void **state)
{
    (void)state;
    for (int64_t end = -9; end <= 9; end++) {
        for (int64_t bound = llabs(end); bound <= 40; bound++) {
            int64_t most = 0;
            while (llabs(end) + 2 * (most + 1) <= bound)
                most++;
            assert_true(rhomb__sweep_beside(end, bound) == most);
        }
    }
}

/* --------------------------------------------------------------- the score */

/* A strip's share of a dynamic program, vertex by vertex. Rows and columns are those of a sweep. */
typedef struct matrix {
    int64_t value[SIDE][SIDE];
} matrix;

/* Symbol `at` of a padded sequence, read from either end; rows below the last one equal nothing. */
static int symbol(const letters *s, int64_t padded, int64_t direction, int64_t at)
{
    const int64_t place = direction == 0 ? at : padded - 1 - at;
    if (at >= padded)
        return -1;
    return place < s->length ? (unsigned char)s->at[place] : 0;
}

/* What cl/bitparallel.cl computes of a strip, a vertex at a time. */
static void fill_strip(const setting *s, const pair *p, int64_t i, matrix *v)
{
    const rhomb__sweep *w = &s->sweep;
    const rhomb_strip *strip = &s->strips[i];
    const int64_t direction = i % 2, offset = direction * w->blocks[0];
    const int64_t top = i / 2 * w->strip_rows, bottom = top + w->strip_rows;
    const int64_t left = (strip->first_block - offset) * RHOMB__BLOCK_COLUMNS;
    const int64_t right = (strip->end_block - offset) * RHOMB__BLOCK_COLUMNS;
    const int64_t known = (strip->above_end_block - offset) * RHOMB__BLOCK_COLUMNS;
    if (top == 0)
        v->value[0][left] = 0;
    for (int64_t c = rhomb__max(known, left) + 1; c <= right; c++)
        v->value[top][c] = v->value[top][c - 1] + 1;
    for (int64_t row = top + 1; row <= bottom; row++) {
        const int letter = symbol(&p->b, w->rows, direction, row - 1);
        v->value[row][left] = v->value[row - 1][left] + 1;
        for (int64_t c = left + 1; c <= right; c++) {
            const int differs = letter != symbol(&p->a, w->columns, direction, c - 1);
            const int64_t side = rhomb__min(v->value[row - 1][c], v->value[row][c - 1]);
            v->value[row][c] = rhomb__min(v->value[row - 1][c - 1] + differs, side + 1);
        }
    }
}

/* The sums and the differences that the kernel leaves behind for a strip. */
static void read_strip(setting *s, int64_t i, const matrix *v, uint32_t *down)
{
    const rhomb__sweep *w = &s->sweep;
    rhomb_strip *strip = &s->strips[i];
    const int64_t offset = i % 2 * w->blocks[0];
    const int64_t top = i / 2 * w->strip_rows, bottom = top + w->strip_rows;
    const int64_t left = (strip->first_block - offset) * RHOMB__BLOCK_COLUMNS;
    const int64_t right = (strip->end_block - offset) * RHOMB__BLOCK_COLUMNS;
    const int64_t score_end = (strip->score_end_block - offset) * RHOMB__BLOCK_COLUMNS;
    strip->top_sum = v->value[top][right] - v->value[top][left];
    if (score_end > left)
        strip->bottom_sum = v->value[bottom][score_end] - v->value[bottom][left];
    for (int64_t row = top; row < bottom; row++) {
        const int64_t word = i * w->strip_rows / RHOMB__WORD_ROWS + (row - top) / RHOMB__WORD_ROWS;
        const int64_t difference = v->value[row + 1][right] - v->value[row][right];
        const int64_t bit = row % RHOMB__WORD_ROWS;
        down[2 * word] |= (uint32_t)(difference == 1) << bit;
        down[2 * word + 1] |= (uint32_t)(difference == -1) << bit;
    }
}

/* What it costs to get to each row of the middle column; -1 where the band has none. */
static void middle_costs(const setting *s, int64_t direction, const matrix *v, int64_t *cost)
{
    const rhomb__sweep *w = &s->sweep;
    const int64_t columns = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
    for (int64_t row = 0; row <= w->rows; row++)
        cost[row] = columns == 0 ? row : -1;
    for (int64_t g = 0; columns > 0 && g < w->strips; g++) {
        const rhomb_strip *strip = &s->strips[2 * g + direction];
        const int64_t end = w->blocks[0] + direction * w->blocks[1];
        if (strip->end_block < end || strip->first_block == end)
            continue;
        for (int64_t row = g * w->strip_rows; row <= rhomb__min((g + 1) * w->strip_rows, w->rows);
             row++)
            cost[row] = v->value[row][columns];
    }
}

/* Sweeps a band by the plain program; the score that its costs give, and the function's. */
static int64_t check_score(setting *s, const pair *p, int64_t beside)
{
    static matrix v[2];
    static int64_t cost[2][SIDE];
    const rhomb__sweep *w = &s->sweep;
    const int64_t strip_words = w->strip_rows / RHOMB__WORD_ROWS;
    uint32_t *down = calloc((size_t)(2 * w->strips * strip_words), 2 * sizeof *down);
    int64_t expected = INT64_MAX;
    assert_non_null(down);
    make_band(s, beside);
    for (int64_t i = 0; i < 2 * w->strips; i++) {
        if (s->strips[i].first_block == s->strips[i].end_block) {
            /* Nobody may look at them. */
            memset(&down[2 * i * strip_words], 0x5a, (size_t)strip_words * 2 * sizeof *down);
            continue;
        }
        fill_strip(s, p, i, &v[i % 2]);
        read_strip(s, i, &v[i % 2], down);
    }
    for (int64_t direction = 0; direction < 2; direction++)
        middle_costs(s, direction, &v[direction], cost[direction]);
    for (int64_t row = 0; row <= w->rows; row++) {
        const int64_t from = cost[0][row], to = cost[1][w->rows - row];
        if (from >= 0 && to >= 0)
            expected = rhomb__min(expected, from + to);
    }
    const int64_t found = rhomb__sweep_cost(w, s->strips, down);
    free(down);
    if (found != expected)
        fail_msg("a sweep that costs %lld is said to cost %lld: target %lld, query %lld, strips of "
                 "%lld rows, %d directions, %lld diagonals beside",
                 (long long)expected, (long long)found, (long long)s->n, (long long)s->m,
                 (long long)w->strip_rows, s->directions, (long long)beside);
    return found;
}

static void random_pair(rng *r, pair *p)
{
    const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                .length = rng_between(r, 1, LONGEST - 100),
                                .error_rate = (double)rng_below(r, 40) / 100,
                                .spacing = rng_between(r, 1, 40),
                                .longest_indel = rng_between(r, 1, 60),
                                .alphabet = rng_chance(r, 0.3) ? "AC" : "ACGTN"};
    pair_make(&recipe, r, p);
}

static void test_scores(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t poor = 0;
    (void)state;
    for (int64_t i = 0; i < 400; i++) {
        rng r = rng_for("scores", i);
        random_pair(&r, &p);
        if (p.a.length == 0 || p.b.length == 0 || rhomb__max(p.a.length, p.b.length) > LONGEST)
            continue;
        setting s = {.n = p.a.length, .m = p.b.length, .steps = 1};
        s.items = s.words = 1;
        if (rng_chance(&r, 0.5))
            s.items = rng_between(&r, 1, 3);
        if (rng_chance(&r, 0.3))
            s.words = rng_between(&r, 1, 2);
        s.directions = (int)rng_between(&r, 1, 2);
        make_sweep(&s);
        const int64_t distance = oracle_textbook(p.a.at, p.a.length, p.b.at, p.b.length);
        const int64_t enough = rhomb__sweep_beside(s.n - s.m, distance);
        assert_true(check_score(&s, &p, LONGEST) == distance);
        assert_true(check_score(&s, &p, enough) == distance);
        for (int64_t beside = enough - 1; beside >= 0; beside = beside > 0 ? beside / 3 : -1) {
            const int64_t cost = check_score(&s, &p, beside);
            assert_true(cost >= distance);
            poor += cost > distance;
        }
    }
    assert_true(poor > 10); /* else no band was narrow enough to matter */
    pair_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_bands),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_scores),
    };
    return cmocka_run_group_tests_name("strips", tests, NULL, NULL);
}
