/* SPDX-License-Identifier: MIT */
/*
 * How the members of a crew write a checkpoint together: each is on its own thread, and comes to a
 * place where its state can be saved every tenth of a second or so. The first one that finds that
 * it is time waits there for all others that are at work. Then they write in turns, in the order of
 * the members, and go on together.
 *
 *     member 0   works ----- waits -- writes ------------- waits - works
 *     member 1   works -------- waits ------- writes -- ends the file - works
 *     member 2   works - has done its part
 *                              all that work have come
 */
#ifndef RHOMB_HOST_CREW_TURNS_H
#define RHOMB_HOST_CREW_TURNS_H

#include "host/checkpoint/checkpoint.h"

#include <pthread.h>

typedef struct rhomb__turns {
    rhomb__checkpoint *checkpoint; /* NULL: none is written */
    /* Begins the file, with all that is no member's; NULL as rhomb__checkpoint_begin(). */
    rhomb__saver *(*open)(void *user);
    void *user;
    pthread_mutex_t mutex; /* of all below; also for the caller's own, as lock() and unlock() */
    pthread_cond_t changed;
    int32_t working;                   /* members between enter() and leave() */
    int32_t waiting;                   /* of these: for their turn, or for it to be over */
    bool has_come[RHOMB_MOST_DEVICES]; /* and has not written */
    bool is_writing;                   /* some member's turn; all have come */
    bool is_open;
    rhomb__saver *saver;
    rhomb_status failed;
    bool is_broken;  /* a member has failed: no file is to take the place of the last one */
    int64_t written; /* files so far */
} rhomb__turns;

/* Returns false where the system has no mutex to give. */
bool rhomb__turns_init(rhomb__turns *turns);
void rhomb__turns_destroy(rhomb__turns *turns);

void rhomb__turns_lock(rhomb__turns *turns);
void rhomb__turns_unlock(rhomb__turns *turns);

/* A member begins work of which a checkpoint has to have the state, and ends it. */
void rhomb__turns_enter(rhomb__turns *turns);
void rhomb__turns_leave(rhomb__turns *turns);

/* Whether a member should come to write. */
bool rhomb__turns_are_due(rhomb__turns *turns);

/*
 * A member has come; returns in its turn, with the file or NULL where there is none. It writes, and
 * ends its turn with the status of that, which is returned if it is a failure. Else this returns
 * when all have written; RHOMB_ERR_CANCELLED, in the member's error record, where the caller wishes
 * to stop.
 */
rhomb__saver *rhomb__turns_begin(rhomb__turns *turns, int32_t member);
rhomb_status rhomb__turns_end(rhomb__turns *turns, int32_t member, rhomb__error *error,
                              rhomb_status saved);

#endif
