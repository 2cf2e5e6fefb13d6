/* SPDX-License-Identifier: MIT */
/*
 * Several devices that share a sweep or the splits of a path, of this process or of other ranks, of
 * which one fails: each OpenCL call in turn, alone and with all that follow, and commands that end
 * with an error. A call returns the right status and names the culprit, nothing stays behind on any
 * device, the next call is as good.
 */
#include "fault_driver.h"
#include "support/thread_ranks.h"

static fault_job the_job;

static fault_subject shared_sweeps(fault_work work)
{
    fault_make_job(&the_job, work);
    the_job.tuning.chunk_strips = 1;
    return fault_distance(&the_job);
}

static void test_calls(void **state)
{
    const fault_subject sweeps = shared_sweeps(FAULT_SWEEPS);
    fault_fail_calls(&sweeps, FAULT_ALONE, (fault_steps){1, 48});
    const fault_subject sliced = shared_sweeps(FAULT_SLICED);
    fault_fail_calls(&sliced, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){3, 16});
}

static void test_lost_device(void **state)
{
    fault_subject s = shared_sweeps(FAULT_SWEEPS);
    s.tangled = getenv("RHOMB_TEST_RANKS") != NULL; /* which fail side by side */
    fault_fail_calls(&s, FAULT_LOST, (fault_steps){1, 16});
}

/* Devices split the subproblems of a path side by side: each fault hits one of them. */
static void test_path(void **state)
{
    const fault_subject waves = fault_align(RHOMB_ENGINE_WAVEFRONT);
    fault_fail_calls(&waves, FAULT_ALONE, (fault_steps){3, 24});
    fault_fail_calls(&waves, FAULT_LOST, (fault_steps){7, 16});
    const fault_subject affine = fault_align_scored(RHOMB_ENGINE_WAVEFRONT);
    fault_fail_calls(&affine, (fault_plan){.code = CL_MEM_OBJECT_ALLOCATION_FAILURE},
                     (fault_steps){5, 16});
    const fault_subject sweeps = fault_align(RHOMB_ENGINE_BITPARALLEL);
    fault_fail_calls(&sweeps, FAULT_ALONE, (fault_steps){9, 12});
}

/* Checkpoints of calls that the devices share, and calls that go on from them. */
static void test_checkpoints(void **state)
{
    static fault_job job;
    fault_make_job(&job, FAULT_LONG_SWEEPS);
    job.tuning.chunk_strips = 1;
    fault_subject sweep = fault_checkpoint(&job, 4);
    sweep.tangled = getenv("RHOMB_TEST_RANKS") != NULL;
    fault_fail_calls(&sweep, FAULT_ALONE, (fault_steps){3, 24});
    fault_fail_calls(&sweep, FAULT_LOST, (fault_steps){7, 16});
    fault_checkpoint_end();
    const fault_subject waves = fault_align_kept(RHOMB_ENGINE_WAVEFRONT);
    fault_fail_calls(&waves, FAULT_ALONE, (fault_steps){5, 24});
    fault_fail_calls(&waves, (fault_plan){.function = "clEnqueueReadBuffer"}, (fault_steps){1, 8});
    const fault_subject sweeps = fault_align_kept(RHOMB_ENGINE_BITPARALLEL);
    fault_fail_calls(&sweeps, (fault_plan){.function = "clEnqueueReadBuffer"}, (fault_steps){2, 8});
}

static void test_first_use(void **state)
{
    const fault_subject s = shared_sweeps(FAULT_SWEEPS);
    fault_fail_first_use(&s, FAULT_ALONE, (fault_steps){2, 16});
}

/* All devices were asked, or there is nothing to test. */
static bool has_devices(void)
{
    rhomb_context *ctx = NULL;
    const bool several = rhomb_context_create(&ctx, NULL) == RHOMB_OK &&
                         ranks_open(ctx) == RHOMB_OK && rhomb_context_device_count(ctx) > 1;
    if (!several)
        fprintf(stderr, "skipped: fewer than two devices\n");
    rhomb_context_destroy(ctx);
    ranks_wait();
    return several;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),     cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_path),      cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_first_use),
    };
    return has_devices() ? fault_run(tests) : 77;
}
