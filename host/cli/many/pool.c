/* SPDX-License-Identifier: MIT */
/*
 * Pools, see pool.h. Each worker has a context of its own, because a context is for one thread at a
 * time. With one worker the caller works, in cli_pool_wait(), and shows progress.
 */
#include "host/cli/many/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MOST = 16, WORKERS_GPU = 4 };

struct cli_pool {
    rhomb_context *contexts[WORKERS_MOST];
    pthread_t threads[WORKERS_MOST];
    int32_t workers;
    int32_t started; /* threads */
    rhomb_options options;
    cli_progress progress;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* A task that did not fit beside others is done again when there are none. */
    pthread_rwlock_t alone;
    cli_task *first, **last; /* that nobody works on yet */
    atomic_bool stopping;
};

/* A worker's number, with its pool. */
typedef struct seat {
    cli_pool *pool;
    int32_t number;
} seat;

static int on_progress(const rhomb_progress *now, void *user)
{
    cli_pool *pool = user;
    if (pool->workers == 1)
        cli_progress_show(&pool->progress, now);
    return cli_interrupted() != 0 || atomic_load(&pool->stopping);
}

static void solve(const cli_pool *pool, rhomb_context *ctx, cli_task *task)
{
    rhomb_options options = pool->options;
    if (task->guide.struct_size > 0)
        options.guide = &task->guide;
    task->status = task->with_path
                       ? rhomb_align(ctx, task->target, task->target_length, task->query,
                                     task->query_length, &options, &task->alignment)
                       : rhomb_distance(ctx, task->target, task->target_length, task->query,
                                        task->query_length, &options, &task->result);
    if (task->status != RHOMB_OK)
        task->error = strdup(rhomb_context_error(ctx));
}

static void run(cli_pool *pool, rhomb_context *ctx, cli_task *task)
{
    pthread_rwlock_rdlock(&pool->alone);
    solve(pool, ctx, task);
    pthread_rwlock_unlock(&pool->alone);
    if (task->status != RHOMB_ERR_DEVICE_MEMORY || pool->workers == 1)
        return;
    free(task->error);
    task->error = NULL;
    pthread_rwlock_wrlock(&pool->alone);
    solve(pool, ctx, task);
    pthread_rwlock_unlock(&pool->alone);
}

/* The next task, NULL if there is none. With the mutex. */
static cli_task *take(cli_pool *pool)
{
    cli_task *task = pool->first;
    if (task == NULL)
        return NULL;
    pool->first = task->next;
    if (pool->first == NULL)
        pool->last = &pool->first;
    return task;
}

static void *work(void *user)
{
    const seat own = *(seat *)user;
    cli_pool *pool = own.pool;
    free(user);
    pthread_mutex_lock(&pool->mutex);
    while (!atomic_load(&pool->stopping)) {
        cli_task *task = take(pool);
        if (task == NULL) {
            pthread_cond_wait(&pool->changed, &pool->mutex);
            continue;
        }
        pthread_mutex_unlock(&pool->mutex);
        run(pool, pool->contexts[own.number], task);
        pthread_mutex_lock(&pool->mutex);
        task->is_done = true;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* A context on the same device; NULL if there can be none, and there is one worker less. */
static rhomb_context *another(const rhomb_context *ctx, const cli_pool_options *options)
{
    const rhomb_context_options given = {.struct_size = sizeof given,
                                         .cache_dir = options->cache_dir,
                                         .threads = options->threads,
                                         .log = cli_log};
    rhomb_context *more = NULL;
    char index[16];
    snprintf(index, sizeof index, "%d", (int)rhomb_context_device(ctx)->index);
    if (rhomb_context_create(&more, &given) == RHOMB_OK &&
        rhomb_context_open(more, index, options->open_flags) == RHOMB_OK)
        return more;
    rhomb_context_destroy(more);
    return NULL;
}

static bool start_worker(cli_pool *pool)
{
    seat *own = malloc(sizeof *own);
    if (own == NULL)
        return false;
    *own = (seat){pool, pool->started};
    if (pthread_create(&pool->threads[pool->started], NULL, work, own) == 0) {
        pool->started++;
        return true;
    }
    free(own);
    return false;
}

cli_pool *cli_pool_start(rhomb_context *ctx, const cli_pool_options *options)
{
    const rhomb_device_info *device = rhomb_context_device(ctx);
    const int32_t usual = device->kind == RHOMB_DEVICE_CPU ? 1 : WORKERS_GPU;
    const int32_t wanted = options->at_a_time > 0 ? options->at_a_time : usual;
    cli_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pthread_rwlock_init(&pool->alone, NULL);
    atomic_init(&pool->stopping, false);
    pool->last = &pool->first;
    pool->options = *options->options;
    pool->options.progress = on_progress;
    pool->options.progress_user = pool;
    pool->contexts[0] = ctx;
    pool->workers = 1;
    cli_progress_start(&pool->progress, device->name);
    cli_interrupts_defer();
    while (pool->workers < wanted && pool->workers < WORKERS_MOST &&
           (pool->contexts[pool->workers] = another(ctx, options)) != NULL)
        pool->workers++;
    while (pool->workers > 1 && pool->started < pool->workers && start_worker(pool))
        continue;
    pool->workers = pool->started > 0 ? pool->started : 1;
    return pool;
}

int32_t cli_pool_ahead(const cli_pool *pool)
{
    return pool->workers == 1 ? 1 : 2 * pool->workers;
}

void cli_pool_add(cli_pool *pool, cli_task *task)
{
    pthread_mutex_lock(&pool->mutex);
    task->next = NULL;
    *pool->last = task;
    pool->last = &task->next;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

int cli_pool_wait(cli_pool *pool, cli_task *task)
{
    while (pool->started == 0 && !task->is_done) {
        cli_task *next = take(pool);
        run(pool, pool->contexts[0], next);
        next->is_done = true;
        cli_progress_end(&pool->progress);
    }
    pthread_mutex_lock(&pool->mutex);
    while (!task->is_done)
        pthread_cond_wait(&pool->changed, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    return cli_interrupted() != 0 ? cli_stopped(cli_interrupted()) : CLI_OK;
}

void cli_task_release(cli_task *task)
{
    rhomb_alignment_destroy(task->alignment);
    rhomb_result_destroy(task->result);
    free(task->error);
    free(task->points);
    task->points = NULL;
    task->alignment = NULL;
    task->result = NULL;
    task->error = NULL;
}

void cli_pool_release(cli_pool *pool)
{
    if (pool == NULL)
        return;
    atomic_store(&pool->stopping, true);
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    for (int32_t i = 1; i < WORKERS_MOST; i++)
        rhomb_context_destroy(pool->contexts[i]);
    cli_interrupts_restore();
    pthread_rwlock_destroy(&pool->alone);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
