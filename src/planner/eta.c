/* SPDX-License-Identifier: MIT */
/*
 * Time to the end, see eta.h.
 */
#include "src/planner/eta.h"

/*
 * Fractions of the path. The first rounds have few subproblems, so the path's own rate says little
 * before LEAST_DONE; from ENOUGH_DONE on only that rate counts. In between a wrong guess fades out.
 */
#define LEAST_DONE  0.02
#define ENOUGH_DONE 0.1

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/*
 * The pace of this share of what is done counts as the present one, or of this share of what is
 * left, where that is less: more lags behind a pace that changes fast, less follows a busy
 * machine's moods.
 */
#define RECENT_DONE 0.2
#define RECENT_LEFT 0.25

double rhomb__eta_by_trend(rhomb__trend *trend, const rhomb__moment *now)
{
    const double share = now->fraction - trend->last.fraction;
    const double left = at_least(1 - now->fraction, 0);
    if (now->fraction <= 0)
        return -1;
    if (share > 0) {
        const double pace = at_least(now->seconds - trend->last.seconds, 0) / share;
        const double done = RECENT_DONE * now->fraction, rest = RECENT_LEFT * left;
        const double recent = at_least(done < rest ? done : rest, share);
        trend->pace += (pace - trend->pace) * share / recent;
        trend->last = *now;
    }
    /* The mean pace so far is that at half of what is done; the rest has that of its middle. */
    const double change = trend->pace - now->seconds / now->fraction;
    double rest = at_least(trend->pace + change * left / now->fraction, trend->pace / 2);
    rest = rest < 2 * trend->pace ? rest : 2 * trend->pace;
    return rest * left;
}

/* By how much the columns are beyond a place between two, in the mean. */
static double beyond(double columns, double begins, double ends)
{
    const double until = columns < ends ? columns : ends;
    if (columns <= begins)
        return 0;
    return (ends > begins ? (until - begins) / (ends - begins) : 1) *
           (columns - (begins + until) / 2);
}

/* Up to a fraction of the columns, of 1 that a band would have that does not narrow. */
static double swept_to(const rhomb__promise *promise, int directions, double narrows,
                       double columns)
{
    double done = columns;
    for (int i = 0; i < RHOMB__PROMISE_STEPS; i++) {
        const double even = (i + 0.5) / RHOMB__PROMISE_STEPS;
        double places[2] = {even, even};
        if (promise->cost > 0) {
            places[0] = promise->begins[i];
            places[1] = promise->ends[i];
        }
        for (int end = 0; end < 2 && directions == 2; end++)
            places[end] = 2 * (places[end] < 0.5 ? places[end] : 1 - places[end]);
        const int first = places[0] > places[1];
        done -= beyond(columns, places[first], places[1 - first]) * narrows / RHOMB__PROMISE_STEPS /
                directions;
    }
    return done;
}

double rhomb__band_share(const rhomb__promise *promise, int directions, double narrows)
{
    return swept_to(promise, directions, narrows, 1);
}

double rhomb__band_done(const rhomb__promise *promise, int directions, double narrows,
                        double columns)
{
    return swept_to(promise, directions, narrows, columns) /
           swept_to(promise, directions, narrows, 1);
}

double rhomb__rise_to(rhomb__rise *rise, double phase)
{
    if (phase <= 0 && rise->phase > 0)
        rise->before = rise->shown;
    rise->phase = phase;
    rise->shown = at_least(rise->before + phase * (1 - rise->before), rise->shown);
    return rise->shown;
}

/*
 * Where directions have come to all antidiagonals, they may still be on different diagonals, and a
 * promise may be too low: some more is left.
 */
#define BEYOND 1.01

/*
 * Directions that come on so many times as fast as random sequences let them are in what both have
 * in common. The furthest of many diagonals is a little faster than the mean of random sequences.
 */
#define MATCHING 1.25

/* The steps that neither direction has passed: not all of what is between their ends. */
static double promised_between(const rhomb__promise *promise, double from, double to)
{
    int steps = 0;
    for (int i = 0; i < RHOMB__PROMISE_STEPS; i++)
        steps += promise->ends[i] > from && promise->begins[i] < to;
    return promise->cost * steps / RHOMB__PROMISE_STEPS;
}

