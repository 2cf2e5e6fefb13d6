/* SPDX-License-Identifier: MIT */
/*
 * The pyramid on the device, see pyramid.h.
 */
#include "host/engines/wavefront/pyramid.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/rates.h"

#include <assert.h>
#include <stdlib.h>

static int64_t offset_bytes(const rhomb__pyramid *pyramid)
{
    return pyramid->problem->plan->wavefront.offset_bits / 8;
}

/* The status record before anything is computed. */
static rhomb_wavefront_status initial_status(const rhomb__pyramid *pyramid, int64_t bound)
{
    /*
     * Wavefront 0 on the end diagonal: without an edit, diagonals below 0 start outside the matrix.
     *
     */
    const int64_t end_diagonal = pyramid->problem->target_length - pyramid->problem->query_length;
    const rhomb_front front = {RHOMB_UNSOLVED, bound, rhomb__min(end_diagonal, 0), 0};
    const rhomb_wavefront_status initial = {.front = {{front, front}, {front, front}},
                                            .complete = {pyramid->start, pyramid->start},
                                            .met_group = RHOMB_NO_GROUP};
    return initial;
}

static rhomb_status set_status(const rhomb__pyramid *pyramid, const rhomb_wavefront_status *record)
{
    return rhomb__buffer_write(pyramid->stream, &pyramid->status, sizeof *record, record);
}

static rhomb_status get_status(const rhomb__pyramid *pyramid, rhomb_wavefront_status *record)
{
    return rhomb__buffer_read(pyramid->stream, &pyramid->status, 0, sizeof *record, record);
}

static rhomb_status create_kernels(rhomb__pyramid *pyramid, const rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(
        rhomb__kernel_make(pyramid->stream, program, "rhomb_wavefront_advance", &pyramid->kernel));
    if (pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID)
        RHOMB_TRY(
            rhomb__kernel_make(pyramid->stream, program, "rhomb_wavefront_meet", &pyramid->meet));
out:
    return status;
}

static void release_kernels(rhomb__pyramid *pyramid)
{
    rhomb__kernel_release(&pyramid->kernel);
    rhomb__kernel_release(&pyramid->meet);
}

rhomb_status rhomb__pyramid_retile(rhomb__pyramid *pyramid, const rhomb__program *program)
{
    const rhomb__problem *problem = pyramid->problem;
    pyramid->tiling =
        rhomb__plan_tiling(problem->plan, problem->target_length, problem->query_length);
    release_kernels(pyramid);
    return create_kernels(pyramid, program);
}

rhomb_status rhomb__pyramid_open(rhomb__pyramid *pyramid, rhomb__device_stream *stream,
                                 const rhomb__program *program, const rhomb__problem *problem,
                                 int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tiling tiling =
        rhomb__plan_tiling(problem->plan, problem->target_length, problem->query_length);
    const rhomb__pyramid closed = {.stream = stream,
                                   .problem = problem,
                                   .tiling = tiling,
                                   .held = {0, -1},
                                   .directions = problem->plan->directions,
                                   .start = rhomb__first_start(&tiling),
                                   .tile_rate = rhomb__plan_speed(problem->plan)->cells_per_second};
    *pyramid = closed;
    const rhomb_wavefront_status initial = initial_status(pyramid, bound);
    RHOMB_TRY(create_kernels(pyramid, program));
    RHOMB_TRY(rhomb__buffer_create(stream, sizeof initial, "the status record", &pyramid->status));
    RHOMB_TRY(set_status(pyramid, &initial));
out:
    return status;
}

static rhomb_status clear_wavefront(const rhomb__pyramid *pyramid, const rhomb__buffer *wavefront,
                                    int64_t from, int64_t to)
{
    return rhomb__buffer_fill_offsets(pyramid->stream, wavefront, offset_bytes(pyramid), from, to);
}

/*
 * A new wavefront for the diagonals of `to`, for all directions. Diagonals that `from` also holds
 * are copied.
 */
