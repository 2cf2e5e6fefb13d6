/* SPDX-License-Identifier: MIT */
/* Checkpoints that several members write in turns, see crew_turns.h. */
#include "host/divide/crew_turns.h"

bool rhomb__turns_init(rhomb__turns *t)
{
    if (pthread_mutex_init(&t->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&t->changed, NULL) == 0)
        return true;
    pthread_mutex_destroy(&t->mutex);
    return false;
}

void rhomb__turns_destroy(rhomb__turns *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
}

void rhomb__turns_lock(rhomb__turns *t)
{
    pthread_mutex_lock(&t->mutex);
}

void rhomb__turns_unlock(rhomb__turns *t)
{
    pthread_mutex_unlock(&t->mutex);
}

/* Whether a file is being written: from when all have come, until all have written. */
static bool is_under_way(const rhomb__turns *t)
{
    return t->waiting > 0 && t->waiting == t->working;
}

void rhomb__turns_enter(rhomb__turns *t)
{
    rhomb__turns_lock(t);
    while (is_under_way(t))
        pthread_cond_wait(&t->changed, &t->mutex);
    t->working++;
    rhomb__turns_unlock(t);
}

void rhomb__turns_leave(rhomb__turns *t)
{
    rhomb__turns_lock(t);
    t->working--;
    pthread_cond_broadcast(&t->changed);
    rhomb__turns_unlock(t);
}

bool rhomb__turns_are_due(rhomb__turns *t)
{
    rhomb__turns_lock(t);
    const bool are_due = t->waiting > 0 || rhomb__checkpoint_is_due(t->checkpoint);
    rhomb__turns_unlock(t);
    return are_due;
}

/* The next one that has come. */
static int32_t next_of(const rhomb__turns *t)
{
    int32_t member = 0;
    while (member < RHOMB_MOST_DEVICES && !t->has_come[member])
        member++;
    return member;
}

rhomb__saver *rhomb__turns_begin(rhomb__turns *t, int32_t member)
{
    rhomb__turns_lock(t);
    t->has_come[member] = true;
    t->waiting++;
    pthread_cond_broadcast(&t->changed);
    while (!is_under_way(t) || t->is_writing || next_of(t) != member)
        pthread_cond_wait(&t->changed, &t->mutex);
    t->is_writing = true;
    if (!t->is_open)
        t->saver = t->open(t->user);
    t->is_open = true;
    rhomb__turns_unlock(t);
    return t->saver;
}

/* All have written. */
static void end_file(rhomb__turns *t)
{
    if (t->failed == RHOMB_OK && !t->is_broken)
        rhomb__checkpoint_end(t->checkpoint, t->saver);
    else
        rhomb__saver_close(t->saver);
    t->saver = NULL;
    t->is_open = false;
    t->failed = RHOMB_OK;
    t->waiting = 0;
    t->written++;
}

rhomb_status rhomb__turns_end(rhomb__turns *t, int32_t member, rhomb__error *error,
                              rhomb_status saved)
{
    rhomb__turns_lock(t);
    const int64_t before = t->written;
    t->is_writing = false;
    t->has_come[member] = false;
    t->failed = t->failed == RHOMB_OK ? saved : t->failed;
    if (next_of(t) == RHOMB_MOST_DEVICES)
        end_file(t);
    pthread_cond_broadcast(&t->changed);
    while (t->written == before)
        pthread_cond_wait(&t->changed, &t->mutex);
    const bool stops = rhomb__checkpoint_stops(t->checkpoint);
    rhomb__turns_unlock(t);
    if (saved != RHOMB_OK)
        return saved;
    return stops ? rhomb__fail(error, RHOMB_ERR_CANCELLED, "stopped at a checkpoint") : RHOMB_OK;
}