/* Where each direction matched for the last time, and what it had paid by then. */
static void note_matches(rhomb__forecast *f, const rhomb__promise *promise,
                         const rhomb__wave_moment *now)
{
    const double paid = now->done / now->directions;
    for (int d = 0; d < now->directions; d++) {
        const double bases = (now->reach[d] - f->reach[d]) * promise->bases / 2;
        if (bases * promise->random <= MATCHING * (paid - f->paid[d]))
            continue;
        f->paid[d] = paid;
        f->reach[d] = now->reach[d];
    }
}

/* What is paid, what is promised of the rest, and what differs from that by and by. */
static double cost_by_promise(rhomb__forecast *f, const rhomb__promise *promise,
                              const rhomb__wave_moment *now)
{
    note_matches(f, promise, now);
    const double paid = f->paid[0] + f->paid[1], share = f->reach[0] + f->reach[1];
    const double rest = promised_between(promise, f->reach[0], 1 - f->reach[1]);
    const double more = paid - (promise->cost - rest);
    return paid + rest + more * at_least(1 - share, 0);
}

double rhomb__forecast_cost(rhomb__forecast *f, const rhomb__promise *promise,
                            const rhomb__wave_moment *now)
{
    const double share = now->reach[0] + now->reach[1], done = now->done;
    double expected = share > 0 && done > 0 ? done / share : now->bound;
    if (promise->cost > 0)
        expected = cost_by_promise(f, promise, now);
    expected = expected > done ? expected : BEYOND * done;
    return at_least(expected < now->bound ? expected : now->bound, done);
}

/*
 * The work of a wavefront up to a cost, in any unit. A launch takes its cells' time, and they grow
 * with the cost; or a least time where they are too few to fill the device: before `full`. With a
 * least time of L a score, R cells a second and unit costs two directions fill it after L * L * R /
 * 4 seconds: 0.15 s on an H200, by the tuning table, and next to nothing on CPUs.
 */
static double wave_work(double cost, double full)
{
    return cost < full ? 2 * cost * full : cost * cost + full * full;
}

rhomb__foretold rhomb__forecast_make(rhomb__forecast *f, const rhomb__promise *promise, double full,
                                     const rhomb__wave_moment *now)
{
    const double work = wave_work(now->done, full);
    const double all = wave_work(rhomb__forecast_cost(f, promise, now), full);
    if (now->done <= 0)
        return (rhomb__foretold){0, -1};
    if (f->next_work == 0 || work >= 2 * f->next_work) {
        f->since_seconds = f->next_seconds;
        f->since_work = f->next_work;
        f->next_seconds = now->seconds;
        f->next_work = work;
    }
    const double gone = at_least(now->seconds - f->since_seconds, 0);
    return (rhomb__foretold){work / all, gone / (work - f->since_work) * (all - work)};
}

double rhomb__eta_of_distance(rhomb__eta *eta, double now, double to_go, double share)
{
    if (eta->phase == 0 && to_go < 0)
        return -1;
    if (eta->phase == 0) {
        eta->phase = 1;
        eta->work_began = now;
    }
    if (to_go >= 0)
        eta->distance_ends = now + to_go;
    const double ends = at_least(eta->distance_ends, now);
    return ends - now + share * (ends - eta->work_began);
}

void rhomb__eta_begin_path(rhomb__eta *eta, double now)
{
    if (eta->phase == 0)
        eta->work_began = now;
    eta->phase = 2;
    eta->path_began = now;
}

double rhomb__eta_of_path(const rhomb__eta *eta, double now, double done, double share)
{
    const double gone = at_least(now - eta->path_began, 0);
    const double left = at_least(1 - done, 0);
    /* A path that has used up its expected time takes at least as long again. */
    const double expected = at_least(share * (eta->path_began - eta->work_began), gone);
    if (done <= LEAST_DONE)
        return expected * left;
    const double measured = gone / done;
    const double weight = (done - LEAST_DONE) / (ENOUGH_DONE - LEAST_DONE);
    return (weight < 1 ? expected + weight * (measured - expected) : measured) * left;
}
