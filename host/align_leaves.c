/* SPDX-License-Identifier: MIT */
/*
 * The leaves of an alignment: parts that are not split any more. Runs and single edits need no
 * device; the others are a batch of short pairs, and its results come in their order, so that the
 * path grows from its beginning to its end.
 */
#include "aligner.h"

#include "../src/clock.h"
#include "../src/int64.h"
#include "context.h"
#include "rhomb/batch.h"

#include <stdlib.h>
#include <string.h>

/*
 * The largest leaf: its columns take 66 KiB, so that hundreds are under way in the memory that an
 * alignment may take besides the sequences. One more split costs less than leaves of 256 edits.
 */
#define LEAF_DISTANCE 128
#define LEAF_LETTERS  32768

/*
 * Two jobs side by side, of some 24 MiB of device memory each at most. On a GPU four of half as
 * much are no quicker. Processors have as many columns as four times their compute units: with 64
 * units and jobs of the batch's own choice that were 98 MiB.
 */
#define LEAF_WORKERS      2
#define LEAF_JOB_LETTERS  (1 << 20)
#define LEAF_COLUMN_BYTES (INT64_C(16) << 20)

/* Bytes that are compared as they are before letters are, which may differ in case. */
#define COMPARED_BYTES 256

/* Leaves that are added to the batch at a time. */
#define PAIRS_AT_A_TIME 4096

bool rhomb__part_is_leaf(const rhomb__part *part)
{
    return part->distance <= 1 || part->target_length == 0 || part->query_length == 0 ||
           (part->distance <= LEAF_DISTANCE && part->target_length <= LEAF_LETTERS &&
            part->query_length <= LEAF_LETTERS);
}

/* Whether a leaf needs the batch kernels. */
static bool is_batched(const rhomb__part *part)
{
    return part->distance > 1 && part->target_length > 0 && part->query_length > 0;
}

/* Of `most` letters from two places on, how many are equal until the first that differ. */
static int64_t common_run(const rhomb__aligner *a, int64_t target_at, int64_t query_at,
                          int64_t most)
{
    const unsigned char *target = (const unsigned char *)a->whole.target + target_at;
    const unsigned char *query = (const unsigned char *)a->whole.query + query_at;
    const uint8_t *code = a->whole.codes.code;
    int64_t run = 0;
    while (run < most) {
        const int64_t end = rhomb__min(run + COMPARED_BYTES, most);
        if (memcmp(target + run, query + run, (size_t)(end - run)) == 0) {
            run = end;
            continue;
        }
        while (run < end && code[target[run]] == code[query[run]])
            run++;
        if (run < end)
            break;
    }
    return run;
}

/* A run, one side alone, or a single edit, which comes as late as it can. */
static rhomb_status append_plain(rhomb__aligner *a, const rhomb__part *part)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &a->ctx->error;
    const int64_t n = part->target_length, m = part->query_length, most = rhomb__min(n, m);
    const int64_t run = common_run(a, part->target_at, part->query_at, most);
    const int64_t deleted = rhomb__max(n - m, 0), inserted = rhomb__max(m - n, 0);
    const int64_t replaced = n == m ? part->distance : 0;
    const int64_t rest = most - run - replaced;
    if (rest < 0 || deleted + inserted + replaced != part->distance)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a part of %lld and %lld letters cannot have the distance %lld",
                           a->ctx->device->info.name, (long long)n, (long long)m,
                           (long long)part->distance);
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_EQ, run));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_X, replaced));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_D, deleted));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_I, inserted));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_EQ, rest));
out:
    return status;
}

/* What the batch's results are for: the part whose turn is next. */
typedef struct growing {
    rhomb__aligner *aligner;
    int64_t next;
    rhomb_status status;
} growing;

/* Appends the parts that need no device, up to the next one that does. */
static rhomb_status append_up_to_batched(growing *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    for (; g->next < a->count && !is_batched(&a->parts[g->next]); g->next++)
        RHOMB_TRY(append_plain(a, &a->parts[g->next]));
out:
    return status;
}

static rhomb_status append_result(growing *g, const rhomb_pair_result *result)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    RHOMB_TRY(append_up_to_batched(g));
    const rhomb__part *part = &a->parts[g->next];
    if (result->status != RHOMB_OK || result->distance != part->distance) {
        status = rhomb__fail(
            &a->ctx->error,
            result->status != RHOMB_OK ? result->status : RHOMB_ERR_DEVICE_WRONG_RESULT,
            "%s: a part with the distance %lld came out with %lld%s%s", a->ctx->device->info.name,
            (long long)part->distance, (long long)result->distance,
            result->detail != NULL ? ": " : "", result->detail != NULL ? result->detail : "");
        goto out;
    }
    RHOMB_TRY(
        rhomb__path_append_cigar(&a->ctx->error, &a->path, result->cigar, result->cigar_count));
    g->next++;
