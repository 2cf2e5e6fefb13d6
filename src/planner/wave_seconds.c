/* SPDX-License-Identifier: MIT */
/*
 * The time of a wavefront, see seconds.h: for the rows of the planner's table, and where another
 * device takes part.
 */
#include "src/planner/seconds.h"

#include "src/base/int64.h"

/*
 * A wavefront of one direction has d * d cells. The bound that it finds by itself leaves
 * between 0.68 of them and all, measured; the model takes 0.75. Two directions stop at the
 * wavefronts d / 2, where that bound has hardly left out any cells: they have half of d * d.
 */
#define PRUNED_SHARE 0.75

/* The time of the wavefronts up to a sum of d, one after the other. */
double rhomb__wave_latency(const rhomb__plan *plan, const rhomb__speed *speed, double d)
{
    return d / plan->directions * speed->column_seconds;
}

/* Wavefront: its cells at the saturated rate, or the latency, whichever takes longer. */
static double wavefront_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d,
                                double cells)
{
    const double work = cells / speed->cells_per_second;
    const double least = rhomb__wave_latency(plan, speed, d);
    return work > least ? work : least;
}

/* The cells from a sum of c on, if no bound is known from the beginning. */
double rhomb__wave_free_cells(const rhomb__plan *plan, double c, double d)
{
    const bool one = plan->directions == 1;
    if (!rhomb__costs_are_edit(&plan->costs))
        return d > c ? rhomb__affine_cells(&plan->costs, d) - rhomb__affine_cells(&plan->costs, c)
                     : 0;
    const double cells =
        (d * d * (one && plan->wavefront.pruning ? PRUNED_SHARE : 1) - c * c) / plan->directions;
    return cells > 0 ? cells : 0;
}

/*
 * The cells of one direction up to wavefront r where the distance is known as a bound: |k| <= r and
 * |k - K| <= d - r. The wavefronts widen up to r = (d - |K|) / 2, stay as they are up to
 * (d + |K|) / 2, and narrow from there.
 */
static double cells_up_to(double r, double half, double d)
{
    if (r < half)
        return r * r;
    if (r < d - half)
        return half * half + 2 * half * (r - half);
    return 2 * half * (d - half) - (d - r) * (d - r);
}

/*
 * The same as rhomb__wave_free_cells() with that bound: (d * d - K * K) / 2 in total, whether one
 * direction goes to wavefront d or two directions to d / 2.
 */
double rhomb__wave_bounded_cells(const rhomb__plan *plan, double c, double d)
{
    const double difference = (double)(plan->target_length - plan->query_length);
    const double end = difference < 0 ? -difference : difference;
    const double half = end < d ? (d - end) / 2 : 0;
    const double directions = plan->directions;
    if (!plan->wavefront.pruning)
        return rhomb__wave_free_cells(plan, c, d);
    return c < d ? directions *
                       (cells_up_to(d / directions, half, d) - cells_up_to(c / directions, half, d))
                 : 0;
}

double rhomb__wave_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                           rhomb__known known)
{
    const double d = (double)cost;
    return wavefront_seconds(plan, speed, d,
                             known == RHOMB__KNOWN_GUESS ? rhomb__wave_free_cells(plan, 0, d)
                                                         : rhomb__wave_bounded_cells(plan, 0, d));
}

/* A batch shorter than this leaves a GPU without work while the host reads a status. */
#define LEAST_LAUNCHES 8

int64_t rhomb__plan_batch_launches(const rhomb__plan *plan, int64_t most, int64_t start,
                                   int64_t complete, int64_t reach)
{
    const double bases = (double)plan->target_length + (double)plan->query_length;
    if (reach <= 0 || complete <= 0)
        return most;
    const double left = (double)complete * bases / (double)reach - (double)start;
    const double launches = left / plan->wavefront.tile_scores / 2;
    const int64_t least = rhomb__min(most, LEAST_LAUNCHES);
    return launches < (double)most ? rhomb__max((int64_t)launches, least) : most;
}

/*
 * Another device needs the pair, its programs from a cache and a self-test; at the end the batches
 * in flight are done again by one device, about AGAIN of the shortest in the time of one device.
 * Sharing has to gain a tenth of the rest of the run. A device takes the same time for its columns
 * as long as they are narrow, however many of them another one does: then sharing gains nothing.
 */
#define JOIN_SECONDS 0.05
#define AGAIN        2
#define TWO_GAIN     1.1

static double join_seconds(const rhomb__plan *plan)
{
    return JOIN_SECONDS + plan->setup_seconds;
}

/* From a sum of c to one of d, by a device with a share of the cells. */
static double rest_seconds(const rhomb__plan *plan, double c, double d, double share)
{
    const rhomb__speed *speed = rhomb__plan_speed(plan);
    const double work = share * rhomb__wave_free_cells(plan, c, d) / speed->cells_per_second;
    const double least = rhomb__wave_latency(plan, speed, d - c);
    return work > least ? work : least;
}

/* The same by two devices, with what that takes besides. */
static double two_seconds(const rhomb__plan *plan, double c, double d)
{
    const double batch = (double)(plan->directions * plan->wavefront.tile_scores * LEAST_LAUNCHES);
    const double last = d - batch > c ? d - batch : c;
    const double slowest = plan->other_speed < 1 ? plan->other_speed : 1;
    return join_seconds(plan) + rest_seconds(plan, c, d, 0.5 / slowest) +
           AGAIN * rest_seconds(plan, last, d, 1);
}

/* Whether two devices are faster from a sum of c to the end; another engine may soon take over. */
static bool two_gain(const rhomb__plan *plan, double c, double d)
{
    if (plan->other_speed <= 0)
        return false;
    const double alone = rest_seconds(plan, c, d, 1);
    return TWO_GAIN * two_seconds(plan, c, d) < alone &&
           !(plan->may_switch &&
             RHOMB__SWITCH_MARGIN *
                     rhomb__plan_successor(plan, (int64_t)d, RHOMB__KNOWN_GUESS).seconds <
                 alone);
}

bool rhomb__plan_two_pay(const rhomb__plan *plan, int64_t done, int64_t expected)
{
    const int64_t c = rhomb__max(done, 0);
    return (rhomb__plan_expected(plan) > 0 ||
            rhomb__plan_profile_seconds(plan, c) > join_seconds(plan)) &&
           two_gain(plan, (double)c, (double)rhomb__max(expected, c));
}

double rhomb__wave_run_seconds(const rhomb__plan *plan, int64_t cost)
{
    const double d = (double)cost;
    return two_gain(plan, 0, d) ? two_seconds(plan, 0, d)
                                : wavefront_seconds(plan, rhomb__plan_speed(plan), d,
                                                    rhomb__wave_free_cells(plan, 0, d));
}

/* Up to a sum c there are c * c * g cells, and c has the latency's time where 2 * c * g have it. */
double rhomb__plan_full_cost(const rhomb__plan *plan)
{
    const rhomb__speed *speed = rhomb__plan_speed(plan);
    const double growth = rhomb__wave_free_cells(plan, 0, 1e6) / 1e12;
    return rhomb__wave_latency(plan, speed, 1) * speed->cells_per_second / (2 * growth);
}
