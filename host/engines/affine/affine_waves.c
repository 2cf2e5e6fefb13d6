/* SPDX-License-Identifier: MIT */
/* The driver of affine wavefronts, see affine_waves.h. */
#include "host/engines/affine/affine_waves.h"

#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/queue.h"
#include "host/upload/send.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"

#include <limits.h>
#include <stdlib.h>

/* Groups that share a problem where the directions may meet, if there is only one problem. */
#define MEET_PARTS 64

/* Diagonals for each item of a look, on average, at least. */
#define LOOK_DIAGONALS 16
#define LOOK_GROUPS    64

rhomb_status rhomb__affine_program(rhomb_context *ctx, const rhomb__plan *plan,
                                   rhomb__program **out)
{
    const rhomb__costs *costs = &plan->costs;
    const int32_t PLANES = plan->planes;
    const int32_t OFFSET_BITS = plan->wavefront.offset_bits;
    const int32_t GROUP_SIZE = plan->wavefront.group_size;
    const int32_t ITEM_DIAGONALS = plan->wavefront.diagonals_per_item;
    const int32_t TILE_SCORES = plan->wavefront.tile_scores;
    const int32_t TILE_LOCAL = plan->wavefront.tiles_local;
    const int32_t MISMATCH = (int32_t)costs->mismatch;
    const int32_t OPEN = (int32_t)costs->open[0];
    const int32_t EXTEND = (int32_t)costs->extend[0];
    const int32_t OPEN_2 = costs->pieces == 2 ? (int32_t)costs->open[1] : 0;
    const int32_t EXTEND_2 = costs->pieces == 2 ? (int32_t)costs->extend[1] : 0;
    const rhomb__parameter parameters[] = {RHOMB_AFFINE_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_affine_wavefront, RHOMB__LIST(parameters), out);
}

static rhomb_status make_kernels(rhomb__affine_waves *w, const rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__kernel_make(w->stream, program, "rhomb_affine_advance", &w->advance));
    RHOMB_TRY(rhomb__kernel_make(w->stream, program, "rhomb_affine_look", &w->look));
    RHOMB_TRY(rhomb__kernel_make(w->stream, program, "rhomb_affine_search", &w->search));
    RHOMB_TRY(rhomb__kernel_make(w->stream, program, "rhomb_affine_meet", &w->meet));
out:
    return status;
}

rhomb_status rhomb__affine_waves_open(rhomb__affine_waves *w, rhomb__device_stream *stream,
                                      const rhomb__program *program, const rhomb__plan *plan,
                                      const rhomb__buffer *query, const rhomb__buffer *target,
                                      int64_t query_length, int64_t target_length)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing in_query = rhomb__packing_windows(query_length, plan->planes, 2);
    const rhomb__packing in_target = rhomb__packing_windows(target_length, plan->planes, 2);
    w->stream = stream;
    w->shape = rhomb__plan_affine_shape(plan);
    w->group_size = plan->wavefront.group_size;
    w->tiles_local = plan->wavefront.tiles_local;
    w->offset_bytes = plan->wavefront.offset_bits / 8;
    w->query = query;
    w->target = target;
    w->whole = (rhomb_split_whole){
        .query_length = query_length,
        .target_length = target_length,
        .query_backward = in_query.parts[0].units * RHOMB_UNIT_WORDS(plan->planes),
        .target_backward = in_target.parts[0].units * RHOMB_UNIT_WORDS(plan->planes)};
    RHOMB_TRY(make_kernels(w, program));
    w->memory_groups = rhomb__plan_affine_groups(plan, stream->device->info.compute_units);
    const int64_t tile_bytes = rhomb__plan_affine_tile_bytes(plan);
    RHOMB_TRY(rhomb__buffer_create(stream, rhomb__max(w->memory_groups * tile_bytes, 8),
                                   "the tiles of affine wavefronts", &w->memory));
    RHOMB_TRY(rhomb__buffer_create(stream, sizeof(rhomb_affine_status),
                                   "the status of affine wavefronts", &w->status));
    RHOMB_TRY(rhomb__affine_status_reset(w));
