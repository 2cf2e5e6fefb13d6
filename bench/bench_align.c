/* SPDX-License-Identifier: MIT */
/*
 * The suites of alignments: what a path costs besides the distance. The same pair is solved by
 * rhomb_distance() and by rhomb_align() in turns, so that whatever else the machine does meets
 * both; compared is the work on the device, without counting symbols and building programs. In
 * `align_edlib` edlib, which has the path by Hirschberg's method as well, takes turns with them. It
 * has one thread, so that what is compared there are CPU seconds, PoCL's threads and the library's
 * counted together.
 *
 * Before anything is timed, the path is followed through both sequences: matches under =,
 * mismatches under X, both ends met, and a cost that is the distance. That proves the distance as
 * an upper bound; that nothing is better is known of the real pairs, and edlib or a sweep of
 * another band says it of generated ones, the sweep where that is quick. Later runs must give the
 * same path.
 */
#include "bench_align.h"

#include <inttypes.h>
#include <string.h>

#include "tests/reference/edlib_distance.h"
#include "tests/reference/path_judge.h"

/*
 * The promise: an alignment takes at most so many times the distance's solve time and so many
 * seconds more, and so many times its device memory and so many bytes more.
 */
#define PROMISED_TIMES        2.2
#define PROMISED_SECONDS      0.02
#define PROMISED_MEMORY_TIMES 1.5
#define PROMISED_MEMORY_BYTES (INT64_C(64) << 20)

/* A sweep that is expected to take longer verifies nothing. */
#define CHECK_SECONDS 10.0

/* A pair under measurement. */
typedef struct contest {
    bench *b;
    bench_align_row row;
    int64_t known; /* distance; BENCH_UNKNOWN: a sweep checks it */
    const char *known_by;
    bool peer;              /* edlib takes part */
    rhomb_alignment *first; /* whose path has been verified */
    double until;           /* bench_now() at which a first run is stopped */
    double seconds[BENCH_ALIGN_CLOCKS][BENCH_MAX_RUNS];
} contest;

/* Whether the same engine gave the same path; auto may end with another one by the clock. */
static bool same_path(const rhomb_alignment *a, const rhomb_alignment *b)
{
    int64_t counts[2];
    if (strcmp(rhomb_alignment_report(a)->engine, rhomb_alignment_report(b)->engine) != 0)
        return true;
    const rhomb_path_op *x = rhomb_alignment_path(a, &counts[0]);
    const rhomb_path_op *y = rhomb_alignment_path(b, &counts[1]);
    return counts[0] == counts[1] &&
           (counts[0] == 0 || memcmp(x, y, (size_t)counts[0] * sizeof *x) == 0);
}

static int stop_late(const rhomb_progress *progress, void *user)
{
    const contest *t = user;
    (void)progress;
    return bench_now() > t->until;
}

/* Options of a call; a first run has a time limit, and later ones nothing to disturb them. */
static rhomb_options options_of(contest *t)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = t->row.asked;
    options.tuning = &t->b->tuning;
    if (t->first == NULL) {
        t->until = bench_now() + t->b->limit_seconds;
        options.progress = stop_late;
        options.progress_user = t;
    }
    return options;
}

/* What a call returned: true to go on; false, and said, with the pair left out or an error. */
static bool succeeded(contest *t, rhomb_status status)
{
    const char *name = t->row.pair->name;
    if (status == RHOMB_OK)
        return true;
    if (status != RHOMB_ERR_CANCELLED)
        return bench_fail(t->b, "%s: %s", name, rhomb_context_error(t->b->ctx));
    printf("%-18s left out: it takes more than %g s\n", name, t->b->limit_seconds);
    return false;
}

/* The distance alone. */
static bool run_distance(contest *t, int run)
{
    const bench_pair *pair = t->row.pair;
    const rhomb_options options = options_of(t);
    rhomb_result *result = NULL;
    const rhomb_status status = rhomb_distance(t->b->ctx, pair->target, pair->target_length,
                                               pair->query, pair->query_length, &options, &result);
    if (status == RHOMB_OK)
        t->row.distance = *rhomb_result_report(result);
    rhomb_result_destroy(result);
    t->seconds[BENCH_ALIGN_DISTANCE][run] = t->row.distance.seconds_solve;
    return succeeded(t, status);
}

