/* SPDX-License-Identifier: MIT */
/*
 * What plans take in time, and which engine goes on while one runs that may hand over (seconds.h).
 * At a *look* the run has come to some wavefront, whose furthest antidiagonal promises a distance;
 * see engine_plan.h. With two directions that is the sum of their wavefronts: c in all, c / 2 in
 * each.
 */
#include "src/planner/models.h"

#include "src/base/int64.h"

/*
 * Another engine takes over when it is faster than the rest of the run by this. Estimates are no
 * better than that, and improve with the share of the pair that the run has seen. So the run goes
 * on for a LEAST_SHARE of the other's time.
 */
#define SWITCH_MARGIN 1.1
#define LEAST_SHARE   0.03

/* A run goes on for PATIENCE of the other engine's time where perhaps only a long indel stops it.
 */
#define PATIENCE 0.8

/*
 * If the least pace so far promises a distance smaller by this factor, the sweep is made for that
 * distance. If that is wrong, the sweep ends early, after a small part of the cells, and says so.
 * Two directions end early only if the distance is more than twice the bound.
 */
#define FAR_ONE 2.0
#define FAR_TWO 3.5

/*
 * The time of a path for even the shortest pair: packing it again, the kernels of base cases. 0.2
 * ms with PoCL after a wavefront and 0.6 after a sweep, 0.5 to 0.9 on an H200.
 */
#define PATH_START_SECONDS 0.5e-3

double rhomb__plan_guide_seconds(const rhomb__plan *plan)
{
    return plan->setup_seconds + rhomb__follow_seconds(plan, false);
}

/* By the profile, of the plan's own engine. */
static double own_seconds(const rhomb__plan *plan, int64_t cost, rhomb__known known)
{
    return rhomb__model_of(plan)->seconds(plan, rhomb__plan_profile(plan), cost, known);
}

/* The time of the engine that ends the run, and the path's share with it. */
typedef struct solve_time {
    double start; /* for even the shortest pair; of both engines, if one takes over */
    double seconds;
    double path_share;
} solve_time;

/* By the rates for estimates; whether another engine takes over is decided by the profile. */
static solve_time time_solve(const rhomb__plan *plan, int64_t distance)
{
    const int64_t cost = rhomb__max(distance, plan->lower_bound);
    const rhomb__speed *own = rhomb__plan_speed(plan);
    solve_time time = {own->start_seconds,
                       rhomb__model_of(plan)->seconds(plan, own, cost, RHOMB__KNOWN_NONE),
                       own->path_share};
    if (rhomb__plan_sweeps(plan))
        time.start += plan->guide_seconds;
    if (!plan->may_switch)
        return time;
    const rhomb__successor other = rhomb__plan_successor(plan, cost, RHOMB__KNOWN_GUESS);
    if (other.seconds < own_seconds(plan, cost, RHOMB__KNOWN_GUESS)) {
        const rhomb__speed *speed = &plan->speed[other.row];
        time.start += speed->start_seconds + plan->guide_seconds;
        time.seconds = rhomb__model_at(other.row)->seconds(plan, speed, cost, RHOMB__KNOWN_PATH);
        time.path_share = speed->path_share;
    }
    return time;
}

double rhomb__plan_seconds(const rhomb__plan *plan, int64_t distance)
{
    const solve_time time = time_solve(plan, distance);
    return plan->setup_seconds + time.start + time.seconds;
}

double rhomb__plan_path_seconds(const rhomb__plan *plan, int64_t distance)
{
    const solve_time time = time_solve(plan, distance);
    const double seconds = time.path_share * time.seconds;
    const bool is_shared = rhomb__plan_sweeps(plan) && plan->sharing > 1; /* so is the distance */
    const bool pays = plan->path_devices > 1 && seconds > RHOMB__PATH_ALONE_SECONDS;
    return PATH_START_SECONDS + (pays && !is_shared ? seconds / plan->shared_speed : seconds);
}

/* The plan behind a caller's view, which is its first member. */
static const rhomb__plan *plan_of(const rhomb_plan *view)
{
    return &((const rhomb__plan_view *)(const void *)view)->plan;
}

