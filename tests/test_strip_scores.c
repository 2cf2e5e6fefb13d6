/* SPDX-License-Identifier: MIT */
/*
 * What a sweep of the bit-parallel engine proves, with unit costs and with any. A plain dynamic
 * program takes the place of the kernels (plain_sweep.h), and its band narrows while it runs as
 * theirs does; no path within the bound is left out (path_cover.h). From the records and what it
 * leaves of the rows, rhomb__sweep_cost() has to find the least cost; and that has to be at most
 * the bound exactly when the distance is, and then the distance.
 */
#include "path_cover.h"
#include "src/base/int64.h"
#include "src/strips/sliced.h"
#include "support/cost_sets.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/gotoh.h"

/* Symbols of the longest sequence; more than any cost. */
enum { LONGEST = 300 };
#define NO_COST (INT64_MAX / 4)

/* A pair, and its sweep by a plain dynamic program. */
typedef struct program {
    pair p; /* a: the target, b: the query */
    int64_t distance;
    rhomb__strip_shape shape;
    int directions;
    rhomb__sweep sweep;
    rhomb_strip records[2 + MODEL_MOST_STRIPS];
    plain_sweep plain;
    path_cover cover;
    bool has_lost; /* strips: then the edges of others do not agree */
} program;

static void fail_cost(const program *g, const char *what, int64_t found, int64_t expected)
{
    const letters *a = &g->p.a, *b = &g->p.b;
    const rhomb__costs *c = &g->sweep.costs;
    fail_msg("%s is %lld, not %lld: bound %lld, distance %lld, %lld items of %lld words, lag %lld, "
             "%lld steps a launch, %d directions, mismatch %lld, gaps %lld + %lld, %lld + %lld, "
             "borders %d and %d\n"
             "target, %lld: %.*s\nquery, %lld: %.*s",
             what, (long long)found, (long long)expected, (long long)g->plain.model.bound,
             (long long)g->distance, (long long)g->shape.items, (long long)g->shape.words,
             (long long)g->shape.lag, (long long)g->shape.steps, g->directions,
             (long long)c->mismatch, (long long)c->open[0], (long long)c->extend[0],
             (long long)c->open[1], (long long)c->extend[1], (int)g->sweep.gaps[0],
             (int)g->sweep.gaps[1], (long long)a->length, (int)a->length, a->at,
             (long long)b->length, (int)b->length, b->at);
}

static bool touches_middle(const program *g, int64_t strip)
{
    const rhomb_strip *record = &g->records[2 + strip];
    return sweep_model_strip(&g->plain.model, strip)->begin >= 0 &&
           record->front[record->last_launch % 2].end ==
               sweep_model_end_block(&g->sweep, strip % 2);
}

/* A vertex of the middle column, as a strip has it. */
typedef struct meeting {
    int64_t cost;
    int64_t saves[2]; /* where a horizontal gap goes on */
} meeting;

/* Of a direction's rows: edges of strips are in two of them, an even and an odd one. */
typedef meeting middle_rows[2][LONGEST + RHOMB__BLOCK_COLUMNS + 1];

/* Row `top` of a strip, from where the strip above has ended: a gap goes on, base by base. */
static meeting top_of(const program *g, int64_t strip)
{
    const rhomb_strip *above = &g->records[strip];
    const rhomb_strip_front *front = &above->front[above->last_launch & 1];
    const rhomb__costs *costs = &g->sweep.costs;
    const int64_t blocks = sweep_model_end_block(&g->sweep, strip % 2) - front->end;
    meeting at = {front->score, {0, 0}};
    int64_t gap[2] = {NO_COST, NO_COST};
    for (int piece = 0; piece < costs->pieces; piece++)
        gap[piece] = at.cost + costs->open[piece] - front->end_saves[piece];
    for (int64_t base = 0; base < blocks * RHOMB__BLOCK_COLUMNS; base++) {
        const int64_t before = at.cost;
        at.cost = NO_COST;
        for (int piece = 0; piece < costs->pieces; piece++) {
            gap[piece] = rhomb__min(gap[piece], before + costs->open[piece]) + costs->extend[piece];
            at.cost = rhomb__min(at.cost, gap[piece]);
        }
    }
    for (int piece = 0; piece < costs->pieces; piece++)
        at.saves[piece] = rhomb__max(at.cost + costs->open[piece] - gap[piece], 0);
    return at;
}

