/* SPDX-License-Identifier: MIT */
/*
 * The pyramid on the device, see pyramid.h.
 */
#include "pyramid.h"

#include "../src/int64.h"
#include "../src/plan.h"
#include "context.h"
#include "queue.h"

#include <stdlib.h>

/* The time that a launch may take by the rate measured so far. */
#define LAUNCH_SECONDS 0.05

static int64_t offset_bytes(const rhomb__pyramid *pyramid)
{
    return pyramid->problem->plan->offset_bits / 8;
}

rhomb_status rhomb__pyramid_open(rhomb__pyramid *pyramid, rhomb_context *ctx,
                                 const rhomb__program *program, const rhomb__problem *problem,
                                 int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    const rhomb__pyramid closed = {
        .ctx = ctx,
        .problem = problem,
        .tiling = rhomb__plan_tiling(problem->plan, problem->target_length, problem->query_length),
        .held = {0, -1},
        .tile_rate = problem->plan->cells_per_second};
    *pyramid = closed;
    /* Column 0 on the end diagonal: without an edit, diagonals below 0 start outside the matrix. */
    const int64_t end_diagonal = problem->target_length - problem->query_length;
    const rhomb_front front = {RHOMB_UNSOLVED, bound, rhomb__min(end_diagonal, 0), 0};
    const rhomb_wavefront_status initial = {{front, front}, 0, 0};
    RHOMB_CL_OUT(ctx, code,
                 pyramid->kernel = clCreateKernel(program->handle, "rhomb_wavefront_band", &code));
    RHOMB_TRY(rhomb__buffer_create(ctx, sizeof initial, "the status record", &pyramid->status));
    RHOMB_CL(ctx, clEnqueueWriteBuffer(ctx->device->queue, pyramid->status.handle, CL_TRUE, 0,
                                       sizeof initial, &initial, 0, NULL, NULL));
out:
    return status;
}

/* Fills elements [from, to) of a column with "no offset", which a load replaces by the floor. */
static rhomb_status clear_column(const rhomb__pyramid *pyramid, const rhomb__buffer *column,
                                 int64_t from, int64_t to)
{
    rhomb_status status = RHOMB_OK;
    const int64_t none64 = -INT64_C(0x4000000000000000);
    const int32_t none32 = -0x40000000;
    const int64_t bytes = offset_bytes(pyramid);
    if (to > from)
        RHOMB_CL(pyramid->ctx,
                 clEnqueueFillBuffer(pyramid->ctx->device->queue, column->handle,
                                     bytes == 8 ? (const void *)&none64 : (const void *)&none32,
                                     (size_t)bytes, (size_t)(from * bytes),
                                     (size_t)((to - from) * bytes), 0, NULL, NULL));
out:
    return status;
}

/* A new column for the diagonals of `to`; those that `from` holds too are copied from it. */
static rhomb_status copy_column(const rhomb__pyramid *pyramid, const rhomb__buffer *from,
                                rhomb__window held, rhomb__window to, rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    const int64_t bytes = offset_bytes(pyramid);
    const int64_t low = rhomb__max(held.low, to.low);
    const int64_t kept = rhomb__max(rhomb__min(held.high, to.high) - low + 1, 0);
    const int64_t size = to.high - to.low + 1;
    rhomb_context *ctx = pyramid->ctx;
    RHOMB_TRY(rhomb__buffer_create(ctx, size * bytes, "a column of the pyramid", out));
    if (kept > 0)
        RHOMB_CL(ctx, clEnqueueCopyBuffer(ctx->device->queue, from->handle, out->handle,
                                          (size_t)((low - held.low) * bytes),
                                          (size_t)((low - to.low) * bytes), (size_t)(kept * bytes),
                                          0, NULL, NULL));
    RHOMB_TRY(clear_column(pyramid, out, 0, kept > 0 ? low - to.low : size));
    RHOMB_TRY(clear_column(pyramid, out, low - to.low + kept, kept > 0 ? size : 0));
    RHOMB_TRY(rhomb__queue_finish(ctx));
out:
    if (status != RHOMB_OK)
        rhomb__buffer_release(ctx, out);
    return status;
}

/* Replaces a column by one for the diagonals of `to`. */
static rhomb_status move_column(rhomb__pyramid *pyramid, int column, rhomb__window held,
                                rhomb__window to)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer moved = {NULL, 0};
    RHOMB_TRY(copy_column(pyramid, &pyramid->columns[column], held, to, &moved));
    rhomb__buffer_release(pyramid->ctx, &pyramid->columns[column]);
    pyramid->columns[column] = moved;
out:
    return status;
}

