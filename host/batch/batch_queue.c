/* SPDX-License-Identifier: MIT */
/*
 * Devices of a batch, see batch_queue.h.
 */
#include "host/batch/batch_queue.h"

#include <float.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/group_limit.h"
#include "host/device/open.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/planner/rates.h"

/* Before a queue has finished a job: the bases of a sequence, for the time that pairs may take. */
#define FIRST_LENGTH 8192

static rhomb_status pass(const rhomb__batch_queues *queues, int32_t index, rhomb_status status)
{
    const rhomb_context *device = queues->of[index].setup.ctx;
    return status == RHOMB_OK || queues->ctx->other_count == 0
               ? status
               : rhomb__pass_error(queues->ctx, index, status,
                                   rhomb__error_text(&device->stream.error));
}

rhomb_status rhomb__batch_queues_make(rhomb_context *ctx, const rhomb_batch_options *options,
                                      const rhomb__batch_set *set, bool wide,
                                      rhomb__batch_queues *queues)
{
    int64_t long_bases = INT64_MAX;
    queues->ctx = ctx;
    do {
        rhomb__batch_setup *setup = &queues->of[queues->count].setup;
        rhomb_context *device = rhomb__context_of(ctx, queues->count);
        setup->devices = queues->count > 0 ? rhomb__device_count(ctx) : 0;
        setup->set = set;
        setup->wide = wide;
        setup->packed = set != NULL ? set->buffers[queues->count].handle : NULL;
        rhomb__error_clear(&device->stream.error);
        const rhomb_status status = rhomb__batch_setup_make(device, options, setup);
        if (status != RHOMB_OK)
            return pass(queues, queues->count, status);
        long_bases = rhomb__min(long_bases, setup->shape.long_bases);
    } while (++queues->count < rhomb__device_count(ctx));
    for (int32_t i = 0; i < queues->count; i++)
        queues->of[i].setup.shape.long_bases = long_bases;
    return RHOMB_OK;
}

rhomb_status rhomb__batch_queues_build(rhomb__batch_queues *queues)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < queues->count && status == RHOMB_OK; i++) {
        rhomb__batch_setup *setup = &queues->of[i].setup;
        const int64_t long_bases = setup->shape.long_bases; /* of all queues */
        status = rhomb__batch_setup_build(setup);
        while (status != RHOMB_OK &&
               rhomb__group_limit_lowered(setup->ctx, setup->tuning.group_size != 0)) {
            status = rhomb__batch_setup_shape(setup);
            setup->shape.long_bases = rhomb__min(setup->shape.long_bases, long_bases);
            if (status == RHOMB_OK)
                status = rhomb__batch_setup_build(setup);
        }
        status = pass(queues, i, status);
    }
    return status;
}

void rhomb__batch_queue_start(rhomb__batch_queue *queue, int64_t bases)
{
    queue->waiting += bases;
    if (queue->running++ == 0)
        queue->since = rhomb__now();
}

/*
 * A small job takes mostly what every job does, and the first jobs what is done once: so a small
 * one counts only while none has been finished, and a faster one at once.
 */
