/* SPDX-License-Identifier: MIT */
/*
 * Scorings through the library's interface, on the device that "auto" takes: multiples of unit
 * costs give multiples of the edit distance with every engine, in reports, limits, progress and
 * alignments; scores; and what is refused.
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

/* What progress said: bounds in penalties that contain the distance. */
typedef struct bounds {
    int64_t lower, upper;
    int64_t unit;
    int64_t calls;
} bounds;

static int watch(const rhomb_progress *progress, void *user)
{
    bounds *b = user;
    assert_true(progress->lower_bound % b->unit == 0 && progress->upper_bound % b->unit == 0);
    b->lower = progress->lower_bound > b->lower ? progress->lower_bound : b->lower;
    b->upper = progress->upper_bound < b->upper ? progress->upper_bound : b->upper;
    b->calls++;
    return 0;
}

static void check_scaled(const pair *p, rhomb_engine engine, int64_t unit)
{
    char text[64];
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    const rhomb_report edits = ask(p, &options);
    snprintf(text, sizeof text, "affine:%d,0,%d", (int)unit, (int)unit);
    const rhomb_scoring scoring = parsed(text);
    bounds seen = {0, INT64_MAX, unit, 0};
    options.scoring = &scoring;
    options.progress = watch;
    options.progress_user = &seen;
    rhomb_report scaled = ask(p, &options);
    assert_true(edits.distance > 0 && scaled.distance == unit * edits.distance);
    assert_true(scaled.similarity == edits.similarity && !scaled.has_score);
    assert_true(edits.edit_penalty == 1 && scaled.edit_penalty == unit);
    assert_true(scaled.cells == edits.cells || engine == RHOMB_ENGINE_AUTO);
    assert_true(seen.calls > 0 && seen.lower <= scaled.distance && seen.upper >= scaled.distance);
    /* Limits are penalties, also those between two multiples. */
    for (int64_t limit = scaled.distance - unit; limit <= scaled.distance + 1; limit++) {
        options.max_distance = limit;
        const rhomb_report limited = ask(p, &options);
        assert_true(limited.max_distance == limit);
        assert_true(limited.exceeds_max_distance == (limit < scaled.distance));
        assert_true(limited.distance == (limit < scaled.distance ? -1 : scaled.distance));
    }
}

static void test_scaled(void **state)
{
    static const double RATES[] = {0.001, 0.1, 1};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(RATES); i++) {
        make_pair(&p, 5000, RATES[i], (int64_t)i);
        check_scaled(&p, RHOMB_ENGINE_AUTO, 2);
        check_scaled(&p, RHOMB_ENGINE_WAVEFRONT, 2);
        check_scaled(&p, RHOMB_ENGINE_BITPARALLEL, 5);
    }
    pair_release(&p);
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

static void test_aligned(void **state)
{
    const rhomb_scoring scaled = parsed("affine:3,0,3");
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    make_pair(&p, 3000, 0.1, 200);
    const rhomb_report edits = ask(&p, NULL);
    for (int engine = RHOMB_ENGINE_AUTO; engine <= RHOMB_ENGINE_BITPARALLEL; engine++) {
        bounds seen = {0, INT64_MAX, 3, 0};
        options.engine = (rhomb_engine)engine;
        options.scoring = &scaled;
        options.max_distance = 3 * edits.distance + 2;
        options.progress = watch;
        options.progress_user = &seen;
        if (rhomb_align(the_session.ctx, p.a.at, p.a.length, p.b.at, p.b.length, &options,
                        &alignment) != RHOMB_OK)
            fail_msg("%s", rhomb_context_error(the_session.ctx));
        const rhomb_align_report *report = rhomb_alignment_report(alignment);
        assert_true(report->whole->distance == 3 * edits.distance);
        assert_true(report->mismatches + report->inserted + report->deleted == edits.distance);
        assert_true(seen.calls > 0 && seen.upper >= report->whole->distance);
        rhomb_alignment_destroy(alignment);
    }
    pair_release(&p);
}

static void test_errors(void **state)
{
    const rhomb_scoring wfa = parsed("wfa"), bad = {0, 4, 6, 0, -1, -1},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_score),
        cmocka_unit_test(test_aligned),
        cmocka_unit_test(test_errors),
    };
    return session_run(&the_session, tests, NULL);
}
