/* SPDX-License-Identifier: MIT */
/*
 * Ranks in threads, see thread_ranks.h.
 */
#include "thread_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct letter {
    struct letter *next;
    size_t bytes;
    char data[];
} letter;

typedef struct queue {
    letter *first, **last;
} queue;

/* All ways between ranks. One set of ranks lives at a time. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    queue queues[RHOMB_MOST_DEVICES][RHOMB_MOST_DEVICES][RHOMB_RANK_CHANNELS];
    bool lost[RHOMB_MOST_DEVICES][RHOMB_MOST_DEVICES];
    int32_t serving;
    int64_t calls, fail_at;
    bool failed;
    bool any_lost;           /* a rank of this set has not ended as it should */
    unsigned delay_us, draw; /* each message is late, by at most so much */
} net = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* A rank, as its functions get it. */
typedef struct rank_thread {
    int32_t rank;
    int32_t count;
    char *selector;
} rank_thread;

static rank_thread leader;

/* Counts a call between two ranks; whether it is the one that fails. Under the lock. */
static bool fails_now(int32_t one, int32_t other)
{
    net.calls++;
    if (net.fail_at == 0 || net.calls != net.fail_at)
        return false;
    net.failed = net.any_lost = net.lost[one][other] = net.lost[other][one] = true;
    pthread_cond_broadcast(&net.changed);
    return true;
}

static int send_letter(int32_t to, int32_t channel, const void *data, size_t bytes, void *user)
{
    const rank_thread *self = user;
    letter *l = malloc(sizeof *l + bytes);
    if (l == NULL)
        return 1;
    l->next = NULL;
    l->bytes = bytes;
    memcpy(l->data, data, bytes);
    pthread_mutex_lock(&net.lock);
    const bool lost = fails_now(self->rank, to) || net.lost[self->rank][to];
    queue *q = &net.queues[self->rank][to][channel];
    if (!lost) {
        if (q->first == NULL)
            q->last = &q->first;
        *q->last = l;
        q->last = &l->next;
        l = NULL;
        pthread_cond_broadcast(&net.changed);
    }
    pthread_mutex_unlock(&net.lock);
    free(l);
    return lost;
}

/* A rank that is late, now and then. */
static void delay(const rank_thread *self)
{
    if (net.delay_us == 0)
        return;
    pthread_mutex_lock(&net.lock);
    net.draw = net.draw * 1103515245u + 12345u + (unsigned)self->rank;
    const struct timespec pause = {.tv_nsec = 1000L * (long)(net.draw / 65536 % net.delay_us)};
    pthread_mutex_unlock(&net.lock);
    nanosleep(&pause, NULL);
}

static int receive_letter(int32_t from, int32_t channel, void *data, size_t bytes, void *user)
{
    const rank_thread *self = user;
    delay(self);
    pthread_mutex_lock(&net.lock);
    queue *q = &net.queues[from][self->rank][channel];
    const bool fails = fails_now(from, self->rank);
    while (q->first == NULL && !net.lost[from][self->rank])
        pthread_cond_wait(&net.changed, &net.lock);
    letter *l = fails ? NULL : q->first; /* what was sent before a loss arrives */
    if (l != NULL)
        q->first = l->next;
    pthread_mutex_unlock(&net.lock);
    if (l != NULL && l->bytes != bytes) {
        fprintf(stderr, "rank %d: %zu bytes of rank %d instead of %zu\n", (int)self->rank, l->bytes,
                (int)from, bytes);
        abort();
    }
    if (l != NULL)
        memcpy(data, l->data, bytes);
    const bool lost = l == NULL;
    free(l);
    return lost;
}

static int probe_letter(int32_t from, int32_t channel, bool *waits, void *user)
{
    const rank_thread *self = user;
    pthread_mutex_lock(&net.lock);
    const bool fails = fails_now(from, self->rank);
    *waits = net.queues[from][self->rank][channel].first != NULL;
    const bool lost = fails || (!*waits && net.lost[from][self->rank]);
    pthread_mutex_unlock(&net.lock);
    return lost;
}

static rhomb_ranks ranks_of(rank_thread *self)
{
    return (rhomb_ranks){.struct_size = sizeof(rhomb_ranks),
                         .rank = self->rank,
                         .count = self->count,
                         .user = self,
                         .send = send_letter,
                         .receive = receive_letter,
                         .probe = probe_letter};
}

