/* SPDX-License-Identifier: MIT */
/*
 * What plans take in time, and what follows from that while a wavefront runs: whether a beam pays,
 * and whether the sweep takes over. At a *look* the run has come to some wavefront, whose furthest
 * antidiagonal promises a distance; see engine_plan.h. With two directions that is the sum of their
 * wavefronts: c in all, c / 2 in each.
 *
 * One model, two sets of speeds. Estimates use the best known speeds, measured ones if there are
 * any. Decisions use the profile's, which never change, and its time for the wavefronts so far
 * instead of a clock. So the same input makes the same choices each time.
 */
#include "src/planner/engine_plan.h"

#include "src/base/int64.h"
#include "src/planner/guide_pieces.h"
#include "src/planner/profiles.h"

#define WAVEFRONT RHOMB_ENGINE_WAVEFRONT
#define SWEEP     RHOMB_ENGINE_BITPARALLEL

/*
 * The sweep takes over when it is faster than the rest of the wavefront by SWITCH_MARGIN. Estimates
 * are no better than that, and improve with the share of the pair that the run has seen. So the
 * wavefront goes on for a LEAST_SHARE of the sweep's time, and for PATIENCE of it where perhaps
 * only a long indel stops it.
 */
#define SWITCH_MARGIN 1.1
#define LEAST_SHARE   0.03
#define PATIENCE      0.8

/*
 * If the least pace so far promises a distance smaller by this factor, the sweep is made for that
 * distance. If that is wrong, the sweep ends early, after a small part of the cells, and says so.
 * Two directions end early only if the distance is more than twice the bound.
 */
#define FAR_ONE 2.0
#define FAR_TWO 3.5

/*
 * A wavefront of one direction has d * d cells. The bound that it finds by itself leaves
 * between 0.68 of them and all, measured; the model takes 0.75. Two directions stop at the
 * wavefronts d / 2, where that bound has hardly left out any cells: they have half of d * d.
 */
#define PRUNED_SHARE 0.75

/*
 * A beam's bound saves cells of a wavefront. If the sweep takes over, it saves the spare of the
 * first band and the second sweep that some estimates cost: together a quarter of a sweep. The beam
 * has to cost less than a BEAM_MARGIN-th of what it saves, since its bound is poor where the best
 * path leaves it. It gives up at BEAM_USE times the expected distance: a bound that large
 * prunes nothing and needs a band of twice the width. A bound up to BEAM_TRUST times the expected
 * distance replaces it from then on; a larger bound says more about the beam than about the
 * distance.
 */
#define BEAM_SWEEP_SHARE 0.25
#define BEAM_MARGIN      2
#define BEAM_USE         2
#define BEAM_TRUST       1.5

/*
 * A beam follows an indel of up to half its diagonals. It only becomes that wide where it is slow,
 * so more diagonals cost little; this is a few MiB of wavefronts.
 */
#define BEAM_DIAGONALS (INT64_C(1) << 16)

/* Rows of a strip, about, where that is not planned yet. */
#define GUIDE_ROWS 4096

/* The time of the wavefronts up to a sum of d, one after the other. */
static double latency(const rhomb__plan *plan, const rhomb__speed *speed, double d)
{
    return d / plan->directions * speed->column_seconds;
}

/* Wavefront: its cells at the saturated rate, or the latency, whichever takes longer. */
static double wavefront_seconds(const rhomb__plan *plan, const rhomb__speed *speed, double d,
                                double cells)
{
    const double work = cells / speed->cells_per_second, least = latency(plan, speed, d);
    return work > least ? work : least;
}

/* The cells from a sum of c on, if no bound is known from the beginning. */
static double free_cells(const rhomb__plan *plan, double c, double d)
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
 * The same as free_cells() with that bound: (d * d - K * K) / 2 in total, whether one direction
 * goes to wavefront d or two directions to d / 2.
 */
