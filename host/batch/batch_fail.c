/* SPDX-License-Identifier: MIT */
/* Pairs of a job without a result, and why, see batch_job.h. */
#include "host/batch/batch_job.h"
#include "src/base/text.h"
#include "src/scoring/score_matrix.h"

#include <stdlib.h>

void rhomb__batch_job_forget_owned(rhomb__batch_job *job)
{
    while (job->owned_count > 0)
        free(job->owned[--job->owned_count]);
}

rhomb_status rhomb__batch_job_fail_pair(rhomb__batch_job *job, int64_t index, rhomb_status why,
                                        char *detail)
{
    const rhomb_pair_result failed = {.status = why, .distance = -1, .detail = detail};
    if (detail == NULL)
        return rhomb__fail_memory(&job->stream.error, 1, "a detail");
    job->owned[job->owned_count++] = detail;
    job->sums.failed++;
    job->results[index] = failed;
    return RHOMB_OK;
}

rhomb_status rhomb__batch_job_fail_bases(rhomb__batch_job *job, int64_t index)
{
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_alphabet alphabet = job->setup->options.alphabet;
    const rhomb_score_matrix *matrix = job->setup->scoring.matrix;
    rhomb__error found = {RHOMB_OK, NULL, ""};
    rhomb__histogram histogram;
    rhomb__histogram_count(pair->target, pair->target_length, 1, &histogram);
    rhomb_status why = rhomb__matrix_check_bases(&found, alphabet, matrix, "target", pair->target,
                                                 pair->target_length, &histogram);
    if (why == RHOMB_OK) {
        rhomb__histogram_count(pair->query, pair->query_length, 1, &histogram);
        why = rhomb__matrix_check_bases(&found, alphabet, matrix, "query", pair->query,
                                        pair->query_length, &histogram);
    }
    if (why == RHOMB_OK)
        return rhomb__fail(&job->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: it rejects the characters of a pair that are in the alphabet",
                           job->stream.device->info.name);
    const rhomb_status status =
        rhomb__batch_job_fail_pair(job, index, why, rhomb__format("%s", rhomb__error_text(&found)));
    rhomb__error_clear(&found);
    return status;
}
