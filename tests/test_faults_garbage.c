/* SPDX-License-Identifier: MIT */
/*
 * A device that works without an error, and computes or hands over something else: what comes back
 * from it is changed on the way. A call ends with an error that names the device, or, where what
 * was changed is no more than a hint, with the right distance; and the next one is as good.
 */
#include "cl/abi.h"
#include "fault_driver.h"

static const fault_work WORKS[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS, FAULT_SWEEPS, FAULT_SLICED,
                                   FAULT_AFFINE};

/* What tamper_status() puts into a status record. */
static rhomb_front garbage;

static void tamper_status(void *data, size_t bytes)
{
    rhomb_wavefront_status *status = data;
    if (bytes != sizeof *status)
        return; /* the sizes that the self-test asks for */
    for (int i = 0; i < 4; i++)
        status->front[i / 2][i % 2] = garbage;
}

static void expect_status(fault_tamper *tamper, const char *what, fault_work work,
                          rhomb_status expected)
{
    fault_job job;
    fault_make_job(&job, work);
    job.target_length = job.query_length; /* so that no length gives a distance away */
    if (work != FAULT_SLICED && work != FAULT_AFFINE)
        job.distance = oracle_textbook(job.target, job.target_length, job.query, job.query_length);
    else
        job.distance = fault_penalty(&job);
    const fault_subject s = fault_distance(&job);
    fault_expect_tampered(&s, tamper, what, expected);
}

static void expect_wrong_result(fault_tamper *tamper, const char *what, const fault_work *works,
                                size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_status(tamper, what, works[i], RHOMB_ERR_DEVICE_WRONG_RESULT);
}

/* Two directions go by where they meet and by the bound, and by nothing else of a front. */
static void test_garbage(void **state)
{
    static const rhomb_status WRONG = RHOMB_ERR_DEVICE_WRONG_RESULT;
    static const struct {
        const char *what;
        rhomb_front front;
        rhomb_status trapezoids;
    } cases[] = {
        {"distance beyond the longer length", {371, 371, 0, 0}, RHOMB_OK},
        {"distance 0", {0, 371, 0, 0}, RHOMB_OK},
        {"distance below RHOMB_UNSOLVED", {-2, 371, 0, 0}, RHOMB_OK},
        {"distance without measure", {INT64_MAX, 371, 0, 0}, RHOMB_OK},
        {"never solved", {RHOMB_UNSOLVED, INT64_MAX, 0, 0}, RHOMB_OK},
        {"bound below any distance",
         {RHOMB_UNSOLVED, INT64_MIN, 0, 0},
         RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"bound 1", {RHOMB_UNSOLVED, 1, 0, 0}, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"column and reach without measure", {RHOMB_UNSOLVED, 371, INT64_MAX, INT64_MAX}, RHOMB_OK},
        {"column and reach below 0", {RHOMB_UNSOLVED, 371, INT64_MIN, INT64_MIN}, RHOMB_OK},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        garbage = cases[i].front;
        expect_status(tamper_status, cases[i].what, FAULT_DIAMONDS, WRONG);
        expect_status(tamper_status, cases[i].what, FAULT_TRAPEZOIDS, cases[i].trapezoids);
    }
    expect_wrong_result(fault_set_high_bits, "all bytes 0x80", WORKS, COUNT(WORKS));
    expect_wrong_result(fault_set_zeros, "all bytes 0", WORKS, COUNT(WORKS));
}

/* What an affine wavefront is told of its looks. */
static rhomb_affine_status looked;

static void tamper_looks(void *data, size_t bytes)
{
    if (bytes == sizeof looked)
        memcpy(data, &looked, sizeof looked);
}

