/* SPDX-License-Identifier: MIT */
/*
 * The suites of alignments: what a path costs besides the distance. The same pair is solved by
 * rhomb_distance() and by rhomb_align() in turns, so that whatever else the machine does meets
 * both; compared is the work on the device, without counting symbols and building programs. In
 * `align_edlib` edlib, which has the path by Hirschberg's method as well, takes turns with them. It
 * has one thread, so that what is compared there are CPU seconds, PoCL's threads and the library's
 * counted together. In `align_score` paths have the least penalty, by each engine, and BiWFA's path
 * (WFA2-lib, heuristics off) takes turns where it is expected to come to an end within
 * --limit-seconds, by the penalty that came out.
 *
 * Before anything is timed, the path is followed through both sequences: matches under =,
 * mismatches under X, both ends met, and a cost that is the distance. That proves the distance as
 * an upper bound; that nothing is better is known of the real pairs, and edlib or a sweep of
 * another band says it of generated ones, the sweep where that is quick. With a scoring the path
 * costs the penalty, gap by gap; BiWFA or another engine says that nothing is better. Later runs
 * must give the same path.
 */
#include "bench_align.h"

#include <inttypes.h>
#include <string.h>

#include "bench_scores.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/keep_plan.h"
#include "tests/reference/path_judge.h"
#include "tests/reference/peers.h"

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

/* Bases of the piece by which programs are built before pairs with a scoring are timed. */
#define WARM_BASES 20000

/* BiWFA finds its path by the score of halves, of their halves and so on. */
#define BIWFA_PATH_TIMES 2.0

static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_WAVEFRONT, RHOMB_ENGINE_BITPARALLEL,
                                       RHOMB_ENGINE_AUTO};
enum { MOST_WAYS = sizeof ENGINES / sizeof ENGINES[0] };

typedef struct contest contest;

/* The pair by one engine. */
typedef struct way {
    contest *of;
    bench_case alone, aligned;
    bench_align_row row;
    rhomb_alignment *first; /* whose path has been verified */
} way;

/* A pair under measurement: all take turns, the peer where edlib or BiWFA takes part. */
struct contest {
    way ways[MOST_WAYS];
    int count;
    bench_case peer;
    const char *text; /* of the scoring; NULL: unit costs */
    rhomb_scoring scoring;
    oracle_penalties penalties; /* without match score */
    const char *known_by;       /* how the distance is known; NULL: a sweep checks it */
    char verified_by[96];
};

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

static void note_verified(contest *t, const char *by)
{
    snprintf(t->verified_by, sizeof t->verified_by, "each letter of the path; %s", by);
}

/*
 * Whether both calls have the same distance, by a sweep where it is not known, if that is quick.
 * What is known of penalties comes with the other turns.
 */
static bool verify_distance(bench *b, way *w)
{
    const int64_t distance = w->alone.report.distance;
    const char *by = w->of->known_by;
    if (!bench_same_distance(b, &w->alone, w->row.report.whole->distance, "the alignment"))
        return false;
    if (by == NULL && w->of->text == NULL) {
        const double seconds = bench_check_by_sweep_seconds(b, w->alone.pair, distance);
        by = seconds > CHECK_SECONDS ? "the distance alone" : BENCH_BY_SWEEP;
        if (seconds < 0 ||
            (by == BENCH_BY_SWEEP &&
             !bench_same_distance(b, &w->alone,
                                  bench_check_by_sweep(b, w->alone.pair, distance, false), by)))
            return false;
    }
    if (by != NULL)
        note_verified(w->of, by);
    return true;
}

int64_t bench_align_edits(const rhomb_align_report *r)
{
    return r->mismatches + r->inserted + r->deleted;
}

/* Whether an alignment is right; the first one is judged, and the later ones are to be the same. */
static bool verify(bench *b, way *w, const rhomb_alignment *alignment)
{
    const bench_pair *pair = w->aligned.pair;
    const rhomb_align_report *r = &w->row.report;
    const rhomb_pair texts = {.target = pair->target,
                              .target_length = pair->target_length,
                              .query = pair->query,
                              .query_length = pair->query_length};
    int64_t count = 0;
    if (alignment != w->first)
        return same_path(w->first, alignment) ||
               bench_fail(b, "%s: two paths by %s differ", pair->name, r->engine);
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const char *complaint =
        w->of->text != NULL
            ? path_judge_scored(path, count, &texts, &w->of->penalties, r->whole->distance, true)
            : path_judge_long(path, count, &texts, r->whole->distance, true);
    if (complaint != NULL)
        return bench_fail(b, "%s: %s", pair->name, complaint);
    return verify_distance(b, w);
}

