/* SPDX-License-Identifier: MIT */
/*
 * Batches: jobs in slots, a thread for each, results in order. The calling thread puts pairs into
 * the job at the head, and hands a full job to its thread. It delivers finished jobs, the oldest
 * first, and waits only where no slot is free. A job's copying, transfers, kernels and reading run
 * one after the other on its thread and its queue; those of different jobs run side by side. That
 * is all the overlap there is, and it needs no further plan.
 *
 * Each device has slots of its own (batch_queue.h), and the next job goes to the one that will be
 * free for it first.
 *
 * Pairs that are too long for the kernels, or too far apart, are solved during delivery, so that
 * they too come in their order.
 */
#include "rhomb/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/batch/batch_queue.h"
#include "host/device/open.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/int64.h"
#include "src/batch/batch_sliced.h"

typedef enum job_state {
    JOB_FREE, /* also while it is being filled */
    JOB_READY,
    JOB_DONE
} job_state;

/* A slot for a job, and the thread that solves it. */
typedef struct slot {
    rhomb_batch *batch;
    rhomb__batch_queue *queue;
    int32_t device; /* its number */
    rhomb__batch_job *job;
    job_state state; /* guarded by the batch's lock, as what follows */
    bool borrows;    /* the caller wants back the pairs that are still in its memory */
    rhomb_status status;
    double busy;        /* seconds that the device has had for it alone, or with others */
    int64_t host_bytes; /* of the job, when it was delivered last */
    pthread_t thread;
    bool running;
    bool opened; /* the thread's own, not guarded */
    pthread_cond_t changed;
} slot;

struct rhomb_batch {
    rhomb_context *ctx;
    rhomb__batch_queues queues;
    const rhomb_batch_options *options; /* of the first queue */
    rhomb_batch_report report;
    int64_t device_bytes;    /* of all jobs */
    pthread_mutex_t opening; /* serializes the making of a worker's device objects */
    bool told_pageable;      /* the caller was told that memory could not be pinned */
    pthread_mutex_t lock;
    bool stop;
    slot *slots;
    int32_t size;
    slot *head;   /* the one that is being filled, which counts as free */
    slot **order; /* a ring of those that are ready or done, the oldest at `tail` */
    int32_t tail;
    int32_t under_way;      /* their number */
    int64_t next;           /* number of the next pair */
    rhomb__batch_sums last; /* of the job that was delivered last */
    rhomb_status broken;    /* the first fatal status */
    double began;           /* 0: nothing was added yet */
};

/* Copies the pairs of a job; the caller may wait for it. */
static void own_job(slot *p)
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
static rhomb_status run_job(slot *p)
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

/* With the lock. */
static void finish_job(slot *p, rhomb_status status)
{
    p->status = status;
    p->state = JOB_DONE;
    p->busy = rhomb__batch_queue_finish(p->queue, p->job->bases_used);
}

static void *solve_jobs(void *user)
{
    slot *p = user;
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
        finish_job(p, status);
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&batch->lock);
    rhomb__batch_job_destroy(p->job); /* here, so that all are released at the same time */
    p->job = NULL;
    return NULL;
}

/* Pairs shorter than this are soon through the first levels, and are not guessed. */
#define GUESSED_BASES 1000

/* The pairs of which the others' distances are guessed. */
#define GUESSED_PAIRS 8

/* What the first pairs of a job seem to come to, before any distance is known. */
static rhomb__batch_sums guess_sums(const rhomb__batch_setup *setup, const rhomb__batch_job *job)
{
    rhomb__batch_sums sums = {0};
    const bool is_owned = job->owned_pairs > 0;
    const int64_t runs = is_owned ? 1 : job->borrowed_runs;
    for (int64_t run = 0; run < runs && job->bases_used >= GUESSED_BASES * 2 * job->count; run++) {
        const rhomb_pair *pairs = is_owned ? job->pairs : job->borrowed[run].pairs;
        const int64_t count = is_owned ? job->owned_pairs : (int64_t)job->borrowed[run].count;
        for (int64_t i = 0; i < count && sums.found < GUESSED_PAIRS; i++, sums.found++) {
            sums.bases += pairs[i].target_length + pairs[i].query_length;
            sums.distances += rhomb__batch_guess(&setup->costs, &pairs[i]);
        }
    }
    return sums;
}

/*
 * Pairs of a job begin at the level that would find a distance like those of the last job, or a
 * guessed one. It affects the time and nothing else.
 */
