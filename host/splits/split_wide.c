/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems side by side, see split_wide.h. A portion of them, the largest first,
 * gets two buffers of wavefronts. Then one launch after the other advances all; nothing is
 * read before the breakpoints at the end.
 */
#include "host/splits/split_wide.h"

#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "host/engines/engine.h"
#include "host/splits/split_known.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/planner/engine_plan.h"
#include "src/planner/launch_time.h"
#include "src/planner/profiles.h"
#include "src/planner/tiling.h"

#include <stdlib.h>

typedef struct wide_run {
    rhomb_context *ctx;
    const rhomb__split_source *source;
    rhomb__plan plan; /* with the tile that is used */
    const rhomb_split_pair *pairs;
    rhomb_split_point *found; /* the caller's */
    rhomb__place *order;
    cl_kernel launch;
    cl_kernel meet;
    rhomb__buffer on_device; /* subproblems */
    rhomb__buffer tiles_on_device;
    rhomb__buffer points_on_device;
    rhomb__buffer columns[2];
    /* The portion. */
    int64_t first; /* in the order */
    int64_t count;
    int64_t cells; /* of a wavefront buffer */
    int64_t tile_count;
    rhomb_split_wide *problems;
    rhomb_split_tile *tiles;
    rhomb_split_point *points;
    int64_t *rank_ends; /* the number of `tiles` of rank i or less */
    int64_t rank_count;
    /* Of the call. */
    double since_look; /* cells, of whole tiles */
    double work_done;
    double all_work;
    rhomb__split_work *work;
} wide_run;

static int64_t columns_of(const rhomb_split_pair *pair)
{
    return (pair->distance + 1) / 2;
}

static rhomb_status make_order(wide_run *b, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    b->order = malloc((size_t)count * sizeof *b->order);
    if (b->order == NULL)
        return rhomb__fail_memory(&b->ctx->stream.error, (size_t)count * sizeof *b->order,
                                  "the order of subproblems");
    for (int64_t i = 0; i < count; i++) {
        RHOMB_TRY(rhomb__split_check_pair(b->ctx, b->source, &b->pairs[i], RHOMB__MAX_LENGTH));
        const rhomb__place here = {b->pairs[i].distance, i};
        b->order[i] = here;
        b->all_work += (double)rhomb__split_cells(&b->pairs[i]);
    }
    rhomb__order_sort(b->order, count);
out:
    return status;
}