/*
 * The alignment's turn, after that of the distance. The run that verifies, builds and warms up is
 * the only one of both where it is long. Programs may be built while it splits, so that how long it
 * is shows in the first solves.
 */
static bool run_align(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    way *w = c->user;
    const rhomb_options options = bench_case_options(c);
    rhomb_alignment *alignment = NULL;
    const double began = bench_cpu_now();
    const rhomb_status status = rhomb_align(b->ctx, pair->target, pair->target_length, pair->query,
                                            pair->query_length, &options, &alignment);
    seconds[BENCH_CPU] = bench_cpu_now() - began;
    if (!bench_case_succeeded(b, c, status))
        return false;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    w->row.report = *r;
    c->report = *r->whole;
    c->report.plan = keep_plan(r->whole->plan);
    w->row.report.whole = &c->report;
    seconds[BENCH_SOLVE] = r->whole->seconds_solve + r->seconds_split + r->seconds_base_cases;
    seconds[BENCH_FIRST] = r->whole->seconds_solve;
    seconds[BENCH_SPLIT] = r->seconds_split;
    seconds[BENCH_LEAVES] = r->seconds_base_cases;
    seconds[BENCH_TOTAL] = r->seconds_total;
    seconds[BENCH_WORK] = w->alone.seconds[BENCH_SOLVE][0] + r->whole->seconds_solve;
    if (c->calls == 0) {
        w->first = alignment;
        w->row.build_seconds += r->whole->seconds_build + r->seconds_build;
        if (c->once_when_long && seconds[BENCH_WORK] >= BENCH_LONG_SECONDS)
            bench_case_once(&w->alone);
    }
    const bool good = verify(b, w, alignment);
    if (alignment != w->first)
        rhomb_alignment_destroy(alignment);
    return good;
}

static bool run_peer(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    const contest *t = c->user;
    const char *name = t->text != NULL ? "BiWFA" : "edlib";
    const double cpu = bench_cpu_now(), began = bench_now();
    const int64_t distance =
        t->text != NULL
            ? oracle_biwfa_path(pair->target, pair->target_length, pair->query, pair->query_length,
                                &t->penalties)
            : oracle_edlib_path(pair->query, pair->query_length, pair->target, pair->target_length);
    seconds[BENCH_WALL] = seconds[BENCH_WORK] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    c->report.distance = distance;
    return distance >= 0 ? bench_same_distance(b, c, distance, name)
                         : bench_fail(b, "%s: %s gives no path", pair->name, name);
}

/* A turn, and what it tells the others; a way that takes too long is left out. */
static bool take_turn(bench *b, contest *t, bench_case *c)
{
    if (!bench_run_once(b, c)) {
        if (!c->left_out)
            return false;
        way *w = c->user;
        w->alone.done = w->aligned.done = w->row.left_out = true;
        return true;
    }
    for (int i = 0; i < t->count; i++)
        t->ways[i].alone.distance = c->report.distance;
    if (t->text != NULL && t->peer.distance == BENCH_UNKNOWN) {
        const double once = bench_biwfa_seconds(&t->penalties, (double)c->report.distance);
        t->peer.done = BIWFA_PATH_TIMES * once > b->limit_seconds;
    }
    t->peer.distance = c->report.distance;
    return true;
}

/* Turns until all have their runs; false, and said, where that does not come to be. */
static bool take_turns(bench *b, contest *t)
{
    bool more = true;
    while (more) {
        bench_case *turns[2 * MOST_WAYS + 1];
        int count = 0;
        more = false;
        for (int i = 0; i < t->count; i++) {
            turns[count++] = &t->ways[i].alone;
            turns[count++] = &t->ways[i].aligned;
        }
        turns[count++] = &t->peer;
        for (int i = 0; i < count; i++) {
            if (!turns[i]->done && !take_turn(b, t, turns[i]))
                return false;
            more = more || !turns[i]->done;
        }
    }
    for (int i = 0; i < t->count; i++)
        if (!t->ways[i].row.left_out) {
            bench_case_summarise(&t->ways[i].alone);
            bench_case_summarise(&t->ways[i].aligned);
        }
    if (t->peer.runs > 0)
        bench_case_summarise(&t->peer);
    return true;
}

