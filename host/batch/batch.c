/* SPDX-License-Identifier: MIT */
/*
 * Batches: jobs in a ring, a thread for each, results in order. The calling thread puts pairs into
 * the job at the ring's head, and hands a full job to its thread. It delivers finished jobs from
 * the ring's tail, and waits only where the ring is full. A job's copying, transfers, kernels and
 * reading run one after the other on its thread and its queue; those of different jobs run side by
 * side. That is all the overlap there is, and it needs no further plan.
 *
 * Pairs that are too long for the kernels, or too far apart, are solved during delivery, so that
 * they too come in their place.
 */
#include "rhomb/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/batch/batch_job.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/base/text.h"

typedef enum job_state {
    JOB_FREE, /* also while it is being filled */
    JOB_READY,
    JOB_DONE
} job_state;

/* A place of the ring, and the thread that solves its job. */
typedef struct place {
    rhomb_batch *batch;
    rhomb__batch_job *job;
    job_state state; /* guarded by the batch's lock, as what follows */
    bool borrows;    /* the caller wants back the pairs that are still in its memory */
    rhomb_status status;
    int64_t host_bytes; /* of the job, when it was delivered last */
    pthread_t thread;
    bool running;
    bool opened; /* the thread's own, not guarded */
    pthread_cond_t changed;
} place;

struct rhomb_batch {
    rhomb__batch_setup setup;
    rhomb_batch_report report;
    int64_t device_bytes;    /* of all jobs in the ring */
    pthread_mutex_t opening; /* serializes the making of a worker's device objects */
    bool told_pageable;      /* the caller was told that memory could not be pinned */
    pthread_mutex_t lock;
    bool stop;
    place *ring;
    int32_t size;
    int32_t head;        /* the place that is being filled */
    int32_t under_way;   /* places from the tail on that are ready or done */
    int64_t next;        /* number of the next pair */
    int32_t first_level; /* where the pairs of the next job begin */
    rhomb_status broken; /* the first fatal status */
    double began;        /* 0: nothing was added yet */
};

/* Copies the pairs of a job; the caller may wait for it. */
static void own_job(place *p)
{
    rhomb_batch *batch = p->batch;
    rhomb__batch_job_own(p->job);
    pthread_mutex_lock(&batch->lock);
    p->borrows = false;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&batch->lock);
}

/*
 * One worker after the other makes its queue and its memory. If all came at once, the driver would
 * serve them in turns, and none would be ready before nearly all are. One by one, the first is
 * ready after its own share of the time, and solves while the others wait.
 */
static rhomb_status run_job(place *p)
{
    rhomb_status status = RHOMB_OK;
    if (!p->opened) {
        pthread_mutex_lock(&p->batch->opening);
        status = rhomb__batch_job_open(p->job);
        pthread_mutex_unlock(&p->batch->opening);
        p->opened = status == RHOMB_OK;
    }
    return status == RHOMB_OK ? rhomb__batch_job_run(p->job) : status;
}

static void *solve_jobs(void *user)
{
    place *p = user;
    rhomb_batch *batch = p->batch;
    pthread_mutex_lock(&batch->lock);
    for (;;) {
        while (p->state != JOB_READY && !batch->stop)
            pthread_cond_wait(&p->changed, &batch->lock);
        if (p->state != JOB_READY)
            break;
        const bool awaited = p->borrows;
        pthread_mutex_unlock(&batch->lock);
        if (awaited)
            own_job(p);
        const rhomb_status status = run_job(p);
        pthread_mutex_lock(&batch->lock);
        p->status = status;
        p->state = JOB_DONE;
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&batch->lock);
    rhomb__batch_job_destroy(p->job); /* here, so that all are released at the same time */
    p->job = NULL;
    return NULL;
}

