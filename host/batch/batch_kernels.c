/* SPDX-License-Identifier: MIT */
/*
 * Kernels of a job of a batch, see batch_job.h: what all methods share. A job's buffers stay where
 * they are from one set of pairs to the next, and each launch has its own kernel object, so that
 * arguments are set once, when a kernel is first needed. A driver serves one thread at a time, and
 * this bounds the smallest pairs: of 58 arguments for edits of 150 bp pairs one is set again.
 */
#include "host/batch/batch_job.h"

#include "host/device/cl_error.h"
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

void rhomb__batch_release_kernels(rhomb__batch_job *job)
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
                                         RHOMB__ARGUMENT(parts[RHOMB__BATCH_TOLD].handle),
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
