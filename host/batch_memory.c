/* SPDX-License-Identifier: MIT */
/*
 * What a job of a batch holds, see batch_job.h: its arrays, and on the device a queue, buffers and
 * kernels of its own, made at first use.
 */
#include "batch_job.h"

#include <stdlib.h>

#include "../src/clock.h"
#include "queue.h"

/*
 * Letters of a job for which there is room for one operation from the beginning. A pair has one
 * operation more than twice its edits: it is for pairs with 12 % of errors.
 */
#define OPERATION_LETTERS 8

rhomb_status rhomb__batch_job_create(const rhomb__batch_setup *setup, rhomb__batch_job **out)
{
    rhomb_status status = RHOMB_OK;
    const size_t pairs = (size_t)setup->shape.job_pairs;
    rhomb__batch_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (job == NULL)
        return rhomb__fail_memory(&setup->ctx->error, sizeof *job, "a job");
    job->setup = setup;
    job->device = *setup->ctx->device;
    job->device.queue = NULL;
    job->device.programs = NULL;
    job->device.bytes_in_use = job->device.bytes_peak = 0;
    job->ctx.device = &job->device;
    job->ctx.threads = 1;
    job->times.asked = setup->options.profile;
    job->pairs = malloc(pairs * sizeof *job->pairs);
    job->results = malloc(pairs * sizeof *job->results);
    if (setup->ctx->device->info.unified_memory) {
        job->places = malloc(pairs * sizeof *job->places);
        job->answers = malloc(pairs * sizeof *job->answers);
    }
    job->list = malloc(pairs * sizeof *job->list);
    job->longs = malloc(pairs * sizeof *job->longs);
    job->owned = malloc(pairs * sizeof *job->owned);
    if (job->pairs == NULL || job->results == NULL || job->list == NULL || job->longs == NULL ||
        job->owned == NULL ||
        (setup->ctx->device->info.unified_memory &&
         (job->places == NULL || job->answers == NULL))) {
        status = rhomb__fail_memory(&setup->ctx->error, pairs * sizeof *job->results, "a job");
        goto out;
    }
    *out = job;
    job = NULL;
out:
    rhomb__batch_job_destroy(job);
    return status;
}

static void release_pinned(rhomb__batch_job *job, cl_mem *buffer, void *mapped)
{
    if (*buffer != NULL && mapped != NULL)
        clEnqueueUnmapMemObject(job->device.queue, *buffer, mapped, 0, NULL, NULL);
    if (*buffer != NULL)
        clReleaseMemObject(*buffer);
    *buffer = NULL;
}

void rhomb__batch_job_destroy(rhomb__batch_job *job)
{
    if (job == NULL)
        return;
    if (job->letters != NULL) { /* they are pinned with the letters */
        job->places = NULL;
        job->answers = NULL;
    }
    release_pinned(job, &job->pinned, job->letters);
    release_pinned(job, &job->pinned_cigars, job->cigars);
    rhomb__batch_release_kernels(job);
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        rhomb__buffer_release(&job->ctx, &job->parts[i]);
    rhomb__batch_times_drop(&job->times);
    if (job->device.queue != NULL) {
        clFinish(job->device.queue);
        clReleaseCommandQueue(job->device.queue);
    }
    rhomb__batch_job_forget_owned(job);
    void *const arrays[] = {job->pairs, job->results, job->places, job->answers,
                            job->list,  job->longs,   job->owned};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    rhomb__error_clear(&job->ctx.error);
    free(job);
}

/* Memory of the host that the device's bus engines read and write. */
static rhomb_status create_pinned(rhomb__batch_job *job, int64_t bytes, cl_mem *buffer,
                                  void **mapped)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(ctx, code,
                 *buffer =
                     clCreateBuffer(job->device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                    (size_t)bytes, NULL, &code));
    RHOMB_CL_OUT(ctx, code,
                 *mapped = clEnqueueMapBuffer(job->device.queue, *buffer, CL_TRUE,
                                              CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL,
                                              NULL, &code));
out:
    return status;
}

/*
 * Pins what the buses take and bring, at one go: a worker's first job waits for it, and drivers pin
 * for one thread at a time. From memory that is not pinned a driver copies by itself, which is one
 * thread's turn at a time as well.
 */
static rhomb_status pin(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_shape *shape = &job->setup->shape;
    const int64_t room = job->setup->options.cigar ? shape->job_letters / OPERATION_LETTERS : 0;
    const int64_t place_bytes = shape->job_pairs * (int64_t)sizeof *job->places;
    const int64_t answer_bytes = shape->job_pairs * (int64_t)sizeof *job->answers;
    const int64_t cigar_bytes = room * (int64_t)sizeof *job->cigars;
    void *mapped = NULL;
    RHOMB_TRY(create_pinned(job, shape->job_letters + place_bytes + answer_bytes + cigar_bytes,
                            &job->pinned, &mapped));
    job->letters = mapped;
    char *at = job->letters + shape->job_letters;
    job->places = (rhomb_batch_pair *)(void *)at;
    job->answers = (rhomb_batch_answer *)(void *)(at + place_bytes);
    job->cigars = (rhomb_cigar_op *)(void *)(at + place_bytes + answer_bytes);
    job->cigar_room = room;
out:
    return status;
}

rhomb_status rhomb__batch_job_open(rhomb__batch_job *job)
{
    rhomb_status status = RHOMB_OK;
    if (job->device.queue != NULL)
        return RHOMB_OK;
    rhomb_context *ctx = &job->ctx;
    const rhomb__batch_setup *setup = job->setup;
    const rhomb__batch_shape *shape = &setup->shape;
    const cl_command_queue_properties kept = job->times.asked ? CL_QUEUE_PROFILING_ENABLE : 0;
    const double began = rhomb__now();
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(ctx, code,
                 job->device.queue =
                     clCreateCommandQueue(job->device.context, job->device.id, kept, &code));
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++)
        RHOMB_TRY(rhomb__buffer_create(ctx, shape->bytes[i], "a job of a batch", &job->parts[i]));
    RHOMB_CL(ctx, clEnqueueWriteBuffer(job->device.queue, job->parts[RHOMB__BATCH_CODES].handle,
                                       CL_FALSE, 0, sizeof setup->codes, setup->codes, 0, NULL,
                                       rhomb__batch_times_next(&job->times, RHOMB__BATCH_SEND)));
    if (!job->device.info.unified_memory)
        RHOMB_TRY(pin(job));
out:
    job->seconds_open = rhomb__now() - began;
    return status;
}

rhomb_status rhomb__batch_job_hold_cigars(rhomb__batch_job *job, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    void *mapped = NULL;
    if (count <= job->cigar_room)
        return RHOMB_OK;
    const int64_t room = count + count / 4;
    release_pinned(job, &job->pinned_cigars, job->cigars);
    job->cigars = NULL;
    job->cigar_room = job->cigars_here = 0;
    RHOMB_TRY(
        create_pinned(job, room * (int64_t)sizeof *job->cigars, &job->pinned_cigars, &mapped));
    job->cigars = mapped;
    job->cigar_room = room;
out:
    return status;
}
