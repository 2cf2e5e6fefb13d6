/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of modes other than end to end, see batch_job.h: the score of a pair by
 * plain dynamic programming, and whether the path has it.
 */
#include "host/batch/batch_job.h"
#include "host/engines/known_mode.h"

/* The score of the path from begin to end; RHOMB__KNOWN_NONE where it does not lead there. */
static int64_t path_score(const rhomb__batch_setup *setup, const rhomb_pair *pair,
                          const rhomb_pair_result *result)
{
    const rhomb_pair_extent *e = result->extent;
    int64_t i = e->query_begin, j = e->target_begin, score = 0;
    for (int64_t at = 0; at < result->cigar_count; at++) {
        const uint32_t code = RHOMB_CIGAR_CODE(result->cigar[at]);
        const int64_t length = RHOMB_CIGAR_LENGTH(result->cigar[at]);
        const bool both = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        if ((code != RHOMB_CIGAR_D && i + length > e->query_end) ||
            (code != RHOMB_CIGAR_I && j + length > e->target_end))
            return RHOMB__KNOWN_NONE;
        for (int64_t x = 0; both && x < length; x++)
            if ((pair->query[i + x] == pair->target[j + x]) != (code == RHOMB_CIGAR_EQ))
                return RHOMB__KNOWN_NONE;
        score += rhomb_scoring_op_score(&setup->scoring, result->cigar[at]);
        i += code == RHOMB_CIGAR_D ? 0 : length;
        j += code == RHOMB_CIGAR_I ? 0 : length;
    }
    return i == e->query_end && j == e->target_end ? score : RHOMB__KNOWN_NONE;
}

rhomb_status rhomb__batch_check_mode(const rhomb__batch_setup *setup, const rhomb__batch_job *job,
                                     int64_t index)
{
    rhomb_context *ctx = setup->ctx;
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_pair_result *result = &job->results[index];
    const rhomb_mode_options mode = {sizeof mode, setup->options.mode, setup->options.free_ends,
                                     RHOMB_NO_LIMIT, 0};
    const int64_t best = rhomb__known_mode_score(&setup->scoring, &mode, pair);
    if (best == RHOMB__KNOWN_NONE)
        return rhomb__fail_memory(&ctx->stream.error, 0, "the self-test of a batch");
    const bool found = result->extent != NULL && result->extent->score == best;
    if (found && (!setup->options.cigar || path_score(setup, pair, result) == best))
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the self-test of the batch kernels gave a score of %lld, or a path of "
                       "another one, instead of %lld (%s); the driver (%s) or the device cannot be "
                       "trusted",
                       ctx->stream.device->info.name,
                       (long long)(result->extent != NULL ? result->extent->score : -1),
                       (long long)best, setup->programs[0][0]->options,
                       ctx->stream.device->info.driver_version);
}
