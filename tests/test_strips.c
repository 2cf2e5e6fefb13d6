/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine, for any costs and both steps: which blocks the strips of
 * a band have, against the vertices that paths can have; what their records say; when each begins,
 * so that it reads what an earlier launch wrote, and when it ends; and which strips a launch has.
 * Bands that narrow while they run, and what comes out, are for the tests of distances:
 * test_bounds.
 */
#include "src/base/int64.h"
#include "src/strips/strips.h"
#include "support/cost_sets.h"
#include "support/test.h"

/* Largest lengths. */
enum { LONGEST = 600, MOST_STRIPS = 48 };

/* A sweep, its band, and what it was made from. */
typedef struct setting {
    int64_t n; /* the target's length */
    int64_t m; /* the query's */
    rhomb__strip_shape shape;
    int directions;
    int64_t bound;
    int32_t gaps[2]; /* that paths may begin and end within */
    rhomb__sweep sweep;
    rhomb_strip records[2 + MOST_STRIPS];
    int64_t launches;
} setting;

static void fail_at(const setting *s, const char *what, int64_t strip)
{
    const rhomb__costs *c = &s->sweep.costs;
    fail_msg("strip %lld of direction %lld %s; target %lld, query %lld, %lld items of %lld words, "
             "lag %lld, %lld steps a launch, %d directions, bound %lld, mismatch %lld, gaps "
             "%lld + %lld, %lld + %lld",
             (long long)strip / 2, (long long)strip % 2, what, (long long)s->n, (long long)s->m,
             (long long)s->shape.items, (long long)s->shape.words, (long long)s->shape.lag,
             (long long)s->shape.steps, s->directions, (long long)s->bound, (long long)c->mismatch,
             (long long)c->open[0], (long long)c->extend[0], (long long)c->open[1],
             (long long)c->extend[1]);
}

/* Column 0 of a direction, in blocks. */
static int64_t first_block(const rhomb__sweep *sweep, int64_t direction)
{
    return direction * sweep->blocks[0];
}

static void make_band(setting *s)
{
    s->sweep = rhomb__sweep_make(s->n, s->m, &s->shape, s->directions);
    memcpy(s->sweep.gaps, s->gaps, sizeof s->gaps);
    assert_true(2 * s->sweep.strips <= MOST_STRIPS);
    s->launches = rhomb__sweep_band(&s->sweep, s->bound, s->records);
}

/* Lengths near the edges of blocks and words, or any. */
static int64_t random_length(rng *r, int64_t longest)
{
    const int64_t length = rng_chance(r, 0.5)
                               ? 16 * rng_between(r, 0, longest / 16) + rng_between(r, -2, 2)
                               : rng_between(r, 1, longest);
    return rhomb__min(rhomb__max(length, 1), longest);
}

/*
 * With Myers' step the last item of a group is as many blocks behind the first as there are between
 * them, that of vectors always one; bit-sliced, each item is two blocks a word, and one, behind the
 * item above, and ends its own block two blocks a word later.
 */
static rhomb__strip_shape random_shape(rng *r)
{
    rhomb__strip_shape shape = {.items = 1, .words = 1};
    if (rng_chance(r, 0.7))
        shape.items = rng_between(r, 1, 5);
    if (rng_chance(r, 0.3))
        shape.words = rng_between(r, 1, 3);
    shape.lag = rng_chance(r, 0.5) ? 1 : shape.items - 1;
    shape.steps = rng_between(r, 1, rng_chance(r, 0.5) ? 4 : 40);
    shape.sliced = rng_chance(r, 0.5);
    if (shape.sliced) {
        shape.costs = random_costs(r, rng_chance(r, 0.5) ? 10 : 100);
        shape.lag = shape.items * (2 * shape.words + 1) - 1;
    }
    return shape;
}

static rhomb__costs costs_of(const rhomb__strip_shape *shape)
{
    return shape->sliced ? shape->costs : rhomb__costs_edit();
}

