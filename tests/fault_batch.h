/* SPDX-License-Identifier: MIT */
/*
 * A batch for the fault injection tests: a few pairs of all sorts, in several jobs. What comes back
 * is compared with what has to.
 */
#ifndef RHOMB_FAULT_BATCH_H
#define RHOMB_FAULT_BATCH_H

#include "fault_fixture.h"
#include "rhomb/batch.h"

enum { FAULT_BATCH_PAIRS = 60 };

/* How the batch is to work. */
typedef enum fault_batch_work {
    FAULT_BATCH_PATHS,     /* one job after the other */
    FAULT_BATCH_WORKERS,   /* several side by side, with a profile */
    FAULT_BATCH_DISTANCES, /* no paths; some pairs are for the engines of long pairs */
    FAULT_BATCH_WORKS,
    FAULT_BATCH_ARRAY = FAULT_BATCH_WORKS, /* one call for all, the same to the device */
    FAULT_BATCH_BORROWED                   /* as workers; the batch borrows the pairs */
} fault_batch_work;

/* The sum of the distances that a batch has to come to. */
int64_t fault_batch_distances(void);

/*
 * Runs a batch from creating to destroying it. The result's distance is the sum of those that were
 * delivered in order, all of them right, or -2 where the call failed, or a pair alone for want of
 * memory. Fails the test when results are wrong, whatever failed.
 */
void fault_batch_run(rhomb_context *ctx, fault_batch_work work, fault_result *result);

/* Opens "auto" in a new context, runs a batch there, and destroys the context. */
void fault_batch_first_use(fault_batch_work work, fault_result *result);

#endif