static int32_t first_level(const rhomb_batch *batch, const rhomb__batch_setup *setup,
                           const rhomb__batch_job *job)
{
    const rhomb__batch_shape *shape = &setup->shape;
    int32_t level = 0;
    if (batch->options->mode != RHOMB_MODE_GLOBAL)
        return 0; /* costs are known, and levels are chosen by them */
    const rhomb__batch_sums like = batch->last.found > 0 ? batch->last : guess_sums(setup, job);
    if (like.found == 0)
        return 0;
    const int64_t length = like.bases / like.found / 2;
    if (shape->sliced_level >= 0 &&
        !rhomb__batch_is_cheap(&setup->costs, length, length,
                               like.distances / like.found / shape->unit, shape->wave_cells))
        return shape->sliced_level;
    while (level + 1 < shape->levels && level != shape->sliced_level &&
           shape->unit * shape->limits[level] * like.found < like.distances)
        level++;
    return level;
}

/* Hands the job at the head to its thread; if it has none, this thread solves it. */
static void start_job(rhomb_batch *batch)
{
    slot *p = batch->head;
    p->job->first_level = first_level(batch, &p->queue->setup, p->job);
    batch->order[(batch->tail + batch->under_way) % batch->size] = p;
    batch->head = NULL;
    batch->under_way++;
    batch->report.workers = (int32_t)rhomb__max(batch->report.workers, batch->under_way);
    if (!p->running)
        p->running = pthread_create(&p->thread, NULL, solve_jobs, p) == 0;
    pthread_mutex_lock(&batch->lock);
    rhomb__batch_queue_start(p->queue, p->job->bases_used);
    if (!p->running) {
        pthread_mutex_unlock(&batch->lock);
        const rhomb_status status = rhomb__batch_job_run(p->job);
        pthread_mutex_lock(&batch->lock);
        finish_job(p, status);
        pthread_mutex_unlock(&batch->lock);
        return;
    }
    p->state = JOB_READY;
    p->borrows = p->job->borrowed_runs > 0 && !batch->options->borrow_pairs;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&batch->lock);
}

/* Something took this much of the device's memory beside the ring. */
static void note_device_bytes(rhomb_batch *batch, int64_t bytes)
{
    batch->report.device_bytes =
        rhomb__max(batch->report.device_bytes, batch->device_bytes + bytes);
}

/* Reports that jobs have no pinned memory: they cannot log themselves. */
static void tell_pageable(rhomb_batch *batch, const rhomb__batch_job *job)
{
    if (job->pageable && !batch->told_pageable)
        rhomb__log(&batch->ctx->stream, 1,
                   "memory for transfers cannot be pinned, so they take longer: %s",
                   job->why_pageable != NULL ? job->why_pageable : "no memory");
    batch->told_pageable |= job->pageable;
}

static void account(rhomb_batch *batch, const rhomb__batch_job *job)
{
    rhomb_batch_report *report = &batch->report;
    report->jobs++;
    report->pairs += job->count;
    report->bases += job->sums.bases;
    report->distances += job->sums.distances;
    report->scores += job->sums.scores;
    report->exceeding += job->sums.exceeding;
    report->failed += job->sums.failed;
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
    batch->last = job->sums;
}

/* Delivers a job that is done. */
static rhomb_status deliver(rhomb_batch *batch, slot *p)
{
    rhomb_status status = p->status;
    rhomb__batch_job *job = p->job;
    rhomb_context *ctx = batch->ctx;
    if (status != RHOMB_OK)
        return rhomb__pass_error(ctx, p->device, status, rhomb__error_text(&job->stream.error));
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__batch_queues_solve_long(&batch->queues, job));
    note_device_bytes(batch, job->alone_bytes);
    const double solved = rhomb__now();
    if (job->long_count > 0)
        batch->report.seconds_long += solved - began;
    account(batch, job);
    rhomb__work_add(p->queue->setup.ctx, job->count - job->long_count, 1, p->busy);
    tell_pageable(batch, job);
    batch->report.host_bytes += rhomb__batch_job_host_bytes(job) - p->host_bytes;
    p->host_bytes = rhomb__batch_job_host_bytes(job);
    if (batch->options->results(job->first, job->delivered, (size_t)job->count,
                                batch->options->user) != 0)
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
    slot *p = batch->order[batch->tail];
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
    batch->tail = (batch->tail + 1) % batch->size;
    batch->under_way--;
    *delivered = true;
    return status;
}

