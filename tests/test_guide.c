/* SPDX-License-Identifier: MIT */
/*
 * Guides: where a pair is cut, what is refused, and whole calls on the device that "auto" takes. A
 * good guide saves sweeps, a bad one costs time, and neither changes a distance.
 *
 * Exits with 77 where there is no device.
 */
#include <math.h>

#include "host/device/context.h"
#include "rhomb/align.h"
#include "rhomb/guide.h"
#include "rhomb/matrix.h"
#include "rhomb/plan.h"
#include "rhomb/scoring.h"
#include "src/planner/guide_segments.h"
#include "support/check.h"
#include "support/pair.h"
#include "support/rng.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

enum { PIECES = 40, MOST_POINTS = 4000 };

static rhomb_context *the_context;

/* A CPU's, so that the choice is the same on every device. */
static const rhomb__rate_values CPU = {1e9, 3e-6, 1e11, 1e-6, 2e8};

/* A pair in pieces, and the points where they begin. */
typedef struct guided {
    pair p;
    rhomb_guide_point points[MOST_POINTS];
    rhomb_guide guide;
} guided;

/*
 * Pieces that differ by `rate`; unless they are even, every fourth is missing in one of the
 * sequences, and one is random.
 */
static void make(guided *g, int64_t bases, double rate, bool even, rng *r)
{
    *g = (guided){.guide = RHOMB_GUIDE_INIT};
    g->guide.points = g->points;
    g->guide.divergence = rate;
    for (int i = 0; i < PIECES; i++) {
        letters piece = {NULL, 0, 0}, other = {NULL, 0, 0};
        letters_random(&piece, "ACGT", bases, r);
        if (!even && i == PIECES / 2)
            letters_random(&other, "ACGT", bases, r);
        else
            letters_mutate(&other, &piece, rate, "ACGT", r);
        if (i > 0 && (even || i % 4 != 1))
            g->points[g->guide.count++] = (rhomb_guide_point){g->p.a.length, g->p.b.length};
        if (even || i % 8 != 1)
            letters_append(&g->p.a, piece.at, piece.length);
        if (even || i % 8 != 5)
            letters_append(&g->p.b, other.at, other.length);
        free(piece.at);
        free(other.at);
    }
}

static double promised(const rhomb__costs *costs, const rhomb_guide *guide,
                       const rhomb__guided_pair *both)
{
    rhomb__promise promise;
    rhomb__guide_promise(costs, guide, both, &promise);
    return promise.cost;
}

/* ------------------------------------------------------------------ cutting */

/* Pieces follow each other, are long enough, and have bands that hold their ends. */
static void check_pieces(const rhomb__costs *costs, const rhomb_guide *guide, int64_t n, int64_t m)
{
    static rhomb_subproblem pieces[RHOMB__GUIDE_SEGMENTS];
    const int64_t count = rhomb__guide_cut(costs, guide, n, m, pieces);
    int64_t target = 0, query = 0;
    assert_true(count == 0 || count > 1);
    assert_true(count <= RHOMB__GUIDE_SEGMENTS);
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *part = &pieces[i].pair;
        assert_true(part->target_at == target && part->query_at == query);
        assert_true(part->target_length >= 4096 && part->query_length >= 4096);
        assert_true(part->distance >=
                    rhomb__costs_least(costs, part->target_length, part->query_length));
        assert_true(part->distance <=
                    rhomb__costs_most(costs, part->target_length, part->query_length));
        target += part->target_length;
        query += part->query_length;
    }
    assert_true(count == 0 || (target == n && query == m));
}

