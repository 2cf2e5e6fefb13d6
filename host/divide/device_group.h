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
#include "host/splits/splitter.h"

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
    const atomic_bool *stopped;     /* as members find out now and then */
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
 * Chooses the members and packs the pair on them. The aligner is borrowed. *out is to be closed on
 * failure, too.
 */
rhomb_status rhomb__device_group_open(rhomb__aligner *aligner, rhomb__device_group **out);

/* NULL is allowed. */
void rhomb__device_group_close(rhomb__device_group *group);

/* What sweeps or wavefronts split of a round, on all devices of the group. */
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

/*
 * A device that splits subproblems of an alignment by sweeps or wavefronts: a member of a device
 * group, or another rank's for one (remote_group.h). How a device group splits:
 */
typedef struct rhomb__device_group_order {
    bool by_waves;         /* by wavefronts; else by sweeps */
    int64_t portion_bytes; /* that a portion of subproblems takes on a device at most */
    int64_t cost;          /* of the path of the whole pair */
} rhomb__device_group_order;

/* What a device needs for all rounds, here or on another rank. All zeros: nothing is open. */
typedef struct rhomb__split_member {
    const rhomb__aligner *aligner;
    bool by_waves;
    rhomb__plan plan;       /* of wavefronts: those that the whole pair would have */
    rhomb__splitter *large; /* sweeps, or wavefronts of many groups */
    rhomb__splitter *small; /* wavefronts with unit costs: a group each; else NULL */
} rhomb__split_member;

/*
 * The part has the device and the packed pair. To be closed on failure, too. `advance` as in
 * rhomb__split_source.
 */
rhomb_status rhomb__split_member_open(rhomb__split_member *member,
                                      const rhomb__device_group_part *part,
                                      const rhomb__aligner *aligner,
                                      const rhomb__device_group_order *order,
                                      rhomb_status (*advance)(rhomb_context *, double, void *),
                                      void *user);

/* Splits a part of a round. */
rhomb_status rhomb__split_member_solve(rhomb__split_member *member,
                                       const rhomb__device_group_part *part, bool large);

void rhomb__split_member_close(rhomb__split_member *member);

#endif