/* Makes a free slot of the device that is to take the next job the head, if it has one. */
static void choose_head(rhomb_batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    const int32_t device = rhomb__batch_queues_next(&batch->queues);
    const int64_t enough = rhomb__batch_queues_enough(&batch->queues, device);
    for (int32_t i = 0; i < batch->size && batch->head == NULL; i++)
        if (batch->slots[i].device == device && batch->slots[i].state == JOB_FREE)
            batch->head = &batch->slots[i];
    pthread_mutex_unlock(&batch->lock);
    if (batch->head == NULL)
        return;
    rhomb__batch_job_reset(batch->head->job, batch->next);
    batch->head->job->enough = enough;
}

/*
 * Finds a slot for the next job, and delivers what is done: as many jobs as are started, so that
 * taking the results of a whole ring does not leave the device without work.
 */
static rhomb_status make_room(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    bool delivered = false;
    if (batch->under_way > 0)
        RHOMB_TRY(deliver_oldest(batch, false, &delivered));
    for (choose_head(batch); batch->head == NULL; choose_head(batch))
        RHOMB_TRY(deliver_oldest(batch, true, &delivered));
out:
    return status;
}

/*
 * Stops borrowing the caller's array. Copying it on the jobs' threads takes a third of the time off
 * the calling thread, which bounds the smallest pairs.
 */
static void own_pairs(rhomb_batch *batch)
{
    if (batch->options->borrow_pairs)
        return;
    if (batch->head != NULL)
        rhomb__batch_job_own(batch->head->job);
    pthread_mutex_lock(&batch->lock);
    for (int32_t i = 0; i < batch->size; i++)
        while (batch->slots[i].borrows)
            pthread_cond_wait(&batch->slots[i].changed, &batch->lock);
    pthread_mutex_unlock(&batch->lock);
}

/* After a failure nothing runs any more, as nothing is borrowed. */
static rhomb_status break_off(rhomb_batch *batch, rhomb_status status)
{
    if (status == RHOMB_OK)
        return RHOMB_OK;
    batch->broken = status;
    for (; batch->under_way > 0; batch->under_way--) {
        slot *p = batch->order[batch->tail];
        batch->tail = (batch->tail + 1) % batch->size;
        pthread_mutex_lock(&batch->lock);
        while (p->state == JOB_READY)
            pthread_cond_wait(&p->changed, &batch->lock);
        p->state = JOB_FREE;
        pthread_mutex_unlock(&batch->lock);
    }
    return status;
}

static rhomb_status add(rhomb_batch *batch, const rhomb__batch_input *input)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error_clear(&batch->ctx->stream.error);
    if (input->pairs == NULL && input->cells == NULL && input->count > 0)
        return rhomb__fail(&batch->ctx->stream.error, RHOMB_ERR_ARGUMENT, "pairs must not be NULL");
    if (batch->broken != RHOMB_OK)
        return rhomb__fail(&batch->ctx->stream.error, batch->broken, "the batch has failed before");
    if (batch->began == 0)
        batch->began = rhomb__now();
    for (size_t at = 0; at < input->count;) {
        const size_t added = rhomb__batch_job_add(batch->head->job, input, at);
        batch->next += (int64_t)added;
        at += added;
        if (at < input->count) {
            start_job(batch);
            RHOMB_TRY(make_room(batch));
        }
    }
    batch->report.seconds_total = rhomb__now() - batch->began;
out:
    own_pairs(batch);
    return break_off(batch, status);
}

rhomb_status rhomb_batch_add(rhomb_batch *batch, const rhomb_pair *pairs, size_t count)
{
    return batch != NULL ? add(batch, &(rhomb__batch_input){pairs, NULL, count})
                         : RHOMB_ERR_ARGUMENT;
}

rhomb_status rhomb__batch_add_cells(rhomb_batch *batch, const rhomb__batch_cell *cells,
                                    size_t count)
{
    return add(batch, &(rhomb__batch_input){NULL, cells, count});
}

rhomb_status rhomb_batch_finish(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    bool delivered = false;
    if (batch == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&batch->ctx->stream.error);
    if (batch->broken != RHOMB_OK)
        return rhomb__fail(&batch->ctx->stream.error, batch->broken, "the batch has failed before");
    if (batch->head->job->count > 0)
        start_job(batch);
    while (batch->under_way > 0)
        RHOMB_TRY(deliver_oldest(batch, true, &delivered));
    RHOMB_TRY(make_room(batch));
    batch->report.seconds_total = batch->began > 0 ? rhomb__now() - batch->began : 0;
out:
    return break_off(batch, status);
}

const rhomb_batch_report *rhomb_batch_get_report(const rhomb_batch *batch)
{
    return batch != NULL ? &batch->report : NULL;
}

