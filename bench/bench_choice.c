/* SPDX-License-Identifier: MIT */
/*
 * The suite `choice`: whether `auto` is as quick as the better engine. Pairs over lengths and
 * divergences on either side of where the engines cross, each solved by the wavefront, by the sweep
 * and by auto, which take turns. Compared is transfer and solve, because auto may pack twice.
 *
 * An engine of which the plan's model expects more than --limit-seconds is left out, and the other
 * one is then the better. The engines are independent programs: where both ran, they verify each
 * other; where one did, another program of its kind does.
 */
#include "bench.h"

#include <inttypes.h>
#include <string.h>

/* What auto may take over the better engine. */
#define PROMISED_RATIO   1.15
#define PROMISED_SECONDS 0.02

static const struct {
    const char *name;
    int64_t length;
} LENGTHS[] = {
    {"100 k", 100000}, {"300 k", 300000},  {"1 M", 1000000},
    {"3 M", 3000000},  {"10 M", 10000000}, {"20 M", 20000000},
};

/*
 * Shares of edits; the last one stands for unrelated letters, of which three in four differ in the
 * same place, and which have UNRELATED_DISTANCE of their length.
 */
static const struct {
    const char *name;
    double rate;
} DIVERGENCES[] = {
    {"0.01 %", 0.0001}, {"0.1 %", 0.001}, {"0.3 %", 0.003}, {"1 %", 0.01},
    {"3 %", 0.03},      {"10 %", 0.1},    {"20 %", 0.2},    {"75 %", 0.75},
};

#define UNRELATED_RATE     0.75
#define UNRELATED_DISTANCE 0.52

enum {
    LENGTH_COUNT = sizeof LENGTHS / sizeof LENGTHS[0],
    DIVERGENCE_COUNT = sizeof DIVERGENCES / sizeof DIVERGENCES[0]
};

enum { WAVEFRONT, SWEEP, AUTO, CONTENDERS };

static const rhomb_engine ENGINES[CONTENDERS] = {RHOMB_ENGINE_WAVEFRONT, RHOMB_ENGINE_BITPARALLEL,
                                                 RHOMB_ENGINE_AUTO};

/* One way to solve a pair. */
typedef struct contender {
    bool taken; /* it takes part */
    bench_case c;
    bench_runs runs;
    bench_measured measured;
} contender;

/* What the suite says in the end. */
typedef struct tally {
    int pairs;
    int missed;
    double worst_ratio;
    char worst_pair[64];
    double worst_promise; /* auto's time over what it may take */
    char worst_promised[64];
} tally;

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
static bool line_up(bench *b, const bench_pair *pair, double distance, contender *all)
{
    memset(all, 0, CONTENDERS * sizeof *all);
    for (int e = 0; e < CONTENDERS; e++) {
        const bench_case c = {.suite = "choice",
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
        if (e == AUTO)
            continue;
        const double seconds = expected_seconds(b, pair, ENGINES[e], distance);
        if (seconds < 0)
            return false;
        all[e].taken = seconds <= b->limit_seconds;
    }
    all[AUTO].taken = all[WAVEFRONT].taken || all[SWEEP].taken;
    return true;
}

/* Turns until all have their runs; the first distance is the one that all must have. */
static bool take_turns(bench *b, contender *all)
{
    bool more = true;
    while (more) {
        more = false;
        for (int e = 0; e < CONTENDERS; e++) {
            if (!all[e].taken || all[e].runs.done)
                continue;
            if (!bench_run_once(b, &all[e].c, &all[e].runs))
                return false;
            if (all[e].runs.calls == 0)
                return bench_fail(b, "%s: the tile is not for all engines", all[e].c.pair->name);
            for (int i = 0; i < CONTENDERS; i++)
                all[i].c.distance = all[e].runs.report.distance;
            more = more || !all[e].runs.done;
        }
    }
    return true;
}

/* Whether the distance is right, by two engines or by two programs of one. */
static bool verify(bench *b, contender *all)
{
    const char *by = "wavefront and sweep agree";
    const bench_case *c = &all[AUTO].c;
    int64_t other = c->distance;
    if (!all[WAVEFRONT].taken) {
        by = BENCH_BY_OTHER_SWEEP;
        other = bench_check_by_sweep(b, c->pair, c->distance, true);
    } else if (!all[SWEEP].taken) {
        by = BENCH_BY_TILES;
        other = bench_check_by_tiles(b, c->pair);
    }
    for (int e = 0; e < CONTENDERS; e++)
        all[e].c.verified_by = by;
    return other == c->distance ||
           (other >= 0 && bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " by %s",
                                     c->pair->name, c->distance, other, by));
}