/* Hands the job at the head to its thread; if it has none, this thread solves it. */
static void start_job(rhomb_batch *batch)
{
    place *p = &batch->ring[batch->head];
    p->job->first_level = batch->first_level;
    batch->head = (batch->head + 1) % batch->size;
    batch->under_way++;
    batch->report.workers = (int32_t)rhomb__max(batch->report.workers, batch->under_way);
    if (!p->running)
        p->running = pthread_create(&p->thread, NULL, solve_jobs, p) == 0;
    if (!p->running) {
        p->status = rhomb__batch_job_run(p->job);
        p->state = JOB_DONE;
        return;
    }
    pthread_mutex_lock(&batch->lock);
    p->state = JOB_READY;
    p->borrows = p->job->borrowed_runs > 0 && !batch->setup.options.borrow_pairs;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&batch->lock);
}

/* Something took this much of the device's memory beside the ring. */
static void note_device_bytes(rhomb_batch *batch, int64_t bytes)
{
    batch->report.device_bytes =
        rhomb__max(batch->report.device_bytes, batch->device_bytes + bytes);
}

/*
 * Pairs of a job begin at the level that would find a distance like those of the last job. It
 * affects the time and nothing else.
 */
static void adapt(rhomb_batch *batch, int64_t distances, int64_t found)
{
    const rhomb__batch_shape *shape = &batch->setup.shape;
    batch->first_level = 0;
    if (batch->setup.options.mode != RHOMB_MODE_GLOBAL)
        return; /* costs are known, and levels are chosen by them */
    while (found > 0 && batch->first_level + 1 < shape->levels &&
           shape->unit * shape->limits[batch->first_level] * found < distances)
        batch->first_level++;
}

/* Reports that jobs have no pinned memory: they cannot log themselves. */
static void tell_pageable(rhomb_batch *batch, const rhomb__batch_job *job)
{
    if (job->pageable && !batch->told_pageable)
        rhomb__log(&batch->setup.ctx->stream, 1,
                   "memory for transfers cannot be pinned, so they take longer: %s",
                   job->why_pageable != NULL ? job->why_pageable : "no memory");
    batch->told_pageable |= job->pageable;
}

static void account(rhomb_batch *batch, const rhomb__batch_job *job)
{
    rhomb_batch_report *report = &batch->report;
    report->jobs++;
    report->pairs += job->count;
    report->bases += job->bases_solved;
    report->distances += job->distances;
    report->scores += job->scores;
    report->exceeding += job->exceeding;
    report->failed += job->failed;
    report->other_bases += job->other_count;
    report->long_pairs += job->long_count;
    report->seconds_open += job->seconds_open;
    report->seconds_fill += job->seconds_fill;
    report->seconds_device += job->seconds_device;
    report->seconds_results += job->seconds_results;
    report->seconds_send += job->times.seconds[RHOMB__BATCH_SEND];
    report->seconds_pack += job->times.seconds[RHOMB__BATCH_PACK];
    report->seconds_solve += job->times.seconds[RHOMB__BATCH_SOLVE];
    report->seconds_fetch += job->times.seconds[RHOMB__BATCH_FETCH];
    adapt(batch, job->distances, job->found);
}

/* Delivers a job that is done. */
static rhomb_status deliver(rhomb_batch *batch, place *p)
{
    rhomb_status status = p->status;
    rhomb__batch_job *job = p->job;
    rhomb_context *ctx = batch->setup.ctx;
    if (status != RHOMB_OK)
        return rhomb__fail(&ctx->stream.error, status, "%s", rhomb__error_text(&job->stream.error));
    const double began = rhomb__now();
    for (int64_t i = 0; i < job->long_count; i++)
        RHOMB_TRY(rhomb__batch_job_solve_long(job, job->longs[i]));
    note_device_bytes(batch, job->alone_bytes);
    const double solved = rhomb__now();
    if (job->long_count > 0)
        batch->report.seconds_long += solved - began;
    account(batch, job);
    tell_pageable(batch, job);
    batch->report.host_bytes += rhomb__batch_job_host_bytes(job) - p->host_bytes;
    p->host_bytes = rhomb__batch_job_host_bytes(job);
    if (batch->setup.options.results(job->first, job->delivered, (size_t)job->count,
                                     batch->setup.options.user) != 0)
        status =
            rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped while taking results");
    batch->report.seconds_deliver += rhomb__now() - solved;
out:
    if (status != RHOMB_OK) /* the first detail stays */
        rhomb__fail(&ctx->stream.error, status, "%s", rhomb__error_text(&job->stream.error));
    return status;
}

