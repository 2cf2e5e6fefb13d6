/* SPDX-License-Identifier: MIT */
/*
 * What plans take in time, and what follows from that while a wavefront runs: whether a beam pays,
 * and whether the sweep takes over. At a *look* the run has come to some column, whose furthest
 * antidiagonal promises a distance; see plan.h.
 */
#include "plan.h"

#include "int64.h"

/* The sweep takes over when it takes less than the wavefront's rest by this: estimates are that
 * good at best. */
#define SWITCH_MARGIN 1.1

/*
 * A wavefront has d * d cells. The bound that it finds by itself leaves between 0.68 and all of
 * them, measured; 0.75 is taken. One that is known from the beginning leaves half.
 */
#define PRUNED_SHARE  0.75
#define BOUNDED_SHARE 0.5

/*
 * A beam's bound saves that difference, or, if the sweep takes over, the spare of its first band
 * and the second sweep that some estimates cost: a quarter of a sweep, taken together. The beam has
 * to cost less than a BEAM_MARGIN-th of it, since its bound is poor where the best path leaves it.
 * It gives up at BEAM_USE times the expected distance: a bound that large prunes nothing, and takes
 * a band of twice the width. A bound up to BEAM_TRUST times the expectation is what is expected
 * from then on; a larger one says more of the beam than of the distance.
 */
#define BEAM_SWEEP_SHARE 0.25
#define BEAM_MARGIN      2
#define BEAM_USE         2
#define BEAM_TRUST       1.5

/*
 * A beam follows an indel of up to half its diagonals. It is that wide only where it is slow, so
 * more cost little; this is a few MiB of columns.
 */
#define BEAM_DIAGONALS (INT64_C(1) << 16)

/*
 * Wavefront: a share of d * d cells at the saturated rate, or the latency of d columns, whichever
 * is longer.
 */
static double wavefront_seconds(const rhomb_plan *plan, double d, double share)
{
    const double work = d * d * share / plan->cells_per_second, latency = d * plan->column_seconds;
    return work > latency ? work : latency;
}

/* The share without a beam's bound, and with one. */
static double pruned_share(const rhomb_plan *plan)
{
    return plan->pruning ? PRUNED_SHARE : 1;
}

static double bounded_share(const rhomb_plan *plan)
{
    return plan->pruning ? BOUNDED_SHARE : 1;
}

/*
 * Bit-parallel: a band of about d diagonals, and the latency of half the columns, once more by half
 * for the delays of the strips, and of a band's width. Within 1.4 times of what an H200 took for
 * 0.17 to 24 Mbp.
 */
static double sweep_seconds(const rhomb_plan *plan, double d, double cells_per_second,
                            double column_seconds)
{
    const double longer = (double)rhomb__max(plan->target_length, plan->query_length);
    const double band = d < longer ? d : longer;
    const double columns = (1.5 * longer + band) / (plan->directions == 1 ? 1 : 2);
    return columns * column_seconds + longer * band / cells_per_second;
}

/* A sweep that takes over from a wavefront. */
static double other_seconds(const rhomb_plan *plan, double d)
{
    return sweep_seconds(plan, d, plan->other_cells_per_second, plan->other_column_seconds);
}

double rhomb_plan_seconds(const rhomb_plan *plan, int64_t distance)
{
    const double d = (double)rhomb__max(distance, plan->lower_bound);
    double seconds = 0;
    if (plan->words_per_item > 0) {
        seconds = sweep_seconds(plan, d, plan->cells_per_second, plan->column_seconds);
    } else {
        seconds = wavefront_seconds(plan, d, pruned_share(plan));
        if (plan->may_switch) {
            const double other = other_seconds(plan, d);
            seconds = other < seconds ? other : seconds;
        }
    }
    return plan->setup_seconds + seconds;
}

/* What columns up to `column` promise, when they have come to antidiagonal `reach`. */
static int64_t expected_distance(const rhomb_plan *plan, int64_t column, int64_t reach)
{
    const double letters = (double)plan->target_length + (double)plan->query_length;
    const double d = reach > 0 ? (double)column * letters / (double)reach : letters;
    const double most = (double)plan->upper_bound;
    return rhomb__max((int64_t)(d < most ? d : most), plan->lower_bound);
}

