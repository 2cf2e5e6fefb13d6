/* SPDX-License-Identifier: MIT */
/*
 * The suites `align` and `align_synthetic`: what a path costs besides the distance. The same pair
 * is solved by rhomb_distance() and by rhomb_align() in turns, so that whatever else the machine
 * does meets both; compared is the work on the device, without inspecting letters and building
 * programs.
 *
 * Before anything is timed, the path is followed through both sequences: equal letters under =,
 * unequal ones under X, both ends met, and a cost that is the distance. That proves the distance as
 * an upper bound; that nothing is better is known of the real pairs, and a sweep of another band
 * says it of generated ones where that is quick. Later runs must give the same path.
 */
#include "bench_align.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "bench_pieces.h"

#define KILO INT64_C(1000)
#define MEGA INT64_C(1000000)

/* A sweep that is expected to take longer verifies nothing. */
#define CHECK_SECONDS 10.0

/* --------------------------------------------------------------- the path */

/* Letters as they are compared: N is equal to N, and the cases are alike. */
typedef struct fold_table {
    unsigned char letter[UCHAR_MAX + 1];
} fold_table;

static void make_fold_table(fold_table *fold)
{
    for (int i = 0; i <= UCHAR_MAX; i++)
        fold->letter[i] = (unsigned char)toupper(i);
}

/* Whether two stretches are equal in each letter, or, with X over them, in none. */
static bool letters_fit(const fold_table *fold, const char *target, const char *query,
                        int64_t length, bool equal)
{
    for (int64_t i = 0; i < length; i++)
        if ((fold->letter[(unsigned char)target[i]] == fold->letter[(unsigned char)query[i]]) !=
            equal)
            return false;
    return true;
}

/* The cost of a path that is well formed and makes the query of the target; else -1. */
static int64_t path_cost(const bench_pair *pair, const rhomb_path_op *path, int64_t count)
{
    fold_table fold;
    int64_t target = 0, query = 0, cost = 0;
    make_fold_table(&fold);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t code = RHOMB_CIGAR_CODE(path[i]);
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(path[i]);
        const bool aligned = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        const int64_t targets = code != RHOMB_CIGAR_I ? length : 0;
        const int64_t queries = code != RHOMB_CIGAR_D ? length : 0;
        if (length == 0 || (!aligned && code != RHOMB_CIGAR_I && code != RHOMB_CIGAR_D) ||
            (i > 0 && code == RHOMB_CIGAR_CODE(path[i - 1])) ||
            targets > pair->target_length - target || queries > pair->query_length - query)
            return -1;
        if (aligned && !letters_fit(&fold, pair->target + target, pair->query + query, length,
                                    code == RHOMB_CIGAR_EQ))
            return -1;
        target += targets;
        query += queries;
        cost += code != RHOMB_CIGAR_EQ ? length : 0;
    }
    return target == pair->target_length && query == pair->query_length ? cost : -1;
}

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

/* ------------------------------------------------------------------- runs */

/* A pair under measurement. */
typedef struct contest {
    bench *b;
    const bench_align_case *c;
    bench_align_row *row;
    rhomb_alignment *first; /* whose path has been verified */
    double until;           /* bench_now() at which a first run is stopped */
    bool left_out;          /* one was */
    /* Seconds of each run. */
    double distance[BENCH_MAX_RUNS];
    double align[BENCH_MAX_RUNS];
    double whole[BENCH_MAX_RUNS];
    double split[BENCH_MAX_RUNS];
    double leaves[BENCH_MAX_RUNS];
    double total[BENCH_MAX_RUNS];
    double cpu[BENCH_MAX_RUNS];
    double peer[BENCH_MAX_RUNS];
    double peer_cpu[BENCH_MAX_RUNS];
} contest;

static double align_seconds(const rhomb_align_report *r)
{
    return r->whole.seconds_solve + r->seconds_split + r->seconds_leaves;
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
    options.engine = t->row->asked;
    options.tuning = &t->b->tuning;
    if (t->first == NULL) {
        t->until = bench_now() + t->b->limit_seconds;
        options.progress = stop_late;
        options.progress_user = t;
    }
    return options;
}

/* What a call returned: true to go on; false with the pair left out, or with an error said. */
static bool succeeded(contest *t, rhomb_status status)
{
    const char *name = t->row->pair->name;
    if (status == RHOMB_OK)
        return true;
    if (status != RHOMB_ERR_CANCELLED)
        return bench_fail(t->b, "%s: %s", name, rhomb_context_error(t->b->ctx));
    printf("%-18s left out: it takes more than %g s\n", name, t->b->limit_seconds);
    t->left_out = true;
    return false;
}

/* The distance alone. */
static bool run_distance(contest *t, int run)
{
    const bench_pair *pair = t->row->pair;
    const rhomb_options options = options_of(t);
    rhomb_result *result = NULL;
    const rhomb_status status = rhomb_distance(t->b->ctx, pair->target, pair->target_length,
                                               pair->query, pair->query_length, &options, &result);
    if (status == RHOMB_OK)
        t->row->distance = *rhomb_result_report(result);
    rhomb_result_destroy(result);
    t->distance[run] = t->row->distance.seconds_solve;
    return succeeded(t, status);
}

