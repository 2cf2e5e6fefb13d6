/* SPDX-License-Identifier: MIT */
/*
 * One rank's part in a sweep that several share, see sweep_devices.h: the requests of rank 0 and
 * what the others do. Rank 0 prepares a sweep on all ranks and starts it; each then launches by
 * itself, which what they pass on keeps in step (borders.h), and replies when its launches are
 * done.
 *
 *     rank 0      prepare  run ...        wait   end   read
 *     the others           launches ...|  reply
 *
 * A rank that is told to stop (remote.h) replies before its next launch, also while it waits
 * for the rank before. Buffers are read while it does not run. A sweep that has begun is ended on
 * all ranks, whatever has happened, so that nothing is left on its way between them. A rank that
 * fails has told the next one that nothing more comes, so that no rank runs for ever.
 *
 * A member is rank 0's record of a rank (rhomb__sweeps.rank): it has no buffers, but the sweep's
 * share, totals and `answers`. Errors are recorded in the rank's context.
 */
#ifndef RHOMB_HOST_REMOTE_SWEEP_H
#define RHOMB_HOST_REMOTE_SWEEP_H

#include "host/device/remote.h"
#include "host/engines/bitparallel/sweeps.h"
#include "host/engines/served.h"

/* Opens a member for a pair that the rank has, with the plan that came with the pair. */
rhomb_status rhomb__remote_sweep_open(rhomb_context *other, int32_t slot);

/* Prepares the sweep of the member's share, whose owners are the ranks; `job` counts sweeps. */
rhomb_status rhomb__remote_sweep_prepare(rhomb__sweeps *member, int64_t job);

/* Starts it. */
rhomb_status rhomb__remote_sweep_run(rhomb__sweeps *member);

/* Tells a rank that runs to stop; once each time. */
rhomb_status rhomb__remote_sweep_stop(rhomb__sweeps *member);

/* Waits until a rank that runs has stopped or is done; fills the member's work. */
rhomb_status rhomb__remote_sweep_wait(rhomb__sweeps *member);

/*
 * Ends the sweep on all ranks that have begun it and do not run; members[0] is rank 0's own. The
 * first failure counts; all have ended on return.
 */
rhomb_status rhomb__remote_sweeps_end(rhomb__sweeps *members, int32_t count);

/* Nothing fails that matters. */
void rhomb__remote_sweep_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_sweep(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_sweep_close(rhomb__served *served);

#endif
