/* SPDX-License-Identifier: MIT */
/*
 * The suites long_local, long_ends and long_extend: one long pair (match:2,4,4,2), local, with all
 * ends of the target free, and from both beginnings; long_matrix and long_matrix_ends: with a
 * substitution matrix, local and with no free end, the letters being those of amino acids. The
 * sweep over the matrix, the beginning and the path are timed apart, as are transfer and the
 * building of programs. The rate is that of all cells of the matrix, pruned ones included; their
 * share is beside it. Before anything is timed the beginnings of both sequences are aligned as
 * well, and compared with a whole matrix in plain code. The path is followed through both parts.
 */
#include "bench_local.h"

#include <inttypes.h>
#include <string.h>

#include "tests/reference/gotoh_modes.h"
#include "tests/reference/path_judge.h"

/* Bases of the pieces that are compared with the whole matrix. */
#define PIECE 3000

/* An alignment takes at most so many times what its score does. */
#define PROMISED_TIMES 2.2

/* Of the suite that runs. */
static rhomb_scoring scoring;
static oracle_penalties penalties;

static bool has_matrix(const bench_suite *suite)
{
    return strncmp(suite->name, "long_matrix", strlen("long_matrix")) == 0;
}

static const char *scoring_of(const bench_suite *suite)
{
    return has_matrix(suite) ? "matrix:BLOSUM62,11,1" : "match:2,4,4,2";
}

typedef struct times {
    double end[BENCH_MAX_RUNS], begin[BENCH_MAX_RUNS], path[BENCH_MAX_RUNS];
    double all[BENCH_MAX_RUNS];
} times;

static rhomb_mode_options mode_of(const bench_suite *suite, const bench_pair *pair)
{
    const bool ends = strcmp(suite->name, "long_ends") == 0;
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    if (ends)
        mode.mode = RHOMB_MODE_ENDS_FREE;
    else if (strcmp(suite->name, "long_extend") == 0)
        mode.mode = RHOMB_MODE_EXTEND;
    if (strcmp(suite->name, "long_matrix_ends") == 0)
        mode.mode = RHOMB_MODE_ENDS_FREE;
    mode.free_ends.target_begin = mode.free_ends.target_end = ends ? pair->target_length : 0;
    return mode;
}

static rhomb_alignment *align(bench *b, const rhomb_mode_options *mode, const bench_pair *pair,
                              int64_t n, int64_t m)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    options.scoring = &scoring;
    options.alphabet = scoring.matrix != NULL ? scoring.matrix->alphabet : RHOMB_ALPHABET_DNA;
    options.tuning = &b->tuning;
    if (rhomb_align_mode(b->ctx, pair->target, n, pair->query, m, mode, &options, &alignment) !=
        RHOMB_OK)
        bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
    return alignment;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The beginnings against the whole matrix. */
static bool check_piece(bench *b, const rhomb_mode_options *mode, const bench_pair *pair)
{
    const oracle_mode how = {mode->mode, mode->free_ends, mode->z_drop, mode->end_bonus};
    const int64_t n = least(pair->target_length, PIECE), m = least(pair->query_length, PIECE);
    rhomb_alignment *alignment = align(b, mode, pair, n, m);
    if (alignment == NULL)
        return false;
    const rhomb_pair_extent e = *rhomb_alignment_local(alignment)->extent;
    const rhomb_pair_extent o =
        oracle_mode_extent(pair->target, n, pair->query, m, &penalties, &how, NULL);
    rhomb_alignment_destroy(alignment);
    return (e.score == o.score && e.target_begin == o.target_begin &&
            e.target_end == o.target_end && e.query_begin == o.query_begin &&
            e.query_end == o.query_end) ||
           bench_fail(b, "%s: the beginnings score %" PRId64 ", not %" PRId64, pair->name, e.score,
                      o.score);
}

