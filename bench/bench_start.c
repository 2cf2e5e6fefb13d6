/* SPDX-License-Identifier: MIT */
/*
 * The suite `start`: what a user waits for besides the work, from nothing to the distance of a
 * small pair. Each run is a process of its own, because a driver starts and fills its caches only
 * once in a process. "cold" begins with empty caches, the library's and the driver's; "warm" finds
 * those of the run before.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "tests/reference/keep_plan.h"

/* What a child says. Strings in the report are constants, at the same address in the parent. */
typedef struct start_message {
    rhomb_status status;
    char error[1024];
    double open_seconds;
    rhomb_report report;
    rhomb_plan plan; /* of the report */
} start_message;

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
    if (out->status == RHOMB_OK) {
        out->report = *rhomb_result_report(result);
        out->plan = *out->report.plan;
    } else if (ctx != NULL) {
        snprintf(out->error, sizeof out->error, "%s", rhomb_context_error(ctx));
    }
    rhomb_result_destroy(result);
    rhomb_context_destroy(ctx);
}

/*
 * Runs start() in a child, which must not be created once this process has used OpenCL, and writes
 * into memory that both share.
 */
static bool start_process(bench *b, const bench_pair *pair, const char *folder, start_message *m,
                          double *seconds)
{
    int exit_status = 0;
    start_message *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return bench_fail(b, "no memory for a child process");
    fflush(NULL);
    const double began = bench_now();
    const pid_t child = fork();
    if (child == 0) {
        start(b, pair, folder, shared);
        _exit(0);
    }
    const bool good = child > 0 && waitpid(child, &exit_status, 0) == child && exit_status == 0;
    *seconds = bench_now() - began;
    *m = *shared;
    munmap(shared, sizeof *shared);
    if (!good)
        return bench_fail(b, "start: the child process failed");
    return m->status == RHOMB_OK ||
           bench_fail(b, "start: %s: %s", rhomb_status_text(m->status), m->error);
}

/* A process, with the caches of the folder that the case has. */
static bool run_process(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    start_message m;
    const rhomb_report *r = &m.report;
    if (!start_process(b, c->pair, c->user, &m, &seconds[BENCH_PROCESS]))
        return false;
    c->report = *r;
    c->report.plan = keep_plan(&m.plan);
    seconds[BENCH_SOLVE] = r->seconds_solve;
    seconds[BENCH_OPEN] = m.open_seconds;
    seconds[BENCH_INSPECT] = r->seconds_inspect;
    seconds[BENCH_BUILD] = r->seconds_build;
    seconds[BENCH_TRANSFER] = r->seconds_transfer;
    seconds[BENCH_TOTAL] = r->seconds_total;
    if (c->calls > 0 && r->distance != c->distance)
        return bench_fail(b, "start: the distances of %s differ", c->name);
    c->distance = r->distance;
    return true;
}

/* `repeat` runs with empty caches, then as many with the caches of the last one. */
static bool start_processes(bench *b, bench_case *cold, bench_case *warm)
{
    char folder[BENCH_PATH_BYTES];
    bool good = true;
    cold->user = warm->user = folder;
    while (good && !cold->done) {
        if (cold->calls > 0)
            bench_folder_remove(folder);
        if (!bench_folder_make(b, folder))
            return false;
        good = bench_run_once(b, cold);
    }
    while (good && !warm->done)
        good = bench_run_once(b, warm);
    bench_folder_remove(folder);
    return good;
}

/* Rows of both kinds of run, once the distance is known to be right. */
static bool report_runs(bench *b, const bench_pair *pair, bench_case *kinds)
{
    const bench_pair swapped = {.name = "query and target exchanged",
                                .target = pair->query,
                                .target_length = pair->query_length,
                                .query = pair->target,
                                .query_length = pair->target_length};
    const int64_t distance = bench_distance(b, &swapped, RHOMB_ENGINE_WAVEFRONT, &b->tuning);
    for (int k = 0; k < 2; k++) {
        kinds[k].verified_by = "target and query exchanged";
        if (!bench_same_distance(b, &kinds[k], distance, kinds[k].verified_by))
            return false;
        bench_case_summarise(&kinds[k]);
        bench_row(b, &kinds[k]);
    }
    return true;
}

static bool run_start(bench *b, const bench_suite *suite)
{
    /* As long and as different as the mitochondria of two great apes. */
    const bench_source source = {.name = "16.5 k 20 %", .length = 16500, .rate = 0.2};
    bench_pair pair;
    if (!bench_pair_make(b, &source, &pair))
        return false;
    bench_case kinds[2] = {bench_case_of(b, suite, &pair), bench_case_of(b, suite, &pair)};
    kinds[0].name = "cold caches";
    kinds[1].name = "warm caches";
    for (int k = 0; k < 2; k++) {
        kinds[k].run = run_process;
        kinds[k].engine = RHOMB_ENGINE_WAVEFRONT;
        kinds[k].verify_first = false;
    }
    bool good = start_processes(b, &kinds[0], &kinds[1]) && bench_open(b);
    if (good) {
        bench_title(b, suite->name);
        bench_heading();
        good = report_runs(b, &pair, kinds);
    }
    bench_pair_release(&pair);
    return good;
}

const bench_method bench_start = {.run = run_start};