static rhomb_status get_program(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb__plan *plan, rhomb__program **out)
{
    const int32_t PLANES = source->planes;
    const int32_t OFFSET_BITS = source->offset_bits;
    const int32_t GROUP_SIZE = plan->wavefront.group_size;
    const int32_t ITEM_DIAGONALS = plan->wavefront.diagonals_per_item;
    const int32_t TILE_SCORES = plan->wavefront.tile_scores;
    const rhomb__parameter parameters[] = {RHOMB_SPLIT_WIDE_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_split_wide, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

/* Of rhomb__split_self_test(). */
static rhomb_status solve_known(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb_split_pair *pairs, int64_t count,
                                rhomb_split_point *points, const void *user)
{
    rhomb__split_work work = {0};
    rhomb__split_source known = *source;
    rhomb__plan plan = *(const rhomb__plan *)user;
    plan.wavefront.wide_group_size = 0; /* the tile under test, and no other */
    known.tuning.is_self_test = true;
    return rhomb__split_wide_solve(ctx, &known, &plan, pairs, count, points, &work);
}

static rhomb_status make_kernels(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = b->ctx;
    rhomb__program *program = NULL;
    cl_int code = CL_SUCCESS;
    do {
        rhomb__engine_fit(ctx, &b->plan);
        status = get_program(ctx, b->source, &b->plan, &program);
    } while (status != RHOMB_OK && rhomb__group_limit_lowered(ctx, b->plan.groups_given));
    if (status != RHOMB_OK)
        return status;
    if (!b->source->tuning.is_self_test)
        RHOMB_TRY(rhomb__split_self_test(ctx, program, b->source->planes, b->source->offset_bits,
                                         solve_known, &b->plan));
    RHOMB_CL_OUT(&ctx->stream, code,
                 b->launch = clCreateKernel(program->handle, "rhomb_split_wide_advance", &code));
    RHOMB_CL_OUT(&ctx->stream, code,
                 b->meet = clCreateKernel(program->handle, "rhomb_split_wide_meet", &code));
out:
    return status;
}

static int64_t tile_diagonals(const wide_run *b)
{
    return (int64_t)b->plan.wavefront.group_size * b->plan.wavefront.diagonals_per_item;
}

/* Where a subproblem's wavefronts are, after those of the subproblems before. */
static rhomb_split_wide lay_out(const wide_run *b, const rhomb_split_pair *pair)
{
    const int64_t edits = columns_of(pair);
    const int64_t below = rhomb__min(edits, pair->query_length);
    const int64_t above = rhomb__min(edits, pair->target_length);
    const rhomb_split_wide problem = {.pair = *pair,
                                      .columns_at = b->cells,
                                      .cells = below + above + 1 + tile_diagonals(b),
                                      .origin = -below - b->plan.wavefront.tile_scores};
    return problem;
}

/* Tiles for this number of diagonals. */
static int64_t tiles_for(const wide_run *b, int64_t diagonals)
{
    return rhomb__ceil_div(diagonals, tile_diagonals(b) - 2 * b->plan.wavefront.tile_scores);
}

/* Tiles that the widest launch of a subproblem has in a direction. */
static int64_t tiles_of(const wide_run *b, const rhomb_split_wide *problem)
{
    return tiles_for(b, problem->cells - tile_diagonals(b));
}

/*
 * Those of the launch from wavefront `start` on, for a subproblem that still has wavefronts left;
 * see the kernel.
 */
static int64_t tiles_after(const wide_run *b, const rhomb_split_pair *pair, int64_t start)
{
    const rhomb__tiling tiling = {
        .query_length = pair->query_length, .target_length = pair->target_length, .pruning = true};
    const int64_t last = rhomb__min(columns_of(pair), start + b->plan.wavefront.tile_scores);
    const rhomb__window window = rhomb__window_of(&tiling, start + 1, last, pair->distance);
    return tiles_for(b, window.high - window.low + 1);
}

/* Takes as many subproblems as fit, from b->first of `count` on. */
static void plan_portion(wide_run *b, int64_t count)
{
    const int64_t bytes = b->source->offset_bits / 8;
    const int64_t most = rhomb__max(b->source->tuning.portion_bytes, 1) / (2 * bytes);
    b->count = b->cells = b->tile_count = b->rank_count = 0;
    for (int64_t at = b->first; at < count; at++, b->count++) {
        const rhomb_split_wide problem = lay_out(b, &b->pairs[b->order[at].index]);
        if (b->count > 0 && b->cells + 2 * problem.cells > most)
            break;
        b->cells += 2 * problem.cells;
        b->tile_count += 2 * tiles_of(b, &problem);
        b->rank_count = rhomb__max(b->rank_count, tiles_of(b, &problem));
    }
}

static rhomb_status allocate_host(wide_run *b)
{
    b->problems = malloc((size_t)b->count * sizeof *b->problems);
    b->points = malloc((size_t)b->count * sizeof *b->points);
    b->rank_ends = calloc((size_t)b->rank_count, sizeof *b->rank_ends);
    b->tiles = malloc((size_t)b->tile_count * sizeof *b->tiles);
    if (b->problems != NULL && b->points != NULL && b->rank_ends != NULL && b->tiles != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&b->ctx->stream.error,
                              (size_t)b->count * (sizeof *b->problems + sizeof *b->points) +
                                  (size_t)b->rank_count * sizeof *b->rank_ends +
                                  (size_t)b->tile_count * sizeof *b->tiles,
                              "subproblems to be split");
}

/*
 * Lists the groups of a launch by rank. So a launch has the groups that its wavefronts need, and
 * few more, and starts with the middle of each subproblem: the path that leads is there, and takes
 * longest.
 */
static void list_tiles(wide_run *b)
{
    int64_t before = 0;
    for (int64_t i = 0; i < b->count; i++) {
        for (int64_t rank = tiles_of(b, &b->problems[i]); rank-- > 0;)
            b->rank_ends[rank] += 2;
    }
    for (int64_t rank = 0; rank < b->rank_count; rank++) {
        const int64_t here = b->rank_ends[rank];
        b->rank_ends[rank] = before;
        before += here;
    }
    for (int64_t i = 0; i < b->count; i++) {
        const int64_t tiles = 2 * tiles_of(b, &b->problems[i]);
        for (int64_t t = 0; t < tiles; t++) {
            const rhomb_split_tile tile = {(rhomb_u32)i, (rhomb_u32)t};
            b->tiles[b->rank_ends[t / 2]++] = tile;
        }
    }
}

/* Describes the subproblems of the portion, and the groups of a launch. */
static void describe(wide_run *b)
{
    b->cells = 0;
    for (int64_t i = 0; i < b->count; i++) {
        b->problems[i] = lay_out(b, &b->pairs[b->order[b->first + i].index]);
        b->cells += 2 * b->problems[i].cells;
    }
    list_tiles(b);
}

static rhomb_status fill_columns(const wide_run *b, const rhomb__buffer *columns)
{
    rhomb_status status = RHOMB_OK;
    const int64_t none64 = -INT64_C(0x4000000000000000);
    const int32_t none32 = -0x40000000;
    const bool wide = b->source->offset_bits == 64;
    RHOMB_CL(&b->ctx->stream,
             clEnqueueFillBuffer(b->ctx->stream.queue, columns->handle,
                                 wide ? (const void *)&none64 : (const void *)&none32,
                                 wide ? sizeof none64 : sizeof none32, 0, (size_t)columns->bytes, 0,
                                 NULL, NULL));
out:
    return status;
}

static rhomb_status send_portion(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = b->ctx;
    const cl_command_queue queue = ctx->stream.queue;
    const int64_t wavefront_bytes = b->cells * (b->source->offset_bits / 8);
    const size_t problem_bytes = (size_t)b->count * sizeof *b->problems;
    const size_t tile_bytes = (size_t)b->tile_count * sizeof *b->tiles;
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, (int64_t)problem_bytes, "subproblems to be split",
                                   &b->on_device));
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, (int64_t)tile_bytes, "the tiles of subproblems",
                                   &b->tiles_on_device));
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, b->count * (int64_t)sizeof *b->points,
                                   "the breakpoints", &b->points_on_device));
    for (int i = 0; i < 2; i++) {
        RHOMB_TRY(rhomb__buffer_create(&ctx->stream, wavefront_bytes, "the columns of subproblems",
                                       &b->columns[i]));
        RHOMB_TRY(fill_columns(b, &b->columns[i]));
    }
    RHOMB_CL(&ctx->stream, clEnqueueWriteBuffer(queue, b->on_device.handle, CL_FALSE, 0,
                                                problem_bytes, b->problems, 0, NULL, NULL));
    RHOMB_CL(&ctx->stream, clEnqueueWriteBuffer(queue, b->tiles_on_device.handle, CL_FALSE, 0,
                                                tile_bytes, b->tiles, 0, NULL, NULL));
