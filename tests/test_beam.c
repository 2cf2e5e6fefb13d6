/* SPDX-License-Identifier: MIT */
/*
 * Beams, on the device that "auto" takes: on windows so small that most paths leave them, with all
 * models of pairs and all tiles; and what either engine makes of a beam's bound. (The families of
 * test_distance.c have beams among their relations.)
 *
 *     test_beam [CASE]
 *
 * Exits with 77 where there is no device.
 */
#include "src/strips/strips.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/keep_plan.h"

#define MOST_LENGTH 1500

static session the_session;

/* A pair of a model, with bases that fit the variant. */
static void draw(const variant *v, int64_t index, rng *r, pair_recipe *recipe, pair *p)
{
    static const double RATES[] = {0, 0.003, 0.03, 0.1, 0.2, 0.35, 0.5};
    recipe->model = (pair_model)(index % PAIR_MODEL_COUNT);
    recipe->length = rng_between(r, 1, MOST_LENGTH);
    recipe->error_rate = RATES[rng_below(r, COUNT(RATES))];
    recipe->spacing = rng_between(r, 1, 60);
    recipe->longest_indel = recipe->length / 2;
    rhomb_alphabet dna;
    recipe->alphabet = variant_letters(v, &dna);
    pair_make(recipe, r, p);
}

static void ask(const variant *v, const pair *p, const pair_recipe *recipe, int64_t index)
{
    question q = question_of(p, RHOMB_ALPHABET_DNA, v, "beam", index);
    q.recipe = recipe;
    q.beam = 1 + index % 100;
    question_ask(&the_session, &q, NULL);
}

/* Some beams keep the best path and some lose it, and the distance is right either way. */
static void test_models(void **state)
{
    enum { PAIRS = 2 * PAIR_MODEL_COUNT };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    pair_recipe recipe = {.lower_case = false};
    int64_t index = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        if (variant_is_sweep(v) || v->planes == 8)
            continue;
        for (int64_t end = index + PAIRS; index < end; index++) {
            rng r = rng_for("beam", index);
            draw(v, index, &r, &recipe, &p);
            if (pair_planes(&p, RHOMB_ALPHABET_DNA) == v->planes)
                ask(v, &p, &recipe, index);
        }
    }
    pair_release(&p);
    printf("%lld pairs: %lld beams, %lld gave the distance, %lld more\n", (long long)index,
           (long long)the_session.beams, (long long)the_session.exact_beams,
           (long long)the_session.poor_beams);
    assert_true(the_session.exact_beams > index / 20 && the_session.poor_beams > index / 20);
}

static int follow(const rhomb_progress *now, void *user)
{
    rhomb_progress *before = user;
    assert_true(now->lower_bound >= before->lower_bound);
    assert_true(now->upper_bound <= before->upper_bound);
    assert_true(now->seconds >= before->seconds);
    assert_true(now->fraction >= before->fraction && now->fraction <= 1);
    *before = *now;
    return 0;
}

/* Solves with a beam, beginning with a wavefront; `directions` as in rhomb_tuning. */
static rhomb_report solve(const pair *p, rhomb_engine engine, int32_t directions, int64_t beam,
                          int64_t limit)
{
    const question q = question_of(p, RHOMB_ALPHABET_DNA, NULL, "beam", 0);
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    rhomb_progress before = {.upper_bound = INT64_MAX};
    tuning.beam_diagonals = beam;
    tuning.directions = directions;
    options.tuning = &tuning;
    options.engine = engine;
    options.max_distance = limit;
    options.progress = follow;
    options.progress_user = &before;
    assert_int_equal(rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length,
                                    &options, &result),
                     RHOMB_OK);
    rhomb_report report = *rhomb_result_report(result);
    report.plan = keep_plan(report.plan);
    assert_true(report.distance == (limit >= 0 && limit < q.distance ? -1 : q.distance));
    assert_true(report.beam_bound == 0 || report.beam_bound >= q.distance);
    rhomb_result_destroy(result);
    return report;
}

/* The sweep that takes over has the beam's band, to the diagonal, and needs no second one. */
static void test_sweep(void **state)
{
    rng r = rng_for("beam_sweep", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 80000, &r);
    letters_mutate(&p.b, &p.a, 0.5, "ACGT", &r);
    const rhomb_report report = solve(&p, RHOMB_ENGINE_AUTO, 0, 4000, RHOMB_NO_LIMIT);
    const int64_t end = p.a.length - p.b.length;
    const rhomb__costs edit = rhomb__costs_edit();
    assert_string_equal(report.plan->engine, "bitparallel");
    assert_true(report.beam_bound > 0);
    assert_true(report.plan->first_beside == rhomb__costs_beside(&edit, end, report.beam_bound));
    for (int64_t limit = report.distance - 1; limit <= report.distance + 1; limit++)
        solve(&p, RHOMB_ENGINE_AUTO, 0, 4000, limit);
    pair_release(&p);
}

