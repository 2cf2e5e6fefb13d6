/* SPDX-License-Identifier: MIT */
/*
 * What of a long pair its best alignment takes, local, with free ends or an extension
 * (cl/local/long_local.cl): a sweep over the whole matrix finds the score and the end, and one
 * backwards from there the beginning.
 */
#ifndef RHOMB_HOST_LONG_LOCAL_H
#define RHOMB_HOST_LONG_LOCAL_H

#include "host/divide/alignment.h"
#include "host/engines/task.h"
#include "rhomb/local.h"
#include "src/planner/long_shape.h"

/* What was found: the report, and the extent that it points to. */
typedef struct rhomb__long_found {
    rhomb_local_report report;
    rhomb_pair_extent extent;
} rhomb__long_found;

/*
 * Fills *found, all 0 before, for a planned task and a mode other than GLOBAL, that
 * rhomb__long_check_mode() has passed. `progress` (NULL: none) is told the share of both sweeps; a
 * value other than 0 ends the call with RHOMB_ERR_CANCELLED.
 */
rhomb_status rhomb__long_local_find(rhomb_context *ctx, const rhomb__task *task,
                                    const rhomb_mode_options *mode, rhomb_progress_fn progress,
                                    void *user, rhomb__long_found *found);

/* The device memory of such a sweep and the one backwards, for so many columns and rows. */
int64_t rhomb__long_local_bytes(const rhomb__long_shape *shape, int32_t planes, int64_t n,
                                int64_t m);

/* What that would be, for a planned task. */
rhomb_status rhomb__long_local_plan(rhomb_context *ctx, const rhomb__task *task,
                                    const rhomb_mode_options *mode, rhomb_mode_plan *plan);

/*
 * Of long_trace.c: the path of a planned task with a matrix, end to end, appended to *path. *found,
 * all 0 before, gets the score, memory, and cells and times of the sweep that has found it where it
 * was not known.
 */
#define RHOMB__LONG_UNKNOWN INT64_MIN
rhomb_status rhomb__long_trace(rhomb_context *ctx, const rhomb__task *task, int64_t known,
                               rhomb_progress_fn progress, void *user, rhomb__path *path,
                               rhomb__long_found *found);

/*
 * Of long_whole.c: a pair with a matrix, end to end, in place of rhomb__distance_pair() and
 * rhomb__align_pair().
 */
rhomb_status rhomb__long_distance(rhomb_context *ctx, const rhomb_pair *pair,
                                  const rhomb_options *options, rhomb_result *result);
rhomb_status rhomb__long_align(rhomb_context *ctx, const rhomb_pair *pair, int64_t known,
                               const rhomb_options *options, rhomb_alignment **out);

/* Whether that is so. */
static inline bool rhomb__long_has_matrix(const rhomb_options *options)
{
    return options != NULL && options->scoring != NULL && options->scoring->matrix != NULL;
}

/*
 * Of long_self_test.c: trusts the program of a mode, built for the planes, the tuning and the
 * scoring of a planned task, or fails with RHOMB_ERR_DEVICE_WRONG_RESULT. Nothing where it is
 * trusted.
 */
rhomb_status rhomb__long_self_test(rhomb_context *ctx, const rhomb__task *task,
                                   const rhomb_mode_options *mode, rhomb__program *program);

#endif
