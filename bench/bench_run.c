/* SPDX-License-Identifier: MIT */
/*
 * Running a case: a distance must be right before its time counts, and in every timed run as well.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * The rate in the second half of the columns, where the pyramid is widest. Without pruning, columns
 * 0 to r have (r + 1)^2 cells, and two directions that have come to r / 2 have half as many, so
 * what is ruled out and when is all that is needed.
 */
typedef struct late_rate {
    int64_t directions;
    int64_t from_column;
    int64_t first_column; /* the first one seen at or after from_column; 0: none yet */
    double first_seconds;
    double cells_per_second;
} late_rate;

static int watch_late_rate(const rhomb_progress *progress, void *user)
{
    late_rate *late = user;
    const int64_t column = (progress->lower_bound - 1) / late->directions;
    if (column < late->from_column)
        return 0;
    if (late->first_column == 0) {
        late->first_column = column;
        late->first_seconds = progress->seconds;
    } else if (progress->seconds > late->first_seconds) {
        const double cells = (double)late->directions *
                             ((double)column + (double)late->first_column + 2) *
                             (double)(column - late->first_column);
        late->cells_per_second = cells / (progress->seconds - late->first_seconds);
    }
    return 0;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_times bench_times_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    const int middle = count / 2;
    const bench_times times = {count % 2 != 0 ? values[middle]
                                              : (values[middle - 1] + values[middle]) / 2,
                               values[0], values[count - 1]};
    return times;
}

/* Calls the library once; the report of a run that succeeded. */
static rhomb_status call(bench *b, const bench_pair *pair, const rhomb_options *options,
                         rhomb_report *report)
{
    rhomb_result *result = NULL;
    const rhomb_status status = rhomb_distance(b->ctx, pair->target, pair->target_length,
                                               pair->query, pair->query_length, options, &result);
    if (status == RHOMB_OK)
        *report = *rhomb_result_report(result);
    rhomb_result_destroy(result);
    return status;
}

int64_t bench_distance(bench *b, const bench_pair *pair, rhomb_engine engine,
                       const rhomb_tuning *tuning)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_report report = {0};
    options.engine = engine;
    options.tuning = tuning;
    if (call(b, pair, &options, &report) == RHOMB_OK)
        return report.distance;
    bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    return -1;
}

/* Whether a run gave what is known; the cells of a run without pruning are known as well. */
static bool check(bench *b, const bench_case *c, const rhomb_report *report)
{
    const char *name = c->name != NULL ? c->name : c->pair->name;
    const int64_t limit = c->max_distance;
    if (limit == RHOMB_NO_LIMIT && c->distance != BENCH_UNKNOWN && report->distance != c->distance)
        return bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " is right (%s)", name,
                          report->distance, c->distance, c->verified_by);
    if (limit != RHOMB_NO_LIMIT && !report->exceeds_max_distance)
        return bench_fail(b, "%s: distance %" PRId64 ", but it exceeds %" PRId64, name,
                          report->distance, limit);
    if (limit != RHOMB_NO_LIMIT && !report->plan.pruning && report->cells < limit / 2 * limit)
        return bench_fail(b, "%s: %" PRId64 " cells do not make %" PRId64 " columns", name,
                          report->cells, limit);
    return true;
}

void bench_runs_add(bench_runs *runs, const bench_case *c, const rhomb_report *report)
{
    const double work = report->seconds_transfer + report->seconds_solve;
    const bool first = runs->calls == 0;
    const bool only = first && c->once_when_long && work >= BENCH_LONG_SECONDS;
    runs->report = *report;
    runs->calls++;
    if (first)
        runs->build_seconds = report->seconds_build;
    if (first && c->verify_first && !only)
        return;
    runs->solve[runs->count] = report->seconds_solve;
    runs->transfer[runs->count] = report->seconds_transfer;
    runs->work[runs->count] = work;
    runs->inspect[runs->count] = report->seconds_inspect;
    runs->total[runs->count] = report->seconds_total;
    runs->count++;
    runs->done = only || runs->count >= c->repeat;
}

bool bench_run_once(bench *b, const bench_case *c, bench_runs *runs)
{
    const int64_t half = c->max_distance / 2;
    const int64_t ends = llabs(c->pair->target_length - c->pair->query_length);
    /* Columns below what the ends tell of the distance are proved before they are computed. */
    const bool one = c->tuning.directions == 1 || c->tuning.tile_shape == RHOMB_TILE_DIAMOND;
    late_rate late = {.directions = one ? 1 : 2,
                      .from_column = (half > ends ? half : ends) / (one ? 1 : 2)};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_report report = {0};
    options.engine = c->engine;
    options.max_distance = c->max_distance;
    options.tuning = &c->tuning;
    if (c->max_distance != RHOMB_NO_LIMIT && c->tuning.no_pruning) {
        options.progress = watch_late_rate;
        options.progress_user = &late;
    }
    const rhomb_status status = call(b, c->pair, &options, &report);
    if (status == RHOMB_ERR_ARGUMENT && runs->calls == 0) {
        printf("%-34s not on this device: %s\n", c->name != NULL ? c->name : c->pair->name,
               rhomb_context_error(b->ctx));
        runs->done = true;
        return true;
    }
    if (status != RHOMB_OK)
        return bench_fail(b, "%s: %s", c->pair->name, rhomb_context_error(b->ctx));
    if (!check(b, c, &report))
        return false;
    bench_runs_add(runs, c, &report);
    runs->late_cells_per_second = late.cells_per_second;
    return true;
}

bench_measured bench_summary(const bench *b, bench_runs *runs)
{
    const bench_measured measured = {
        .report = runs->report,
        .runs = runs->count,
        .solve = bench_times_of(runs->solve, runs->count),
        .work = bench_times_of(runs->work, runs->count),
        .open_seconds = b->open_seconds,
        .build_seconds = runs->build_seconds,
        .transfer_seconds = bench_times_of(runs->transfer, runs->count).median,
        .inspect_seconds = bench_times_of(runs->inspect, runs->count).median,
        .total_seconds = bench_times_of(runs->total, runs->count).median,
        .late_cells_per_second = runs->late_cells_per_second,
    };
    return measured;
}

bool bench_run(bench *b, const bench_case *c)
{
    bench_runs runs = {0};
    while (!runs.done)
        if (!bench_run_once(b, c, &runs))
            return false;
    if (runs.count == 0)
        return true;
    const bench_measured measured = bench_summary(b, &runs);
    bench_row(b, c, &measured);
    return true;
}
