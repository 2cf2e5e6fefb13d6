/* SPDX-License-Identifier: MIT */
/*
 * The kernels of a job of a batch, see batch_job.h. A job's buffers stay where they are from one
 * set of pairs to the next, and each level has its own kernel object, so that arguments are set
 * once, when a kernel is first needed. A driver serves one thread at a time, and this bounds the
 * smallest pairs: of 58 arguments for 150 bp pairs one is set again.
 */
#include "host/batch/batch_job.h"

#include "host/device/cl_error.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#define PACK_GROUP 64

/* Numbers of the arguments that differ between launches. */
enum { PACK_WORDS = 5, SOLVE_ALL = 16 };

/* The packed or plain bases that a round compares. */
static cl_mem compared(const rhomb__batch_job *job, rhomb__batch_bases kind)
{
    const rhomb__batch_part part = job->setup->shape.planes == 0 ? RHOMB__BATCH_SENT
                                   : kind == RHOMB__BATCH_ACGT   ? RHOMB__BATCH_PACKED
                                                                 : RHOMB__BATCH_OTHER;
    return job->parts[part].handle;
}

/* A kernel with its arguments. */
static rhomb_status create(rhomb__batch_job *job, rhomb__batch_bases kind, const char *name,
                           const rhomb__argument *arguments, size_t count, cl_kernel *out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__program *program =
        kind == RHOMB__BATCH_ACGT ? setup->program : setup->other_program;
    cl_kernel kernel = NULL;
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(&job->stream, code, kernel = clCreateKernel(program->handle, name, &code));
    RHOMB_TRY(rhomb__queue_arguments(&job->stream, kernel, arguments, count));
    *out = kernel;
    kernel = NULL;
out:
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}

void rhomb__batch_release_kernels(rhomb__batch_job *job)
{
    for (int i = 0; i < RHOMB__BATCH_KINDS; i++) {
        if (job->pack[i] != NULL)
            clReleaseKernel(job->pack[i]);
        for (int level = 0; level < RHOMB_BATCH_MOST_LEVELS; level++)
            if (job->levels[i][level].solve != NULL)
                clReleaseKernel(job->levels[i][level].solve);
    }
}

static rhomb_status create_pack(rhomb__batch_job *job, rhomb__batch_bases kind)
{
    const rhomb__buffer *parts = job->parts;
    const char *name = job->setup->shape.planes == 0 ? "rhomb_batch_fold"
                       : kind == RHOMB__BATCH_ACGT   ? "rhomb_batch_pack_acgt"
                                                     : "rhomb_batch_pack";
    const rhomb_i32 dna = job->setup->options.alphabet == RHOMB_ALPHABET_DNA;
    const uint32_t no_words = 0;
    const cl_mem packed = compared(job, kind);
    /* rhomb_batch_…(bases, codes, packed, flags, counts, words, dna) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_CODES].handle),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         RHOMB__ARGUMENT(no_words),
                                         RHOMB__ARGUMENT(dna)};
    return create(job, kind, name, arguments, sizeof arguments / sizeof arguments[0],
                  &job->pack[kind]);
}

rhomb_status rhomb__batch_enqueue_pack(rhomb__batch_job *job, rhomb__batch_bases kind)
{
    rhomb_status status = RHOMB_OK;
    const uint32_t words = (uint32_t)(job->bases_used / RHOMB_WORD_SYMBOLS);
    if (words == 0)
        return RHOMB_OK;
    if (job->pack[kind] == NULL)
        RHOMB_TRY(create_pack(job, kind));
    RHOMB_CL(&job->stream, clSetKernelArg(job->pack[kind], PACK_WORDS, sizeof words, &words));
    RHOMB_TRY(rhomb__queue_launch_event(&job->stream, job->pack[kind],
                                        rhomb__ceil_div(words, PACK_GROUP), PACK_GROUP,
                                        rhomb__batch_times_next(&job->times, RHOMB__BATCH_PACK)));
out:
    return status;
}

static rhomb_status create_level(rhomb__batch_job *job, rhomb__batch_bases kind, int32_t level)
{
    const rhomb__batch_shape *shape = &job->setup->shape;
    const rhomb__buffer *parts = job->parts;
    const cl_mem packed = compared(job, kind);
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
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_LISTS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_COLUMNS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
                                         {state, NULL},
                                         RHOMB__ARGUMENT(pitch),
                                         RHOMB__ARGUMENT(level),
                                         RHOMB__ARGUMENT(levels),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(max_distance),
                                         RHOMB__ARGUMENT(job->levels[kind][level].all)};
    return create(job, kind, "rhomb_batch_solve", arguments, sizeof arguments / sizeof arguments[0],
                  &job->levels[kind][level].solve);
}

rhomb_status rhomb__batch_enqueue_level(rhomb__batch_job *job, rhomb__batch_bases kind,
                                        int32_t level, bool everything)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_shape *shape = &job->setup->shape;
    rhomb__batch_level *l = &job->levels[kind][level];
    const rhomb_i32 all = everything && level == job->first_level;
    const bool differs = l->all != all;
    l->all = all;
    if (l->solve == NULL)
        RHOMB_TRY(create_level(job, kind, level));
    else if (differs)
        RHOMB_CL(&job->stream, clSetKernelArg(l->solve, SOLVE_ALL, sizeof all, &all));
    RHOMB_TRY(rhomb__queue_launch_event(
        &job->stream, l->solve, rhomb__min(shape->groups[level], job->count), shape->group_size,
        rhomb__batch_times_next(&job->times, RHOMB__BATCH_SOLVE)));
out:
    return status;
}
