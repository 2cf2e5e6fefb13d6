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

double rhomb__rise_to(rhomb__rise *rise, double phase)
{
    if (phase <= 0 && rise->phase > 0)
        rise->before = rise->shown;
    rise->phase = phase;
    rise->shown = at_least(rise->before + phase * (1 - rise->before), rise->shown);
    return rise->shown;
}

double rhomb__eta_at_rate(const rhomb__moment *from, const rhomb__moment *now)
{
    const double gone = at_least(now->seconds - from->seconds, 0);
    const double share = now->fraction - from->fraction;
    return share > 0 ? gone * at_least(1 - now->fraction, 0) / share : -1;
}

/* What a guide's promise is raised to where the distance comes near it or exceeds it. */
#define BEYOND 1.05

double rhomb__eta_expected_cost(double done, double bound, double promised, double share)
{
    const double reached = share > 0 && done > 0 ? done / share : bound;
    double expected = reached;
    if (promised > 0) {
        expected = at_least(promised, BEYOND * done);
        if (reached < expected)
            expected += (share < 1 ? share : 1) * (reached - expected);
    }
    return at_least(expected < bound ? expected : bound, done);
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
