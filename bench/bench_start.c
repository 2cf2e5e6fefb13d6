/* SPDX-License-Identifier: MIT */
/*
 * The suite `start`: what a user waits for besides the work, from nothing to the distance of a
 * small pair. Each run is a process of its own, because a driver starts and fills its caches only
 * once in a process. "cold" begins with empty caches, the library's and the driver's; "warm" finds
 * those of the run before.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child says. Strings in the report are constants, at the same address in the parent. */
typedef struct start_message {
    rhomb_status status;
    char error[1024];
    double open_seconds;
    rhomb_report report;
} start_message;

typedef struct start_run {
    start_message message;
    double process_seconds;
} start_run;

/* PoCL and NVIDIA's driver keep built programs in folders that the environment names. */
static bool move_caches(const char *folder, char *program_cache, size_t size)
{
    static const char *const VARIABLES[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH"};
    static const char *const NAMES[] = {"pocl", "cuda"};
    char path[4096];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        if ((mkdir(path, 0700) != 0 && access(path, W_OK) != 0) ||
            setenv(VARIABLES[i], path, 1) != 0)
            return false;
    }
    return snprintf(program_cache, size, "%s/rhomb", folder) < (int)size;
}

/* From nothing to a distance. */
static void start(const bench *b, const bench_pair *pair, const char *folder, start_message *out)
{
    char program_cache[4096];
    rhomb_context *ctx = NULL;
    rhomb_result *result = NULL;
    rhomb_context_options context_options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = RHOMB_ENGINE_WAVEFRONT;
    options.tuning = &b->tuning;
    memset(out, 0, sizeof *out);
    out->status = RHOMB_ERR_INTERNAL;
    if (!move_caches(folder, program_cache, sizeof program_cache))
        return;
    context_options.cache_dir = program_cache;
    const double began = bench_now();
    out->status = rhomb_context_create(&ctx, &context_options);
    if (out->status == RHOMB_OK)
        out->status = rhomb_context_open(ctx, b->device, 0);
    out->open_seconds = bench_now() - began;
    if (out->status == RHOMB_OK)
        out->status = rhomb_distance(ctx, pair->target, pair->target_length, pair->query,
                                     pair->query_length, &options, &result);
    if (out->status == RHOMB_OK)
        out->report = *rhomb_result_report(result);
    else if (ctx != NULL)
        snprintf(out->error, sizeof out->error, "%s", rhomb_context_error(ctx));
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
}

/* Runs start() in a child, which must not be created once this process has used OpenCL. */
static bool start_process(bench *b, const bench_pair *pair, const char *folder, start_run *run)
{
    int ends[2];
    int exit_status = 0;
    start_message *message = &run->message;
    if (pipe(ends) != 0)
        return bench_fail(b, "no pipe for a child process");
    fflush(NULL);
    const double began = bench_now();
    const pid_t child = fork();
    if (child == 0) {
        start(b, pair, folder, message);
        const bool sent = write(ends[1], message, sizeof *message) == (ssize_t)sizeof *message;
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    size_t got = 0;
    ssize_t more = child > 0 ? 1 : 0;
    while (more > 0 && got < sizeof *message) {
        more = read(ends[0], (char *)message + got, sizeof *message - got);
        got += more > 0 ? (size_t)more : 0;
    }
    close(ends[0]);
    if (child < 0 || waitpid(child, &exit_status, 0) != child || exit_status != 0 ||
        got != sizeof *message)
        return bench_fail(b, "start: the child process failed");
    run->process_seconds = bench_now() - began;
    if (message->status != RHOMB_OK)
        return bench_fail(b, "start: %s: %s", rhomb_status_text(message->status), message->error);
    return true;
}

/* `repeat` runs with empty caches, then as many with the caches of the last one. */
static bool start_processes(bench *b, const bench_pair *pair, start_run *cold, start_run *warm)
{
    char folder[BENCH_PATH_BYTES] = "";
    bool good = true;
    for (int i = 0; i < b->repeat && good; i++) {
        if (i > 0)
            bench_folder_remove(folder);
        good = bench_folder_make(b, folder);
        if (!good)
            return false;
        good = start_process(b, pair, folder, &cold[i]);
    }
    for (int i = 0; i < b->repeat && good; i++)
        good = start_process(b, pair, folder, &warm[i]);
    bench_folder_remove(folder);
    return good;
}

/* Medians of one kind of run, each field on its own. */
static bench_measured summarise(const start_run *runs, int count)
{
    bench_measured measured = {.report = runs[count - 1].message.report, .runs = count};
    const struct {
        double *median;
        const double *first;
    } fields[] = {
        {&measured.open_seconds, &runs[0].message.open_seconds},
        {&measured.build_seconds, &runs[0].message.report.seconds_build},
        {&measured.transfer_seconds, &runs[0].message.report.seconds_transfer},
        {&measured.inspect_seconds, &runs[0].message.report.seconds_inspect},
        {&measured.total_seconds, &runs[0].message.report.seconds_total},
        {&measured.process_seconds, &runs[0].process_seconds},
    };
    double values[BENCH_MAX_RUNS];
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        const size_t offset = (size_t)((const char *)fields[f].first - (const char *)runs);
        for (int i = 0; i < count; i++)
            memcpy(&values[i], (const char *)&runs[i] + offset, sizeof values[i]);
        *fields[f].median = bench_times_of(values, count).median;
    }
    for (int i = 0; i < count; i++)
        values[i] = runs[i].message.report.seconds_solve;
    measured.solve = bench_times_of(values, count);
    return measured;
}

/* Rows of both kinds of run, once the distance is known to be right. */
static void report_runs(bench *b, const bench_pair *pair, const start_run *cold,
                        const start_run *warm)
{
    const bench_pair swapped = {.name = "query and target exchanged",
                                .target = pair->query,
                                .target_length = pair->query_length,
                                .query = pair->target,
                                .query_length = pair->target_length};
    const int64_t distance = bench_distance(b, &swapped, RHOMB_ENGINE_WAVEFRONT, &b->tuning);
    const start_run *kinds[] = {cold, warm};
    static const char *const NAMES[] = {"cold caches", "warm caches"};
    for (int k = 0; k < 2; k++) {
        const bench_case c = {.suite = "start",
                              .name = NAMES[k],
                              .pair = pair,
                              .engine = RHOMB_ENGINE_WAVEFRONT,
                              .max_distance = RHOMB_NO_LIMIT,
                              .distance = distance,
                              .verified_by = "target and query exchanged"};
        for (int i = 0; i < b->repeat; i++)
            if (kinds[k][i].message.report.distance != distance)
                bench_fail(b, "start: the distances of %s differ", NAMES[k]);
        const bench_measured measured = summarise(kinds[k], b->repeat);
        if (!b->failed)
            bench_row(b, &c, &measured);
    }
}

bool bench_suite_start(bench *b)
{
    bench_pair pair;
    start_run *runs = calloc((size_t)b->repeat * 2, sizeof *runs);
    if (runs == NULL)
        return bench_fail(b, "out of memory");
    /* As long and as different as the mitochondria of two great apes. */
    bool good = bench_pair_generate(b, "16.5 k 20 %", 16500, 0.2, &pair);
    if (good) {
        good = start_processes(b, &pair, runs, runs + b->repeat) && bench_open(b);
        if (good) {
            bench_heading(b, "start");
            report_runs(b, &pair, runs, runs + b->repeat);
        }
        bench_pair_release(&pair);
    }
    free(runs);
    return good;
}