static setting random_setting(rng *r)
{
    setting s = {.shape = random_shape(r), .directions = (int)rng_between(r, 1, 2)};
    s.n = random_length(r, LONGEST);
    s.m = rng_chance(r, 0.5) ? random_length(r, LONGEST)
                             : rhomb__max(1, rhomb__min(s.n + rng_between(r, -20, 20), LONGEST));
    const rhomb__costs costs = costs_of(&s.shape);
    const int64_t spare =
        rng_chance(r, 0.5) ? rng_between(r, 0, 40) : rng_between(r, 0, 2 * LONGEST);
    s.bound = rhomb__costs_gap(&costs, llabs(s.n - s.m)) + spare * costs.extend[0] +
              rng_below(r, 1 + costs.open[0] + costs.open[1]);
    for (int end = 0; end < 2 && s.shape.sliced; end++)
        s.gaps[end] = random_gap(r, &costs);
    make_band(&s);
    return s;
}

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
    assert_true(w->strip_rows == s->shape.items * s->shape.words * RHOMB__WORD_ROWS);
    assert_true(w->strips * w->strip_rows >= w->rows);
    assert_true((w->strips - 1) * w->strip_rows < w->rows);
    assert_true(rhomb__sweep_records(w) == 2 + 2 * w->strips);
}

/* The opening that paths do not pay which begin (0) or end (1) within a gap. */
static int64_t opening(const setting *s, int64_t end)
{
    return rhomb__costs_of_opening(&s->sweep.costs, s->gaps[end]);
}

/* The least cost of gaps to a diagonal, and from there to the end diagonal. */
static int64_t leaves(const rhomb__costs *costs, int64_t end, int64_t k)
{
    const bool between = k >= rhomb__min(end, 0) && k <= rhomb__max(end, 0);
    return between ? rhomb__costs_gap(costs, llabs(end)) /* a single one passes by */
                   : rhomb__costs_gap(costs, llabs(k)) + rhomb__costs_gap(costs, llabs(end - k));
}

/*
 * The blocks of a strip against the vertices that paths within the bound can have in its rows. A
 * block has those from its left edge to before its right one.
 */
static void check_blocks(const setting *s, int64_t i)
{
    const rhomb__sweep *w = &s->sweep;
    const rhomb_strip *strip = &s->records[2 + i];
    const int64_t diagonal = w->columns - w->rows;
    const int64_t offset = first_block(w, i % 2), blocks = w->blocks[i % 2];
    const int64_t top = i / 2 * w->strip_rows, bottom = rhomb__min(top + w->strip_rows, w->rows);
    int64_t least = INT64_MAX, most = -1; /* blocks */
    for (int64_t row = top; row <= bottom; row++) {
        for (int64_t block = 0; block < blocks; block++) {
            const int64_t left = block * RHOMB__BLOCK_COLUMNS;
            bool any = false;
            for (int64_t column = left; column < left + RHOMB__BLOCK_COLUMNS; column++) {
                const int64_t k = column - row;
                any |= leaves(&w->costs, diagonal, k) <= s->bound + opening(s, 0) + opening(s, 1);
            }
            least = any ? rhomb__min(least, block) : least;
            most = any ? rhomb__max(most, block) : most;
        }
    }
    if (most < 0 ? strip->first_block != strip->end_block
                 : strip->first_block != offset + least || strip->end_block != offset + most + 1)
        fail_at(s, "has not the blocks of the band", i);
    if (strip->first_block < offset || strip->end_block > offset + blocks)
        fail_at(s, "has blocks outside of its direction's", i);
}

