/* SPDX-License-Identifier: MIT */
/*
 * Pairs that are not for the kernels of a job, see batch_job.h. Their distance comes from
 * the engines, what other modes take of them from host/local. For their path the same kernels are
 * tried with one group and the memory that it needs, up to a limit; above it the pair is aligned in
 * subproblems, in memory linear in the distance. Lengths and distance alone decide between the two,
 * and so decide the path.
 */
#include "host/batch/batch_job.h"
#include "host/device/group_limit.h"
#include "host/divide/aligner.h"
#include "host/divide/alignment.h"
#include "host/local/long_local.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/error.h"
#include "src/base/int64.h"
#include "src/batch/batch_fit.h"

/* Runs the job of one pair and takes over its CIGAR. */
static rhomb_status run_alone(const rhomb__batch_setup *setup, const rhomb_pair *pair,
                              int64_t distance, rhomb_cigar_op **cigar, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = setup->ctx;
    rhomb__batch_job *job = NULL;
    RHOMB_TRY(rhomb__batch_job_create(setup, &job));
    RHOMB_TRY(rhomb__batch_job_run_input(job, &(rhomb__batch_input){pair, NULL, 1}));
    const rhomb_pair_result *result = &job->results[0];
    if (result->distance != distance || result->cigar == NULL)
        RHOMB_TRY(rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                              "%s: the distance of a pair is %lld, and %lld with its path",
                              ctx->stream.device->info.name, (long long)distance,
                              (long long)result->distance));
    const size_t bytes = (size_t)result->cigar_count * sizeof **cigar;
    *cigar = malloc(bytes);
    if (*cigar == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, bytes, "a CIGAR"));
    memcpy(*cigar, result->cigar, bytes);
    *count = result->cigar_count;
out:
    rhomb__batch_job_destroy(job);
    return status;
}

/* Aligns a pair in subproblems, and takes over its operations as those of short pairs. */
static rhomb_status run_parts(rhomb__batch_job *job, const rhomb_pair *pair, int64_t distance,
                              rhomb_cigar_op **cigar, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = job->setup->ctx;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb__path path = {0};
    int64_t device_bytes = 0;
    options.alphabet = job->setup->options.alphabet;
    options.scoring = job->setup->options.scoring;
    RHOMB_TRY(rhomb__align_known(ctx, pair, distance, &options, &path, &device_bytes));
    job->alone_bytes = rhomb__max(job->alone_bytes, device_bytes);
    *cigar = malloc((size_t)path.count * sizeof **cigar);
    if (*cigar == NULL)
        RHOMB_TRY(
            rhomb__fail_memory(&ctx->stream.error, (size_t)path.count * sizeof **cigar, "a CIGAR"));
    for (int64_t i = 0; i < path.count; i++)
        (*cigar)[i] = (rhomb_cigar_op)path.ops[i];
    *count = path.count;
out:
    rhomb__path_release(&path);
    return status;
}

/* Aligns a pair with a matrix by its sweeps. */
static rhomb_status run_traces(rhomb__batch_job *job, const rhomb_pair *pair, int64_t penalty,
                               rhomb_cigar_op **cigar, int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *setup = job->setup;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    options.alphabet = setup->options.alphabet;
    options.scoring = setup->options.scoring;
    RHOMB_TRY(rhomb__long_align(setup->ctx, pair, penalty, &options, &alignment));
    const rhomb__path *path = &alignment->path;
    job->alone_bytes = rhomb__max(job->alone_bytes, alignment->report.device_bytes);
    *cigar = malloc((size_t)rhomb__max(path->count, 1) * sizeof **cigar);
    if (*cigar == NULL) {
        status = rhomb__fail_memory(&setup->ctx->stream.error, (size_t)path->count * sizeof **cigar,
                                    "a CIGAR");
        goto out;
    }
    for (int64_t i = 0; i < path->count; i++)
        (*cigar)[i] = (rhomb_cigar_op)path->ops[i];
    *count = path->count;
out:
    if (alignment != NULL)
        rhomb__path_release(&alignment->path);
    free(alignment);
    return status;
}

