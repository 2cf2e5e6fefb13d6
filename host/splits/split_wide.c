/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems with unit costs side by side (cl/divide/split_wide.cl), see splitter.h.
 * A portion of them gets two buffers of wavefronts. Then one launch after the other advances all;
 * nothing is read before the breakpoints at the end.
 */
#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "host/splits/splitter.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"
#include "src/planner/tiling.h"

#include <stdlib.h>

typedef struct wide_run {
    rhomb__splitter base; /* its plan has the tile that is used */
    cl_kernel launch;
    cl_kernel meet;
    /* The portion. */
    rhomb__buffer on_device; /* subproblems */
    rhomb__buffer tiles_on_device;
    rhomb__buffer points_on_device;
    rhomb__buffer columns[2];
    int64_t cells; /* of a wavefront buffer */
    int64_t tile_count;
    rhomb_split_wide *problems;
    rhomb_split_tile *tiles;
    rhomb_split_point *points;
    int64_t *rank_ends; /* the number of `tiles` of rank i or less */
    int64_t rank_count;
} wide_run;

static int64_t columns_of(const rhomb_split_pair *pair)
{
    return (pair->distance + 1) / 2;
}

static rhomb_status check_subproblem(const rhomb__splitter *s, const rhomb_subproblem *subproblem)
{
    return rhomb__split_check_pair(s->ctx, &s->source, &subproblem->pair, RHOMB__MAX_LENGTH);
}

static double work_of(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    (void)s;
    return (double)rhomb__split_cells(pair);
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
    return rhomb__program_with(ctx, &rhomb__source_split_wide, RHOMB__LIST(parameters), out);
}

static rhomb_status make_kernels(wide_run *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *s = &w->base;
    rhomb_context *ctx = s->ctx;
    rhomb__program *program = NULL;
    do {
        rhomb__engine_fit(ctx, &s->plan);
        status = get_program(ctx, &s->source, &s->plan, &program);
    } while (status != RHOMB_OK && rhomb__group_limit_lowered(ctx, s->plan.groups_given));
    if (status != RHOMB_OK)
        return status;
    RHOMB_TRY(rhomb__split_self_test(s, program, &(rhomb__split_tuning){0}));
    RHOMB_TRY(rhomb__kernel_make(&ctx->stream, program, "rhomb_split_wide_advance", &w->launch));
    RHOMB_TRY(rhomb__kernel_make(&ctx->stream, program, "rhomb_split_wide_meet", &w->meet));
out:
    return status;
}

static int64_t tile_diagonals(const wide_run *w)
{
    return (int64_t)w->base.plan.wavefront.group_size * w->base.plan.wavefront.diagonals_per_item;
}

/* Where a subproblem's wavefronts are, after those of the subproblems before. */
static rhomb_split_wide lay_out(const wide_run *w, const rhomb_split_pair *pair)
{
    const int64_t edits = columns_of(pair);
    const int64_t below = rhomb__min(edits, pair->query_length);
    const int64_t above = rhomb__min(edits, pair->target_length);
    const rhomb_split_wide problem = {.pair = *pair,
                                      .columns_at = w->cells,
                                      .cells = below + above + 1 + tile_diagonals(w),
                                      .origin = -below - w->base.plan.wavefront.tile_scores};
    return problem;
}

/* Tiles for this number of diagonals. */
static int64_t tiles_for(const wide_run *w, int64_t diagonals)
{
    return rhomb__ceil_div(diagonals, tile_diagonals(w) - 2 * w->base.plan.wavefront.tile_scores);
}

/* Tiles that the widest launch of a subproblem has in a direction. */
static int64_t tiles_of(const wide_run *w, const rhomb_split_wide *problem)
{
    return tiles_for(w, problem->cells - tile_diagonals(w));
}

/*
 * Those of the launch from wavefront `start` on, for a subproblem that still has wavefronts left;
 * see the kernel.
 */
static int64_t tiles_after(const wide_run *w, const rhomb_split_pair *pair, int64_t start)
{
    const rhomb__tiling tiling = {
        .query_length = pair->query_length, .target_length = pair->target_length, .pruning = true};
    const int64_t last = rhomb__min(columns_of(pair), start + w->base.plan.wavefront.tile_scores);
    const rhomb__window window = rhomb__window_of(&tiling, start + 1, last, pair->distance);
    return tiles_for(w, window.high - window.low + 1);
}

static int64_t bytes_of(const rhomb__splitter *s, int64_t i)
{
    const rhomb_split_wide one = lay_out((const wide_run *)s, rhomb__splitter_pair(s, i));
    return 2 * 2 * one.cells * (s->source.offset_bits / 8);
}

