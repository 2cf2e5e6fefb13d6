/* SPDX-License-Identifier: MIT */
/*
 * Progress of a local alignment, which has three phases: bounds go one way, and the fraction never
 * falls. Distances have the same check in support/check.c, alignments in align_check.c.
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

SESSION_MAIN(the_session, test_local)
