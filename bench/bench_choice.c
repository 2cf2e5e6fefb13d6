/* SPDX-License-Identifier: MIT */
/*
 * The suite `choice`: whether `auto` is as quick as the better engine. Pairs over lengths and
 * divergences on either side of where the engines cross, each solved by the wavefront, by the sweep
 * and by auto, which take turns. Where one engine is left out, the other one is the better.
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

/* What the suite says in the end. */
typedef struct tally {
    int pairs;
    int missed;
    double worst_ratio;
    char worst_pair[64];
    double worst_promise; /* auto's time over what it may take */
    char worst_promised[64];
} tally;

/* Compares auto with the better engine, where both took part. */
static void judge(bench_contender *all, tally *sum)
{
    bench_measured *chosen = &all[BENCH_AUTO].measured;
    const char *name = all[BENCH_AUTO].c.pair->name;
    if (chosen->ratio <= 0)
        return;
    const double better = chosen->work.median / chosen->ratio;
    const double promise = chosen->work.median / (PROMISED_RATIO * better + PROMISED_SECONDS);
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

static void print_pair(const bench_contender *all)
{
    const bench_measured *chosen = &all[BENCH_AUTO].measured;
    printf("%-20s %10" PRId64, all[BENCH_AUTO].c.pair->name, all[BENCH_AUTO].c.distance);
    for (int e = 0; e < BENCH_CONTENDERS; e++) {
        if (all[e].taken)
            printf(" %11.4f", all[e].measured.work.median);
        else
            printf(" %11s", "");
    }
    if (chosen->within != NULL)
        printf("  %-12s %7.3f  %s", chosen->report.plan.engine, chosen->ratio,
               strcmp(chosen->within, "no") == 0 ? "MISSED" : "");
    putchar('\n');
    fflush(stdout);
}

static bool run_pair(bench *b, const bench_pair *pair, double distance, tally *sum)
{
    bench_contender all[BENCH_CONTENDERS];
    if (!bench_contest(b, "choice", pair, distance, true, all))
        return false;
    if (!bench_contest_held(all))
        return true;
    judge(all, sum);
    for (int e = 0; e < BENCH_CONTENDERS; e++)
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
    bool good = true;
    if (b->instead != NULL)
        good = b->instead(b, &pair);
    else if (!run_pair(b, &pair, distance, sum))
        b->failed = true;
    bench_pair_release(&pair);
    return good;
}

bool bench_suite_choice(bench *b)
{
    tally sum = {0};
    if (b->instead == NULL) {
        if (!bench_open(b))
            return false;
        bench_title(b, "choice");
        printf("%-20s %10s %11s %11s %11s  %-12s %7s\n", "case", "distance", "wavefront s",
               "sweep s", "auto s", "ended with", "ratio");
    }
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