static void test_cut(void **state)
{
    static rhomb_guide_point points[MOST_POINTS];
    const rhomb__costs edit = rhomb__costs_edit();
    for (int round = 0; round < 200; round++) {
        rng r = rng_for("cut", round);
        rhomb_guide guide = RHOMB_GUIDE_INIT;
        const int64_t step = rng_between(&r, 1, 20000);
        int64_t target = 0, query = 0;
        guide.points = points;
        for (; guide.count < rng_between(&r, 1, MOST_POINTS); guide.count++) {
            points[guide.count] = (rhomb_guide_point){target, query};
            target += rng_between(&r, 1, step);
            query += rng_between(&r, 1, step);
        }
        rhomb__error error = {RHOMB_OK, NULL, ""};
        assert_int_equal(rhomb__guide_check(&error, &guide, target, query), RHOMB_OK);
        check_pieces(&edit, &guide, target, query);
        check_pieces(&edit, &guide, target + rng_between(&r, 0, 9000), query + 1);
        letters t = {NULL, 0, 0}, q = {NULL, 0, 0};
        letters_random(&t, "ACGT", target, &r);
        letters_random(&q, "ACGT", query, &r);
        const rhomb__guided_pair both = {t.at, target, q.at, query, 0};
        assert_true(promised(&edit, &guide, &both) == -1);
        guide.divergence = 0;
        assert_true(promised(&edit, &guide, &both) >= (double)llabs(target - query));
        free(t.at);
        free(q.at);
    }
}

/* A pair that has points but in the middle, where it has other bases, or a run of N, or both. */
static void test_expected_runs(void **state)
{
    enum { SIDE = 100000, MIDDLE = 800000, STEP = 1000 };
    static const struct {
        bool target_run, query_run;
        double least, most; /* edits a base of the middle */
    } CASES[] = {{false, false, 0.5, 0.55},
                 {true, true, 0, 0.01},
                 {true, false, 0.5, 0.7},
                 {false, true, 0.5, 0.7}};
    const rhomb__costs edit = rhomb__costs_edit();
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb_guide_point points[2 * SIDE / STEP];
        rhomb_guide guide = {sizeof guide, points, 0, 0};
        const int64_t length = 2 * SIDE + MIDDLE;
        letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
        rng r = rng_for("runs", (int)i);
        letters_random(&target, "ACGT", length, &r);
        letters_random(&query, "ACGT", length, &r);
        if (CASES[i].target_run)
            memset(target.at + SIDE, 'N', MIDDLE);
        if (CASES[i].query_run)
            memset(query.at + SIDE, 'N', MIDDLE);
        for (int64_t at = 0; at < length; at += STEP)
            if (at < SIDE || at >= SIDE + MIDDLE)
                points[guide.count++] = (rhomb_guide_point){at, at};
        const rhomb__guided_pair both = {target.at, length, query.at, length, 0};
        const double expected = promised(&edit, &guide, &both) / MIDDLE;
        assert_true(expected >= CASES[i].least && expected <= CASES[i].most);
        free(target.at);
        free(query.at);
    }
}

/*
 * Points but in the middle, which both have twice, and the query once more: a gap and nothing else.
 * And a symbol that only one of them has, everywhere: each of these bases is a mismatch.
 */
static void test_expected_repeats(void **state)
{
    enum { SIDE = 100000, UNIT = 20000, STEP = 500, UNLIKE = 3000 };
    static rhomb_guide_point points[2 * SIDE / STEP];
    const rhomb__costs edit = rhomb__costs_edit();
    rhomb_guide guide = {sizeof guide, points, 0, 0};
    letters target = {NULL, 0, 0}, query = {NULL, 0, 0}, sides = {NULL, 0, 0}, unit = {NULL, 0, 0};
    rng r = rng_for("repeats", 0);
    letters_random(&sides, "ACGT", 2 * SIDE, &r);
    letters_random(&unit, "ACGT", UNIT, &r);
    letters_append(&target, sides.at, SIDE);
    letters_append(&query, sides.at, SIDE);
    for (int i = 0; i < 3; i++) {
        letters_append(&query, unit.at, UNIT);
        if (i < 2)
            letters_append(&target, unit.at, UNIT);
    }
    letters_append(&target, sides.at + SIDE, SIDE);
    letters_append(&query, sides.at + SIDE, SIDE);
    for (int64_t at = 0; at < 2 * SIDE; at += STEP)
        points[guide.count++] =
            (rhomb_guide_point){at < SIDE ? at : at + 2 * UNIT, at < SIDE ? at : at + 3 * UNIT};
    rhomb__guided_pair both = {target.at, target.length, query.at, query.length, 0};
    rhomb__promise promise;
    rhomb__guide_promise(&edit, &guide, &both, &promise);
    assert_true(promise.cost == UNIT);
    assert_true(promise.bases == (double)(target.length + query.length));
    /* All of it is paid between the sides. */
    for (int i = 0; i < RHOMB__PROMISE_STEPS; i++) {
        const double begins = promise.begins[i] * promise.bases;
        const double ends = promise.ends[i] * promise.bases;
        assert_true(begins > 2 * (SIDE - STEP) - 1 && begins <= 2 * SIDE);
        assert_true(ends >= 2 * SIDE + 5 * UNIT && ends < 2 * (SIDE + STEP) + 5 * UNIT + 1);
    }
    both.unlike = UNLIKE;
    assert_true(fabs(promised(&edit, &guide, &both) - UNIT - UNLIKE) < 0.3 * UNLIKE);
    free(sides.at);
    free(unit.at);
    free(target.at);
    free(query.at);
}

