/* SPDX-License-Identifier: MIT */
/*
 * What the files of a device group (device_group.h) share: the round that runs, as jobs of its
 * members.
 */
#ifndef RHOMB_HOST_DEVICE_GROUP_ROUND_H
#define RHOMB_HOST_DEVICE_GROUP_ROUND_H

#include "host/divide/device_group.h"

#include <pthread.h>
#include <stdatomic.h>

/* Subproblems of a round that a member splits in one call. */
typedef struct rhomb__device_group_job {
    int64_t *places; /* in the round */
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t count;
    int64_t cells; /* that it took */
} rhomb__device_group_job;

/* A device, and its job of a round. */
typedef struct rhomb__device_group_member {
    rhomb__device_group *group;
    rhomb_context *ctx;
    int32_t index;
    int32_t device;              /* of those that the aligner's context has */
    rhomb__buffer target, query; /* the packed pair, where it is not the first device */
    rhomb__device_group_job job;
    double seconds; /* of its job, by its rates */
    rhomb_status status;
} rhomb__device_group_member;

struct rhomb__device_group {
    rhomb__aligner *aligner;
    rhomb__device_group_member members[RHOMB_MOST_DEVICES];
    int32_t count;
    atomic_bool stopped;   /* by a failure, or by the caller */
    pthread_mutex_t mutex; /* of `done` */
    pthread_cond_t changed;
    bool has_mutex, has_changed;
    int64_t beside;             /* members that have a thread of their own, and ... */
    int64_t done;               /* ... members but the first that are done */
    rhomb__device_group_fn *fn; /* that runs for all members */
    void *user;
    const rhomb__device_group_round *round;
};

/* Makes each member's job of the round. (device_group_deal.c) */
rhomb_status rhomb__device_group_deal(rhomb__device_group *group);

/* Forgets all jobs. (device_group_deal.c) */
void rhomb__device_group_drop_jobs(rhomb__device_group *group);

#endif
