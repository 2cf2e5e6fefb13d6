/* SPDX-License-Identifier: MIT */
/*
 * Pools, see many.h. Each worker has a context of its own, because a context is for one thread at a
 * time, and drives one device with it; it is opened beside the caller's, so that programs are built
 * once and another worker costs nothing until it has a task. With one worker the caller works, in
 * cli_pool_wait(), and shows progress.
 */
#include "host/cli/many/many.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS_MOST = 16 /* of a device */, WORKERS_GPU = 4, DEVICES_MOST = 16 };

/*
 * Of tasks that wait, or whose results do, a worker has so many, as long as all have no more than
 * these bases, which bounds the memory that they take. With two for each of four workers, these
 * had nothing to do for a sixth of the time with two yeasts, after a long pair in front.
 */
enum { AHEAD_TASKS = 16, AHEAD_BASES = 64000000 };

/* A worker, and what it has done. */
typedef struct worker {
    cli_pool *pool;
    rhomb_context *ctx;
    int32_t device; /* its place among those that are open */
    pthread_t thread;
    rhomb_device_work share;
    double bases, done; /* of its present task */
} worker;

struct cli_pool {
    rhomb_context *ctx; /* the caller's */
    worker seats[DEVICES_MOST * WORKERS_MOST];
    int32_t devices;
    int32_t workers; /* contexts */
    int32_t started; /* threads */
    int32_t active;  /* of the workers: as many as there are threads, or one without */
    rhomb_options options;
    const rhomb_mode_options *how; /* NULL: from end to end */
    bool plans;
    bool blocks;        /* that is what tasks are */
    bool is_alone;      /* there is one task in all, whose progress is shown */
    double bases, done; /* of all tasks, if it is known, and of those that are complete */
    double began, shown;
    int64_t complete; /* tasks */
    cli_progress progress;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* A task that did not fit beside others is done again when there are none. */
    pthread_rwlock_t alone;
    cli_task *first, **last; /* that nobody works on yet */
    atomic_bool stopping;
};

/* The share of all bases that is done, by pairs that are complete and running ones. */
static double fraction_done(const cli_pool *pool)
{
    double done = pool->done;
    for (int32_t i = 0; i < pool->workers; i++)
        done += pool->seats[i].done;
    return pool->bases > 0 && done < pool->bases ? done / pool->bases : pool->bases > 0;
}

/* Shows how far all tasks are: "12.3 %, 3 pairs, 20 s, ETA 2 min"; by bases, if they are known. */
static void show_all(cli_pool *pool, bool building)
{
    char done[64];
    const double seconds = cli_seconds_now() - pool->began, fraction = fraction_done(pool);
    if (!cli_progress_is_due(&pool->progress, seconds, building))
        return;
    pool->shown = fraction > pool->shown ? fraction : pool->shown;
    snprintf(done, sizeof done, "%lld %s%s", (long long)pool->complete,
             pool->blocks ? "block" : "pair", cli_s(pool->complete));
    cli_progress_tell(&pool->progress, seconds, pool->bases > 0 ? pool->shown : -1, -1, done);
}

static int on_progress(const rhomb_progress *now, void *user)
{
    worker *w = user;
    cli_pool *pool = w->pool;
    if (pool->is_alone) {
        cli_progress_show(&pool->progress, now);
    } else {
        pthread_mutex_lock(&pool->mutex);
        w->done = now->fraction * w->bases;
        show_all(pool, now->building);
        pthread_mutex_unlock(&pool->mutex);
    }
    return cli_interrupted() != 0 || atomic_load(&pool->stopping);
}

static void solve(const cli_pool *pool, worker *w, cli_task *task)
{
    rhomb_context *ctx = w->ctx;
    rhomb_options options = pool->options;
    options.progress_user = w;
    if (task->guide.struct_size > 0)
        options.guide = &task->guide;
    task->mode_plan = (rhomb_mode_plan)RHOMB_MODE_PLAN_INIT;
    if (pool->plans && pool->how != NULL)
        task->status = rhomb_plan_mode(ctx, task->target, task->target_length, task->query,
                                       task->query_length, pool->how, &options, &task->mode_plan);
    else if (pool->plans)
        task->status = rhomb_plan_distance(ctx, task->target, task->target_length, task->query,
                                           task->query_length, &options, &task->plan);
    else if (task->with_path && pool->how != NULL)
        task->status = rhomb_align_mode(ctx, task->target, task->target_length, task->query,
                                        task->query_length, pool->how, &options, &task->alignment);
    else if (task->with_path)
        task->status = rhomb_align(ctx, task->target, task->target_length, task->query,
                                   task->query_length, &options, &task->alignment);
    else
        task->status = rhomb_distance(ctx, task->target, task->target_length, task->query,
                                      task->query_length, &options, &task->result);
    if (task->status != RHOMB_OK)
        task->error = strdup(rhomb_context_error(ctx));
}