/* Random sequences: unit costs as is known, and no more than mismatches alone or gaps alone. */
static void test_random_costs(void **state)
{
    static const rhomb_scoring SCORINGS[] = {{0, 4, 6, 2, -1, -1, NULL},
                                             {0, 19, 36, 3, -1, -1, NULL},
                                             {0, 1, 0, 5, -1, -1, NULL},
                                             {0, 5, 8, 2, 24, 1, NULL}};
    const rhomb__costs edit = rhomb__costs_edit();
    assert_true(fabs(rhomb__costs_random(&edit) - 0.53) < 0.02);
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__costs costs;
        assert_int_equal(rhomb__costs_of(&error, &SCORINGS[i], &costs), RHOMB_OK);
        const double each = rhomb__costs_random(&costs);
        assert_true(each <= 0.8 * (double)costs.mismatch && each > 0.5 * 0.52);
        assert_true(each <= 2.2 * (double)rhomb__costs_gap(&costs, 1));
    }
}

/* Nothing to cut: short pairs, no points, points at the ends alone. */
static void test_uncut(void **state)
{
    static rhomb_subproblem pieces[RHOMB__GUIDE_SEGMENTS];
    static const rhomb_guide_point points[] = {{1, 1}, {199990, 199990}};
    static const int64_t PAIRS[][3] = {
        {0, 200000, 200000}, {2, 200000, 200000}, {2, 300000, 100000}};
    const rhomb__costs edit = rhomb__costs_edit();
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        const rhomb_guide guide = {sizeof guide, points, PAIRS[i][0], 0};
        assert_int_equal(rhomb__guide_cut(&edit, &guide, PAIRS[i][1], PAIRS[i][2], pieces), 0);
    }
}

static void test_refused(void **state)
{
    static const struct {
        rhomb_guide_point points[2];
        const char *text;
    } CASES[] = {{{{-1, 0}, {5, 5}}, "point 0"},
                 {{{0, 0}, {5, 20}}, "point 1"},
                 {{{3, 3}, {3, 4}}, "point 1"},
                 {{{3, 3}, {4, 3}}, "point 1"},
                 {{{10, 3}, {11, 4}}, "point 0"}};
    for (size_t i = 0; i <= COUNT(CASES); i++) {
        const bool has_points = i < COUNT(CASES);
        const rhomb_guide guide = {sizeof guide, has_points ? CASES[i].points : NULL, 2, 0};
        rhomb__error error = {RHOMB_OK, NULL, ""};
        assert_int_equal(rhomb__guide_check(&error, &guide, 10, 10), RHOMB_ERR_ARGUMENT);
        assert_contains(rhomb__error_text(&error), has_points ? CASES[i].text : "");
    }
}

/* ------------------------------------------------------------------ calls */

/* All calls go by these. */
static void set_rates(rhomb__rate_values values)
{
    rhomb__rates *rates = &rhomb__context_of(the_context, 0)->stream.device->rates;
    rates->values = rates->profile = values;
}

