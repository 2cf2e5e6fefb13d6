/* SPDX-License-Identifier: MIT */
/*
 * The time of a sweep, see seconds.h: for the row of the planner's table, and along a guide.
 */
#include "src/planner/models.h"

#include "src/base/int64.h"
#include "src/planner/guide_segments.h"

/* Rows of a strip, about, where that is not planned yet. */
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
    const double diagonals = rows + 2 * (double)rhomb__guide_beside(longer);
    return 2 * (double)longer * diagonals / speed->cells_per_second;
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
    const rhomb__speed *speed = rhomb__plan_profile(plan);
    const int64_t end = plan->target_length - plan->query_length, apart = end < 0 ? -end : end;
    const double probe = 2 * (double)plan->sweep.probe_beside + (double)apart;
    const double first = 2 * (double)plan->sweep.first_beside + (double)apart;
    const double seconds = probe_seconds(plan, speed, probe);
    const double whole = sweep_seconds(plan, speed, first);
    const double spared = whole - sweep_seconds(plan, speed, diagonals_of(plan, estimate));
    return plan->sweep.probe_beside > 0 && (seconds < spared || PROBE_CHEAP * seconds < whole);
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
    const double probe = 2 * (double)plan->sweep.probe_beside + (end < 0 ? -end : end);
    const bool is_sampled =
        plan->sweep.sample_bases > 0 && wide <= 2 * (double)plan->sweep.probe_most;
    const bool probes = plan->sweep.probe_beside > 0 && !is_sampled;
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
