/* SPDX-License-Identifier: MIT */
/*
 * A device that splits subproblems of an alignment by wavefronts: a member of a crew
 * (crew_waves.h), or another rank's for one (remote_crew.h).
 */
#ifndef RHOMB_HOST_WAVE_MEMBER_H
#define RHOMB_HOST_WAVE_MEMBER_H

#include "host/divide/crew.h"
#include "host/splits/split.h"

/* What a device needs for all rounds. All zeros: nothing is open. */
typedef struct rhomb__wave_member {
    rhomb__split_source source;
    rhomb__splitter *splitter; /* unit costs: for those that a group can split; else NULL */
    rhomb__plan plan;          /* with the tiles for those that are too large for one group */
    rhomb__split_work work;    /* of the latter, or with other costs of all */
} rhomb__wave_member;

/*
 * Where the packed pair of the whole task is, whose path costs `cost`; the tiles, if there can be
 * any; and with unit costs the splitter. The rest of *source is the caller's: portion_bytes, and
 * who is told.
 */
rhomb_status rhomb__wave_member_open(rhomb__wave_member *member, rhomb_context *ctx,
                                     const rhomb__task *whole, int64_t cost,
                                     const rhomb__buffer *target, const rhomb__buffer *query,
                                     const rhomb__split_source *source);

/*
 * Splits subproblems; `large` ones by many groups each, others, of unit costs, by one each.
 * breakpoints[i] is that of subproblems[i]; *cells grows by what that took.
 */
rhomb_status rhomb__wave_member_split(rhomb__wave_member *member, rhomb_context *ctx, bool large,
                                      const rhomb_subproblem *subproblems, int64_t count,
                                      rhomb__breakpoint *breakpoints, int64_t *cells);

void rhomb__wave_member_close(rhomb__wave_member *member);

#endif
