/* SPDX-License-Identifier: MIT */
/*
 * Alignments by affine costs through the library's interface, on the device that "auto" takes: each
 * path goes through both sequences, has matches and mismatches where it says so, and costs the
 * penalty, which is Gotoh's. Long gaps beside short sequences, and costs that no wavefront has.
 *
 * Exits with 77 where there is no device.
 */
#include "rhomb/align.h"
#include "rhomb/scoring.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/path_judge.h"

static session the_session;

/* A scoring, as users write it and as the oracle has it. */
typedef struct scored {
    const char *text;
    oracle_penalties penalties;
} scored;

static const scored WFA = {"wfa", {4, 1, {6, 0}, {2, 0}, 0}},
                    TWO = {"affine2p:5,8,2,24,1", {5, 2, {8, 24}, {2, 1}, 0}},
                    DEAR = {"affine:30000,30000,1", {30000, 1, {30000, 0}, {1, 0}, 0}};

/* Aligns with an engine; expected: the penalty, or -1 if it is the oracle's to say. */
static void check_pair(const pair *p, const scored *s, rhomb_engine engine, int64_t expected)
{
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring = RHOMB_SCORING_EDIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    int64_t count = 0;
    options.scoring = &scoring;
    options.engine = engine;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, s->text, &scoring), RHOMB_OK);
    if (rhomb_align(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options,
                    &alignment) != RHOMB_OK)
        fail_msg("%s, %lld and %lld bases: %s", s->text, (long long)p->a.length,
                 (long long)p->b.length, rhomb_context_error(the_session.ctx));
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const int64_t penalty = rhomb_alignment_report(alignment)->whole->distance;
    if (expected < 0)
        expected = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, &s->penalties);
    assert_true(penalty == expected);
    const rhomb_pair texts = {p->a.at, p->a.length, p->b.at, p->b.length};
    assert_null(path_judge_scored(path, count, &texts, &s->penalties, expected, false));
    rhomb_alignment_destroy(alignment);
}

/* Pairs of all families, and engines. */
static void test_families(void **state)
{
    static const scored *const SCORINGS[] = {&WFA, &TWO, &DEAR};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 60; i++) {
        if (!amount_takes(i))
            continue;
        rng r = rng_for("align scored", i);
        const scored *s = SCORINGS[i % (int64_t)COUNT(SCORINGS)];
        affine_pair_make((affine_family)(i / 3 % AFFINE_FAMILY_COUNT),
                         rng_between(&r, 1, i % 4 == 0 ? 6000 : 1500), &r, &p);
        check_pair(&p, s, RHOMB_ENGINE_BITPARALLEL, -1);
        check_pair(&p, s, RHOMB_ENGINE_AUTO, -1);
    }
    pair_release(&p);
}

/* One gap of many times the rest, in either sequence: what is beside it is narrow. */
static void test_long_gap(void **state)
{
    enum { SHARED = 4000, GAP = 60000 };
    static const scored *const SCORINGS[] = {&WFA, &TWO, &DEAR};
    rng r = rng_for("align scored long", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}}, swapped;
    letters_random(&p.a, "ACGT", SHARED, &r);
    letters_append(&p.b, p.a.at, SHARED / 2);
    letters_random(&p.b, "ACGT", GAP, &r);
    letters_append(&p.b, p.a.at + SHARED / 2, SHARED / 2);
    swapped = (pair){p.b, p.a};
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        const scored *s = SCORINGS[i];
        check_pair(&p, s, RHOMB_ENGINE_BITPARALLEL, oracle_gap(&s->penalties, GAP));
        check_pair(&swapped, s, RHOMB_ENGINE_BITPARALLEL, oracle_gap(&s->penalties, GAP));
    }
    pair_release(&p);
}

/* The distance by a sweep, which follows no runs. */
static int64_t swept(const pair *p, const char *text)
{
    rhomb_result *result = NULL;
    rhomb_scoring scoring = RHOMB_SCORING_EDIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.scoring = &scoring;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, text, &scoring), RHOMB_OK);
    if (rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options,
                       &result) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(the_session.ctx));
    const int64_t distance = rhomb_result_report(result)->distance;
    rhomb_result_destroy(result);
    return distance;
}

/* Long runs of one letter that the tables say. */
static void test_known_runs(void **state)
{
    static const scored *const SCORINGS[] = {&WFA, &TWO};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 15; i++) {
        if (!amount_takes(i))
            continue;
        rng r = rng_for("align scored known runs", i);
        const scored *s = SCORINGS[i % (int64_t)COUNT(SCORINGS)];
        pair_make_known_runs(i % 3 == 0 ? "AC" : "NA", i, &r, &p);
        check_pair(&p, s, RHOMB_ENGINE_WAVEFRONT, swept(&p, s->text));
    }
    pair_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_long_gap),
        cmocka_unit_test(test_known_runs),
    };
    return session_run(&the_session, tests, NULL);
}
