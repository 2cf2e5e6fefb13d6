/* SPDX-License-Identifier: MIT */
/*
 * One rank's part of the subproblems that are swept on several, see crew.h: the requests of
 * rank 0 and what the others do.
 */
#ifndef RHOMB_HOST_REMOTE_CREW_H
#define RHOMB_HOST_REMOTE_CREW_H

#include "host/engines/served.h"
#include "host/splits/sweep_many.h"

#include <stdatomic.h>

/*
 * Rank 0's end; `other` is the rank's context, where errors are recorded. The pair is that of the
 * whole task; a portion of subproblems takes so many bytes on the rank's device at most.
 */
rhomb_status rhomb__remote_crew_open(rhomb_context *other, const rhomb__task *whole,
                                     int64_t portion_bytes);

/*
 * Splits subproblems there; adds to *cells what it took. Once `stopped` is set, the rank is told to
 * end, and RHOMB_ERR_CANCELLED is returned.
 */
rhomb_status rhomb__remote_crew_solve(rhomb_context *other, const rhomb_subproblem *subproblems,
                                      int64_t count, rhomb__breakpoint *breakpoints,
                                      const atomic_bool *stopped, int64_t *cells);

/* Nothing fails that matters. */
void rhomb__remote_crew_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_crew(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_crew_close(rhomb__served *served);

#endif