static rhomb_status copy_wavefront(const rhomb__pyramid *pyramid, const rhomb__buffer *from,
                                   rhomb__window held, rhomb__window to, rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    const int64_t bytes = offset_bytes(pyramid);
    const int64_t low = rhomb__max(held.low, to.low);
    const int64_t kept = rhomb__max(rhomb__min(held.high, to.high) - low + 1, 0);
    const int64_t size = to.high - to.low + 1, old_size = held.high - held.low + 1;
    rhomb__device_stream *stream = pyramid->stream;
    RHOMB_TRY(rhomb__buffer_create(stream, pyramid->directions * size * bytes, "a wavefront", out));
    for (int direction = 0; direction < pyramid->directions; direction++) {
        const int64_t begin = direction * size, end = begin + size;
        const int64_t first = kept > 0 ? begin + low - to.low : end;
        if (kept > 0)
            RHOMB_CL(stream, clEnqueueCopyBuffer(
                                 stream->queue, from->handle, out->handle,
                                 (size_t)((direction * old_size + low - held.low) * bytes),
                                 (size_t)(first * bytes), (size_t)(kept * bytes), 0, NULL, NULL));
        RHOMB_TRY(clear_wavefront(pyramid, out, begin, first));
        RHOMB_TRY(clear_wavefront(pyramid, out, first + kept, end));
    }
    RHOMB_TRY(rhomb__queue_finish(stream));
out:
    if (status != RHOMB_OK)
        rhomb__buffer_release(stream, out);
    return status;
}

/* Replaces a wavefront by one for the diagonals of `to`. */
static rhomb_status move_wavefront(rhomb__pyramid *pyramid, int which, rhomb__window held,
                                   rhomb__window to)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer moved = {NULL, 0};
    RHOMB_TRY(copy_wavefront(pyramid, &pyramid->wavefronts[which], held, to, &moved));
    rhomb__buffer_release(pyramid->stream, &pyramid->wavefronts[which]);
    pyramid->wavefronts[which] = moved;
out:
    return status;
}

/* Forgets all offsets in a buffer. */
static rhomb_status clear_buffer(const rhomb__pyramid *pyramid, int which)
{
    const int64_t diagonals = pyramid->held.high - pyramid->held.low + 1;
    return clear_wavefront(pyramid, &pyramid->wavefronts[which], 0,
                           pyramid->directions * diagonals);
}

/*
 * Once all its launches are done, a trapezoid's target wavefront holds nothing that is needed. So
 * it is released before the other one moves: the peak is two wavefronts of the new size.
 */
rhomb_status rhomb__pyramid_hold(rhomb__pyramid *pyramid, rhomb__window to)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__window held = pyramid->held, none = {0, -1};
    const int target = 1 - pyramid->source;
    RHOMB_TRY(rhomb__queue_finish(pyramid->stream));
    if (pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID)
        rhomb__buffer_release(pyramid->stream, &pyramid->wavefronts[target]);
    RHOMB_TRY(move_wavefront(pyramid, pyramid->source, held, to));
    RHOMB_TRY(move_wavefront(pyramid, target,
                             pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID ? none : held, to));
    pyramid->held = to;
out:
    return status;
}

int64_t rhomb__pyramid_bound(const rhomb__pyramid *pyramid, int64_t bound)
{
    return bound + pyramid->directions - 1;
}

/* The number of bits by which the antidiagonals of a pair are shifted right, to fit in 31. */
static int32_t far_shift(const rhomb__problem *problem)
{
    const int64_t bases = problem->query_length + problem->target_length;
    int32_t shift = 0;
    while (bases >> shift > INT32_MAX)
        shift++;
    return shift;
}

/*
 * What the kernels have to know of a launch, of which each direction computes the given number of
 * wavefronts.
 */
