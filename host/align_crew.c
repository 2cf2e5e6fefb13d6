/* SPDX-License-Identifier: MIT */
/*
 * The large parts of a round. One part alone leaves most of a GPU idle: its columns wait for each
 * other. So several are solved side by side, each by a thread with a queue of its own; on a
 * processor, where one launch employs all cores, one after the other.
 *
 * A thread works with a context of its own, of the same device: its queue, its error record, its
 * count of memory. Plans are made and programs built and checked before, by the calling thread, so
 * that threads only look programs up. They never log, and the caller's progress function is called
 * by the calling thread, which waits for them.
 */
#include "aligner.h"

#include "../src/clock.h"
#include "../src/int64.h"
#include "../src/plan.h"
#include "context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* More gain nothing: the largest parts of a round have the device's attention in turns. */
#define CREW_MOST 16

/* The caller is asked so often whether to go on. */
#define ASK_NANOSECONDS 100000000L

/* A part on its way. */
typedef struct errand {
    const rhomb__part *part;
    rhomb__meeting *meeting;
    double work;
    bool swapped;
    rhomb__task task;
    rhomb_report report;
    rhomb__solution solution;
} errand;

typedef struct crew {
    rhomb__aligner *aligner;
    errand *errands; /* the largest first */
    int64_t count;
    atomic_llong next;
    atomic_bool stopping; /* the caller wants to stop, or a part has failed */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double work_done; /* guarded by the lock, with what follows; taken by the calling thread */
    int active;
    rhomb_status status;         /* the first that is not RHOMB_OK */
    const rhomb_context *failed; /* whose it is; NULL: the calling thread's */
} crew;

typedef struct member {
    crew *crew;
    rhomb_context ctx;
    rhomb__device device;
    pthread_t thread;
} member;

/* Of the options of a part that a thread solves. */
static int ask_crew(const rhomb_progress *progress, void *user)
{
    const crew *c = user;
    (void)progress;
    return atomic_load(&c->stopping);
}

static rhomb_status solve_errand(rhomb_context *ctx, errand *e)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__task_solve_part(ctx, &e->task, &e->report, &e->solution));
    const rhomb__meeting *met = &e->solution.meeting;
    e->meeting->target = e->swapped ? met->query : met->target;
    e->meeting->query = e->swapped ? met->target : met->query;
    e->meeting->cost = met->cost;
out:
    return status;
}

/* --------------------------------------------------------------- threads */

static void take_failure(crew *c, rhomb_status status, const rhomb_context *ctx)
{
    if (status == RHOMB_OK || c->status != RHOMB_OK)
        return;
    c->status = status;
    c->failed = ctx;
    atomic_store(&c->stopping, true);
}

static void *run_errands(void *user)
{
    member *self = user;
    crew *c = self->crew;
    int64_t index;
    while (!atomic_load(&c->stopping) && (index = atomic_fetch_add(&c->next, 1)) < c->count) {
        const rhomb_status status = solve_errand(&self->ctx, &c->errands[index]);
        pthread_mutex_lock(&c->lock);
        take_failure(c, status, &self->ctx);
        c->work_done += c->errands[index].work;
        pthread_cond_signal(&c->changed);
        pthread_mutex_unlock(&c->lock);
    }
    pthread_mutex_lock(&c->lock);
    c->active--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static rhomb_status start_member(crew *c, member *self)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = c->aligner->ctx;
    cl_int code = CL_SUCCESS;
    self->crew = c;
    self->device = *ctx->device;
    self->device.queue = NULL;
    self->device.bytes_in_use = self->device.bytes_peak = 0;
    self->device.calibrated = true; /* that is for the calling thread alone */
    self->ctx.device = &self->device;
    self->ctx.threads = 1;
    RHOMB_CL_OUT(ctx, code,
                 self->device.queue =
                     clCreateCommandQueue(self->device.context, self->device.id, 0, &code));
    if (pthread_create(&self->thread, NULL, run_errands, self) != 0) {
        clReleaseCommandQueue(self->device.queue);
        self->device.queue = NULL;
        return rhomb__fail_memory(&ctx->error, 1, "a thread for the parts of an alignment");
    }
    pthread_mutex_lock(&c->lock);
    c->active++;
    pthread_mutex_unlock(&c->lock);
out:
    return status;
}

/* Lets the caller see what is done, and stop the others. The lock is held, but meanwhile. */
static void advance(crew *c)
{
    const double done = c->work_done;
    c->work_done = 0;
    if (c->status != RHOMB_OK)
        return;
    pthread_mutex_unlock(&c->lock);
    const rhomb_status status = rhomb__align_advance(c->aligner, done);
    pthread_mutex_lock(&c->lock);
    if (status != RHOMB_OK && c->status == RHOMB_OK) {
        c->status = status;
        atomic_store(&c->stopping, true);
    }
}

/* Waits for the threads, which signal each part that is done. */
static void attend(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->active > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += ASK_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&c->changed, &c->lock, &until);
        advance(c);
    }
    advance(c);
    pthread_mutex_unlock(&c->lock);
}