/* Delivers the oldest job: with `wait` in any case, else if it is done. */
static rhomb_status deliver_oldest(rhomb_batch *batch, bool wait, bool *delivered)
{
    const int32_t tail = (batch->head + batch->size - batch->under_way) % batch->size;
    place *p = &batch->ring[tail];
    *delivered = false;
    pthread_mutex_lock(&batch->lock);
    while (wait && p->state != JOB_DONE)
        pthread_cond_wait(&p->changed, &batch->lock);
    const bool done = p->state == JOB_DONE;
    pthread_mutex_unlock(&batch->lock);
    if (!done)
        return RHOMB_OK;
    const rhomb_status status = deliver(batch, p);
    pthread_mutex_lock(&batch->lock);
    p->state = JOB_FREE;
    pthread_mutex_unlock(&batch->lock);
    batch->under_way--;
    *delivered = true;
    return status;
}

/* Makes the place at the head free, and delivers what else is done. */
static rhomb_status make_room(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    bool delivered = batch->under_way > 0;
    while (delivered && batch->under_way > 0)
        RHOMB_TRY(deliver_oldest(batch, batch->under_way == batch->size, &delivered));
    rhomb__batch_job_reset(batch->ring[batch->head].job, batch->next);
out:
    return status;
}

/*
 * Stops borrowing the caller's array. Copying it on the jobs' threads takes a third of the time off
 * the calling thread, which bounds the smallest pairs.
 */
static void own_pairs(rhomb_batch *batch)
{
    if (batch->setup.options.borrow_pairs)
        return;
    rhomb__batch_job_own(batch->ring[batch->head].job);
    pthread_mutex_lock(&batch->lock);
    for (int32_t i = 0; i < batch->size; i++)
        while (batch->ring[i].borrows)
            pthread_cond_wait(&batch->ring[i].changed, &batch->lock);
    pthread_mutex_unlock(&batch->lock);
}

/* After a failure nothing runs any more, as nothing is borrowed. */
static rhomb_status break_off(rhomb_batch *batch, rhomb_status status)
{
    if (status == RHOMB_OK)
        return RHOMB_OK;
    batch->broken = status;
    for (; batch->under_way > 0; batch->under_way--) {
        const int32_t tail = (batch->head + batch->size - batch->under_way) % batch->size;
        place *p = &batch->ring[tail];
        pthread_mutex_lock(&batch->lock);
        while (p->state == JOB_READY)
            pthread_cond_wait(&p->changed, &batch->lock);
        p->state = JOB_FREE;
        pthread_mutex_unlock(&batch->lock);
    }
    return status;
}

rhomb_status rhomb_batch_add(rhomb_batch *batch, const rhomb_pair *pairs, size_t count)
{
    rhomb_status status = RHOMB_OK;
    if (batch == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&batch->setup.ctx->stream.error);
    if (pairs == NULL && count > 0)
        return rhomb__fail(&batch->setup.ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "pairs must not be NULL");
    if (batch->broken != RHOMB_OK)
        return rhomb__fail(&batch->setup.ctx->stream.error, batch->broken,
                           "the batch has failed before");
    if (batch->began == 0)
        batch->began = rhomb__now();
    while (count > 0) {
        const size_t added = rhomb__batch_job_add(batch->ring[batch->head].job, pairs, count);
        batch->next += (int64_t)added;
        pairs += added;
        count -= added;
        if (count > 0) {
            start_job(batch);
            RHOMB_TRY(make_room(batch));
        }
    }
    batch->report.seconds_total = rhomb__now() - batch->began;
out:
    own_pairs(batch);
    return break_off(batch, status);
}

