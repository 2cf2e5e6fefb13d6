/* SPDX-License-Identifier: MIT */
/*
 * The devices of a context that split the subproblems of a round. Each has the packed pair, a
 * thread, and a part of the subproblems, by their work and its speed. How a device splits its part
 * is the caller's matter (rhomb__group_splits); where a subproblem is split does not depend
 * on the device. A member's device may be another rank's, which gets the pair when it is asked to
 * split something (remote_group.h).
 */
#ifndef RHOMB_HOST_DEVICE_GROUP_H
#define RHOMB_HOST_DEVICE_GROUP_H

#include "host/divide/aligner.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct rhomb__device_group rhomb__device_group;

/* A member, and a part of a round. Member 0 is the aligner's device. */
typedef struct rhomb__device_group_part {
    rhomb_context *ctx;
    int32_t member;
    const rhomb__buffer
        *target; /* the packed pair on this device, for as long as there is the group */
    const rhomb__buffer *query;
    const rhomb_subproblem *subproblems;
    int64_t count;
    rhomb__breakpoint *breakpoints; /* of these subproblems, to be filled */
    int64_t *cells;                 /* to be increased by what it takes */
    const atomic_bool *stopped;     /* as rhomb__device_group_go_on() finds out */
} rhomb__device_group_part;

/* What a member does, on a thread of its own; `user` is the same for all. */
typedef rhomb_status rhomb__device_group_fn(const rhomb__device_group_part *part, void *user);

/* What a subproblem takes on a device by its rates, for the deal. */
typedef double rhomb__device_group_seconds(const rhomb__rate_values *rates,
                                           const rhomb_subproblem *subproblem);

/* A round. */
typedef struct rhomb__device_group_round {
    const rhomb_subproblem *subproblems;
    int64_t count;
    rhomb__device_group_seconds *seconds;
    rhomb__device_group_fn *split; /* of the part of each member that has one */
    void *user;
} rhomb__device_group_round;

/*
 * Whether more than the first device takes part in the path, as far as has room for it: where that
 * one would be busy long enough by its rates, or the tuning's chunk_strips says so.
 */
bool rhomb__device_group_pays(const rhomb__aligner *aligner);

/*
 * Chooses the members and packs the pair on them. The aligner is borrowed. *out is to be closed on
 * failure, too.
 */
rhomb_status rhomb__device_group_open(rhomb__aligner *aligner, rhomb__device_group **out);

int32_t rhomb__device_group_count(const rhomb__device_group *group);

/* The context of a member. */
rhomb_context *rhomb__device_group_context(const rhomb__device_group *group, int32_t member);

/*
 * Calls the function for all members at the same time, without subproblems. The first failure of a
 * device becomes the aligner's, with its name; those that stopped because of it have none.
 */
rhomb_status rhomb__device_group_each(rhomb__device_group *group, rhomb__device_group_fn *fn,
                                      void *user);

/*
 * Splits a round. breakpoints[i] is that of subproblems[i]; *cells is what all parts took.
 */
rhomb_status rhomb__device_group_solve(rhomb__device_group *group,
                                       const rhomb__device_group_round *round,
                                       rhomb__breakpoint *breakpoints, int64_t *cells);

/*
 * To be called by members now and then: RHOMB_ERR_CANCELLED where another one has failed, or the
 * caller has stopped, whom the first member tells how far its part is.
 */
rhomb_status rhomb__device_group_go_on(rhomb__device_group *group, rhomb_context *ctx,
                                       double fraction);

/* NULL is allowed. */
void rhomb__device_group_close(rhomb__device_group *group);

/* Subproblems of a round that a member splits in one call; for the files of a device group. */
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

/* What sweeps or wavefronts split of a round, on all devices of the group: see split_member.h. */
typedef struct rhomb__group_splits rhomb__group_splits;

/* Opens what splits. Group and aligner are borrowed. *out is to be closed on failure, too. */
rhomb_status rhomb__group_splits_open(rhomb__aligner *aligner, rhomb__device_group *group,
                                      bool by_waves, int64_t portion_bytes,
                                      rhomb__group_splits **out);

/*
 * Splits subproblems; by wavefronts `large` ones by many groups each, others, of unit costs, by one
 * each. *cells is what that took.
 */
rhomb_status rhomb__group_splits_solve(rhomb__group_splits *splits, bool large,
                                       const rhomb_subproblem *subproblems, int64_t count,
                                       rhomb__breakpoint *breakpoints, int64_t *cells);

/* NULL is allowed. */
void rhomb__group_splits_close(rhomb__group_splits *splits);

#endif