/* The same kernels, with one group. */
static rhomb_status run_kernels(rhomb__batch_job *job, rhomb__batch_setup *alone,
                                const rhomb_pair *pair, int64_t distance, rhomb_cigar_op **cigar,
                                int64_t *count)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__batch_setup_build(alone));
    RHOMB_TRY(run_alone(alone, pair, distance, cigar, count));
    job->alone_bytes = rhomb__max(job->alone_bytes, alone->shape.device_bytes);
out:
    return status;
}

/* Lengths of operations have 28 bits here. */
static rhomb_status check_lengths(rhomb_context *ctx, const rhomb_pair *pair)
{
    if (rhomb__max(pair->target_length, pair->query_length) <= RHOMB__BATCH_MOST_BASES)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                       "sequences of %lld and %lld bases are too long for a CIGAR of short pairs",
                       (long long)pair->target_length, (long long)pair->query_length);
}

/* The pair has no result, for what the context's record says; others may go well. */
static rhomb_status fail_pair(rhomb__batch_job *job, int64_t index, rhomb_status why)
{
    rhomb__error *error = &job->setup->ctx->stream.error;
    char *detail = rhomb__format("%s", rhomb__error_text(error));
    rhomb__error_clear(error);
    return rhomb__batch_job_fail_pair(job, index, why, detail);
}

/*
 * The path of a pair of known distance, or of what is aligned of it. The result says so where it
 * cannot be.
 */
static rhomb_status solve_alone(rhomb__batch_job *job, int64_t index, const rhomb_pair *pair,
                                int64_t distance)
{
    rhomb_context *ctx = job->setup->ctx;
    rhomb__batch_setup alone = *job->setup;
    rhomb_cigar_op *cigar = NULL;
    int64_t count = 0;
    bool fits = false;
    alone.options.mode = RHOMB_MODE_GLOBAL;
    alone.options.max_distance = RHOMB_NO_LIMIT;
    rhomb_status status = check_lengths(ctx, pair);
    if (status == RHOMB_OK && job->setup->costs.matrix != NULL) {
        status = run_traces(job, pair, distance, &cigar, &count);
    } else if (status == RHOMB_OK) {
        do {
            status = job->setup->method->alone(job->setup, pair, distance, &fits, &alone.shape);
            if (status == RHOMB_OK)
                status = fits ? run_kernels(job, &alone, pair, distance, &cigar, &count)
                              : run_parts(job, pair, distance, &cigar, &count);
        } while (status != RHOMB_OK &&
                 rhomb__group_limit_lowered(ctx, job->setup->tuning.group_size != 0));
    }
    if (status == RHOMB_ERR_DEVICE_MEMORY || status == RHOMB_ERR_ARGUMENT)
        return fail_pair(job, index, status);
    if (status == RHOMB_OK) {
        job->owned[job->owned_count++] = cigar;
        job->results[index].cigar = cigar;
        job->results[index].cigar_count = count;
    }
    return status;
}

/* Whether an error is one of a pair, and others may go well. */
static bool is_of_pair(rhomb_status status)
{
    return status == RHOMB_ERR_ALPHABET || status == RHOMB_ERR_ARGUMENT ||
           status == RHOMB_ERR_DEVICE_MEMORY;
}

/* The path of a pair of which all else is known. */
static rhomb_status solve_part(rhomb__batch_job *job, int64_t index)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_pair_extent *e = &job->extents[index];
    const rhomb_pair part = {pair->target + e->target_begin, e->target_end - e->target_begin,
                             pair->query + e->query_begin, e->query_end - e->query_begin};
    const rhomb__costs *costs = &setup->costs;
    const int64_t half = costs->doubled * costs->match / 2;
    const int64_t penalty =
        half * (part.target_length + part.query_length) - costs->doubled * e->score;
    job->sums.found++;
    job->sums.distances += job->results[index].distance;
    return part.target_length + part.query_length > 0 ? solve_alone(job, index, &part, penalty)
                                                      : RHOMB_OK;
}