double rhomb_plan_seconds(const rhomb_plan *plan, int64_t distance)
{
    if (plan == NULL)
        return 0;
    const rhomb__plan *own = plan_of(plan);
    return rhomb__plan_seconds(own, distance / own->costs.unit);
}

double rhomb_plan_path_seconds(const rhomb_plan *plan, int64_t distance)
{
    if (plan == NULL)
        return 0;
    const rhomb__plan *own = plan_of(plan);
    return rhomb__plan_path_seconds(own, distance / own->costs.unit);
}

double rhomb__plan_profile_seconds(const rhomb__plan *plan, int64_t column)
{
    return own_seconds(plan, rhomb__max(column, 0), RHOMB__KNOWN_GUESS);
}

/* The time to the end, for a distance that may also be a known bound. */
typedef struct outlook {
    int64_t distance;
    double rest; /* of the run's own engine */
    rhomb__successor other;
} outlook;

static outlook look_ahead(const rhomb__plan *plan, const rhomb__look *look, double distance,
                          rhomb__known known)
{
    outlook ahead;
    const double most = (double)plan->upper_bound;
    ahead.distance = rhomb__max((int64_t)(distance < most ? distance : most), plan->lower_bound);
    ahead.rest = own_seconds(plan, ahead.distance, known) - look->seconds;
    ahead.other = rhomb__plan_successor(plan, ahead.distance, known);
    return ahead;
}

static bool other_wins(const outlook *ahead)
{
    return ahead->other.seconds * SWITCH_MARGIN < ahead->rest;
}

/* With as many edits per base to the end as so far. */
static outlook look_on_average(const rhomb__plan *plan, const rhomb__look *look)
{
    const double bases = (double)plan->target_length + (double)plan->query_length;
    const double d = look->reach > 0 ? (double)look->column * bases / (double)look->reach : bases;
    return look_ahead(plan, look, d, RHOMB__KNOWN_GUESS);
}

/* With as few as at the best of any look. */
static outlook look_at_best(const rhomb__plan *plan, const rhomb__look *look)
{
    const double left =
        (double)plan->target_length + (double)plan->query_length - (double)look->reach;
    return look_ahead(plan, look, (double)look->column + look->pace * left, RHOMB__KNOWN_GUESS);
}

/* Before anything has run. */
static const rhomb__look START = {.seconds = 0};

bool rhomb__plan_prefers_other(const rhomb__plan *plan, int64_t distance)
{
    const outlook ahead = look_ahead(plan, &START, (double)distance, RHOMB__KNOWN_BOUND);
    return plan->may_switch && other_wins(&ahead);
}

/*
 * A guide may promise less than there is, and to follow it tells: that is worth a FOLLOW_SHARE-th
 * of the time that a wavefront would take, where the sweep wins for DOUBT times the promise.
 */
#define FOLLOW_SHARE 20
#define DOUBT        3

bool rhomb__plan_doubts_guide(const rhomb__plan *plan)
{
    const int64_t expected = rhomb__plan_expected(plan);
    return !rhomb__plan_sweeps(plan) && plan->may_switch && expected > 0 &&
           rhomb__plan_prefers_other(plan, DOUBT * expected) &&
           FOLLOW_SHARE * rhomb__follow_seconds(plan, true) <=
               rhomb__plan_profile_seconds(plan, expected);
}

bool rhomb__plan_guided_wins(const rhomb__plan *plan, const rhomb__plan *sweep, int64_t bound)
{
    const outlook ahead = look_ahead(plan, &START, (double)bound, RHOMB__KNOWN_PATH);
    return plan->may_switch && ahead.other.seconds * rhomb__strips_model(sweep) < ahead.rest;
}

bool rhomb__plan_should_switch(const rhomb__plan *plan, const rhomb__look *look, int64_t *estimate)
{
    const outlook average = look_on_average(plan, look);
    *estimate = average.distance;
    const outlook best = look->pace > 0 ? look_at_best(plan, look) : average;
    const double far = plan->profile[average.other.row].directions == 1 ? FAR_ONE : FAR_TWO;
    if (far * (double)best.distance < (double)average.distance)
        *estimate = best.distance;
    return plan->may_switch && other_wins(&average) &&
           look->seconds > LEAST_SHARE * average.other.seconds &&
           (other_wins(&best) || look->seconds > PATIENCE * average.other.seconds);
}
