/* SPDX-License-Identifier: MIT */
/*
 * The suite `whole`: the command as a user types it, on two plain FASTA files of 250 Mbp that are
 * 99.9 % similar, against what it cannot do without: reading both files, sending and packing the
 * letters, and solving, each measured alone in a process where all else is done. The ratio is what
 * start-up costs: the loader, the driver, kernels from the cache, counting letters, the end.
 *
 * The files look like an assembly's: a run of N in front, half of the letters in lower case.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define LENGTH         INT64_C(250000000)
#define RATE           0.001
#define RATIO_MOST     1.5
#define LINE_LETTERS   60
#define LINES_OF_N     1000 /* in front of both sequences, so that the distance stays */
#define MASKED_LINES   20   /* of each 2 * MASKED_LINES are in lower case */
#define WARMING_RUNS   1
#define OUTPUT_BYTES   1024
#define DISTANCE_FIELD 5 /* of the line that the program prints */

/* The files: both sequences, and what the program prints. */
typedef struct whole_files {
    char folder[BENCH_PATH_BYTES];
    char sequences[2][BENCH_PATH_BYTES + 16];
    char output[BENCH_PATH_BYTES + 16];
} whole_files;

/* ------------------------------------------------------------------- files */

static bool make_files(bench *b, whole_files *files)
{
    if (!bench_folder_make(b, files->folder))
        return false;
    snprintf(files->sequences[0], sizeof files->sequences[0], "%s/target.fa", files->folder);
    snprintf(files->sequences[1], sizeof files->sequences[1], "%s/query.fa", files->folder);
    snprintf(files->output, sizeof files->output, "%s/output", files->folder);
    return true;
}

static bool write_sequence(bench *b, const char *path, const char *letters, int64_t length)
{
    char line[LINE_LETTERS + 1];
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return bench_fail(b, "cannot write %s", path);
    fputs(">chromosome made by rhomb_bench\n", file);
    memset(line, 'N', LINE_LETTERS);
    line[LINE_LETTERS] = '\n';
    for (int i = 0; i < LINES_OF_N; i++)
        fwrite(line, 1, LINE_LETTERS + 1, file);
    for (int64_t at = 0, number = 0; at < length; at += LINE_LETTERS, number++) {
        const int64_t rest = length - at;
        const int64_t count = rest < LINE_LETTERS ? rest : LINE_LETTERS;
        const bool masked = number / MASKED_LINES % 2 == 1;
        for (int64_t i = 0; i < count; i++)
            line[i] = (char)(letters[at + i] + (masked ? 'a' - 'A' : 0));
        line[count] = '\n';
        fwrite(line, 1, (size_t)count + 1, file);
    }
    const bool good = !ferror(file);
    if (fclose(file) != 0 || !good)
        return bench_fail(b, "%s could not be written", path);
    return true;
}

/* --------------------------------------------------------- the whole command */

/* The distance in the program's line; -1 when it is none. */
static int64_t printed_distance(const char *path)
{
    char line[OUTPUT_BYTES] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    char *field = fgets(line, sizeof line, file);
    fclose(file);
    for (int i = 1; i < DISTANCE_FIELD && field != NULL; i++) {
        field = strchr(field, '\t');
        field = field != NULL ? field + 1 : NULL;
    }
    char *end = NULL;
    const long long distance = field != NULL ? strtoll(field, &end, 10) : -1;
    return field != NULL && end != field && *end == '\t' ? distance : -1;
}

/* Runs `rhomb distance` once, from nothing to its end. */
static bool run_program(bench *b, const whole_files *files, double *seconds, int64_t *distance)
{
    const char *const words[] = {
        b->program,          "distance",          "--quiet",
        "--no-header",       "--device",          b->device != NULL ? b->device : "auto",
        files->sequences[0], files->sequences[1], NULL};
    if (!bench_program_run(b, words, files->output, seconds))
        return false;
    *distance = printed_distance(files->output);
    return *distance >= 0 || bench_fail(b, "whole: %s prints no distance", b->program);
}

/* ------------------------------------------------------------------- alone */

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

static void release_reading(reading *r)
{
    rhomb_sequence_destroy(r->sequence);
    rhomb_context_destroy(r->ctx);
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
    release_reading(&r[0]);
    release_reading(&r[1]);
    return bench_fail(b, "whole: a file cannot be read");
}

