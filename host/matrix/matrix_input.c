/* SPDX-License-Identifier: MIT */
/*
 * The input of a distance matrix, see matrix_input.h. All sequences share one table of codes, as
 * any two of them may be a pair.
 */
#include "host/matrix/matrix_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/context.h"
#include "host/device/each.h"
#include "host/device/open.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/batch/batch_shape.h"
#include "src/planner/engine_plan.h"

/* Pairs are numbered, and so are those of a block. */
#define MOST_SEQUENCES (INT64_C(1) << 31)

static rhomb_status check_sequences(rhomb_context *ctx, const rhomb__matrix_input *input)
{
    if (input->count < 0 || input->count > MOST_SEQUENCES ||
        (input->sequences == NULL && input->count > 0))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "%lld sequences are no matrix",
                           (long long)input->count);
    for (int64_t i = 0; i < input->count; i++) {
        const rhomb_matrix_sequence *s = &input->sequences[i];
        if (s->length < 0 || s->length > RHOMB__MAX_LENGTH || (s->bases == NULL && s->length > 0))
            return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                               "sequence %lld: its length or its bases are not valid",
                               (long long)i);
    }
    return RHOMB_OK;
}

/*
 * Shapes of all devices. The one with the least local memory says how far the kernels go, so that
 * all have the same levels, and the one with the least memory which sequences are packed.
 */
static rhomb_status make_shapes(rhomb__matrix_input *input, const rhomb_matrix_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = input->ctx;
    rhomb_matrix_tuning own = RHOMB_MATRIX_TUNING_INIT;
    int64_t pool = INT64_MAX;
    int32_t last = INT32_MAX;
    const rhomb_matrix_tuning *asked = tuning;
    input->devices = rhomb__device_count(ctx);
    /* With several devices a second time, if they differ. */
    for (int32_t i = 0; i < 2 * input->devices; i++) {
        const int32_t which = i % input->devices;
        const rhomb__device *device = rhomb__context_of(ctx, which)->stream.device;
        rhomb__matrix_shape *s = &input->shapes[which];
        if (i == input->devices) {
            if (tuning != NULL)
                memcpy(&own, tuning, tuning->struct_size);
            own.struct_size = sizeof own;
            own.last_limit = last;
            asked = &own;
        }
        RHOMB_TRY(rhomb__matrix_shape_make(&ctx->stream.error, &device->info, &device->rates.values,
                                           input->most_edits, asked, s));
        pool = rhomb__min(pool, s->pool_bytes);
        last = (int32_t)rhomb__min(last, s->levels[s->count - 1].limit);
    }
    for (int32_t i = 0; i < input->devices; i++)
        input->shapes[i].pool_bytes = pool;
out:
    return status;
}

rhomb_status rhomb__matrix_input_check(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                       int64_t count, const rhomb_matrix_options *options,
                                       rhomb__matrix_input *input)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    rhomb_matrix_options *given = &input->options;
    input->ctx = ctx;
    input->sequences = sequences;
    input->count = count;
    *given = (rhomb_matrix_options)RHOMB_MATRIX_OPTIONS_INIT;
    if (options != NULL) {
        RHOMB_TRY(
            rhomb__check_size(error, "rhomb_matrix_options", options->struct_size, sizeof *given));
        memcpy(given, options, options->struct_size);
    }
    RHOMB_TRY(rhomb__check_asked(error, given->max_distance, given->alphabet));
    RHOMB_TRY(check_sequences(ctx, input));
    input->pairs = count > 0 ? rhomb_matrix_pair(count, 0) : 0;
    input->end = given->end_pair > 0 ? given->end_pair : input->pairs;
    if (given->results == NULL || given->first_pair < 0 || given->first_pair > input->end ||
        given->end_pair < 0 || input->end > input->pairs) {
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                             given->results == NULL
                                 ? "a matrix needs a results function"
                                 : "first_pair and end_pair are no pairs of the matrix");
        goto out;
    }
    input->costs = rhomb__costs_edit();
    input->has_scoring = given->scoring != NULL;
    if (input->has_scoring) {
        input->scoring = *given->scoring;
        RHOMB_TRY(rhomb__costs_of(error, &input->scoring, &input->costs));
    }
    input->most_edits = given->max_distance == RHOMB_NO_LIMIT
                            ? RHOMB_NO_LIMIT
                            : given->max_distance / input->costs.unit;
    RHOMB_TRY(rhomb__context_need_device(ctx));
    status = make_shapes(input, given->tuning);
