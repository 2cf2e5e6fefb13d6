/* SPDX-License-Identifier: MIT */
/*
 * Problems that are split under fault injection: the known pair is packed, a few of its ranges are
 * split in several portions, and what comes back is compared with what has to.
 */
#ifndef RHOMB_FAULT_SPLIT_H
#define RHOMB_FAULT_SPLIT_H

#include "fault_fixture.h"

/* How they are split. */
typedef enum fault_split_way {
    FAULT_SPLIT_GROUPS, /* each by a group, host/divide/split.c */
    FAULT_SPLIT_BANDS,  /* by bands of all of them, host/divide/split_bands.c */
    FAULT_SPLIT_SWEEPS  /* by sweeps side by side, host/divide/sweep_many.c */
} fault_split_way;

/* What a run's distance is when all points came out: the sum of their places. */
int64_t fault_split_places(fault_split_way way);

/* Packs, splits, and releases all. Fails the test when a point is wrong that was said to be right.
 */
void fault_split_run(rhomb_context *ctx, fault_split_way way, fault_result *result);

/* Opens "auto" in a new context, runs there, and destroys the context. */
void fault_split_first_use(fault_split_way way, fault_result *result);

#endif
