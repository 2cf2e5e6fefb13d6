/* SPDX-License-Identifier: MIT */
/*
 * Bins of the pairs of a mode: first those of 16 bits, then those of 32, each on a GPU by how many
 * work-items share a pair, and last the one of wider groups, for pairs that would keep a group of
 * the others for long after all others are done. Extension that may stop early has, on a GPU, those
 * that 2, 8 and 32 work-items share, and one for the kernel that goes by antidiagonals: its numbers
 * are smaller. Each bin of a job is a launch, and its pairs are a list, those with most work first.
 * Pure.
 */
#ifndef RHOMB_SRC_MODE_BINS_H
#define RHOMB_SRC_MODE_BINS_H

#include "src/batch/batch_shape.h"

/* A pair of a job in its bin. */
typedef struct rhomb__batch_binned {
    uint64_t key; /* its work, about; on a GPU pairs with equal keys have equal lengths */
    uint32_t pair;
    uint32_t bin;
} rhomb__batch_binned;

/* Completes a shape: shape->bin_bases, from all else that it has. */
void rhomb__batch_bins_plan(const rhomb_batch_options *options, rhomb__batch_shape *shape);

/* The bin of a pair, which may be the one of wider groups if that is `wide`; and its work. */
int32_t rhomb__batch_bin_of(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                            const rhomb_pair *pair, bool wide, uint64_t *work);

/*
 * Moves the pairs of bins with little of a job's work to the bin that has most of it, where they
 * take hardly longer: a launch of a few pairs takes as long as the longest of them, and a device
 * runs few launches at a time. `pairs` are what the numbers in `binned` stand for.
 */
void rhomb__batch_bins_join(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                            const rhomb_pair *pairs, rhomb__batch_binned *binned, int64_t count);

/*
 * Sorts by bins, then by keys, the largest first; equal ones stay as they are. `spare` has room for
 * as many.
 */
void rhomb__batch_bins_sort(rhomb__batch_binned *binned, rhomb__batch_binned *spare, int64_t count);

/* Pairs that each of a bin's work-items has: 2 of 16 bits on a GPU, where it has those. */
int32_t rhomb__batch_bin_pairs(const rhomb__batch_shape *shape, int32_t bin);

/* Work-items of a group of a bin; 0 of wider groups where there are none. */
int32_t rhomb__batch_bin_group(const rhomb__batch_shape *shape, int32_t bin);

/* Work-items that share a pair of a bin, or two; 1 with 16 lanes, 0 of wider groups without any. */
int32_t rhomb__batch_bin_items(const rhomb__batch_shape *shape, int32_t bin);

/*
 * Whether a bin's pairs are extended by antidiagonals: all of them on a CPU, or without the local
 * memory for rows of work-items. Then the shape's item_rows is 0.
 */
bool rhomb__batch_bin_is_diagonal(const rhomb__batch_shape *shape, int32_t bin);

/* Memory of a pair of a bin for its path, likewise: of one of 32 bits, with its trace. */
int64_t rhomb__batch_trace_cells(const rhomb__batch_shape *shape,
                                 const rhomb_batch_options *options, int32_t bin,
                                 const rhomb_pair *pair);

/* Bits of the scores of a bin: 16 or 32. */
int32_t rhomb__batch_bin_bits(const rhomb__batch_shape *shape, int32_t bin);

/*
 * Memory for the scores of a pair in a bin, or of as many as share their work-items and are no
 * longer, in words of 4 bytes.
 */
int64_t rhomb__batch_slot_cells(const rhomb__batch_shape *shape, const rhomb_batch_options *options,
                                int32_t bin, const rhomb_pair *pair);

#endif
