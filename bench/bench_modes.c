/* SPDX-License-Identifier: MIT */
/*
 * The suites `batch_affine`, `batch_local`, `batch_extend` and `batch_ends`, and `batch_matrix` and
 * `batch_matrix_whole` with a substitution matrix: many pairs with gap-affine costs, scores alone
 * and with CIGAR, by one batch object that is used again for each run; and a sample of them by the
 * program that is there for the mode, on one core. Before anything is timed, a run has every CIGAR
 * followed and its score added up, and the sample's scores compared with that program's.
 *
 * Cells are those of the whole matrix, however few of them were computed.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_batch.h"
#include "rhomb/scoring.h"
#include "tests/reference/path_judge.h"
#include "tests/reference/peers.h"
#include "tests/reference/random_bases.h"

/* Cells that a peer computes of a sample, and its least pairs. */
#define PEER_CELLS 3e8
#define PEER_LEAST 8

/* Of the set with mixed lengths: the shortest and the longest. */
#define MIXED_LEAST 20.0
#define MIXED_MOST  100000.0

/* What a suite does. */
typedef struct bench_mode {
    const char *suite;
    const char *scoring;
    rhomb_mode mode;
} bench_mode;

static const bench_mode MODES[] = {
    {"batch_affine", "affine:4,6,2", RHOMB_MODE_GLOBAL},
    {"batch_local", "match:2,4,4,2", RHOMB_MODE_LOCAL},
    {"batch_extend", "match:2,4,4,2", RHOMB_MODE_EXTEND},
    {"batch_ends", "affine:4,6,2", RHOMB_MODE_ENDS_FREE},
    {"batch_matrix", "matrix:BLOSUM62,11,1", RHOMB_MODE_LOCAL},
    {"batch_matrix_whole", "matrix:BLOSUM62,11,1", RHOMB_MODE_GLOBAL},
};

static const bench_mode *mode_of(const bench_suite *suite)
{
    const bench_mode *m = MODES;
    while (strcmp(m->suite, suite->name) != 0)
        m++;
    return m;
}

/* A set under measurement, and what its results come to. */
typedef struct measured {
    const bench_mode *mode;
    const bench_set *set;
    oracle_penalties penalties;
    oracle_mode how;
    rhomb_batch *batch;
    bool cigar;
    bool checks; /* each pair is looked at, in a run that is not timed */
    int64_t *scores;
    int64_t sum;
    int64_t operations;
    const char *why;
    size_t wrong; /* a pair's number + 1 */
    double cells;
} measured;

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    measured *m = user;
    for (size_t i = 0; i < count && m->wrong == 0; i++) {
        const size_t number = ((size_t)first + i) % m->set->count;
        const rhomb_pair_result *r = results[i];
        if (r->status != RHOMB_OK || r->extent == NULL) {
            m->why = r->detail;
            m->wrong = number + 1;
            continue;
        }
        m->sum += r->extent->score;
        m->operations += r->cigar_count;
        if (!m->checks)
            continue;
        m->scores[number] = r->extent->score;
        m->why = m->cigar ? path_judge_extent(r->cigar, r->cigar_count, &m->set->pairs[number],
                                              r->extent, &m->penalties)
                          : NULL;
        m->wrong = m->why != NULL ? number + 1 : 0;
    }
    return m->wrong != 0;
}

