/* SPDX-License-Identifier: MIT */
/*
 * Suites in which programs take turns on a pair. In `similar` and `choice` these are the engines:
 * the wavefront, in `choice` the sweep, and auto. Compared is transfer and solve, because auto may
 * pack twice. An engine of which the plan's model expects more than --limit-seconds is left out,
 * and auto where both are; --engine leaves one alone. The engines are independent programs:
 * where both came to an end, they verify each other; where one did, another program does. The sweep
 * is no part of `similar`: it would begin with a share of the length as its band, far more than
 * such pairs need.
 *
 * In `edlib` it is the library and edlib (Šošić and Šikić 2017), the quickest exact edit distance
 * on one core that distributions have, which is the oracle as well. It is meant for PoCL on one
 * core, see README.md; edlib uses one thread anyway. Compared are its whole call, and transfer and
 * solve here: what a second call in a process costs.
 */
#include <string.h>

#include "bench.h"

/* What auto may take over the better engine. */
#define PROMISED_RATIO   1.15
#define PROMISED_SECONDS 0.02

enum { WAVEFRONT, SWEEP, AUTO, CONTENDERS };

static const rhomb_engine ENGINES[CONTENDERS] = {RHOMB_ENGINE_WAVEFRONT, RHOMB_ENGINE_BITPARALLEL,
                                                 RHOMB_ENGINE_AUTO};

/* Chooses who takes part: the others are done. False on failure. */
static bool line_up(bench *b, const bench_suite *suite, const bench_source *source,
                    const bench_pair *pair, bool sweep, bench_case *all)
{
    const double distance = (double)pair->target_length * source->rate;
    bool any = false;
    for (int e = 0; e < CONTENDERS; e++) {
        all[e] = bench_case_of(b, suite, pair);
        all[e].engine = ENGINES[e];
        all[e].once_when_long = true;
        rhomb_plan *plan = e != AUTO ? bench_plan(b, pair, ENGINES[e], &b->tuning) : NULL;
        if (e != AUTO && plan == NULL)
            return false;
        const bool quick =
            e == AUTO ? any : rhomb_plan_seconds(plan, (int64_t)distance) <= b->limit_seconds;
        rhomb_plan_destroy(plan);
        any = any || quick;
        all[e].done = !quick || (b->engine_given ? b->engine != ENGINES[e] : e == SWEEP && !sweep);
    }
    return true;
}

/* Whether an engine has come to an end, by its name or as auto's last one. */
static bool has_ended(const bench_case *all, int engine)
{
    return all[engine].runs > 0 ||
           (all[AUTO].runs > 0 &&
            strcmp(all[AUTO].report.plan->engine, bench_engine_name(ENGINES[engine])) == 0);
}

/* Whether the distance is right, by two engines or by two programs of one. */
static bool verify(bench *b, bench_case *all)
{
    const char *by = BENCH_BY_ENGINES;
    const bench_case *c = &all[AUTO];
    int64_t other = c->distance;
    const bool swept = has_ended(all, SWEEP);
    const double seconds = swept ? 0 : bench_check_by_sweep_seconds(b, c->pair, c->distance);
    if (seconds < 0)
        return false;
    if (swept && !has_ended(all, WAVEFRONT)) {
        by = BENCH_BY_OTHER_SWEEP;
        other = bench_check_by_sweep(b, c->pair, c->distance, true);
    } else if (!swept && seconds <= b->limit_seconds) {
        by = BENCH_BY_SWEEP;
        other = bench_check_by_sweep(b, c->pair, c->distance, false);
    } else if (!swept) {
        by = BENCH_BY_TILES;
        other = bench_check_by_tiles(b, c->pair);
    }
    for (int e = 0; e < CONTENDERS; e++)
        all[e].verified_by = by;
    return bench_same_distance(b, c, other, by);
}

/* What auto takes over the better engine: 0 without auto, or without another one. */
static double ratio_of(const bench_case *all)
{
    const double chosen = all[AUTO].times[BENCH_WORK].median;
    double better = -1;
    for (int e = 0; e < AUTO; e++)
        if (all[e].runs > 0 && (better < 0 || all[e].times[BENCH_WORK].median < better))
            better = all[e].times[BENCH_WORK].median;
    if (better < 0 || all[AUTO].runs == 0)
        return 0;
    return better > 0 ? chosen / better : 1; /* equal pairs need no work */
}

