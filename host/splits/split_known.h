/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of programs that split subproblems. They pass it before their breakpoints
 * are trusted on a device.
 */
#ifndef RHOMB_HOST_SPLIT_KNOWN_H
#define RHOMB_HOST_SPLIT_KNOWN_H

#include "host/device/program.h"
#include "host/splits/split_pair.h"

/* Splits the subproblems with the program under test. */
typedef rhomb_status (*rhomb__split_known_fn)(rhomb_context *ctx, const rhomb__split_source *source,
                                              const rhomb_split_pair *pairs, int64_t count,
                                              rhomb_split_point *points, const void *user);

/*
 * Splits known subproblems, unless the program has passed before. RHOMB_ERR_DEVICE_WRONG_RESULT
 * where another breakpoint comes out.
 */
rhomb_status rhomb__split_self_test(rhomb_context *ctx, rhomb__program *program, int32_t planes,
                                    int32_t offset_bits, rhomb__split_known_fn solve,
                                    const void *user);

#endif
