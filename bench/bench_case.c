/* SPDX-License-Identifier: MIT */
/*
 * Running cases: a distance must be right before its time counts, and in every timed run as well.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "bench.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/keep_plan.h"

const char *bench_case_name(const bench_case *c)
{
    return c->name != NULL ? c->name : c->pair->name;
}

void bench_set_tile(rhomb_tuning *tuning, int32_t group_size, int32_t diagonals_per_item,
                    int32_t tile_scores)
{
    tuning->group_size = group_size;
    tuning->diagonals_per_item = diagonals_per_item;
    tuning->tile_scores = tile_scores;
    tuning->wide_group_size = tuning->wide_diagonals_per_item = tuning->wide_tile_scores = 0;
    tuning->wide_diagonals = 0;
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

void bench_case_summarise(bench_case *c)
{
    for (int clock = 0; clock < BENCH_CLOCKS; clock++)
        c->times[clock] = bench_times_of(c->seconds[clock], c->runs);
}

void bench_case_once(bench_case *c)
{
    c->runs = 1;
    c->done = true;
}

/*
 * The rate in the second half of the columns, where the pyramid is widest. Without pruning, columns
 * 0 to r have (r + 1)^2 cells, and two directions that have come to r / 2 have half as many, so
 * what is ruled out and when is all that is needed.
 */
typedef struct late_rate {
    int64_t directions;
    int64_t from_column;
    int64_t
        bounds[2]; /* lower bounds, the first one in the second half and the last; 0: none yet */
    double seconds[2]; /* at these */
} late_rate;

/* Columns below what the ends tell of the distance are proved before they are computed. */
static late_rate late_rate_of(const bench_case *c)
{
    const int64_t half = c->max_distance / 2;
    const int64_t ends = llabs(c->pair->target_length - c->pair->query_length);
    const bool one = c->tuning.directions == 1 || c->tuning.tile_shape == RHOMB_TILE_DIAMOND;
    const late_rate late = {.directions = one ? 1 : 2,
                            .from_column = (half > ends ? half : ends) / (one ? 1 : 2)};
    return late;
}

static int watch_late_rate(const rhomb_progress *progress, void *user)
{
    late_rate *late = user;
    const int64_t column = (progress->lower_bound - 1) / late->directions;
    if (column < late->from_column)
        return 0;
    const int last = late->bounds[0] != 0;
    late->bounds[last] = progress->lower_bound;
    late->seconds[last] = progress->seconds;
    return 0;
}

/* The cells of all columns that a lower bound rules out, without pruning. */
static double cells_below(const bench_case *c, const late_rate *late, int64_t lower_bound)
{
    if (c->scoring != NULL)
        return bench_affine_cells(c, lower_bound);
    const double columns = (double)((lower_bound - 1) / late->directions) + 1;
    return (double)late->directions * columns * columns;
}

static double late_cells_per_second(const bench_case *c, const late_rate *late)
{
    const double seconds = late->seconds[1] - late->seconds[0];
    return seconds > 0
               ? (cells_below(c, late, late->bounds[1]) - cells_below(c, late, late->bounds[0])) /
                     seconds
               : 0;
}

rhomb_status bench_call(bench *b, const bench_pair *pair, const rhomb_options *options,
                        rhomb_report *report)
{
    rhomb_result *result = NULL;
    const rhomb_status status = rhomb_distance(b->ctx, pair->target, pair->target_length,
                                               pair->query, pair->query_length, options, &result);
    if (status == RHOMB_OK) {
        *report = *rhomb_result_report(result);
        report->plan = keep_plan(report->plan);
    }
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
    if (bench_call(b, pair, &options, &report) == RHOMB_OK)
        return report.distance;
    bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    return -1;
}

/* Whether a run gave what is known; the cells of a run without pruning are known as well. */
static bool check(bench *b, const bench_case *c, const rhomb_report *report)
{
    const char *name = bench_case_name(c);
    const int64_t limit = c->max_distance;
    if (limit == RHOMB_NO_LIMIT && c->distance != BENCH_UNKNOWN && report->distance != c->distance)
        return bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " is right (%s)", name,
                          report->distance, c->distance, c->verified_by);
    if (limit != RHOMB_NO_LIMIT && !report->exceeds_max_distance)
        return bench_fail(b, "%s: distance %" PRId64 ", but it exceeds %" PRId64, name,
                          report->distance, limit);
    if (limit != RHOMB_NO_LIMIT && !report->plan->pruning && report->cells < limit / 2 * limit)
        return bench_fail(b, "%s: %" PRId64 " cells do not make %" PRId64 " columns", name,
                          report->cells, limit);
    return true;
}

static int stop_late(const rhomb_progress *progress, void *user)
{
    const bench_case *c = user;
    (void)progress;
    return bench_now() > c->until;
}

