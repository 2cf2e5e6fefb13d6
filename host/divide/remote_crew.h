/* SPDX-License-Identifier: MIT */
/*
 * One rank's part of the subproblems that several split, see crew.h: the requests of
 * rank 0 and what the others do.
 */
#ifndef RHOMB_HOST_REMOTE_CREW_H
#define RHOMB_HOST_REMOTE_CREW_H

#include "host/divide/crew.h"
#include "host/engines/served.h"

/* How a rank splits what it gets. */
typedef struct rhomb__crew_order {
    bool by_waves;         /* by wavefronts, as wave_member.h has it; else by sweeps */
    int64_t portion_bytes; /* that a portion of subproblems takes on the device at most */
    int64_t cost;          /* of the path of the whole pair, for wavefronts */
} rhomb__crew_order;

/*
 * Rank 0's end; `other` is the rank's context, where errors are recorded. The pair is that of the
 * whole task.
 */
rhomb_status rhomb__remote_crew_open(rhomb_context *other, const rhomb__task *whole,
                                     const rhomb__crew_order *order);

/*
 * A rhomb__crew_fn of a member that is another rank's: splits its part there. Once `stopped` is
 * set, the rank is told to end, and RHOMB_ERR_CANCELLED is returned. `large` is for wavefronts.
 */
rhomb_status rhomb__remote_crew_solve(const rhomb__crew_part *part, bool large);

/* Nothing fails that matters. */
void rhomb__remote_crew_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_crew(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_crew_close(rhomb__served *served);

#endif