static double bounded_cells(const rhomb__plan *plan, double c, double d)
{
    const double difference = (double)(plan->target_length - plan->query_length);
    const double end = difference < 0 ? -difference : difference;
    const double half = end < d ? (d - end) / 2 : 0;
    const double directions = plan->directions;
    if (!plan->wavefront.pruning)
        return free_cells(plan, c, d);
    return c < d ? directions *
                       (cells_up_to(d / directions, half, d) - cells_up_to(c / directions, half, d))
                 : 0;
}

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
    const bool shared = plan->sharing > 1 && speed == &plan->speed[SWEEP];
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
static double follow_seconds(const rhomb__plan *plan, const rhomb__speed *speed)
{
    const int64_t longer = rhomb__max(plan->target_length, plan->query_length);
    const double rows =
        rhomb__plan_sweeps(plan) ? (double)rhomb__plan_sweep(plan).strip_rows : GUIDE_ROWS;
    const double diagonals = rows + 2 * (double)rhomb__guide_beside(longer);
    return 2 * (double)longer * diagonals / speed->cells_per_second;
}

double rhomb__plan_guide_seconds(const rhomb__plan *plan)
{
    return plan->setup_seconds + follow_seconds(plan, &plan->speed[SWEEP]);
}

/* The diagonals that paths of a cost may be on. With unit costs they are as many as the cost. */
static double diagonals_of(const rhomb__plan *plan, int64_t cost)
{
    const int64_t end = plan->target_length - plan->query_length;
    if (rhomb__costs_are_edit(&plan->costs))
        return (double)cost;
    const int64_t beside = rhomb__costs_beside(&plan->costs, end, cost);
    return 2 * (double)rhomb__max(beside, 0) + (double)(end < 0 ? -end : end);
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
    const rhomb__speed *speed = &plan->profile[SWEEP];
    const int64_t end = plan->target_length - plan->query_length, apart = end < 0 ? -end : end;
    const double probe = 2 * (double)plan->sweep.probe_beside + (double)apart;
    const double first = 2 * (double)plan->sweep.first_beside + (double)apart;
    const double seconds = probe_seconds(plan, speed, probe);
    const double whole = sweep_seconds(plan, speed, first);
    const double spared = whole - sweep_seconds(plan, speed, diagonals_of(plan, estimate));
    return plan->sweep.probe_beside > 0 && (seconds < spared || PROBE_CHEAP * seconds < whole);
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
    const rhomb__speed *speed = &plan->speed[WAVEFRONT];
    const double work = share * free_cells(plan, c, d) / speed->cells_per_second;
    const double least = latency(plan, speed, d - c);
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

/* Whether two devices are faster from a sum of c to the end; a sweep may soon take over. */
static bool two_gain(const rhomb__plan *plan, double c, double d)
{
    if (plan->other_speed <= 0)
        return false;
    const double alone = rest_seconds(plan, c, d, 1);
    const double wide = diagonals_of(plan, (int64_t)d);
    return TWO_GAIN * two_seconds(plan, c, d) < alone &&
           !(plan->may_switch &&
             SWITCH_MARGIN * sweep_seconds(plan, &plan->profile[SWEEP], wide) < alone);
}

bool rhomb__plan_two_pay(const rhomb__plan *plan, int64_t done, int64_t expected)
{
    const int64_t c = rhomb__max(done, 0);
    return (rhomb__plan_expected(plan) > 0 ||
            rhomb__plan_profile_seconds(plan, c) > join_seconds(plan)) &&
           two_gain(plan, (double)c, (double)rhomb__max(expected, c));
}

/*
 * The time of a path for even the shortest pair: packing it again, the kernels of base cases. 0.2
 * ms with PoCL after a wavefront and 0.6 after a sweep, 0.5 to 0.9 on an H200.
 */
#define PATH_START_SECONDS 0.5e-3

/* The time of the engine that ends the run, and the path's share with it. */
typedef struct solve_time {
    double start; /* for even the shortest pair; of both engines, if one takes over */
    double seconds;
    double path_share;
} solve_time;

/* By the rates for estimates; whether the sweep takes over is decided by the profile. */
static solve_time time_solve(const rhomb__plan *plan, int64_t distance)
{
    const double d = (double)rhomb__max(distance, plan->lower_bound);
    const rhomb__speed *own = rhomb__plan_speed(plan), *sweep = &plan->speed[SWEEP];
    solve_time time = {own->start_seconds, 0, own->path_share};
    if (rhomb__plan_sweeps(plan)) {
        const double end = (double)(plan->target_length - plan->query_length);
        const double probe = 2 * (double)plan->sweep.probe_beside + (end < 0 ? -end : end);
        const double wide = diagonals_of(plan, (int64_t)d);
        const bool is_sampled =
            plan->sweep.sample_bases > 0 && wide <= 2 * (double)plan->sweep.probe_most;
        const bool probes = plan->sweep.probe_beside > 0 && !is_sampled;
        time.seconds = probes ? sweep_seconds(plan, sweep, probe) : 0;
        if (!probes || wide > probe)
            time.seconds += guided_seconds(plan, sweep, wide);
        time.start += plan->guide_seconds;
        return time;
    }
    const double cells = free_cells(plan, 0, d);
    time.seconds =
        two_gain(plan, 0, d) ? two_seconds(plan, 0, d) : wavefront_seconds(plan, own, d, cells);
    const double wide = diagonals_of(plan, (int64_t)d);
    if (plan->may_switch && sweep_seconds(plan, &plan->profile[SWEEP], wide) <
                                wavefront_seconds(plan, &plan->profile[WAVEFRONT], d, cells)) {
        time.start += sweep->start_seconds + plan->guide_seconds;
        time.seconds = guided_seconds(plan, sweep, wide);
        time.path_share = sweep->path_share;
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
    const rhomb__plan *own = plan_of(plan);
    return rhomb__plan_seconds(own, distance / own->costs.unit);
}

double rhomb_plan_path_seconds(const rhomb_plan *plan, int64_t distance)
{
    const rhomb__plan *own = plan_of(plan);
    return rhomb__plan_path_seconds(own, distance / own->costs.unit);
}

/* Up to a sum c there are c * c * g cells, and c has the latency's time where 2 * c * g have it. */
double rhomb__plan_full_cost(const rhomb__plan *plan)
{
    const rhomb__speed *speed = &plan->speed[WAVEFRONT];
    const double growth = free_cells(plan, 0, 1e6) / 1e12;
    return latency(plan, speed, 1) * speed->cells_per_second / (2 * growth);
}

double rhomb__plan_profile_seconds(const rhomb__plan *plan, int64_t column)
{
    const double c = (double)rhomb__max(column, 0);
    return wavefront_seconds(plan, &plan->profile[WAVEFRONT], c, free_cells(plan, 0, c));
}

/* The time of either engine to the end, for a distance that may also be a known bound. */
typedef struct outlook {
    int64_t distance;
    double rest;  /* of the run's own engine */
    double other; /* of the one that may take over */
} outlook;

static outlook look_ahead(const rhomb__plan *plan, const rhomb__look *look, double distance,
                          bool is_bound)
{
    outlook ahead;
    const double most = (double)plan->upper_bound;
    ahead.distance = rhomb__max((int64_t)(distance < most ? distance : most), plan->lower_bound);
    const double d = (double)ahead.distance;
    const double cells = is_bound ? bounded_cells(plan, 0, d) : free_cells(plan, 0, d);
    ahead.rest = wavefront_seconds(plan, &plan->profile[WAVEFRONT], d, cells) - look->seconds;
    ahead.other = sweep_seconds(plan, &plan->profile[SWEEP], diagonals_of(plan, ahead.distance));
    return ahead;
}

/* With as many edits per base to the end as so far. */
static outlook look_on_average(const rhomb__plan *plan, const rhomb__look *look)
{
    const double bases = (double)plan->target_length + (double)plan->query_length;
    const double d = look->reach > 0 ? (double)look->column * bases / (double)look->reach : bases;
    return look_ahead(plan, look, d, false);
}

/* With the fewest edits per base of any look from here on. */
static outlook look_at_best(const rhomb__plan *plan, const rhomb__look *look)
{
    const double left =
        (double)plan->target_length + (double)plan->query_length - (double)look->reach;
    return look_ahead(plan, look, (double)look->column + look->pace * left, false);
}

static bool sweep_wins(const outlook *ahead)
{
    return ahead->other * SWITCH_MARGIN < ahead->rest;
}

bool rhomb__plan_prefers_sweep(const rhomb__plan *plan, int64_t distance)
{
    const rhomb__look start = {.seconds = 0};
    const outlook ahead = look_ahead(plan, &start, (double)distance, true);
    return plan->may_switch && sweep_wins(&ahead);
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
           rhomb__plan_prefers_sweep(plan, DOUBT * expected) &&
           FOLLOW_SHARE * follow_seconds(plan, &plan->profile[SWEEP]) <=
               rhomb__plan_profile_seconds(plan, expected);
}

/*
 * A sweep whose strips have fewer rows, as few are in flight, takes 5 to 15 % less than by the
 * model, whose steps have the rows of wide bands (bench/NOTES.md, "Shapes in narrow bands").
 */
#define FEW_STRIPS_SHARE 0.93

bool rhomb__plan_guided_wins(const rhomb__plan *plan, const rhomb__plan *sweep, int64_t bound)
{
    const rhomb__look start = {.seconds = 0};
    outlook ahead = look_ahead(plan, &start, (double)bound, true);
    ahead.other = guided_seconds(plan, &plan->profile[SWEEP], diagonals_of(plan, ahead.distance)) *
                  (sweep->sweep.has_few_strips ? FEW_STRIPS_SHARE : 1);
    return plan->may_switch && ahead.other < ahead.rest;
}

bool rhomb__plan_should_switch(const rhomb__plan *plan, const rhomb__look *look, int64_t *estimate)
{
    const outlook average = look_on_average(plan, look);
    *estimate = average.distance;
    if (look->beam_bound > 0 && (double)look->beam_bound <= BEAM_TRUST * (double)average.distance) {
        const outlook known = look_ahead(plan, look, (double)look->beam_bound, true);
        *estimate = known.distance;
        return plan->may_switch && sweep_wins(&known);
    }
    const outlook best = look->pace > 0 ? look_at_best(plan, look) : average;
    const double far = plan->profile[SWEEP].directions == 1 ? FAR_ONE : FAR_TWO;
    if (far * (double)best.distance < (double)average.distance)
        *estimate = best.distance;
    return plan->may_switch && sweep_wins(&average) &&
           look->seconds > LEAST_SHARE * average.other &&
           (sweep_wins(&best) || look->seconds > PATIENCE * average.other);
}

/* What a beam's bound saves of a solve with distance d, with the engine that would do the rest. */
static double saved_seconds(const rhomb__plan *plan, double seconds, double column, double d)
{
    const rhomb__speed *speed = &plan->profile[WAVEFRONT];
    const double whole = wavefront_seconds(plan, speed, d, free_cells(plan, 0, d));
    const double other = sweep_seconds(plan, &plan->profile[SWEEP], d);
    if (plan->may_switch && other * SWITCH_MARGIN < whole - seconds)
        return BEAM_SWEEP_SHARE * other;
    const double cells = free_cells(plan, column, d) - bounded_cells(plan, column, d);
    const double work = cells / speed->cells_per_second;
    const double most = whole - latency(plan, speed, d);
    return work < most ? work : most;
}

/*
 * Each score changes the diagonal by one at most. What the lengths differ by more than a run has
 * paid is left to it; where that is more than a GAP_SHARE-th of the antidiagonals that are left,
 * it is a long indel and no sum of short ones, and a beam has to become twice as wide. Two
 * Caulobacters, 4.0 Mbp, have 26,177 edits, 26 kb of them one insertion: a bound would have saved
 * nearly all of 0.25 s, but the beam took 0.1 s to give up.
 */
#define GAP_SHARE 8

static double beam_width(const rhomb__plan *plan, double column, double reach)
{
    const double difference = (double)(plan->target_length - plan->query_length);
    const double apart = (difference < 0 ? -difference : difference) - column;
    const double left = (double)plan->target_length + (double)plan->query_length - reach;
    const double least = (double)plan->wavefront.beam_least;
    return apart > 0 && GAP_SHARE * apart > left && 2 * apart > least ? 2 * apart : least;
}

/*
 * A beam to wavefront d that goes on from a forward wavefront. Each wavefront takes its cells' time
 * or the latency.
 */
static double beam_seconds(const rhomb__plan *plan, double width, double column, double d)
{
    const rhomb__speed *speed = &plan->profile[WAVEFRONT];
    const double work = width / speed->cells_per_second;
    return (d - column / plan->directions) *
           (work > speed->column_seconds ? work : speed->column_seconds);
}

/*
 * If the average speaks for the sweep and the best pace for the wavefront, a beam shows which of
 * them is right. It costs its time at the best pace, and may save the extra time of the sweep.
 */
bool rhomb__plan_should_beam(const rhomb__plan *plan, const rhomb__look *look,
                             rhomb__beam_budget *budget)
{
    const outlook average = look_on_average(plan, look);
    const outlook best = look->pace > 0 ? look_at_best(plan, look) : average;
    const rhomb__beam_budget none = {plan->upper_bound, INT64_MAX};
    *budget = none;
    if (plan->wavefront.beam_forced || plan->wavefront.beam_diagonals == 0)
        return plan->wavefront.beam_forced;
    const double column = (double)look->column, d = (double)average.distance;
    const bool undecided = plan->may_switch && sweep_wins(&average) && !sweep_wins(&best);
    const double saved =
        undecided ? average.other - best.rest : saved_seconds(plan, look->seconds, column, d);
    const double cells = saved * plan->profile[WAVEFRONT].cells_per_second;
    budget->column = rhomb__min((int64_t)(BEAM_USE * d), plan->upper_bound);
    budget->cells = cells < 0x1p62 ? (int64_t)(cells > 0 ? cells : 0) : INT64_MAX;
    const double whole = average.rest + look->seconds;
    const double least = plan->may_switch && average.other < whole ? average.other : whole;
    const double width = beam_width(plan, column, (double)look->reach);
    const double end = undecided ? (double)best.distance : d;
    return look->seconds > LEAST_SHARE * least &&
           beam_seconds(plan, width, column, end) * BEAM_MARGIN < saved;
}

static bool could_pay(const rhomb__plan *plan, int64_t d)
{
    const double least = (double)plan->wavefront.beam_least;
    return beam_seconds(plan, least, 0, (double)d) * BEAM_MARGIN <
           saved_seconds(plan, 0, 0, (double)d);
}

/*
 * A wavefront takes the same time however few compute units have work, so a beam gets a tile for
 * each unit where nothing goes wrong. A wavefront that cannot hand over gets no beam where none
 * could pay: one direction saves most at the largest possible distance, two when it equals the
 * difference of the lengths. Units are the profile's, because those of a CPU may differ in the next
 * run.
 */
void rhomb__plan_choose_beam(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const int64_t given = input->options->tuning->beam_diagonals;
    const int64_t all = input->target_length + input->query_length + 1;
    const int64_t units = rhomb__max(rhomb__profile_units(input->device), 1);
    const rhomb__tiling tiling =
        rhomb__plan_tiling(plan, input->target_length, input->query_length);
    if (given < 0)
        return;
    const int64_t least = units * rhomb__tile_pitch(&tiling);
    plan->wavefront.beam_forced = given > 0;
    plan->wavefront.beam_diagonals =
        rhomb__min(given > 0 ? given : rhomb__max(least, BEAM_DIAGONALS), all);
    plan->wavefront.beam_least = rhomb__min(least, plan->wavefront.beam_diagonals);
    if (given == 0 && !plan->may_switch && !could_pay(plan, plan->lower_bound) &&
        !could_pay(plan, plan->upper_bound))
        plan->wavefront.beam_diagonals = plan->wavefront.beam_least = 0;
}