static rhomb_launch describe_launch(const rhomb__pyramid *pyramid, const rhomb__launch *launch,
                                    int32_t forward, int32_t backward)
{
    const rhomb__problem *problem = pyramid->problem;
    const rhomb__plan *plan = problem->plan;
    const int64_t words = sizeof(rhomb_u32);
    const rhomb_launch described = {
        .query_length = problem->query_length,
        .target_length = problem->target_length,
        .query_backward = rhomb__packed_bytes(problem->query_length, plan->planes) / words,
        .target_backward = rhomb__packed_bytes(problem->target_length, plan->planes) / words,
        .origin = pyramid->held.low,
        .wavefront_backward = pyramid->held.high - pyramid->held.low + 1,
        .first_diagonal = launch->first_diagonal,
        .tile_pitch = launch->pitch,
        .tiles = launch->tiles,
        .start = launch->start,
        .scores = {forward, backward},
        .directions = pyramid->directions,
        .prune = plan->wavefront.pruning,
        .front = pyramid->front,
        .turn = pyramid->turn,
        .meets_later = pyramid->directions == 2 && !pyramid->watches,
        .leads = 1,
        .far_shift = far_shift(problem),
    };
    return described;
}

/* Enqueues the tiles of a launch, in several shares if one launch of all would take too long. */
static rhomb_status launch_tiles(rhomb__pyramid *pyramid, rhomb_launch launch,
                                 const rhomb__buffer *from, const rhomb__buffer *to)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = pyramid->problem;
    const int64_t tiles = launch.tiles, first = launch.first_diagonal;
    assert(tiles == 0 || (first >= pyramid->held.low &&
                          first + (tiles - 1) * launch.tile_pitch + pyramid->tiling.diagonals <=
                              pyramid->held.high + 1));
    const int64_t tile_cells = pyramid->directions * rhomb__tile_cells(&pyramid->tiling);
    const int64_t most_tiles = rhomb__max(
        (int64_t)(pyramid->tile_rate * RHOMB__WAVES_SECONDS / (double)tile_cells), INT64_C(1));
    for (int64_t tile = 0; tile < tiles; tile += most_tiles) {
        launch.first_diagonal = first + tile * launch.tile_pitch;
        launch.tiles = rhomb__min(tiles - tile, most_tiles);
        launch.leads = tile == 0;
        /* rhomb_wavefront_advance(query, target, wavefront_a, wavefront_b, status, launch) */
        const rhomb__argument arguments[] = {
            RHOMB__ARGUMENT(problem->query->handle), RHOMB__ARGUMENT(problem->target->handle),
            RHOMB__ARGUMENT(from->handle),           RHOMB__ARGUMENT(to->handle),
            RHOMB__ARGUMENT(pyramid->status.handle), RHOMB__ARGUMENT(launch),
        };
        RHOMB_TRY(rhomb__queue_run(pyramid->stream, pyramid->kernel, RHOMB__LIST(arguments),
                                   launch.tiles * launch.directions,
                                   problem->plan->wavefront.group_size));
        pyramid->launches++;
    }
out:
    return status;
}

/*
 * Launches the look at the wavefronts of `wavefront` for the diagonals that a launch's tiles store.
 * Where the bound now lies before the launch, none do, and there is nothing to look at.
 */
