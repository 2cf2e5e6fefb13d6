/* SPDX-License-Identifier: MIT */
/*
 * The suite `whole`: the command as a user types it, on two plain FASTA files of 250 Mbp that are
 * 99.9 % similar, against what it cannot do without: reading both files, sending and packing the
 * bases, and solving, each measured alone in a process where all else is done. The ratio is what
 * start-up costs: the loader, the driver, kernels from the cache, counting symbols, the end.
 *
 * The files look like an assembly's: a run of N in front, half of the bases in lower case.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define RATIO_MOST 1.5
#define TITLE      "chromosome made by rhomb_bench"

static const bench_source SOURCE = {.name = "whole", .length = 250000000, .rate = 0.001};

/* The files: both sequences, and what the program prints. */
typedef struct whole_files {
    char folder[BENCH_PATH_BYTES];
    char sequences[2][BENCH_PATH_BYTES + 16];
    char output[BENCH_PATH_BYTES + 16];
} whole_files;

static bool make_files(bench *b, whole_files *files)
{
    bench_pair pair;
    if (!bench_folder_make(b, files->folder))
        return false;
    snprintf(files->sequences[0], sizeof files->sequences[0], "%s/target.fa", files->folder);
    snprintf(files->sequences[1], sizeof files->sequences[1], "%s/query.fa", files->folder);
    snprintf(files->output, sizeof files->output, "%s/output", files->folder);
    if (!bench_pair_make(b, &SOURCE, &pair))
        return false;
    const bool good =
        bench_fasta_write(b, files->sequences[0], TITLE, pair.target, pair.target_length, true) &&
        bench_fasta_write(b, files->sequences[1], TITLE, pair.query, pair.query_length, true);
    bench_pair_release(&pair);
    return good;
}

/* The distance in the program's line, its fifth field; -1 when it is none. */
static int64_t printed_distance(const char *path)
{
    long long distance = -1;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%lld", &distance) != 1)
        distance = -1;
    fclose(file);
    return distance;
}

/* The median of `rhomb distance`, and its distance. */
static bool run_whole(bench *b, const whole_files *files, double *median, int64_t *distance)
{
    const char *const words[] = {
        b->program,          "distance",          "--quiet",
        "--no-header",       "--device",          b->device != NULL ? b->device : "auto",
        files->sequences[0], files->sequences[1], NULL};
    if (!bench_program_time(b, words, files->output, median))
        return false;
    *distance = printed_distance(files->output);
    return *distance >= 0 || bench_fail(b, "whole: %s prints no distance", b->program);
}

/* One file, read with a context of its own, as the program does. */
typedef struct reading {
    const char *path;
    rhomb_context *ctx;
    rhomb_sequence *sequence;
    rhomb_status status;
} reading;

static void *read_file(void *user)
{
    reading *r = user;
    r->status = rhomb_context_create(&r->ctx, NULL);
    if (r->status == RHOMB_OK)
        r->status = rhomb_sequence_read(r->ctx, r->path, NULL, &r->sequence);
    return NULL;
}

static void release(reading r[2])
{
    for (int i = 0; i < 2; i++) {
        rhomb_sequence_destroy(r[i].sequence);
        rhomb_context_destroy(r[i].ctx);
    }
}

/* Reads both files at the same time. */
static bool read_both(bench *b, const whole_files *files, reading r[2], double *seconds)
{
    pthread_t other;
    const double began = bench_now();
    memset(r, 0, 2 * sizeof *r);
    r[0].path = files->sequences[0];
    r[1].path = files->sequences[1];
    const bool threaded = pthread_create(&other, NULL, read_file, &r[1]) == 0;
    read_file(&r[0]);
    if (threaded)
        pthread_join(other, NULL);
    else
        read_file(&r[1]);
    *seconds = bench_now() - began;
    if (r[0].status == RHOMB_OK && r[1].status == RHOMB_OK)
        return true;
    release(r);
    return bench_fail(b, "whole: a file cannot be read");
}

/* Reads the files several times, and leaves them read; the first time brings them into memory.
 */
static bool time_reading(bench *b, const whole_files *files, reading r[2], double *median)
{
    double seconds[BENCH_MAX_RUNS + 1];
    for (int i = 0; i <= b->repeat; i++) {
        if (i > 0)
            release(r);
        if (!read_both(b, files, r, &seconds[i]))
            return false;
    }
    *median = bench_times_of(seconds + 1, (int)b->repeat).median;
    return true;
}

/* Transfer and solving alone, and the row. */
static bool run_alone(bench *b, bench_case *c, double whole)
{
    if (!bench_same_distance(b, c, bench_check_by_tiles(b, c->pair), BENCH_BY_TILES) ||
        !bench_take_turns(b, c, 1))
        return false;
    if (c->runs == 0)
        return true;
    const double alone = c->pair->read_seconds + c->times[BENCH_WORK].median;
    c->times[BENCH_PROCESS].median = whole;
    c->ratio = whole / alone;
    c->within = c->ratio <= RATIO_MOST ? "yes" : "no";
    bench_row(b, c);
    printf("%-34s read %.3f s, transfer %.3f s\n", "", c->pair->read_seconds,
           c->times[BENCH_TRANSFER].median);
    return true;
}

static bool measure(bench *b, const bench_suite *suite, const whole_files *files)
{
    reading r[2];
    double whole = 0;
    bench_pair pair = {.name = "99.9 % similar"};
    int64_t distance = BENCH_UNKNOWN;
    if (!run_whole(b, files, &whole, &distance) || !bench_open(b))
        return false;
    bench_title(b, suite->name);
    bench_heading();
    if (!time_reading(b, files, r, &pair.read_seconds))
        return false;
    pair.target = rhomb_sequence_bases(r[0].sequence);
    pair.target_length = rhomb_sequence_length(r[0].sequence);
    pair.query = rhomb_sequence_bases(r[1].sequence);
    pair.query_length = rhomb_sequence_length(r[1].sequence);
    bench_case c = bench_case_of(b, suite, &pair);
    c.distance = distance;
    c.verified_by = BENCH_BY_TILES;
    const bool good = run_alone(b, &c, whole);
    release(r);
    return good;
}

static bool run_suite(bench *b, const bench_suite *suite)
{
    whole_files files = {.folder = ""};
    if (b->program == NULL)
        return bench_fail(b, "name the program of the suite 'whole' with --program");
    const bool good = make_files(b, &files) && measure(b, suite, &files);
    if (files.folder[0] != '\0')
        bench_folder_remove(files.folder);
    return good;
}

const bench_method bench_whole = {.run = run_suite, .own_engines = true};