static bool solve(bench *b, measured *m, double *seconds, double *cpu)
{
    const double began = bench_now(), cpu_began = bench_cpu_now();
    m->sum = m->operations = 0;
    rhomb_status status = rhomb_batch_add(m->batch, m->set->pairs, m->set->count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(m->batch);
    *seconds = bench_now() - began;
    *cpu = bench_cpu_now() - cpu_began;
    if (m->wrong != 0)
        return bench_fail(b, "%s, pair %zu: %s", m->set->name, m->wrong - 1, m->why);
    return status == RHOMB_OK || bench_fail(b, "%s: %s", m->set->name, rhomb_context_error(b->ctx));
}

/* Lengths from 20 to 100,000, as many of each order of magnitude, 5 % of errors. */
static bool make_mixed(bench *b, const bench_source *source, bench_set *set)
{
    const size_t count = (size_t)bench_scaled(b, source->count);
    const int64_t longest = (int64_t)MIXED_MOST;
    uint64_t state = 20261125;
    char *bases = malloc((size_t)(3 * longest));
    *set = (bench_set){.rate = source->rate, .pairs = calloc(count, sizeof *set->pairs)};
    snprintf(set->name, sizeof set->name, "%s", source->name);
    size_t room = 0, used = 0;
    for (; bases != NULL && set->pairs != NULL && set->count < count; set->count++) {
        double length = MIXED_LEAST;
        for (uint64_t turns = random_next(&state) % 3700; turns > 0; turns--)
            length *= 1.0023037; /* 3,697 times are 5,000 times as long */
        rhomb_pair *pair = &set->pairs[set->count];
        pair->target_length = (int64_t)length;
        random_bases(bases, pair->target_length, &state);
        pair->query_length = random_edits(bases, pair->target_length, source->rate, &state,
                                          bases + pair->target_length);
        const size_t bytes = (size_t)(pair->target_length + pair->query_length);
        if (used + bytes > room) {
            room = 2 * room + bytes;
            char *grown = realloc(set->memory, room);
            if (grown == NULL)
                break;
            set->memory = grown;
        }
        memcpy(set->memory + used, bases, bytes);
        used += bytes;
        set->bases += (int64_t)bytes;
    }
    free(bases);
    if (set->count < count)
        return bench_fail(b, "out of memory for %s", source->name);
    used = 0;
    for (size_t i = 0; i < count; i++) { /* memory has stopped moving */
        set->pairs[i].target = set->memory + used;
        set->pairs[i].query = set->pairs[i].target + set->pairs[i].target_length;
        used += (size_t)(set->pairs[i].target_length + set->pairs[i].query_length);
    }
    return true;
}

static void put_heading(void)
{
    printf("%-22s %-9s %5s %8s %10s %10s %10s %11s %11s %11s\n", "case", "", "", "pairs", "seconds",
           "min", "max", "M pairs/s", "G cells/s", "of a core");
}

static void put_row(bench *b, const bench_batch_row *row)
{
    printf("%-22s %-9s %5s %8zu %10.5f %10.5f %10.5f %11.5f %11.4f %11.4f\n", row->set->name,
           row->program, row->cigar ? "cigar" : "", row->pairs, row->seconds.median,
           row->seconds.least, row->seconds.most, (double)row->pairs / row->seconds.median / 1e6,
           row->cells / row->seconds.median / 1e9, row->cells / row->cpu_seconds / 1e9);
    fflush(stdout);
    bench_csv_batch_row(b, row);
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bench_batch_row row_of(const measured *m, const char *program, double *seconds, double *cpu,
                              int runs)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, compare_seconds);
    qsort(cpu, (size_t)runs, sizeof *cpu, compare_seconds);
    bench_batch_row row = {
        .suite = m->mode->suite,
        .set = m->set,
        .program = program,
        .cigar = m->cigar,
        .threads = 1,
        .pairs = m->set->count,
        .runs = runs,
        .seconds = {seconds[runs / 2], seconds[0], seconds[runs - 1]},
        .cpu_seconds = cpu[runs / 2],
        .scoring = m->mode->scoring,
        .cells = m->cells,
    };
    return row;
}

static double cells_of(const rhomb_pair *pair)
{
    return (double)pair->target_length * (double)pair->query_length;
}

/* The peer on neighbours from the first pair on; its scores have to be ours. */
static bool run_peer(bench *b, measured *m)
{
    const char *name = oracle_mode_peer(m->mode->mode);
    double cells = 0, seconds[1];
    size_t count = 0;
    if (name[0] == '\0' || m->cigar ||
        (m->penalties.matrix != NULL && m->how.mode != RHOMB_MODE_LOCAL) ||
        !oracle_mode_peer_takes(m->mode->mode, &m->penalties))
        return true;
    const double began = bench_cpu_now();
    while (count < m->set->count && (cells < PEER_CELLS || count < PEER_LEAST)) {
        const rhomb_pair_extent theirs =
            oracle_mode_by_peer(&m->set->pairs[count], &m->penalties, &m->how);
        if (theirs.score != m->scores[count])
            return bench_fail(b, "%s, pair %zu: score %lld, by %s %lld", m->set->name, count,
                              (long long)m->scores[count], name, (long long)theirs.score);
        cells += cells_of(&m->set->pairs[count++]);
    }
    seconds[0] = bench_cpu_now() - began;
    bench_batch_row row = row_of(m, name, seconds, seconds, 1);
    row.pairs = count;
    row.cells = cells;
    snprintf(row.verified_by, sizeof row.verified_by, "rhomb");
    put_row(b, &row);
    return true;
}

