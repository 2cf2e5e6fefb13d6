/* SPDX-License-Identifier: MIT */
/*
 * What plans take in time, and which engine goes on while one runs that may hand over.
 * At a *look* the run has come to some wavefront, whose furthest antidiagonal promises a distance;
 * see engine_plan.h. With two directions that is the sum of their wavefronts: c in all, c / 2 in
 * each.
 */
#include "src/planner/models.h"

#include "src/base/int64.h"
#include "src/planner/guide_segments.h"

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

/*
 * The time of a wavefront, for the rows of the planner's table.
 *
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

/* The time of a sweep, for the row of the planner's table and along a guide. Rows of a strip,
 * about, where that is not planned yet: */
#define GUIDE_ROWS 4096

/*
 * Bit-parallel: the steps of all columns, and the cells of a band of d diagonals, with fewer at
 * both ends of the matrix. The spare that a band needs for an unknown d and what narrowing
 * leaves out are about equal with two directions; one direction leaves out a quarter more.
 * Within a factor of 1.2 of the times of an H200 for 0.17 to 24 Mbp.
 */
static double band_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d,
                           double share)
{
    const double longer = (double)rhomb__max(plan->target_length, plan->query_length);
    const double wide = d < longer ? d : longer;
    const double band = (wide - wide * wide / (4 * longer)) * share;
    const bool shared = plan->sharing > 1 && speed == &plan->speed[RHOMB__ROW_SWEEP];
    const double rate = speed->cells_per_second * (shared ? plan->shared_speed : 1);
    return longer * (speed->column_seconds + band / rate);
}

static double sweep_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d)
{
    return band_seconds(plan, speed, d, speed->directions == 1 ? 0.75 : 1);
}

/*
 * With a bound from a guide there is hardly any spare, and the band narrows as it promises. If it
 * promises the same everywhere, these are 0.57 and 0.78 of the length times the distance in one and
 * two directions: 40 and 22 pairs of suite `guided` have 0.46 to 0.67, mostly 0.54, and 0.73 to
 * 0.84, mostly 0.78. The joined yeasts, whose longest insertions come first, have 0.40, and
 * bacteria that are nearly unrelated 0.75 of it, as hardly a point of their guide is right.
 */
static double guided_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d)
{
    return plan->guide_seconds > 0
               ? band_seconds(
                     plan, speed, d,
                     rhomb__band_share(&plan->promise, speed->directions, RHOMB__NARROWS_PATH))
               : sweep_seconds(plan, speed, d);
}

/*
 * Pieces along a guide: each strip has, besides the band, the triangles at its ends, and each
 * direction has them.
 */
double rhomb__follow_seconds(const rhomb__plan *plan, bool by_profile)
{
    const rhomb__speed *speed =
        by_profile ? &plan->profile[RHOMB__ROW_SWEEP] : &plan->speed[RHOMB__ROW_SWEEP];
    const int64_t longer = rhomb__max(plan->target_length, plan->query_length);
    const double rows =
        rhomb__plan_sweeps(plan) ? (double)rhomb__plan_sweep(plan).strip_rows : GUIDE_ROWS;
    const double diagonals = rows + 2 * (double)rhomb__guide_half_width(longer);
    return 2 * (double)longer * diagonals / speed->cells_per_second;
}

/* The diagonals that paths of a cost may be on. With unit costs they are as many as the cost. */
static double diagonals_of(const rhomb__plan *plan, int64_t cost)
{
    const int64_t end = plan->target_length - plan->query_length;
    if (rhomb__costs_are_edit(&plan->costs))
        return (double)cost;
    const int64_t half_width = rhomb__costs_half_width(&plan->costs, end, cost);
    return 2 * (double)rhomb__max(half_width, 0) + (double)(end < 0 ? -end : end);
}

/*
 * An estimate may be too high, which a probe finds out: that is worth a share of the first band. On
 * a processor a launch in a narrow band ends with its few blocks, and a probe takes the time of its
 * cells: 60 kb with asm10 10 ms on two cores, where the columns of a wide band take 45.
 */
#define PROBE_CHEAP 8

static double probe_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double diagonals)
{
    const double longer = (double)rhomb__max(plan->target_length, plan->query_length);
    const double rows = (double)rhomb__plan_sweep(plan).strip_rows;
    return plan->sweep.lanes > 1 ? longer * (diagonals + rows) / speed->cells_per_second
                                 : sweep_seconds(plan, speed, diagonals);
}

bool rhomb__plan_probe_pays(const rhomb__plan *plan, int64_t estimate)
{
    const rhomb__speed *speed = rhomb__plan_profile(plan);
    const int64_t end = plan->target_length - plan->query_length, apart = end < 0 ? -end : end;
    const double probe = 2 * (double)plan->sweep.probe_half_width + (double)apart;
    const double first = 2 * (double)plan->sweep.first_half_width + (double)apart;
    const double seconds = probe_seconds(plan, speed, probe);
    const double whole = sweep_seconds(plan, speed, first);
    const double spared = whole - sweep_seconds(plan, speed, diagonals_of(plan, estimate));
    return plan->sweep.probe_half_width > 0 && (seconds < spared || PROBE_CHEAP * seconds < whole);
}

/*
 * A sweep whose strips have fewer rows, as few are in flight, takes 5 to 15 % less than by the
 * model, whose steps have the rows of wide bands (bench/NOTES.md, "Shapes in narrow bands").
 */
#define FEW_STRIPS_SHARE 0.93

double rhomb__strips_model(const rhomb__plan *sweep)
{
    return sweep->sweep.has_few_strips ? FEW_STRIPS_SHARE : 1;
}

/* Of a plan that goes by its own first bands: the probe's, unless a sample says that it is left
 * out.
 */
static double run_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double wide)
{
    const double end = (double)(plan->target_length - plan->query_length);
    const double probe = 2 * (double)plan->sweep.probe_half_width + (end < 0 ? -end : end);
    const bool is_sampled =
        plan->sweep.sample_bases > 0 && wide <= 2 * (double)plan->sweep.probe_most;
    const bool probes = plan->sweep.probe_half_width > 0 && !is_sampled;
    double seconds = probes ? sweep_seconds(plan, speed, probe) : 0;
    if (!probes || wide > probe)
        seconds += guided_seconds(plan, speed, wide);
    return seconds;
}

double rhomb__sweep_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                            rhomb__known known)
{
    const double diagonals = diagonals_of(plan, cost);
    if (known == RHOMB__KNOWN_NONE)
        return run_seconds(plan, speed, diagonals);
    return known == RHOMB__KNOWN_PATH ? guided_seconds(plan, speed, diagonals)
                                      : sweep_seconds(plan, speed, diagonals);
}
