/* SPDX-License-Identifier: MIT */
/*
 * Progress: bounds go one way, and the fraction never falls, whatever the engine and however many
 * phases it has. Alignments have the same check in align_check.c.
 */
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

#include <rhomb/local.h>
#include <rhomb/scoring.h>

static session the_session;

static int follow_progress(const rhomb_progress *now, void *user)
{
    rhomb_progress *before = user;
    assert_true(now->lower_bound >= before->lower_bound && now->lower_bound <= now->upper_bound);
    assert_true(now->upper_bound <= before->upper_bound);
    assert_true(now->seconds >= before->seconds);
    assert_true(now->fraction >= before->fraction && now->fraction <= 1);
    *before = *now;
    return 0;
}

/* One engine, with a first band far too narrow, so that sweeps begin again; their number. */
static int64_t rise_with(const pair *p, rhomb_engine engine, int32_t directions, const char *costs)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_scoring scoring;
    rhomb_result *result = NULL;
    rhomb_progress before = {.upper_bound = INT64_MAX};
    tuning.first_beside = engine == RHOMB_ENGINE_BITPARALLEL ? 64 : 0;
    tuning.directions = directions;
    tuning.blocks_per_launch = engine == RHOMB_ENGINE_BITPARALLEL ? 16 : 0;
    tuning.launches_per_read = engine == RHOMB_ENGINE_WAVEFRONT ? 2 : 0;
    options.engine = engine;
    options.tuning = &tuning;
    options.scoring = &scoring;
    options.progress = follow_progress;
    options.progress_user = &before;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, costs, &scoring), RHOMB_OK);
    assert_int_equal(rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length,
                                    &options, &result),
                     RHOMB_OK);
    const int64_t batches = rhomb_result_report(result)->batches;
    rhomb_result_destroy(result);
    assert_true(before.fraction > 0);
    return batches;
}

static void test_rising(void **state)
{
    rng r = rng_for("rising", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 200000, &r);
    letters_mutate(&p.b, &p.a, 0.1, "ACGT", &r);
    assert_true(rise_with(&p, RHOMB_ENGINE_BITPARALLEL, 1, "edit") > 1);
    assert_true(rise_with(&p, RHOMB_ENGINE_BITPARALLEL, 2, "edit") > 1);
    rise_with(&p, RHOMB_ENGINE_WAVEFRONT, 1, "edit");
    rise_with(&p, RHOMB_ENGINE_WAVEFRONT, 2, "edit");
    pair_release(&p);
    letters_random(&p.a, "ACGT", 30000, &r);
    letters_mutate(&p.b, &p.a, 0.05, "ACGT", &r);
    rise_with(&p, RHOMB_ENGINE_BITPARALLEL, 2, "wfa");
    rise_with(&p, RHOMB_ENGINE_WAVEFRONT, 2, "wfa");
    pair_release(&p);
}

/* Two sweeps of a local alignment, and its path. */
static void test_local(void **state)
{
    rng r = rng_for("rising local", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_scoring scoring;
    rhomb_alignment *alignment = NULL;
    rhomb_progress before = {.upper_bound = INT64_MAX};
    options.scoring = &scoring;
    options.progress = follow_progress;
    options.progress_user = &before;
    letters_random(&p.a, "ACGT", 30000, &r);
    letters_mutate(&p.b, &p.a, 0.1, "ACGT", &r);
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, "match:2,4,4,2", &scoring), RHOMB_OK);
    assert_int_equal(rhomb_align_mode(the_session.ctx, p.a.at, p.a.length, p.b.at, p.b.length, NULL,
                                      &options, &alignment),
                     RHOMB_OK);
    rhomb_alignment_destroy(alignment);
    assert_true(before.fraction > 0.9);
    pair_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rising), cmocka_unit_test(test_local)};
    return session_run(&the_session, tests, NULL);
}
