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

/* What an engine says of a distance: nothing at first, then the truth. */
static double engine_says(const run *r, int step)
{
    return step > 0 ? r->distance * (r->steps - step) / r->steps : -1;
}

/* The distance's half of a run; the last thing said of it. */
static double follow_distance(const run *r, rhomb__eta *eta)
{
    const double believed = r->share * r->distance;
    double said = rhomb__eta_of_distance(eta, 0, -1, r->share);
    assert_true(said < 0);
    for (int step = 0; step <= r->steps; step++) {
        const double left = r->distance * (r->steps - step) / r->steps;
        said = rhomb__eta_of_distance(eta, r->start + r->distance - left, engine_says(r, step),
                                      r->share);
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

/*
 * A pair in stretches: bases that differ by a rate, and then a gap. With unit costs, and two
 * directions.
 */
typedef struct stretch {
    double bases, rate, gap;
} stretch;

enum { MOST_STRETCHES = 8 };

typedef struct simulated_pair {
    const char *name;
    stretch stretches[MOST_STRETCHES]; /* up to one without bases */
} simulated_pair;

static const simulated_pair PAIRS[] = {
    {"even", {{1e6, 0.01, 0}}},
    {"diverged", {{1e6, 0.2, 0}}},
    {"of two rates", {{5e5, 0.002, 0}, {5e5, 0.02, 0}}},
    {"with gaps", {{3e5, 0.01, 2000}, {3e5, 0.01, 5000}, {4e5, 0.01, 0}}},
    {"with a gap in the middle", {{5e5, 0.01, 12000}, {5e5, 0.01, 0}}},
    {"with a gap at its end", {{9e5, 0.005, 4000}, {1e5, 0.005, 0}}},
    {"replaced in part", {{3e5, 0.01, 0}, {5e4, 0.52, 0}, {6e5, 0.01, 0}}},
};

#define RANDOM 0.52

static double bases_of(const simulated_pair *p)
{
    double bases = 0;
    for (int i = 0; p->stretches[i].bases > 0; i++)
        bases += 2 * p->stretches[i].bases + p->stretches[i].gap;
    return bases;
}

static double cost_of(const simulated_pair *p)
{
    double cost = 0;
    for (int i = 0; p->stretches[i].bases > 0; i++)
        cost += p->stretches[i].bases * p->stretches[i].rate + p->stretches[i].gap;
    return cost;
}

static int count_of(const simulated_pair *p)
{
    int count = 0;
    while (p->stretches[count].bases > 0)
        count++;
    return count;
}

/* The antidiagonal that a direction comes to; within a gap the furthest are on the old diagonal. */
static double reach_of(const simulated_pair *p, int direction, double cost)
{
    const int count = count_of(p);
    double at = 0;
    for (int i = 0; i < count; i++) {
        const stretch *s = &p->stretches[direction == 0 ? i : count - 1 - i];
        const double before = direction == 0 ? 0 : p->stretches[count - 1 - i].gap;
        const double gaps[2] = {before, s->gap - before};
        for (int part = 0; part < 3; part++) {
            const double pays = part == 1 ? s->bases * s->rate : gaps[part / 2];
            const double length = part == 1 ? 2 * s->bases : gaps[part / 2];
            if (cost < pays && part != 1)
                return at + 2 * cost / RANDOM;
            if (cost < pays)
                return at + length * cost / pays;
            cost -= pays;
            at += length;
        }
    }
    return at;
}

/* Adds to a promise what is paid between two antidiagonals, evenly or anywhere there. */
static void pay(rhomb__promise *promise, double at, double until, double before, double more,
                bool evenly)
{
    const double each = promise->cost / RHOMB__PROMISE_STEPS;
    for (int step = 0; step < RHOMB__PROMISE_STEPS; step++) {
        const double cost = each * (step + 0.5);
        if (cost < before || cost >= before + more)
            continue;
        const double place = at + (until - at) * (cost - before) / more;
        promise->begins[step] = (evenly ? place : at) / promise->bases;
        promise->ends[step] = (evenly ? place : until) / promise->bases;
    }
}

/* A promise of a pair whose rates are taken for `wrong` times as large, but for random ones. */
static rhomb__promise promise_of(const simulated_pair *p, double wrong)
{
    enum { NEAR = 1000 }; /* points on either side of a gap */
    rhomb__promise promise = {.bases = bases_of(p), .random = RANDOM};
    simulated_pair believed = *p;
    for (int i = 0; i < count_of(p); i++)
        believed.stretches[i].rate *= p->stretches[i].rate < RANDOM ? wrong : 1;
    promise.cost = cost_of(&believed);
    double cost = 0, at = 0;
    for (int i = 0; i < count_of(p); i++) {
        const stretch *s = &believed.stretches[i];
        const double differs = s->bases * s->rate, gap = at + 2 * s->bases;
        pay(&promise, at, gap, cost, differs, s->rate < RANDOM);
        pay(&promise, gap - NEAR, gap + s->gap + NEAR, cost + differs, s->gap, false);
        cost += differs + s->gap;
        at = gap + s->gap;
    }
    return promise;
}

/*
 * The seconds of a wavefront up to a cost, on a device that has a least time for a launch: its
 * cells fill the device from the cost `full` on.
 */
static double seconds_to(double cost, double full)
{
    const double flat = cost < full ? cost : full;
    return 2 * flat * full + (cost * cost - flat * flat);
}

/*
 * Runs a pair on a device that is filled at `filled` of the cost and is believed to be filled at
 * `wrong` times as much; a twentieth of the time is for getting ready. Told within a factor of two
 * of the truth from a fifth on, or within a thirtieth of all.
 */
static void run_wavefront(const simulated_pair *p, const rhomb__promise *promise, double filled,
                          double wrong)
{
    enum { REPORTS = 500 };
    const double whole = cost_of(p), bases = bases_of(p), full = filled * whole;
    const double all = 1.05 * seconds_to(whole, full);
    rhomb__forecast forecast = {.next_work = 0};
    for (int i = 1; i < REPORTS; i++) {
        const double done = whole * sqrt((double)i / REPORTS);
        const double now = all / 21 + seconds_to(done, full);
        const rhomb__wave_moment moment = {
            .seconds = now,
            .done = done,
            .bound = bases / 2,
            .directions = 2,
            .reach = {reach_of(p, 0, done / 2) / bases, reach_of(p, 1, done / 2) / bases}};
        const rhomb__foretold told =
            rhomb__forecast_make(&forecast, promise, full * wrong, &moment);
        assert_true(told.fraction >= 0 && told.fraction <= 1 && told.seconds >= 0);
        if (told.fraction >= 0.2 && fabs(told.seconds - (all - now)) > 0.03 * all &&
            (told.seconds > 2 * (all - now) || told.seconds < (all - now) / 2))
            fail_msg("a pair %s, promised %g of %g, a device filled at %g and believed at %g times "
                     "that: %g instead of %g, at %g of the cost",
                     p->name, promise->cost, whole, filled, wrong, told.seconds / all,
                     1 - now / all, done / whole);
    }
}

static void test_wavefront(void **state)
{
    static const double FILLED[] = {0, 0.1, 0.5, 1, 4}, WRONG[] = {1, 0.75, 1.33};
    static const double DIVERGENCE[] = {1, 0.75, 1.33};
    for (size_t i = 0; i < COUNT(PAIRS); i++)
        for (size_t d = 0; d < COUNT(DIVERGENCE); d++)
            for (size_t f = 0; f < COUNT(FILLED); f++)
                for (size_t w = 0; w < COUNT(WRONG); w++) {
                    const rhomb__promise promise = promise_of(&PAIRS[i], DIVERGENCE[d]);
                    run_wavefront(&PAIRS[i], &promise, FILLED[f], WRONG[w]);
                }
    /* Without a promise, by antidiagonals alone. */
    const rhomb__promise none = {.cost = -1};
    for (size_t f = 0; f < COUNT(FILLED); f++) {
        run_wavefront(&PAIRS[0], &none, FILLED[f], 1);
        run_wavefront(&PAIRS[1], &none, FILLED[f], 1);
    }
}

/* Never above the bound, nor below what is ruled out, whatever was promised. */
static void test_forecast_cost(void **state)
{
    static const double DONE[] = {0, 10, 1000, 5000}, COST[] = {-1, 0, 1, 1000, 1e9};
    static const double REACH[] = {0, 1e-9, 0.3, 0.6, 1};
    for (size_t d = 0; d < COUNT(DONE); d++)
        for (size_t c = 0; c < COUNT(COST); c++)
            for (size_t r = 0; r < COUNT(REACH); r++) {
                rhomb__promise promise = promise_of(&PAIRS[3], 1);
                promise.cost = COST[c];
                rhomb__forecast forecast = {.next_work = 0};
                const rhomb__wave_moment now = {1, DONE[d], 5000, 2, {REACH[r], REACH[r]}};
                const double cost = rhomb__forecast_cost(&forecast, &promise, &now);
                assert_true(cost >= DONE[d] && cost <= 5000);
                assert_true(DONE[d] + REACH[r] > 0 || COST[c] != 1000 || cost == 1000);
            }
}

/* A band that narrows evenly, or in steps that may be anywhere: how its work grows with columns. */
static void test_band(void **state)
{
    const double narrows = 0.8;
    rhomb__promise bands[] = {{.cost = -1}, {.cost = 1}};
    for (int i = 0; i < RHOMB__PROMISE_STEPS; i++) { /* half of them in either half */
        bands[1].begins[i] = 0.5 * (i % 2);
        bands[1].ends[i] = 0.5 + bands[1].begins[i];
    }
    for (int i = 0; i < 2 * 2 * 101; i++) {
        const int directions = 1 + i % 2;
        const double part = (i / 4) / 100.0, share = 1 - narrows / 2 / directions;
        const double exact = (part - narrows * part * part / 2 / directions) / share;
        const double done = rhomb__band_done(&bands[i / 2 % 2], directions, narrows, part);
        assert_true(fabs(done - exact) < 0.01);
        assert_true(fabs(rhomb__band_share(&bands[0], directions, narrows) - share) < 0.01);
    }
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

TEST_MAIN(test_constant_rates, test_silence, test_late_path, test_path_alone, test_rise, test_trend,
          test_wavefront, test_band, test_forecast_cost)