double rhomb__batch_queue_finish(rhomb__batch_queue *queue, int64_t bases)
{
    const double now = rhomb__now(), busy = now - queue->since;
    const double pace = busy / (double)rhomb__max(bases, 1);
    queue->waiting -= bases;
    if (queue->pace <= 0 || bases >= queue->setup.shape.least_bases)
        queue->pace = queue->pace > 0 && queue->pace < pace ? (queue->pace + pace) / 2 : pace;
    queue->since = now;
    queue->running--;
    return busy;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/*
 * The bases of a job that takes as long as a launch may, or as many as the caller said. Before the
 * device's pace is known, it may be one whose jobs have all the bases that there is room for.
 */
static double bases_of_launch(const rhomb__batch_queue *queue)
{
    const double room = (double)queue->setup.shape.job_bases;
    const rhomb__rate_values *rates = &queue->setup.ctx->stream.device->rates.values;
    const double pace =
        queue->pace > 0 ? queue->pace : (double)FIRST_LENGTH / 2 / rates->cells_per_second;
    const double bases = RHOMB__LAUNCH_SECONDS / pace;
    const bool first_whole = queue->pace <= 0 && queue->setup.shape.first_whole;
    if (queue->setup.tuning.job_bases != 0 || first_whole || bases > room)
        return room;
    const double least_bases = (double)queue->setup.shape.least_bases;
    return bases > least_bases ? bases : least_bases;
}

int32_t rhomb__batch_queues_next(const rhomb__batch_queues *queues)
{
    int32_t next = 0;
    double known = 0, soonest = 0;
    for (int32_t i = 0; i < queues->count; i++)
        known = queues->of[i].pace > known ? queues->of[i].pace : known;
    for (int32_t i = 0; i < queues->count; i++) {
        const rhomb__batch_queue *queue = &queues->of[i];
        const double pace = queue->pace > 0 ? queue->pace : known > 0 ? known : 1;
        const double end = pace * ((double)queue->waiting + bases_of_launch(queue));
        if (queue->running == 0 && queue->pace <= 0)
            return i;
        const bool is_idle = queue->running == 0, was_idle = queues->of[next].running == 0;
        if (i == 0 || (is_idle && !was_idle) || (is_idle == was_idle && end < soonest)) {
            next = i;
            soonest = end;
        }
    }
    return next;
}

/* The seconds after which the first of the other queues has finished what it has places for. */
static double soonest_ring(const rhomb__batch_queues *queues, int32_t which)
{
    double seconds = DBL_MAX;
    for (int32_t i = 0; i < queues->count; i++) {
        const rhomb__batch_queue *queue = &queues->of[i];
        const double jobs = (double)queue->setup.shape.workers;
        if (i != which && queue->pace > 0)
            seconds = least(seconds, queue->pace * jobs * bases_of_launch(queue));
    }
    return seconds;
}

int64_t rhomb__batch_queues_enough(const rhomb__batch_queues *queues, int32_t which)
{
    const rhomb__batch_queue *queue = &queues->of[which];
    const double room = (double)queue->setup.shape.job_bases;
    double bases = bases_of_launch(queue);
    if (queue->pace > 0)
        bases = least(bases, soonest_ring(queues, which) /
                                 (queue->pace * (double)queue->setup.shape.workers));
    const double least_bases = (double)queue->setup.shape.least_bases;
    return bases < room ? (int64_t)(bases > least_bases ? bases : least_bases) : 0;
}

/* The long pairs of a job, which all devices take from. */
typedef struct longs {
    rhomb__batch_queues *queues;
    rhomb__batch_job *job;
    const rhomb__order_entry *sorted;
    atomic_int_least64_t next;
    atomic_bool stop;
    pthread_mutex_t lock;
    rhomb_status status; /* of a host's failure */
    int64_t again_count; /* pairs for which a device had no memory; they are in job->list */
} longs;

/*
 * The same job for another thread and device: pairs and results are the same, what is counted and
 * owned is its own until it is merged.
 */
static rhomb__batch_job view_of(const rhomb__batch_job *job, const rhomb__batch_setup *setup,
                                void **owned)
{
    rhomb__batch_job view = *job;
    view.setup = setup;
    view.stream.error = (rhomb__error){RHOMB_OK, NULL, ""};
    view.owned = owned;
    view.owned_count = view.alone_bytes = 0;
    view.sums = (rhomb__batch_sums){0};
    return view;
}

static void merge(rhomb__batch_job *job, rhomb__batch_job *view)
{
    for (int64_t i = 0; i < view->owned_count; i++)
        job->owned[job->owned_count++] = view->owned[i];
    job->alone_bytes = rhomb__max(job->alone_bytes, view->alone_bytes);
    job->sums.distances += view->sums.distances;
    job->sums.scores += view->sums.scores;
    job->sums.found += view->sums.found;
    job->sums.exceeding += view->sums.exceeding;
    job->sums.failed += view->sums.failed;
    rhomb__error_clear(&view->stream.error);
}

/* Takes back that the pair that was solved last has no result, and why. */
static void forget_failure(rhomb__batch_job *view, int64_t pair)
{
    view->sums.failed--;
    free(view->owned[--view->owned_count]);
    view->results[pair].detail = NULL;
}

/* A rhomb__device_fn. */
static rhomb_status solve_some(rhomb_context *device, int32_t index, void *user)
{
    longs *l = user;
    rhomb_status status = RHOMB_OK;
    int64_t at, pairs = 0;
    const double began = rhomb__now();
    void **owned = malloc(((size_t)l->job->long_count + 1) * sizeof *owned);
    if (owned == NULL)
        return rhomb__fail_memory(&device->stream.error, sizeof *owned, "long pairs");
    pthread_mutex_lock(&l->lock); /* another thread may merge its own into the job */
    rhomb__batch_job view = view_of(l->job, &l->queues->of[index].setup, owned);
    pthread_mutex_unlock(&l->lock);
    while (status == RHOMB_OK && !atomic_load(&l->stop) &&
           (at = atomic_fetch_add(&l->next, 1)) < l->job->long_count) {
        const int64_t pair = l->sorted[at].index;
        status = rhomb__batch_job_solve_long(&view, pair);
        pairs++;
        if (status != RHOMB_OK || view.results[pair].status != RHOMB_ERR_DEVICE_MEMORY)
            continue;
        forget_failure(&view, pair);
        pthread_mutex_lock(&l->lock);
        l->job->list[l->again_count++] = (uint32_t)pair;
        pthread_mutex_unlock(&l->lock);
    }
    if (status != RHOMB_OK) {
        atomic_store(&l->stop, true);
        rhomb__fail(&device->stream.error, status, "%s", rhomb__error_text(&view.stream.error));
    }
    pthread_mutex_lock(&l->lock);
    merge(l->job, &view);
    pthread_mutex_unlock(&l->lock);
    rhomb__work_add(device, pairs, pairs, rhomb__now() - began);
    free(owned);
    return status;
}

/* A pair for which some device had no memory may find it on another one. */
static rhomb_status solve_again(rhomb__batch_queues *queues, rhomb__batch_job *job, int64_t pair)
{
    rhomb_status status = RHOMB_OK;
    void *owned[RHOMB_MOST_DEVICES];
    rhomb__batch_job view = view_of(job, job->setup, owned);
    for (int32_t i = 0; i < queues->count && status == RHOMB_OK; i++) {
        if (i > 0)
            forget_failure(&view, pair);
        view.setup = &queues->of[i].setup;
        status = pass(queues, i, rhomb__batch_job_solve_long(&view, pair));
        if (view.results[pair].status != RHOMB_ERR_DEVICE_MEMORY)
            break;
    }
    merge(job, &view);
    return status;
}

/* Those with most bases first; the caller frees the list. NULL if there is no memory. */
static rhomb__order_entry *sort_longs(const rhomb__batch_job *job)
{
    rhomb__order_entry *sorted = malloc((size_t)job->long_count * sizeof *sorted);
    for (int64_t i = 0; sorted != NULL && i < job->long_count; i++) {
        const rhomb_pair *pair = &job->pairs[job->longs[i]];
        sorted[i] = (rhomb__order_entry){rhomb__max(pair->target_length, pair->query_length),
                                         job->longs[i]};
    }
    if (sorted != NULL)
        rhomb__order_sort(sorted, job->long_count);
    return sorted;
}

static rhomb_status solve_beside(rhomb__batch_queues *queues, rhomb__batch_job *job)
{
    longs l = {.queues = queues, .job = job};
    rhomb__order_entry *sorted = sort_longs(job);
    if (sorted == NULL)
        return rhomb__fail_memory(&queues->ctx->stream.error,
                                  (size_t)job->long_count * sizeof *sorted, "long pairs");
    l.sorted = sorted;
    atomic_init(&l.next, 0);
    atomic_init(&l.stop, false);
    pthread_mutex_init(&l.lock, NULL);
    rhomb_status status = rhomb__each_device(queues->ctx, solve_some, &l);
    for (int64_t i = 0; i < l.again_count && status == RHOMB_OK; i++)
        status = solve_again(queues, job, job->list[i]);
    pthread_mutex_destroy(&l.lock);
    free(sorted);
    return status;
}

rhomb_status rhomb__batch_queues_solve_long(rhomb__batch_queues *queues, rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *own = job->setup;
    const double began = rhomb__now();
    if (own->shape.of_set)
        return RHOMB_OK;
    if (queues->count > 1 && job->long_count > 1)
        return solve_beside(queues, job);
    job->setup = &queues->of[0].setup;
    for (int64_t i = 0; i < job->long_count && status == RHOMB_OK; i++)
        status = rhomb__batch_job_solve_long(job, job->longs[i]);
    job->setup = own;
    if (job->long_count > 0)
        rhomb__work_add(queues->ctx, job->long_count, job->long_count, rhomb__now() - began);
    return status;
}