void rhomb_batch_destroy(rhomb_batch *batch)
{
    if (batch == NULL)
        return;
    pthread_mutex_lock(&batch->lock);
    batch->stop = true;
    for (int32_t i = 0; i < batch->size; i++)
        pthread_cond_signal(&batch->slots[i].changed);
    pthread_mutex_unlock(&batch->lock);
    for (int32_t i = 0; i < batch->size; i++) {
        if (batch->slots[i].running)
            pthread_join(batch->slots[i].thread, NULL);
        rhomb__batch_job_destroy(batch->slots[i].job);
        pthread_cond_destroy(&batch->slots[i].changed);
    }
    pthread_mutex_destroy(&batch->lock);
    pthread_mutex_destroy(&batch->opening);
    for (int32_t i = 0; i < batch->queues.count; i++)
        if (i < rhomb__device_count(batch->ctx))
            rhomb__context_of(batch->ctx, i)->stream.bytes_in_use -=
                batch->queues.of[i].device_bytes;
    free(batch->order);
    free(batch->slots);
    free(batch);
}

/* One slot for each job that may run; one of them is filled while all others run. */
static rhomb_status create_slots(rhomb_batch *batch)
{
    rhomb_status status = RHOMB_OK;
    int32_t size = 0;
    for (int32_t i = 0; i < batch->queues.count; i++)
        size += batch->queues.of[i].setup.shape.workers;
    batch->slots = calloc((size_t)size, sizeof *batch->slots);
    batch->order = calloc((size_t)size, sizeof(slot *));
    if (batch->slots == NULL || batch->order == NULL)
        return rhomb__fail_memory(&batch->ctx->stream.error, (size_t)size * sizeof *batch->slots,
                                  "the jobs of a batch");
    for (int32_t device = 0; device < batch->queues.count; device++) {
        rhomb__batch_queue *queue = &batch->queues.of[device];
        for (int32_t i = 0; i < queue->setup.shape.workers; i++) {
            slot *p = &batch->slots[batch->size++];
            p->batch = batch;
            p->queue = queue;
            p->device = device;
            pthread_cond_init(&p->changed, NULL);
            status = rhomb__batch_job_create(&queue->setup, &p->job);
            if (status != RHOMB_OK)
                return rhomb__pass_error(batch->ctx, device, status,
                                         rhomb__error_text(&queue->setup.ctx->stream.error));
        }
    }
    choose_head(batch);
    return status;
}

/* What the slots take of each device: all else that uses it must leave that memory to them. */
static void count_device_bytes(rhomb_batch *batch)
{
    for (int32_t i = 0; i < batch->queues.count; i++) {
        rhomb__batch_queue *queue = &batch->queues.of[i];
        queue->device_bytes = queue->setup.shape.workers * queue->setup.shape.device_bytes;
        rhomb__device_stream *stream = &queue->setup.ctx->stream;
        stream->bytes_in_use += queue->device_bytes;
        stream->bytes_peak = rhomb__max(stream->bytes_peak, stream->bytes_in_use);
        batch->device_bytes += queue->device_bytes;
    }
    batch->report.device_bytes = batch->device_bytes;
}

rhomb_status rhomb_batch_create(rhomb_context *ctx, const rhomb_batch_options *options,
                                rhomb_batch **out)
{
    return rhomb__batch_create_of_set(ctx, options, NULL, false, out);
}

rhomb_status rhomb__batch_create_of_set(rhomb_context *ctx, const rhomb_batch_options *options,
                                        const rhomb__batch_set *set, bool wide, rhomb_batch **out)
{
    rhomb_status status = RHOMB_OK;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "out must not be NULL");
    status = rhomb__refuse_ranks(ctx, "a batch");
    if (status != RHOMB_OK)
        return status;
    rhomb_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *batch, "a batch");
    pthread_mutex_init(&batch->lock, NULL);
    pthread_mutex_init(&batch->opening, NULL);
    batch->ctx = ctx;
    RHOMB_TRY(rhomb__batch_queues_make(ctx, options, set, wide, &batch->queues));
    batch->options = &batch->queues.of[0].setup.options;
    const double began = rhomb__now();
    RHOMB_TRY(rhomb__batch_queues_build(&batch->queues));
    batch->report.seconds_build = rhomb__now() - began;
    RHOMB_TRY(create_slots(batch));
    count_device_bytes(batch);
    *out = batch;
    batch = NULL;
out:
    rhomb_batch_destroy(batch);
    return status;
}
