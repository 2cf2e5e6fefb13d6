/* SPDX-License-Identifier: MIT */
/*
 * One rank's part of the subproblems that several split, see device_group.h: the requests of
 * rank 0 and what the others do.
 */
#ifndef RHOMB_HOST_REMOTE_GROUP_H
#define RHOMB_HOST_REMOTE_GROUP_H

#include "host/divide/device_group.h"
#include "host/engines/served.h"

/*
 * Rank 0's end; `other` is the rank's context, where errors are recorded. The pair is that of the
 * whole task.
 */
rhomb_status rhomb__remote_group_open(rhomb_context *other, const rhomb__task *whole,
                                      const rhomb__device_group_order *order);

/*
 * A rhomb__device_group_fn of a member that is another rank's: splits its part there. Once
 * `stopped` is set, the rank is told to end, and RHOMB_ERR_CANCELLED is returned. `large` is for
 * wavefronts.
 */
rhomb_status rhomb__remote_group_solve(const rhomb__device_group_part *part, bool large);

/* Nothing fails that matters. */
void rhomb__remote_group_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_group(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_group_close(rhomb__served *served);

#endif
