/* SPDX-License-Identifier: MIT */
/*
 * Jobs of a batch. Room for pairs: blocks of pairs must be judged as each pair alone is, whatever
 * its fields say and wherever the job is full. Their bases: past the caches or not, the same bytes
 * come out, and none around them is touched. And how many the next job has: by the measured pace of
 * its device, so that a launch takes no longer than it may, and by what other devices wait for.
 */
#include "host/batch/batch_queue.h"
#include "src/batch/batch_fit.h"
#include "src/planner/rates.h"
#include "support/rng.h"
#include "support/test.h"

enum { PAIRS = 500 };

static const rhomb__batch_shape SHAPE = {.levels = 2,
                                         .limits = {32, 100},
                                         .most_edits = 100,
                                         .long_bases = 1000,
                                         .job_bases = 32768,
                                         .job_operations = 32768};

/* One pair at a time, as rhomb__batch_fit() says it. */
static size_t fit_plainly(const rhomb__batch_shape *shape, bool cigar, const rhomb_pair *pairs,
                          size_t count, rhomb__batch_load *load)
{
    for (size_t i = 0; i < count; i++) {
        const rhomb_pair *p = &pairs[i];
        rhomb__batch_load one = {0, 1, 0};
        if (load->long_bases > shape->job_bases)
            return i;
        if (rhomb__batch_is_short(shape, p)) {
            one.bases = rhomb__batch_room(p->target_length) + rhomb__batch_room(p->query_length);
            one.operations = rhomb__batch_operations(shape, p);
        } else {
            const int64_t lengths[] = {p->target_length, p->query_length};
            for (int side = 0; side < 2; side++)
                one.long_bases += lengths[side] < 0                  ? 0
                                  : lengths[side] > shape->job_bases ? shape->job_bases
                                                                     : lengths[side];
        }
        if (load->bases + one.bases > shape->job_bases ||
            (cigar && load->operations + one.operations > shape->job_operations))
            return i;
        load->bases += one.bases;
        load->operations += one.operations;
        load->long_bases += one.long_bases;
    }
    return count;
}

/* A length of any kind; one in `rare` is none that pairs have as a rule. */
static int64_t random_length(rng *r, int64_t rare)
{
    static const int64_t ODD[] = {0,
                                  0,
                                  1,
                                  31,
                                  32,
                                  511,
                                  512,
                                  513,
                                  514,
                                  999,
                                  1000,
                                  1001,
                                  1024,
                                  20000,
                                  INT64_MAX,
                                  INT64_MIN,
                                  -1,
                                  -1000,
                                  1025,
                                  32768,
                                  32769,
                                  INT64_MAX - 31,
                                  INT64_MAX - 30};
    return rng_below(r, rare) == 0 ? ODD[rng_below(r, COUNT(ODD))] : 1 + (int64_t)rng_below(r, 300);
}

static const char *random_pointer(rng *r, int64_t rare)
{
    static const char letters[] = "A";
    return rng_below(r, rare) == 0 ? NULL : letters;
}

/* Job after job, from where the last one ended, as a batch fills them. */
static void compare(const rhomb__batch_shape *shape, const rhomb_pair *pairs, bool cigar,
                    size_t most)
{
    rhomb__batch_load load = {0, 0, 0}, plain = {0, 0, 0};
    for (size_t at = 0; at < PAIRS;) {
        const size_t count = PAIRS - at < most ? PAIRS - at : most;
        const size_t expected = fit_plainly(shape, cigar, pairs + at, count, &plain);
        const size_t fitting = rhomb__batch_fit(shape, cigar, pairs + at, count, &load);
        if (fitting != expected || memcmp(&load, &plain, sizeof load) != 0)
            fail_msg("from pair %zu on, %zu at a time: %zu instead of %zu", at, most, fitting,
                     expected);
        at += fitting;
        if (fitting < count) {
            assert_true(fitting > 0 || load.bases + load.operations + load.long_bases > 0);
            load = plain = (rhomb__batch_load){0, 0, 0};
        }
    }
}

static void test_as_alone(void **state)
{
    static rhomb_pair pairs[PAIRS];
    rng r = rng_for("batch_fit", 0);
    for (int round = 0; round < 300; round++) {
        const int64_t rare = round % 3 == 0 ? 4 : round % 3 == 1 ? 100 : 1000000;
        rhomb__batch_shape shape = SHAPE;
        shape.long_bases = round % 5 == 0 ? 1 : round % 5 == 1 ? 150 : 1000;
        shape.job_operations = round % 2 == 0 ? 32768 : 2500;
        for (int i = 0; i < PAIRS; i++)
            pairs[i] = (rhomb_pair){random_pointer(&r, rare), random_length(&r, rare),
                                    random_pointer(&r, rare), random_length(&r, rare)};
        compare(&shape, pairs, round % 4 < 2, 1 + (size_t)rng_below(&r, PAIRS));
    }
}

