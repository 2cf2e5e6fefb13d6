/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch with a scoring other than unit costs: levels of costs, of which each has
 * room for wavefronts up to its limit or for as large a matrix (cl/batch/batch_affine.cl). Pure.
 */
#ifndef RHOMB_SRC_BATCH_SCORED_SHAPE_H
#define RHOMB_SRC_BATCH_SCORED_SHAPE_H

#include "src/batch/batch_shape.h"
#include "src/scoring/costs.h"

/* What finding a path may take with the kernels, see cl/abi.h. */
#define RHOMB__BATCH_MOST_MEMORY ((int64_t)RHOMB_BATCH_PATH_BYTES)

/* As rhomb__batch_shape_make(), for costs that are not unit costs. */
rhomb_status rhomb__batch_scored_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                            int32_t threads, const rhomb_batch_options *options,
                                            const rhomb_batch_tuning *tuning,
                                            const rhomb__costs *costs, rhomb__batch_shape *shape);

/*
 * Bins of the pairs of a mode: first those of 16 bits, then those of 32, each on a GPU by how many
 * work-items share a pair. Extension has, on a GPU, those that 2, 8 and 32 work-items share, and
 * one for the kernel that goes by antidiagonals: its numbers are smaller.
 */
#define RHOMB__BATCH_SHORT_BINS 4
#define RHOMB__BATCH_BINS       (2 * RHOMB__BATCH_SHORT_BINS)

/* The bin of a pair, and how much work it is. */
int32_t rhomb__batch_bin_of(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                            const rhomb_pair *pair, uint64_t *work);

/* Pairs that each of a bin's work-items has: 2 of 16 bits on a GPU, where it has those. */
int32_t rhomb__batch_bin_pairs(const rhomb__batch_shape *shape, int32_t bin);

/* Work-items that share a pair of a bin, or so many; 1 with 16 lanes. */
int32_t rhomb__batch_bin_items(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                               int32_t bin);

/*
 * Whether a bin's pairs are extended by antidiagonals: all of them on a CPU, or without the local
 * memory for rows of work-items. Then the shape's item_rows is 0.
 */
bool rhomb__batch_bin_is_diagonal(const rhomb__batch_shape *shape, int32_t bin);

/* Bits of the scores of a bin: 16 or 32. */
int32_t rhomb__batch_bin_bits(const rhomb__batch_shape *shape, int32_t bin);

/*
 * Memory for the scores of a pair in a bin, or of as many as share their work-items and are no
 * longer, in words of 4 bytes.
 */
int64_t rhomb__batch_slot_cells(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                                int32_t bin, const rhomb_pair *pair);

/*
 * The shape of a job for one pair that needs more memory than the levels of `shape` have, and no
 * more than RHOMB__BATCH_MOST_MEMORY. RHOMB_ERR_DEVICE_MEMORY if the device has no room for that.
 */
rhomb_status rhomb__batch_scored_shape_alone(rhomb__error *error, const rhomb_device_info *device,
                                             const rhomb__batch_shape *shape,
                                             const rhomb_pair *pair, const rhomb__costs *costs,
                                             rhomb__batch_shape *alone);

/* Whether a level has its wavefronts in local memory; else it has groups of wide_group items. */
static inline bool rhomb__batch_ring_is_local(const rhomb__batch_shape *shape, int32_t level)
{
    return shape->ring_bytes[level] > 0;
}

/* Whether a path of that cost is found by wavefronts, and not in the matrix. */
bool rhomb__batch_is_by_waves(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost);

/* The largest cost of a path that the kernels find by wavefronts. */
int64_t rhomb__batch_most_by_waves(const rhomb__costs *costs);

/*
 * Whether the kernels find the path of a pair of that cost at all: in no more than
 * RHOMB__BATCH_MOST_MEMORY.
 */
bool rhomb__batch_scored_fits(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost);

#endif