static void check_record(const setting *s, int64_t i)
{
    const rhomb__sweep *w = &s->sweep;
    const rhomb_strip *strip = &s->records[2 + i], *above = &s->records[i];
    const int64_t offset = first_block(w, i % 2);
    const int64_t most = (w->costs.open[0] + w->costs.extend[0]) * (w->columns + w->rows);
    if (strip->first_item != (i % 2 * w->strips + i / 2) * s->shape.items)
        fail_at(s, "has not its own rows", i);
    if (strip->corner - offset * RHOMB__BLOCK_COLUMNS - (i / 2 + 1) * w->strip_rows !=
        w->columns - w->rows)
        fail_at(s, "has a corner that is not on the end diagonal", i);
    if (strip->slack + rhomb__costs_least_extend(&w->costs) * strip->corner !=
        s->bound + opening(s, 1 - i % 2))
        fail_at(s, "has the slack of another bound", i);
    if (strip->first_block < above->first_block || strip->end_block < above->end_block)
        fail_at(s, "goes left", i);
    if (i >= 2 && strip->first_block > above->end_block)
        fail_at(s, "does not touch the strip above", i);
    if (above->below_first_block != strip->first_block ||
        strip->above_last_launch != above->last_launch)
        fail_at(s, "does not know its neighbour", i);
    for (int parity = 0; parity < 2; parity++) {
        const rhomb_strip_front *front = &strip->front[parity];
        if (front->begin != RHOMB_NO_BLOCK || front->end != strip->first_block ||
            front->limit != RHOMB_NO_BLOCK || front->room > -s->bound - most)
            fail_at(s, "has begun before the first launch", i);
    }
}

/* Row 0 is where each path begins: a strip above without blocks, which has done all it has to. */
static void check_row_0(const setting *s, int64_t direction)
{
    const rhomb_strip *record = &s->records[direction];
    const int64_t first = first_block(&s->sweep, direction);
    const int64_t extend = rhomb__costs_least_extend(&s->sweep.costs);
    if (record->first_block != first || record->end_block != first || record->last_launch != -1)
        fail_at(s, "(row 0) is not the left end of row 0", direction - 2);
    for (int parity = 0; parity < 2; parity++) {
        const rhomb_strip_front *front = &record->front[parity];
        if (front->begin != first || front->end != first || front->begin_score != 0 ||
            front->score != 0 ||
            front->room !=
                s->bound + opening(s, 1 - direction) - extend * (s->sweep.columns - s->sweep.rows))
            fail_at(s, "(row 0) does not begin with score 0", direction - 2);
        for (int32_t piece = 0, gap = s->gaps[direction]; piece < 2; piece++) {
            const bool saves = gap != RHOMB_GAP_NONE && RHOMB_GAP_PIECE(gap) == piece;
            if (front->begin_saves[piece] !=
                    (saves && RHOMB_GAP_IS_I(gap) ? opening(s, direction) : 0) ||
                front->end_saves[piece] !=
                    (saves && !RHOMB_GAP_IS_I(gap) ? opening(s, direction) : 0))
                fail_at(s, "(row 0) does not begin within the gap", direction - 2);
        }
    }
}

static void check_band(const setting *s)
{
    check_sizes(s);
    for (int64_t direction = 0; direction < 2; direction++)
        check_row_0(s, direction);
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        if (s->sweep.blocks[i % 2] == 0 &&
            s->records[2 + i].first_block != s->records[2 + i].end_block)
            fail_at(s, "has blocks in a direction without any", i);
        check_blocks(s, i);
        check_record(s, i);
    }
}

/* The launches in which a strip has steps: [first, end), by the steps of its items. */
static void launches_of(const setting *s, int64_t i, int64_t *first, int64_t *end)
{
    const rhomb_strip *strip = &s->records[2 + i];
    const int64_t blocks = strip->end_block - strip->first_block;
    const int64_t last_step = strip->first_step + blocks - 1 + s->shape.lag;
    *first = rhomb__floor_div(strip->first_step, s->shape.steps);
    *end = blocks == 0 ? *first : rhomb__floor_div(last_step, s->shape.steps) + 1;
}

/* Strips outside of [first, end) have nothing to do, and those at either end are running. */
static void check_active(const setting *s, int64_t first, int64_t end, int64_t launch)
{
    bool any[2] = {false, false};
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        int64_t from = 0, to = 0;
        launches_of(s, i, &from, &to);
        if ((i / 2 < first || i / 2 >= end) && launch >= from && launch < to)
            fail_at(s, "is left out of a launch", i);
        any[0] |= i / 2 == first && to > launch;
        any[1] |= i / 2 == end - 1 && to > from && from <= launch;
    }
    if (first < end && !(any[0] && any[1]))
        fail_at(s, "is launched for nothing", any[0] ? 2 * end - 2 : 2 * first);
}

