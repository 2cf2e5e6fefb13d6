/* SPDX-License-Identifier: MIT */
/*
 * Engines on one pair, in turns: the wavefront, the sweep and auto, for the suites that compare
 * them. Compared is transfer and solve, because auto may pack twice.
 *
 * An engine of which the plan's model expects more than --limit-seconds is left out, and auto where
 * both are; --engine leaves one alone. The engines are independent programs: where both came to an
 * end, they verify each other; where one did, another program does.
 */
#include "bench.h"

#include <inttypes.h>
#include <string.h>

static const rhomb_engine ENGINES[BENCH_CONTENDERS] = {RHOMB_ENGINE_WAVEFRONT,
                                                       RHOMB_ENGINE_BITPARALLEL, RHOMB_ENGINE_AUTO};

/* The seconds that the plan of an engine expects for a distance; negative on failure. */
static double expected_seconds(bench *b, const bench_pair *pair, rhomb_engine engine,
                               double distance)
{
    rhomb_plan plan;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    options.tuning = &b->tuning;
    if (rhomb_plan_distance(b->ctx, pair->target, pair->target_length, pair->query,
                            pair->query_length, &options, &plan) == RHOMB_OK)
        return rhomb_plan_seconds(&plan, (int64_t)distance);
    bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    return -1;
}

/* Chooses who takes part; false on failure. */
static bool line_up(bench *b, const char *suite, const bench_pair *pair, double distance,
                    bool sweep, bench_contender *all)
{
    bool any = false;
    memset(all, 0, BENCH_CONTENDERS * sizeof *all);
    for (int e = 0; e < BENCH_CONTENDERS; e++) {
        const bool is_auto = e == BENCH_AUTO;
        const bench_case c = {.suite = suite,
                              .pair = pair,
                              .engine = ENGINES[e],
                              .tuning = b->tuning,
                              .max_distance = RHOMB_NO_LIMIT,
                              .distance = BENCH_UNKNOWN,
                              .verified_by = "the run before",
                              .repeat = b->repeat,
                              .verify_first = true,
                              .once_when_long = true};
        all[e].c = c;
        const double seconds = is_auto ? 0 : expected_seconds(b, pair, ENGINES[e], distance);
        if (seconds < 0)
            return false;
        const bool quick = is_auto ? any : seconds <= b->limit_seconds;
        any = any || quick;
        all[e].taken =
            quick && (b->engine_given ? b->engine == ENGINES[e] : e != BENCH_SWEEP || sweep);
    }
    return true;
}

/* Turns until all have their runs; the first distance is the one that all must have. */
static bool take_turns(bench *b, bench_contender *all)
{
    bool more = true;
    while (more) {
        more = false;
        for (int e = 0; e < BENCH_CONTENDERS; e++) {
            if (!all[e].taken || all[e].runs.done)
                continue;
            if (!bench_run_once(b, &all[e].c, &all[e].runs))
                return false;
            if (all[e].runs.calls == 0)
                return bench_fail(b, "%s: the tile is not for all engines", all[e].c.pair->name);
            for (int i = 0; i < BENCH_CONTENDERS; i++)
                all[i].c.distance = all[e].runs.report.distance;
            more = more || !all[e].runs.done;
        }
    }
    return true;
}

/* Whether an engine has come to an end, by its name or as auto's last one. */
static bool has_ended(const bench_contender *all, int engine)
{
    const bench_contender *chosen = &all[BENCH_AUTO];
    return all[engine].taken || (chosen->taken && strcmp(chosen->runs.report.plan.engine,
                                                         bench_engine_name(ENGINES[engine])) == 0);
}

/* Whether the distance is right, by two engines or by two programs of one. */
static bool verify(bench *b, bench_contender *all)
{
    const char *by = "wavefront and sweep agree";
    const bench_case *c = &all[BENCH_AUTO].c;
    int64_t other = c->distance;
    const bool swept = has_ended(all, BENCH_SWEEP);
    const double seconds = swept ? 0 : bench_check_by_sweep_seconds(b, c->pair, c->distance);
    if (seconds < 0)
        return false;
    if (swept && !has_ended(all, BENCH_WAVEFRONT)) {
        by = BENCH_BY_OTHER_SWEEP;
        other = bench_check_by_sweep(b, c->pair, c->distance, true);
    } else if (!swept && seconds <= b->limit_seconds) {
        by = BENCH_BY_SWEEP;
        other = bench_check_by_sweep(b, c->pair, c->distance, false);
    } else if (!swept) {
        by = BENCH_BY_TILES;
        other = bench_check_by_tiles(b, c->pair);
    }
    for (int e = 0; e < BENCH_CONTENDERS; e++)
        all[e].c.verified_by = by;
    return other == c->distance ||
           (other >= 0 && bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " by %s",
                                     c->pair->name, c->distance, other, by));
}

/* What auto takes over the better engine: 0 without auto, or without another one. */
static double ratio_of(const bench_contender *all)
{
    double better = -1;
    for (int e = 0; e < BENCH_AUTO; e++)
        if (all[e].taken && (better < 0 || all[e].measured.work.median < better))
            better = all[e].measured.work.median;
    if (better < 0 || !all[BENCH_AUTO].taken)
        return 0;
    /* Equal pairs need no work. */
    return better > 0 ? all[BENCH_AUTO].measured.work.median / better : 1;
}

bool bench_contest(bench *b, const char *suite, const bench_pair *pair, double distance, bool sweep,
                   bench_contender *all)
{
    if (!line_up(b, suite, pair, distance, sweep, all))
        return false;
    if (!bench_contest_held(all)) {
        printf("%-20s left out: more than %g s expected\n", pair->name, b->limit_seconds);
        return true;
    }
    if (!take_turns(b, all) || !verify(b, all))
        return false;
    for (int e = 0; e < BENCH_CONTENDERS; e++)
        if (all[e].taken)
            all[e].measured = bench_summary(b, &all[e].runs);
    all[BENCH_AUTO].measured.ratio = ratio_of(all);
    return true;
}

bool bench_contest_held(const bench_contender *all)
{
    return all[BENCH_WAVEFRONT].taken || all[BENCH_SWEEP].taken || all[BENCH_AUTO].taken;
}
