/* SPDX-License-Identifier: MIT */
/*
 * The kinds of groups that split subproblems: narrow ones for many small subproblems, wide ones for
 * few large ones, and wavefronts in local memory where they fit.
 */
#ifndef RHOMB_HOST_SPLIT_KIND_H
#define RHOMB_HOST_SPLIT_KIND_H

#include "host/device/program.h"
#include "host/splits/split_pair.h"
#include "src/planner/profiles.h"

typedef struct rhomb__split_kind {
    int32_t group_size;
    int32_t in_place;        /* 1: wavefronts in global memory */
    int64_t most_distance;   /* of its subproblems */
    int64_t most_bases;      /* of their longer sequence */
    rhomb__program *program; /* NULL until a subproblem comes, like its kernels */
    cl_kernel columns;
    cl_kernel meet;
} rhomb__split_kind;

#define RHOMB__SPLIT_MOST_KINDS (RHOMB__SPLIT_KINDS + 1)

/*
 * Fills in the kinds for a device, smallest subproblems first; the last kind takes what is left.
 * *count is their number. RHOMB_ERR_ARGUMENT for a tuning that the device does not allow.
 */
rhomb_status rhomb__split_kinds_choose(rhomb_context *ctx, const rhomb__split_source *source,
                                       rhomb__split_kind kinds[RHOMB__SPLIT_MOST_KINDS],
                                       int32_t *count);

/* Whether groups of this kind can take a subproblem. */
bool rhomb__split_kind_fits(const rhomb__split_kind *kind, const rhomb__split_source *source,
                            const rhomb_device_info *device, const rhomb_split_pair *pair);

/* Bytes of local memory for a subproblem's two wavefronts. */
int64_t rhomb__split_state_bytes(const rhomb__split_source *source, const rhomb_split_pair *pair);

/* Builds the program and makes the kernels, unless that is done. */
rhomb_status rhomb__split_kind_ready(rhomb_context *ctx, const rhomb__split_source *source,
                                     rhomb__split_kind *kind);

void rhomb__split_kind_release(rhomb__split_kind *kind);

#endif
