/* SPDX-License-Identifier: MIT */
/*
 * The leaves of an alignment: parts that are not split any more. Runs and single edits need no
 * device; the others are a batch of short pairs, and its results come in their order, so that the
 * path grows from its beginning to its end.
 */
#include "aligner.h"

#include "../src/clock.h"
#include "../src/int64.h"
#include "../src/parallel.h"
#include "context.h"
#include "rhomb/batch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * The largest leaf: its columns take 66 KiB, so that hundreds are under way in the memory that an
 * alignment may take besides the sequences. One more split costs less than leaves of 256 edits.
 */
#define LEAF_DISTANCE 128
#define LEAF_LETTERS  32768

/* Two jobs side by side, of some 24 MiB of device memory each; four of half as much are no quicker.
 */
#define LEAF_WORKERS      2
#define LEAF_JOB_LETTERS  (1 << 20)
#define LEAF_COLUMN_BYTES (INT64_C(16) << 20)

/* Bytes that are compared as they are before letters are, which may differ in case. */
#define COMPARED_BYTES 256

/* Leaves whose paths a thread looks at at a time. */
#define LOOKED_AT 64

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
    if (rest < 0 || deleted + inserted + replaced != part->distance ||
        common_run(a, part->target_at + n - rest, part->query_at + m - rest, rest) != rest)
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

/* Whether the letters of an X differ, all of them. */
static bool is_unequal(const rhomb__aligner *a, int64_t target_at, int64_t query_at, int64_t length)
{
    const unsigned char *target = (const unsigned char *)a->whole.target + target_at;
    const unsigned char *query = (const unsigned char *)a->whole.query + query_at;
    const uint8_t *code = a->whole.codes.code;
    for (int64_t x = 0; x < length; x++)
        if (code[target[x]] == code[query[x]])
            return false;
    return true;
}

/*
 * Whether the operations make one range of the other, and tell the truth about the letters: the
 * device alone has seen them so far, and looking at them here takes little of a leaf's time.
 */
static bool is_path(const rhomb__aligner *a, const rhomb__part *part, const rhomb_cigar_op *cigar,
                    int64_t count)
{
    const int64_t n = part->target_length, m = part->query_length;
    int64_t i = 0, j = 0, cost = 0;
    for (int64_t x = 0; x < count; x++) {
        const rhomb_cigar_op code = RHOMB_CIGAR_CODE(cigar[x]);
        const int64_t length = RHOMB_CIGAR_LENGTH(cigar[x]);
        const int64_t target_at = part->target_at + j, query_at = part->query_at + i;
        const bool is_known = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X ||
                              code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D;
        j += code != RHOMB_CIGAR_I ? length : 0;
        i += code != RHOMB_CIGAR_D ? length : 0;
        cost += code != RHOMB_CIGAR_EQ ? length : 0;
        if (!is_known || i > m || j > n ||
            (code == RHOMB_CIGAR_EQ && common_run(a, target_at, query_at, length) < length) ||
            (code == RHOMB_CIGAR_X && !is_unequal(a, target_at, query_at, length)))
            return false;
    }
    return i == m && j == n && cost == part->distance;
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

/* Results whose paths are looked at by several threads. */
typedef struct looking {
    const rhomb__aligner *aligner;
    const rhomb_pair_result *results;
    const int64_t *places; /* of their parts */
    int64_t count;
    atomic_llong wrong; /* the place of one that is none, or -1 */
} looking;

static void look_at_some(int64_t index, void *user)
{
    looking *l = user;
    const int64_t end = rhomb__min((index + 1) * LOOKED_AT, l->count);
    for (int64_t i = index * LOOKED_AT; i < end; i++) {
        const rhomb__part *part = &l->aligner->parts[l->places[i]];
        const rhomb_pair_result *result = &l->results[i];
        if (result->status == RHOMB_OK &&
            !is_path(l->aligner, part, result->cigar, result->cigar_count))
            atomic_store(&l->wrong, l->places[i]);
    }
}

/* Looks at the paths of results, which are those of the next leaves that are batched. */
static rhomb_status look_at_paths(const growing *g, const rhomb_pair_result *results, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__aligner *a = g->aligner;
    int64_t *places = malloc((size_t)rhomb__max(count, 1) * sizeof *places);
    if (places == NULL)
        return rhomb__fail_memory(&a->ctx->error, (size_t)count * sizeof *places,
                                  "the leaves of an alignment");
    int64_t found = 0;
    for (int64_t i = g->next; i < a->count && found < count; i++)
        if (is_batched(&a->parts[i]))
            places[found++] = i;
    looking l = {.aligner = a, .results = results, .places = places, .count = found};
    atomic_init(&l.wrong, -1);
    rhomb__parallel_run(a->ctx->threads, rhomb__ceil_div(found, LOOKED_AT), look_at_some, &l);
    const int64_t wrong = atomic_load(&l.wrong);
    if (wrong >= 0)
        status = rhomb__fail(&a->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: the path of a part with the distance %lld is none",
                             a->ctx->device->info.name, (long long)a->parts[wrong].distance);
    free(places);
    return status;
}

/* A rhomb_batch_fn. */
static int take_results(int64_t first, const rhomb_pair_result *results, size_t count, void *user)
{
    growing *g = user;
    double work = 0;
    (void)first;
    g->status = look_at_paths(g, results, (int64_t)count);
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
    if (a->ctx->device->info.kind != RHOMB_DEVICE_CPU) {
        tuning.workers = LEAF_WORKERS;
        tuning.job_letters = LEAF_JOB_LETTERS;
        tuning.column_bytes = LEAF_COLUMN_BYTES;
    }
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

rhomb_status rhomb__align_leaves(rhomb__aligner *aligner)
{
    rhomb_status status = RHOMB_OK;
    growing g = {.aligner = aligner};
    const double began = rhomb__now();
    RHOMB_TRY(append_up_to_batched(&g));
    if (g.next < aligner->count)
        RHOMB_TRY(solve_batch(&g));
    RHOMB_TRY(append_up_to_batched(&g));
    rhomb__path_trim(&aligner->path);
    aligner->report->leaves = aligner->count;
    aligner->report->seconds_leaves = rhomb__now() - began;
out:
    return status;
}
