/* SPDX-License-Identifier: MIT */
/*
 * What a sweep of the bit-parallel engine proves. A plain dynamic program takes the place of the
 * kernels (plain_sweep.h), and its band narrows while it runs as theirs does. From the records and
 * the differences that it leaves, rhomb__sweep_cost() has to find the least cost; and that has
 * to be at most the bound exactly when the distance is, and then the distance.
 */
#include "plain_sweep.h"
#include "src/base/int64.h"
#include "support/oracle.h"
#include "support/test.h"

/* Letters of the longest sequence; more than any cost. */
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
} program;

static void fail_cost(const program *g, const char *what, int64_t found, int64_t expected)
{
    const letters *a = &g->p.a, *b = &g->p.b;
    fail_msg("%s is %lld, not %lld: bound %lld, distance %lld, %lld items of %lld words, lag %lld, "
             "%lld steps a launch, %d directions\ntarget, %lld: %.*s\nquery, %lld: %.*s",
             what, (long long)found, (long long)expected, (long long)g->plain.model.bound,
             (long long)g->distance, (long long)g->shape.items, (long long)g->shape.words,
             (long long)g->shape.lag, (long long)g->shape.steps, g->directions,
             (long long)a->length, (int)a->length, a->at, (long long)b->length, (int)b->length,
             b->at);
}

/* ------------------------------------------------------- the middle column */

static bool touches_middle(const program *g, int64_t strip)
{
    const rhomb_strip *record = &g->records[2 + strip];
    return sweep_model_strip(&g->plain.model, strip)->begin >= 0 &&
           record->front[record->last_launch % 2].end ==
               sweep_model_end_block(&g->sweep, strip % 2);
}

/* What it costs to get to each row of the middle column by the strips that touch it. */
static void middle_costs(const program *g, int64_t direction, int64_t *cost)
{
    const rhomb__sweep *w = &g->sweep;
    const int64_t columns = w->blocks[direction] * RHOMB__BLOCK_COLUMNS;
    const int64_t end = sweep_model_end_block(w, direction);
    for (int64_t row = 0; row <= w->rows; row++)
        cost[row] = columns == 0 ? row : NO_COST;
    for (int64_t strip = direction; columns > 0 && strip < 2 * w->strips; strip += 2) {
        const rhomb_strip *above = &g->records[strip];
        const rhomb_strip_front *front = &above->front[above->last_launch & 1];
        const int64_t top = strip / 2 * w->strip_rows;
        const int64_t bottom = rhomb__min(top + w->strip_rows, w->rows);
        /* At the strip's upper right corner, from where the strip above ended. */
        const int64_t corner = front->score + (end - front->end) * RHOMB__BLOCK_COLUMNS;
        for (int64_t row = top; touches_middle(g, strip) && row <= bottom; row++) {
            const int64_t down = plain_sweep_at(&g->plain, direction, row, columns) -
                                 plain_sweep_at(&g->plain, direction, top, columns);
            cost[row] = rhomb__min(cost[row], corner + down);
        }
    }
}