out:
    return status;
}

int64_t rhomb__affine_lay_out(const rhomb__costs *costs, const rhomb_subproblem *range,
                              int64_t until, int64_t bound, int64_t at,
                              rhomb_affine_problem *problem)
{
    int64_t cells = 1;
    *problem = (rhomb_affine_problem){.range = *range, .at = at};
    for (int direction = 0; direction < 2; direction++) {
        const rhomb__window all = rhomb__affine_window(costs, range, direction, 0, until, bound);
        problem->origin[direction] = all.low;
        cells = rhomb__max(cells, all.high - all.low + 1);
    }
    problem->cells = cells;
    return 2 * cells * rhomb__affine_slots(costs);
}

static rhomb_status fill(rhomb__affine_waves *w, const rhomb__buffer *buffer)
{
    w->is_running = true;
    return rhomb__buffer_fill_offsets(w->stream, buffer, w->offset_bytes, 0,
                                      buffer->bytes / w->offset_bytes);
}

rhomb_status rhomb__affine_waves_forget(rhomb__affine_waves *w, int32_t turn)
{
    return fill(w, &w->offsets[turn]);
}

rhomb_status rhomb__affine_waves_update(rhomb__affine_waves *w,
                                        const rhomb_affine_problem *problems)
{
    return rhomb__buffer_write(w->stream, &w->problems, w->problem_count * sizeof *problems,
                               problems);
}

rhomb_status rhomb__affine_waves_begin(rhomb__affine_waves *w, const rhomb_affine_problem *problems,
                                       int64_t count, int64_t offsets)
{
    rhomb_status status = RHOMB_OK;
    static const char *const NAMES[2] = {"the affine wavefronts", "the other affine wavefronts"};
    for (int i = 0; i < 2; i++) {
        rhomb__buffer_release(w->stream, &w->offsets[i]);
        RHOMB_TRY(
            rhomb__buffer_create(w->stream, offsets * w->offset_bytes, NAMES[i], &w->offsets[i]));
        RHOMB_TRY(fill(w, &w->offsets[i]));
    }
    if (w->problems.bytes < count * (int64_t)sizeof *problems) {
        rhomb__buffer_release(w->stream, &w->problems);
        RHOMB_TRY(rhomb__buffer_create(w->stream, count * (int64_t)sizeof *problems,
                                       "the problems of affine wavefronts", &w->problems));
    }
    w->problem_count = count;
    RHOMB_TRY(rhomb__affine_waves_update(w, problems));
out:
    return status;
}

/* Copies the slots of both directions to their new places. */
static rhomb_status copy_slots(rhomb__affine_waves *w, const rhomb_affine_problem *from,
                               const rhomb_affine_problem *to, const rhomb__buffer *source,
                               const rhomb__buffer *target)
{
    rhomb_status status = RHOMB_OK;
    const int64_t slots = rhomb__affine_slots(&w->shape.costs);
    for (int64_t i = 0; i < 2 * slots; i++) {
        const int direction = i < slots ? 0 : 1;
        const int64_t shift = from->origin[direction] - to->origin[direction];
        RHOMB_CL(w->stream,
                 clEnqueueCopyBuffer(w->stream->queue, source->handle, target->handle,
                                     (size_t)(i * from->cells * w->offset_bytes),
                                     (size_t)((i * to->cells + shift) * w->offset_bytes),
                                     (size_t)(from->cells * w->offset_bytes), 0, NULL, NULL));
    }
out:
    return status;
}

rhomb_status rhomb__affine_waves_grow(rhomb__affine_waves *w, const rhomb_affine_problem *from,
                                      const rhomb_affine_problem *to, int64_t offsets, int32_t turn)
{
    rhomb_status status = RHOMB_OK;
    rhomb__buffer before = w->offsets[turn];
    const rhomb__buffer none = {NULL, 0};
    w->offsets[turn] = none;
    RHOMB_TRY(rhomb__affine_waves_begin(w, to, 1, offsets));
    RHOMB_TRY(copy_slots(w, from, to, &before, &w->offsets[turn]));
out:
    rhomb__buffer_release(w->stream, &before);
    return status;
}

