/* SPDX-License-Identifier: MIT */
/*
 * The suite `matrix_many`: all pairs of many genomes that are copies of one with edits, by
 * rhomb_matrix_compute(), in turns with edlib on some of the pairs. Before anything is timed edlib
 * verifies 10,000 distances of 30 kb, spread evenly, or all where there are fewer. Rows are those
 * of batches.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_batch.h"
#include "rhomb/matrix.h"
#include "tests/reference/random_bases.h"

#define SEED UINT64_C(20261124)
/* Pairs of 30 kb that edlib verifies, and those of its timed runs, for each thread; of longer
 * genomes as many bases. */
#define CHECKED    10000
#define PEER_PAIRS 200
#define PEER_BASES 30000

/* All pairs of some genomes, in the order of a matrix. */
typedef struct family {
    bench *b;
    bench_set set; /* the pairs; its memory has the genomes */
    rhomb_matrix_sequence *genomes;
    int64_t count;
    int64_t *distances;     /* of the pairs */
    int64_t taken, sum;     /* of a run */
    int threads;            /* of edlib */
    bench_workers *workers; /* NULL: built without it */
    bench_sample checked, timed;
    rhomb_matrix_report report; /* of the last run */
    bench_case turns[2];
} family;

static int take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    family *f = user;
    memcpy(f->distances + rhomb_matrix_pair(row, column), distances, count * sizeof *distances);
    for (size_t i = 0; i < count; i++)
        f->sum += distances[i];
    f->taken += (int64_t)count;
    return 0;
}

static void make_pairs(family *f)
{
    bench_set *set = &f->set;
    for (int64_t i = 1; i < f->count; i++)
        for (int64_t j = 0; j < i; j++) {
            const rhomb_matrix_sequence *row = &f->genomes[i], *column = &f->genomes[j];
            set->pairs[set->count++] =
                (rhomb_pair){column->bases, column->length, row->bases, row->length};
            set->bases += row->length + column->length;
        }
}

static bool make(family *f, const bench_source *source)
{
    bench *b = f->b;
    bench_set *set = &f->set;
    const int64_t length = source->length;
    uint64_t state = SEED ^ (uint64_t)length ^ random_threshold(source->rate);
    f->count = (int64_t)((double)source->count * b->scale);
    f->count = f->count < 8 ? 8 : f->count;
    const size_t pairs = (size_t)rhomb_matrix_pair(f->count, 0);
    snprintf(set->name, sizeof set->name, "%s", source->name);
    set->length = length;
    set->rate = source->rate;
    set->pairs = calloc(pairs, sizeof *set->pairs);
    set->memory = malloc((size_t)(f->count + 1) * 2 * (size_t)length);
    f->genomes = calloc((size_t)f->count, sizeof *f->genomes);
    f->distances = calloc(pairs, sizeof *f->distances);
    if (set->pairs == NULL || set->memory == NULL || f->genomes == NULL || f->distances == NULL)
        return bench_fail(b, "out of memory for %s", source->name);
    random_bases(set->memory, length, &state);
    char *at = set->memory + length;
    for (int64_t i = 0; i < f->count; i++) {
        f->genomes[i].bases = at;
        f->genomes[i].length = random_edits(set->memory, length, source->rate, &state, at);
        at += f->genomes[i].length;
    }
    make_pairs(f);
    return true;
}

/* All pairs once. */
static bool solve(family *f, double seconds[BENCH_CLOCKS])
{
    bench *b = f->b;
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    options.results = take;
    options.user = f;
    f->taken = f->sum = 0;
    f->report = (rhomb_matrix_report)RHOMB_MATRIX_REPORT_INIT;
    const double cpu = bench_cpu_now(), began = bench_now();
    const rhomb_status status =
        rhomb_matrix_compute(b->ctx, f->genomes, f->count, &options, &f->report);
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    if (status != RHOMB_OK)
        return bench_fail(b, "%s: %s", f->set.name, rhomb_context_error(b->ctx));
    return f->taken == (int64_t)f->set.count || bench_fail(b, "%s: pairs are missing", f->set.name);
}

static bool run_matrix(bench *b, bench_case *turn, double seconds[BENCH_CLOCKS])
{
    family *f = turn->user;
    const int64_t sum = f->sum;
    if (!solve(f, seconds))
        return false;
    if (turn->calls > 0)
        return f->sum == sum || bench_fail(b, "%s: two runs differ", f->set.name);
    return f->workers == NULL ||
           bench_workers_solve(b, f->workers, &f->set, f->checked, f->distances);
}

static bool run_edlib(bench *b, bench_case *turn, double seconds[BENCH_CLOCKS])
{
    family *f = turn->user;
    const double cpu = bench_cpu_now(), began = bench_now();
    const bool good = bench_workers_solve(b, f->workers, &f->set, f->timed, f->distances);
    seconds[BENCH_WALL] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu;
    return good;
}