/* Whether the first alignment is right, and the distances of both calls and what is known. */
static bool verify_first(contest *t, const rhomb_alignment *alignment)
{
    bench_align_row *row = t->row;
    const bench_pair *pair = row->pair;
    int64_t count = 0, known = t->c->distance;
    const char *by = t->c->verified_by;
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const int64_t claimed = row->distance.distance, cost = path_cost(pair, path, count);
    if (cost < 0)
        return bench_fail(t->b, "%s: the path does not fit the sequences", pair->name);
    if (known == BENCH_UNKNOWN) {
        const double seconds = bench_check_by_sweep_seconds(t->b, pair, claimed);
        const bool quick = seconds <= CHECK_SECONDS;
        if (seconds < 0)
            return false;
        by = quick ? BENCH_BY_SWEEP : "the distance alone";
        known = quick ? bench_check_by_sweep(t->b, pair, claimed, false) : claimed;
    }
    snprintf(row->verified_by, sizeof row->verified_by, "each letter of the path; %s", by);
    if (cost == claimed && row->report.whole.distance == claimed && claimed == known)
        return true;
    return bench_fail(t->b,
                      "%s: a path of cost %" PRId64 " for the distance %" PRId64 ", %" PRId64
                      " by the distance alone, %" PRId64 " by %s",
                      pair->name, cost, row->report.whole.distance, claimed, known, by);
}

static bool run_align(contest *t, int run)
{
    const bench_pair *pair = t->row->pair;
    const rhomb_options options = options_of(t);
    rhomb_alignment *alignment = NULL;
    const double began = bench_cpu_now();
    const rhomb_status status = rhomb_align(t->b->ctx, pair->target, pair->target_length,
                                            pair->query, pair->query_length, &options, &alignment);
    t->cpu[run] = bench_cpu_now() - began;
    if (!succeeded(t, status))
        return false;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    t->row->report = *r;
    t->align[run] = align_seconds(r);
    t->whole[run] = r->whole.seconds_solve;
    t->split[run] = r->seconds_split;
    t->leaves[run] = r->seconds_leaves;
    t->total[run] = r->seconds_total;
    if (t->first == NULL) {
        t->first = alignment;
        return verify_first(t, alignment);
    }
    const bool same = same_path(t->first, alignment);
    rhomb_alignment_destroy(alignment);
    return same ||
           bench_fail(t->b, "%s: two paths by %s differ", pair->name, t->row->report.engine);
}

static bool run_peer(contest *t, int run)
{
    const double cpu = bench_cpu_now(), began = bench_now();
    if (t->c->peer == NULL)
        return true;
    const bool good = t->c->peer(t->b, t->row->pair, t->row->distance.distance);
    t->peer[run] = bench_now() - began;
    t->peer_cpu[run] = bench_cpu_now() - cpu;
    return good;
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
    const bool only = t->c->once_when_long && t->distance[0] + t->whole[0] >= BENCH_LONG_SECONDS;
    const int runs = only ? 1 : t->b->repeat;
    for (int run = 0; run < runs && !only; run++)
        if (!run_round(t, run))
            return false;
    t->row->runs = runs;
    return true;
}

/* ------------------------------------------------------------------- rows */

static void summarise(contest *t)
{
    bench_align_row *row = t->row;
    const int runs = row->runs;
    const int64_t bytes = row->distance.device_bytes;
    row->distance_solve = bench_times_of(t->distance, runs);
    row->align = bench_times_of(t->align, runs);
    row->whole_seconds = bench_times_of(t->whole, runs).median;
    row->split_seconds = bench_times_of(t->split, runs).median;
    row->leaves_seconds = bench_times_of(t->leaves, runs).median;
    row->total_seconds = bench_times_of(t->total, runs).median;
    row->cpu_seconds = bench_times_of(t->cpu, runs).median;
    if (row->distance_solve.median > 0)
        row->ratio = row->align.median / row->distance_solve.median;
    row->within =
        row->align.median <= BENCH_ALIGN_TIMES * row->distance_solve.median + BENCH_ALIGN_SECONDS;
    row->memory_within = (double)(row->report.device_bytes - BENCH_ALIGN_MEMORY_BYTES) <=
                         BENCH_ALIGN_MEMORY_TIMES * (double)bytes;
    if (t->c->peer == NULL)
        return;
    row->peer_seconds = bench_times_of(t->peer, runs).median;
    row->peer_cpu_seconds = bench_times_of(t->peer_cpu, runs).median;
    if (row->cpu_seconds > 0)
        row->core_ratio = row->peer_cpu_seconds / row->cpu_seconds;
}

void bench_align_heading(const bench *b, const char *suite)
{
    bench_title(b, suite);
    printf("%-28s %9s  %-11s %10s %10s %10s %10s %10s %7s  %10s %10s %9s %9s\n", "case", "distance",
           "engine", "distance s", "align s", "first", "split", "leaves", "ratio", "distance MB",
           "align MB", "splits", "leaves");
}