void rhomb__affine_list_clear(rhomb__affine_waves *w)
{
    w->list.count = w->list.launches = 0;
}

/* Makes room for one more element of an array. */
static rhomb_status make_room(rhomb__affine_waves *w, void **array, int64_t *room, int64_t count,
                              size_t size)
{
    if (count < *room)
        return RHOMB_OK;
    const int64_t more = rhomb__max(2 * *room, 64);
    void *grown = realloc(*array, (size_t)more * size);
    if (grown == NULL)
        return rhomb__fail_memory(&w->stream->error, (size_t)more * size,
                                  "the tiles of affine wavefronts");
    *array = grown;
    *room = more;
    return RHOMB_OK;
}

/* Lists a tile of a stretch, by its rank. */
static rhomb_status list_tile(rhomb__affine_waves *w, const rhomb__affine_stretch *stretch,
                              int64_t rank)
{
    rhomb__affine_list *list = &w->list;
    void *array = list->tiles;
    const rhomb_status status = make_room(w, &array, &list->room, list->count, sizeof *list->tiles);
    list->tiles = array;
    if (status != RHOMB_OK)
        return status;
    rhomb_affine_tile *tile = &list->tiles[list->count++];
    *tile = stretch->like;
    tile->first = rhomb__affine_tile_first(&w->shape, stretch->window, rank);
    tile->low = stretch->window.low;
    tile->high = stretch->window.high;
    return RHOMB_OK;
}

rhomb_status rhomb__affine_list_add(rhomb__affine_waves *w,
                                    const rhomb__affine_stretch stretches[2])
{
    rhomb_status status = RHOMB_OK;
    const int64_t tiles[2] = {rhomb__affine_tiles(&w->shape, stretches[0].window),
                              rhomb__affine_tiles(&w->shape, stretches[1].window)};
    for (int64_t rank = 0; rank < rhomb__max(tiles[0], tiles[1]); rank++) {
        for (int i = 0; i < 2; i++) {
            if (rank < tiles[i])
                RHOMB_TRY(list_tile(w, &stretches[i], rank));
        }
    }
out:
    return status;
}

rhomb_status rhomb__affine_list_end(rhomb__affine_waves *w)
{
    rhomb__affine_list *list = &w->list;
    void *array = list->ends;
    const rhomb_status status =
        make_room(w, &array, &list->launch_room, list->launches, sizeof *list->ends);
    list->ends = array;
    if (status == RHOMB_OK)
        list->ends[list->launches++] = list->count;
    return status;
}

rhomb_status rhomb__affine_list_send(rhomb__affine_waves *w)
{
    rhomb_status status = RHOMB_OK;
    const int64_t bytes = w->list.count * (int64_t)sizeof *w->list.tiles;
    if (bytes == 0)
        return RHOMB_OK;
    if (w->tiles.bytes < bytes) {
        RHOMB_CL(w->stream, clFinish(w->stream->queue));
        rhomb__buffer_release(w->stream, &w->tiles);
        RHOMB_TRY(rhomb__buffer_create(w->stream, bytes + bytes / 2, "the list of affine tiles",
                                       &w->tiles));
    }
    /* After the launches before, which may still read the old list. */
    RHOMB_TRY(rhomb__buffer_write(w->stream, &w->tiles, bytes, w->list.tiles));
out:
    return status;
}

static int64_t first_of(const rhomb__affine_list *list, int64_t index)
{
    return index > 0 ? list->ends[index - 1] : 0;
}

int64_t rhomb__affine_launch_cells(const rhomb__affine_waves *w, int64_t index)
{
    const int64_t tiles = w->list.ends[index] - first_of(&w->list, index);
    return tiles * w->shape.diagonals * w->shape.scores;
}

