/* SPDX-License-Identifier: MIT */
/*
 * Time to go, on a clock of the test's own: a distance and a path that go at constant rates, as the
 * engines and the aligner tell of them.
 */
#include <math.h>

#include "src/planner/eta.h"
#include "support/test.h"

/* A run: programs are got ready for `start`, then each phase takes its time in so many steps. */
typedef struct run {
    double start;
    double distance;
    double path;
    double share; /* that is believed */
    int steps;
} run;

static const run RUNS[] = {
    {0, 10, 10, 1, 1000},     {0, 10, 26, 2.6, 1000}, {100, 10, 20, 2, 1000},
    {5, 10, 43, 2.6, 1000},   {5, 10, 15, 2.6, 1000}, {5, 10, 2, 2, 1000},
    {1000, 0.05, 1, 1, 1000}, {1, 3600, 40, 1, 100},  {0, 1, 100, 1, 5000},
};

#define RUN_COUNT COUNT(RUNS)

static void expect_within(const run *r, const char *when, double eta, double truth, double part)
{
    if (!(fabs(eta - truth) <= part * truth))
        fail_msg("%s, distance %g and path %g with a share of %g: %g instead of %g", when,
                 r->distance, r->path, r->share, eta, truth);
}

/* What an engine says of a distance: nothing at first, then by its rate from the first report. */
static double engine_says(const run *r, int step, rhomb__moment *told)
{
    const rhomb__moment now = {r->distance * step / r->steps, (double)step / r->steps};
    if (step == 1)
        *told = now;
    const double eta = rhomb__eta_at_rate(told, &now);
    const rhomb__moment start = {0, 0};
    return eta >= 0 ? eta : rhomb__eta_at_rate(&start, &now);
}

/* The distance's half of a run; the last thing said of it. */
static double follow_distance(const run *r, rhomb__eta *eta)
{
    const double believed = r->share * r->distance;
    rhomb__moment told = {0, 0};
    double said = rhomb__eta_of_distance(eta, 0, -1, r->share);
    assert_true(said < 0);
    for (int step = 0; step <= r->steps; step++) {
        const double left = r->distance * (r->steps - step) / r->steps;
        said = rhomb__eta_of_distance(eta, r->start + r->distance - left,
                                      engine_says(r, step, &told), r->share);
        assert_true(step == 0 ? said < 0 : said >= 0);
        if (step >= r->steps / 10)
            expect_within(r, "distance", said, left + believed, 0.02);
    }
    return said;
}

/* The path's; from one step to the next what is said may change by what was wrong, by and by. */
static void follow_path(const run *r, rhomb__eta *eta, double before)
{
    const double wrong = r->path / (r->share * r->distance);
    const double most = wrong > 1 ? wrong : 1 / wrong;
    const double begins = r->start + r->distance;
    rhomb__eta_begin_path(eta, begins);
    expect_within(r, "hand-over", rhomb__eta_of_path(eta, begins, 0, r->share), before, 0.02);
    for (int step = 1; step <= r->steps; step++) {
        const double done = (double)step / r->steps, left = r->path * (1 - done);
        const double said = rhomb__eta_of_path(eta, begins + r->path - left, done, r->share);
        assert_true(said >= 0);
        if (left == 0)
            assert_true(said == 0);
        else if (done >= 0.1)
            expect_within(r, "path", said, left, 0.02);
        else if (said > 1.02 * most * left || said < left / most / 1.02)
            fail_msg("%g for %g, after %g of a path with a share of %g", said, left, done,
                     r->share);
        if (r->steps >= 1000 && step > 1 && said > 0 && left > 0.01 * r->path &&
            (said > 1.25 * before || said < before / 1.25))
            fail_msg("%g jumps to %g, after %g of a path with a share of %g", before, said, done,
                     r->share);
        before = said;
    }
}

static void test_constant_rates(void **state)
{
    for (size_t i = 0; i < RUN_COUNT; i++) {
        rhomb__eta eta = {.phase = 0};
        const double before = follow_distance(&RUNS[i], &eta);
        follow_path(&RUNS[i], &eta, before);
    }
}

/* A second engine that says nothing at first: what the first one said holds, and time goes on. */
static void test_silence(void **state)
{
    rhomb__eta eta = {.phase = 0};
    assert_true(rhomb__eta_of_distance(&eta, 100, 8, 0.5) == 12);
    assert_true(rhomb__eta_of_distance(&eta, 104, -1, 0.5) == 8);
    assert_true(rhomb__eta_of_distance(&eta, 108, -1, 0.5) == 4);
    /* Longer than it has said: the path's share grows with it. */
    assert_true(rhomb__eta_of_distance(&eta, 120, -1, 0.5) == 10);
    assert_true(rhomb__eta_of_distance(&eta, 120, 4, 0.5) == 16);
}

