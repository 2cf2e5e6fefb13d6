/* SPDX-License-Identifier: MIT */
/*
 * Threads for a loop, see parallel.h. They are created for each loop, so that none remain between
 * calls. That takes some ten microseconds per thread, and loops worth it take milliseconds.
 */
#include "src/base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS_MOST    64
#define THREADS_DEFAULT 16
#define BESIDE_MOST     16

typedef struct loop {
    atomic_int_least64_t next;
    int64_t count;
    rhomb__parallel_task task;
    void *user;
} loop;

int32_t rhomb__threads_meant(int32_t asked)
{
    const long cores = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    const long most = asked > 0 ? THREADS_MOST : THREADS_DEFAULT;
    return (int32_t)(cores < 1 ? 1 : cores > most ? most : cores);
}

static void *run_tasks(void *user)
{
    loop *l = user;
    for (int64_t i; (i = atomic_fetch_add(&l->next, 1)) < l->count;)
        l->task(i, l->user);
    return NULL;
}

void rhomb__parallel_run(int32_t threads, int64_t count, rhomb__parallel_task task, void *user)
{
    pthread_t others[THREADS_MOST];
    int32_t started = 0;
    loop l = {.count = count, .task = task, .user = user};
    const int64_t most = threads < count ? threads : count;
    while (started + 1 < most && started < THREADS_MOST &&
           pthread_create(&others[started], NULL, run_tasks, &l) == 0)
        started++;
    run_tasks(&l);
    for (int32_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

typedef struct one_task {
    int64_t index;
    rhomb__parallel_task task;
    void *user;
} one_task;

static void *run_one(void *user)
{
    const one_task *one = user;
    one->task(one->index, one->user);
    return NULL;
}

void rhomb__parallel_beside(int64_t count, rhomb__parallel_task task, void *user, int64_t *beside)
{
    pthread_t others[BESIDE_MOST];
    one_task tasks[BESIDE_MOST];
    int64_t started = 0;
    while (started + 1 < count && started < BESIDE_MOST) {
        tasks[started] = (one_task){started + 1, task, user};
        if (pthread_create(&others[started], NULL, run_one, &tasks[started]) != 0)
            break;
        started++;
    }
    if (beside != NULL)
        *beside = started;
    task(0, user);
    for (int64_t i = started + 1; i < count; i++)
        task(i, user);
    for (int64_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

static int compare_entries(const void *a, const void *b)
{
    const rhomb__order_entry *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void rhomb__order_sort(rhomb__order_entry *entries, int64_t count)
{
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
}