rhomb_status rhomb_batch_finish(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    bool delivered = false;
    if (batch == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&batch->setup.ctx->stream.error);
    if (batch->broken != RHOMB_OK)
        return rhomb__fail(&batch->setup.ctx->stream.error, batch->broken,
                           "the batch has failed before");
    if (batch->ring[batch->head].job->count > 0)
        start_job(batch);
    while (batch->under_way > 0)
        RHOMB_TRY(deliver_oldest(batch, true, &delivered));
    rhomb__batch_job_reset(batch->ring[batch->head].job, batch->next);
    batch->report.seconds_total = batch->began > 0 ? rhomb__now() - batch->began : 0;
out:
    return break_off(batch, status);
}

const rhomb_batch_report *rhomb_batch_get_report(const rhomb_batch *batch)
{
    return &batch->report;
}

void rhomb_batch_destroy(rhomb_batch *batch)
{
    if (batch == NULL)
        return;
    pthread_mutex_lock(&batch->lock);
    batch->stop = true;
    for (int32_t i = 0; i < batch->size; i++)
        pthread_cond_signal(&batch->ring[i].changed);
    pthread_mutex_unlock(&batch->lock);
    for (int32_t i = 0; i < batch->size; i++) {
        if (batch->ring[i].running)
            pthread_join(batch->ring[i].thread, NULL);
        rhomb__batch_job_destroy(batch->ring[i].job);
        pthread_cond_destroy(&batch->ring[i].changed);
    }
    pthread_mutex_destroy(&batch->lock);
    pthread_mutex_destroy(&batch->opening);
    if (batch->device_bytes > 0 && batch->setup.ctx->stream.device != NULL)
        batch->setup.ctx->stream.bytes_in_use -= batch->device_bytes;
    free(batch->ring);
    free(batch);
}

/* The ring: one place for each job that may run; one of them is filled while all others run. */
static rhomb_status create_ring(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    const int32_t size = batch->setup.shape.workers;
    batch->ring = calloc((size_t)size, sizeof *batch->ring);
    if (batch->ring == NULL)
        return rhomb__fail_memory(&batch->setup.ctx->stream.error,
                                  (size_t)size * sizeof *batch->ring, "the jobs of a batch");
    for (int32_t i = 0; i < size; i++) {
        pthread_cond_init(&batch->ring[i].changed, NULL);
        batch->ring[i].batch = batch;
        batch->size = i + 1;
        RHOMB_TRY(rhomb__batch_job_create(&batch->setup, &batch->ring[i].job));
    }
out:
    return status;
}

rhomb_status rhomb_batch_create(rhomb_context *ctx, const rhomb_batch_options *options,
                                rhomb_batch **out)
{
    rhomb_status status = RHOMB_OK;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    rhomb_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *batch, "a batch");
    pthread_mutex_init(&batch->lock, NULL);
    pthread_mutex_init(&batch->opening, NULL);
    batch->setup.ctx = ctx;
    RHOMB_TRY(rhomb__batch_setup_make(ctx, options, &batch->setup));
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__batch_setup_build(&batch->setup));
    batch->report.seconds_build = rhomb__now() - began;
    RHOMB_TRY(create_ring(batch));
    batch->device_bytes = batch->size * batch->setup.shape.device_bytes;
    batch->report.device_bytes = batch->device_bytes;
    /* Jobs count their own memory; all else that uses the device must leave that memory to them. */
    ctx->stream.bytes_in_use += batch->device_bytes;
    *out = batch;
    batch = NULL;
out:
    rhomb_batch_destroy(batch);
    return status;
}
