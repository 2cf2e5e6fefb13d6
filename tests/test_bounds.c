/* SPDX-License-Identifier: MIT */
/*
 * The bounds of the bit-parallel engine: it guesses one, sweeps, and goes by what came out. Here
 * the first guess is far too low or far too high, lengths are as unequal as can be, and the
 * caller's limit is right at the distance; in groups and in vectors, from one side and from both.
 * And what bounds save a wavefront.
 *
 * Exits with 77 where there is no device.
 */
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

#include "src/planner/engine_plan.h"

static session the_session;

/* Strips of 128 and of 512 rows; the first band is each case's own. */
static const variant SWEEPS[] = {
    {RHOMB_TILE_AUTO, 4, 0, 16, 0, 32, 2, false, 1, 1, 1, 3, 1},
    {RHOMB_TILE_AUTO, 4, 0, 16, 0, 32, 2, false, 2, 1, 1, 5, 1},
    {RHOMB_TILE_AUTO, 1, 0, 16, 0, 32, 2, false, 1, 16, 1, 2, 1},
    {RHOMB_TILE_AUTO, 1, 0, 16, 0, 32, 2, false, 2, 16, 1, 7, 1},
};

/* Asks with one variant whose first band has that half width, for limits around the distance, and
 * none. */
static void ask_limits(const pair *p, variant v, int64_t half_width, const char *name,
                       int64_t index)
{
    v.half_width = half_width;
    const question q = question_of(p, RHOMB_ALPHABET_DNA, &v, name, index);
    question_ask(&the_session, &q, NULL);
    question_ask_related(&the_session, &q, RELATION_LIMIT_BELOW);
    question_ask_related(&the_session, &q, RELATION_LIMIT_EXACT);
    question_ask_related(&the_session, &q, RELATION_LIMIT_ABOVE);
}

static void random_letters(letters *these, int64_t length, rng *r)
{
    these->length = 0;
    letters_random(these, "ACGT", length, r);
}

static void test_lengths(void **state)
{
    static const int64_t LENGTHS[][2] = {
        {1, 3000}, {3000, 1}, {100, 3000}, {3000, 100}, {1, 1},     {2, 1},      {3, 17},
        {32, 33},  {64, 64},  {512, 512},  {513, 16},   {16, 1025}, {2000, 1500}};
    static const int64_t BESIDES[] = {1, 40, 4000};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(LENGTHS); i++) {
        rng r = rng_for("lengths", (int64_t)i);
        random_letters(&p.a, LENGTHS[i][0], &r);
        random_letters(&p.b, LENGTHS[i][1], &r);
        for (size_t k = 0; k < COUNT(SWEEPS) * COUNT(BESIDES); k++)
            ask_limits(&p, SWEEPS[k % COUNT(SWEEPS)], BESIDES[k / COUNT(SWEEPS)], "lengths",
                       (int64_t)i);
    }
    pair_release(&p);
}

/* Equal but for one base, or some: a bound of 0 or 1 is one diagonal. */
static void test_few_edits(void **state)
{
    static const int64_t LENGTHS[] = {31, 32, 64, 128, 129, 256, 512, 1024, 1536, 2000};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < 4 * COUNT(LENGTHS); i++) {
        const int64_t length = LENGTHS[i / 4];
        rng r = rng_for("few edits", (int64_t)i);
        random_letters(&p.a, length, &r);
        p.b.length = 0;
        letters_append(&p.b, p.a.at, length);
        for (size_t edit = 0; edit <= i % 4; edit++)
            p.b.at[rng_below(&r, length)] = 'C';
        for (size_t k = 0; k < COUNT(SWEEPS); k++)
            ask_limits(&p, SWEEPS[k], rng_chance(&r, 0.5) ? 1 : 100, "few edits", (int64_t)i);
    }
    pair_release(&p);
}

/* The cells of the whole band of a run's first sweep. */
static int64_t band_cells(const rhomb_plan *plan)
{
    const rhomb__plan own = {.costs = rhomb__costs_edit(),
                             .target_length = plan->target_length,
                             .query_length = plan->query_length,
                             .directions = plan->directions,
                             .sweep = {.group_size = plan->group_size,
                                       .lanes = plan->lanes,
                                       .words_per_item = plan->words_per_item,
                                       .blocks_per_launch = plan->blocks_per_launch}};
    const rhomb__sweep sweep = rhomb__plan_sweep(&own);
    const int64_t end = plan->target_length - plan->query_length;
    rhomb_strip *records = calloc((size_t)rhomb__sweep_records(&sweep), sizeof *records);
    assert_non_null(records);
    rhomb__sweep_band(&sweep, rhomb__costs_bound(&own.costs, end, plan->first_half_width), records);
    const int64_t cells = rhomb__sweep_band_cells(&sweep, records);
    free(records);
    return cells;
}