/* Describes the subproblems of the portion, and makes room for the groups of a launch. */
static rhomb_status describe(wide_run *w)
{
    const size_t count = (size_t)w->base.portion;
    w->cells = w->tile_count = w->rank_count = 0;
    w->problems = malloc(count * sizeof *w->problems);
    w->points = malloc(count * sizeof *w->points);
    for (int64_t i = 0; i < w->base.portion && w->problems != NULL; i++) {
        w->problems[i] = lay_out(w, rhomb__splitter_pair(&w->base, i));
        w->cells += 2 * w->problems[i].cells;
        w->tile_count += 2 * tiles_of(w, &w->problems[i]);
        w->rank_count = rhomb__max(w->rank_count, tiles_of(w, &w->problems[i]));
    }
    w->rank_ends = calloc((size_t)w->rank_count, sizeof *w->rank_ends);
    w->tiles = malloc((size_t)w->tile_count * sizeof *w->tiles);
    if (w->problems != NULL && w->points != NULL && w->rank_ends != NULL && w->tiles != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&w->base.ctx->stream.error,
                              count * (sizeof *w->problems + sizeof *w->points) +
                                  (size_t)w->rank_count * sizeof *w->rank_ends +
                                  (size_t)w->tile_count * sizeof *w->tiles,
                              "subproblems to be split");
}

/*
 * Lists the groups of a launch by rank. So a launch has the groups that its wavefronts need, and
 * few more, and starts with the middle of each subproblem: the path that leads is there, and takes
 * longest.
 */
static void list_tiles(wide_run *w)
{
    int64_t before = 0;
    for (int64_t i = 0; i < w->base.portion; i++) {
        for (int64_t rank = tiles_of(w, &w->problems[i]); rank-- > 0;)
            w->rank_ends[rank] += 2;
    }
    for (int64_t rank = 0; rank < w->rank_count; rank++) {
        const int64_t here = w->rank_ends[rank];
        w->rank_ends[rank] = before;
        before += here;
    }
    for (int64_t i = 0; i < w->base.portion; i++) {
        const int64_t tiles = 2 * tiles_of(w, &w->problems[i]);
        for (int64_t t = 0; t < tiles; t++) {
            const rhomb_split_tile tile = {(rhomb_u32)i, (rhomb_u32)t};
            w->tiles[w->rank_ends[t / 2]++] = tile;
        }
    }
}

static rhomb_status send_portion(wide_run *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = w->base.ctx;
    const int64_t wavefront_bytes = w->cells * (w->base.source.offset_bits / 8);
    const size_t problem_bytes = (size_t)w->base.portion * sizeof *w->problems;
    const size_t tile_bytes = (size_t)w->tile_count * sizeof *w->tiles;
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, (int64_t)problem_bytes, "subproblems to be split",
                                   &w->on_device));
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, (int64_t)tile_bytes, "the tiles of subproblems",
                                   &w->tiles_on_device));
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, w->base.portion * (int64_t)sizeof *w->points,
                                   "the breakpoints", &w->points_on_device));
    for (int i = 0; i < 2; i++) {
        RHOMB_TRY(rhomb__buffer_create(&ctx->stream, wavefront_bytes, "the columns of subproblems",
                                       &w->columns[i]));
        RHOMB_TRY(rhomb__buffer_fill_offsets(&ctx->stream, &w->columns[i],
                                             w->base.source.offset_bits / 8, 0, w->cells));
    }
    RHOMB_TRY(rhomb__buffer_send(&ctx->stream, &w->on_device, problem_bytes, w->problems));
    RHOMB_TRY(rhomb__buffer_send(&ctx->stream, &w->tiles_on_device, tile_bytes, w->tiles));
out:
    return status;
}

