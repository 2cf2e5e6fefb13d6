/* SPDX-License-Identifier: MIT */
/*
 * Pairs that are solved alone, see batch_job.h: the same kernels with one group, as many items as
 * it may have, and columns in place. Their distance is known, so that what the device keeps has
 * just the size that the path needs: four bytes for each cell of (d + 1)^2, 400 MB for a distance
 * of 10,000.
 */
#include "batch_job.h"

#include <stdlib.h>
#include <string.h>

#include "../src/int64.h"
#include "../src/text.h"

/* Runs the job of one pair and takes its CIGAR over. */
static rhomb_status run_alone(const rhomb__batch_setup *setup, const rhomb_pair *pair,
                              int64_t distance, rhomb_cigar_op **cigar, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = setup->ctx;
    rhomb__batch_job *job = NULL;
    RHOMB_TRY(rhomb__batch_job_create(setup, &job));
    rhomb__batch_job_reset(job, 0);
    rhomb__batch_job_add(job, pair, 1);
    status = rhomb__batch_job_run(job);
    if (status != RHOMB_OK) {
        rhomb__fail(&ctx->error, status, "%s", rhomb__error_text(&job->ctx.error));
        goto out;
    }
    const rhomb_pair_result *result = &job->results[0];
    if (result->distance != distance || result->cigar == NULL) {
        status =
            rhomb__fail(&ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                        "%s: the distance of a pair is %lld, and %lld with its path",
                        ctx->device->info.name, (long long)distance, (long long)result->distance);
        goto out;
    }
    const size_t bytes = (size_t)result->cigar_count * sizeof **cigar;
    *cigar = malloc(bytes);
    if (*cigar == NULL) {
        status = rhomb__fail_memory(&ctx->error, bytes, "a CIGAR");
        goto out;
    }
    memcpy(*cigar, result->cigar, bytes);
    *count = result->cigar_count;
out:
    rhomb__batch_job_destroy(job);
    return status;
}

rhomb_status rhomb__batch_job_solve_alone(rhomb__batch_job *job, int64_t index, int64_t distance)
{
    rhomb_context *ctx = job->setup->ctx;
    const rhomb_pair *pair = &job->pairs[index];
    rhomb__batch_setup alone = *job->setup;
    rhomb_cigar_op *cigar = NULL;
    int64_t count = 0;
    rhomb_status status = rhomb__batch_shape_alone(
        &ctx->error, &ctx->device->info, &job->setup->shape, pair, distance, &alone.shape);
    if (status == RHOMB_OK)
        status = rhomb__batch_setup_build(&alone);
    if (status == RHOMB_OK)
        status = run_alone(&alone, pair, distance, &cigar, &count);
    if (status == RHOMB_ERR_DEVICE_MEMORY) {
        char *detail = rhomb__format("%s", rhomb__error_text(&ctx->error));
        rhomb__error_clear(&ctx->error);
        return rhomb__batch_job_fail_pair(job, index, status, detail);
    }
    if (status == RHOMB_OK) {
        job->alone_bytes = rhomb__max(job->alone_bytes, alone.shape.device_bytes);
        const rhomb_pair_result solved = {RHOMB_OK, distance, cigar, count, NULL};
        job->owned[job->owned_count++] = cigar;
        job->results[index] = solved;
    }
    return status;
}
