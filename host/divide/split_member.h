/* SPDX-License-Identifier: MIT */
/*
 * A device that splits subproblems of an alignment by sweeps or wavefronts: a member of a device
 * group (device_group.h), or another rank's for one (remote_group.h).
 */
#ifndef RHOMB_HOST_SPLIT_MEMBER_H
#define RHOMB_HOST_SPLIT_MEMBER_H

#include "host/divide/device_group.h"
#include "host/splits/splitter.h"

/* How a device group splits. */
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