/* Whether the distances of both calls are what is known, by a sweep where nothing is. */
static bool verify_distance(contest *t)
{
    const bench_pair *pair = t->row.pair;
    const int64_t claimed = t->row.distance.distance, aligned = t->row.report.whole.distance;
    int64_t known = t->known;
    const char *by = t->known_by;
    if (known == BENCH_UNKNOWN) {
        const double seconds = bench_check_by_sweep_seconds(t->b, pair, claimed);
        const bool quick = seconds <= CHECK_SECONDS;
        if (seconds < 0)
            return false;
        by = quick ? BENCH_BY_SWEEP : "the distance alone";
        known = quick ? bench_check_by_sweep(t->b, pair, claimed, false) : claimed;
    }
    snprintf(t->row.verified_by, sizeof t->row.verified_by, "each letter of the path; %s", by);
    return (aligned == claimed && claimed == known) ||
           bench_fail(t->b,
                      "%s: a path for the distance %" PRId64 ", %" PRId64
                      " by the distance alone, %" PRId64 " by %s",
                      pair->name, aligned, claimed, known, by);
}

/* Whether an alignment is right; the first one is judged, and the later ones are to be the same. */
static bool verify(contest *t, const rhomb_alignment *alignment)
{
    const bench_pair *pair = t->row.pair;
    const rhomb_pair texts = {.target = pair->target,
                              .target_length = pair->target_length,
                              .query = pair->query,
                              .query_length = pair->query_length};
    int64_t count = 0;
    if (alignment != t->first)
        return same_path(t->first, alignment) ||
               bench_fail(t->b, "%s: two paths by %s differ", pair->name, t->row.report.engine);
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const char *complaint =
        path_judge_long(path, count, &texts, t->row.report.whole.distance, true);
    if (complaint != NULL)
        return bench_fail(t->b, "%s: %s", pair->name, complaint);
    return verify_distance(t);
}

static bool run_align(contest *t, int run)
{
    const bench_pair *pair = t->row.pair;
    const rhomb_options options = options_of(t);
    rhomb_alignment *alignment = NULL;
    const double began = bench_cpu_now();
    const rhomb_status status = rhomb_align(t->b->ctx, pair->target, pair->target_length,
                                            pair->query, pair->query_length, &options, &alignment);
    t->seconds[BENCH_ALIGN_CPU][run] = bench_cpu_now() - began;
    if (!succeeded(t, status))
        return false;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    t->row.report = *r;
    t->seconds[BENCH_ALIGN_ALL][run] =
        r->whole.seconds_solve + r->seconds_split + r->seconds_leaves;
    t->seconds[BENCH_ALIGN_FIRST][run] = r->whole.seconds_solve;
    t->seconds[BENCH_ALIGN_SPLIT][run] = r->seconds_split;
    t->seconds[BENCH_ALIGN_LEAVES][run] = r->seconds_leaves;
    t->seconds[BENCH_ALIGN_TOTAL][run] = r->seconds_total;
    if (t->first == NULL)
        t->first = alignment;
    const bool good = verify(t, alignment);
    if (alignment != t->first)
        rhomb_alignment_destroy(alignment);
    return good;
}

static bool run_peer(contest *t, int run)
{
    const bench_pair *pair = t->row.pair;
    const int64_t distance = t->row.distance.distance;
    const double cpu = bench_cpu_now(), began = bench_now();
    if (!t->peer)
        return true;
    const int64_t theirs =
        oracle_edlib_path(pair->query, pair->query_length, pair->target, pair->target_length);
    t->seconds[BENCH_ALIGN_PEER][run] = bench_now() - began;
    t->seconds[BENCH_ALIGN_PEER_CPU][run] = bench_cpu_now() - cpu;
    return theirs == distance ||
           bench_fail(t->b, "%s: distance %" PRId64 ", but %" PRId64 " by edlib", pair->name,
                      distance, theirs);
}

static bool run_round(contest *t, int run)
{
    return run_distance(t, run) && run_align(t, run) && run_peer(t, run);
}

/*
 * The run that verifies, builds and warms up, and unless it is long the timed ones. Programs may
 * be built while it splits, so that how long it is shows in the distance.
 */
