/* SPDX-License-Identifier: MIT */
/*
 * One of several devices that fails under a batch or a matrix: what was delivered is right, the
 * call fails with the right status and names the device, nothing stays behind, and the next call is
 * as good. Two PoCL devices, unless the environment says otherwise; skipped (77) where there is
 * only one.
 */
#include "fault_driver.h"

/* Calls beyond the first few are further and further apart: devices take turns all the time. */
#define STEPS ((fault_steps){1, 8})

static fault_subject on_all(fault_subject subject)
{
    subject.several = true;
    subject.tangled = true;
    subject.strict = false;
    return subject;
}

static void test_batch(void **state)
{
    static const fault_batch_work works[] = {FAULT_BATCH_WORKERS, FAULT_BATCH_DISTANCES};
    for (size_t i = 0; i < COUNT(works); i++) {
        const fault_subject s = on_all(fault_batch(works[i]));
        fault_fail_calls(&s, FAULT_ALONE, STEPS);
    }
}

static void test_matrix(void **state)
{
    const fault_subject s = on_all(fault_matrix());
    fault_fail_calls(&s, FAULT_ALONE, STEPS);
    fault_fail_calls(&s, FAULT_LOST, STEPS);
}

static void test_first_use(void **state)
{
    fault_subject s = on_all(fault_batch(FAULT_BATCH_PATHS));
    s.cached = true;
    fault_fail_first_use(&s, (fault_plan){.code = CL_OUT_OF_HOST_MEMORY}, (fault_steps){1, 8});
}

/* Each device fails at some of these calls, and is named, in the first words. */
static void expect_both(const fault_subject *s)
{
    bool named[2] = {false, false};
    fault_result result;
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    assert_int_equal(rhomb_context_open(ctx, "all", 0), RHOMB_OK);
    s->run(ctx, s, &result);
    assert_int_equal(result.status, RHOMB_OK);
    /* Which device makes a call depends on time: all calls are tried several times. */
    for (int64_t call = 1, rounds = 0; rounds < 100 && !(named[0] && named[1]); call++) {
        const fault_plan plan = {.function = "clEnqueueReadBuffer", .call = call};
        fault_begin(&plan);
        s->run(ctx, s, &result);
        if (fault_end().function == NULL) {
            call = 0;
            rounds++;
        }
        if (result.status == RHOMB_OK)
            continue;
        for (int32_t i = 0; i < 2; i++) {
            char name[300];
            const rhomb_device_info *info = rhomb_context_device_at(ctx, i);
            snprintf(name, sizeof name, "device %d, %s: ", (int)info->index, info->name);
            named[i] |= strncmp(result.detail, name, strlen(name)) == 0;
        }
        if (strncmp(result.detail, "device ", 7) != 0)
            fail_msg("no device is named: %s", result.detail);
    }
    assert_true(named[0] && named[1]);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

static void test_names(void **state)
{
    const fault_subject batch = on_all(fault_batch(FAULT_BATCH_WORKERS));
    const fault_subject matrix = on_all(fault_matrix());
    expect_both(&batch);
    expect_both(&matrix);
}

static bool has_two_devices(void)
{
    rhomb_status status;
    rhomb_context *ctx = fault_create_context(&status);
    const bool has = ctx != NULL && rhomb_context_open(ctx, "all", 0) == RHOMB_OK &&
                     rhomb_context_device_count(ctx) > 1;
    rhomb_context_destroy(ctx);
    if (!has)
        printf("skipped: there are not two devices\n");
    return has;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_first_use),
    };
    setenv("POCL_DEVICES", "basic pthread", 0);
    setenv("RHOMB_TEST_DEVICE", "all", 1);
    return has_two_devices() ? fault_run(tests) : 77;
}