/* A call with or without the guide. */
static rhomb_report ask(const guided *g, const rhomb_guide *guide, const rhomb_scoring *scoring,
                        int64_t limit, char engine[32])
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    history h = HISTORY_INIT;
    options.guide = guide;
    options.scoring = scoring;
    options.max_distance = limit;
    options.progress = history_note;
    options.progress_user = &h;
    const rhomb_status status = rhomb_distance(the_context, g->p.a.at, g->p.a.length, g->p.b.at,
                                               g->p.b.length, &options, &result);
    if (status != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(the_context));
    if (h.complaint != NULL)
        fail_msg("progress: %s", h.complaint);
    const rhomb_report report = *rhomb_result_report(result);
    snprintf(engine, 32, "%s", report.plan->engine);
    assert_true(report.device_bytes <= report.plan->device_bytes_max);
    rhomb_result_destroy(result);
    return report;
}

/* One sweep, in a band for a path that costs little more than the best. */
static void check_good(const guided *g, const rhomb_scoring *scoring)
{
    char engine[32];
    const rhomb_report plain = ask(g, NULL, scoring, RHOMB_NO_LIMIT, engine);
    const rhomb_report with = ask(g, &g->guide, scoring, RHOMB_NO_LIMIT, engine);
    assert_true(plain.guide_bound == 0);
    assert_true(with.distance == plain.distance);
    assert_string_equal(engine, "bitparallel");
    assert_true(with.guide_bound >= with.distance);
    assert_true((double)with.guide_bound <= 1.1 * (double)with.distance);
    assert_true(with.batches == 1);
    assert_true(with.device_bytes > 0 && with.seconds_guide > 0);
    const rhomb_report limited = ask(g, &g->guide, scoring, plain.distance, engine);
    assert_true(limited.distance == plain.distance && limited.batches == 1);
    const rhomb_report exceeded = ask(g, &g->guide, scoring, plain.distance - 1, engine);
    assert_true(exceeded.distance == -1 && exceeded.exceeds_max_distance);
    assert_true(exceeded.batches == 1);
    /* No guide for a band that is as narrow as its own; the wavefront may say so, too. */
    const rhomb_report narrow = ask(g, &g->guide, scoring, plain.distance / 64, engine);
    assert_true(narrow.distance == -1 && narrow.guide_bound == 0 && narrow.seconds_guide == 0);
}

static void test_good(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    static guided g;
    for (int i = 0; i < 2; i++) {
        rng r = rng_for("good", i);
        make(&g, i == 0 ? 4000 : 7000, i == 0 ? 0.06 : 0.12, false, &r);
        check_good(&g, NULL);
        if (i == 0)
            check_good(&g, &WFA);
        pair_release(&g.p);
    }
}

/* Of an unknown divergence: where the wavefront hands over to the sweep, that has the guide. */
static void test_taken_over(void **state)
{
    static guided g;
    char engine[32];
    rng r = rng_for("taken over", 0);
    make(&g, 4000, 0.1, false, &r);
    g.guide.divergence = -1;
    const rhomb_report plain = ask(&g, NULL, NULL, RHOMB_NO_LIMIT, engine);
    const rhomb_report with = ask(&g, &g.guide, NULL, RHOMB_NO_LIMIT, engine);
    assert_string_equal(engine, "bitparallel");
    assert_true(with.distance == plain.distance);
    assert_true(with.guide_bound >= with.distance && with.seconds_guide > 0);
    assert_true((double)with.guide_bound <= 1.1 * (double)with.distance);
    /* The wavefront's batches, and one sweep instead of several. */
    assert_true(with.batches > 1 && with.batches < plain.batches && with.cells < plain.cells);
    const rhomb_report exceeded = ask(&g, &g.guide, NULL, plain.distance - 1, engine);
    assert_true(exceeded.distance == -1 && exceeded.exceeds_max_distance);
    pair_release(&g.p);
}

