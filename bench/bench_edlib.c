/* SPDX-License-Identifier: MIT */
/*
 * The suite `edlib`: the library against edlib (Šošić and Šikić 2017), the quickest exact edit
 * distance on one core that distributions have, from quite unlike to quite similar pairs. Both take
 * turns in one process, so that whatever else the machine does meets both. It is meant for PoCL on
 * one core, see README.md; edlib uses one thread anyway. edlib is the oracle as well.
 *
 * Compared are its whole call, and transfer and solve here: what a second call in a process costs.
 */
#include "bench.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#ifdef RHOMB_BENCH_EDLIB
#    include <edlib.h>
#endif

static const int64_t LENGTHS[] = {100000, 200000, 500000, 1000000};

/*
 * 1 - distance / longer length, and the share of edits that gives it: some cancel out, the more of
 * them there are. Found by trying; the similarity that came out is in the row.
 */
static const struct {
    int similarity_percent;
    double rate;
} RATES[] = {{60, 0.535}, {70, 0.36}, {80, 0.2215}, {90, 0.105}, {95, 0.0505}};

enum {
    LENGTH_COUNT = sizeof LENGTHS / sizeof LENGTHS[0],
    RATE_COUNT = sizeof RATES / sizeof RATES[0]
};

bool bench_has_edlib(void)
{
#ifdef RHOMB_BENCH_EDLIB
    return true;
#else
    return false;
#endif
}

int64_t bench_edlib_distance(const bench_pair *pair, double *seconds)
{
    int64_t distance = -1;
    const double began = bench_now();
#ifdef RHOMB_BENCH_EDLIB
    if (pair->target_length <= INT_MAX && pair->query_length <= INT_MAX) {
        const EdlibAlignConfig config =
            edlibNewAlignConfig(-1, EDLIB_MODE_NW, EDLIB_TASK_DISTANCE, NULL, 0);
        const EdlibAlignResult result = edlibAlign(pair->query, (int)pair->query_length,
                                                   pair->target, (int)pair->target_length, config);
        if (result.status == EDLIB_STATUS_OK)
            distance = result.editDistance;
        edlibFreeAlignResult(result);
    }
#else
    (void)pair;
#endif
    if (seconds != NULL)
        *seconds = bench_now() - began;
    return distance;
}

/* Adds a run of edlib, as if it were the library's and all of it solving. */
static bool run_edlib(bench *b, bench_case *c, bench_runs *runs)
{
    rhomb_report report = {0};
    report.distance = bench_edlib_distance(c->pair, &report.seconds_solve);
    if (report.distance < 0)
        return bench_fail(b, "%s: edlib gives no distance", c->pair->name);
    c->distance = report.distance;
    bench_runs_add(runs, c, &report);
    return true;
}

/* Turns until both have their runs; `ratio` is edlib's time over this library's. */
static bool run_pair(bench *b, const bench_pair *pair, double *ratio)
{
    bench_case c = {.suite = "edlib",
                    .pair = pair,
                    .engine = bench_engine(b, RHOMB_ENGINE_AUTO),
                    .tuning = b->tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = BENCH_UNKNOWN,
                    .verified_by = "edlib",
                    .repeat = b->repeat,
                    .verify_first = true,
                    .once_when_long = true};
    bench_runs ours = {0}, theirs = {0};
    while (!ours.done || !theirs.done) {
        if (!theirs.done && !run_edlib(b, &c, &theirs))
            return false;
        if (!ours.done && !bench_run_once(b, &c, &ours))
            return false;
    }
    if (ours.count == 0)
        return true;
    bench_measured measured = bench_summary(b, &ours);
    const rhomb_report *r = &measured.report;
    measured.peer_seconds = bench_times_of(theirs.solve, theirs.count).median;
    measured.ratio = measured.peer_seconds / measured.work.median;
    *ratio = measured.ratio;
    printf("%-34s %9" PRId64 " %10.4f  %-12s %9.4f %9.4f %9.4f %7.2f\n", pair->name, r->distance,
           r->similarity, r->plan.engine, measured.work.median, measured.solve.median,
           measured.peer_seconds, measured.ratio);
    fflush(stdout);
    bench_csv_row(b, &c, &measured);
    return true;
}

/* The least ratio so far, and where it was. */
typedef struct least_ratio {
    double ratio;
    char name[64];
} least_ratio;

static void measure_pair(bench *b, const bench_pair *pair, least_ratio *least)
{
    double ratio = 0;
    if (!run_pair(b, pair, &ratio) || ratio == 0)
        return;
    if (least->ratio == 0 || ratio < least->ratio) {
        least->ratio = ratio;
        memcpy(least->name, pair->name, sizeof least->name);
    }
}

/* Copies letters in upper case: edlib tells the cases apart. */
static void fold(const char *from, int64_t length, char *to)
{
    for (int64_t i = 0; i < length; i++)
        to[i] = (char)toupper((unsigned char)from[i]);
}

static bool measure_real(bench *b, least_ratio *least)
{
    bench_pair read, pair;
    if (b->data == NULL || !bench_wants(b, "enm002_human"))
        return true;
    if (!bench_pair_read(b, "enm002_human", "enm002_chimp", &read))
        return false;
    const bool good =
        bench_pair_allocate(b, read.name, read.target_length, read.query_length, &pair);
    if (good) {
        fold(read.target, read.target_length, pair.memory[0] + 1);
        fold(read.query, read.query_length, pair.memory[1] + 1);
        pair.query_length = read.query_length;
        pair.read_seconds = read.read_seconds;
        measure_pair(b, &pair, least);
        bench_pair_release(&pair);
    }
    bench_pair_release(&read);
    return good;
}

static bool measure_generated(bench *b, int64_t length, int similarity_percent, double rate,
                              least_ratio *least)
{
    bench_pair pair;
    char name[64];
    snprintf(name, sizeof name, "%" PRId64 " k %d %%", length / 1000, similarity_percent);
    if (!bench_wants(b, name) || bench_scaled(b, length) > b->max_length)
        return true;
    if (!bench_pair_generate(b, name, length, rate, &pair))
        return false;
    measure_pair(b, &pair, least);
    bench_pair_release(&pair);
    return true;
}

bool bench_suite_edlib(bench *b)
{
    least_ratio least = {0, ""};
    if (!bench_has_edlib())
        return bench_fail(b, "built without edlib, which the suite 'edlib' compares with");
    if (!bench_open(b))
        return false;
    bench_title(b, "edlib");
    printf("%-34s %9s %10s  %-12s %9s %9s %9s %7s\n", "case", "distance", "similarity", "engine",
           "rhomb s", "solve s", "edlib s", "ratio");
    for (int l = 0; l < LENGTH_COUNT; l++)
        for (int r = 0; r < RATE_COUNT; r++)
            if (!measure_generated(b, LENGTHS[l], RATES[r].similarity_percent, RATES[r].rate,
                                   &least))
                return false;
    if (!measure_real(b, &least))
        return false;
    if (least.ratio > 0)
        printf("\nedlib's time is at least %.2f times this library's (%s)\n", least.ratio,
               least.name);
    return true;
}
