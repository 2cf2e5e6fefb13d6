/* SPDX-License-Identifier: MIT */
/*
 * What a job of a batch holds, see batch_job.h: its arrays, and on the device its own queue,
 * buffers and kernels, made at first use. Buffers stay where they are from one set of pairs to the
 * next, and each launch has its own kernel object, so that arguments are set once, when a kernel is
 * first needed. A driver serves one thread at a time, and this bounds the smallest pairs: of 58
 * arguments for edits of 150 bp pairs one is set again.
 */
#include "host/batch/batch_job.h"

#include <stdlib.h>

#include "host/device/cl_error.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/int64.h"

#define PACK_GROUP 64

/* The number of the argument that differs between launches. */
enum { PACK_WORDS = 5 };

cl_mem rhomb__batch_compared(const rhomb__batch_job *job, rhomb__batch_bases kind)
{
    if (job->setup->shape.of_set)
        return job->setup->packed;
    const rhomb__batch_part part = rhomb__batch_has_bytes(&job->setup->shape) ? RHOMB__BATCH_SENT
                                   : kind == RHOMB__BATCH_ACGT                ? RHOMB__BATCH_PACKED
                                                                              : RHOMB__BATCH_OTHER;
    return job->parts[part].handle;
}

rhomb_status rhomb__batch_create_kernel(rhomb__batch_job *job, const rhomb__program *program,
                                        const char *name, const rhomb__argument *arguments,
                                        size_t count, cl_kernel *out)
{
    rhomb_status status = RHOMB_OK;
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

static void release_kernels(rhomb__batch_job *job)
{
    for (int i = 0; i < RHOMB__BATCH_KINDS; i++) {
        if (job->pack[i] != NULL)
            clReleaseKernel(job->pack[i]);
        for (int launch = 0; launch < RHOMB__BATCH_LAUNCHES; launch++)
            if (job->launches[i][launch].kernel != NULL)
                clReleaseKernel(job->launches[i][launch].kernel);
    }
}

rhomb_status rhomb__batch_enqueue_list(rhomb__batch_job *job, int32_t level, const uint32_t *list,
                                       int64_t count)
{
    rhomb_status status = RHOMB_OK;
    const size_t at = (size_t)(level * job->setup->shape.job_pairs) * sizeof *list;
    RHOMB_CL(&job->stream,
             clEnqueueWriteBuffer(job->stream.queue, job->parts[RHOMB__BATCH_LISTS].handle,
                                  CL_FALSE, at, (size_t)count * sizeof *list, list, 0, NULL,
                                  rhomb__batch_times_next(&job->times, RHOMB__BATCH_SEND)));
out:
    return status;
}

static rhomb_status create_pack(rhomb__batch_job *job, rhomb__batch_bases kind)
{
    const rhomb__buffer *parts = job->parts;
    const char *name = rhomb__batch_has_bytes(&job->setup->shape) ? "rhomb_batch_fold"
                       : kind == RHOMB__BATCH_ACGT                ? "rhomb_batch_pack_acgt"
                                                                  : "rhomb_batch_pack";
    const rhomb_alphabet alphabet = job->setup->options.alphabet;
    const rhomb_i32 fold = alphabet == RHOMB_ALPHABET_BYTES     ? 0
                           : alphabet == RHOMB_ALPHABET_PROTEIN ? RHOMB_FOLD_CASE
                                                                : RHOMB_FOLD_CASE | RHOMB_FOLD_U;
    const uint32_t no_words = 0;
    const cl_mem packed = rhomb__batch_compared(job, kind);
    /* rhomb_batch_…(bases, codes, packed, flags, counts, words, fold) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(parts[RHOMB__BATCH_SENT].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_CODES].handle),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_FLAGS].handle),
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_RETURNED].handle),
                                         RHOMB__ARGUMENT(no_words),
                                         RHOMB__ARGUMENT(fold)};
    return rhomb__batch_create_kernel(job, job->setup->programs[0][kind], name, arguments,
                                      sizeof arguments / sizeof arguments[0], &job->pack[kind]);
}

rhomb_status rhomb__batch_enqueue_pack(rhomb__batch_job *job, rhomb__batch_bases kind)
{
    rhomb_status status = RHOMB_OK;
    const uint32_t words = (uint32_t)(job->bases_used / RHOMB_WORD_SYMBOLS);
    if (words == 0 || job->setup->shape.of_set)
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

/*
 * Bases of a job for which there is room for one operation from the beginning. A pair has one
 * operation more than twice its edits: this is enough for pairs with 12 % of errors.
 */
#define OPERATION_BASES 8
#define LINE_BYTES      64 /* of a cache */

/* An array with room for a job's pairs; NULL where none is wanted. */
static void *hold_array(rhomb__batch_job *job, size_t each, bool wanted)
{
    const size_t bytes = (size_t)job->setup->shape.job_pairs * each;
    void *array = wanted ? malloc(bytes) : NULL;
    job->array_bytes += wanted ? (int64_t)bytes : 0;
    job->lacks_arrays |= wanted && array == NULL;
    return array;
}

static void hold_arrays(rhomb__batch_job *job)
{
    const rhomb__batch_setup *setup = job->setup;
    const bool is_scored = setup->options.scoring != NULL;
    const bool has_bins = setup->options.mode != RHOMB_MODE_GLOBAL;
    job->pairs = hold_array(job, sizeof *job->pairs, true);
    job->places = hold_array(job, sizeof *job->places, setup->shape.of_set);
    job->results = hold_array(job, sizeof *job->results, true);
    job->extents = hold_array(job, sizeof *job->extents, is_scored);
    job->delivered = hold_array(job, sizeof *job->delivered, true);
    job->list = hold_array(job, sizeof *job->list, true);
    job->longs = hold_array(job, sizeof *job->longs, true);
    job->binned = hold_array(job, 2 * sizeof *job->binned, has_bins);
    job->sorted = hold_array(job, sizeof *job->sorted, has_bins);
    job->owned = hold_array(job, sizeof *job->owned, true);
}

rhomb_status rhomb__batch_job_create(const rhomb__batch_setup *setup, rhomb__batch_job **out)
{
    rhomb_status status = RHOMB_OK;
    const size_t pairs = (size_t)setup->shape.job_pairs;
    rhomb__batch_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (job == NULL)
        return rhomb__fail_memory(&setup->ctx->stream.error, sizeof *job, "a job");
    job->setup = setup;
    job->stream.device = setup->ctx->stream.device;
    job->stream.threads = 1;
    job->times.asked = setup->options.profile;
    hold_arrays(job);
    if (job->lacks_arrays)
        RHOMB_TRY(
            rhomb__fail_memory(&setup->ctx->stream.error, pairs * sizeof *job->results, "a job"));
    for (size_t i = 0; i < pairs; i++)
        job->delivered[i] = &job->results[i];
    *out = job;
    job = NULL;
out:
    rhomb__batch_job_destroy(job);
    return status;
}

void rhomb__batch_job_destroy(rhomb__batch_job *job)
{
    if (job == NULL)
        return;
    (void)rhomb__pinned_release(&job->stream, &job->room);
    (void)rhomb__pinned_release(&job->stream, &job->more);
    release_kernels(job);
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        rhomb__buffer_release(&job->stream, &job->parts[i]);
    rhomb__batch_times_drop(&job->times);
    if (job->stream.queue != NULL) {
        clFinish(job->stream.queue);
        if (!job->stream.device->quirks.one_queue)
            clReleaseCommandQueue(job->stream.queue);
    }
    rhomb__batch_job_forget_owned(job);
    void *const arrays[] = {job->pairs,     job->places, job->results,     job->extents,
                            job->delivered, job->list,   job->longs,       job->binned,
                            job->sorted,    job->owned,  job->why_pageable};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    rhomb__error_clear(&job->stream.error);
    free(job);
}

/*
 * Memory for transfers: pinned where there is a bus. The system limits how much may be pinned; from
 * other memory transfers take longer, and the results are the same.
 */
static rhomb_status hold_memory(rhomb__batch_job *job, int64_t bytes, rhomb__pinned *memory)
{
    if (!job->stream.device->info.unified_memory && !job->pageable) {
        if (rhomb__pin(&job->stream, bytes, CL_MAP_READ | CL_MAP_WRITE, memory) == RHOMB_OK)
            return RHOMB_OK;
        job->pageable = true;
        job->why_pageable = rhomb__format("%s", rhomb__error_text(&job->stream.error));
        rhomb__error_clear(&job->stream.error);
    }
    memory->at = malloc((size_t)bytes);
    if (memory->at == NULL)
        return rhomb__fail_memory(&job->stream.error, (size_t)bytes, "a job");
    memory->bytes = bytes;
    return RHOMB_OK;
}

/*
 * Room for all transfers, pinned in one call: a worker's first job waits for it, and drivers pin
 * for one thread at a time. Memory that is not pinned a driver copies by itself, also for one
 * thread at a time.
 */
static rhomb_status hold_room(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_shape *shape = &job->setup->shape;
    const bool bus = !job->stream.device->info.unified_memory;
    const int64_t mask = LINE_BYTES - 1;
    const int64_t sent = bus ? (shape->bytes[RHOMB__BATCH_SENT] + mask) & ~mask : 0;
    const int64_t operations =
        bus && job->setup->options.cigar ? shape->job_bases / OPERATION_BASES : 0;
    job->returned_bytes = rhomb__batch_returned_bytes(shape, shape->job_pairs, operations);
    RHOMB_TRY(hold_memory(job, sent + job->returned_bytes, &job->room));
    char *const at = job->room.at;
    job->bases = bus ? at : NULL;
    job->returned = (rhomb_batch_counts *)(void *)(at + sent);
    job->answers = (char *)(job->returned + 1);
out:
    return status;
}

rhomb_status rhomb__batch_job_open(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    if (job->stream.queue != NULL)
        return RHOMB_OK;
    rhomb__device_stream *stream = &job->stream;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const rhomb__buffer *codes = &job->parts[RHOMB__BATCH_CODES];
    const cl_command_queue_properties kept = job->times.asked ? CL_QUEUE_PROFILING_ENABLE : 0;
    const double began = rhomb__now();
    cl_int code = CL_SUCCESS;
    if (job->stream.device->quirks.one_queue)
        job->stream.queue = setup->ctx->stream.queue;
    else
        RHOMB_CL_OUT(stream, code,
                     job->stream.queue = clCreateCommandQueue(job->stream.device->context,
                                                              job->stream.device->id, kept, &code));
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        if (shape->bytes[i] > 0)
            RHOMB_TRY(
                rhomb__buffer_create(stream, shape->bytes[i], "a job of a batch", &job->parts[i]));
    RHOMB_TRY(hold_room(job));
    if (codes->handle != NULL)
        RHOMB_CL(stream,
                 clEnqueueWriteBuffer(job->stream.queue, codes->handle, CL_FALSE, 0,
                                      sizeof setup->codes, setup->codes, 0, NULL,
                                      rhomb__batch_times_next(&job->times, RHOMB__BATCH_SEND)));
out:
    job->seconds_open = rhomb__now() - began;
    return status;
}

int64_t rhomb__batch_job_room_behind(const rhomb__batch_job *job)
{
    const int64_t before = rhomb__batch_returned_bytes(&job->setup->shape, job->count, 0);
    return (job->returned_bytes - before) / (int64_t)sizeof *job->cigars;
}

rhomb_status rhomb__batch_job_hold_cigars(rhomb__batch_job *job, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    const int64_t each = (int64_t)sizeof *job->cigars;
    job->cigars =
        (rhomb_cigar_op *)(void *)(job->answers + job->count * job->setup->shape.answer_bytes);
    if (count <= rhomb__batch_job_room_behind(job))
        return RHOMB_OK;
    job->cigars_here = 0;
    if (count * each > job->more.bytes) {
        (void)rhomb__pinned_release(&job->stream, &job->more);
        RHOMB_TRY(hold_memory(job, (count + count / 4) * each, &job->more));
    }
    job->cigars = (void *)job->more.at;
out:
    return status;
}
