/* SPDX-License-Identifier: MIT */
/*
 * A set of sweeps in a checkpoint: what the device has after some launch, and the index of the next
 * one. Strips of a launch read what launches before have left in the strips' records and the
 * buffers down, across and carry, and nothing else.
 *
 * A sweep that several devices share pauses first, so that all strips have done the same plain
 * launches (src/strips/strips_pause.h) and nothing is on its way between devices. Then each record,
 * each strip's rows and each block of the border row is that of the strip's owner, and the whole is
 * what one device would have saved: it does not say how many there were, and any number goes on
 * from it.
 */
#ifndef RHOMB_HOST_SWEEPS_SAVED_H
#define RHOMB_HOST_SWEEPS_SAVED_H

#include "host/engines/bitparallel/sweeps.h"
#include "src/checkpoint/saved_fields.h"

/* Saves the running set, once the device has done what is enqueued; then it goes on. */
rhomb_status rhomb__sweeps_save(rhomb__sweeps *sweeps, rhomb__saver *saver);

/*
 * Goes on where a set was saved, after rhomb__sweeps_begin() with the same shares.
 * RHOMB_ERR_INPUT if the checkpoint is of others.
 */
rhomb_status rhomb__sweeps_restore(rhomb__sweeps *sweeps, const rhomb__saved *saved);

/*
 * The same of a single sweep that `count` devices share, at least two; members[0] has its counts.
 * A failure is in the record of the member's stream that it happened on. Members of other ranks
 * pause meanwhile, and are started by both.
 */
rhomb_status rhomb__sweeps_save_shared(rhomb__sweeps *members, int32_t count, rhomb__saver *saver);
rhomb_status rhomb__sweeps_restore_shared(rhomb__sweeps *members, int32_t count,
                                          const rhomb__saved *saved);

/* rhomb__remote_sweep_run() for all members of other ranks. */
rhomb_status rhomb__sweeps_run_ranks(rhomb__sweeps *members, int32_t count, int64_t from,
                                     int64_t until);

#endif