rhomb_status rhomb__pyramid_branch(rhomb__pyramid *pyramid, const rhomb__pyramid *from,
                                   const rhomb__program *program, int64_t bound,
                                   rhomb__window window)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__pyramid_open(pyramid, from->ctx, program, from->problem, bound));
    for (int i = 0; i < 2; i++)
        RHOMB_TRY(
            copy_column(pyramid, &from->columns[i], from->held, window, &pyramid->columns[i]));
    pyramid->held = window;
    pyramid->band = from->band;
    pyramid->source = from->source;
    pyramid->tile_rate = from->tile_rate;
out:
    return status;
}

/*
 * A trapezoid's target column holds nothing that is needed once all its bands are done, so it is
 * given back before the other one moves: the peak is two columns of the new size.
 */
rhomb_status rhomb__pyramid_hold(rhomb__pyramid *pyramid, rhomb__window to)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__window held = pyramid->held, none = {0, -1};
    const int target = 1 - pyramid->source;
    RHOMB_TRY(rhomb__queue_finish(pyramid->ctx));
    if (pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID)
        rhomb__buffer_release(pyramid->ctx, &pyramid->columns[target]);
    RHOMB_TRY(move_column(pyramid, pyramid->source, held, to));
    RHOMB_TRY(move_column(pyramid, target,
                          pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID ? none : held, to));
    pyramid->held = to;
out:
    return status;
}

/* Launches the tiles of a band, in several launches if one would take too long. */
static rhomb_status launch_band(rhomb__pyramid *pyramid, const rhomb__band *band)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = pyramid->problem;
    const bool wide = problem->plan->offset_bits == 64;
    const rhomb__buffer *from = &pyramid->columns[pyramid->source];
    const rhomb__buffer *to = &pyramid->columns[1 - pyramid->source];
    const int32_t prune = problem->plan->pruning;
    const int64_t tile_cells = rhomb__tile_cells(&pyramid->tiling);
    const int64_t most_tiles =
        rhomb__max((int64_t)(pyramid->tile_rate * LAUNCH_SECONDS / (double)tile_cells), INT64_C(1));
    for (int64_t tile = 0; tile < band->tiles; tile += most_tiles) {
        /* Offsets in the kernel's width: m, n, origin, first_diagonal, tile_pitch, r0. */
        const int64_t offsets64[] = {
            problem->query_length, problem->target_length,
            pyramid->held.low,     band->first_diagonal + tile * band->pitch,
            band->pitch,           band->start};
        int32_t offsets32[6];
        const void *offsets[6];
        for (int i = 0; i < 6; i++) {
            offsets32[i] = (int32_t)offsets64[i];
            offsets[i] = wide ? (const void *)&offsets64[i] : (const void *)&offsets32[i];
        }
        const size_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
        /*
         * rhomb_wavefront_band(query, target, column_a, column_b, status, m, n, prune, front,
         *                      origin, first_diagonal, tile_pitch, r0)
         */
        const rhomb__argument arguments[] = {
            RHOMB__ARGUMENT(problem->query->handle),
            RHOMB__ARGUMENT(problem->target->handle),
            RHOMB__ARGUMENT(from->handle),
            RHOMB__ARGUMENT(to->handle),
            RHOMB__ARGUMENT(pyramid->status.handle),
            {size, offsets[0]},
            {size, offsets[1]},
            RHOMB__ARGUMENT(prune),
            RHOMB__ARGUMENT(pyramid->front),
            {size, offsets[2]},
            {size, offsets[3]},
            {size, offsets[4]},
            {size, offsets[5]},
        };
        RHOMB_TRY(rhomb__queue_arguments(pyramid->ctx, pyramid->kernel, arguments,
                                         sizeof arguments / sizeof arguments[0]));
        RHOMB_TRY(rhomb__queue_launch(pyramid->ctx, pyramid->kernel,
                                      rhomb__min(band->tiles - tile, most_tiles),
                                      problem->plan->group_size));
        pyramid->launches++;
    }
out:
    return status;
}

/* Columns and fronts turn for the next band. */
rhomb_status rhomb__pyramid_enqueue(rhomb__pyramid *pyramid, const rhomb__band *band)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(launch_band(pyramid, band));
    if (pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID)
        pyramid->source = 1 - pyramid->source;
    if (band->stores_end)
        pyramid->front = 1 - pyramid->front;
    pyramid->band++;
out:
    return status;
}

rhomb_status rhomb__pyramid_read(const rhomb__pyramid *pyramid, rhomb_wavefront_status *record,
                                 cl_event *read)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = pyramid->ctx->device->queue;
    RHOMB_CL(pyramid->ctx, clEnqueueReadBuffer(queue, pyramid->status.handle, CL_FALSE, 0,
                                               sizeof *record, record, 0, NULL, read));
    RHOMB_CL(pyramid->ctx, clFlush(queue));
