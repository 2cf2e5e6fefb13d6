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
#include "tests/reference/keep_plan.h"
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
    bench_case alone, aligned, peer; /* take turns, the last one where edlib takes part */
    bench_align_row row;
    const char *known_by; /* how alone's distance is known; NULL: a sweep checks it */
    char verified_by[96];
    rhomb_alignment *first; /* whose path has been verified */
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

/* Whether both calls have the same distance, by a sweep where it is not known, if that is quick. */
static bool verify_distance(bench *b, contest *t)
{
    const int64_t distance = t->alone.report.distance;
    const char *by = t->known_by;
    if (!bench_same_distance(b, &t->alone, t->row.report.whole->distance, "the alignment"))
        return false;
    if (by == NULL) {
        const double seconds = bench_check_by_sweep_seconds(b, t->alone.pair, distance);
        by = seconds > CHECK_SECONDS ? "the distance alone" : BENCH_BY_SWEEP;
        if (seconds < 0 ||
            (by == BENCH_BY_SWEEP &&
             !bench_same_distance(b, &t->alone,
                                  bench_check_by_sweep(b, t->alone.pair, distance, false), by)))
            return false;
    }
    snprintf(t->verified_by, sizeof t->verified_by, "each letter of the path; %s", by);
    return true;
}

/* Whether an alignment is right; the first one is judged, and the later ones are to be the same. */
static bool verify(bench *b, contest *t, const rhomb_alignment *alignment)
{
    const bench_pair *pair = t->aligned.pair;
    const rhomb_pair texts = {.target = pair->target,
                              .target_length = pair->target_length,
                              .query = pair->query,
                              .query_length = pair->query_length};
    int64_t count = 0;
    if (alignment != t->first)
        return same_path(t->first, alignment) ||
               bench_fail(b, "%s: two paths by %s differ", pair->name, t->row.report.engine);
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const char *complaint =
        path_judge_long(path, count, &texts, t->row.report.whole->distance, true);
    if (complaint != NULL)
        return bench_fail(b, "%s: %s", pair->name, complaint);
    return verify_distance(b, t);
}

/*
 * The alignment's turn, after that of the distance. The run that verifies, builds and warms up is
 * the only one of both where it is long. Programs may be built while it splits, so that how long it
 * is shows in the first solves.
 */
static bool run_align(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    contest *t = c->user;
    const rhomb_options options = bench_case_options(c);
    rhomb_alignment *alignment = NULL;
    const double began = bench_cpu_now();
    const rhomb_status status = rhomb_align(b->ctx, pair->target, pair->target_length, pair->query,
                                            pair->query_length, &options, &alignment);
    seconds[BENCH_CPU] = bench_cpu_now() - began;
    if (!bench_case_succeeded(b, c, status))
        return false;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    t->row.report = *r;
    c->report = *r->whole;
    c->report.plan = keep_plan(r->whole->plan);
    t->row.report.whole = &c->report;
    seconds[BENCH_SOLVE] = r->whole->seconds_solve + r->seconds_split + r->seconds_base_cases;
    seconds[BENCH_FIRST] = r->whole->seconds_solve;
    seconds[BENCH_SPLIT] = r->seconds_split;
    seconds[BENCH_LEAVES] = r->seconds_base_cases;
    seconds[BENCH_TOTAL] = r->seconds_total;
    seconds[BENCH_WORK] = t->alone.seconds[BENCH_SOLVE][0] + r->whole->seconds_solve;
    if (c->calls == 0) {
        t->first = alignment;
        if (c->once_when_long && seconds[BENCH_WORK] >= BENCH_LONG_SECONDS)
            bench_case_once(&t->alone);
    }
    const bool good = verify(b, t, alignment);
    if (alignment != t->first)
        rhomb_alignment_destroy(alignment);
    return good;
}

static bool run_peer(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    const double cpu = bench_cpu_now(), began = bench_now();
    const int64_t distance =
        oracle_edlib_path(pair->query, pair->query_length, pair->target, pair->target_length);
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    c->report.distance = distance;
    return distance >= 0 ? bench_same_distance(b, c, distance, "edlib")
                         : bench_fail(b, "%s: edlib gives no path", pair->name);
}