/* The steps from when the last item of the strip above writes a block to when the first reads it.
 */
static int64_t wait_of(const setting *s, int64_t i)
{
    const rhomb_strip *strip = &s->records[2 + i], *above = &s->records[i];
    return strip->first_step - strip->first_block -
           (above->first_step - above->first_block + s->shape.lag);
}

static void check_times(const setting *s)
{
    int64_t first = 0, end = 0, last = 0;
    for (int64_t launch = 0; launch < s->launches; launch++) {
        const int64_t first_before = first, end_before = end;
        rhomb__sweep_active(&s->sweep, s->records, launch, &first, &end);
        assert_true(first_before <= first && first <= end);
        assert_true(end_before <= end && end <= s->sweep.strips);
        check_active(s, first, end, launch);
    }
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        int64_t from = 0, to = 0;
        launches_of(s, i, &from, &to);
        if (s->records[2 + i].last_launch != (from < to ? to - 1 : -1))
            fail_at(s, "has another last launch", i);
        if (from < to && i < 2 && s->records[2 + i].first_step != 0)
            fail_at(s, "does not begin at once", i);
        if (from < to && wait_of(s, i) != s->shape.steps) /* fewer would be one launch in the end */
            fail_at(s, "does not read in the launch after the one that the strip above writes in",
                    i);
        last = rhomb__max(last, to);
    }
    if (last != s->launches)
        fail_at(s, "ends in another launch than the last one", 0);
}

static void check_cells(const setting *s)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++)
        blocks += s->records[2 + i].end_block - s->records[2 + i].first_block;
    assert_true(rhomb__sweep_band_cells(&s->sweep, s->records) ==
                blocks * RHOMB__BLOCK_COLUMNS * s->sweep.strip_rows);
}

static void test_bands(void **state)
{
    for (int64_t i = 0; i < 20000; i++) {
        rng r = rng_for("bands", i);
        setting s = random_setting(&r);
        if (i % 8 == 0)
            check_band(&s);
        check_times(&s);
        check_cells(&s);
    }
}

/* Few rows and columns, all of them. */
static void test_small_bands(void **state)
{
    for (int64_t i = 0; i < 70 * 70; i++) {
        rng r = rng_for("small bands", i);
        setting s = {.n = i % 70 + 1, .m = i / 70 + 1};
        for (int64_t k = 0; k < 8; k++) {
            const rhomb__costs edit = rhomb__costs_edit(), costs = random_costs(&r, 10);
            const rhomb__costs *c = k < 4 ? &edit : &costs;
            s.directions = k % 2 == 0 ? 1 : 2;
            s.shape = (rhomb__strip_shape){
                .items = i % 3 + 1, .words = 1, .lag = k % 4 < 2 ? 1 : i % 3, .steps = k / 2 + 1};
            s.shape.sliced = k >= 4;
            s.shape.costs = *c;
            s.bound = rhomb__costs_gap(c, llabs(s.n - s.m)) + k * (i % 5) * c->extend[0];
            make_band(&s);
            check_band(&s);
            check_times(&s);
            check_cells(&s);
        }
    }
}

/*
 * A path that leaves by d diagonals and comes back costs 2 d more than the end diagonal does.
 * (Other costs: tests/test_scoring.c.)
 */
static void test_beside(void **state)
{
    const rhomb__costs edit = rhomb__costs_edit();
    for (int64_t end = -9; end <= 9; end++) {
        for (int64_t bound = llabs(end); bound <= 40; bound++) {
            int64_t most = 0;
            while (llabs(end) + 2 * (most + 1) <= bound)
                most++;
            assert_true(rhomb__costs_half_width(&edit, end, bound) == most);
        }
        for (int64_t beside = 0; beside <= 40; beside++) {
            const int64_t bound = rhomb__costs_bound(&edit, end, beside);
            assert_true(rhomb__costs_half_width(&edit, end, bound) == beside);
            assert_true(rhomb__costs_half_width(&edit, end, bound + 1) == beside + 1);
        }
    }
}

TEST_MAIN(test_small_bands, test_bands, test_beside)