static void print_row(const bench_align_row *row)
{
    const rhomb_align_report *r = &row->report;
    printf("%-28s %9" PRId64 "  %-11s %10.4f %10.4f %10.4f %10.4f %10.4f %7.2f  %10.3f %10.3f "
           "%9" PRId64 " %9" PRId64 "%s%s\n",
           row->pair->name, r->whole.distance, r->engine, row->distance_solve.median,
           row->align.median, row->whole_seconds, row->split_seconds, row->leaves_seconds,
           row->ratio, (double)row->distance.device_bytes / 1e6, (double)r->device_bytes / 1e6,
           r->splits, r->leaves, row->within ? "" : " SLOW", row->memory_within ? "" : " LARGE");
    if (row->peer_seconds > 0)
        printf("%-28s processor seconds %.4f, edlib's %.4f, ratio %.2f\n", "", row->cpu_seconds,
               row->peer_cpu_seconds, row->core_ratio);
    fflush(stdout);
}

bool bench_align_measure(bench *b, const bench_align_case *c, bench_align_row *row)
{
    bench_align_row own;
    contest t = {.b = b, .c = c, .row = row != NULL ? row : &own};
    memset(t.row, 0, sizeof *t.row);
    t.row->suite = c->suite;
    t.row->pair = c->pair;
    t.row->asked = bench_engine(b, RHOMB_ENGINE_AUTO);
    const bool good = take_turns(&t);
    rhomb_alignment_destroy(t.first);
    if (!good)
        return t.left_out;
    summarise(&t);
    print_row(t.row);
    bench_csv_align_row(b, t.row);
    return true;
}

/* ------------------------------------------------------------------ suite */

static bool measure_real(bench *b)
{
    const char *names[2];
    int64_t distance;
    for (int i = 0; bench_known_pair(i, names, &distance); i++) {
        bench_pair pair;
        if (distance > b->max_known_distance || !bench_wants(b, names[0]))
            continue;
        if (!bench_pair_read(b, names[0], names[1], &pair))
            return false;
        const bench_align_case c = {.suite = "align",
                                    .pair = &pair,
                                    .distance = distance,
                                    .verified_by = BENCH_BY_TABLE,
                                    .once_when_long = true};
        const bool good = bench_align_measure(b, &c, NULL);
        bench_pair_release(&pair);
        if (!good)
            return false;
    }
    return true;
}

/*
 * Like human and chimpanzee chromosome 22, 14 % apart: a share of substitutions, insertions and
 * deletions of two letters in the mean, and a million letters that the query lacks.
 */
static const bench_piece_class LACKING[] = {
    {BENCH_DELETED, 100, 1, 1 * KILO, 19 * KILO},
    {.count = 0},
};

static const bench_recipe CHR22_LIKE = {.seed = 20221122,
                                        .length = 50 * MEGA,
                                        .substitution_rate = 0.09,
                                        .short_rate = 0.0095,
                                        .short_more = 1,
                                        .query_gap_share = 1,
                                        .classes = LACKING};

/* Aligns a generated pair. */
static bool measure_generated(bench *b, const char *suite, const bench_pair *pair)
{
    const bench_align_case c = {
        .suite = suite, .pair = pair, .distance = BENCH_UNKNOWN, .once_when_long = true};
    return bench_align_measure(b, &c, NULL);
}

static bool measure_as_align(bench *b, const bench_pair *pair)
{
    return measure_generated(b, "align", pair);
}

static bool measure_as_synthetic(bench *b, const bench_pair *pair)
{
    return measure_generated(b, "align_synthetic", pair);
}

static bool measure_chr22_like(bench *b)
{
    static const char NAME[] = "50 M x 49 M chr22-like";
    bench_pair pair;
    if (!bench_wants(b, NAME) ||
        0.14 * (double)CHR22_LIKE.length * b->scale > (double)b->max_known_distance ||
        bench_scaled(b, CHR22_LIKE.length) > b->max_length)
        return true;
    if (!bench_pair_assemble(b, NAME, &CHR22_LIKE, b->scale, &pair))
        return false;
    const bool good = b->instead(b, &pair);
    bench_pair_release(&pair);
    return good;
}

/* Opens the device, unless pairs are only written, and has other suites' pairs aligned. */
static bool begin(bench *b, const char *suite, bench_pair_fn align)
{
    if (b->write != NULL)
        return true;
    if (!bench_open(b))
        return false;
    bench_align_heading(b, suite);
    b->instead = align;
    return true;
}

static bool end(bench *b, bool good)
{
    if (b->write == NULL)
        b->instead = NULL;
    return good;
}

bool bench_suite_align(bench *b)
{
    if (!begin(b, "align", measure_as_align))
        return false;
    /* The longest come last: where the time is short, the others have their rows. */
    return end(b, (b->write != NULL || b->data == NULL || measure_real(b)) &&
                      bench_suite_similar(b) && measure_chr22_like(b));
}

bool bench_suite_align_synthetic(bench *b)
{
    return begin(b, "align_synthetic", measure_as_synthetic) &&
           end(b, bench_suite_synthetic(b) && bench_suite_choice(b) && bench_suite_matrix(b) &&
                      bench_suite_chromosome(b));
}