/*
 * What a beam's bound leaves of a wavefront's cells, as a share. The bound is the distance, to the
 * wavefronts of a launch: trapezoids see the end where a launch ends.
 */
static double share_with_beam(const pair *p, int32_t directions)
{
    const rhomb_report without = solve(p, RHOMB_ENGINE_WAVEFRONT, directions, -1, RHOMB_NO_LIMIT);
    const rhomb_report with = solve(p, RHOMB_ENGINE_WAVEFRONT, directions, 4000, RHOMB_NO_LIMIT);
    assert_true(with.plan->directions == directions);
    assert_true(with.beam_bound >= with.distance && without.beam_bound == 0);
    assert_true(with.beam_bound < with.distance + with.plan->tile_scores);
    return (double)with.cells / (double)without.cells;
}

/*
 * A wavefront of one direction that knows the distance as a bound has about half the cells. Two
 * directions have half of them anyway, and profit where the lengths differ by much of the distance.
 */
static void test_wavefront(void **state)
{
    rng r = rng_for("beam_wavefront", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 300000, &r);
    letters_mutate(&p.b, &p.a, 0.01, "ACGT", &r);
    assert_true(share_with_beam(&p, 1) < 0.75);
    assert_true(share_with_beam(&p, 2) <= 1);
    letters_random(&p.b, "ACGT", 4000, &r);
    assert_true(share_with_beam(&p, 1) < 0.65);
    assert_true(share_with_beam(&p, 2) < 0.8);
    pair_release(&p);
}

/* An insertion of many times what a beam holds where bases match: it widens, and follows. */
static void test_insertion(void **state)
{
    rng r = rng_for("beam_insertion", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const variant v = {RHOMB_TILE_TRAPEZOID, 1, 64, 8, 100, 32, 2, false, 2, 0, 0, 0, 0};
    letters all = {NULL, 0, 0};
    letters_random(&all, "ACGT", 60000, &r);
    letters_append(&p.a, all.at, 60000);
    letters_append(&p.b, all.at, 30000);
    letters_append(&p.b, all.at + 31000, 29000);
    p.b.at[1000] = p.b.at[1000] == 'A' ? 'C' : 'A';
    for (int i = 0; i < 2; i++) {
        rhomb_report report;
        question q = question_of(&p, RHOMB_ALPHABET_DNA, &v, "insertion", i);
        q.beam = i == 0 ? 500 : 5000;
        question_ask(&the_session, &q, &report);
        assert_true((report.beam_bound < report.distance + v.columns) == (i == 1));
    }
    free(all.at);
    pair_release(&p);
}

/* The report's cells, and those that were saved: all that there were in the launches of the run. */
static int64_t all_cells(const rhomb_report *report)
{
    return report->cells + report->cells_saved_limit + report->cells_saved_beam +
           report->cells_saved_diagonal;
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
        rhomb_report all, alone, limited, both;
        variant v = {RHOMB_TILE_TRAPEZOID, 1, 64, 8, 8, 32, 2, true, directions, 0, 0, 0, 0};
        question q = question_of(&p, RHOMB_ALPHABET_DNA, &v, "savings", directions);
        question_ask(&the_session, &q, &all);
        v.no_pruning = false;
        question_ask(&the_session, &q, &alone);
        q.max_distance = q.distance + 100;
        question_ask(&the_session, &q, &limited);
        q.beam = 400;
        question_ask(&the_session, &q, &both);
        assert_true(all_cells(&alone) == all_cells(&all));
        assert_true(all_cells(&limited) == all_cells(&all));
        assert_true(all_cells(&both) == all_cells(&all));
        assert_true(all_cells(&all) == all.cells);
        assert_true(alone.cells_saved_limit == 0 && alone.cells_saved_beam == 0);
        assert_true(directions == 2 || alone.cells_saved_diagonal > 0);
        assert_true(limited.cells_saved_limit > 0 && limited.cells_saved_beam == 0);
        assert_true(both.cells_saved_limit == limited.cells_saved_limit);
        assert_true(both.cells_saved_beam > 0 && both.cells <= limited.cells);
    }
    pair_release(&p);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest TESTS[] = {
        cmocka_unit_test(test_models),    cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_wavefront), cmocka_unit_test(test_insertion),
        cmocka_unit_test(test_savings),
    };
    return session_run(&the_session, TESTS, argc > 1 ? argv[1] : NULL);
}
