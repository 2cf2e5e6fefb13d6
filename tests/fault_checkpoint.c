/* SPDX-License-Identifier: MIT */
/*
 * A distance that is stopped at a checkpoint and goes on under fault injection, see fault_driver.h.
 * Its way is the call of the progress function that stops it. All runs but the one that is stopped
 * keep checkpoints at each step.
 */
#include "fault_driver.h"

#include "host/device/context.h"

#include <unistd.h>

static char file[] = "/tmp/rhomb-fault-checkpoint-XXXXXX";

/* `user` is the number of calls until the one that stops. */
static int stop(const rhomb_progress *progress, void *user)
{
    int *calls = user;
    const bool stops = !progress->building && --*calls == 0;
    /* Ranks go on once the checkpoint is written, until they hear that it was the last one. */
    if (stops && getenv("RHOMB_TEST_RANKS") != NULL)
        fault_excuse(true);
    return stops;
}

/* Stops at a call of the progress function; 0: at none. */
static rhomb_status solve(rhomb_context *ctx, const fault_job *job, int stops, rhomb_result **out)
{
    rhomb_options options = job->options;
    int calls = stops;
    options.tuning = &job->tuning;
    if (job->scoring.mismatch > 0)
        options.scoring = &job->scoring;
    options.checkpoint = file;
    options.checkpoint_seconds = stops > 0 ? 1e9 : 1e-9;
    options.progress = stops > 0 ? stop : NULL;
    options.progress_user = &calls;
    *out = (rhomb_result *)&options; /* anything but NULL */
    return rhomb_distance(ctx, job->target, job->target_length, job->query, job->query_length,
                          &options, out);
}

static void run(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    rhomb_result *found = NULL;
    unlink(file);
    result->distance = -2;
    result->status = solve(ctx, s->job, s->way, &found);
    assert_null(found);
    /* Whatever fails then, only the wish to stop leaves a file. */
    const bool is_kept = access(file, F_OK) == 0;
    assert_true(!is_kept || result->status == RHOMB_ERR_CANCELLED);
    fault_excuse(false);
    /* What is excused there did not keep the checkpoint from being written. */
    assert_true(is_kept || result->status != RHOMB_ERR_CANCELLED ||
                getenv("RHOMB_TEST_RANKS") == NULL);
    if (result->status == RHOMB_ERR_CANCELLED)
        result->status = solve(ctx, s->job, 0, &found);
    fault_keep_detail(ctx, result);
    assert_int_equal(found == NULL, result->status != RHOMB_OK);
    if (result->status == RHOMB_OK) {
        const rhomb_report *report = rhomb_result_report(found);
        assert_int_equal(report->resumed, is_kept);
        result->distance = report->distance;
    }
    rhomb_result_destroy(found);
    if (ctx->stream.device != NULL)
        assert_int_equal(ctx->stream.bytes_in_use, 0);
}

fault_subject fault_checkpoint(const fault_job *job, int stops)
{
    const fault_subject s = {.run = run,
                             .way = stops,
                             .job = job,
                             .distance = job->distance,
                             .least_calls = 60,
                             .least_named = 3,
                             .tangled = true};
    if (strchr(file, 'X') != NULL)
        close(mkstemp(file));
    return s;
}

void fault_checkpoint_end(void)
{
    unlink(file);
}
