/* SPDX-License-Identifier: MIT */
/*
 * Paths of many small ranges of a pair that is packed on the device, whose distances are known: the
 * kernels of short pairs (cl/batch/batch.cl) take them where they lie, so that no letter is copied,
 * sent or packed again. A path is the one that include/rhomb/batch.h describes.
 *
 * Ranges come in portions. While the device solves one, the caller takes the paths of the portion
 * before:
 *
 *     status = rhomb__ranges_start(ranges, pairs, count)
 *     while there is a portion under way
 *         status = rhomb__ranges_finish(ranges, &paths)
 *         status = rhomb__ranges_start(ranges, the next pairs, their number)
 *         what becomes of `paths`
 */
#ifndef RHOMB_HOST_RANGES_H
#define RHOMB_HOST_RANGES_H

#include "host/divide/split_pair.h"
#include "src/paths/path_ops.h"

typedef struct rhomb__ranges rhomb__ranges;

/*
 * For ranges of a pair with distances up to `most_distance`, at most 2,000, of which there are
 * `count`: that is for the memory's sake. The source is as for splits, and so is its tuning, with
 * the columns of a portion in portion_bytes; what counts cells or is called after portions is not
 * looked at. Programs are built here, and checked at first use.
 */
rhomb_status rhomb__ranges_open(rhomb_context *ctx, const rhomb__split_source *source,
                                int64_t most_distance, int64_t count, rhomb__ranges **out);

/* How many ranges a portion has at most. */
int64_t rhomb__ranges_room(const rhomb__ranges *ranges);

/*
 * Starts a portion; none may be under way. RHOMB_ERR_INTERNAL for a range that cannot be: it leaves
 * the pair, has 2^28 letters or more of a sequence, or a distance that is not from 1 to
 * most_distance, below the difference of the lengths, or above the longer one.
 */
rhomb_status rhomb__ranges_start(rhomb__ranges *ranges, const rhomb_split_pair *pairs,
                                 int64_t count);

/*
 * Waits for the portion that is under way. (*paths)[i] is the path of its pairs[i], until the next
 * portion is waited for: it costs what it should, as far as the device says, and nobody has looked
 * at letters. RHOMB_ERR_DEVICE_WRONG_RESULT where a distance came out another one.
 */
rhomb_status rhomb__ranges_finish(rhomb__ranges *ranges, const rhomb__cigar **paths);

/* Releases all but the packed pair; what is under way is waited for. NULL is allowed. */
void rhomb__ranges_close(rhomb__ranges *ranges);

#endif