/* Turns until all have their runs; false, and said, where that does not come to be. */
static bool take_turns(bench *b, contest *t, bool peer)
{
    bench_case *const turns[] = {&t->alone, &t->aligned, &t->peer};
    t->peer.done = !peer;
    while (!t->alone.done || !t->aligned.done || !t->peer.done)
        for (int i = 0; i < 3; i++) {
            if (!turns[i]->done && !bench_run_once(b, turns[i]))
                return false;
            t->alone.distance = t->peer.distance = t->alone.report.distance;
        }
    for (int i = 0; i < 3; i++)
        if (turns[i]->runs > 0)
            bench_case_summarise(turns[i]);
    return true;
}

/* -------------------------------------------------------------------- rows */

static void put_heading(void)
{
    printf("%-28s %9s  %-11s %10s %10s %10s %10s %10s %7s  %10s %10s %9s %9s\n", "case", "distance",
           "engine", "distance s", "align s", "first", "split", "leaves", "ratio", "distance MB",
           "align MB", "splits", "leaves");
}

static void print_row(const bench_align_row *row)
{
    const rhomb_align_report *r = &row->report;
    const bench_times *times = row->aligned->times;
    printf("%-28s %9" PRId64 "  %-11s %10.4f %10.4f %10.4f %10.4f %10.4f %7.2f  %10.3f %10.3f "
           "%9" PRId64 " %9" PRId64 "%s%s\n",
           row->aligned->pair->name, r->whole->distance, r->engine,
           row->alone->times[BENCH_SOLVE].median, times[BENCH_SOLVE].median,
           times[BENCH_FIRST].median, times[BENCH_SPLIT].median, times[BENCH_LEAVES].median,
           row->ratio, (double)row->alone->report.device_bytes / 1e6, (double)r->device_bytes / 1e6,
           r->splits, r->base_cases, row->within ? "" : " SLOW",
           row->memory_within ? "" : " LARGE");
    if (row->core_ratio > 0)
        printf("%-28s CPU seconds %.4f, edlib's %.4f, ratio %.2f\n", "", times[BENCH_CPU].median,
               row->peer->times[BENCH_CPU].median, row->core_ratio);
    fflush(stdout);
}

static void judge(bench_align_row *row)
{
    const double alone = row->alone->times[BENCH_SOLVE].median;
    const double all = row->aligned->times[BENCH_SOLVE].median;
    const double cpu = row->aligned->times[BENCH_CPU].median;
    row->ratio = alone > 0 ? all / alone : 0;
    row->within = all <= PROMISED_TIMES * alone + PROMISED_SECONDS;
    row->memory_within = (double)(row->report.device_bytes - PROMISED_MEMORY_BYTES) <=
                         PROMISED_MEMORY_TIMES * (double)row->alone->report.device_bytes;
    row->core_ratio = cpu > 0 ? row->peer->times[BENCH_CPU].median / cpu : 0;
}

static bool measure(bench *b, const bench_suite *suite, const bench_source *source,
                    const bench_pair *pair)
{
    const bool real = source->files[0] != NULL, peer = suite->method->needs_edlib;
    contest t = {.alone = bench_case_of(b, suite, pair),
                 .row = {.alone = &t.alone, .aligned = &t.aligned, .peer = &t.peer},
                 .known_by = peer   ? "edlib"
                             : real ? BENCH_BY_TABLE
                                    : NULL};
    t.alone.limit_seconds = b->limit_seconds;
    t.alone.user = &t;
    t.aligned = t.peer = t.alone;
    t.aligned.run = run_align;
    t.aligned.verified_by = t.verified_by;
    t.aligned.once_when_long = !peer;
    t.peer.run = run_peer;
    if (t.known_by != NULL) {
        t.alone.distance =
            real ? source->distance
                 : oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length);
        t.alone.verified_by = t.known_by;
    }
    const bool good = take_turns(b, &t, peer);
    rhomb_alignment_destroy(t.first);
    if (!good)
        return false;
    judge(&t.row);
    print_row(&t.row);
    bench_csv_align_row(b, &t.row);
    if (peer && (b->tally.pairs++ == 0 || t.row.core_ratio < b->tally.worst))
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
