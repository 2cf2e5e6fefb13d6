/* SPDX-License-Identifier: MIT */
/*
 * Scorings through the library's interface, on the device that "auto" takes: what reports say of
 * scores, and what is refused. Multiples of unit costs are cases of test_scores and
 * test_align_scores.
 *
 * Exits with 77 where there is no device.
 */
#include "rhomb/align.h"
#include "rhomb/scoring.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static session the_session;

static rhomb_scoring parsed(const char *text)
{
    rhomb_scoring scoring = RHOMB_SCORING_EDIT;
    if (rhomb_scoring_parse(the_session.ctx, text, &scoring) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(the_session.ctx));
    return scoring;
}

/* The report of a result that is released before. */
static rhomb_report ask(const pair *p, const rhomb_options *options)
{
    rhomb_result *result = NULL;
    if (rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length, options,
                       &result) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(the_session.ctx));
    const rhomb_report report = *rhomb_result_report(result);
    assert_true(report.plan->edit_penalty == report.edit_penalty);
    assert_true(report.distance < 0 || (report.plan->lower_bound <= report.distance &&
                                        report.distance <= report.plan->upper_bound));
    rhomb_result_destroy(result);
    return report;
}

static void make_pair(pair *p, int64_t length, double rate, int64_t index)
{
    rng r = rng_for("scored", index);
    p->a.length = p->b.length = 0;
    letters_random(&p->a, "ACGT", length, &r);
    letters_mutate(&p->b, &p->a, rate, "ACGT", &r);
}

/* match:2,0,0,1 loses 2 an edit of what two identical sequences would score. */
static void test_score(void **state)
{
    const rhomb_scoring scoring = parsed("match:2,0,0,1"), asm5 = parsed("asm5");
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    make_pair(&p, 2000, 0.05, 100);
    const rhomb_report edits = ask(&p, NULL);
    assert_true(!edits.has_score && edits.score == 0);
    options.scoring = &scoring;
    rhomb_report scored = ask(&p, &options);
    assert_true(scored.distance == 2 * edits.distance && scored.has_score);
    assert_true(scored.score == p.a.length + p.b.length - 2 * edits.distance);
    options.max_distance = scored.distance - 1;
    scored = ask(&p, &options);
    assert_true(scored.distance == -1 && !scored.has_score && scored.similarity == -1);
    /* A gap alone, with penalties that are doubled. */
    options.max_distance = RHOMB_NO_LIMIT;
    options.scoring = &asm5;
    p.b.length = 0;
    scored = ask(&p, &options);
    assert_true(scored.has_score && scored.score == -(81 + p.a.length));
    assert_true(scored.distance == 2 * 81 + 3 * p.a.length);
    assert_true(scored.similarity == -1 && scored.edit_penalty == 0);
    pair_release(&p);
}

static void test_errors(void **state)
{
    const rhomb_scoring wfa = parsed("wfa"), bad = {0, 4, 6, 0, -1, -1, NULL},
                        large = parsed("affine:4,1024,1");
    rhomb_scoring scoring = wfa;
    rhomb_result *result = NULL;
    rhomb_alignment *alignment = (rhomb_alignment *)&scoring; /* anything but NULL */
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_context *ctx = the_session.ctx;
    assert_true(rhomb_scoring_parse(NULL, "wfa", &scoring) == RHOMB_ERR_ARGUMENT);
    assert_true(rhomb_scoring_parse(ctx, NULL, &scoring) == RHOMB_ERR_ARGUMENT);
    assert_true(rhomb_scoring_parse(ctx, "wfa", NULL) == RHOMB_ERR_ARGUMENT);
    assert_true(rhomb_scoring_parse(ctx, "wfa2", &scoring) == RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "scoring 'wfa2' is not edit"));
    assert_memory_equal(&scoring, &wfa, sizeof wfa);
    options.scoring = &bad;
    assert_true(rhomb_distance(ctx, "ACGT", 4, "ACT", 3, &options, &result) == RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "gap extension of 0"));
    options.scoring = &large;
    options.engine = RHOMB_ENGINE_WAVEFRONT;
    assert_true(rhomb_distance(ctx, "ACGT", 4, "ACT", 3, &options, &result) == RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "1024 is the most that the wavefront can"));
    assert_null(result);
    assert_true(rhomb_align(ctx, "ACGT", 4, "ACT", 3, &options, &alignment) == RHOMB_ERR_ARGUMENT);
    assert_null(alignment);
}

SESSION_MAIN(the_session, test_score, test_errors)
