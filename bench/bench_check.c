/* SPDX-License-Identifier: MIT */
/*
 * How distances are verified where no oracle on one core answers soon enough: another program of
 * the library has to give the same one.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "bench.h"

const char BENCH_BY_TILES[] = "the other tile shape and packing";
const char BENCH_BY_SWEEP[] = "a sweep with another first band";
const char BENCH_BY_ENGINES[] = "wavefront and sweep agree";
const char BENCH_BY_OTHER_SWEEP[] = "a sweep in one direction with other words";

rhomb_plan *bench_plan(bench *b, const bench_pair *pair, rhomb_engine engine,
                       const rhomb_tuning *tuning)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_plan *plan = NULL;
    options.engine = engine;
    options.tuning = tuning;
    if (rhomb_plan_distance(b->ctx, pair->target, pair->target_length, pair->query,
                            pair->query_length, &options, &plan) != RHOMB_OK)
        bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    return plan;
}

int64_t bench_check_by_tiles(bench *b, const bench_pair *pair)
{
    rhomb_tuning other = RHOMB_TUNING_INIT;
    rhomb_plan *plan = bench_plan(b, pair, RHOMB_ENGINE_WAVEFRONT, &b->tuning);
    if (plan == NULL)
        return -1;
    other.tile_shape =
        plan->tile_shape == RHOMB_TILE_DIAMOND ? RHOMB_TILE_TRAPEZOID : RHOMB_TILE_DIAMOND;
    rhomb_plan_destroy(plan);
    const bench_pair packed_otherwise = pair->memory[0] != NULL ? bench_pair_with_n(pair) : *pair;
    return bench_distance(b, &packed_otherwise, RHOMB_ENGINE_WAVEFRONT, &other);
}

/* The tuning of a sweep whose first band is what paths of cost `claimed` need. */
static rhomb_tuning just_for(const bench *b, const bench_pair *pair, int64_t claimed)
{
    rhomb_tuning tuning = b->tuning;
    const int64_t ends = llabs(pair->target_length - pair->query_length);
    tuning.first_half_width = claimed > ends ? (claimed - ends) / 2 + 1 : 1;
    return tuning;
}

int64_t bench_check_by_sweep(bench *b, const bench_pair *pair, int64_t claimed, bool otherwise)
{
    rhomb_tuning tuning = just_for(b, pair, claimed);
    rhomb_plan *plan = bench_plan(b, pair, RHOMB_ENGINE_BITPARALLEL, &tuning);
    if (plan == NULL)
        return -1;
    if (otherwise) {
        tuning.directions = 1;
        tuning.words_per_item = plan->words_per_item > 1 ? plan->words_per_item / 2 : 2;
    }
    rhomb_plan_destroy(plan);
    return bench_distance(b, pair, RHOMB_ENGINE_BITPARALLEL, &tuning);
}

double bench_check_by_sweep_seconds(bench *b, const bench_pair *pair, int64_t claimed)
{
    const rhomb_tuning tuning = just_for(b, pair, claimed);
    rhomb_plan *plan = bench_plan(b, pair, RHOMB_ENGINE_BITPARALLEL, &tuning);
    const double seconds = plan != NULL ? rhomb_plan_seconds(plan, claimed) : -1;
    rhomb_plan_destroy(plan);
    return seconds;
}

bool bench_same_distance(bench *b, const bench_case *c, int64_t other, const char *by)
{
    return other == c->distance ||
           (other >= 0 && bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " by %s",
                                     bench_case_name(c), c->distance, other, by));
}

bool bench_run_checked(bench *b, bench_case *c, bool otherwise)
{
    const bool known = c->distance != BENCH_UNKNOWN;
    if (!bench_take_turns(b, c, 1))
        return false;
    if (c->runs == 0)
        return true;
    if (!known) {
        c->verified_by = otherwise ? BENCH_BY_OTHER_SWEEP : BENCH_BY_SWEEP;
        if (!bench_same_distance(b, c, bench_check_by_sweep(b, c->pair, c->distance, otherwise),
                                 c->verified_by))
            return false;
    }
    bench_row(b, c);
    return true;
}