/* Solves the errands on `size` threads. */
static rhomb_status run_crew(crew *c, int64_t size)
{
    rhomb_status status = RHOMB_OK;
    int64_t started = 0, peak = 0;
    rhomb_context *ctx = c->aligner->ctx;
    rhomb_align_report *report = c->aligner->report;
    member *members = calloc((size_t)size, sizeof *members);
    if (members == NULL)
        return rhomb__fail_memory(&ctx->error, (size_t)size * sizeof *members,
                                  "threads for the parts of an alignment");
    while (started < size && status == RHOMB_OK) {
        status = start_member(c, &members[started]);
        started += status == RHOMB_OK;
    }
    if (started > 0) { /* they do the work of all */
        status = RHOMB_OK;
        rhomb__error_clear(&ctx->error);
    }
    attend(c);
    if (c->failed != NULL)
        rhomb__fail(&ctx->error, c->status, "%s", rhomb__error_text(&c->failed->error));
    for (int64_t i = 0; i < started; i++) {
        pthread_join(members[i].thread, NULL);
        clReleaseCommandQueue(members[i].device.queue);
        rhomb__error_clear(&members[i].ctx.error);
        peak += members[i].device.bytes_peak;
    }
    report->device_bytes = rhomb__max(report->device_bytes, ctx->device->bytes_in_use + peak);
    free(members);
    return status == RHOMB_OK ? c->status : status;
}

/* ------------------------------------------------------------- one by one */

static rhomb_status run_alone(crew *c)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = c->aligner;
    for (int64_t i = 0; i < c->count; i++) {
        errand *e = &c->errands[i];
        e->task.options.progress = a->whole.options.progress;
        e->task.options.progress_user = a->whole.options.progress_user;
        a->phase_began = a->all_work + a->done;
        a->phase_work = e->work;
        RHOMB_TRY(solve_errand(a->ctx, e));
        a->report->device_bytes = rhomb__max(a->report->device_bytes, e->report.device_bytes);
        RHOMB_TRY(rhomb__align_advance(a, e->work));
    }
out:
    return status;
}

/* -------------------------------------------------------------- the round */

static int by_work(const void *a, const void *b)
{
    const double x = ((const errand *)a)->work, y = ((const errand *)b)->work;
    return (x < y) - (x > y);
}

/* Plans a part and has its programs ready. */
static rhomb_status prepare(crew *c, const rhomb__part *part, errand *e)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = c->aligner;
    rhomb__programs programs;
    const rhomb_engine engine = rhomb__part_engine(a, part);
    const bool swapped = rhomb__part_is_swapped(engine, part->target_length);
    const char *target = a->whole.target + part->target_at;
    const char *query = a->whole.query + part->query_at;
    const rhomb__task task = {.target = swapped ? query : target,
                              .target_length = swapped ? part->query_length : part->target_length,
                              .query = swapped ? target : query,
                              .query_length = swapped ? part->target_length : part->query_length};
    e->part = part;
    e->work = rhomb__part_work(a, part);
    e->swapped = swapped;
    e->task = task;
    RHOMB_TRY(
        rhomb__task_plan_part(a->ctx, &a->whole, &e->task, part->distance, engine, &e->report));
    e->task.options.progress = ask_crew;
    e->task.options.progress_user = c;
    RHOMB_TRY(rhomb__engine_programs(a->ctx, rhomb__engine_find(e->report.plan.engine),
                                     &e->report.plan, &programs));
out:
    return status;
}

static rhomb_status solve_round(crew *c)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__aligner *a = c->aligner;
    const int64_t most = a->ctx->device->info.kind == RHOMB_DEVICE_CPU ? 1 : CREW_MOST;
    const int64_t size = rhomb__min(c->count, most);
    for (int64_t i = 0; i < c->count; i++)
        c->errands[i].task.options.tuning = &c->errands[i].task.tuning; /* they have moved */
    if (size == 1)
        return run_alone(c);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    status = run_crew(c, size);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    return status;
}

rhomb_status rhomb__align_crew_run(rhomb__aligner *aligner, const int64_t *chosen, int64_t count,
                                   rhomb__meeting *meetings)
{
    rhomb_status status = RHOMB_OK;
    crew c = {.aligner = aligner, .count = count};
    atomic_init(&c.next, 0);
    atomic_init(&c.stopping, false);
    c.errands = calloc((size_t)count, sizeof *c.errands);
    if (c.errands == NULL)
        return rhomb__fail_memory(&aligner->ctx->error, (size_t)count * sizeof *c.errands,
                                  "the parts of an alignment");
    for (int64_t i = 0; i < count; i++) {
        c.errands[i].meeting = &meetings[i];
        RHOMB_TRY(prepare(&c, &aligner->parts[chosen[i]], &c.errands[i]));
    }
    qsort(c.errands, (size_t)count, sizeof *c.errands, by_work);
    RHOMB_TRY(solve_round(&c));
    aligner->report->splits += count;
    for (int64_t i = 0; i < count; i++)
        aligner->report->cells += c.errands[i].solution.cells;
out:
    free(c.errands);
    return status;
}
