/* SPDX-License-Identifier: MIT */
/* A split that runs, in a checkpoint, see split_saved.h. */
#include "host/splits/split_saved.h"

#include "host/device/context.h"

#include <string.h>

#define STAGE  "split"
#define POINTS "points"

static void list_fields(rhomb__split_stage *stage, rhomb__fields *fields)
{
    rhomb__field_int32(fields, &stage->kind);
    rhomb__field_int64(fields, &stage->count);
    rhomb__field_int64(fields, &stage->first);
    rhomb__field_int64(fields, &stage->portion);
    for (int i = 0; i < RHOMB__SPLIT_SHAPE; i++)
        rhomb__field_int64(fields, &stage->shape[i]);
    rhomb__field_int64(fields, &stage->launch);
    rhomb__field_int64(fields, &stage->cells);
    rhomb__field_double(fields, &stage->work_done);
}

void rhomb__breakpoint_exchange(rhomb__breakpoint *point, int64_t numbers[4], bool is_saving)
{
    const rhomb__breakpoint found = {numbers[0], numbers[1], numbers[2], (int32_t)numbers[3]};
    if (!is_saving) {
        *point = found;
        return;
    }
    numbers[0] = point->target;
    numbers[1] = point->query;
    numbers[2] = point->cost;
    numbers[3] = point->gap;
}

rhomb__saver *rhomb__split_save(const rhomb__split_keeper *keeper, const rhomb__split_stage *stage,
                                const rhomb__place *order, rhomb__split_exchange *exchange,
                                void *run)
{
    rhomb__split_stage listed = *stage;
    rhomb__fields fields = {.is_saving = true};
    rhomb__saver *saver = keeper->begin(keeper->user);
    if (saver == NULL)
        return NULL;
    list_fields(&listed, &fields);
    rhomb__fields_save(&fields, saver, STAGE);
    rhomb__saver_begin(saver, POINTS, stage->first * 4 * (int64_t)sizeof(int64_t));
    for (int64_t i = 0; i < stage->first; i++) {
        int64_t numbers[4] = {0};
        exchange(run, order[i].index, numbers, true);
        rhomb__saver_add(saver, numbers, sizeof numbers);
    }
    return saver;
}

bool rhomb__split_is_due(const rhomb__split_keeper *keeper)
{
    return keeper->user != NULL && keeper->is_due(keeper->user);
}

rhomb_status rhomb__split_restore(rhomb__device_stream *stream, const rhomb__split_keeper *keeper,
                                  rhomb__split_stage *stage, const rhomb__place *order,
                                  rhomb__split_exchange *exchange, void *run, bool *goes_on)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &stream->error;
    const rhomb__saved *saved = keeper->saved;
    rhomb__split_stage found = {.kind = -1};
    rhomb__fields fields;
    const void *points = NULL;
    *goes_on = false;
    stage->first = stage->portion = 0;
    if (saved == NULL)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, STAGE));
    list_fields(&found, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    if (found.kind != stage->kind || found.count != stage->count || found.first < 0 ||
        found.portion < 1 || found.portion > found.count ||
        found.first > found.count - found.portion) {
        status = rhomb__saved_damaged(error, saved, "its round is another one");
        goto out;
    }
    RHOMB_TRY(rhomb__saved_need(error, saved, POINTS, found.first * 4 * (int64_t)sizeof(int64_t),
                                &points));
    for (int64_t i = 0; i < found.first; i++) {
        int64_t numbers[4];
        memcpy(numbers, (const int64_t *)points + 4 * i, sizeof numbers);
        exchange(run, order[i].index, numbers, false);
    }
    *goes_on = memcmp(found.shape, stage->shape, sizeof found.shape) == 0;
    if (!*goes_on) {
        rhomb__log(stream, 0,
                   "the running part of a round begins again: this device splits it "
                   "otherwise");
        found.portion = 0;
    }
    *stage = found;
out:
    return status;
}

static const char *const WAVES[2] = {"waves 0", "waves 1"};

rhomb_status rhomb__split_keep_waves(rhomb__device_stream *stream,
                                     const rhomb__split_keeper *keeper,
                                     const rhomb__split_stage *stage, const rhomb__place *order,
                                     rhomb__split_exchange *exchange, void *run,
                                     const rhomb__buffer waves[2])
{
    rhomb_status saved = RHOMB_OK;
    if (!rhomb__split_is_due(keeper))
        return RHOMB_OK;
    rhomb__saver *saver = rhomb__split_save(keeper, stage, order, exchange, run);
    for (int i = 0; i < 2 && saver != NULL && saved == RHOMB_OK; i++)
        saved = rhomb__save_buffer(stream, saver, WAVES[i], &waves[i], waves[i].bytes);
    return keeper->end(keeper->user, saved);
}

rhomb_status rhomb__split_restore_waves(rhomb__device_stream *stream,
                                        const rhomb__split_keeper *keeper,
                                        const rhomb__buffer waves[2])
{
    rhomb_status status = RHOMB_OK;
    for (int i = 0; i < 2; i++)
        RHOMB_TRY(
            rhomb__restore_buffer(stream, keeper->saved, WAVES[i], &waves[i], waves[i].bytes));
out:
    return status;
}