static rhomb_report ask(const pair *p, variant v, int64_t half_width, int64_t index)
{
    rhomb_report report;
    v.half_width = half_width;
    const question q = question_of(p, RHOMB_ALPHABET_DNA, &v, "narrowing", index);
    question_ask(&the_session, &q, &report);
    return report;
}

/*
 * Bases that have nothing in common use up the bound as the sweep goes on. With a bound that is
 * just enough, one direction ends in a point, two in half of the band that they begin with.
 */
static void test_narrowing(void **state)
{
    enum { LENGTH = 6000 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("narrowing", 0);
    random_letters(&p.a, LENGTH, &r);
    random_letters(&p.b, LENGTH, &r);
    for (size_t k = 0; k < COUNT(SWEEPS); k++) {
        const rhomb_report all = ask(&p, SWEEPS[k], 2 * LENGTH, 0);
        const rhomb_report enough = ask(&p, SWEEPS[k], all.distance / 2 + 1, 1);
        const rhomb_report spare = ask(&p, SWEEPS[k], all.distance * 2 / 3, 2);
        const int64_t whole = band_cells(enough.plan);
        printf("%d lanes, %d directions: %lld of %lld cells, %lld with spare, %lld of all\n",
               (int)SWEEPS[k].lanes, (int)SWEEPS[k].directions, (long long)enough.cells,
               (long long)whole, (long long)spare.cells, (long long)all.cells);
        assert_true(enough.batches == 1 && spare.batches == 1 && all.batches == 1);
        assert_true(spare.cells < all.cells * 95 / 100);
        assert_true(enough.cells < spare.cells * 90 / 100);
        assert_true(enough.cells < whole * (SWEEPS[k].directions == 1 ? 85 : 97) / 100);
    }
    pair_release(&p);
}

/* A first bound of 3 where thousands are needed, and of thousands where 3 are. */
static void test_guesses(void **state)
{
    enum { LENGTH = 6000 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("guesses", 0);
    random_letters(&p.a, LENGTH, &r);
    for (size_t i = 0; i < 3; i++) {
        static const double RATES[] = {1, 0.1, 0.0005};
        p.b.length = 0;
        letters_mutate(&p.b, &p.a, RATES[i], "ACGT", &r);
        for (size_t k = 0; k < COUNT(SWEEPS); k++) {
            const rhomb_report low = ask(&p, SWEEPS[k], 1, (int64_t)i);
            const rhomb_report high = ask(&p, SWEEPS[k], LENGTH, (int64_t)i);
            printf("distance %lld: %lld sweeps, %lld cells, not %lld\n", (long long)low.distance,
                   (long long)low.batches, (long long)low.cells, (long long)high.cells);
            assert_true(high.batches == 1);
            assert_true(low.batches <= 6);
        }
    }
    pair_release(&p);
}

/* The report's cells, and those that were saved: all that there were in the launches of the run. */
static int64_t all_cells(const rhomb_report *report)
{
    return report->cells + report->cells_saved_limit + report->cells_saved_diagonal;
}

/*
 * What was saved is what a run without pruning computes besides, to the cell, and each bound has
 * saved something. (Where the distance lies in its launch does not matter: launches are counted
 * whole.)
 */
static void test_savings(void **state)
{
    rng r = rng_for("savings", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 9000, &r);
    letters_mutate(&p.b, &p.a, 0.05, "ACGT", &r);
    letters_random(&p.b, "ACGT", 300, &r);
    for (int32_t directions = 1; directions <= 2; directions++) {
        rhomb_report all, alone, limited;
        variant v = {RHOMB_TILE_TRAPEZOID, 1, 64, 8, 8, 32, 2, true, directions, 0, 0, 0, 0};
        question q = question_of(&p, RHOMB_ALPHABET_DNA, &v, "savings", directions);
        question_ask(&the_session, &q, &all);
        v.no_pruning = false;
        question_ask(&the_session, &q, &alone);
        q.max_distance = q.distance + 100;
        question_ask(&the_session, &q, &limited);
        assert_true(all_cells(&all) == all.cells);
        assert_true(all_cells(&alone) == all.cells && all_cells(&limited) == all.cells);
        assert_true(alone.cells_saved_limit == 0 && limited.cells_saved_limit > 0);
        assert_true(directions == 2 || alone.cells_saved_diagonal > 0);
    }
    pair_release(&p);
}

SESSION_MAIN(the_session, test_lengths, test_few_edits, test_narrowing, test_guesses, test_savings)