/* The rows of the middle column that the strips of a direction have. */
static void middle_costs(const program *g, int64_t direction, middle_rows rows)
{
    const rhomb__sweep *w = &g->sweep;
    const int64_t columns = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
    for (int64_t row = 0; row <= w->rows; row++)
        rows[0][row].cost = rows[1][row].cost = NO_COST;
    for (int64_t strip = direction; columns > 0 && strip < 2 * w->strips; strip += 2) {
        const int64_t top = strip / 2 * w->strip_rows;
        const int64_t bottom = rhomb__min(top + w->strip_rows, w->rows);
        if (!touches_middle(g, strip))
            continue;
        meeting *strip_rows = rows[strip / 2 % 2];
        strip_rows[top] = top_of(g, strip);
        for (int64_t row = top + 1; row <= bottom; row++) {
            strip_rows[row].cost = strip_rows[top].cost +
                                   plain_sweep_at(&g->plain, direction, row, columns) -
                                   plain_sweep_at(&g->plain, direction, top, columns);
            for (int piece = 0; w->shape.sliced && piece < w->costs.pieces; piece++)
                strip_rows[row].saves[piece] =
                    plain_sweep_saves_right(&g->plain, direction, row, columns, piece);
        }
    }
}

/* A path through two strips' vertices in a row: at most one gap goes on across the column. */
static rhomb__sweep_breakpoint crossing(const program *g, const meeting *forward,
                                        const meeting *backward, int64_t row)
{
    const rhomb__costs *costs = &g->sweep.costs;
    rhomb__sweep_breakpoint best = {forward->cost + backward->cost, row, forward->cost,
                                    RHOMB_GAP_NONE};
    if (best.cost >= NO_COST)
        return best;
    for (int piece = 0; g->shape.sliced && piece < costs->pieces; piece++) {
        const int64_t first = forward->cost - forward->saves[piece];
        const int64_t second = backward->cost - backward->saves[piece];
        const int64_t cost = first + costs->open[piece] + second;
        if (cost < best.cost)
            best = (rhomb__sweep_breakpoint){cost, row, first,
                                             piece == 0 ? RHOMB_GAP_D : RHOMB_GAP_D_2};
    }
    return best;
}

/* With one direction the rest of the last column is a gap, from some strip's last row. */
static int64_t expected_alone(const program *g, middle_rows rows)
{
    const rhomb__sweep *w = &g->sweep;
    int64_t least = NO_COST;
    for (int64_t strip = 0; strip < w->strips; strip++) {
        const int64_t bottom = rhomb__min((strip + 1) * w->strip_rows, w->rows);
        least = rhomb__min(least, rows[strip % 2][bottom].cost +
                                      rhomb__costs_gap(&w->costs, w->rows - bottom));
    }
    return least < NO_COST ? least : INT64_MAX;
}

/* The least cost, and the first row that has it, if possible not within a gap. */
static rhomb__sweep_breakpoint expected_cost(const program *g)
{
    static middle_rows rows[2];
    const int64_t last = g->sweep.rows;
    rhomb__sweep_breakpoint best = {.cost = INT64_MAX, .row = -1, .forward_cost = -1};
    for (int64_t direction = 0; direction < 2; direction++)
        middle_costs(g, direction, rows[direction]);
    if (g->sweep.blocks[1] == 0) {
        best.cost = expected_alone(g, rows[0]);
        return best;
    }
    for (int64_t row = 0; row <= last; row++) {
        for (int both = 0; both < 4; both++) {
            const rhomb__sweep_breakpoint here =
                crossing(g, &rows[0][both / 2][row], &rows[1][both % 2][last - row], row);
            if (here.cost < NO_COST && here.cost < best.cost)
                best = here;
        }
    }
    return best;
}

/* The strips of which some direction has one in the middle; none where a direction has none. */
static void expected_middle(const program *g, int64_t *first, int64_t *end)
{
    bool any[2] = {false, g->directions == 1 || g->sweep.blocks[1] == 0};
    *first = *end = 0;
    for (int64_t strip = 0; strip < 2 * g->sweep.strips; strip++) {
        if (!touches_middle(g, strip))
            continue;
        *first = *end == 0 ? strip / 2 : *first;
        *end = strip / 2 + 1;
        any[strip % 2] = true;
    }
    if (!any[0] || !any[1])
        *first = *end = 0;
}

