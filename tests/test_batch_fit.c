/* SPDX-License-Identifier: MIT */
/*
 * Room in a job for pairs: blocks of pairs must be judged as each pair alone is, whatever its
 * fields say and wherever the job is full.
 */
#include "src/batch/batch_fit.h"
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

TEST_MAIN(test_as_alone, test_nothing)
