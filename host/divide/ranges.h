/* SPDX-License-Identifier: MIT */
/*
 * Paths of many small ranges of a pair that is packed on the device. Their distances are known. The
 * kernels of short pairs (cl/batch/batch.cl) read the ranges in place, so that no base is copied,
 * sent or packed again. A path is the one that include/rhomb/batch.h describes.
 *
 * Ranges come in portions. While the device solves one, the caller takes the paths of the portion
 * before:
 *
 *     status = rhomb__ranges_start(ranges, pairs, count)
 *     while a portion is running
 *         status = rhomb__ranges_finish(ranges, &paths)
 *         status = rhomb__ranges_start(ranges, the next pairs, their number)
 *         use `paths`
 */
#ifndef RHOMB_HOST_RANGES_H
#define RHOMB_HOST_RANGES_H

#include "host/divide/split_pair.h"
#include "src/paths/path_ops.h"

typedef struct rhomb__ranges rhomb__ranges;

/*
 * For `count` ranges of a pair with distances up to `most_distance`, at most 2,000; `count` only
 * sizes the memory. The source and its tuning are as for splits, with portion_bytes for the columns
 * of a portion; portion_cells and portion_done are ignored. Programs are built here, and checked at
 * first use.
 */
rhomb_status rhomb__ranges_open(rhomb_context *ctx, const rhomb__split_source *source,
                                int64_t most_distance, int64_t count, rhomb__ranges **out);

/* The most ranges that a portion has. */
int64_t rhomb__ranges_room(const rhomb__ranges *ranges);

/*
 * Starts a portion; none may be running. RHOMB_ERR_INTERNAL for an impossible range: it leaves
 * the pair, has 2^28 bases or more of a sequence, or has a distance that is not from 1 to
 * most_distance, below the difference of the lengths, or above the longer one.
 */
rhomb_status rhomb__ranges_start(rhomb__ranges *ranges, const rhomb_split_pair *pairs,
                                 int64_t count);

/*
 * Waits for the running portion. (*paths)[i] is the path of its pairs[i]; it is valid until the
 * next portion is waited for. The device says that it costs the distance; nothing has compared the
 * bases. RHOMB_ERR_DEVICE_WRONG_RESULT where the device found another distance.
 */
rhomb_status rhomb__ranges_finish(rhomb__ranges *ranges, const rhomb__cigar **paths);

/* Waits for a running portion and releases all but the packed pair. NULL is allowed. */
void rhomb__ranges_close(rhomb__ranges *ranges);

#endif
