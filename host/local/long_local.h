/* SPDX-License-Identifier: MIT */
/*
 * What of a long pair its local alignment takes (cl/local/long_local.cl): a sweep over the whole
 * matrix finds the score and the end, and one backwards from there the beginning.
 */
#ifndef RHOMB_HOST_LONG_LOCAL_H
#define RHOMB_HOST_LONG_LOCAL_H

#include "host/engines/task.h"
#include "rhomb/local.h"

/*
 * Fills *report for a planned task, whose scoring has a match score. `progress` (NULL: none) is
 * told the share of both sweeps; a value other than 0 ends the call with RHOMB_ERR_CANCELLED.
 */
rhomb_status rhomb__long_local_find(rhomb_context *ctx, const rhomb__task *task,
                                    rhomb_progress_fn progress, void *user,
                                    rhomb_local_report *report);

#endif
