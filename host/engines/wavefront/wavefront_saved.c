/* SPDX-License-Identifier: MIT */
/*
 * A wavefront in a checkpoint, see wavefront.h.
 *
 * A run decides by what each batch has read at its end, and when it is read decides what is laid
 * out next. So that a run that goes on is the same as one that was never stopped, batches that were
 * in flight are saved with what they have read, and are in flight again afterwards, after an event
 * that comes at once.
 */
#include "host/engines/wavefront/wavefront.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/planner/engine_plan.h"

#include <string.h>

/* Whether the tile of a wide pyramid has taken over. */
static bool is_wide(const rhomb__wavefront *s)
{
    return s->tile.wavefront.wide_group_size != s->problem->plan->wavefront.wide_group_size;
}

static void list_pyramid(rhomb__pyramid *p, rhomb__fields *fields)
{
    rhomb__field_int64(fields, &p->held.low);
    rhomb__field_int64(fields, &p->held.high);
    rhomb__field_int64(fields, &p->start);
    rhomb__field_int32(fields, &p->front);
    rhomb__field_int32(fields, &p->turn);
    rhomb__field_int32(fields, &p->source);
    rhomb__field_bool(fields, &p->watches);
    rhomb__field_int64(fields, &p->launches);
}

static void list_batch(rhomb__launch_batch *b, bool *in_flight, rhomb__fields *fields)
{
    rhomb__field_bool(fields, in_flight);
    rhomb__field_int64(fields, &b->complete);
    rhomb__field_int64(fields, &b->cells);
    rhomb__field_int64(fields, &b->tile_cells);
    rhomb__field_int64(fields, &b->stretch.tiling.diagonals);
    rhomb__field_int64(fields, &b->stretch.tiling.scores);
    rhomb__field_int64(fields, &b->stretch.directions);
    rhomb__field_int64(fields, &b->stretch.start);
    rhomb__field_int64(fields, &b->stretch.limit);
}

/* All that is not on the device; what a batch has read and the tile's program are apart. */
static void list_fields(rhomb__wavefront *s, bool in_flight[2], bool *wide, double *gone,
                        rhomb__fields *fields)
{
    int32_t tiles;
    rhomb__field_bool(fields, wide);
    rhomb__field_double(fields, gone);
    rhomb__field_int32(fields, &s->turn);
    rhomb__field_int64(fields, &s->bound);
    rhomb__field_int64(fields, &s->reach);
    rhomb__field_int64(fields, &s->reach_score);
    memcpy(&tiles, &s->tiles, sizeof tiles);
    rhomb__field_int32(fields, &tiles);
    memcpy(&s->tiles, &tiles, sizeof tiles);
    rhomb__field_int64(fields, &s->settled);
    rhomb__field_double(fields, &s->next_look);
    rhomb__field_double(fields, &s->pace);
    rhomb__field_int64(fields, &s->proved);
    rhomb__field_int64(fields, &s->batch_launches);
    rhomb__solution_fields(&s->solution, fields);
    list_pyramid(&s->pyramid, fields);
    for (int i = 0; i < 2; i++)
        list_batch(&s->batches[i], &in_flight[i], fields);
}

static const char *const WAVEFRONTS[2] = {"waves 0", "waves 1"};
static const char *const READ[2] = {"read 0", "read 1"};

rhomb_status rhomb__wavefront_save(void *run, rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    rhomb__wavefront *s = run;
    rhomb__pyramid *p = &s->pyramid;
    bool in_flight[2] = {s->batches[0].read != NULL, s->batches[1].read != NULL};
    bool wide = is_wide(s);
    double gone = rhomb__now() - s->began;
    rhomb__fields fields = {.is_saving = true};
    RHOMB_TRY(rhomb__queue_finish(p->stream));
    list_fields(s, in_flight, &wide, &gone, &fields);
    rhomb__fields_save(&fields, saver, RHOMB__ENGINE_SECTION);
    for (int i = 0; i < 2; i++) {
        s->batches[i].paused = true;
        rhomb__saver_section(saver, READ[i], &s->batches[i].status, sizeof s->batches[i].status);
        RHOMB_TRY(rhomb__save_buffer(p->stream, saver, WAVEFRONTS[i], &p->wavefronts[i],
                                     p->wavefronts[i].bytes));
    }
    RHOMB_TRY(rhomb__save_buffer(p->stream, saver, "status", &p->status, p->status.bytes));
out:
    return status;
}

/* The batch is in flight again, and its read is done. Its tile may be the one before a wide one. */
static rhomb_status fly_again(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    const int64_t diagonals = b->stretch.tiling.diagonals, scores = b->stretch.tiling.scores;
    b->paused = true;
    b->stretch.tiling = s->pyramid.tiling;
    b->stretch.tiling.diagonals = diagonals;
    b->stretch.tiling.scores = scores;
    RHOMB_CL(&s->ctx->stream, clEnqueueMarkerWithWaitList(s->ctx->stream.queue, 0, NULL, &b->read));
    RHOMB_CL(&s->ctx->stream, clFlush(s->ctx->stream.queue));
out:
    return status;
}

/* The state of the device, once the host's is restored. */
static rhomb_status restore_device(rhomb__wavefront *s, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pyramid *p = &s->pyramid;
    const rhomb__window held = p->held, none = {0, -1};
    p->held = none;
    if (held.low <= held.high)
        RHOMB_TRY(rhomb__pyramid_hold(p, held));
    for (int i = 0; i < 2; i++)
        RHOMB_TRY(rhomb__restore_buffer(p->stream, saved, WAVEFRONTS[i], &p->wavefronts[i],
                                        p->wavefronts[i].bytes));
    RHOMB_TRY(rhomb__restore_buffer(p->stream, saved, "status", &p->status, p->status.bytes));
out:
    return status;
}

rhomb_status rhomb__wavefront_restore(rhomb_context *ctx, const rhomb__programs *programs,
                                      const rhomb__problem *problem, const rhomb__saved *saved,
                                      void **run)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    void *opened = NULL;
    bool in_flight[2] = {false, false}, wide = false;
    double gone = 0;
    rhomb__fields fields;
    *run = NULL;
    RHOMB_TRY(rhomb__wavefront_open(ctx, programs, problem, &opened));
    rhomb__wavefront *s = opened;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, RHOMB__ENGINE_SECTION));
    list_fields(s, in_flight, &wide, &gone, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    s->began = rhomb__now() - gone;
    s->last_read = rhomb__now();
    if (wide)
        RHOMB_TRY(rhomb__wavefront_retile(s));
    RHOMB_TRY(restore_device(s, saved));
    for (int i = 0; i < 2; i++) {
        const void *record = NULL;
        RHOMB_TRY(rhomb__saved_need(error, saved, READ[i], sizeof s->batches[i].status, &record));
        memcpy(&s->batches[i].status, record, sizeof s->batches[i].status);
        if (in_flight[i])
            RHOMB_TRY(fly_again(s, &s->batches[i]));
    }
    *run = s;
    opened = NULL;
out:
    rhomb__wavefront_close(opened);
    return status;
}