/* The letters of a matrix of proteins are amino acids; false, always. */
static bool set_alphabet(rhomb_batch_options *options)
{
    if (options->scoring->matrix != NULL)
        options->alphabet = options->scoring->matrix->alphabet;
    return false;
}

/* Scores alone, or with CIGARs. */
static bool measure(bench *b, measured *m, bool cigar)
{
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_scoring scoring;
    double seconds[BENCH_MAX_RUNS], cpu[BENCH_MAX_RUNS], first = 0, first_cpu = 0;
    int runs = 0;
    m->cigar = cigar;
    tuning.workers = (int32_t)b->workers;
    tuning.one_bin = b->one_bin == 1;
    tuning.score_bits = (int32_t)b->score_bits;
    tuning.bit_planes = (int32_t)b->bit_planes;
    options.tuning = &tuning;
    options.cigar = cigar;
    options.results = take;
    options.user = m;
    options.scoring = &scoring;
    options.mode = m->mode->mode;
    options.free_ends = m->how.free_ends;
    options.z_drop = m->how.z_drop;
    options.ends_only = !cigar;
    if (rhomb_scoring_parse(b->ctx, m->mode->scoring, &scoring) != RHOMB_OK ||
        set_alphabet(&options) || rhomb_batch_create(b->ctx, &options, &m->batch) != RHOMB_OK)
        return bench_fail(b, "%s: %s", m->set->name, rhomb_context_error(b->ctx));
    m->checks = true;
    bool good = solve(b, m, &first, &first_cpu);
    const int64_t sum = m->sum, operations = m->operations;
    m->checks = false;
    for (; good && runs < b->repeat; runs++) {
        good = solve(b, m, &seconds[runs], &cpu[runs]) &&
               ((m->sum == sum && m->operations == operations) ||
                bench_fail(b, "%s: two runs differ: scores %lld, %lld, operations %lld, %lld",
                           m->set->name, (long long)sum, (long long)m->sum, (long long)operations,
                           (long long)m->operations));
    }
    good = good && run_peer(b, m);
    if (good) {
        bench_batch_row row = row_of(m, "rhomb", seconds, cpu, runs);
        row.report = *rhomb_batch_get_report(m->batch);
        row.threads = row.report.workers;
        row.first_seconds = first;
        snprintf(row.verified_by, sizeof row.verified_by, "%s%s", oracle_mode_peer(m->mode->mode),
                 cigar ? "; every CIGAR" : "");
        put_row(b, &row);
    }
    rhomb_batch_destroy(m->batch);
    m->batch = NULL;
    return good;
}

static bool measure_source(bench *b, const bench_suite *suite, const bench_source *source)
{
    bench_set set;
    rhomb_scoring s;
    measured m = {.mode = mode_of(suite), .set = &set};
    if (source->length > 0 ? !bench_set_make(b, source, &set) : !make_mixed(b, source, &set))
        return false;
    if (rhomb_scoring_parse(b->ctx, m.mode->scoring, &s) != RHOMB_OK)
        return bench_fail(b, "%s", rhomb_context_error(b->ctx));
    m.penalties = oracle_penalties_of(&s);
    m.how = (oracle_mode){.mode = m.mode->mode, .z_drop = -1};
    if (m.how.mode == RHOMB_MODE_ENDS_FREE)
        m.how.free_ends = (rhomb_free_ends){0, 0, 50, 50};
    for (size_t i = 0; i < set.count; i++)
        m.cells += cells_of(&set.pairs[i]);
    m.scores = calloc(set.count, sizeof *m.scores);
    bool good = m.scores != NULL || bench_fail(b, "out of memory for %s", set.name);
    good = good && measure(b, &m, false) && measure(b, &m, true);
    free(m.scores);
    bench_set_release(&set);
    return good;
}

const bench_method bench_modes = {.measure_set = measure_source,
                                  .heading = put_heading,
                                  .rows = BENCH_ROWS_BATCHES,
                                  .own_engines = true};