/* The engine that is planned with the guide. */
static void plan_engine(const guided *g, const rhomb_scoring *scoring, char engine[32])
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_plan *plan = NULL;
    options.guide = &g->guide;
    options.scoring = scoring;
    assert_int_equal(rhomb_plan_distance(the_context, g->p.a.at, g->p.a.length, g->p.b.at,
                                         g->p.b.length, &options, &plan),
                     RHOMB_OK);
    snprintf(engine, 32, "%s", plan->engine);
    rhomb_plan_destroy(plan);
}

/*
 * A promise for which the wavefront is planned, on devices whose sweep takes the longer the longer
 * its blocks take. Where the sweep wins at twice the promise the guide is followed first, with
 * any costs, and a sweep for what that tells is the only one; or the wavefront keeps the pair.
 */
static void test_doubt(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    static const struct {
        const rhomb_scoring *scoring;
        double block_seconds;
        double divergence; /* promised; it is 0.036 */
        const char *engine;
        bool follows;
    } CASES[] = {{NULL, 1.5e-6, 0.015, "bitparallel", true},
                 {NULL, 4e-6, 0.03, "wavefront", true},
                 {NULL, 4e-6, 0.015, "wavefront", true},
                 {NULL, 4e-6, 0.009, "wavefront", false},
                 {&WFA, 6e-6, 0.015, "bitparallel", true}};
    static guided g;
    rng r = rng_for("doubt", 0);
    if (rhomb_context_device(the_context)->kind != RHOMB_DEVICE_CPU)
        skip(); /* the numbers are for a sweep in vectors */
    make(&g, 15000, 0.04, true, &r);
    for (size_t i = 0; i < COUNT(CASES); i++) {
        char planned[32], engine[32];
        set_rates((rhomb__rate_values){1e9, 3e-6, 1e14, CASES[i].block_seconds, 1e11});
        g.guide.divergence = CASES[i].divergence;
        plan_engine(&g, CASES[i].scoring, planned);
        assert_string_equal(planned, "wavefront");
        const rhomb_report got = ask(&g, &g.guide, CASES[i].scoring, RHOMB_NO_LIMIT, engine);
        if (strcmp(engine, CASES[i].engine) != 0 || (got.guide_bound > 0) != CASES[i].follows)
            fail_msg("case %zu: %s, a path of cost %lld along the guide", i, engine,
                     (long long)got.guide_bound);
        assert_true((got.batches == 1) == (strcmp(engine, "bitparallel") == 0));
    }
    set_rates(CPU);
    pair_release(&g.p);
}

/* Points that have nothing to do with the pair. */
static void test_bad(void **state)
{
    static guided g;
    char engine[32];
    rng r = rng_for("bad", 0);
    make(&g, 4000, 0.06, false, &r);
    const int64_t least = ask(&g, NULL, NULL, RHOMB_NO_LIMIT, engine).distance;
    for (int64_t i = 0; i < g.guide.count; i++) {
        g.points[i].target = (i + 1) * g.p.a.length / (3 * g.guide.count);
        g.points[i].query = g.p.b.length - (g.guide.count - i) * 4000;
    }
    const rhomb_report with = ask(&g, &g.guide, NULL, RHOMB_NO_LIMIT, engine);
    assert_true(with.distance == least && with.guide_bound > least);
    g.guide.divergence = 0.00001;
    g.guide.count = 1;
    assert_true(ask(&g, &g.guide, NULL, RHOMB_NO_LIMIT, engine).distance == least);
    g.points[0].query = g.p.b.length;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    options.guide = &g.guide;
    assert_int_equal(rhomb_distance(the_context, g.p.a.at, g.p.a.length, g.p.b.at, g.p.b.length,
                                    &options, &result),
                     RHOMB_ERR_ARGUMENT);
    assert_null(result);
    pair_release(&g.p);
}

/* An alignment has the same distance, by one sweep. */
static void test_align(void **state)
{
    static guided g;
    char engine[32];
    rng r = rng_for("align", 0);
    make(&g, 4000, 0.1, false, &r);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    options.guide = &g.guide;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    assert_int_equal(rhomb_align(the_context, g.p.a.at, g.p.a.length, g.p.b.at, g.p.b.length,
                                 &options, &alignment),
                     RHOMB_OK);
    const rhomb_align_report *report = rhomb_alignment_report(alignment);
    assert_true(report->whole->distance == ask(&g, NULL, NULL, RHOMB_NO_LIMIT, engine).distance);
    assert_true(report->mismatches + report->inserted + report->deleted == report->whole->distance);
    assert_true(report->whole->guide_bound > 0 && report->whole->batches == 1);
    rhomb_alignment_destroy(alignment);
    pair_release(&g.p);
}