/* Bit `row` of the words of 32 rows, of Myers' step. */
static void put_difference(uint32_t *words, int64_t row, int64_t difference)
{
    words[0] |= (uint32_t)(difference == 1) << row;
    words[1] |= (uint32_t)(difference == -1) << row;
}

/* Bit `row` of as many words as a number has planes; returns the words after them. */
static uint32_t *put_number(uint32_t *words, int64_t row, int32_t planes, int64_t number)
{
    for (int32_t k = 0; k < planes; k++)
        words[k] |= (uint32_t)(number >> k & 1) << row;
    return words + planes;
}

/* What a strip keeps of a row. */
static void put_row(const program *g, int64_t direction, int64_t row, uint32_t *words)
{
    const rhomb__sweep *w = &g->sweep;
    const int64_t columns = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
    const int64_t bit = row % RHOMB__WORD_ROWS;
    const int64_t difference = plain_sweep_at(&g->plain, direction, row + 1, columns) -
                               plain_sweep_at(&g->plain, direction, row, columns);
    if (!w->shape.sliced) {
        put_difference(words, bit, difference);
        return;
    }
    const rhomb__slices planes = rhomb__sliced_planes(&w->costs);
    words = put_number(words, bit, planes.u, w->costs.open[0] + w->costs.extend[0] - difference);
    for (int piece = 0; piece < w->costs.pieces; piece++)
        words = put_number(words, bit, planes.saves[piece],
                           plain_sweep_saves_right(&g->plain, direction, row + 1, columns, piece));
}

/*
 * What the strips [2 first, 2 end) keep of the middle column; in memory of just the size. Of strips
 * that are not there nobody may look at it.
 */
static uint32_t *middle_differences(const program *g, int64_t first, int64_t end)
{
    const rhomb__sweep *w = &g->sweep;
    const int64_t pitch = rhomb__shape_down_words(&w->shape);
    const int64_t words = w->strip_rows / RHOMB__WORD_ROWS * pitch;
    const size_t bytes = (size_t)(2 * (end - first) * words) * sizeof(uint32_t);
    uint32_t *down = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(down);
    memset(down, 0x5a, bytes);
    for (int64_t strip = 2 * first; strip < 2 * end; strip++) {
        uint32_t *at = &down[(strip - 2 * first) * words];
        if (!touches_middle(g, strip))
            continue;
        memset(at, 0, (size_t)words * sizeof *at);
        for (int64_t i = 0; i < w->strip_rows; i++)
            put_row(g, strip % 2, strip / 2 * w->strip_rows + i, &at[i / RHOMB__WORD_ROWS * pitch]);
    }
    return down;
}

/* The cost that the records and the differences say, as the engine asks for it. */
static int64_t find_cost(const program *g)
{
    int64_t first = -1, end = -1, expected_first = 0, expected_end = 0;
    rhomb__sweep_middle(&g->sweep, g->records, &first, &end);
    expected_middle(g, &expected_first, &expected_end);
    if (first != expected_first && expected_end > 0)
        fail_cost(g, "the first strip in the middle", first, expected_first);
    if (expected_end > 0 ? end != expected_end : end != first)
        fail_cost(g, "the end of the strips in the middle", end, expected_end);
    uint32_t *down = middle_differences(g, first, end);
    const rhomb__sweep_breakpoint found = rhomb__sweep_cost(&g->sweep, g->records, down, first);
    free(down);
    const rhomb__sweep_breakpoint expected = expected_cost(g);
    if (found.cost != expected.cost)
        fail_cost(g, "the cost", found.cost, expected.cost);
    if (found.row != expected.row)
        fail_cost(g, "the row of the path", found.row, expected.row);
    if (!g->has_lost && found.forward_cost != expected.forward_cost)
        fail_cost(g, "the cost up to there", found.forward_cost, expected.forward_cost);
    if (!g->has_lost && found.gap != expected.gap)
        fail_cost(g, "the gap that crosses the middle", found.gap, expected.gap);
    return found.cost;
}