/* Whether the path leads through the parts. */
static bool check_path(bench *b, const bench_pair *pair, const rhomb_alignment *alignment)
{
    int64_t count = 0;
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const rhomb_pair_extent *e = rhomb_alignment_local(alignment)->extent;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    const rhomb_pair part = {pair->target + e->target_begin, e->target_end - e->target_begin,
                             pair->query + e->query_begin, e->query_end - e->query_begin};
    if (scoring.matrix != NULL)
        return true; /* the library has added up the score */
    const char *complaint =
        path_judge_long(path, count, &part, r->mismatches + r->inserted + r->deleted, true);
    return complaint == NULL || bench_fail(b, "%s: %s", pair->name, complaint);
}

static bool run_once(bench *b, const rhomb_mode_options *mode, times *t, bench_local_row *row)
{
    const bench_pair *pair = row->pair;
    const int run = row->runs;
    rhomb_alignment *alignment = align(b, mode, pair, pair->target_length, pair->query_length);
    if (alignment == NULL)
        return false;
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    const rhomb_local_report *local = rhomb_alignment_local(alignment);
    t->end[run] = local->seconds_end;
    t->begin[run] = local->seconds_begin;
    t->path[run] = r->seconds_split + r->seconds_base_cases;
    t->all[run] = t->end[run] + t->begin[run] + t->path[run];
    row->report = *local;
    row->extent = *local->extent;
    row->operations = r->operations;
    if (run == 0) {
        row->transfer_seconds = local->seconds_transfer;
        row->build_seconds = local->seconds_build + r->whole->seconds_build + r->seconds_build;
    }
    row->runs++;
    const bool good = run > 0 || check_path(b, pair, alignment);
    rhomb_alignment_destroy(alignment);
    return good;
}

static void put_heading(void)
{
    printf("%-24s %10s %10s %11s %8s %9s %9s %9s %9s %9s %7s %9s %9s\n", "case", "score",
           "operations", "cells/s", "pruned", "end s", "begin s", "path s", "transfer", "build",
           "ratio", "launches", "MB");
}

static void put_row(const bench_local_row *row)
{
    const rhomb_local_report *r = &row->report;
    const double end = row->end.median, all = row->all.median;
    const double cells = (double)row->pair->target_length * (double)row->pair->query_length;
    printf("%-24s %10" PRId64 " %10" PRId64 " %11.4g %7.1f%% %9.4f %9.4f %9.4f %9.4f %9.4f %7.2f "
           "%9" PRId64 " %9.1f%s\n",
           row->pair->name, row->extent.score, row->operations, row->cells_per_second,
           100 * (double)(r->cells_pruned - r->begin_cells_pruned) / cells, end, row->begin.median,
           row->path.median, row->transfer_seconds, row->build_seconds, all / end, r->launches,
           (double)r->device_bytes / 1e6, all > PROMISED_TIMES * end + 0.02 ? " SLOW" : "");
    fflush(stdout);
}

static bool measure(bench *b, const bench_suite *suite, const bench_source *source,
                    const bench_pair *pair)
{
    static times t;
    const rhomb_mode_options mode = mode_of(suite, pair);
    bench_local_row row = {.suite = suite->name, .scoring = scoring_of(suite), .pair = pair};
    (void)source;
    if (rhomb_scoring_parse(b->ctx, row.scoring, &scoring) != RHOMB_OK)
        return bench_fail(b, "%s", rhomb_context_error(b->ctx));
    penalties = oracle_penalties_of(&scoring);
    if (!check_piece(b, &mode, pair))
        return false;
    do {
        if (!run_once(b, &mode, &t, &row))
            return false;
    } while (row.runs < b->repeat && t.all[0] < BENCH_LONG_SECONDS);
    row.end = bench_times_of(t.end, row.runs);
    row.begin = bench_times_of(t.begin, row.runs);
    row.path = bench_times_of(t.path, row.runs);
    row.all = bench_times_of(t.all, row.runs);
    row.cells_per_second =
        (double)pair->target_length * (double)pair->query_length / row.end.median;
    put_row(&row);
    bench_csv_local_row(b, &row);
    return true;
}

const bench_method bench_local = {
    .measure = measure, .heading = put_heading, .rows = BENCH_ROWS_LOCAL, .own_engines = true};
