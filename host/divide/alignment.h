/* SPDX-License-Identifier: MIT */
/*
 * What callers get of a distance and of an alignment.
 */
#ifndef RHOMB_HOST_ALIGNMENT_H
#define RHOMB_HOST_ALIGNMENT_H

#include "host/engines/task.h"
#include "rhomb/align.h"
#include "rhomb/batch.h"
#include "rhomb/local.h"
#include "src/paths/path_ops.h"

/* It stays where it is, as its report points into it. */
struct rhomb_result {
    rhomb_report report;
    rhomb__plan_view plan;
    rhomb__shares shares;
};

struct rhomb_alignment {
    rhomb_align_report report;
    rhomb_report distance;
    rhomb__plan_view plan;
    rhomb__shares shares;
    int64_t share_splits[RHOMB_MOST_DEVICES];
    rhomb__path path;
    rhomb_local_report local;
    rhomb_pair_extent extent; /* where that points */
    bool is_local;
};

/*
 * The distance of a pair: fills a result of zeros. What `ctx` says of an error is of this call.
 */
rhomb_status rhomb__distance_pair(rhomb_context *ctx, const rhomb_pair *pair,
                                  const rhomb_options *options, rhomb_result *result);

/* Aligns a pair from end to end; below 0: its penalty is not `known`. */
rhomb_status rhomb__align_pair(rhomb_context *ctx, const rhomb_pair *pair, int64_t known,
                               const rhomb_options *options, rhomb_alignment **out);

#endif