/* What is aligned of a pair that is too long for the kernels of a job, by the whole device. */
static rhomb_status find_part(rhomb__batch_job *job, int64_t index)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_setup *setup = job->setup;
    rhomb_context *ctx = setup->ctx;
    const rhomb_pair *pair = &job->pairs[index];
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb__plan_view shown;
    rhomb__task task = {.target = pair->target,
                        .target_length = pair->target_length,
                        .query = pair->query,
                        .query_length = pair->query_length,
                        .shown = &shown};
    const rhomb_mode_options mode = {sizeof mode, setup->options.mode, setup->options.free_ends,
                                     setup->options.z_drop, setup->options.end_bonus};
    rhomb_report report = {0};
    rhomb__long_found found = {0};
    options.alphabet = setup->options.alphabet;
    options.scoring = setup->options.scoring;
    RHOMB_TRY(rhomb__task_plan(ctx, &task, &options, &report));
    RHOMB_TRY(rhomb__long_local_find(ctx, &task, &mode, NULL, NULL, &found));
    job->alone_bytes =
        rhomb__max(job->alone_bytes, found.report.device_bytes - ctx->stream.bytes_in_use);
    job->results[index] = (rhomb_pair_result){.status = RHOMB_OK, .distance = 0};
    rhomb__batch_job_set_part(job, index, &found.extent);
out:
    return status;
}

/* Of a pair that is not aligned end to end: all that is not known yet, or an error. */
static rhomb_status solve_mode(rhomb__batch_job *job, int64_t index)
{
    const rhomb__batch_setup *setup = job->setup;
    const rhomb_pair *pair = &job->pairs[index];
    const bool valid = pair->target_length >= 0 && pair->query_length >= 0 &&
                       (pair->target != NULL || pair->target_length == 0) &&
                       (pair->query != NULL || pair->query_length == 0);
    if (rhomb__batch_is_short(&setup->shape, pair))
        return solve_part(job, index);
    if (!valid)
        return rhomb__batch_job_fail_pair(job, index, RHOMB_ERR_ARGUMENT,
                                          rhomb__format("an invalid pointer or length"));
    const rhomb_status status = find_part(job, index);
    if (is_of_pair(status))
        return fail_pair(job, index, status);
    if (status != RHOMB_OK || setup->options.cigar)
        return status != RHOMB_OK ? status : solve_part(job, index);
    job->sums.found++;
    return RHOMB_OK;
}

rhomb_status rhomb__batch_job_solve_long(rhomb__batch_job *job, int64_t index)
{
    const rhomb__batch_setup *setup = job->setup;
    rhomb_context *ctx = setup->ctx;
    const rhomb_pair *pair = &job->pairs[index];
    if (setup->options.mode != RHOMB_MODE_GLOBAL)
        return solve_mode(job, index);
    rhomb_pair_result result = {.status = RHOMB_OK, .distance = -1};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result answer = {0};
    options.max_distance = setup->options.max_distance;
    options.alphabet = setup->options.alphabet;
    options.scoring = setup->options.scoring;
    rhomb_status status = rhomb__distance_pair(ctx, pair, &options, &answer);
    if (is_of_pair(status))
        return fail_pair(job, index, status);
    if (status != RHOMB_OK)
        return status;
    result.distance = answer.report.distance;
    /* The engines' report covers all memory of the context's device, the ring's included. */
    job->alone_bytes =
        rhomb__max(job->alone_bytes, answer.report.device_bytes - ctx->stream.bytes_in_use);
    job->results[index] = result;
    if (result.distance >= 0)
        rhomb__batch_job_set_whole(job, index, result.distance);
    job->sums.exceeding += result.distance < 0;
    if (setup->options.cigar && result.distance >= 0)
        RHOMB_TRY(solve_alone(job, index, pair, result.distance));
    if (job->results[index].distance >= 0) {
        job->sums.distances += result.distance;
        job->sums.found++;
    }
out:
    return status;
}