/* The launch from wavefront `start` on, number `turn` of the portion, by the first `groups`. */
static rhomb_status launch_tiles(wide_run *w, int64_t start, int64_t turn, int64_t groups)
{
    const rhomb_split_whole whole = rhomb__split_whole_of(&w->base.source);
    const cl_long from = start;
    /* rhomb_split_wide_advance(query, target, problems, tiles, before, after, whole, start) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(w->base.source.query->handle),
                                         RHOMB__ARGUMENT(w->base.source.target->handle),
                                         RHOMB__ARGUMENT(w->on_device.handle),
                                         RHOMB__ARGUMENT(w->tiles_on_device.handle),
                                         RHOMB__ARGUMENT(w->columns[turn % 2].handle),
                                         RHOMB__ARGUMENT(w->columns[1 - turn % 2].handle),
                                         RHOMB__ARGUMENT(whole),
                                         RHOMB__ARGUMENT(from)};
    w->base.work.launches++;
    return rhomb__queue_run(&w->base.ctx->stream, w->launch, RHOMB__LIST(arguments), groups,
                            w->base.plan.wavefront.group_size);
}

/*
 * Groups of the launch from `start` on, in which the first `active` subproblems have wavefronts
 * left; *work counts those that find a tile to compute.
 */
static int64_t groups_after(const wide_run *w, int64_t active, int64_t start, int64_t *work)
{
    int64_t ranks = 1;
    *work = 0;
    for (int64_t i = 0; i < active; i++) {
        const int64_t tiles = tiles_after(w, &w->problems[i].pair, start);
        ranks = rhomb__max(ranks, tiles);
        *work += 2 * tiles;
    }
    return w->rank_ends[ranks - 1];
}

/* All launches of the portion. */
static rhomb_status run_launches(wide_run *w)
{
    rhomb_status status = RHOMB_OK;
    const int64_t most = columns_of(&w->problems[0].pair),
                  columns = w->base.plan.wavefront.tile_scores;
    const double tile_cells = (double)(tile_diagonals(w) - 2 * columns) * (double)columns;
    int64_t active = w->base.portion, turn = 0;
    for (int64_t start = -1; start < most; start += columns, turn++) {
        while (active > 0 && columns_of(&w->problems[active - 1].pair) <= start)
            active--;
        int64_t work;
        const int64_t groups = groups_after(w, active, start, &work);
        RHOMB_TRY(launch_tiles(w, start, turn, groups));
        if (turn % 64 == 63)
            RHOMB_CL(&w->base.ctx->stream, clFlush(w->base.ctx->stream.queue));
        RHOMB_TRY(rhomb__splitter_look(&w->base, (double)work * tile_cells));
    }
out:
    return status;
}

static rhomb_status read_points(wide_run *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = w->base.ctx;
    /* rhomb_split_wide_meet(problems, even, odd, points) */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(w->on_device.handle), RHOMB__ARGUMENT(w->columns[0].handle),
        RHOMB__ARGUMENT(w->columns[1].handle), RHOMB__ARGUMENT(w->points_on_device.handle)};
    RHOMB_TRY(rhomb__queue_run(&ctx->stream, w->meet, RHOMB__LIST(arguments), w->base.portion,
                               w->base.plan.wavefront.group_size));
    w->base.work.launches++;
    RHOMB_TRY(rhomb__buffer_read(&ctx->stream, &w->points_on_device, 0,
                                 w->base.portion * sizeof *w->points, w->points));
    w->base.work.cells += (int64_t)w->base.portion_work;
out:
    return status;
}

static rhomb_status run(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    wide_run *w = (wide_run *)s;
    RHOMB_TRY(describe(w));
    list_tiles(w);
    RHOMB_TRY(send_portion(w));
    RHOMB_TRY(run_launches(w));
    RHOMB_TRY(read_points(w));
out:
    return status;
}

static rhomb_status take(const rhomb__splitter *s, int64_t i, rhomb__breakpoint *breakpoint)
{
    const wide_run *w = (const wide_run *)s;
    return rhomb__split_take_point(s->ctx, &w->problems[i].pair, &w->points[i], breakpoint);
}

static void drop(rhomb__splitter *s)
{
    wide_run *w = (wide_run *)s;
    for (int i = 0; i < 2; i++)
        rhomb__buffer_release(&s->ctx->stream, &w->columns[i]);
    rhomb__buffer_release(&s->ctx->stream, &w->points_on_device);
    rhomb__buffer_release(&s->ctx->stream, &w->tiles_on_device);
    rhomb__buffer_release(&s->ctx->stream, &w->on_device);
    free(w->problems);
    free(w->points);
    free(w->tiles);
    free(w->rank_ends);
    w->problems = NULL;
    w->points = NULL;
    w->tiles = NULL;
    w->rank_ends = NULL;
}

/*
 * Chooses the tile for all subproblems together. On average the two directions of one have as many
 * diagonals as its distance, and twice as many in their last wavefront.
 */
static rhomb_status begin(rhomb__splitter *s)
{
    const int64_t cells = s->source.tuning.portion_cells;
    int64_t diagonals = 0;
    for (int64_t i = 0; i < s->count && diagonals < s->plan.wavefront.wide_diagonals; i++)
        diagonals += s->subproblems[i].pair.distance;
    if (s->plan.wavefront.wide_group_size > 0 && diagonals >= s->plan.wavefront.wide_diagonals)
        s->plan = rhomb__plan_wide(&s->plan);
    s->look_work = (double)(cells > 0 ? cells
                                      : rhomb__cells_in(&s->ctx->stream.device->rates.values,
                                                        RHOMB__LOOK_SECONDS));
    return make_kernels((wide_run *)s);
}

static void end(rhomb__splitter *s)
{
    wide_run *w = (wide_run *)s;
    rhomb__kernel_release(&w->launch);
    rhomb__kernel_release(&w->meet);
}

const rhomb__split_way rhomb__split_wide = {.splitter_bytes = sizeof(wide_run),
                                            .check = check_subproblem,
                                            .work = work_of,
                                            .begin = begin,
                                            .bytes = bytes_of,
                                            .run = run,
                                            .take = take,
                                            .drop = drop,
                                            .end = end};
