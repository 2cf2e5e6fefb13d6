/* SPDX-License-Identifier: MIT */
/*
 * Batches whose pairs are all there at once: results in arrays, from one call.
 */
#include "rhomb/batch.h"

#include <stdlib.h>
#include <string.h>

#include "host/batch/batch_job.h"
#include "src/base/error.h"
#include "src/base/int64.h"
#include "src/io/stream.h"

static rhomb_status run(rhomb_context *ctx, const rhomb_batch_options *options,
                        const rhomb_pair *pairs, size_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_batch *batch = NULL;
    RHOMB_TRY(rhomb_batch_create(ctx, options, &batch));
    RHOMB_TRY(rhomb_batch_add(batch, pairs, count));
    RHOMB_TRY(rhomb_batch_finish(batch));
out:
    rhomb_batch_destroy(batch);
    return status;
}

typedef struct distances {
    int64_t *distances;
    rhomb_status *statuses;
    rhomb_status failed; /* the first failure, where the caller has no statuses */
    int64_t failed_pair;
    char *detail;
} distances;

/* A rhomb_batch_fn. */
static int take_distances(int64_t first, const rhomb_pair_result *const *results, size_t count,
                          void *user)
{
    distances *d = user;
    for (size_t i = 0; i < count; i++) {
        d->distances[first + (int64_t)i] = results[i]->distance;
        if (d->statuses != NULL)
            d->statuses[first + (int64_t)i] = results[i]->status;
        if (d->statuses == NULL && results[i]->status != RHOMB_OK) {
            d->failed = results[i]->status;
            d->failed_pair = first + (int64_t)i;
            d->detail = rhomb__format("%s", results[i]->detail);
            return 1;
        }
    }
    return 0;
}

rhomb_status rhomb_batch_distances(rhomb_context *ctx, const rhomb_pair *pairs, size_t count,
                                   const rhomb_batch_options *options, int64_t *distances_out,
                                   rhomb_status *statuses)
{
    rhomb_status status = RHOMB_OK;
    distances d = {distances_out, statuses, RHOMB_OK, 0, NULL};
    rhomb_batch_options own;
    rhomb_batch_tuning tuning;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (count > 0 && (pairs == NULL || distances_out == NULL))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "pairs and distances must not be NULL");
    RHOMB_TRY(rhomb__batch_options_complete(&ctx->stream.error, options, &own, &tuning));
    own.cigar = false;
    own.borrow_pairs = true; /* they stay until the call ends */
    own.results = take_distances;
    own.user = &d;
    status = run(ctx, &own, pairs, count);
out:
    if (d.failed != RHOMB_OK) {
        rhomb__error_clear(&ctx->stream.error);
        status = rhomb__fail(&ctx->stream.error, d.failed, "pair %lld: %s",
                             (long long)d.failed_pair + 1, d.detail != NULL ? d.detail : "");
    }
    free(d.detail);
    return status;
}

/* The memory of an array from rhomb_batch_align(): the results, and what they point to. */
typedef struct aligned {
    rhomb__bytes ops, details;
    rhomb_pair_result *results;          /* after the pointers to them */
    rhomb_pair_extent *extents;          /* after the results */
    const rhomb_pair_result *pointers[]; /* for the caller */
} aligned;

/* The same while it grows. Pointers are set last, as what they point to still moves. */
typedef struct aligner {
    aligned *all;
    rhomb__error lacking; /* memory */
} aligner;

/* A rhomb_batch_fn. */
static int take_all(int64_t first, const rhomb_pair_result *const *results, size_t count,
                    void *user)
{
    rhomb_status status = RHOMB_OK;
    aligner *a = user;
    aligned *all = a->all;
    for (size_t i = 0; i < count; i++) {
        const rhomb_pair_result *result = results[i];
        all->results[first + (int64_t)i] = *result;
        if (result->extent != NULL)
            all->extents[first + (int64_t)i] = *result->extent;
        if (result->cigar_count > 0)
            RHOMB_TRY(rhomb__bytes_append(&a->lacking, &all->ops, result->cigar,
                                          (size_t)result->cigar_count * sizeof *result->cigar));
        if (result->detail != NULL)
            RHOMB_TRY(rhomb__bytes_append(&a->lacking, &all->details, result->detail,
                                          strlen(result->detail) + 1));
    }
out:
    return status != RHOMB_OK;
}

/* Sets the pointers to CIGARs and details, which are in the order of the results. */
static void point(aligned *all, size_t count)
{
    const rhomb_cigar_op *ops = (const void *)all->ops.data;
    const char *detail = all->details.data;
    for (size_t i = 0; i < count; i++) {
        rhomb_pair_result *result = &all->results[i];
        all->pointers[i] = result;
        if (result->extent != NULL)
            result->extent = &all->extents[i];
        if (result->cigar != NULL)
            result->cigar = ops;
        ops += result->cigar_count;
        if (result->detail == NULL)
            continue;
        result->detail = detail;
        detail += strlen(detail) + 1;
    }
}

rhomb_status rhomb_batch_align(rhomb_context *ctx, const rhomb_pair *pairs, size_t count,
                               const rhomb_batch_options *options,
                               const rhomb_pair_result *const **out)
{
    rhomb_status status = RHOMB_OK;
    aligner a = {NULL, {RHOMB_OK, NULL, ""}};
    rhomb_batch_options own;
    rhomb_batch_tuning tuning;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (out == NULL || (count > 0 && pairs == NULL))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "pairs and out must not be NULL");
    RHOMB_TRY(rhomb__batch_options_complete(&ctx->stream.error, options, &own, &tuning));
    own.cigar = true;
    own.borrow_pairs = true;
    own.results = take_all;
    own.user = &a;
    const size_t each = sizeof *a.all->results + sizeof *a.all->extents + sizeof *a.all->pointers;
    if (count <= (SIZE_MAX - sizeof *a.all) / each)
        a.all = calloc(1, sizeof *a.all + count * each);
    if (a.all == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, count, "the results of a batch"));
    a.all->results = (rhomb_pair_result *)(void *)(a.all->pointers + count);
    a.all->extents = (rhomb_pair_extent *)(void *)(a.all->results + count);
    status = run(ctx, &own, pairs, count);
    if (a.lacking.status != RHOMB_OK) {
        rhomb__error_clear(&ctx->stream.error);
        status = rhomb__fail_memory(&ctx->stream.error, a.all->ops.length + a.all->details.length,
                                    "the results of a batch");
    }
    if (status != RHOMB_OK)
        goto out;
    point(a.all, count);
    *out = a.all->pointers;
    a.all = NULL;
out:
    if (a.all != NULL)
        rhomb_batch_results_destroy(a.all->pointers);
    return status;
}

void rhomb_batch_results_destroy(const rhomb_pair_result *const *results)
{
    if (results == NULL)
        return;
    aligned *all = (aligned *)((uintptr_t)results - offsetof(aligned, pointers));
    rhomb__bytes_release(&all->ops);
    rhomb__bytes_release(&all->details);
    free(all);
}
