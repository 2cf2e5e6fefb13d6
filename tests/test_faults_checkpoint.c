/* SPDX-License-Identifier: MIT */
/*
 * A device that fails while a call is stopped at a checkpoint, goes on, and keeps checkpoints: each
 * OpenCL call in turn, alone and with all that follow, and each command that ends with an error.
 * The call fails with the right status, leaves nothing behind, and the next one is as good.
 */
#include "fault_driver.h"

static fault_job jobs[3];

/* Where each stops: a sweep that begins tells it. */
static const int STOPS[] = {3, 3, 4};

static void make_jobs(void)
{
    static const fault_work WORKS[] = {FAULT_TRAPEZOIDS, FAULT_AFFINE, FAULT_LONG_SWEEPS};
    for (size_t i = 0; i < COUNT(jobs); i++)
        fault_make_job(&jobs[i], WORKS[i]);
}

static void test_calls(void **state)
{
    make_jobs();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        const fault_subject s = fault_checkpoint(&jobs[i], STOPS[i]);
        fault_fail_calls(&s, FAULT_ALONE, (fault_steps){1, 30});
    }
}

static void test_lost_device(void **state)
{
    make_jobs();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        const fault_subject s = fault_checkpoint(&jobs[i], STOPS[i]);
        fault_fail_calls(&s, FAULT_LOST, (fault_steps){5, 10});
    }
}

/* What checkpoints are made of, and made from. */
static void test_transfers(void **state)
{
    static const char *const functions[] = {"clEnqueueReadBuffer", "clEnqueueWriteBuffer"};
    make_jobs();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        const fault_subject s = fault_checkpoint(&jobs[i], STOPS[i]);
        for (size_t k = 0; k < COUNT(functions); k++)
            fault_fail_calls(&s, (fault_plan){.function = functions[k]}, FAULT_EACH_CALL);
        fault_fail_calls(&s, FAULT_COMMAND, (fault_steps){3, 0});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_transfers),
    };
    const int code = fault_run(tests);
    fault_checkpoint_end();
    return code;
}
