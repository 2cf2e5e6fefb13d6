/* SPDX-License-Identifier: MIT */
/*
 * Edit distances, the method of a batch with unit costs, and its launches: cl/batch/batch.cl, a
 * level after the other, each with the pairs that the one before had to leave.
 */
#include "host/batch/batch_known.h"

#include "cl/params.def"
#include "host/batch/batch_job.h"
#include "host/device/cl_error.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"

static rhomb_status make_shape(rhomb__batch_setup *setup, int32_t threads)
{
    const rhomb_device_info *info = &setup->ctx->stream.device->info;
    const rhomb__batch_set *set = setup->set;
    rhomb_batch_tuning tuning = setup->tuning;
    if (setup->wide && tuning.group_size == 0)
        tuning.group_size = rhomb__group_on(info, rhomb__tuning_find(info)->ranges_group_size);
    const rhomb_status status = rhomb__batch_shape_make(&setup->ctx->stream.error, info, threads,
                                                        &setup->options, &tuning, &setup->shape);
    if (status == RHOMB_OK && set != NULL)
        rhomb__batch_shape_of_set(
            set->planes, set->job_pairs,
            2 * rhomb__max(rhomb__ceil_div(set->bases, rhomb__max(set->packed, 1)), 1),
            set->longest, &setup->shape);
    return status;
}

static rhomb_status build(const rhomb__batch_setup *setup, int32_t which, int32_t planes,
                          rhomb__program **out)
{
    const int32_t PLANES = planes, OFFSET_BITS = 32;
    const int32_t GROUP_SIZE = setup->shape.group_size;
    const int32_t PATH = setup->options.cigar;
    const int32_t IN_PLACE = setup->shape.in_place;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    (void)which; /* it has one */
    return rhomb__program_with(setup->ctx, &rhomb__source_batch, RHOMB__LIST(parameters), out);
}

static rhomb_status self_test(const rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_setup small = *setup;
    rhomb_batch_tuning *tuning = &small.tuning;
    rhomb__batch_known known;
    rhomb__batch_known_make(&known);
    small.options.max_distance = RHOMB_NO_LIMIT;
    tuning->first_limit = 2; /* so that pairs pass through levels */
    tuning->last_limit = 0;
    tuning->workers = 1;
    tuning->group_size = setup->shape.group_size;
    tuning->job_bases = 4096;
    tuning->long_bases = 0;
    if (setup->set != NULL) {
        RHOMB_TRY(rhomb__batch_known_pack(setup, &known));
        small.set = &known.set;
        small.packed = known.set.buffers[0].handle;
    }
    RHOMB_TRY(make_shape(&small, 1));
    small.shape.in_place = setup->shape.in_place;
    status = rhomb__batch_known_check(&small, &known, true);
out:
    rhomb__batch_set_release(&known.set);
    return status;
}

static void count(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts)
{
    counts->listed[job->first_level] = (rhomb_u32)(listed > 0 ? listed : job->count);
}

static rhomb_status take(rhomb__batch_job *job, int64_t index, int64_t cigar_used)
{
    const rhomb_batch_answer *answer =
        (const rhomb_batch_answer *)(const void *)job->answers + index;
    const rhomb_pair *pair = &job->pairs[index];
    const int64_t longer = rhomb__max(pair->target_length, pair->query_length);
    rhomb_pair_result result = {.status = RHOMB_OK, .distance = -1};
    const int64_t count = job->setup->options.cigar ? answer->cigar_count : 0;
    const int64_t at = answer->cigar_at - rhomb__batch_job_first_operation(job);
    if (answer->distance == RHOMB_BATCH_BASES)
        return rhomb__batch_job_fail_bases(job, index);
    if (answer->distance < RHOMB_BATCH_BASES || answer->distance > longer ||
        (count > 0 && (at < 0 || answer->cigar_at + count > cigar_used)))
        return rhomb__fail(&job->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: distance %ld of sequences of %lld and %lld bases",
                           job->stream.device->info.name, (long)answer->distance,
                           (long long)pair->target_length, (long long)pair->query_length);
    job->sums.exceeding += answer->distance == RHOMB_BATCH_EXCEEDS;
    if (answer->distance >= 0) {
        job->sums.found++;
        job->sums.distances += answer->distance;
        result.distance = answer->distance;
        result.cigar = count > 0 ? job->cigars + at : NULL;
        result.cigar_count = count;
    } else if (answer->distance == RHOMB_BATCH_BEYOND) {
        job->longs[job->long_count++] = (uint32_t)index;
        if (job->setup->shape.of_set)
            result.distance = RHOMB__BATCH_UNKNOWN;
    }
    job->results[index] = result;
    return RHOMB_OK;
}

/* Up to RHOMB__BATCH_MOST_ALONE: the device keeps four bytes for each cell of (d + 1)^2. */
static rhomb_status alone(const rhomb__batch_setup *setup, const rhomb_pair *pair, int64_t distance,
                          bool *fits, rhomb__batch_shape *shape)
{
    *fits = distance <= RHOMB__BATCH_MOST_ALONE;
    return *fits ? rhomb__batch_shape_alone(&setup->ctx->stream.error,
                                            &setup->ctx->stream.device->info, &setup->shape, pair,
                                            distance, shape)
                 : RHOMB_OK;
}

const rhomb__batch_method rhomb__batch_edit = {.shape = make_shape,
                                               .programs = 1,
                                               .build = build,
                                               .self_test = self_test,
                                               .count = count,
                                               .enqueue = rhomb__batch_edit_enqueue,
                                               .take = take,
                                               .alone = alone};

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
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(columns),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
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