static void run(program *g, int64_t bound)
{
    plain_sweep_run(&g->plain, bound, g->records);
    if (g->plain.model.wrong != NULL)
        fail_cost(g, g->plain.model.wrong, g->plain.model.wrong_strip, -1);
    for (int64_t strip = 0; strip < 2 * g->sweep.strips; strip++) {
        if (!rhomb__strip_is_sound(&g->sweep, &g->records[2 + strip]))
            fail_cost(g, "an unsound strip", strip, -1);
    }
}

/* What src/strips/strips.h promises of a sweep. */
static int64_t check_bound(program *g, int64_t bound)
{
    run(g, bound);
    g->has_lost = false;
    const int64_t cost = find_cost(g);
    const int64_t left_out = path_cover_left_out(&g->cover, g->records, bound);
    if (left_out >= 0)
        fail_cost(g, "a strip that leaves out a path", left_out, -1);
    if (g->distance <= bound ? cost != g->distance : cost <= bound || cost < g->distance)
        fail_cost(g, "the cost", cost, g->distance);
    return cost;
}

static void random_pair(rng *r, pair *p, int64_t longest)
{
    const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                .length = rng_between(r, 1, longest),
                                .error_rate =
                                    (double)rng_below(r, rng_chance(r, 0.3) ? 3 : 40) / 100,
                                .spacing = rng_between(r, 1, 40),
                                .longest_indel = rng_between(r, 1, 60),
                                .alphabet = rng_chance(r, 0.3) ? "AC" : "ACGTN"};
    pair_make(&recipe, r, p);
}

static int64_t distance_of(const program *g)
{
    const letters *a = &g->p.a, *b = &g->p.b;
    const rhomb__costs *c = &g->sweep.costs;
    const oracle_penalties penalties = costs_penalties(c);
    const oracle_borders borders = {g->sweep.gaps[0], g->sweep.gaps[1]};
    return g->shape.sliced
               ? oracle_gotoh_borders(a->at, a->length, b->at, b->length, &penalties, borders)
               : oracle_textbook(a->at, a->length, b->at, b->length);
}

/* The least bound that a sweep may have, and one that has the whole matrix. */
static int64_t least_bound(const program *g)
{
    const int64_t least = rhomb__costs_gap(&g->sweep.costs, llabs(g->p.a.length - g->p.b.length)) -
                          rhomb__costs_of_opening(&g->sweep.costs, g->sweep.gaps[0]) -
                          rhomb__costs_of_opening(&g->sweep.costs, g->sweep.gaps[1]);
    return rhomb__max(least, 0);
}

static int64_t most_bound(const program *g)
{
    return rhomb__costs_gap(&g->sweep.costs, g->p.a.length + 20) +
           rhomb__costs_gap(&g->sweep.costs, g->p.b.length + 20);
}

/* Gaps at the borders; at the end only of whole blocks, and of two directions. */
static void choose_borders(program *g, rng *r)
{
    if (!g->shape.sliced || rng_chance(r, 0.3))
        return;
    g->sweep.gaps[0] = random_gap(r, &g->sweep.costs);
    if (g->p.a.length == g->sweep.columns && g->sweep.blocks[1] > 0)
        g->sweep.gaps[1] = random_gap(r, &g->sweep.costs);
}

/* Strips of few rows, so that there are several. False when no engine gets such a pair. */
static bool make_program(program *g, rng *r, int64_t longest)
{
    plain_sweep_end(&g->plain);
    path_cover_end(&g->cover);
    random_pair(r, &g->p, longest);
    if (g->p.a.length == 0 || g->p.b.length == 0 ||
        rhomb__max(g->p.a.length, g->p.b.length) > LONGEST)
        return false;
    g->shape = (rhomb__strip_shape){.items = 1, .words = 1};
    if (rng_chance(r, 0.5))
        g->shape.items = rng_between(r, 1, 3);
    if (rng_chance(r, 0.3))
        g->shape.words = rng_between(r, 1, 2);
    g->shape.lag = rng_chance(r, 0.5) ? 1 : g->shape.items - 1;
    g->shape.steps = rng_between(r, 1, 5);
    g->shape.sliced = rng_chance(r, 0.6);
    if (g->shape.sliced) {
        g->shape.costs = random_costs(r, rng_chance(r, 0.5) ? 8 : rng_chance(r, 0.9) ? 60 : 2000);
        g->shape.lag = g->shape.items * (2 * g->shape.words + 1) - 1;
    }
    g->directions = (int)rng_between(r, 1, 2);
    if (g->shape.sliced && g->p.a.length > RHOMB__BLOCK_COLUMNS && rng_chance(r, 0.5))
        g->p.a.length -= g->p.a.length % RHOMB__BLOCK_COLUMNS;
    g->sweep = rhomb__sweep_make(g->p.a.length, g->p.b.length, &g->shape, g->directions);
    choose_borders(g, r);
    assert_true(plain_sweep_fits(&g->sweep));
    plain_sweep_start(&g->plain, &g->p, &g->sweep);
    path_cover_start(&g->cover, &g->plain);
    g->distance = distance_of(g);
    assert_true(g->distance == path_cover_distance(&g->cover));
    return true;
}