/* ------------------------------------------------------------------ matrices */

enum { LIST = 5 };

/* Guides of pairs: right ones, wrong ones, none, by turns; and what has come of the pairs. */
typedef struct guiding {
    rhomb_matrix_sequence list[LIST];
    rhomb_guide_point points[2];
    int64_t calls, given, pairs;
    bool invalid;
} guiding;

static bool guide_pair(int64_t row, int64_t column, int32_t device, rhomb_guide *guide, void *user)
{
    guiding *g = user;
    const int64_t n = g->list[row].length, m = g->list[column].length;
    const bool wrong = g->calls % 3 == 1;
    assert_true(row > column && column >= 0 && device == 0);
    assert_true(n >= RHOMB_GUIDE_LEAST && m >= RHOMB_GUIDE_LEAST);
    g->points[0] = (rhomb_guide_point){n / 3, wrong ? m / 9 : n / 3};
    g->points[1] = (rhomb_guide_point){n / 2, g->invalid ? m + 1 : wrong ? m - m / 9 : n / 2};
    guide->points = g->points;
    guide->count = 2;
    guide->divergence = 0.3; /* so that a sweep follows it at once */
    const bool has_guide = g->calls++ % 3 < 2;
    g->given += has_guide;
    return has_guide;
}

static int check_row(int64_t row, int64_t column, const int64_t *distances, size_t count,
                     void *user)
{
    guiding *g = user;
    const rhomb_matrix_sequence *a = &g->list[row], *b = &g->list[column];
    for (size_t i = 0; i < count; i++, b++, g->pairs++)
        assert_int_equal(distances[i],
                         oracle_distance(a->bases, a->length, b->bases, b->length, true));
    return 0;
}

/* Long pairs of a matrix have their guides from the caller, and the distances of edlib. */
static void test_matrix(void **state)
{
    static const int64_t CUT[LIST] = {900, 0, 1200, 500, 3000}; /* the last is too short for one */
    letters text[LIST] = {{NULL, 0, 0}};
    guiding g = {.calls = 0};
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    rhomb_matrix_report report = RHOMB_MATRIX_REPORT_INIT;
    rng r = rng_for("matrix", 0);
    letters_random(&text[0], "ACGT", RHOMB_GUIDE_LEAST + 2000, &r);
    for (int i = 0; i < LIST; i++) {
        if (i > 0)
            letters_mutate(&text[i], &text[0], 0.002, "ACGT", &r);
        g.list[i] = (rhomb_matrix_sequence){text[i].at, text[i].length - CUT[i], NULL};
    }
    tuning.last_limit = 1; /* all pairs are beyond it */
    options.tuning = &tuning;
    options.results = check_row;
    options.user = options.guide_user = &g;
    options.guide = guide_pair;
    assert_int_equal(rhomb_matrix_compute(the_context, g.list, LIST, &options, &report), RHOMB_OK);
    assert_true(g.pairs == 10 && report.long_pairs == 10);
    assert_true(g.calls == 6 && g.given == 4 && report.guided == 4);
    g.invalid = true;
    assert_int_equal(rhomb_matrix_compute(the_context, g.list, LIST, &options, NULL),
                     RHOMB_ERR_ARGUMENT);
    for (int i = 0; i < LIST; i++)
        free(text[i].at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_cut, test_expected_runs, test_expected_repeats,
                  test_random_costs, test_uncut, test_refused, test_good, test_taken_over,
                  test_doubt, test_bad, test_align, test_matrix)};
    the_context = device_open();
    if (the_context == NULL)
        return 77;
    set_rates(CPU);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rhomb_context_destroy(the_context);
    return failed;
}
