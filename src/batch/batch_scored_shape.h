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