/* With several devices, says on which one a task has failed. */
static void name_device(const cli_pool *pool, const worker *w, cli_task *task)
{
    const rhomb_device_info *device = rhomb_context_device(w->ctx);
    const int class = rhomb_status_class(task->status);
    if (pool->devices == 1 || task->error == NULL || (class != CLI_DEVICE && class != CLI_MEMORY))
        return;
    const size_t size = strlen(task->error) + strlen(device->name) + 64;
    char *named = malloc(size);
    if (named == NULL)
        return;
    snprintf(named, size, "device %d, %s: %s", (int)device->index, device->name, task->error);
    free(task->error);
    task->error = named;
}

static void run(cli_pool *pool, worker *w, cli_task *task)
{
    task->began = cli_seconds_now();
    w->bases = (double)cli_task_bases(task);
    pthread_rwlock_rdlock(&pool->alone);
    solve(pool, w, task);
    pthread_rwlock_unlock(&pool->alone);
    if (task->status == RHOMB_ERR_DEVICE_MEMORY && pool->active > 1) {
        free(task->error);
        task->error = NULL;
        pthread_rwlock_wrlock(&pool->alone);
        solve(pool, w, task);
        pthread_rwlock_unlock(&pool->alone);
    }
    name_device(pool, w, task);
    w->share.pairs++;
    w->share.jobs++;
    task->seconds = cli_seconds_now() - task->began;
    w->share.seconds += task->seconds;
    pthread_mutex_lock(&pool->mutex);
    pool->done += w->bases;
    pool->complete++;
    w->done = 0;
    pthread_mutex_unlock(&pool->mutex);
}

void cli_pool_expect(cli_pool *pool, int64_t bases)
{
    pthread_mutex_lock(&pool->mutex);
    pool->bases += (double)bases;
    pthread_mutex_unlock(&pool->mutex);
}

int64_t cli_task_bases(const cli_task *task)
{
    return task->target_length + task->query_length;
}

/*
 * The next task, NULL if there is none: where several are solved at a time the longest one, so that
 * it does not begin when all others have ended. With the mutex.
 */
static cli_task *take(cli_pool *pool)
{
    cli_task **next = &pool->first;
    for (cli_task **at = next; *at != NULL && pool->active > 1; at = &(*at)->next)
        if (cli_task_bases(*at) > cli_task_bases(*next))
            next = at;
    cli_task *task = *next;
    if (task == NULL)
        return NULL;
    *next = task->next;
    if (*next == NULL)
        pool->last = next;
    return task;
}

