/* SPDX-License-Identifier: MIT */
/*
 * A sweep with a guide under fault injection, see fault_driver.h. The query is the target without a
 * piece in its middle, so the distance is that piece's length, and the guide's points are the ends
 * of stretches that both have.
 */
#include "fault_driver.h"

#include "host/device/context.h"
#include "rhomb/guide.h"

/* The shortest pair that is guided; the piece, and the points, every so many bases. */
enum { KEPT = RHOMB_GUIDE_LEAST, PIECE = 700, POINTS = 15, SPACING = KEPT / (POINTS + 1) };

static const struct guided {
    const char *target, *query;
    rhomb_guide guide;
} * the_pair(void)
{
    static char target[KEPT + PIECE], query[KEPT];
    static rhomb_guide_point points[POINTS];
    static struct guided made = {NULL, NULL, RHOMB_GUIDE_INIT};
    if (made.target != NULL)
        return &made;
    fault_random_letters(target, sizeof target);
    for (int64_t i = 0; i < KEPT; i++)
        query[i] = target[i < KEPT / 2 ? i : i + PIECE];
    for (int64_t i = 0; i < POINTS; i++) {
        const int64_t at = (i + 1) * SPACING;
        points[i] = (rhomb_guide_point){at < KEPT / 2 ? at : at + PIECE, at};
    }
    made.target = target;
    made.query = query;
    made.guide.points = points;
    made.guide.count = POINTS;
    return &made;
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const struct guided *pair = the_pair();
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *found = (rhomb_result *)&options; /* anything but NULL */
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    options.guide = &pair->guide;
    result->status =
        rhomb_distance(ctx, pair->target, KEPT + PIECE, pair->query, KEPT, &options, &found);
    fault_keep_detail(ctx, result);
    assert_int_equal(found == NULL, result->status != RHOMB_OK);
    result->distance = -2;
    if (result->status == RHOMB_OK) {
        const rhomb_report *report = rhomb_result_report(found);
        result->distance = report->distance;
        assert_true(report->seconds_guide > 0 && report->guide_bound >= s->distance);
    }
    rhomb_result_destroy(found);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
}

fault_subject fault_guide(void)
{
    const fault_subject s = {
        .run = run, .distance = PIECE, .least_calls = 100, .least_named = 3, .tangled = true};
    return s;
}