static rhomb_status launch_meet(rhomb__pyramid *pyramid, rhomb_launch launch,
                                const rhomb__buffer *wavefront)
{
    const rhomb__plan *plan = pyramid->problem->plan;
    const int64_t diagonals = launch.tiles * launch.tile_pitch;
    const int64_t a_group =
        (int64_t)plan->wavefront.group_size * plan->wavefront.diagonals_per_item;
    if (diagonals == 0)
        return RHOMB_OK;
    launch.first_diagonal += plan->wavefront.tile_scores;
    /* rhomb_wavefront_meet(wavefront, status, launch) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(wavefront->handle),
                                         RHOMB__ARGUMENT(pyramid->status.handle),
                                         RHOMB__ARGUMENT(launch)};
    pyramid->launches++;
    return rhomb__queue_run(pyramid->stream, pyramid->meet, RHOMB__LIST(arguments),
                            rhomb__ceil_div(diagonals, a_group), plan->wavefront.group_size);
}

/* Wavefronts, fronts and turns alternate. */
rhomb_status rhomb__pyramid_enqueue(rhomb__pyramid *pyramid, const rhomb__launch *launch)
{
    rhomb_status status = RHOMB_OK;
    const int32_t columns = (int32_t)pyramid->tiling.scores;
    const rhomb_launch described = describe_launch(pyramid, launch, columns, columns);
    RHOMB_TRY(launch_tiles(pyramid, described, &pyramid->wavefronts[pyramid->source],
                           &pyramid->wavefronts[1 - pyramid->source]));
    if (pyramid->watches)
        RHOMB_TRY(launch_meet(pyramid, described, &pyramid->wavefronts[1 - pyramid->source]));
    if (pyramid->tiling.shape == RHOMB_TILE_TRAPEZOID)
        pyramid->source = 1 - pyramid->source;
    if (launch->stores_end)
        pyramid->front = 1 - pyramid->front;
    pyramid->turn = 1 - pyramid->turn;
    pyramid->start += pyramid->tiling.scores;
out:
    return status;
}

void rhomb__pyramid_rewind(rhomb__pyramid *pyramid, int64_t complete)
{
    const int64_t launches = (pyramid->start - complete) / pyramid->tiling.scores;
    if (launches % 2 != 0)
        pyramid->source = 1 - pyramid->source;
    pyramid->start = complete;
}

/*
 * The last launch as the present bound leaves it. Where its window has become narrower, its tiles
 * begin elsewhere and may end outside the wavefronts; shifted down they are as good.
 */
static rhomb__launch last_launch(const rhomb__pyramid *pyramid, int64_t bound)
{
    const rhomb__tiling *tiling = &pyramid->tiling;
    rhomb__launch launch = rhomb__launch_at(tiling, pyramid->start - tiling->scores,
                                            rhomb__pyramid_bound(pyramid, bound));
    const int64_t outside = rhomb__launch_reach(tiling, &launch).high - pyramid->held.high;
    launch.first_diagonal -= rhomb__max(outside, 0);
    return launch;
}

rhomb_status rhomb__pyramid_look(rhomb__pyramid *pyramid, int64_t bound, bool *met)
{
    rhomb_status status = RHOMB_OK;
    rhomb_wavefront_status record;
    const rhomb__launch launch = last_launch(pyramid, bound);
    RHOMB_TRY(launch_meet(pyramid,
                          describe_launch(pyramid, &launch, (int32_t)pyramid->tiling.scores,
                                          (int32_t)pyramid->tiling.scores),
                          &pyramid->wavefronts[pyramid->source]));
    RHOMB_TRY(get_status(pyramid, &record));
    *met = record.met != 0;
out:
    return status;
}

/*
 * Whether the directions have met after the given number of scores of a launch, one more forward
 * if it is odd. *met is the lowest group of the look that saw it, or RHOMB_NO_GROUP.
 */
static rhomb_status try_scores(rhomb__pyramid *pyramid, const rhomb__launch *launch, int64_t bound,
                               int64_t columns, rhomb_u32 *met)
{
    rhomb_status status = RHOMB_OK;
    const bool two = pyramid->directions == 2;
    const rhomb_wavefront_status fresh = initial_status(pyramid, bound);
    rhomb_wavefront_status record;
    const rhomb_launch described =
        describe_launch(pyramid, launch, (int32_t)(two ? (columns + 1) / 2 : columns),
                        (int32_t)(two ? columns / 2 : 0));
    const rhomb__buffer *to = &pyramid->wavefronts[pyramid->source];
    /* Tiles that are left out now must not show results of later wavefronts. */
    RHOMB_TRY(clear_buffer(pyramid, pyramid->source));
    RHOMB_TRY(set_status(pyramid, &fresh));
    RHOMB_TRY(launch_tiles(pyramid, described, &pyramid->wavefronts[1 - pyramid->source], to));
    RHOMB_TRY(launch_meet(pyramid, described, to));
    RHOMB_TRY(get_status(pyramid, &record));
    *met = record.met != 0 ? record.met_group : RHOMB_NO_GROUP;
out:
    return status;
}

/* The diagonals of one group of the look at a launch. */
static rhomb__window group_window(const rhomb__pyramid *pyramid, const rhomb__launch *launch,
                                  rhomb_u32 group)
{
    const rhomb__plan *plan = pyramid->problem->plan;
    const int64_t size = (int64_t)plan->wavefront.group_size * plan->wavefront.diagonals_per_item;
    const int64_t low = launch->first_diagonal + plan->wavefront.tile_scores + group * size;
    const rhomb__window window = {rhomb__max(low, pyramid->held.low),
                                  rhomb__min(low + size - 1, pyramid->held.high)};
    return window;
}

rhomb_status rhomb__pyramid_replay(rhomb__pyramid *pyramid, int64_t bound, int64_t *distance,
                                   rhomb__breakpoint *breakpoint)
{
    rhomb_status status = RHOMB_OK;
    const int64_t from = pyramid->start - pyramid->tiling.scores;
    const rhomb__launch launch = last_launch(pyramid, bound);
    int64_t apart = 0, together = pyramid->directions * pyramid->tiling.scores, tried = 0;
    rhomb_u32 met = RHOMB_NO_GROUP;
    pyramid->watches = true;
    while (together - apart > 1) {
        tried = apart + (together - apart) / 2;
        RHOMB_TRY(try_scores(pyramid, &launch, bound, tried, &met));
        if (met != RHOMB_NO_GROUP)
            together = tried;
        else
            apart = tried;
    }
    *distance = pyramid->directions * from + together;
    if (breakpoint == NULL)
        return RHOMB_OK;
    if (tried != together)
        RHOMB_TRY(try_scores(pyramid, &launch, bound, together, &met));
    const int64_t forward = from + (together + 1) / 2, backward = from + together / 2;
    RHOMB_TRY(rhomb__pyramid_meeting(pyramid, group_window(pyramid, &launch, met), forward,
                                     backward, breakpoint));
out:
    return status;
}

rhomb_status rhomb__pyramid_read(const rhomb__pyramid *pyramid, rhomb_wavefront_status *record,
                                 cl_event *read)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = pyramid->stream->queue;
    RHOMB_CL(pyramid->stream, clEnqueueReadBuffer(queue, pyramid->status.handle, CL_FALSE, 0,
                                                  sizeof *record, record, 0, NULL, read));
    RHOMB_CL(pyramid->stream, clFlush(queue));
out:
    return status;
}