out:
    return status;
}

/* A rhomb_batch_fn. */
static int take_results(int64_t first, const rhomb_pair_result *results, size_t count, void *user)
{
    growing *g = user;
    double work = 0;
    (void)first;
    for (size_t i = 0; i < count && g->status == RHOMB_OK; i++) {
        g->status = append_result(g, &results[i]);
        work += 2 * (double)results[i].distance * (double)results[i].distance;
    }
    if (g->status == RHOMB_OK)
        g->status = rhomb__align_advance(g->aligner, work);
    return g->status != RHOMB_OK;
}

static rhomb_status open_batch(growing *g, rhomb_batch **batch)
{
    const rhomb__aligner *a = g->aligner;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    tuning.workers = LEAF_WORKERS;
    tuning.job_letters = LEAF_JOB_LETTERS;
    tuning.column_bytes = LEAF_COLUMN_BYTES;
    tuning.last_limit = LEAF_DISTANCE;
    options.alphabet = a->asked.alphabet;
    options.max_distance = LEAF_DISTANCE;
    options.cigar = true;
    options.results = take_results;
    options.user = g;
    options.tuning = &tuning;
    return rhomb_batch_create(a->ctx, &options, batch);
}

/* Adds the parts that the batch solves. */
static rhomb_status add_leaves(const rhomb__aligner *a, rhomb_batch *batch, rhomb_pair *pairs)
{
    rhomb_status status = RHOMB_OK;
    size_t waiting = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const rhomb__part *part = &a->parts[i];
        if (is_batched(part)) {
            const rhomb_pair pair = {a->whole.target + part->target_at, part->target_length,
                                     a->whole.query + part->query_at, part->query_length};
            pairs[waiting++] = pair;
        }
        if (waiting == PAIRS_AT_A_TIME || (i + 1 == a->count && waiting > 0)) {
            RHOMB_TRY(rhomb_batch_add(batch, pairs, waiting));
            waiting = 0;
        }
    }
    RHOMB_TRY(rhomb_batch_finish(batch));
out:
    return status;
}

static rhomb_status solve_batch(growing *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    rhomb_batch *batch = NULL;
    rhomb_pair *pairs = malloc(PAIRS_AT_A_TIME * sizeof *pairs);
    if (pairs == NULL)
        return rhomb__fail_memory(&a->ctx->error, PAIRS_AT_A_TIME * sizeof *pairs,
                                  "the leaves of an alignment");
    RHOMB_TRY(open_batch(g, &batch));
    status = add_leaves(a, batch, pairs);
    a->report->device_bytes =
        rhomb__max(a->report->device_bytes, rhomb_batch_get_report(batch)->device_bytes);
    /* What a result was refused for says more than that it was. */
    status = g->status != RHOMB_OK ? g->status : status;
out:
    rhomb_batch_destroy(batch);
    free(pairs);
    return status;
}

/*
 * Looks at the letters along the path, which the device alone has seen so far: whatever it has
 * done, what comes out is an alignment that costs the distance.
 */
static rhomb_status check_path(const rhomb__aligner *a)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *whole = &a->whole;
    const int64_t distance = a->report->whole.distance;
    const rhomb__path_pair pair = {whole->target, whole->target_length, whole->query,
                                   whole->query_length, &whole->codes};
    bool fits = false;
    RHOMB_TRY(rhomb__path_check(&a->ctx->error, &a->path, &pair, distance, a->ctx->threads, &fits));
    if (!fits)
        status = rhomb__fail(&a->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: what came out is no path that costs %lld",
                             a->ctx->device->info.name, (long long)distance);
out:
    return status;
}

rhomb_status rhomb__align_leaves(rhomb__aligner *aligner)
{
    rhomb_status status = RHOMB_OK;
    growing g = {.aligner = aligner};
    const double began = rhomb__now();
    RHOMB_TRY(append_up_to_batched(&g));
    if (g.next < aligner->count)
        RHOMB_TRY(solve_batch(&g));
    RHOMB_TRY(append_up_to_batched(&g));
    RHOMB_TRY(check_path(aligner));
    rhomb__path_trim(&aligner->path);
    aligner->report->leaves = aligner->count;
    aligner->report->seconds_leaves = rhomb__now() - began;
out:
    return status;
}
