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

double rhomb__eta_at_rate(const rhomb__moment *from, const rhomb__moment *now)
{
    const double gone = at_least(now->seconds - from->seconds, 0);
    const double share = now->fraction - from->fraction;
    return share > 0 ? gone * at_least(1 - now->fraction, 0) / share : -1;
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