rhomb_front rhomb__pyramid_front(const rhomb_wavefront_status *status, int direction)
{
    const rhomb_front *a = &status->front[direction][0], *b = &status->front[direction][1];
    if ((a->distance != RHOMB_UNSOLVED) != (b->distance != RHOMB_UNSOLVED))
        return a->distance != RHOMB_UNSOLVED ? *a : *b;
    return a->column > b->column ? *a : *b;
}

int64_t rhomb__pyramid_reach_of(const rhomb__pyramid *pyramid, const rhomb_wavefront_status *status,
                                int direction)
{
    const int64_t furthest =
        rhomb__max(status->furthest[direction][0], status->furthest[direction][1]);
    return furthest << far_shift(pyramid->problem);
}

int64_t rhomb__pyramid_reach(const rhomb__pyramid *pyramid, const rhomb_wavefront_status *status)
{
    int64_t reach = 0;
    for (int direction = 0; direction < pyramid->directions; direction++)
        reach += rhomb__pyramid_reach_of(pyramid, status, direction);
    return reach;
}

void rhomb__pyramid_release(rhomb__pyramid *pyramid)
{
    for (int i = 0; i < 2; i++)
        rhomb__buffer_release(pyramid->stream, &pyramid->wavefronts[i]);
    rhomb__buffer_release(pyramid->stream, &pyramid->status);
    release_kernels(pyramid);
}