static void put_heading(void)
{
    printf("%-28s %9s  %-11s %-11s %10s %10s %10s %10s %10s %7s  %10s %10s %9s %9s\n", "case",
           "distance", "asked", "engine", "distance s", "align s", "first", "split", "leaves",
           "ratio", "distance MB", "align MB", "splits", "leaves");
}

static void print_row(const bench_align_row *row)
{
    const rhomb_align_report *r = &row->report;
    const bench_times *times = row->aligned->times;
    printf(
        "%-28s %9" PRId64 "  %-11s %-11s %10.4f %10.4f %10.4f %10.4f %10.4f %7.2f  %10.3f %10.3f "
        "%9" PRId64 " %9" PRId64 "%s%s\n",
        row->aligned->pair->name, r->whole->distance, bench_engine_name(row->aligned->engine),
        r->engine, row->alone->times[BENCH_SOLVE].median, times[BENCH_SOLVE].median,
        times[BENCH_FIRST].median, times[BENCH_SPLIT].median, times[BENCH_LEAVES].median,
        row->ratio, (double)row->alone->report.device_bytes / 1e6, (double)r->device_bytes / 1e6,
        r->splits, r->base_cases, row->within ? "" : " SLOW", row->memory_within ? "" : " LARGE");
    if (row->core_ratio > 0)
        printf("%-28s CPU seconds %.4f, %s's %.4f, ratio %.2f\n", "", times[BENCH_CPU].median,
               row->aligned->scoring != NULL ? "BiWFA" : "edlib",
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

/* The rows of all ways that were not left out, and the end of their paths. */
static void put_rows(bench *b, contest *t, bool good)
{
    for (int i = 0; i < t->count; i++) {
        way *w = &t->ways[i];
        rhomb_alignment_destroy(w->first);
        if (!good || w->row.left_out)
            continue;
        judge(&w->row);
        print_row(&w->row);
        bench_csv_align_row(b, &w->row);
        if (w->row.core_ratio > 0 && (b->tally.pairs++ == 0 || w->row.core_ratio < b->tally.worst))
            b->tally.worst = w->row.core_ratio;
    }
}

static void add_way(bench *b, const bench_suite *suite, const bench_pair *pair, contest *t)
{
    way *w = &t->ways[t->count++];
    w->of = t;
    w->alone = bench_case_of(b, suite, pair);
    w->alone.limit_seconds = b->limit_seconds;
    w->alone.user = w;
    if (t->text != NULL) {
        w->alone.scoring = &t->scoring;
        w->alone.scored.text = t->text;
    }
    w->aligned = w->alone;
    w->aligned.run = run_align;
    w->aligned.verified_by = t->verified_by;
    w->row = (bench_align_row){.alone = &w->alone, .aligned = &w->aligned, .peer = &t->peer};
}

static bool measure(bench *b, const bench_suite *suite, const bench_source *source,
                    const bench_pair *pair)
{
    const bool real = source->files[0] != NULL, peer = suite->method->needs_edlib;
    contest t = {.known_by = peer ? "edlib" : real ? BENCH_BY_TABLE : NULL};
    add_way(b, suite, pair, &t);
    bench_case *alone = &t.ways[0].alone;
    t.ways[0].aligned.once_when_long = !peer;
    if (t.known_by != NULL) {
        alone->distance =
            real ? source->distance
                 : oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length);
        alone->verified_by = t.known_by;
    }
    t.peer = *alone;
    t.peer.run = run_peer;
    t.peer.user = &t;
    t.peer.done = !peer;
    const bool good = take_turns(b, &t);
    put_rows(b, &t, good);
    return good;
}

static void end(const bench *b)
{
    printf("\nedlib takes at least %.2f times as much CPU time\n", b->tally.worst);
}

/* Whether an engine's distance is expected within the limit; false on failure as well. */
static bool is_quick(bench *b, const way *w, double edits)
{
    const rhomb_options options = bench_case_options(&(bench_case){.engine = w->alone.engine,
                                                                   .tuning = w->alone.tuning,
                                                                   .scoring = w->alone.scoring,
                                                                   .max_distance = RHOMB_NO_LIMIT});
    const bench_pair *pair = w->alone.pair;
    rhomb_plan *plan = NULL;
    if (rhomb_plan_distance(b->ctx, pair->target, pair->target_length, pair->query,
                            pair->query_length, &options, &plan) != RHOMB_OK)
        return bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    const double seconds = rhomb_plan_seconds(plan, (int64_t)(edits * plan->mean_edit_penalty));
    rhomb_plan_destroy(plan);
    if (seconds > b->limit_seconds)
        printf("%-28s %s left out: %.3g s expected\n", pair->name,
               bench_engine_name(w->alone.engine), seconds);
    return seconds <= b->limit_seconds;
}

/* Builds the programs of a way by the beginning of its pair, so that no timed run does. */
static bool warm_up(bench *b, way *w)
{
    const bench_pair *pair = w->alone.pair;
    const int64_t n = pair->target_length < WARM_BASES ? pair->target_length : WARM_BASES;
    const int64_t m = pair->query_length < WARM_BASES ? pair->query_length : WARM_BASES;
    bench_case piece = w->alone;
    rhomb_alignment *alignment = NULL;
    piece.limit_seconds = 0;
    const rhomb_options options = bench_case_options(&piece);
    if (rhomb_align(b->ctx, pair->target, n, pair->query, m, &options, &alignment) != RHOMB_OK)
        return bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    w->row.build_seconds = r->whole->seconds_build + r->seconds_build;
    rhomb_alignment_destroy(alignment);
    return true;
}

/* How the penalty is known, once all have taken turns. */
static const char *known_by(const contest *t)
{
    bool by[2] = {false, false};
    for (int i = 0; i < t->count; i++)
        for (int e = 0; e < 2; e++)
            by[e] =
                by[e] || (!t->ways[i].row.left_out && strcmp(t->ways[i].alone.report.plan->engine,
                                                             bench_engine_name(ENGINES[e])) == 0);
    return t->peer.runs > 0 ? "BiWFA" : by[0] && by[1] ? BENCH_BY_ENGINES : "the distance alone";
}

static bool measure_score(bench *b, const bench_suite *suite, const bench_source *source,
                          const bench_pair *pair)
{
    contest t = {.text = source->scorings[0]};
    bool good = rhomb_scoring_parse(b->ctx, t.text, &t.scoring) == RHOMB_OK ||
                bench_fail(b, "%s: %s", t.text, rhomb_context_error(b->ctx));
    const oracle_penalties own = oracle_penalties_of(&t.scoring);
    t.penalties = oracle_without_match(&own);
    for (int e = 0; good && e < MOST_WAYS; e++) {
        if (b->engine_given && b->engine != ENGINES[e])
            continue;
        add_way(b, suite, pair, &t);
        way *w = &t.ways[t.count - 1];
        w->alone.engine = w->aligned.engine = ENGINES[e];
        w->aligned.once_when_long = true;
        if (!is_quick(b, w, source->rate * (double)pair->target_length))
            t.count--;
        else
            good = warm_up(b, w);
    }
    t.peer = bench_case_of(b, suite, pair);
    t.peer.run = run_peer;
    t.peer.user = &t;
    t.peer.once_when_long = true;
    t.peer.done = true; /* until the penalty is known */
    good = good && take_turns(b, &t);
    if (good)
        note_verified(&t, known_by(&t));
    put_rows(b, &t, good);
    return good;
}

const bench_method bench_align = {
    .measure = measure, .heading = put_heading, .rows = BENCH_ROWS_ALIGNMENTS};
const bench_method bench_align_edlib = {.measure = measure,
                                        .heading = put_heading,
                                        .end = end,
                                        .rows = BENCH_ROWS_ALIGNMENTS,
                                        .needs_edlib = true};
const bench_method bench_align_score = {
    .measure = measure_score, .heading = put_heading, .rows = BENCH_ROWS_ALIGNMENTS};
