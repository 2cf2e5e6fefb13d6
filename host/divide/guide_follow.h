/* SPDX-License-Identifier: MIT */
/*
 * Follows a guide (rhomb/guide.h): the cost of a path along it, before a pair is swept.
 */
#ifndef RHOMB_HOST_GUIDE_FOLLOW_H
#define RHOMB_HOST_GUIDE_FOLLOW_H

#include "host/engines/task.h"

/*
 * A task's `follow`, for a pair that has a guide and is to be swept: sweeps pieces of it side by
 * side in narrow bands. If that gives the cost of a path, the plan has a band for it afterwards.
 * Fills report->guide_bound and seconds_guide.
 */
rhomb_status rhomb__guide_follow(rhomb_context *ctx, rhomb__task *task, rhomb_report *report);

#endif
