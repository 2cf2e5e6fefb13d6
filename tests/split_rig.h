/* SPDX-License-Identifier: MIT */
/*
 * For tests that split problems on a device: a list's sequences, packed there, and what comes back
 * compared with what has to.
 */
#ifndef RHOMB_TESTS_SPLIT_RIG_H
#define RHOMB_TESTS_SPLIT_RIG_H

#include "host/splits/splitter.h"
#include "support/split_list.h"

/* A pair on the device, and what splits it. */
typedef struct split_rig {
    rhomb_context *ctx;
    rhomb__buffer target;
    rhomb__buffer query;
    rhomb__split_source source;
    rhomb__splitter *splitter;
} split_rig;

/* Fails the test with the context's error, if there is one. */
void split_expect_ok(rhomb_context *ctx, rhomb_status status);

/*
 * Opens the device that RHOMB_TEST_DEVICE names, with a group for each problem; each symbol of the
 * alphabet has its own code.
 */
void split_rig_open(split_rig *g, const split_list *list, const char *alphabet, int32_t planes,
                    int32_t offset_bits, rhomb__split_tuning tuning);

/* Splits in another way from now on, and as the rig's source has become. */
void split_rig_way(split_rig *g, const rhomb__split_way *way);

/* Splits problems with unit costs; each half of a distance is checked. */
rhomb_status split_rig_solve(split_rig *g, const rhomb__plan *plan, const rhomb_split_pair *pairs,
                             int64_t count, rhomb_split_point *points);

/* Nothing may be left on the device then. */
void split_rig_close(split_rig *g);

/* Fails the test unless all points are those of the list. */
void split_list_check(const split_list *list, const rhomb_split_point *points);

#endif
