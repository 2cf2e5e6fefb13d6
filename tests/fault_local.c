/* SPDX-License-Identifier: MIT */
/*
 * A local alignment of one pair under fault injection, see fault_driver.h. What comes out is that
 * of a whole matrix. Its "distance" is the sum of score, begins and ends.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "rhomb/local.h"
#include "tests/reference/gotoh_modes.h"

enum { TARGET = 700, QUERY = 500, SHARED = 300, SPACING = 17 };

static const rhomb_scoring SCORING = {2, 4, 4, 2, -1, -1};
static const oracle_penalties PENALTIES = {
    .mismatch = 4, .pieces = 1, .open = {4}, .extend = {2}, .match = 2};

static struct {
    char target[TARGET];
    char query[QUERY];
    int64_t sum; /* 0: not made yet */
} the_pair;

static int64_t sum_of(const rhomb_pair_extent *e)
{
    return e->score + e->target_begin + e->target_end + e->query_begin + e->query_end;
}

/* Both share a piece, with a mismatch every so many bases. */
static void make_pair(void)
{
    static const oracle_mode LOCAL = {.mode = RHOMB_MODE_LOCAL};
    if (the_pair.sum > 0)
        return;
    fault_random_letters(the_pair.target, TARGET);
    fault_random_letters(the_pair.query, QUERY);
    for (int i = 0; i < SHARED; i++)
        if (i % SPACING != 0)
            the_pair.query[QUERY - SHARED - 50 + i] = the_pair.target[200 + i];
    const rhomb_pair_extent e = oracle_mode_extent(the_pair.target, TARGET, the_pair.query, QUERY,
                                                   &PENALTIES, &LOCAL, NULL);
    the_pair.sum = sum_of(&e);
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    options.scoring = &SCORING;
    options.tuning = &tuning;
    tuning.local_steps = 200;
    result->status = rhomb_align_local(ctx, the_pair.target, TARGET, the_pair.query, QUERY,
                                       &options, &alignment);
    fault_keep_detail(ctx, result);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    result->distance =
        result->status == RHOMB_OK ? sum_of(&rhomb_alignment_local(alignment)->extent) : -2;
    rhomb_alignment_destroy(alignment);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
}

fault_subject fault_local(void)
{
    make_pair();
    const fault_subject s = {.run = run,
                             .distance = the_pair.sum,
                             .least_calls = 50,
                             .least_named = 3,
                             .costly = true,
                             .tangled = true};
    return s;
}
