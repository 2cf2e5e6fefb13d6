/* SPDX-License-Identifier: MIT */
/*
 * Whether a beam pays (engine_plan.h): what it takes, and what its bound saves of the rest of a
 * run.
 */
#include "src/planner/seconds.h"

#include "src/base/int64.h"
#include "src/planner/profiles.h"

/*
 * A beam's bound saves cells of a wavefront. If the sweep takes over, it saves the spare of the
 * first band and the second sweep that some estimates cost: together a quarter of a sweep. The beam
 * has to cost less than a BEAM_MARGIN-th of what it saves, since its bound is poor where the best
 * path leaves it. It gives up at BEAM_USE times the expected distance: a bound that large
 * prunes nothing and needs a band of twice the width.
 */
#define BEAM_SWEEP_SHARE 0.25
#define BEAM_MARGIN      2
#define BEAM_USE         2

/*
 * A beam follows an indel of up to half its diagonals. It only becomes that wide where it is slow,
 * so more diagonals cost little; this is a few MiB of wavefronts.
 */
#define BEAM_DIAGONALS (INT64_C(1) << 16)

/* What a beam's bound saves of a solve with distance d, with the engine that would do the rest. */
static double saved_seconds(const rhomb__plan *plan, double seconds, double column, double d)
{
    const rhomb__speed *speed = rhomb__plan_profile(plan);
    const double whole = rhomb__wave_seconds(plan, speed, (int64_t)d, RHOMB__KNOWN_GUESS);
    const double other = rhomb__plan_successor(plan, (int64_t)d, RHOMB__KNOWN_GUESS).seconds;
    if (plan->may_switch && other * RHOMB__SWITCH_MARGIN < whole - seconds)
        return BEAM_SWEEP_SHARE * other;
    const double cells =
        rhomb__wave_free_cells(plan, column, d) - rhomb__wave_bounded_cells(plan, column, d);
    const double work = cells / speed->cells_per_second;
    const double most = whole - rhomb__wave_latency(plan, speed, d);
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
    const rhomb__speed *speed = rhomb__plan_profile(plan);
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
    const rhomb__outlook average = rhomb__look_on_average(plan, look);
    const rhomb__outlook best = look->pace > 0 ? rhomb__look_at_best(plan, look) : average;
    const rhomb__beam_budget none = {plan->upper_bound, INT64_MAX};
    *budget = none;
    if (plan->wavefront.beam_forced || plan->wavefront.beam_diagonals == 0)
        return plan->wavefront.beam_forced;
    const double column = (double)look->column, d = (double)average.distance;
    const bool undecided =
        plan->may_switch && rhomb__other_wins(&average) && !rhomb__other_wins(&best);
    const double saved = undecided ? average.other.seconds - best.rest
                                   : saved_seconds(plan, look->seconds, column, d);
    const double cells = saved * rhomb__plan_profile(plan)->cells_per_second;
    budget->column = rhomb__min((int64_t)(BEAM_USE * d), plan->upper_bound);
    budget->cells = cells < 0x1p62 ? (int64_t)(cells > 0 ? cells : 0) : INT64_MAX;
    const double whole = average.rest + look->seconds;
    const double least =
        plan->may_switch && average.other.seconds < whole ? average.other.seconds : whole;
    const double width = beam_width(plan, column, (double)look->reach);
    const double end = undecided ? (double)best.distance : d;
    return look->seconds > RHOMB__LEAST_SHARE * least &&
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