static void test_nothing(void **state)
{
    rhomb__batch_load load = {64, 3, 5};
    assert_int_equal(rhomb__batch_fit(&SHAPE, true, NULL, 0, &load), 0);
    assert_true(load.bases == 64 && load.operations == 3 && load.long_bases == 5);
}

enum { LONGEST = 200, COPY_ROOM = 512 };

static void test_copies(void **state)
{
    char letters[LONGEST + 16], expected[COPY_ROOM];
    char *to = aligned_alloc(32, COPY_ROOM);
    rng r = rng_for("letters of a job", 0);
    assert_non_null(to);
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (char)rng_between(&r, 33, 126);
    for (int64_t length = 0; length <= LONGEST; length++)
        for (int64_t from = 0; from < 16; from++)
            for (int past = 0; past < 2; past++) {
                const int64_t at = RHOMB_WORD_SYMBOLS * (length % 3);
                const int64_t room = rhomb__batch_room(length);
                memset(to, 1, COPY_ROOM);
                memset(expected, 1, COPY_ROOM);
                memset(expected + at, 'A', (size_t)room);
                memcpy(expected + at, letters + from, (size_t)length);
                assert_int_equal(rhomb__batch_copy_bases(to, at, letters + from, length, past),
                                 at + room);
                rhomb__bases_are_past();
                assert_memory_equal(to, expected, COPY_ROOM);
            }
    assert_int_equal(rhomb__batch_copy_bases(to, 0, NULL, 0, true), RHOMB_WORD_SYMBOLS);
    assert_int_equal(rhomb__batch_copy_bases(to, 0, NULL, 0, false), RHOMB_WORD_SYMBOLS);
    free(to);
}

#define ROOM (INT64_C(1) << 20)

/* Two lanes of devices that compute so many cells a second. */
typedef struct fixture {
    rhomb_context ctx;
    rhomb__device device;
    rhomb__batch_queues lanes;
} fixture;

static fixture *make(int32_t count, double cells_per_second)
{
    static fixture made, fresh;
    fixture *f = &made;
    made = fresh;
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
    return f;
}

static void test_first(void **state)
{
    fixture *f = make(1, 1e13);
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), 0);
    f = make(1, 1e9); /* 0.8 s for pairs of 8,192 bases */
    const int64_t slow = rhomb__batch_queues_enough(&f->lanes, 0);
    assert_true(slow >= ROOM / 16 && slow < ROOM / 4);
    f = make(1, 1e6);
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), ROOM / 16);
    f->lanes.of[0].setup.shape.first_whole = true;
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), 0);
}

static void test_measured(void **state)
{
    fixture *f = make(1, 1e6); /* counts no more */
    f->lanes.of[0].pace = RHOMB__LAUNCH_SECONDS / (2 * ROOM);
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), 0);
    f->lanes.of[0].pace = RHOMB__LAUNCH_SECONDS / (ROOM / 2);
    assert_in_range(rhomb__batch_queues_enough(&f->lanes, 0), ROOM / 2 - 1, ROOM / 2 + 1);
    f->lanes.of[0].pace = 1;
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), ROOM / 16);
    f->lanes.of[0].setup.tuning.job_bases = ROOM; /* the caller's */
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), 0);
}

/* What jobs took: a small one does not count, a faster one at once. */
static void test_finished(void **state)
{
    fixture *f = make(1, 1e13);
    rhomb__batch_queue *lane = &f->lanes.of[0];
    rhomb__batch_queue_start(lane, ROOM);
    rhomb__batch_queue_finish(lane, ROOM);
    const double pace = lane->pace;
    rhomb__batch_queue_start(lane, 0);
    rhomb__batch_queue_finish(lane, 0);
    assert_true(pace > 0 && lane->pace == pace);
    lane->pace = 1; /* of a first job, which waited for its memory */
    rhomb__batch_queue_start(lane, ROOM);
    rhomb__batch_queue_finish(lane, ROOM);
    assert_true(lane->pace < 0.001);
    assert_int_equal(lane->waiting, 0);
}

/* The slow lane's job is not longer than the fast one has places for. */
static void test_beside(void **state)
{
    const double fast = RHOMB__LAUNCH_SECONDS / (100 * (double)ROOM);
    fixture *f = make(2, 1e13);
    f->lanes.of[0].pace = fast;
    f->lanes.of[1].pace = 8 * fast;
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 0), 0);
    assert_in_range(rhomb__batch_queues_enough(&f->lanes, 1), ROOM / 8 - 1, ROOM / 8 + 1);
    f->lanes.of[1].pace = 1000 * fast;
    assert_int_equal(rhomb__batch_queues_enough(&f->lanes, 1), ROOM / 16);
}

TEST_MAIN(test_as_alone, test_nothing, test_copies, test_first, test_measured, test_finished,
          test_beside)