static void *work(void *user)
{
    worker *w = user;
    cli_pool *pool = w->pool;
    pthread_mutex_lock(&pool->mutex);
    while (!atomic_load(&pool->stopping)) {
        cli_task *task = take(pool);
        if (task == NULL) {
            pthread_cond_wait(&pool->changed, &pool->mutex);
            continue;
        }
        pthread_mutex_unlock(&pool->mutex);
        run(pool, w, task);
        pthread_mutex_lock(&pool->mutex);
        task->is_done = true;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* One more context on a device that is open. On failure *out is NULL, or has the detail. */
static rhomb_status another(const cli_pool *pool, int32_t device, const cli_pool_options *options,
                            rhomb_context **out)
{
    const rhomb_status status = cli_context_create(out, options->cache_dir, options->threads);
    return status == RHOMB_OK ? rhomb_context_open_shared(*out, pool->ctx, device) : status;
}

/* Where nobody has asked for a number. */
static int32_t usual_workers(const rhomb_device_info *info, int64_t tasks)
{
    if (info->kind == RHOMB_DEVICE_CPU)
        return 1;
    return tasks > 0 && tasks < WORKERS_GPU ? (int32_t)tasks : WORKERS_GPU;
}

/*
 * Gives a device its workers. The caller's context is one of them where it has no other device;
 * each device needs one, and has fewer than it should where there can be no more. The exit status.
 */
static int add_workers(cli_pool *pool, int32_t device, const cli_pool_options *options)
{
    const rhomb_device_info *info = rhomb_context_device_at(pool->ctx, device);
    const int32_t asked =
        options->tasks == 1 ? 1
        : options->at_a_time > 0
            ? options->at_a_time
            : usual_workers(info, (options->tasks + pool->devices - 1) / pool->devices);
    const int32_t wanted = asked < WORKERS_MOST ? asked : WORKERS_MOST;
    for (int32_t i = 0; i < wanted; i++) {
        worker *w = &pool->seats[pool->workers];
        *w = (worker){.pool = pool, .device = device};
        const rhomb_status status =
            i == 0 && pool->devices == 1 ? RHOMB_OK : another(pool, device, options, &w->ctx);
        if (status == RHOMB_OK && w->ctx == NULL)
            w->ctx = pool->ctx;
        if (status != RHOMB_OK && i == 0) {
            const int code = cli_fail(w->ctx, status);
            rhomb_context_destroy(w->ctx);
            w->ctx = NULL;
            return code;
        }
        if (status != RHOMB_OK) {
            rhomb_context_destroy(w->ctx);
            w->ctx = NULL;
            break;
        }
        pool->workers++;
    }
    return CLI_OK;
}

cli_pool *cli_pool_start(rhomb_context *ctx, const cli_pool_options *options)
{
    int status = CLI_OK;
    const int32_t open = rhomb_context_device_count(ctx);
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
    pool->is_alone = options->tasks == 1;
    pool->bases = (double)options->bases;
    pool->how =
        options->how != NULL && options->how->mode != RHOMB_MODE_GLOBAL ? options->how : NULL;
    pool->plans = options->plans;
    pool->blocks = options->blocks;
    pool->began = cli_seconds_now();
    pool->ctx = ctx;
    /* All devices share a pair that is alone. */
    pool->devices = options->tasks == 1 ? 1 : open < DEVICES_MOST ? open : DEVICES_MOST;
    cli_progress_start(&pool->progress, rhomb_context_device(ctx)->name);
    cli_interrupts_defer();
    for (int32_t i = 0; i < pool->devices && status == CLI_OK; i++)
        status = add_workers(pool, i, options);
    if (status != CLI_OK) {
        cli_pool_release(pool);
        return NULL;
    }
    for (worker *w = pool->seats; pool->workers > 1 && pool->started < pool->workers; w++) {
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
        pool->started++;
    }
    pool->active = pool->started > 0 ? pool->started : 1;
    return pool;
}

bool cli_pool_has_enough(const cli_pool *pool, int64_t tasks, int64_t bases)
{
    if (pool->active == 1)
        return tasks > 1;
    const int64_t least = (pool->devices > 1 ? 4 : 2) * pool->active;
    return tasks > least && (bases > AHEAD_BASES || tasks > AHEAD_TASKS * pool->active);
}

int32_t cli_pool_at_a_time(const cli_pool *pool)
{
    return pool->active;
}

int32_t cli_pool_devices(const cli_pool *pool)
{
    return pool->devices;
}

rhomb_device_work cli_pool_share(const cli_pool *pool, int32_t device,
                                 const rhomb_device_info **info)
{
    rhomb_device_work sum = {0};
    *info = rhomb_context_device_at(pool->ctx, device);
    for (int32_t i = 0; i < pool->workers; i++) {
        const worker *w = &pool->seats[i];
        sum.pairs += w->device == device ? w->share.pairs : 0;
        sum.jobs += w->device == device ? w->share.jobs : 0;
        sum.seconds += w->device == device ? w->share.seconds : 0;
    }
    return sum;
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
        run(pool, &pool->seats[0], next);
        next->is_done = true;
    }
    pthread_mutex_lock(&pool->mutex);
    while (!task->is_done)
        pthread_cond_wait(&pool->changed, &pool->mutex);
    cli_clear_status_line();
    pthread_mutex_unlock(&pool->mutex);
    return cli_interrupted() != 0 ? cli_stopped(cli_interrupted()) : CLI_OK;
}

void cli_task_release(cli_task *task)
{
    rhomb_alignment_destroy(task->alignment);
    rhomb_result_destroy(task->result);
    rhomb_plan_destroy(task->plan);
    free(task->error);
    free(task->points);
    task->points = NULL;
    task->alignment = NULL;
    task->result = NULL;
    task->plan = NULL;
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
        pthread_join(pool->seats[i].thread, NULL);
    for (int32_t i = 0; i < pool->workers; i++)
        if (pool->seats[i].ctx != pool->ctx)
            rhomb_context_destroy(pool->seats[i].ctx);
    cli_interrupts_restore();
    pthread_rwlock_destroy(&pool->alone);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