bool rhomb__plan_should_switch(const rhomb_plan *plan, double seconds, int64_t column,
                               int64_t reach, int64_t beam_bound, int64_t *estimate)
{
    double share = pruned_share(plan);
    *estimate = expected_distance(plan, column, reach);
    if (beam_bound > 0 && (double)beam_bound <= BEAM_TRUST * (double)*estimate) {
        *estimate = beam_bound;
        share = bounded_share(plan);
    }
    const double d = (double)*estimate;
    const double rest = wavefront_seconds(plan, d, share) - seconds;
    return plan->may_switch && other_seconds(plan, d) * SWITCH_MARGIN < rest;
}

/*
 * Cells that a bound saves a wavefront that has come to a column c: those after it, less those of
 * |k - K| <= d - r. The first c * c are done.
 */
static double saved_cells(const rhomb_plan *plan, double c, double d)
{
    const double left = pruned_share(plan) * d * d - c * c;
    const double bounded = c < d / 2 ? bounded_share(plan) * d * d - c * c
                                     : 2 * bounded_share(plan) * (d - c) * (d - c);
    return left > bounded ? left - bounded : 0;
}

/* What a beam's bound saves of a solve with distance d, by whichever engine would do the rest. */
static double saved_seconds(const rhomb_plan *plan, double seconds, double column, double d)
{
    const double whole = wavefront_seconds(plan, d, pruned_share(plan));
    const double other = other_seconds(plan, d);
    if (plan->may_switch && other * SWITCH_MARGIN < whole - seconds)
        return BEAM_SWEEP_SHARE * other;
    const double work = saved_cells(plan, column, d) / plan->cells_per_second;
    const double most = whole - wavefront_seconds(plan, d, bounded_share(plan));
    return work < most ? work : most;
}

/* A column of a beam takes its cells' time, or the latency. */
static bool beam_pays(const rhomb_plan *plan, double seconds, int64_t column, double d)
{
    const double work = (double)plan->beam_least / plan->cells_per_second;
    const double each = work > plan->column_seconds ? work : plan->column_seconds;
    return (d - (double)column) * each * BEAM_MARGIN <
           saved_seconds(plan, seconds, (double)column, d);
}

bool rhomb__plan_should_beam(const rhomb_plan *plan, double seconds, int64_t column, int64_t reach,
                             rhomb__beam_budget *budget)
{
    const int64_t expected = expected_distance(plan, column, reach);
    const rhomb__beam_budget none = {plan->upper_bound, INT64_MAX};
    *budget = none;
    if (plan->beam_forced || plan->beam_diagonals == 0)
        return plan->beam_forced;
    const double cells =
        saved_seconds(plan, seconds, (double)column, (double)expected) * plan->cells_per_second;
    budget->column = rhomb__min(BEAM_USE * expected, plan->upper_bound);
    budget->cells = cells < 0x1p62 ? (int64_t)cells : INT64_MAX;
    return beam_pays(plan, seconds, column, (double)expected);
}

/*
 * A column takes its time however few compute units have work, so a beam has a tile for each where
 * nothing goes wrong.
 */
void rhomb__plan_choose_beam(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const int64_t given = input->options->tuning->beam_diagonals;
    const int64_t all = input->target_length + input->query_length + 1;
    const int64_t units = rhomb__max(input->device->compute_units, 1);
    const rhomb__tiling tiling =
        rhomb__plan_tiling(plan, input->target_length, input->query_length);
    if (given < 0)
        return;
    const int64_t least = units * rhomb__tile_pitch(&tiling);
    plan->beam_forced = given > 0;
    plan->beam_diagonals = rhomb__min(given > 0 ? given : rhomb__max(least, BEAM_DIAGONALS), all);
    plan->beam_least = rhomb__min(least, plan->beam_diagonals);
    if (given == 0 && !beam_pays(plan, 0, 0, (double)plan->upper_bound))
        plan->beam_diagonals = plan->beam_least = 0;
}