rhomb_options bench_case_options(bench_case *c)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = c->engine;
    options.max_distance = c->max_distance;
    options.tuning = &c->tuning;
    options.scoring = c->scoring;
    options.guide = c->guide;
    if (c->limit_seconds > 0 && c->calls == 0) {
        c->until = bench_now() + c->limit_seconds;
        options.progress = stop_late;
        options.progress_user = c;
    }
    return options;
}

bool bench_case_succeeded(bench *b, bench_case *c, rhomb_status status)
{
    if (status == RHOMB_OK)
        return true;
    if (status != RHOMB_ERR_CANCELLED)
        return bench_fail(b, "%s: %s", c->pair->name, rhomb_context_error(b->ctx));
    c->left_out = true;
    printf("%-18s %s left out: it takes more than %g s\n", c->pair->name,
           bench_engine_name(c->engine), c->limit_seconds);
    return false;
}

bool bench_run_edlib(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    const double began = bench_now();
    c->report.distance =
        oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length);
    seconds[BENCH_SOLVE] = seconds[BENCH_WORK] = bench_now() - began;
    return c->report.distance >= 0 ? check(b, c, &c->report)
                                   : bench_fail(b, "%s: edlib gives no distance", pair->name);
}

static bool run_distance(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    late_rate late = late_rate_of(c);
    rhomb_options options = bench_case_options(c);
    rhomb_report *r = &c->report;
    if (c->max_distance != RHOMB_NO_LIMIT && (c->tuning.no_pruning || c->scoring != NULL)) {
        options.progress = watch_late_rate;
        options.progress_user = &late;
    }
    const double began = bench_now(), cpu_began = bench_cpu_now();
    const rhomb_status status = bench_call(b, c->pair, &options, r);
    if (status == RHOMB_ERR_ARGUMENT && c->calls == 0) {
        printf("%-34s not on this device: %s\n", bench_case_name(c), rhomb_context_error(b->ctx));
        c->done = true;
        return true;
    }
    if (!bench_case_succeeded(b, c, status) || !check(b, c, r))
        return false;
    seconds[BENCH_SOLVE] = r->seconds_solve;
    seconds[BENCH_WORK] = r->seconds_guide + r->seconds_transfer + r->seconds_solve;
    seconds[BENCH_OPEN] = b->open_seconds;
    seconds[BENCH_INSPECT] = r->seconds_inspect;
    seconds[BENCH_BUILD] = c->calls == 0 ? r->seconds_build : c->seconds[BENCH_BUILD][0];
    seconds[BENCH_TRANSFER] = r->seconds_transfer;
    seconds[BENCH_TOTAL] = r->seconds_total;
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu_began;
    c->late_cells_per_second = late_cells_per_second(c, &late);
    return true;
}

bench_case bench_case_of(const bench *b, const bench_suite *suite, const bench_pair *pair)
{
    const bench_case c = {.suite = suite->name,
                          .pair = pair,
                          .run = run_distance,
                          .engine = b->engine_given ? b->engine : suite->engine,
                          .tuning = b->tuning,
                          .max_distance = RHOMB_NO_LIMIT,
                          .distance = BENCH_UNKNOWN,
                          .verified_by = "the run before",
                          .repeat = (int)b->repeat,
                          .verify_first = true};
    return c;
}

/*
 * Sequences are sent while programs are built, which counts as sending as well: where that took
 * more than this share of the work, a long run is not the only one.
 */
#define BUILT_SHARE 0.01

bool bench_run_once(bench *b, bench_case *c)
{
    double seconds[BENCH_CLOCKS] = {0};
    if (!c->run(b, c, seconds))
        return false;
    if (c->done) /* it is not for this device */
        return true;
    for (int clock = 0; clock < BENCH_CLOCKS; clock++)
        c->seconds[clock][c->runs] = seconds[clock];
    const bool is_first = c->calls++ == 0;
    if (is_first)
        c->first_seconds = seconds[BENCH_WALL];
    const bool built = is_first && c->report.seconds_build > BUILT_SHARE * seconds[BENCH_WORK];
    if (c->runs == 0 && c->once_when_long && seconds[BENCH_WORK] >= BENCH_LONG_SECONDS) {
        if (!built)
            bench_case_once(c);
        return true; /* else the next run takes its place */
    }
    if (is_first && c->verify_first)
        return true; /* the same */
    c->runs++;
    c->done = c->runs >= c->repeat;
    return true;
}

bool bench_take_turns(bench *b, bench_case *cases, int count)
{
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < count; i++) {
            if (cases[i].done)
                continue;
            if (!bench_run_once(b, &cases[i]))
                return false;
            for (int j = 0; j < count && cases[i].calls > 0; j++)
                if (cases[j].max_distance == RHOMB_NO_LIMIT)
                    cases[j].distance = cases[i].report.distance;
            more = more || !cases[i].done;
        }
    }
    for (int i = 0; i < count; i++)
        if (cases[i].runs > 0)
            bench_case_summarise(&cases[i]);
    return true;
}

bool bench_run(bench *b, bench_case *c)
{
    if (!bench_take_turns(b, c, 1))
        return false;
    if (c->runs > 0)
        bench_row(b, c);
    return true;
}