out:
    return status;
}

/* The launch from wavefront `start` on, number `turn` of the portion, by the first `groups`. */
static rhomb_status launch_tiles(wide_run *b, int64_t start, int64_t turn, int64_t groups)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_split_whole whole = rhomb__split_whole_of(b->source);
    const cl_long from = start;
    /* rhomb_split_wide_advance(query, target, problems, tiles, before, after, whole, start) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(b->source->query->handle),
                                         RHOMB__ARGUMENT(b->source->target->handle),
                                         RHOMB__ARGUMENT(b->on_device.handle),
                                         RHOMB__ARGUMENT(b->tiles_on_device.handle),
                                         RHOMB__ARGUMENT(b->columns[turn % 2].handle),
                                         RHOMB__ARGUMENT(b->columns[1 - turn % 2].handle),
                                         RHOMB__ARGUMENT(whole),
                                         RHOMB__ARGUMENT(from)};
    RHOMB_TRY(rhomb__queue_arguments(&b->ctx->stream, b->launch, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(
        rhomb__queue_launch(&b->ctx->stream, b->launch, groups, b->plan.wavefront.group_size));
    b->work->launches++;
out:
    return status;
}

/* Waits for what is enqueued, and reports the progress to the caller, who may stop it. */
static rhomb_status look(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_source *source = b->source;
    RHOMB_TRY(rhomb__queue_finish(&b->ctx->stream));
    b->work_done += b->since_look;
    b->since_look = 0;
    if (source->portion_done != NULL)
        RHOMB_TRY(source->portion_done(b->ctx, (int64_t)b->work_done, (int64_t)b->all_work,
                                       source->user));
out:
    return status;
}

static double cells_a_look(const wide_run *b)
{
    if (b->source->tuning.portion_cells > 0)
        return (double)b->source->tuning.portion_cells;
    return (double)rhomb__cells_in(&b->ctx->stream.device->rates.values, RHOMB__LOOK_SECONDS);
}

/*
 * Groups of the launch from `start` on, in which the first `active` subproblems have wavefronts
 * left; *work counts those that find a tile to compute.
 */
static int64_t groups_after(const wide_run *b, int64_t active, int64_t start, int64_t *work)
{
    int64_t ranks = 1;
    *work = 0;
    for (int64_t i = 0; i < active; i++) {
        const int64_t tiles = tiles_after(b, &b->problems[i].pair, start);
        ranks = rhomb__max(ranks, tiles);
        *work += 2 * tiles;
    }
    return b->rank_ends[ranks - 1];
}