static void put_heading(void)
{
    printf("%-26s %-6s %7s %9s %8s %10s %10s %10s %10s %12s  %s\n", "case", "", "threads", "pairs",
           "distance", "seconds", "min", "max", "k pairs/s", "us of a core", "to edlib's");
}

static double pairs_per_core_second(const bench_batch_row *row)
{
    return row->cpu_seconds > 0 ? (double)row->pairs / row->cpu_seconds : 0;
}

static bench_batch_row row_of(const family *f, const bench_case *turn, size_t pairs, int threads)
{
    bench_batch_row row = {.suite = turn->suite,
                           .set = &f->set,
                           .program = turn->name,
                           .threads = threads,
                           .pairs = pairs,
                           .mean_distance = (double)f->sum / (double)f->set.count,
                           .verified_by = "rhomb",
                           .runs = turn->runs,
                           .first_seconds = turn->first_seconds,
                           .seconds = turn->times[BENCH_WALL],
                           .cpu_seconds = turn->times[BENCH_CPU].median};
    return row;
}

static void put_row(bench *b, const bench_batch_row *row)
{
    printf("%-26s %-6s %7d %9zu %8.2f %10.5f %10.5f %10.5f %10.1f %12.2f", row->set->name,
           row->program, row->threads, row->pairs, row->mean_distance, row->seconds.median,
           row->seconds.least, row->seconds.most, (double)row->pairs / row->seconds.median / 1e3,
           1e6 / pairs_per_core_second(row));
    if (row->ratios[BENCH_EDLIB] != 0)
        printf("  %.1f", row->ratios[BENCH_EDLIB]);
    putchar('\n');
    fflush(stdout);
    bench_csv_batch_row(b, row);
}

static void put_rows(family *f)
{
    bench_batch_row ours = row_of(f, &f->turns[0], f->set.count, 1);
    const rhomb_matrix_report *r = &f->report;
    if (f->workers != NULL)
        snprintf(ours.verified_by, sizeof ours.verified_by, "edlib on %zu pairs", f->checked.count);
    ours.report.pairs = r->pairs;
    ours.report.long_pairs = r->long_pairs;
    ours.report.jobs = r->jobs;
    ours.report.device_bytes = r->device_bytes;
    ours.report.seconds_build = r->seconds_build;
    ours.report.seconds_fill = r->seconds_pack;
    ours.report.seconds_device = r->seconds_solve;
    ours.report.seconds_long = r->seconds_long;
    ours.report.seconds_deliver = r->seconds_deliver;
    if (f->workers != NULL) {
        const bench_batch_row theirs = row_of(f, &f->turns[1], f->timed.count, f->threads);
        ours.ratios[BENCH_EDLIB] = pairs_per_core_second(&ours) / pairs_per_core_second(&theirs);
        put_row(f->b, &theirs);
    }
    put_row(f->b, &ours);
}

/* As many of the pairs as have the bases of so many pairs of 30 kb; one at least. */
static size_t share(const family *f, size_t pairs)
{
    const size_t count = pairs * PEER_BASES / (size_t)f->set.length;
    const size_t most = count < 1 ? 1 : count;
    return most < f->set.count ? most : f->set.count;
}

static bool measure(bench *b, const bench_suite *suite, family *f)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    f->threads = b->peer_threads > 0 ? (int)b->peer_threads : cores > 0 ? (int)cores : 1;
    const size_t step = 1 + f->set.count / share(f, CHECKED);
    f->checked = (bench_sample){.step = step, .count = (f->set.count + step - 1) / step};
    f->timed = (bench_sample){.step = 1, .count = share(f, PEER_PAIRS * (size_t)f->threads)};
    if (bench_has_peer(BENCH_EDLIB))
        f->workers = bench_workers_create(b, BENCH_EDLIB, false, f->threads);
    if (bench_has_peer(BENCH_EDLIB) && f->workers == NULL)
        return false;
    for (int i = 0; i < 2; i++) {
        f->turns[i] = bench_case_of(b, suite, NULL);
        f->turns[i].name = i == 0 ? "rhomb" : bench_peer_names[BENCH_EDLIB];
        f->turns[i].run = i == 0 ? run_matrix : run_edlib;
        f->turns[i].user = f;
        f->turns[i].done = i > 0 && f->workers == NULL;
    }
    if (!bench_take_turns(b, f->turns, 2))
        return false;
    put_rows(f);
    return true;
}

static bool measure_source(bench *b, const bench_suite *suite, const bench_source *source)
{
    family f = {.b = b};
    const bool good = make(&f, source) && measure(b, suite, &f);
    bench_workers_destroy(f.workers);
    free(f.distances);
    free(f.genomes);
    bench_set_release(&f.set);
    return good;
}

const bench_method bench_matrix_many = {.measure_set = measure_source,
                                        .heading = put_heading,
                                        .rows = BENCH_ROWS_BATCHES,
                                        .own_engines = true};
