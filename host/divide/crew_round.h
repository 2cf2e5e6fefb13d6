/* SPDX-License-Identifier: MIT */
/*
 * What the files of a crew (crew.h) share: the round that runs, as jobs of its members.
 */
#ifndef RHOMB_HOST_CREW_ROUND_H
#define RHOMB_HOST_CREW_ROUND_H

#include "host/divide/crew.h"

#include <pthread.h>
#include <stdatomic.h>

/* Subproblems of a round that a member splits in one call. */
typedef struct rhomb__crew_job {
    int64_t *places; /* in the round */
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t count;
    int64_t cells; /* that it took */
} rhomb__crew_job;

/* A device, and its job of a round. */
typedef struct rhomb__crew_member {
    rhomb__crew *crew;
    rhomb_context *ctx;
    int32_t index;
    int32_t device;              /* of those that the aligner's context has */
    rhomb__buffer target, query; /* the packed pair, where it is not the first device */
    rhomb__crew_job job;
    double seconds; /* of its job, by its rates */
    rhomb_status status;
} rhomb__crew_member;

struct rhomb__crew {
    rhomb__aligner *aligner;
    rhomb__crew_member members[RHOMB_MOST_DEVICES];
    int32_t count;
    atomic_bool stopped;   /* by a failure, or by the caller */
    pthread_mutex_t mutex; /* of `done` */
    pthread_cond_t changed;
    bool has_mutex, has_changed;
    int64_t beside;     /* members that have a thread of their own, and ... */
    int64_t done;       /* ... members but the first that are done */
    rhomb__crew_fn *fn; /* that runs for all members */
    void *user;
    const rhomb__crew_round *round;
};

/* Makes each member's job of the round. (crew_deal.c) */
rhomb_status rhomb__crew_deal(rhomb__crew *crew);

/* Forgets all jobs. (crew_deal.c) */
void rhomb__crew_drop_jobs(rhomb__crew *crew);

#endif