static void *serve(void *user)
{
    rank_thread *self = user;
    rhomb_context *ctx = NULL;
    const rhomb_ranks ranks = ranks_of(self);
    if (rhomb_context_create(&ctx, NULL) != RHOMB_OK)
        abort();
    const rhomb_status opened = rhomb_context_open_share(ctx, self->selector, 0, self->rank);
    const rhomb_status status = rhomb_ranks_serve(ctx, &ranks, opened);
    rhomb_context_destroy(ctx);
    pthread_mutex_lock(&net.lock);
    /* As if the process had ended: nobody waits for it for ever. */
    for (int32_t i = 0; i < self->count; i++)
        net.lost[self->rank][i] = net.lost[i][self->rank] = true;
    net.serving--;
    net.any_lost = net.any_lost || status != RHOMB_OK;
    pthread_cond_broadcast(&net.changed);
    pthread_mutex_unlock(&net.lock);
    free(self->selector);
    free(self);
    return NULL;
}

/* Whether anything is left in the queues. */
static bool has_letters(void)
{
    for (int32_t i = 0; i < RHOMB_MOST_DEVICES; i++)
        for (int32_t k = 0; k < RHOMB_MOST_DEVICES; k++)
            for (int32_t c = 0; c < RHOMB_RANK_CHANNELS; c++)
                if (net.queues[i][k][c].first != NULL)
                    return true;
    return false;
}

void ranks_wait(void)
{
    pthread_mutex_lock(&net.lock);
    while (net.serving > 0)
        pthread_cond_wait(&net.changed, &net.lock);
    /* What MPI has not delivered when it ends may hang there. */
    if (!net.any_lost && !net.failed && has_letters()) {
        fprintf(stderr, "ranks have left messages\n");
        abort();
    }
    pthread_mutex_unlock(&net.lock);
}

/* The ranks of before lose all others, so that they end; and what they have left is thrown away. */
static void start_afresh(void)
{
    static bool is_registered;
    if (!is_registered)
        atexit(start_afresh);
    is_registered = true;
    pthread_mutex_lock(&net.lock);
    memset(net.lost, 1, sizeof net.lost);
    net.any_lost = net.any_lost || net.serving > 0;
    pthread_cond_broadcast(&net.changed);
    pthread_mutex_unlock(&net.lock);
    ranks_wait();
    net.any_lost = false;
    for (int32_t i = 0; i < RHOMB_MOST_DEVICES; i++) {
        for (int32_t k = 0; k < RHOMB_MOST_DEVICES; k++) {
            net.lost[i][k] = false;
            for (int32_t c = 0; c < RHOMB_RANK_CHANNELS; c++) {
                queue *q = &net.queues[i][k][c];
                while (q->first != NULL) {
                    letter *next = q->first->next;
                    free(q->first);
                    q->first = next;
                }
            }
        }
    }
}

rhomb_status ranks_join(rhomb_context *ctx, int32_t count, const char *selector)
{
    return ranks_join_as(ctx, count, selector, selector);
}

rhomb_status ranks_join_as(rhomb_context *ctx, int32_t count, const char *selector,
                           const char *others)
{
    start_afresh();
    leader = (rank_thread){.rank = 0, .count = count};
    /* Before the others do: PoCL must not be used for the first time by several threads. */
    const rhomb_status opened = rhomb_context_open_share(ctx, selector, 0, 0);
    for (int32_t i = 1; i < count; i++) {
        pthread_t thread;
        rank_thread *self = malloc(sizeof *self);
        if (self == NULL)
            abort();
        *self = (rank_thread){
            .rank = i, .count = count, .selector = others != NULL ? strdup(others) : NULL};
        pthread_mutex_lock(&net.lock);
        net.serving++;
        pthread_mutex_unlock(&net.lock);
        if (pthread_create(&thread, NULL, serve, self) != 0)
            abort();
        pthread_detach(thread);
    }
    const rhomb_ranks ranks = ranks_of(&leader);
    return rhomb_context_join_ranks(ctx, &ranks, opened);
}

rhomb_status ranks_open(rhomb_context *ctx)
{
    const char *count = getenv("RHOMB_TEST_RANKS"), *selector = getenv("RHOMB_TEST_DEVICE");
    return count != NULL && atoi(count) > 1 ? ranks_join(ctx, atoi(count), selector)
                                            : rhomb_context_open(ctx, selector, 0);
}

int64_t ranks_fail_at(int64_t call)
{
    pthread_mutex_lock(&net.lock);
    const int64_t calls = net.calls;
    net.calls = 0;
    net.fail_at = call;
    net.failed = false;
    pthread_mutex_unlock(&net.lock);
    return calls;
}

void ranks_delay(unsigned microseconds)
{
    net.delay_us = microseconds;
}

bool ranks_failed(void)
{
    pthread_mutex_lock(&net.lock);
    const bool failed = net.failed;
    pthread_mutex_unlock(&net.lock);
    return failed;
}
