/* SPDX-License-Identifier: MIT */
/*
 * Launches of the kernels for edits, see batch_job.h: a level after the other, each with the pairs
 * that the one before had to leave.
 */
#include "host/batch/batch_job.h"

#include "host/device/cl_error.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

/* The number of the argument that differs between launches. */
enum { SOLVE_ALL = 16 };

/* A part of the job's memory. Where it has none, kernels do not look at it: any other will do. */
static cl_mem part_of(const rhomb__batch_job *job, rhomb__batch_part part)
{
    const cl_mem handle = job->parts[part].handle;
    return handle != NULL ? handle : job->parts[RHOMB__BATCH_SENT].handle;
}

static rhomb_status create_level(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t level)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    const rhomb__buffer *parts = job->parts;
    const cl_mem packed = rhomb__batch_compared(job, kind);
    const cl_mem flags = part_of(job, RHOMB__BATCH_FLAGS);
    const cl_mem columns = part_of(job, RHOMB__BATCH_COLUMNS);
    const rhomb_i32 limit = shape->limits[level], levels = shape->levels;
    const rhomb_u32 pitch = (rhomb_u32)shape->job_pairs;
    const rhomb_i32 max_distance =
        (rhomb_i32)rhomb__min(job->setup->options.max_distance, RHOMB__BATCH_MOST_BASES);
    const size_t state =
        2 * (size_t)RHOMB_BATCH_CELLS(shape->in_place ? 0 : limit) * sizeof(rhomb_i32);
    /*
     * rhomb_batch_solve(queries, targets, query_flags, target_flags, pairs, lists, answers, cigars,
     *                   all_columns, counts, state, list_pitch, level, levels, limit, max_distance,
     *                   all)
     */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(flags),
                                         RHOMB__ARGUMENT(flags),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_LISTS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         RHOMB__ARGUMENT(columns),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         {state, NULL},
                                         RHOMB__ARGUMENT(pitch),
                                         RHOMB__ARGUMENT(level),
                                         RHOMB__ARGUMENT(levels),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(max_distance),
                                         RHOMB__ARGUMENT(job->launches[kind][level].all)};
    return rhomb__batch_create_kernel(job, job->setup->programs[0][kind], "rhomb_batch_solve",
                                      RHOMB__LIST(arguments), &job->launches[kind][level].kernel);
}

/*
 * The pairs that came to a level; all pairs where `everything` is set and it is the job's first
 * level.
 */
static rhomb_status enqueue_level(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t level,
                                  bool everything)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_shape *shape = &job->setup->shape;
    rhomb__batch_launch *l = &job->launches[kind][level];
    const rhomb_i32 all = everything && level == job->first_level;
    const bool differs = l->all != all;
    l->all = all;
    if (l->kernel == NULL)
        RHOMB_TRY(create_level(job, kind, level));
    else if (differs)
        RHOMB_CL(&job->stream, clSetKernelArg(l->kernel, SOLVE_ALL, sizeof all, &all));
    RHOMB_TRY(rhomb__queue_launch_event(
        &job->stream, l->kernel, rhomb__min(shape->groups[level], job->count), shape->group_size,
        rhomb__batch_times_next(&job->times, RHOMB__BATCH_SOLVE)));
out:
    return status;
}

/* The levels that pairs pass through: no distance is above the longest sequence. */
static int32_t levels_needed(const rhomb__batch_job *job)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    int32_t level = job->first_level;
    while (level + 1 < shape->levels && shape->limits[level] < job->longest)
        level++;
    return level + 1;
}

rhomb_status rhomb__batch_edit_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind,
                                       int64_t listed)
{
    rhomb_status status = RHOMB_OK;
    const int32_t levels = levels_needed(job);
    if (listed > 0)
        RHOMB_TRY(rhomb__batch_enqueue_list(job, job->first_level, job->list, listed));
    for (int32_t level = job->first_level; level < levels; level++)
        RHOMB_TRY(enqueue_level(job, kind, level, listed == 0));
out:
    return status;
}