static int64_t expected_cost(const program *g)
{
    static int64_t cost[2][LONGEST + RHOMB__BLOCK_COLUMNS + 1];
    int64_t least = NO_COST;
    for (int64_t direction = 0; direction < 2; direction++)
        middle_costs(g, direction, cost[direction]);
    for (int64_t row = 0; row <= g->sweep.rows; row++)
        least = rhomb__min(least, cost[0][row] + cost[1][g->sweep.rows - row]);
    return least == NO_COST ? INT64_MAX : least;
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

/* The differences in the middle column of the strips [2 first, 2 end); in memory of just the size.
 */
static uint32_t *middle_differences(const program *g, int64_t first, int64_t end)
{
    const rhomb__sweep *w = &g->sweep;
    const int64_t words = w->strip_rows / RHOMB__WORD_ROWS;
    const size_t bytes = (size_t)(2 * (end - first) * words) * 2 * sizeof(uint32_t);
    uint32_t *down = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(down);
    memset(down, 0x5a, bytes); /* of strips that are not there nobody may look at them */
    for (int64_t strip = 2 * first; strip < 2 * end; strip++) {
        const int64_t columns = w->blocks[strip % 2] * RHOMB__BLOCK_COLUMNS;
        uint32_t *at = &down[(strip - 2 * first) * words * 2];
        if (touches_middle(g, strip))
            memset(at, 0, (size_t)words * 2 * sizeof *at);
        for (int64_t i = 0; touches_middle(g, strip) && i < w->strip_rows; i++) {
            const int64_t row = strip / 2 * w->strip_rows + i;
            const int64_t difference = plain_sweep_at(&g->plain, strip % 2, row + 1, columns) -
                                       plain_sweep_at(&g->plain, strip % 2, row, columns);
            at[2 * (i / RHOMB__WORD_ROWS)] |= (uint32_t)(difference == 1) << i % RHOMB__WORD_ROWS;
            at[2 * (i / RHOMB__WORD_ROWS) + 1] |= (uint32_t)(difference == -1)
                                                  << i % RHOMB__WORD_ROWS;
        }
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
    const int64_t cost = rhomb__sweep_cost(&g->sweep, g->records, down, first).cost;
    free(down);
    const int64_t expected = expected_cost(g);
    if (cost != expected)
        fail_cost(g, "the cost", cost, expected);
    return cost;
}

/* -------------------------------------------------------------------- tests */

static void run(program *g, int64_t bound)
{
    plain_sweep_run(&g->plain, bound, g->records);
    if (g->plain.model.wrong != NULL)
        fail_cost(g, g->plain.model.wrong, g->plain.model.wrong_strip, -1);
}

/* What src/planner/strips.h promises of a sweep. */
static int64_t check_bound(program *g, int64_t bound)
{
    run(g, bound);
    const int64_t cost = find_cost(g);
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

/* Strips of few rows, so that there are several. False when no engine gets such a pair. */
static bool make_program(program *g, rng *r, int64_t longest)
{
    plain_sweep_end(&g->plain);
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
    g->directions = (int)rng_between(r, 1, 2);
    g->sweep = rhomb__sweep_make(g->p.a.length, g->p.b.length, &g->shape, g->directions);
    assert_true(plain_sweep_fits(&g->sweep));
    plain_sweep_start(&g->plain, &g->p, NULL, &g->sweep);
    g->distance = oracle_textbook(g->p.a.at, g->p.a.length, g->p.b.at, g->p.b.length);
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
    pair_release(&g->p);
    free(g);
}

/* All bounds, from the least that lengths allow to more than any path costs. */
static void test_all_bounds(void **state)
{
    program *g = new_program();
    for (int64_t i = 0; i < 600; i++) {
        rng r = rng_for("all bounds", i);
        if (!make_program(g, &r, 90))
            continue;
        const int64_t longer = rhomb__max(g->p.a.length, g->p.b.length);
        for (int64_t bound = llabs(g->p.a.length - g->p.b.length); bound <= longer + 20; bound++)
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
        const int64_t least = llabs(g->p.a.length - g->p.b.length);
        const int64_t bounds[] = {least,
                                  least + 1,
                                  g->distance / 2,
                                  g->distance - 2,
                                  g->distance - 1,
                                  g->distance,
                                  g->distance + 1,
                                  rng_between(&r, 0, g->distance),
                                  rng_between(&r, 0, LONGEST),
                                  2 * LONGEST};
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
 * A strip that did not get to the middle, as its record would say; the strip below goes on at +1 a
 * column from where it ended.
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
        run(g, 2 * LONGEST);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_bounds),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_lost_strips),
    };
    return cmocka_run_group_tests_name("strip_scores", tests, NULL, NULL);
}
