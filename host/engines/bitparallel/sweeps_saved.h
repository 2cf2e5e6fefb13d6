/* SPDX-License-Identifier: MIT */
/*
 * A set of sweeps in a checkpoint: what the device has after some launch, and the index of the next
 * one. Strips of a launch read what launches before have left in the strips' records and the
 * buffers down, across and carry, and nothing else.
 *
 * Of a sweep that several devices share it has the counts alone: the sweep begins again. So does
 * one that several devices go on with.
 */
#ifndef RHOMB_HOST_SWEEPS_SAVED_H
#define RHOMB_HOST_SWEEPS_SAVED_H

#include "host/engines/bitparallel/sweeps.h"
#include "src/checkpoint/saved_fields.h"

/* Saves the running set, once the device has done what is enqueued; then it goes on. */
rhomb_status rhomb__sweeps_save(rhomb__sweeps *sweeps, rhomb__saver *saver);

/*
 * Goes on where a set was saved, or at its beginning, after rhomb__sweeps_begin() with the same
 * shares. RHOMB_ERR_INPUT if the checkpoint is of others.
 */
rhomb_status rhomb__sweeps_restore(rhomb__sweeps *sweeps, const rhomb__saved *saved);

#endif
