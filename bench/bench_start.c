/* SPDX-License-Identifier: MIT */
/*
 * The suite `start`: what a user waits for besides the work, from nothing to the distance of a
 * small pair, or, where --only asks for them, to its penalty or its local alignment. Each run is a
 * process of its own, because a driver starts and fills its caches only once in a process. "cold"
 * begins with empty caches, the library's and the driver's; "warm" finds those that two runs have
 * left.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "rhomb/local.h"
#include "tests/reference/keep_plan.h"

/* What is computed, by kernels of its own. */
typedef struct start_kind {
    const char *names[2]; /* cold, warm */
    const char *scoring;  /* NULL: unit costs */
    bool local;           /* an alignment: a local score alone is no public call */
    bool on_request;      /* by --only */
} start_kind;

static const start_kind KINDS[] = {
    {{"cold caches", "warm caches"}, NULL, false, false},
    {{"cold caches, affine", "warm caches, affine"}, "wfa", false, true},
    {{"cold caches, local", "warm caches, local"}, "match:2,4,4,2", true, true},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* The cases of a kind have the same `user`. */
typedef struct start_user {
    const start_kind *kind;
    const char *folder; /* of the caches */
} start_user;

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

static rhomb_status solve_local(rhomb_context *ctx, const bench_pair *pair,
                                const rhomb_options *options, start_message *out)
{
    rhomb_alignment *alignment = NULL;
    const rhomb_status status =
        rhomb_align_mode(ctx, pair->target, pair->target_length, pair->query, pair->query_length,
                         NULL, options, &alignment);
    if (status == RHOMB_OK) {
        const rhomb_local_report *local = rhomb_alignment_local(alignment);
        const rhomb_align_report *path = rhomb_alignment_report(alignment);
        rhomb_report *r = &out->report;
        *r = *path->whole; /* of the path: how it was found */
        out->plan = *r->plan;
        r->target_length = pair->target_length;
        r->query_length = pair->query_length;
        r->has_score = true;
        r->score = r->distance = local->extent->score;
        r->cells = local->cells;
        r->launches = local->launches;
        r->seconds_build += local->seconds_build + path->seconds_build;
        r->seconds_transfer = local->seconds_transfer;
        r->seconds_solve = local->seconds_end + local->seconds_begin + path->seconds_split +
                           path->seconds_base_cases;
        r->seconds_total = path->seconds_total;
    }
    rhomb_alignment_destroy(alignment);
    return status;
}

/* Fills the report and the plan of `out`. */
static rhomb_status solve(const bench_case *c, rhomb_context *ctx, const bench_pair *pair,
                          start_message *out)
{
    const start_kind *kind = ((const start_user *)c->user)->kind;
    rhomb_scoring scoring;
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = c->engine;
    options.tuning = &c->tuning;
    if (kind->scoring != NULL) {
        const rhomb_status status = rhomb_scoring_parse(ctx, kind->scoring, &scoring);
        if (status != RHOMB_OK)
            return status;
        options.scoring = &scoring;
    }
    if (kind->local)
        return solve_local(ctx, pair, &options, out);
    const rhomb_status status = rhomb_distance(ctx, pair->target, pair->target_length, pair->query,
                                               pair->query_length, &options, &result);
    if (status == RHOMB_OK) {
        out->report = *rhomb_result_report(result);
        out->plan = *out->report.plan;
    }
    rhomb_result_destroy(result);
    return status;
}

/* From nothing to a distance. */
static void start(const bench *b, const bench_case *c, start_message *out)
{
    char program_cache[4096];
    rhomb_context *ctx = NULL;
    rhomb_context_options context_options = RHOMB_CONTEXT_OPTIONS_INIT;
    memset(out, 0, sizeof *out);
    out->status = RHOMB_ERR_INTERNAL;
    if (!move_caches(((const start_user *)c->user)->folder, program_cache, sizeof program_cache))
        return;
    context_options.cache_dir = program_cache;
    const double began = bench_now();
    out->status = rhomb_context_create(&ctx, &context_options);
    if (out->status == RHOMB_OK)
        out->status = rhomb_context_open(ctx, b->device, 0);
    out->open_seconds = bench_now() - began;
    if (out->status == RHOMB_OK)
        out->status = solve(c, ctx, c->pair, out);
    if (out->status != RHOMB_OK && ctx != NULL)
        snprintf(out->error, sizeof out->error, "%s", rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/*
 * Runs start() in a child, which must not be created once this process has used OpenCL, and writes
 * into memory that both share. CPU seconds are those of the child and of what it ran.
 */
static bool start_process(bench *b, const bench_case *c, start_message *m, double *seconds,
                          double *cpu_seconds)
{
    int exit_status = 0;
    struct rusage used = {0};
    start_message *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return bench_fail(b, "no memory for a child process");
    fflush(NULL);
    const double began = bench_now();
    const pid_t child = fork();
    if (child == 0) {
        start(b, c, shared);
        _exit(0);
    }
    const bool good =
        child > 0 && wait4(child, &exit_status, 0, &used) == child && exit_status == 0;
    *seconds = bench_now() - began;
    *cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
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
    if (!start_process(b, c, &m, &seconds[BENCH_PROCESS], &seconds[BENCH_CPU]))
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

/*
 * `repeat` runs with empty caches, then one that is not counted, as PoCL's programs are stored at
 * their second use, and as many with the caches of that.
 */
static bool start_processes(bench *b, bench_case *cold, bench_case *warm, start_user *user)
{
    char folder[BENCH_PATH_BYTES];
    bool good = true;
    double uncounted[BENCH_CLOCKS];
    user->folder = folder;
    while (good && !cold->done) {
        if (cold->calls > 0)
            bench_folder_remove(folder);
        if (!bench_folder_make(b, folder))
            return false;
        good = bench_run_once(b, cold);
    }
    good = good && run_process(b, warm, uncounted);
    while (good && !warm->done)
        good = bench_run_once(b, warm);
    bench_folder_remove(folder);
    user->folder = NULL;
    return good;
}

/* Rows of both runs of a kind, once the distance is known to be right. */
static bool report_runs(bench *b, bench_case runs[2])
{
    const bench_pair *pair = runs[0].pair;
    const bench_pair swapped = {.name = "query and target exchanged",
                                .target = pair->query,
                                .target_length = pair->query_length,
                                .query = pair->target,
                                .query_length = pair->target_length};
    start_message m = {0};
    if (solve(&runs[0], b->ctx, &swapped, &m) != RHOMB_OK)
        return bench_fail(b, "%s: %s", swapped.name, rhomb_context_error(b->ctx));
    for (int k = 0; k < 2; k++) {
        runs[k].verified_by = "target and query exchanged";
        if (!bench_same_distance(b, &runs[k], m.report.distance, runs[k].verified_by))
            return false;
        bench_case_summarise(&runs[k]);
        bench_row(b, &runs[k]);
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
    bench_case cases[KIND_COUNT][2];
    start_user users[KIND_COUNT] = {{NULL, NULL}};
    bool good = true;
    for (int i = 0; good && i < KIND_COUNT; i++) {
        const start_kind *kind = &KINDS[i];
        if (!bench_wants(b, kind->names[0]) || (kind->on_request && b->only == NULL))
            continue;
        users[i].kind = kind;
        for (int k = 0; k < 2; k++) {
            bench_case *c = &cases[i][k];
            *c = bench_case_of(b, suite, &pair);
            c->name = kind->names[k];
            c->run = run_process;
            c->user = &users[i];
            c->scored.text = kind->scoring;
            c->verify_first = false;
        }
        good = start_processes(b, &cases[i][0], &cases[i][1], &users[i]);
    }
    good = good && bench_open(b);
    if (good) {
        bench_title(b, suite->name);
        bench_heading();
    }
    for (int i = 0; good && i < KIND_COUNT; i++)
        good = users[i].kind == NULL || report_runs(b, cases[i]);
    bench_pair_release(&pair);
    return good;
}

const bench_method bench_start = {.run = run_start};