/* A wavefront on the host, or a part of one. */
typedef struct offsets {
    void *at;
    int64_t bytes;        /* of an offset */
    rhomb__window window; /* the diagonals */
} offsets;

/*
 * An offset that no kernel stores is taken as the nearest one that a kernel could store, so that
 * sums of garbage do not overflow.
 */
static int64_t offset_of(const offsets *column, const rhomb__tiling *tiling, int64_t k)
{
    const int64_t m = tiling->query_length, n = tiling->target_length;
    const int64_t index = k - column->window.low;
    const int64_t stored = column->bytes == 8 ? ((const int64_t *)column->at)[index]
                                              : ((const int32_t *)column->at)[index];
    return rhomb__max(rhomb__min(stored, k > n - m ? n : m + k), -(m + n));
}

/* Reads the part of a direction's wavefront that holds a window. */
static rhomb_status read_offsets(const rhomb__pyramid *pyramid, const rhomb__buffer *wavefront,
                                 int direction, offsets *part)
{
    const rhomb__window held = pyramid->held;
    const size_t size = (size_t)((part->window.high - part->window.low + 1) * part->bytes);
    const int64_t first = direction * (held.high - held.low + 1) + part->window.low - held.low;
    part->at = malloc(size);
    if (part->at == NULL)
        return rhomb__fail_memory(&pyramid->stream->error, size, "part of a wavefront");
    return rhomb__buffer_read(pyramid->stream, wavefront, first * part->bytes, size, part->at);
}

rhomb_status rhomb__pyramid_poll(const rhomb__pyramid *pyramid, int64_t *reach)
{
    rhomb_status status = RHOMB_OK;
    offsets all = {NULL, pyramid->problem->plan->wavefront.offset_bits / 8, pyramid->held};
    *reach = 0;
    RHOMB_TRY(read_offsets(pyramid, &pyramid->wavefronts[1], 0, &all));
    for (int64_t k = all.window.low; k <= all.window.high; k++)
        *reach = rhomb__max(*reach, 2 * offset_of(&all, &pyramid->tiling, k) - k);
out:
    free(all.at);
    return status;
}

rhomb_status rhomb__pyramid_meeting(const rhomb__pyramid *pyramid, rhomb__window window,
                                    int64_t forward, int64_t backward,
                                    rhomb__breakpoint *breakpoint)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tiling *tiling = &pyramid->tiling;
    const int64_t m = tiling->query_length, n = tiling->target_length, end = n - m;
    const rhomb__window held = pyramid->held;
    /* Diagonals that both directions have reached and whose wavefronts are held. */
    window.low =
        rhomb__max(rhomb__max(window.low, -forward), rhomb__max(end - held.high, end - backward));
    window.high =
        rhomb__min(rhomb__min(window.high, forward), rhomb__min(end - held.low, end + backward));
    const rhomb__buffer *newest = &pyramid->wavefronts[pyramid->source];
    const int64_t bytes = pyramid->problem->plan->wavefront.offset_bits / 8;
    offsets there = {NULL, bytes, window},
            back = {NULL, bytes, {end - window.high, end - window.low}};
    if (window.low <= window.high) {
        RHOMB_TRY(read_offsets(pyramid, newest, 0, &there));
        RHOMB_TRY(read_offsets(pyramid, newest, 1, &back));
    }
    for (int64_t k = window.low; k <= window.high; k++) {
        const int64_t j = offset_of(&there, tiling, k);
        if (j + offset_of(&back, tiling, end - k) >= n && j >= 0 && j - k >= 0) {
            const rhomb__breakpoint here = {.target = j, .query = j - k, .cost = forward};
            *breakpoint = here;
            goto out;
        }
    }
    status =
        rhomb__fail(&pyramid->stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                    "%s: after %lld and %lld edits the wavefronts have met, but nowhere",
                    pyramid->stream->device->info.name, (long long)forward, (long long)backward);
out:
    free(there.at);
    free(back.at);
    return status;
}
