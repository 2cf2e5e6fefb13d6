/* SPDX-License-Identifier: MIT */
/*
 * A local alignment of one pair, one with free ends or an extension under fault injection, see
 * fault_driver.h. What comes out is that of a whole matrix. Its "distance" is the sum of score,
 * begins and ends.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "rhomb/local.h"
#include "tests/reference/gotoh_modes.h"

enum { TARGET = 700, QUERY = 500, SHARED = 300, SPACING = 17, BONUS = 3 };
enum { TARGET_AT = 200, QUERY_AT = QUERY - SHARED - 50 }; /* where they share a piece */

static const rhomb_free_ends FREE = {100, 40, 150, 180};

static const rhomb_scoring SCORING = {2, 4, 4, 2, -1, -1};
static const oracle_penalties PENALTIES = {
    .mismatch = 4, .pieces = 1, .open = {4}, .extend = {2}, .match = 2};

static struct {
    char target[TARGET];
    char query[QUERY];
    bool made;
} the_pair;

static int64_t sum_of(const rhomb_pair_extent *e)
{
    return e->score + e->target_begin + e->target_end + e->query_begin + e->query_end;
}

/* Both share a piece, with a mismatch every so many bases. */
static void make_pair(void)
{
    if (the_pair.made)
        return;
    fault_random_letters(the_pair.target, TARGET);
    fault_random_letters(the_pair.query, QUERY);
    for (int i = 0; i < SHARED; i++)
        if (i % SPACING != 0)
            the_pair.query[QUERY_AT + i] = the_pair.target[TARGET_AT + i];
    the_pair.made = true;
}

/* Extensions begin where the piece does. */
static rhomb_pair pair_of(rhomb_mode mode)
{
    const int64_t target_at = mode == RHOMB_MODE_EXTEND ? TARGET_AT : 0;
    const int64_t query_at = mode == RHOMB_MODE_EXTEND ? QUERY_AT : 0;
    return (rhomb_pair){the_pair.target + target_at, TARGET - target_at, the_pair.query + query_at,
                        QUERY - query_at};
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const rhomb_mode mode = (rhomb_mode)s->way;
    const rhomb_pair p = pair_of(mode);
    const rhomb_mode_options how = {sizeof how, mode, FREE, s->z_drop, BONUS};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    options.scoring = &SCORING;
    options.tuning = &tuning;
    tuning.local_steps = s->free_groups ? 0 : 200; /* vectors have as many, groups fewer */
    result->status = rhomb_align_mode(ctx, p.target, p.target_length, p.query, p.query_length, &how,
                                      &options, &alignment);
    fault_keep_detail(ctx, result);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    result->distance =
        result->status == RHOMB_OK ? sum_of(rhomb_alignment_local(alignment)->extent) : -2;
    rhomb_alignment_destroy(alignment);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
}

fault_subject fault_local(rhomb_mode mode, int64_t z_drop)
{
    const oracle_mode how = {mode, FREE, z_drop, BONUS};
    make_pair();
    const rhomb_pair p = pair_of(mode);
    const rhomb_pair_extent e = oracle_mode_extent(p.target, p.target_length, p.query,
                                                   p.query_length, &PENALTIES, &how, NULL);
    const fault_subject s = {.run = run,
                             .way = (int)mode,
                             .z_drop = z_drop,
                             .distance = sum_of(&e),
                             .least_calls = mode == RHOMB_MODE_EXTEND ? 40 : 50,
                             .least_named = 3,
                             .tangled = true};
    return s;
}
