/* SPDX-License-Identifier: MIT */
/*
 * The input of a distance matrix, see matrix_input.h.
 */
#include "host/matrix/matrix_input.h"

#include "host/device/context.h"
#include "host/device/open.h"
#include "src/base/int64.h"
#include "src/batch/batch_shape.h"
#include "src/planner/engine_plan.h"
#include "src/planner/fit.h"
#include "src/planner/profiles.h"

/* Pairs are numbered, and so are those of a block. */
#define MOST_SEQUENCES (INT64_C(1) << 31)

/* Of a job. */
#define MOST_PAIRS (INT64_C(1) << 24)

/* Of the device's memory; the rest is for the engines for long pairs. */
#define POOL_SHARE 2

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

static rhomb_status check_range(rhomb__error *error, const char *what, int64_t value, int64_t most)
{
    if (value >= 0 && value <= most)
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tuning: %s is %lld, not 1 to %lld", what,
                       (long long)value, (long long)most);
}

/*
 * Levels above the row's narrow limit are for wide groups, unless all groups have as many items: at
 * 1,000 edits those of 32 items take twice as long (H200).
 */
static void split_levels(rhomb__matrix_input *input, const rhomb__batch_shape *shape)
{
    const rhomb_device_info *info = &input->ctx->stream.device->info;
    const rhomb__tuning_row *row = rhomb__tuning_find(info);
    rhomb__matrix_batch *first = &input->batches[0], *last = &input->batches[1];
    int32_t narrow = shape->levels;
    if (!rhomb__costs_are_edit(&input->costs) || input->tuning.group_size != 0 ||
        rhomb__group_on(info, row->ranges_group_size) == shape->group_size)
        return;
    while (narrow > 0 && shape->limits[narrow - 1] > row->matrix_narrow_limit)
        narrow--;
    first->wide = narrow == 0;
    if (first->wide || narrow == shape->levels)
        return;
    *last = *first;
    last->wide = true;
    last->tuning.first_limit = shape->limits[narrow];
    first->tuning.last_limit = shape->limits[narrow - 1];
    input->batch_count = 2;
}

/* Checks and completes the tuning, of which a part is the batch's; the device is open. */
static rhomb_status take_tuning(rhomb__matrix_input *input, const rhomb_matrix_tuning *given)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &input->ctx->stream.error;
    rhomb_matrix_tuning *t = &input->tuning;
    rhomb__batch_shape shape;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    *t = (rhomb_matrix_tuning)RHOMB_MATRIX_TUNING_INIT;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_matrix_tuning", given, t, sizeof *t));
    RHOMB_TRY(check_range(error, "job_pairs", t->job_pairs, MOST_PAIRS));
    RHOMB_TRY(check_range(error, "pool_bytes", t->pool_bytes, INT64_MAX));
    input->batch_count = 1;
    input->batches[0].tuning = (rhomb_batch_tuning){.struct_size = sizeof(rhomb_batch_tuning),
                                                    .group_size = t->group_size,
                                                    .first_limit = t->first_limit,
                                                    .last_limit = t->last_limit};
    options.max_distance = input->most_edits;
    RHOMB_TRY(rhomb__batch_shape_make(error, &input->ctx->stream.device->info, 1, &options,
                                      &input->batches[0].tuning, &shape));
    split_levels(input, &shape);
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
    RHOMB_TRY(rhomb__take_given(error, "rhomb_matrix_options", options, given, sizeof *given));
    RHOMB_TRY(rhomb__check_asked(error, given->max_distance, given->alphabet));
    RHOMB_TRY(check_sequences(ctx, input));
    input->columns = given->columns;
    if (given->columns < 0 || given->columns > count) {
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%lld of %lld sequences are no set",
                             (long long)given->columns, (long long)count);
        goto out;
    }
    input->pairs = count > 0 ? rhomb__matrix_row_begin(given->columns, count) : 0;
    input->end = given->end_pair > 0 ? given->end_pair : input->pairs;
    if (given->results == NULL || given->first_pair < 0 || given->first_pair > input->end ||
        given->end_pair < 0 || input->end > input->pairs)
        RHOMB_TRY(rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                              given->results == NULL
                                  ? "a matrix needs a results function"
                                  : "first_pair and end_pair are no pairs of the matrix"));
    input->costs = rhomb__costs_edit();
    input->has_scoring = given->scoring != NULL;
    if (input->has_scoring) {
        input->scoring = *given->scoring;
        RHOMB_TRY(rhomb__costs_of(error, &input->scoring, &input->costs));
        RHOMB_TRY(rhomb__costs_refuse_matrix(error, &input->scoring, "a distance matrix"));
    }
    input->most_edits = given->max_distance == RHOMB_NO_LIMIT
                            ? RHOMB_NO_LIMIT
                            : given->max_distance / input->costs.unit;
    RHOMB_TRY(rhomb__context_need_device(ctx));
    input->devices = rhomb__device_count(ctx);
    status = take_tuning(input, given->tuning);
out:
    return status;
}

/* The most that packed sequences may take of any device. */
static int64_t pool_bytes(const rhomb__matrix_input *input)
{
    const int64_t asked = input->tuning.pool_bytes;
    int64_t bytes = INT64_MAX;
    for (int32_t i = 0; i < input->devices; i++) {
        const rhomb_device_info *info = &rhomb__context_of(input->ctx, i)->stream.device->info;
        const int64_t most = asked > 0 ? asked : info->memory_bytes / POOL_SHARE;
        bytes = rhomb__min(bytes, rhomb__min(most, rhomb__allocation_most(info)));
    }
    return bytes;
}

rhomb_status rhomb__matrix_input_pack(rhomb__matrix_input *input)
{
    rhomb_status status = RHOMB_OK;
    int64_t most = RHOMB__BATCH_MOST_LIMIT;
    if (input->most_edits >= 0)
        most = rhomb__min(input->most_edits, most);
    RHOMB_TRY(rhomb__batch_set_make(input->ctx, input->sequences, input->count,
                                    input->options.alphabet, &input->set));
    const rhomb__tuning_row *row = rhomb__tuning_find(&input->ctx->stream.device->info);
    const int64_t asked = input->tuning.job_pairs;
    input->set.job_pairs = asked > 0 ? asked : row->matrix_job_pairs;
    if (rhomb__costs_are_edit(&input->costs))
        status = rhomb__batch_set_pack(&input->set, most, pool_bytes(input));
out:
    return status;
}