/* The tiles that a launch may have. */
static int64_t most_tiles(const rhomb__affine_waves *w)
{
    const int64_t cells = rhomb__cells_in(&w->stream->device->rates.values, RHOMB__LAUNCH_SECONDS);
    return rhomb__max(cells / (RHOMB__AFFINE_CELL_WORK * w->shape.diagonals * w->shape.scores),
                      rhomb__max(w->stream->device->info.compute_units, 1));
}

rhomb_status rhomb__affine_launch(rhomb__affine_waves *w, int64_t index, int32_t turn)
{
    rhomb_status status = RHOMB_OK;
    w->is_running = true;
    const int64_t end = w->list.ends[index], most = most_tiles(w);
    for (int64_t first = first_of(&w->list, index); first < end; first += most) {
        const int64_t count = rhomb__min(most, end - first);
        /* rhomb_affine_advance(query, target, problems, tiles, even, odd, memory, status, whole,
         *                      first_tile, tile_count, turn) */
        const rhomb__argument arguments[] = {RHOMB__ARGUMENT(w->query->handle),
                                             RHOMB__ARGUMENT(w->target->handle),
                                             RHOMB__ARGUMENT(w->problems.handle),
                                             RHOMB__ARGUMENT(w->tiles.handle),
                                             RHOMB__ARGUMENT(w->offsets[0].handle),
                                             RHOMB__ARGUMENT(w->offsets[1].handle),
                                             RHOMB__ARGUMENT(w->memory.handle),
                                             RHOMB__ARGUMENT(w->status.handle),
                                             RHOMB__ARGUMENT(w->whole),
                                             RHOMB__ARGUMENT(first),
                                             RHOMB__ARGUMENT(count),
                                             RHOMB__ARGUMENT(turn)};
        RHOMB_TRY(rhomb__queue_run(w->stream, w->advance, RHOMB__LIST(arguments),
                                   w->tiles_local ? count : rhomb__min(count, w->memory_groups),
                                   w->group_size));
        w->launches++;
    }
    w->cells += rhomb__affine_launch_cells(w, index);
out:
    return status;
}

rhomb_status rhomb__affine_status_reset(rhomb__affine_waves *w)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_affine_status fresh = {.met = RHOMB_AFFINE_NOT_MET, .least = INT_MAX};
    RHOMB_TRY(rhomb__buffer_write(w->stream, &w->status, sizeof fresh, &fresh));
out:
    return status;
}

rhomb_status rhomb__affine_status_read(rhomb__affine_waves *w, rhomb_affine_status *out)
{
    w->reads++;
    w->is_running = false;
    return rhomb__buffer_fetch(w->stream, &w->status, sizeof *out, out);
}

/* Groups for something that each diagonal of the first problem is looked at for. */
static int64_t look_groups(const rhomb__affine_waves *w)
{
    const int64_t offsets = w->offsets[0].bytes / w->offset_bytes;
    const int64_t diagonals = offsets / rhomb__affine_slots(&w->shape.costs) / 2;
    const int64_t most =
        w->group_size > 1 ? LOOK_GROUPS : rhomb__max(w->stream->device->info.compute_units, 1);
    return rhomb__min(rhomb__ceil_div(diagonals, LOOK_DIAGONALS * w->group_size), most);
}

