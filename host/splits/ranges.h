/* SPDX-License-Identifier: MIT */
/*
 * Paths of many small ranges of a pair that is packed on the device: subproblems with known
 * distances. Kernels read the ranges in place, so that no base is copied, sent or packed again. For
 * unit costs they are those of short pairs (cl/batch/batch.cl), and a path is the one that
 * include/rhomb/batch.h describes; for other costs see cl/affine/affine_path.cl.
 *
 * Ranges come in portions. While the device solves one, the caller takes the paths of the portion
 * before:
 *
 *     rhomb__ranges_need(costs, each range, &needs)
 *     status = rhomb__ranges_open(..., costs, &needs, &ranges)
 *     status = rhomb__ranges_start(ranges, subproblems, count)
 *     while a portion is running
 *         status = rhomb__ranges_finish(ranges, &paths)
 *         status = rhomb__ranges_start(ranges, the next subproblems, their number)
 *         use `paths`
 */
#ifndef RHOMB_HOST_RANGES_H
#define RHOMB_HOST_RANGES_H

#include "host/splits/split_pair.h"
#include "src/paths/path_ops.h"
#include "src/scoring/costs.h"

typedef struct rhomb__ranges rhomb__ranges;

/* How many ranges there are, and the most that one of them needs. All zeros: none. */
typedef struct rhomb__ranges_needs {
    int64_t count;
    int64_t distance; /* for unit costs at most 2,000 */
    int64_t group_bytes;
    int64_t operations;
} rhomb__ranges_needs;

/* Adds a subproblem with bases of both sequences and a distance from 1 to 2^30. */
void rhomb__ranges_need(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
                        rhomb__ranges_needs *needs);

/*
 * For ranges that need no more than that. The source and its tuning are as for splits, with
 * portion_bytes for what a portion's groups work in; portion_cells and advance are ignored.
 * Programs are built here, and checked at first use.
 */
rhomb_status rhomb__ranges_open(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb__costs *costs, const rhomb__ranges_needs *needs,
                                rhomb__ranges **out);

/* The most ranges that a portion has. */
int64_t rhomb__ranges_room(const rhomb__ranges *ranges);

/*
 * Starts a portion; none may be running. RHOMB_ERR_INTERNAL for an impossible range: it leaves
 * the pair, lacks bases of a sequence or has 2^28 or more, has gaps at its borders that the costs
 * have not, needs more than was said, or has a distance that its lengths exclude.
 */
rhomb_status rhomb__ranges_start(rhomb__ranges *ranges, const rhomb_subproblem *subproblems,
                                 int64_t count);

/*
 * Waits for the running portion. (*paths)[i] is the path of its subproblems[i]; it is valid until
 * the next portion is waited for. The device says that it costs the distance; nothing has compared
 * the bases. RHOMB_ERR_DEVICE_WRONG_RESULT where the device found another distance.
 */
rhomb_status rhomb__ranges_finish(rhomb__ranges *ranges, const rhomb__cigar **paths);

/* Waits for a running portion and releases all but the packed pair. NULL is allowed. */
void rhomb__ranges_close(rhomb__ranges *ranges);

#endif