/* All launches of the portion. */
static rhomb_status run_launches(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    const int64_t most = columns_of(&b->problems[0].pair), columns = b->plan.wavefront.tile_scores;
    const double tile_cells = (double)(tile_diagonals(b) - 2 * columns) * (double)columns;
    const double most_cells = cells_a_look(b);
    int64_t active = b->count, turn = 0;
    for (int64_t start = -1; start < most; start += columns, turn++) {
        while (active > 0 && columns_of(&b->problems[active - 1].pair) <= start)
            active--;
        int64_t work;
        const int64_t groups = groups_after(b, active, start, &work);
        RHOMB_TRY(launch_tiles(b, start, turn, groups));
        b->since_look += (double)work * tile_cells;
        if (turn % 64 == 63)
            RHOMB_CL(&b->ctx->stream, clFlush(b->ctx->stream.queue));
        if (b->since_look > most_cells)
            RHOMB_TRY(look(b));
    }
out:
    return status;
}

static rhomb_status read_points(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = b->ctx;
    /* rhomb_split_wide_meet(problems, even, odd, points) */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(b->on_device.handle), RHOMB__ARGUMENT(b->columns[0].handle),
        RHOMB__ARGUMENT(b->columns[1].handle), RHOMB__ARGUMENT(b->points_on_device.handle)};
    RHOMB_TRY(rhomb__queue_arguments(&ctx->stream, b->meet, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(&ctx->stream, b->meet, b->count, b->plan.wavefront.group_size));
    b->work->launches++;
    RHOMB_CL(&ctx->stream,
             clEnqueueReadBuffer(ctx->stream.queue, b->points_on_device.handle, CL_TRUE, 0,
                                 (size_t)b->count * sizeof *b->points, b->points, 0, NULL, NULL));
    for (int64_t i = 0; i < b->count; i++) {
        RHOMB_TRY(rhomb__split_check_point(ctx, &b->problems[i].pair, &b->points[i]));
        b->found[b->order[b->first + i].index] = b->points[i];
        b->work->cells += rhomb__split_cells(&b->problems[i].pair);
    }
    b->work->problems += b->count;
    b->work->portions++;
out:
    return status;
}

static void release_portion(wide_run *b)
{
    for (int i = 0; i < 2; i++)
        rhomb__buffer_release(&b->ctx->stream, &b->columns[i]);
    rhomb__buffer_release(&b->ctx->stream, &b->points_on_device);
    rhomb__buffer_release(&b->ctx->stream, &b->tiles_on_device);
    rhomb__buffer_release(&b->ctx->stream, &b->on_device);
    free(b->problems);
    free(b->points);
    free(b->tiles);
    free(b->rank_ends);
    b->problems = NULL;
    b->points = NULL;
    b->tiles = NULL;
    b->rank_ends = NULL;
}

static rhomb_status run_portion(wide_run *b)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(allocate_host(b));
    describe(b);
    RHOMB_TRY(send_portion(b));
    RHOMB_TRY(run_launches(b));
    RHOMB_TRY(read_points(b));
out:
    if (status != RHOMB_OK) /* running commands may use the portion's memory */
        clFinish(b->ctx->stream.queue);
    release_portion(b);
    return status;
}

/*
 * The tile for all subproblems together, which were checked. On average the two directions of one
 * have as many diagonals as its distance, and twice as many in their last wavefront.
 */
static rhomb__plan choose_tile(const rhomb__plan *plan, const rhomb_split_pair *pairs,
                               int64_t count)
{
    int64_t diagonals = 0;
    for (int64_t i = 0; i < count && diagonals < plan->wavefront.wide_diagonals; i++)
        diagonals += pairs[i].distance;
    return plan->wavefront.wide_group_size > 0 && diagonals >= plan->wavefront.wide_diagonals
               ? rhomb__plan_wide(plan)
               : *plan;
}

rhomb_status rhomb__split_wide_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                     const rhomb__plan *plan, const rhomb_split_pair *pairs,
                                     int64_t count, rhomb_split_point *points,
                                     rhomb__split_work *work)
{
    rhomb_status status = RHOMB_OK;
    wide_run b = {.ctx = ctx, .source = source, .pairs = pairs, .found = points, .work = work};
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(&b, count));
    b.plan = choose_tile(plan, pairs, count);
    RHOMB_TRY(make_kernels(&b));
    for (; b.first < count; b.first += b.count) {
        plan_portion(&b, count);
        RHOMB_TRY(run_portion(&b));
    }
out:
    if (b.launch != NULL)
        clReleaseKernel(b.launch);
    if (b.meet != NULL)
        clReleaseKernel(b.meet);
    free(b.order);
    return status;
}