/* Reads the files several times, and leaves them read. */
static bool time_reading(bench *b, const whole_files *files, reading r[2], double *median)
{
    double seconds[BENCH_MAX_RUNS + WARMING_RUNS];
    for (int i = 0; i < b->repeat + WARMING_RUNS; i++) {
        if (i > 0) {
            release_reading(&r[0]);
            release_reading(&r[1]);
        }
        if (!read_both(b, files, r, &seconds[i]))
            return false;
    }
    *median = bench_times_of(seconds + WARMING_RUNS, b->repeat).median;
    return true;
}

/* ------------------------------------------------------------------- suite */

/* What is alone, with the whole command's median in `whole`, and the row. */
static bool run_alone(bench *b, const whole_files *files, double whole, int64_t distance)
{
    reading r[2];
    double read_seconds = 0;
    if (!bench_open(b) || !time_reading(b, files, r, &read_seconds))
        return false;
    const bench_pair pair = {.name = "99.9 % similar",
                             .target = rhomb_sequence_letters(r[0].sequence),
                             .target_length = rhomb_sequence_length(r[0].sequence),
                             .query = rhomb_sequence_letters(r[1].sequence),
                             .query_length = rhomb_sequence_length(r[1].sequence),
                             .read_seconds = read_seconds};
    const bench_case c = {.suite = "whole",
                          .pair = &pair,
                          .engine = bench_engine(b, RHOMB_ENGINE_AUTO),
                          .tuning = b->tuning,
                          .max_distance = RHOMB_NO_LIMIT,
                          .distance = distance,
                          .verified_by = BENCH_BY_TILES,
                          .repeat = b->repeat,
                          .verify_first = true};
    bench_runs runs = {0};
    bool good =
        bench_check_by_tiles(b, &pair) == distance ||
        bench_fail(b, "whole: another distance than %" PRId64 " by %s", distance, BENCH_BY_TILES);
    while (good && !runs.done)
        good = bench_run_once(b, &c, &runs);
    if (good) {
        bench_measured measured = bench_summary(b, &runs);
        measured.process_seconds = whole;
        measured.ratio = whole / (read_seconds + measured.work.median);
        measured.within = measured.ratio <= RATIO_MOST ? "yes" : "no";
        bench_row(b, &c, &measured);
        printf("%-34s whole command %.3f s; read %.3f, transfer %.3f, solve %.3f s; ratio %.2f%s\n",
               "", whole, read_seconds, measured.transfer_seconds, measured.solve.median,
               measured.ratio, measured.ratio <= RATIO_MOST ? "" : " MISSED");
    }
    release_reading(&r[0]);
    release_reading(&r[1]);
    return good;
}

/* The median of the whole command, and its distance, which must be the same in all runs. */
static bool run_whole(bench *b, const whole_files *files, double *median, int64_t *distance)
{
    double seconds[BENCH_MAX_RUNS + WARMING_RUNS];
    for (int i = 0; i < b->repeat + WARMING_RUNS; i++) {
        int64_t again = -1;
        if (!run_program(b, files, &seconds[i], &again))
            return false;
        if (i > 0 && again != *distance)
            return bench_fail(b, "whole: the distances of two runs differ");
        *distance = again;
    }
    *median = bench_times_of(seconds + WARMING_RUNS, b->repeat).median;
    return true;
}

bool bench_suite_whole(bench *b)
{
    whole_files files;
    bench_pair pair;
    double whole = 0;
    int64_t distance = BENCH_UNKNOWN;
    if (b->program == NULL)
        return bench_fail(b, "name the program of the suite 'whole' with --program");
    if (!make_files(b, &files))
        return false;
    bool good = bench_pair_generate(b, "whole", LENGTH, RATE, &pair);
    if (good) {
        good = write_sequence(b, files.sequences[0], pair.target, pair.target_length) &&
               write_sequence(b, files.sequences[1], pair.query, pair.query_length);
        bench_pair_release(&pair);
    }
    good = good && run_whole(b, &files, &whole, &distance);
    if (good && bench_open(b))
        bench_heading(b, "whole");
    good = good && run_alone(b, &files, whole, distance);
    bench_folder_remove(files.folder);
    return good;
}
