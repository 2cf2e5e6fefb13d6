/* SPDX-License-Identifier: MIT */
/*
 * One rank's part in a sweep that several share, see sweep_team.h: the requests of rank 0 and what
 * the others do. Rank 0 prepares a sweep on all ranks and starts it; each runs all its launches,
 * which what they pass on keeps in step (borders.h), and replies when they are done.
 */
#ifndef RHOMB_HOST_REMOTE_SWEEP_H
#define RHOMB_HOST_REMOTE_SWEEP_H

#include "host/device/remote.h"
#include "host/engines/bitparallel/sweeps.h"
#include "host/engines/served.h"

/*
 * Rank 0's end; `other` is the rank's context, where errors are recorded. Opens a member for a pair
 * that the rank has, with the plan that came with the pair.
 */
rhomb_status rhomb__remote_sweep_open(rhomb_context *other, int32_t slot);

/* Prepares the sweep of a share, whose owners are the ranks; `job` counts sweeps. */
rhomb_status rhomb__remote_sweep_prepare(rhomb_context *other, const rhomb__sweep_share *share,
                                         bool one_way, int64_t job);

/*
 * Starts it; and waits for its end: fills the rank's strips in member->answers, which has room for
 * all records, and what the rank has done so far. A rank that was started has to be waited for.
 */
rhomb_status rhomb__remote_sweep_begin(rhomb_context *other);
rhomb_status rhomb__remote_sweep_end(rhomb_context *other, rhomb__sweeps *member,
                                     const rhomb__sweep *sweep);

/* As rhomb__sweeps_read_middle(). */
rhomb_status rhomb__remote_sweep_middle(rhomb_context *other, int32_t owner, rhomb__sweeps *to);

/* Nothing fails that matters. */
void rhomb__remote_sweep_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_sweep(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_sweep_close(rhomb__served *served);

#endif
