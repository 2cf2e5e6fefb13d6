/* SPDX-License-Identifier: MIT */
/*
 * Launches of the kernels for scored pairs, see batch_job.h: a level after the other, each with the
 * pairs that the one before had to leave.
 */
#include "host/batch/batch_job.h"

#include "host/device/cl_error.h"
#include "src/base/int64.h"
#include "src/batch/batch_scored_shape.h"
#include "src/batch/batch_sliced.h"

/* The numbers of the arguments that differ between launches. */
enum { LEVEL_JOB = 9, LEVEL_ALL = 10 };

/* The longest sequences that a level of bit planes has room for, if the memory allows. */
static int64_t planned_bases(const rhomb__batch_job *job, int32_t level)
{
    return level == job->setup->shape.sliced_level
               ? rhomb__min(rhomb__batch_usual_bases(job->bases_used, job->count), job->longest)
               : job->longest;
}

static rhomb__batch_teams teams_of(const rhomb__batch_job *job, int32_t level)
{
    const rhomb__batch_setup *setup = job->setup;
    return rhomb__batch_teams_of(&setup->shape, &setup->costs, setup->options.cigar,
                                 setup->options.mode != RHOMB_MODE_GLOBAL,
                                 planned_bases(job, level), job->count);
}

/*
 * The level of pairs that a level leaves, or the number of levels. Where wavefronts up to a level's
 * limit take more than bit planes for all of the job's pairs, further levels would do nothing; and
 * none is above what a gap for each base costs.
 */
static int32_t level_after(const rhomb__batch_job *job, int32_t level)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    const rhomb__costs *costs = &job->setup->costs;
    const int64_t longest = job->longest, gap = rhomb__costs_gap(costs, longest);
    const int64_t most = rhomb__min(rhomb__costs_most(costs, longest, longest), gap) + gap;
    if (rhomb__batch_is_sliced(shape, level))
        return planned_bases(job, level) == longest && teams_of(job, level).fits ? shape->levels
                                                                                 : level + 1;
    if (level < shape->sliced_level)
        return rhomb__batch_is_cheap(costs, longest, longest, shape->limits[level],
                                     shape->wave_cells)
                   ? level + 1
                   : shape->sliced_level;
    /* Then wavefronts have found all, or this level by the matrix. */
    const bool is_later = level > job->first_level && !rhomb__batch_is_sliced(shape, level - 1);
    return is_later && shape->limits[level - 1] >= most ? shape->levels : level + 1;
}

/* What the kernel is told about a level. */
static rhomb_batch_affine_job describe(const rhomb__batch_job *job, int32_t level)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const rhomb__costs *costs = &setup->costs;
    const int64_t max = setup->options.max_distance;
    return (rhomb_batch_affine_job){
        .level = level,
        .levels = shape->levels,
        .limit = shape->limits[level],
        .next = level_after(job, level),
        .wave_cells = level < shape->sliced_level ? shape->wave_cells : RHOMB__BATCH_WAVE_CELLS,
        .limit_before = level > job->first_level && !rhomb__batch_is_sliced(shape, level - 1)
                            ? shape->limits[level - 1]
                            : 0,
        .known = setup->options.mode != RHOMB_MODE_GLOBAL,
        .max_cost = max < 0 ? -1 : (rhomb_i32)rhomb__min(max / costs->unit, INT32_MAX),
        .group_cells = shape->group_bytes[level] / (int64_t)sizeof(rhomb_i32),
        .ring_cells = shape->ring_bytes[level] / (int64_t)sizeof(rhomb_i32),
        .half_match = costs->doubled * costs->match / 2,
        .doubled = costs->doubled,
        .unit = costs->unit};
}

static rhomb_status create_level(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t level,
                                 const rhomb_batch_affine_job *described)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const rhomb__buffer *parts = job->parts;
    const cl_mem packed = rhomb__batch_compared(job, kind);
    const rhomb_u32 pitch = (rhomb_u32)shape->job_pairs;
    const size_t ring = (size_t)rhomb__max(shape->ring_bytes[level], sizeof(rhomb_i32));
    const bool planes = rhomb__batch_is_sliced(shape, level);
    const int32_t first = rhomb__batch_path_program(setup);
    const bool second =
        !rhomb__batch_ring_is_local(shape, level) && setup->programs[first + 1][kind] != NULL;
    const int32_t which = planes ? RHOMB__BATCH_SLICED_PROGRAM : first + second;
    rhomb__batch_launch *l = &job->launches[kind][level];
    /*
     * rhomb_batch_affine(bases, flags, pairs, lists, answers, cigars, memory, counts, list_pitch,
     *                    job, all, ring), and rhomb_batch_sliced() the same without the ring
     */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_LISTS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COLUMNS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(pitch),
                                         {sizeof *described, described},
                                         RHOMB__ARGUMENT(l->all),
                                         {ring, NULL}};
    const size_t count = sizeof arguments / sizeof arguments[0];
    return rhomb__batch_create_kernel(job, setup->programs[which][kind],
                                      planes ? "rhomb_batch_sliced" : "rhomb_batch_affine",
                                      arguments, planes ? count - 1 : count, &l->kernel);
}

/* The first level of a job takes all its pairs, where `everything` is set. */
static rhomb_status enqueue_level(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t level,
                                  bool everything)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const bool planes = rhomb__batch_is_sliced(shape, level);
    rhomb__batch_launch *l = &job->launches[kind][level];
    const rhomb_i32 all = everything && level == job->first_level;
    rhomb_batch_affine_job described = describe(job, level);
    int64_t groups = rhomb__min(shape->groups[level], job->count);
    int64_t items =
        rhomb__batch_ring_is_local(shape, level) ? shape->group_size : shape->wide_group;
    if (planes) {
        const rhomb__batch_teams teams = teams_of(job, level);
        described.limit = (rhomb_i32)rhomb__batch_most_by_waves(&setup->costs);
        described.team_items = teams.items;
        described.group_cells = teams.group_cells;
        groups = teams.groups;
        items = shape->group_size;
    }
    l->all = all;
    if (l->kernel == NULL) {
        RHOMB_TRY(create_level(job, kind, level, &described));
    } else {
        RHOMB_CL(&job->stream, clSetKernelArg(l->kernel, LEVEL_JOB, sizeof described, &described));
        RHOMB_CL(&job->stream, clSetKernelArg(l->kernel, LEVEL_ALL, sizeof all, &all));
    }
    RHOMB_TRY(rhomb__queue_launch_event(&job->stream, l->kernel, groups, items,
                                        rhomb__batch_times_next(&job->times, RHOMB__BATCH_SOLVE)));
out:
    return status;
}

rhomb_status rhomb__batch_scored_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind,
                                         int64_t listed)
{
    rhomb_status status = RHOMB_OK;
    const bool global = job->setup->options.mode == RHOMB_MODE_GLOBAL;
    const int32_t levels = job->setup->shape.levels;
    if (!global)
        RHOMB_TRY(rhomb__batch_bins_enqueue(job, kind));
    if (!global && levels > 0 && job->bin_begin[RHOMB__BATCH_BINS] > 0)
        RHOMB_TRY(
            rhomb__batch_enqueue_list(job, 0, job->sorted, job->bin_begin[RHOMB__BATCH_BINS]));
    else if (global && listed > 0)
        RHOMB_TRY(rhomb__batch_enqueue_list(job, job->first_level, job->list, listed));
    for (int32_t level = job->first_level; level < levels; level = level_after(job, level))
        RHOMB_TRY(enqueue_level(job, kind, level, global && listed == 0));
out:
    return status;
}