/* Looks that were not, costs that cannot be; how far it has come is a hint. */
static void test_garbage_looks(void **state)
{
    static const struct {
        const char *what;
        rhomb_affine_status looked;
    } cases[] = {{"met before the first look", {-1, INT32_MAX, {0, 0}}},
                 {"met at a look to come", {1000, INT32_MAX, {0, 0}}},
                 {"met at once, no cost", {0, INT32_MAX, {0, 0}}},
                 {"met at once, cost 1", {0, 1, {0, 0}}},
                 {"met at once, a cost below 0", {0, -5, {0, 0}}},
                 {"never met", {RHOMB_AFFINE_NOT_MET, INT32_MAX, {UINT32_MAX, UINT32_MAX}}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        looked = cases[i].looked;
        expect_status(tamper_looks, cases[i].what, FAULT_AFFINE, RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
}

/* A bound that the lengths alone rule out would leave columns without a diagonal. */
static void test_garbage_bound(void **state)
{
    static const fault_work works[] = {FAULT_TRAPEZOIDS, FAULT_DIAMONDS};
    const fault_plan plan = {.tamper = tamper_status};
    for (size_t i = 0; i < COUNT(works); i++) {
        fault_job job;
        fault_result result;
        rhomb_status status;
        fault_make_job(&job, works[i]);
        const int64_t least = job.target_length - job.query_length;
        const rhomb_front front = {RHOMB_UNSOLVED, least - 1, 0, 0};
        garbage = front;
        rhomb_context *ctx = fault_create_context(&status);
        assert_non_null(ctx);
        fault_solve(ctx, &job, &result);
        assert_int_equal(result.distance, job.distance);
        fault_begin(&plan);
        fault_solve(ctx, &job, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_expect_detail(&result, "says that the distance is at most 59, and it is at least 60");
        rhomb_context_destroy(ctx);
    }
}

/* What two directions go by: `change` makes it something else in each read of a status record. */
static void (*change)(rhomb_wavefront_status *status);

static void tamper_meeting(void *data, size_t bytes)
{
    if (bytes == sizeof(rhomb_wavefront_status))
        change(data);
}

static void never_met(rhomb_wavefront_status *status)
{
    status->met = 0;
}

static void come_far(rhomb_wavefront_status *status)
{
    status->complete[0] = INT64_MAX;
}

static void fall_back(rhomb_wavefront_status *status)
{
    status->complete[0] = status->complete[1] = -2;
}

static void stop_within_launch(rhomb_wavefront_status *status)
{
    status->complete[0]--;
    status->complete[1]--;
}

static void pass_each_other(rhomb_wavefront_status *status)
{
    status->furthest[0][0] = status->furthest[1][1] = UINT32_MAX;
}

static void stay_behind(rhomb_wavefront_status *status)
{
    memset(status->furthest, 0, sizeof status->furthest);
}

/* How far the directions have come is a hint when to look whether they have met, and no more. */
static void test_garbage_meeting(void **state)
{
    static const struct {
        const char *what;
        void (*change)(rhomb_wavefront_status *status);
        rhomb_status status;
    } cases[] = {
        {"never met", never_met, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column without measure", come_far, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a column before all others", fall_back, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"a score within a launch", stop_within_launch, RHOMB_ERR_DEVICE_WRONG_RESULT},
        {"furthest antidiagonals without measure", pass_each_other, RHOMB_OK},
        {"furthest antidiagonals 0", stay_behind, RHOMB_OK},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        change = cases[i].change;
        expect_status(tamper_meeting, cases[i].what, FAULT_TRAPEZOIDS, cases[i].status);
    }
}

/* What tamper_fronts() adds to a strip's front, where a path may leave the strip. */
static rhomb_strip_front garbage_front;

static void tamper_fronts(void *data, size_t bytes)
{
    rhomb_strip *strips = data;
    if (bytes % sizeof *strips != 0 || strips[0].last_launch != -1)
        return; /* not the strips, which begin with row 0 */
    for (size_t i = 2; i < bytes / sizeof *strips; i++) {
        rhomb_strip_front *front = &strips[i].front[strips[i].last_launch & 1];
        if (front->begin == RHOMB_NO_BLOCK)
            continue;
        front->begin += garbage_front.begin;
        front->begin_score += garbage_front.begin_score;
        front->end += garbage_front.end;
        front->score += garbage_front.score;
    }
}

static void test_garbage_fronts(void **state)
{
    static const fault_work sweeps = FAULT_SWEEPS;
    static const struct {
        const char *what;
        rhomb_strip_front front;
    } cases[] = {
        {"scores without measure", {.score = INT64_MAX / 2}},
        {"scores below 0", {.score = -1000}},
        {"first scores without measure", {.begin_score = INT64_MAX / 2}},
        {"first scores below 0", {.begin_score = -1000}},
        {"beginnings left of the band", {.begin = -100}},
        {"beginnings after the end", {.begin = 100}},
        {"ends left of the band", {.end = -100}},
        {"ends right of the band", {.end = 100}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        garbage_front = cases[i].front;
        expect_wrong_result(tamper_fronts, cases[i].what, &sweeps, 1);
    }
}

/* A distance that could be, but is not the self-test's. */
static void test_self_test(void **state)
{
    const fault_plan plan = {.tamper = fault_hide_meeting};
    fault_job job;
    fault_result result;
    rhomb_status status;
    fault_make_job(&job, FAULT_TRAPEZOIDS);
    rhomb_context *ctx = fault_create_context(&status);
    assert_non_null(ctx);
    for (int i = 0; i < 2; i++) { /* a program that has failed is not trusted later */
        fault_begin(&plan);
        fault_solve(ctx, &job, &result);
        fault_end();
        assert_int_equal(result.status, RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_expect_detail(&result, "the self-test of the wavefront engine gave ");
        fault_expect_detail(&result, rhomb_context_device(ctx)->name);
        fault_begin(&plan);
        assert_int_equal(rhomb_context_self_test(ctx), RHOMB_ERR_DEVICE_WRONG_RESULT);
        fault_end();
    }
    fault_solve(ctx, &job, &result);
    assert_int_equal(result.distance, job.distance);
    rhomb_context_destroy(ctx);
    assert_int_equal(fault_live_handles(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_garbage),        cmocka_unit_test(test_garbage_looks),
        cmocka_unit_test(test_garbage_bound),  cmocka_unit_test(test_garbage_meeting),
        cmocka_unit_test(test_garbage_fronts), cmocka_unit_test(test_self_test),
    };
    return fault_run(tests);
}
