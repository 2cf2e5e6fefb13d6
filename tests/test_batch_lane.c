/* SPDX-License-Identifier: MIT */
/*
 * How many bases a batch's next job has: by the measured pace of its device, so that a launch takes
 * no longer than it may, and by what other devices wait for. No device is needed.
 */
#include "host/batch/batch_lane.h"
#include "src/planner/launch_time.h"
#include "support/test.h"

#include <stdlib.h>

#define ROOM (INT64_C(1) << 20)

/* Two lanes of devices that compute so many cells a second. */
typedef struct fixture {
    rhomb_context ctx;
    rhomb__device device;
    rhomb__batch_lanes lanes;
} fixture;

static void make(fixture *f, int32_t count, double cells_per_second)
{
    f->ctx.stream.device = &f->device;
    f->device.rates.values.cells_per_second = cells_per_second;
    f->lanes.ctx = &f->ctx;
    f->lanes.count = count;
    for (int32_t i = 0; i < count; i++) {
        f->lanes.of[i].setup.ctx = &f->ctx;
        f->lanes.of[i].setup.shape.job_bases = ROOM;
        f->lanes.of[i].setup.shape.least_bases = ROOM / 16;
        f->lanes.of[i].setup.shape.workers = 4;
    }
}

static void test_first(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make(f, 1, 1e13);
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), 0);
    make(f, 1, 1e9); /* 0.8 s for pairs of 8,192 bases */
    const int64_t slow = rhomb__batch_lanes_enough(&f->lanes, 0);
    assert_true(slow >= ROOM / 16 && slow < ROOM / 4);
    make(f, 1, 1e6);
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), ROOM / 16);
    f->lanes.of[0].setup.shape.first_whole = true;
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), 0);
    free(f);
    (void)state;
}

static void test_measured(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make(f, 1, 1e6); /* counts no more */
    f->lanes.of[0].pace = RHOMB__LAUNCH_SECONDS / (2 * ROOM);
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), 0);
    f->lanes.of[0].pace = RHOMB__LAUNCH_SECONDS / (ROOM / 2);
    assert_in_range(rhomb__batch_lanes_enough(&f->lanes, 0), ROOM / 2 - 1, ROOM / 2 + 1);
    f->lanes.of[0].pace = 1;
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), ROOM / 16);
    f->lanes.of[0].setup.tuning.job_bases = ROOM; /* the caller's */
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), 0);
    free(f);
    (void)state;
}

/* What jobs took: a small one does not count, a faster one at once. */
static void test_finished(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make(f, 1, 1e13);
    rhomb__batch_lane *lane = &f->lanes.of[0];
    rhomb__batch_lane_start(lane, ROOM);
    rhomb__batch_lane_finish(lane, ROOM);
    const double pace = lane->pace;
    rhomb__batch_lane_start(lane, 0);
    rhomb__batch_lane_finish(lane, 0);
    assert_true(pace > 0 && lane->pace == pace);
    lane->pace = 1; /* of a first job, which waited for its memory */
    rhomb__batch_lane_start(lane, ROOM);
    rhomb__batch_lane_finish(lane, ROOM);
    assert_true(lane->pace < 0.001);
    assert_int_equal(lane->waiting, 0);
    free(f);
    (void)state;
}

/* The slow lane's job is not longer than the fast one has places for. */
static void test_beside(void **state)
{
    const double fast = RHOMB__LAUNCH_SECONDS / (100 * (double)ROOM);
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make(f, 2, 1e13);
    f->lanes.of[0].pace = fast;
    f->lanes.of[1].pace = 8 * fast;
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 0), 0);
    assert_in_range(rhomb__batch_lanes_enough(&f->lanes, 1), ROOM / 8 - 1, ROOM / 8 + 1);
    f->lanes.of[1].pace = 1000 * fast;
    assert_int_equal(rhomb__batch_lanes_enough(&f->lanes, 1), ROOM / 16);
    free(f);
    (void)state;
}

TEST_MAIN(test_first, test_measured, test_finished, test_beside)
