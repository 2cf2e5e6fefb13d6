/* SPDX-License-Identifier: MIT */
/*
 * The distance of a pair, as rhomb_distance() and all calls that need one of theirs have it.
 */
#ifndef RHOMB_HOST_DISTANCE_PAIR_H
#define RHOMB_HOST_DISTANCE_PAIR_H

#include "host/engines/task.h"
#include "rhomb/batch.h"

/* What callers get of a distance. It stays where it is, as its report points into it. */
struct rhomb_result {
    rhomb_report report;
    rhomb__plan_view plan;
    rhomb__shares shares;
};

/* Fills a result of zeros. What `ctx` says of an error is this call's. */
rhomb_status rhomb__distance_pair(rhomb_context *ctx, const rhomb_pair *pair,
                                  const rhomb_options *options, rhomb_result *result);

#endif