out:
    return status;
}

/* Counts the bases of all sequences, and checks each. */
static rhomb_status count_bases(rhomb__matrix_input *input)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = input->ctx;
    const rhomb_alphabet alphabet = input->options.alphabet;
    rhomb__histogram all = {{0}}, none = {{0}};
    for (int64_t i = 0; i < input->count; i++) {
        const rhomb_matrix_sequence *s = &input->sequences[i];
        rhomb__histogram own;
        char name[128];
        if (s->name != NULL)
            snprintf(name, sizeof name, "%s", s->name);
        else
            snprintf(name, sizeof name, "sequence %lld", (long long)i);
        rhomb__histogram_count(s->bases, s->length, ctx->stream.threads, &own);
        RHOMB_TRY(
            rhomb__histogram_check(&ctx->stream.error, alphabet, name, s->bases, s->length, &own));
        for (int byte = 0; byte < 256; byte++)
            all.count[byte] += own.count[byte];
    }
    input->codes = rhomb__codes_assign(alphabet, &all, &none);
    input->planes = rhomb__planes_of(input->codes.symbols);
out:
    return status;
}

/* Whether a sequence may be in the pool: it takes another one whose pair the kernels take. */
static bool may_pool(const rhomb__matrix_input *input, const rhomb__place *sorted, int64_t at)
{
    const int64_t own = sorted[at].size;
    return own <= RHOMB__BATCH_MOST_BASES &&
           ((at > 0 && rhomb__matrix_is_short(&input->shapes[0], own, sorted[at - 1].size)) ||
            (at + 1 < input->count &&
             rhomb__matrix_is_short(&input->shapes[0], own, sorted[at + 1].size)));
}

/* Gives words to the sequences of the pool, and lists them: the shortest first. */
static void choose(rhomb__matrix_input *input, const rhomb__place *sorted, rhomb__pooled *pooled)
{
    int64_t word = 0;
    for (int64_t i = input->count - 1; i >= 0; i--) {
        const int64_t index = sorted[i].index;
        const rhomb_matrix_sequence *s = &input->sequences[index];
        const int64_t next = word + rhomb__matrix_words(s->length);
        input->words[index] = -1;
        if (!may_pool(input, sorted, i) ||
            rhomb__matrix_pool_bytes(next, input->planes) > input->shapes[0].pool_bytes)
            continue;
        input->words[index] = word;
        pooled[input->pooled++] = (rhomb__pooled){s->bases, s->length, word};
        word = next;
    }
}

/* What a device packs. */
typedef struct packing {
    rhomb__matrix_input *input;
    const rhomb__pooled *pooled;
} packing;

/* A rhomb__device_fn. */
static rhomb_status create_pool(rhomb_context *device, int32_t index, void *user)
{
    const packing *p = user;
    rhomb__matrix_input *input = p->input;
    return rhomb__pool_create(device, p->pooled, input->pooled, &input->codes, input->planes,
                              &input->pools[index]);
}

rhomb_status rhomb__matrix_input_pack(rhomb__matrix_input *input)
{
    rhomb_status status = RHOMB_OK;
    const size_t count = (size_t)input->count + 1;
    rhomb__place *sorted = malloc(count * sizeof *sorted);
    rhomb__pooled *pooled = malloc(count * sizeof *pooled);
    input->words = malloc(count * sizeof *input->words);
    if (sorted == NULL || pooled == NULL || input->words == NULL) {
        status = rhomb__fail_memory(&input->ctx->stream.error, count * sizeof *pooled,
                                    "the sequences of a matrix");
        goto out;
    }
    RHOMB_TRY(count_bases(input));
    for (int64_t i = 0; i < input->count; i++) {
        sorted[i] = (rhomb__place){input->sequences[i].length, i};
        input->words[i] = -1;
    }
    if (!rhomb__costs_are_edit(&input->costs))
        goto out;
    rhomb__order_sort(sorted, input->count);
    choose(input, sorted, pooled);
    if (input->pooled > 0)
        RHOMB_TRY(rhomb__each_device(input->ctx, create_pool,
                                     &(packing){.input = input, .pooled = pooled}));
out:
    free(pooled);
    free(sorted);
    return status;
}

void rhomb__matrix_input_release(rhomb__matrix_input *input)
{
    for (int32_t i = 0; i < input->devices; i++)
        rhomb__pool_release(&input->pools[i]);
    free(input->words);
    input->words = NULL;
}