out:
    return status;
}

rhomb_front rhomb__pyramid_front(const rhomb_wavefront_status *status)
{
    const rhomb_front *a = &status->front[0], *b = &status->front[1];
    if ((a->distance != RHOMB_UNSOLVED) != (b->distance != RHOMB_UNSOLVED))
        return a->distance != RHOMB_UNSOLVED ? *a : *b;
    return a->column > b->column ? *a : *b;
}

/* A column, or a part of it, on the host. */
typedef struct offsets {
    void *at;
    int64_t bytes;        /* of an offset */
    rhomb__window window; /* the diagonals */
} offsets;

/*
 * One that no kernel stores is taken as the nearest that one could, so that sums of garbage do not
 * overflow.
 */
static int64_t offset_of(const offsets *column, const rhomb__tiling *tiling, int64_t k)
{
    const int64_t m = tiling->query_length, n = tiling->target_length;
    const int64_t index = k - column->window.low;
    const int64_t stored = column->bytes == 8 ? ((const int64_t *)column->at)[index]
                                              : ((const int32_t *)column->at)[index];
    return rhomb__max(rhomb__min(stored, k > n - m ? n : m + k), -(m + n));
}

static void look_at(const offsets *column, const rhomb__tiling *tiling, int64_t near,
                    rhomb__survey *survey)
{
    const int64_t m = tiling->query_length, n = tiling->target_length;
    for (int64_t k = column->window.low; k <= column->window.high; k++) {
        const int64_t j = offset_of(column, tiling, k);
        survey->rest = rhomb__min(survey->rest, rhomb__max(m + k - j, n - j));
        if (2 * j - k > survey->reach) {
            survey->reach = 2 * j - k;
            survey->head = k;
        }
    }
    const double pace = (double)survey->reach / (double)rhomb__max(survey->column, 1);
    const double least = (double)survey->reach - (double)near * pace;
    survey->near.low = survey->near.high = survey->head;
    for (int64_t k = column->window.low; k <= column->window.high; k++) {
        if ((double)(2 * offset_of(column, tiling, k) - k) >= least) {
            survey->near.low = rhomb__min(survey->near.low, k);
            survey->near.high = k;
        }
    }
}

rhomb_status rhomb__pyramid_survey(const rhomb__pyramid *pyramid, rhomb__window window,
                                   int64_t column, int64_t near, rhomb__survey *survey)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tiling *tiling = &pyramid->tiling;
    const rhomb__window held = pyramid->held;
    const rhomb__buffer *newest =
        &pyramid->columns[tiling->shape == RHOMB_TILE_DIAMOND ? 1 : pyramid->source];
    offsets part = {NULL,
                    offset_bytes(pyramid),
                    {rhomb__max(window.low, held.low), rhomb__min(window.high, held.high)}};
    const size_t size = (size_t)((part.window.high - part.window.low + 1) * part.bytes);
    const rhomb__survey nothing = {.column = column,
                                   .head = part.window.low,
                                   .rest = tiling->query_length + tiling->target_length};
    *survey = nothing;
    part.at = malloc(size);
    if (part.at == NULL)
        return rhomb__fail_memory(&pyramid->ctx->error, size, "a column of the pyramid");
    RHOMB_CL(pyramid->ctx, clEnqueueReadBuffer(pyramid->ctx->device->queue, newest->handle, CL_TRUE,
                                               (size_t)((part.window.low - held.low) * part.bytes),
                                               size, part.at, 0, NULL, NULL));
    look_at(&part, tiling, near, survey);
out:
    free(part.at);
    return status;
}

rhomb_status rhomb__pyramid_tighten(const rhomb__pyramid *pyramid, int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = pyramid->ctx->device->queue;
    rhomb_wavefront_status record;
    RHOMB_CL(pyramid->ctx, clEnqueueReadBuffer(queue, pyramid->status.handle, CL_TRUE, 0,
                                               sizeof record, &record, 0, NULL, NULL));
    for (int i = 0; i < 2; i++)
        record.front[i].bound = rhomb__min(record.front[i].bound, bound);
    RHOMB_CL(pyramid->ctx, clEnqueueWriteBuffer(queue, pyramid->status.handle, CL_TRUE, 0,
                                                sizeof record, &record, 0, NULL, NULL));
out:
    return status;
}

void rhomb__pyramid_release(rhomb__pyramid *pyramid)
{
    for (int i = 0; i < 2; i++)
        rhomb__buffer_release(pyramid->ctx, &pyramid->columns[i]);
    rhomb__buffer_release(pyramid->ctx, &pyramid->status);
    if (pyramid->kernel != NULL)
        clReleaseKernel(pyramid->kernel);
    pyramid->kernel = NULL;
}