static bool take_turns(contest *t)
{
    if (!run_round(t, 0))
        return false;
    const double seconds = t->seconds[BENCH_ALIGN_DISTANCE][0] + t->seconds[BENCH_ALIGN_FIRST][0];
    const bool only = !t->peer && seconds >= BENCH_LONG_SECONDS;
    t->row.runs = only ? 1 : (int)t->b->repeat;
    for (int run = 0; run < t->row.runs && !only; run++)
        if (!run_round(t, run))
            return false;
    return true;
}

/* -------------------------------------------------------------------- rows */

static void summarise(contest *t)
{
    bench_align_row *row = &t->row;
    for (int clock = 0; clock < BENCH_ALIGN_CLOCKS; clock++)
        row->times[clock] = bench_times_of(t->seconds[clock], row->runs);
    const double alone = row->times[BENCH_ALIGN_DISTANCE].median;
    const double all = row->times[BENCH_ALIGN_ALL].median;
    const double cpu = row->times[BENCH_ALIGN_CPU].median;
    row->ratio = alone > 0 ? all / alone : 0;
    row->within = all <= PROMISED_TIMES * alone + PROMISED_SECONDS;
    row->memory_within = (double)(row->report.device_bytes - PROMISED_MEMORY_BYTES) <=
                         PROMISED_MEMORY_TIMES * (double)row->distance.device_bytes;
    row->core_ratio = cpu > 0 ? row->times[BENCH_ALIGN_PEER_CPU].median / cpu : 0;
}

static void put_heading(void)
{
    printf("%-28s %9s  %-11s %10s %10s %10s %10s %10s %7s  %10s %10s %9s %9s\n", "case", "distance",
           "engine", "distance s", "align s", "first", "split", "leaves", "ratio", "distance MB",
           "align MB", "splits", "leaves");
}

static void print_row(const bench_align_row *row)
{
    const rhomb_align_report *r = &row->report;
    printf("%-28s %9" PRId64 "  %-11s", row->pair->name, r->whole.distance, r->engine);
    for (int clock = BENCH_ALIGN_DISTANCE; clock <= BENCH_ALIGN_LEAVES; clock++)
        printf(" %10.4f", row->times[clock].median);
    printf(" %7.2f  %10.3f %10.3f %9" PRId64 " %9" PRId64 "%s%s\n", row->ratio,
           (double)row->distance.device_bytes / 1e6, (double)r->device_bytes / 1e6, r->splits,
           r->leaves, row->within ? "" : " SLOW", row->memory_within ? "" : " LARGE");
    if (row->core_ratio > 0)
        printf("%-28s CPU seconds %.4f, edlib's %.4f, ratio %.2f\n", "",
               row->times[BENCH_ALIGN_CPU].median, row->times[BENCH_ALIGN_PEER_CPU].median,
               row->core_ratio);
    fflush(stdout);
}

static bool measure(bench *b, const bench_suite *suite, const bench_source *source,
                    const bench_pair *pair)
{
    const bool real = source->files[0] != NULL;
    contest t = {.b = b,
                 .row = {.suite = suite->name,
                         .pair = pair,
                         .asked = b->engine_given ? b->engine : suite->engine},
                 .known = real ? source->distance : BENCH_UNKNOWN,
                 .known_by = BENCH_BY_TABLE,
                 .peer = suite->method->needs_edlib};
    if (t.peer) {
        t.known = oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length);
        t.known_by = "edlib";
    }
    const bool good = take_turns(&t);
    rhomb_alignment_destroy(t.first);
    if (!good)
        return false;
    summarise(&t);
    print_row(&t.row);
    bench_csv_align_row(b, &t.row);
    if (t.peer && (b->tally.pairs++ == 0 || t.row.core_ratio < b->tally.worst))
        b->tally.worst = t.row.core_ratio;
    return true;
}

static void end(const bench *b)
{
    printf("\nedlib takes at least %.2f times as much CPU time\n", b->tally.worst);
}

const bench_method bench_align = {
    .measure = measure, .heading = put_heading, .rows = BENCH_ROWS_ALIGNMENTS};
const bench_method bench_align_edlib = {.measure = measure,
                                        .heading = put_heading,
                                        .end = end,
                                        .rows = BENCH_ROWS_ALIGNMENTS,
                                        .needs_edlib = true};