static void judge(contender *all, tally *sum)
{
    const char *name = all[AUTO].c.pair->name;
    double better = 0;
    for (int e = 0; e < CONTENDERS; e++) {
        const double seconds = all[e].measured.work.median;
        if (e != AUTO && all[e].taken && (better == 0 || seconds < better))
            better = seconds;
    }
    bench_measured *chosen = &all[AUTO].measured;
    const double promise = chosen->work.median / (PROMISED_RATIO * better + PROMISED_SECONDS);
    /* Equal pairs need no work. */
    chosen->ratio = better > 0 ? chosen->work.median / better : 1;
    chosen->within = promise <= 1 ? "yes" : "no";
    sum->pairs++;
    sum->missed += promise > 1;
    if (chosen->ratio > sum->worst_ratio) {
        sum->worst_ratio = chosen->ratio;
        snprintf(sum->worst_pair, sizeof sum->worst_pair, "%s", name);
    }
    if (promise > sum->worst_promise) {
        sum->worst_promise = promise;
        snprintf(sum->worst_promised, sizeof sum->worst_promised, "%s", name);
    }
}

static void print_pair(const contender *all)
{
    const bench_measured *chosen = &all[AUTO].measured;
    printf("%-20s %10" PRId64, all[AUTO].c.pair->name, all[AUTO].c.distance);
    for (int e = 0; e < CONTENDERS; e++) {
        if (all[e].taken)
            printf(" %11.4f", all[e].measured.work.median);
        else
            printf(" %11s", "");
    }
    printf("  %-12s %7.3f  %s\n", chosen->report.plan.engine, chosen->ratio,
           strcmp(chosen->within, "no") == 0 ? "MISSED" : "");
    fflush(stdout);
}

static bool run_pair(bench *b, const bench_pair *pair, double distance, tally *sum)
{
    contender all[CONTENDERS];
    if (!line_up(b, pair, distance, all))
        return false;
    if (!all[AUTO].taken) {
        printf("%-20s left out: more than %g s by either engine\n", pair->name, b->limit_seconds);
        return true;
    }
    if (!take_turns(b, all) || !verify(b, all))
        return false;
    for (int e = 0; e < CONTENDERS; e++)
        if (all[e].taken)
            all[e].measured = bench_summary(b, &all[e].runs);
    judge(all, sum);
    for (int e = 0; e < CONTENDERS; e++)
        if (all[e].taken)
            bench_csv_row(b, &all[e].c, &all[e].measured);
    print_pair(all);
    return true;
}

static bool measure(bench *b, int l, int d, tally *sum)
{
    bench_pair pair;
    char name[64];
    const int64_t length = LENGTHS[l].length;
    const double rate = DIVERGENCES[d].rate;
    const bool related = rate < UNRELATED_RATE;
    snprintf(name, sizeof name, "%s %s", LENGTHS[l].name, DIVERGENCES[d].name);
    if (!bench_wants(b, name) || bench_scaled(b, length) > b->max_length)
        return true;
    if (related ? !bench_pair_generate(b, name, length, rate, &pair)
                : !bench_pair_unrelated(b, name, length, length + length / 25, &pair))
        return false;
    const double distance = (double)pair.target_length * (related ? rate : UNRELATED_DISTANCE);
    if (!run_pair(b, &pair, distance, sum))
        b->failed = true;
    bench_pair_release(&pair);
    return true;
}

bool bench_suite_choice(bench *b)
{
    tally sum = {0};
    if (!bench_open(b))
        return false;
    bench_title(b, "choice");
    printf("%-20s %10s %11s %11s %11s  %-12s %7s\n", "case", "distance", "wavefront s", "sweep s",
           "auto s", "ended with", "ratio");
    for (int l = 0; l < LENGTH_COUNT; l++)
        for (int d = 0; d < DIVERGENCE_COUNT; d++)
            if (!measure(b, l, d, &sum))
                return false;
    if (sum.pairs > 0)
        printf("\n%d pairs: auto is at most %.3f times the better engine (%s), and takes at most "
               "%.2f of %.2f times the better and %.0f ms (%s); missed by %d\n",
               sum.pairs, sum.worst_ratio, sum.worst_pair, sum.worst_promise, PROMISED_RATIO,
               PROMISED_SECONDS * 1e3, sum.worst_promised, sum.missed);
    return true;
}