/* A path of which nothing is done takes as long again as it has taken, once it is late. */
static void test_late_path(void **state)
{
    rhomb__eta eta = {.phase = 0};
    (void)rhomb__eta_of_distance(&eta, 0, 10, 2);
    rhomb__eta_begin_path(&eta, 10);
    assert_true(rhomb__eta_of_path(&eta, 15, 0, 2) == 20);
    assert_true(rhomb__eta_of_path(&eta, 70, 0, 2) == 60);
    assert_true(rhomb__eta_of_path(&eta, 70, 1, 2) == 0);
}

/* A distance that was never told of: it is known at once, and the path goes by its own rate. */
static void test_path_alone(void **state)
{
    rhomb__eta eta = {.phase = 0};
    rhomb__eta_begin_path(&eta, 50);
    assert_true(rhomb__eta_of_path(&eta, 50, 0, 2) == 0);
    assert_true(rhomb__eta_of_path(&eta, 60, 0.5, 2) == 10);
}

/* A pace that is steady, and one that falls to nothing, in steps of any size. */
static void test_trend(void **state)
{
    for (int steps = 50; steps <= 500; steps *= 10) {
        rhomb__trend steady = {.pace = 0}, narrowing = {.pace = 0};
        const rhomb__moment start = {0, 0};
        assert_true(rhomb__eta_by_trend(&steady, &start) < 0);
        for (int step = 1; step < steps; step++) {
            const double done = (double)step / steps, left = (1 - done) * (1 - done);
            const rhomb__moment even = {8 * done, done}, less = {8 * (1 - left), done};
            const double said = rhomb__eta_by_trend(&steady, &even);
            assert_true(fabs(said - 8 * (1 - done)) < 1e-6);
            const double said_less = rhomb__eta_by_trend(&narrowing, &less);
            assert_true(done < 0.2 || left < 0.03 ||
                        (said_less < 16 * left && said_less > 4 * left));
        }
    }
}

/* By a guide, by antidiagonals, by the bound; never above the bound, nor below what is ruled out.
 */
static void test_expected_cost(void **state)
{
    static const struct {
        double done, bound, promised, share, expected;
    } CASES[] = {
        {100, 5000, 0, 0, 5000},       {100, 5000, 0, 0.25, 400},    {0, 5000, 0, 0.25, 5000},
        {100, 5000, 0, 0.01, 5000},    {100, 5000, 0, 2, 100},       {100, 5000, 1000, 0, 1000},
        {100, 5000, 1000, 0.05, 1000}, {100, 5000, 1000, 0.25, 850}, {900, 5000, 1000, 1, 900},
        {100, 5000, 9000, 0.01, 5000}, {1000, 5000, 1000, 0, 1050},  {2000, 5000, 1000, 0, 2100},
        {5000, 5000, 1000, 0.25, 5000}};
    for (size_t i = 0; i < COUNT(CASES); i++)
        assert_true(fabs(rhomb__eta_expected_cost(CASES[i].done, CASES[i].bound, CASES[i].promised,
                                                  CASES[i].share) -
                         CASES[i].expected) < 1e-6);
}

/* A phase that begins again shares what is left; what falls within a phase stands still. */
static void test_rise(void **state)
{
    rhomb__rise rise = {.shown = 0};
    assert_true(rhomb__rise_to(&rise, 0) == 0);
    assert_true(rhomb__rise_to(&rise, 0.5) == 0.5);
    assert_true(rhomb__rise_to(&rise, 0.25) == 0.5);
    assert_true(rhomb__rise_to(&rise, 0) == 0.5);
    assert_true(rhomb__rise_to(&rise, 0) == 0.5);
    assert_true(rhomb__rise_to(&rise, 0.5) == 0.75);
    assert_true(rhomb__rise_to(&rise, 0) == 0.75);
    assert_true(rhomb__rise_to(&rise, 1) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_rates), cmocka_unit_test(test_silence),
        cmocka_unit_test(test_late_path),      cmocka_unit_test(test_path_alone),
        cmocka_unit_test(test_rise),           cmocka_unit_test(test_trend),
        cmocka_unit_test(test_expected_cost),
    };
    return cmocka_run_group_tests_name("eta", tests, NULL, NULL);
}
