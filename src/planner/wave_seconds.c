/* SPDX-License-Identifier: MIT */
/*
 * The time of a wavefront, see seconds.h: for the rows of the planner's table.
 */
#include "src/planner/models.h"

#include "src/base/int64.h"

/*
 * A wavefront of one direction has d * d cells. The bound that it finds by itself leaves
 * between 0.68 of them and all, measured; the model takes 0.75. Two directions stop at the
 * wavefronts d / 2, where that bound has hardly left out any cells: they have half of d * d.
 */
#define PRUNED_SHARE 0.75

/* The time of the wavefronts up to a sum of d, one after the other. */
static double wave_latency(const rhomb__plan *plan, const rhomb__speed *speed, double d)
{
    return d / plan->directions * speed->column_seconds;
}

/* Wavefront: its cells at the saturated rate, or the latency, whichever takes longer. */
static double wavefront_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d,
                                double cells)
{
    const double work = cells / speed->cells_per_second;
    const double least = wave_latency(plan, speed, d);
    return work > least ? work : least;
}

/* The cells up to a sum of d, if no bound is known from the beginning. */
static double free_cells(const rhomb__plan *plan, double d)
{
    const bool one = plan->directions == 1;
    if (!rhomb__costs_are_edit(&plan->costs))
        return rhomb__affine_cells(&plan->costs, d);
    return d * d * (one && plan->wavefront.pruning ? PRUNED_SHARE : 1) / plan->directions;
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
 * The same as free_cells() with that bound: (d * d - K * K) / 2 in total, whether one direction
 * goes to wavefront d or two directions to d / 2.
 */
static double bounded_cells(const rhomb__plan *plan, double d)
{
    const double difference = (double)(plan->target_length - plan->query_length);
    const double end = difference < 0 ? -difference : difference;
    const double half = end < d ? (d - end) / 2 : 0;
    const double directions = plan->directions;
    if (!plan->wavefront.pruning)
        return free_cells(plan, d);
    return directions * cells_up_to(d / directions, half, d);
}

double rhomb__wave_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                           rhomb__known known)
{
    const double d = (double)cost;
    const bool bounded = known == RHOMB__KNOWN_BOUND || known == RHOMB__KNOWN_PATH;
    return wavefront_seconds(plan, speed, d,
                             bounded ? bounded_cells(plan, d) : free_cells(plan, d));
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

/* Up to a sum c there are c * c * g cells, and c has the latency's time where 2 * c * g have it. */
double rhomb__plan_full_cost(const rhomb__plan *plan)
{
    const rhomb__speed *speed = rhomb__plan_speed(plan);
    const double growth = free_cells(plan, 1e6) / 1e12;
    return wave_latency(plan, speed, 1) * speed->cells_per_second / (2 * growth);
}