/* Turns and verification; where the limit leaves none, that is said and is no failure. */
static bool hold(bench *b, bench_case *all)
{
    bool wanted[CONTENDERS], any = false;
    for (int e = 0; e < CONTENDERS; e++)
        any = (wanted[e] = !all[e].done) || any;
    if (!any) {
        printf("%-20s left out: more than %g s expected\n", all->pair->name, b->limit_seconds);
        return false;
    }
    if (!bench_take_turns(b, all, CONTENDERS))
        return false;
    for (int e = 0; e < CONTENDERS; e++)
        if (wanted[e] && all[e].runs == 0)
            return bench_fail(b, "%s: the tile is not for all engines", all->pair->name);
    if (!verify(b, all))
        return false;
    all[AUTO].ratio = ratio_of(all);
    return true;
}

/* Adds a pair to what the suite says in the end. */
static void note_worst(double value, const char *pair, double *worst, char *worst_pair)
{
    if (value > *worst) {
        *worst = value;
        memcpy(worst_pair, pair, 64);
    }
}

static bool measure_engines(bench *b, bench_case *all)
{
    bench_case *chosen = &all[AUTO];
    const double seconds = chosen->times[BENCH_WORK].median;
    if (chosen->within != NULL) {
        const double better = seconds / chosen->ratio;
        const double promise = seconds / (PROMISED_RATIO * better + PROMISED_SECONDS);
        chosen->within = promise <= 1 ? "yes" : "no";
        b->tally.pairs++;
        b->tally.missed += promise > 1;
        note_worst(chosen->ratio, chosen->pair->name, &b->tally.worst, b->tally.worst_pair);
        note_worst(promise, chosen->pair->name, &b->tally.promise, b->tally.promise_pair);
    }
    for (int e = 0; e < CONTENDERS; e++)
        if (all[e].runs > 0)
            bench_row(b, &all[e]);
    return true;
}

static bool measure_similar(bench *b, const bench_suite *suite, const bench_source *source,
                            const bench_pair *pair)
{
    bench_case all[CONTENDERS];
    return line_up(b, suite, source, pair, false, all) && hold(b, all) && measure_engines(b, all);
}

/* Compares auto with the better engine as well, where both took part. */
static bool measure_choice(bench *b, const bench_suite *suite, const bench_source *source,
                           const bench_pair *pair)
{
    bench_case all[CONTENDERS];
    if (!line_up(b, suite, source, pair, true, all) || !hold(b, all))
        return false;
    all[AUTO].within = all[AUTO].ratio > 0 ? "yes" : NULL;
    return measure_engines(b, all);
}

static void end_choice(const bench *b)
{
    printf("\n%d pairs: auto is at most %.3f times the better engine (%s), and takes at most "
           "%.2f of %.2f times the better and %.0f ms (%s); missed by %d\n",
           b->tally.pairs, b->tally.worst, b->tally.worst_pair, b->tally.promise, PROMISED_RATIO,
           PROMISED_SECONDS * 1e3, b->tally.promise_pair, b->tally.missed);
}

static bool measure_edlib(bench *b, const bench_suite *suite, const bench_source *source,
                          const bench_pair *pair)
{
    bench_case both[2] = {bench_case_of(b, suite, pair), bench_case_of(b, suite, pair)};
    bench_case *ours = &both[1];
    (void)source;
    both[0].run = bench_run_edlib;
    for (int i = 0; i < 2; i++) {
        both[i].verified_by = "edlib";
        both[i].once_when_long = true;
    }
    if (!bench_take_turns(b, both, 2) || ours->runs == 0)
        return false;
    ours->peer_seconds = both[0].times[BENCH_SOLVE].median;
    ours->ratio = ours->peer_seconds / ours->times[BENCH_WORK].median;
    b->tally.pairs++;
    note_worst(1 / ours->ratio, pair->name, &b->tally.worst, b->tally.worst_pair);
    bench_row(b, ours);
    return true;
}

static void end_edlib(const bench *b)
{
    printf("\nedlib's time is at least %.2f times this library's (%s)\n", 1 / b->tally.worst,
           b->tally.worst_pair);
}

const bench_method bench_similar = {.measure = measure_similar, .heading = bench_heading};
const bench_method bench_choice = {
    .measure = measure_choice, .heading = bench_heading, .end = end_choice};
const bench_method bench_edlib = {
    .measure = measure_edlib, .heading = bench_heading, .end = end_edlib, .needs_edlib = true};