static program *new_program(void)
{
    program *g = calloc(1, sizeof *g);
    assert_non_null(g);
    return g;
}

static void end_program(program *g)
{
    plain_sweep_end(&g->plain);
    path_cover_end(&g->cover);
    pair_release(&g->p);
    free(g);
}

/* All bounds, or some 200, from the least that lengths allow to more than any path costs. */
static void test_all_bounds(void **state)
{
    program *g = new_program();
    for (int64_t i = 0; i < 600; i++) {
        rng r = rng_for("all bounds", i);
        if (!make_program(g, &r, 90))
            continue;
        const int64_t least = least_bound(g), most = most_bound(g);
        const int64_t apart = 1 + (most - least) / 200;
        for (int64_t bound = least; bound <= most; bound += rng_between(&r, 1, 2 * apart - 1))
            check_bound(g, bound);
    }
    end_program(g);
}

/* The same where there are more strips, and bounds near the distance or any. */
static void test_bounds(void **state)
{
    program *g = new_program();
    int64_t unmet = 0, poor = 0;
    for (int64_t i = 0; i < 400; i++) {
        rng r = rng_for("bounds", i);
        if (!make_program(g, &r, LONGEST - 100))
            continue;
        const int64_t least = least_bound(g), first = g->sweep.costs.open[0];
        const int64_t bounds[] = {least,
                                  least + 1,
                                  g->distance / 2,
                                  g->distance - 2 - first,
                                  g->distance - 1,
                                  g->distance,
                                  g->distance + 1,
                                  rng_between(&r, 0, g->distance),
                                  rng_between(&r, 0, most_bound(g)),
                                  most_bound(g)};
        for (size_t b = 0; b < COUNT(bounds); b++) {
            const int64_t cost = check_bound(g, rhomb__max(bounds[b], least));
            unmet += cost == INT64_MAX;
            poor += cost > g->distance && cost != INT64_MAX;
        }
    }
    assert_true(unmet > 100 && poor > 100); /* else no band was narrow enough to matter */
    end_program(g);
}

/*
 * A strip that did not get to the middle, as its record would say; the strip below goes on with a
 * gap from where it ended.
 */
static void lose_strip(program *g, int64_t strip)
{
    rhomb_strip *record = &g->records[2 + strip];
    rhomb_strip_front *front = &record->front[record->last_launch % 2];
    front->end--;
    front->score -= rhomb__min(front->score, 7);
}

/* Any strips in the middle, side by side or not, down to none in either direction. */
static void test_lost_strips(void **state)
{
    program *g = new_program();
    int64_t met = 0, unmet = 0;
    for (int64_t i = 0; i < 1000; i++) {
        rng r = rng_for("lost strips", i);
        if (!make_program(g, &r, LONGEST - 100))
            continue;
        run(g, most_bound(g));
        g->has_lost = true;
        const double share = (double)rng_between(&r, 1, 9) / 10;
        for (int64_t strip = 0; strip < 2 * g->sweep.strips; strip++) {
            if (touches_middle(g, strip) && rng_chance(&r, share))
                lose_strip(g, strip);
        }
        const int64_t cost = find_cost(g);
        met += cost != INT64_MAX;
        unmet += cost == INT64_MAX;
    }
    assert_true(met > 100 && unmet > 100);
    end_program(g);
}

TEST_MAIN(test_all_bounds, test_bounds, test_lost_strips)