rhomb_status rhomb__affine_look_at(rhomb__affine_waves *w, int64_t s, int32_t buffer,
                                   int32_t number, int32_t far_shift)
{
    w->is_running = true;
    /* rhomb_affine_look(problems, buffer, status, s, turn, far_shift) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(w->problems.handle),
                                         RHOMB__ARGUMENT(w->offsets[buffer].handle),
                                         RHOMB__ARGUMENT(w->status.handle),
                                         RHOMB__ARGUMENT(s),
                                         RHOMB__ARGUMENT(number),
                                         RHOMB__ARGUMENT(far_shift)};
    w->launches++;
    return rhomb__queue_run(w->stream, w->look, RHOMB__LIST(arguments), look_groups(w),
                            w->group_size);
}

rhomb_status rhomb__affine_search_at(rhomb__affine_waves *w, int32_t fixed, int64_t f, int64_t b,
                                     int32_t fresh)
{
    w->is_running = true;
    /* rhomb_affine_search(problems, fixed, moving, status, f, b, fresh) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(w->problems.handle),
                                         RHOMB__ARGUMENT(w->offsets[fixed].handle),
                                         RHOMB__ARGUMENT(w->offsets[1 - fixed].handle),
                                         RHOMB__ARGUMENT(w->status.handle),
                                         RHOMB__ARGUMENT(f),
                                         RHOMB__ARGUMENT(b),
                                         RHOMB__ARGUMENT(fresh)};
    w->launches++;
    return rhomb__queue_run(w->stream, w->search, RHOMB__LIST(arguments), look_groups(w),
                            w->group_size);
}

/* Groups that share a problem. */
static int32_t meet_parts(const rhomb__affine_waves *w)
{
    return w->problem_count == 1 ? MEET_PARTS : 1;
}

rhomb_status rhomb__affine_meet_begin(rhomb__affine_waves *w)
{
    rhomb_status status = RHOMB_OK;
    w->is_running = true;
    const int64_t count = w->problem_count * meet_parts(w);
    const int64_t bytes = count * (int64_t)sizeof(rhomb_affine_point);
    const rhomb_affine_point none = {RHOMB_AFFINE_APART, 0};
    if (w->points.bytes < bytes) {
        rhomb__buffer_release(w->stream, &w->points);
        RHOMB_TRY(
            rhomb__buffer_create(w->stream, bytes, "the points of affine wavefronts", &w->points));
    }
    RHOMB_CL(w->stream, clEnqueueFillBuffer(w->stream->queue, w->points.handle, &none, sizeof none,
                                            0, (size_t)bytes, 0, NULL, NULL));
out:
    return status;
}

rhomb_status rhomb__affine_meet_in(rhomb__affine_waves *w, int piece)
{
    w->is_running = true;
    const int32_t parts = meet_parts(w), only = piece;
    /* rhomb_affine_meet(problems, even, odd, points, parts, piece) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(w->problems.handle),
                                         RHOMB__ARGUMENT(w->offsets[0].handle),
                                         RHOMB__ARGUMENT(w->offsets[1].handle),
                                         RHOMB__ARGUMENT(w->points.handle),
                                         RHOMB__ARGUMENT(parts),
                                         RHOMB__ARGUMENT(only)};
    w->launches++;
    return rhomb__queue_run(w->stream, w->meet, RHOMB__LIST(arguments), w->problem_count * parts,
                            w->group_size);
}

rhomb_status rhomb__affine_meet_end(rhomb__affine_waves *w, rhomb_affine_point *points)
{
    rhomb_status status = RHOMB_OK;
    const int64_t parts = meet_parts(w), count = w->problem_count * parts;
    rhomb_affine_point *all = malloc((size_t)count * sizeof *all);
    if (all == NULL)
        return rhomb__fail_memory(&w->stream->error, (size_t)count * sizeof *all,
                                  "the points of affine wavefronts");
    RHOMB_TRY(rhomb__buffer_read(w->stream, &w->points, 0, count * sizeof *all, all));
    w->is_running = false;
    w->reads++;
    for (int64_t i = 0; i < w->problem_count; i++) {
        points[i] = all[i * parts];
        for (int64_t part = 1; part < parts; part++) {
            if (all[i * parts + part].key < points[i].key)
                points[i] = all[i * parts + part];
        }
    }
out:
    free(all);
    return status;
}

void rhomb__affine_waves_release(rhomb__affine_waves *w)
{
    cl_kernel *const kernels[] = {&w->advance, &w->look, &w->search, &w->meet};
    rhomb__buffer *buffers[] = {&w->offsets[1], &w->offsets[0], &w->points,  &w->status,
                                &w->memory,     &w->tiles,      &w->problems};
    if (w->is_running)
        clFinish(w->stream->queue);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        rhomb__kernel_release(kernels[i]);
    for (size_t i = 0; w->stream != NULL && i < sizeof buffers / sizeof buffers[0]; i++)
        rhomb__buffer_release(w->stream, buffers[i]);
    free(w->list.tiles);
    free(w->list.ends);
}
