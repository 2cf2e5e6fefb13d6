/* SPDX-License-Identifier: MIT */
/*
 * Splits small subproblems with unit costs by a group each (cl/divide/split.cl), see splitter.h. In
 * the order of their distances, those for a kind of group are adjacent: a portion is a launch for
 * each kind, one more that finds where the wavefronts have met, and one read.
 */
#include "cl/params.def"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/program.h"
#include "host/device/queue.h"
#include "host/splits/splitter.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"

#include <stdlib.h>

/* The most that a portion has, where the tuning leaves it open. */
#define PORTION_BYTES (INT64_C(256) << 20)

_Static_assert(sizeof(rhomb_split_pair) == 40, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_split_job) == 48, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_split_point) == 24, "cl/abi.h has a record with gaps");

/* For wavefronts that do not fit into local memory. */
#define WIDEST_GROUP 1024

/* Local memory of a group besides its wavefronts: the runs that it follows together. */
static int64_t local_overhead(const rhomb__split_source *source)
{
    return RHOMB_MOST_RUNS * (source->offset_bits / 8 + 4) + 96;
}

/* Bytes of local memory for a subproblem's two wavefronts. */
static int64_t state_bytes_of(const rhomb__split_source *source, const rhomb_split_pair *pair)
{
    const int64_t half = (pair->distance + 1) / 2;
    return 2 * RHOMB_SPLIT_CELLS(half, pair->query_length, pair->target_length) *
           (source->offset_bits / 8);
}

/* Whether groups of this kind can take a subproblem. */
static bool kind_fits(const rhomb__split_kind *kind, const rhomb__split_source *source,
                      const rhomb_device_info *device, const rhomb_split_pair *pair)
{
    const int64_t given = source->tuning.local_bytes;
    const int64_t room =
        given > 0 ? rhomb__min(given, device->local_memory_bytes) : device->local_memory_bytes;
    return pair->distance <= kind->most_distance &&
           rhomb__max(pair->target_length, pair->query_length) <= kind->most_bases &&
           (kind->in_place || state_bytes_of(source, pair) + local_overhead(source) <= room);
}

/*
 * Fills in the kinds for a device, smallest subproblems first; the last kind takes what is left.
 * *count is their number. RHOMB_ERR_ARGUMENT for a tuning that the device does not allow.
 */
static rhomb_status choose_kinds(rhomb_context *ctx, const rhomb__split_source *source,
                                 rhomb__split_kind kinds[RHOMB__SPLIT_MOST_KINDS], int32_t *count)
{
    const rhomb_device_info *device = &ctx->stream.device->info;
    const int64_t given = source->tuning.group_size;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t last = given > 0 ? given : rhomb__group_on(device, row->split_widest_group);
    const int32_t most = last == 1 || source->tuning.in_place ? 0
                         : given > 0                          ? 1
                                                              : RHOMB__SPLIT_KINDS;
    *count = 0;
    if (given < 0 || given > WIDEST_GROUP || given > device->max_group_size)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a group of %lld items cannot split subproblems on %s", (long long)given,
                           device->name);
    for (; *count < most; (*count)++) {
        const rhomb__split_row any = {(int32_t)given, 0, 0};
        const rhomb__split_row *of = given > 0 ? &any : &row->split_kinds[*count];
        kinds[*count] = (rhomb__split_kind){
            .group_size = given > 0 ? of->group_size : rhomb__group_on(device, of->group_size),
            .most_distance = of->most_distance > 0 ? of->most_distance : RHOMB_SPLIT_LIMIT,
            .most_bases = of->most_bases > 0 ? of->most_bases : RHOMB__MAX_LENGTH};
    }
    const rhomb__split_kind rest = {.group_size = (int32_t)last,
                                    .in_place = 1,
                                    .most_distance = RHOMB_SPLIT_LIMIT,
                                    .most_bases = RHOMB__MAX_LENGTH};
    kinds[(*count)++] = rest;
    return RHOMB_OK;
}

static rhomb_status build(rhomb_context *ctx, const rhomb__split_source *source,
                          rhomb__split_kind *kind)
{
    const int32_t PLANES = source->planes;
    const int32_t OFFSET_BITS = source->offset_bits;
    const int32_t GROUP_SIZE = kind->group_size == 1 ? 1 : 0;
    const int32_t IN_PLACE = kind->in_place;
    const rhomb__parameter parameters[] = {RHOMB_SPLIT_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_split, RHOMB__LIST(parameters), &kind->program);
}

/* Makes a kernel, and the kind's groups as small as it asks for. */
static rhomb_status make_kernel(rhomb_context *ctx, rhomb__split_kind *kind, const char *name,
                                bool given, cl_kernel *kernel)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__kernel_make(&ctx->stream, kind->program, name, kernel));
    RHOMB_TRY(
        rhomb__group_limit_fit(ctx, rhomb__source_split.file, *kernel, given, &kind->group_size));
out:
    return status;
}

rhomb_status rhomb__split_kind_ready(rhomb_context *ctx, const rhomb__split_source *source,
                                     rhomb__split_kind *kind)
{
    rhomb_status status = RHOMB_OK;
    const bool given = source->tuning.group_size != 0;
    if (kind->meet != NULL)
        return RHOMB_OK;
    RHOMB_TRY(build(ctx, source, kind));
    RHOMB_TRY(make_kernel(ctx, kind, "rhomb_split_columns", given, &kind->columns));
    RHOMB_TRY(make_kernel(ctx, kind, "rhomb_split_meet", given, &kind->meet));
out:
    if (status != RHOMB_OK)
        rhomb__split_kind_release(kind);
    return status;
}

void rhomb__split_kind_release(rhomb__split_kind *kind)
{
    rhomb__kernel_release(&kind->columns);
    rhomb__kernel_release(&kind->meet);
}

typedef struct groups {
    rhomb__splitter base;
    rhomb__split_kind kinds[RHOMB__SPLIT_MOST_KINDS];
    int32_t kind_count;
    rhomb__buffer on_device; /* subproblems */
    rhomb__buffer points_on_device;
    rhomb__buffer columns;
    rhomb_split_job *jobs; /* of the portion, ... */
    rhomb_split_point *points;
} groups;

static rhomb_status open_groups(rhomb__splitter *s)
{
    groups *g = (groups *)s;
    const rhomb__split_tuning *tuning = &s->source.tuning;
    const rhomb__rate_values *rates = &s->ctx->stream.device->rates.values;
    s->most_bytes = tuning->portion_bytes > 0 ? tuning->portion_bytes : PORTION_BYTES;
    s->most_work =
        (double)(tuning->portion_cells > 0 ? tuning->portion_cells
                                           : rhomb__cells_in(rates, RHOMB__LAUNCH_SECONDS));
    return choose_kinds(s->ctx, &s->source, g->kinds, &g->kind_count);
}

static void close_groups(rhomb__splitter *s)
{
    groups *g = (groups *)s;
    for (int32_t i = 0; i < g->kind_count; i++)
        rhomb__split_kind_release(&g->kinds[i]);
    rhomb__buffer_release(&s->ctx->stream, &g->columns);
    rhomb__buffer_release(&s->ctx->stream, &g->points_on_device);
    rhomb__buffer_release(&s->ctx->stream, &g->on_device);
}

static rhomb_status check_subproblem(const rhomb__splitter *s, const rhomb_subproblem *subproblem)
{
    return rhomb__split_check_pair(s->ctx, &s->source, &subproblem->pair, RHOMB_SPLIT_LIMIT);
}

static double work_of(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    (void)s;
    return (double)rhomb__split_cells(pair);
}

static int64_t columns_bytes(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    const int64_t half = (pair->distance + 1) / 2;
    return RHOMB_SPLIT_COLUMNS * RHOMB_SPLIT_CELLS(half, pair->query_length, pair->target_length) *
           (s->source.offset_bits / 8);
}

static int64_t bytes_of(const rhomb__splitter *s, int64_t i)
{
    return columns_bytes(s, rhomb__splitter_pair(s, i));
}

/* Makes a buffer hold at least `bytes`; its contents are lost. */
static rhomb_status hold(rhomb__splitter *s, rhomb__buffer *buffer, int64_t bytes, const char *what)
{
    if (buffer->bytes >= bytes)
        return RHOMB_OK;
    rhomb__buffer_release(&s->ctx->stream, buffer);
    return rhomb__buffer_create(&s->ctx->stream, bytes, what, buffer);
}

/* Describes the portion's subproblems, and makes room for them. */
static rhomb_status describe(groups *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *s = &g->base;
    const size_t count = (size_t)s->portion;
    int64_t bytes = 0;
    g->jobs = malloc(count * sizeof *g->jobs);
    g->points = malloc(count * sizeof *g->points);
    if (g->jobs == NULL || g->points == NULL)
        return rhomb__fail_memory(&s->ctx->stream.error,
                                  count * (sizeof *g->jobs + sizeof *g->points),
                                  "subproblems to be split");
    for (int64_t i = 0; i < s->portion; i++) {
        const rhomb_split_pair *pair = rhomb__splitter_pair(s, i);
        g->jobs[i] = (rhomb_split_job){*pair, bytes / (s->source.offset_bits / 8)};
        bytes += columns_bytes(s, pair);
    }
    RHOMB_TRY(
        hold(s, &g->on_device, (int64_t)(count * sizeof *g->jobs), "subproblems to be split"));
    RHOMB_TRY(
        hold(s, &g->points_on_device, (int64_t)(count * sizeof *g->points), "the breakpoints"));
    RHOMB_TRY(hold(s, &g->columns, bytes, "the columns of subproblems"));
out:
    return status;
}

/*
 * Gets the kernels of a kind. A program that is new on a device first solves known subproblems,
 * with groups of this kind alone.
 */
static rhomb_status make_ready(const rhomb__splitter *s, rhomb__split_kind *kind)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__split_kind_ready(s->ctx, &s->source, kind));
    const rhomb__split_tuning tuning = {.group_size = kind->group_size, .in_place = kind->in_place};
    RHOMB_TRY(rhomb__split_self_test(s, kind->program, &tuning));
out:
    return status;
}

/*
 * Enqueues the subproblems [first, first + count) of a portion, all of one kind:
 * rhomb_split_columns(query, target, jobs, wavefronts, state, query_backward, target_backward,
 * query_length, target_length, first_job) and rhomb_split_meet(jobs, wavefronts, points,
 * first_job).
 */
static rhomb_status enqueue_kind(groups *g, rhomb__split_kind *kind, int64_t first, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = g->base.ctx;
    const rhomb__split_source *source = &g->base.source;
    const rhomb_split_whole whole = rhomb__split_whole_of(source);
    const cl_long first_job = first;
    int64_t state_bytes = 16;
    for (int64_t i = first; i < first + count && !kind->in_place; i++)
        state_bytes = rhomb__max(state_bytes, state_bytes_of(source, &g->jobs[i].pair));
    RHOMB_TRY(make_ready(&g->base, kind));
    const rhomb__argument columns[] = {RHOMB__ARGUMENT(source->query->handle),
                                       RHOMB__ARGUMENT(source->target->handle),
                                       RHOMB__ARGUMENT(g->on_device.handle),
                                       RHOMB__ARGUMENT(g->columns.handle),
                                       {(size_t)state_bytes, NULL},
                                       RHOMB__ARGUMENT(whole.query_backward),
                                       RHOMB__ARGUMENT(whole.target_backward),
                                       RHOMB__ARGUMENT(whole.query_length),
                                       RHOMB__ARGUMENT(whole.target_length),
                                       RHOMB__ARGUMENT(first_job)};
    const rhomb__argument meet[] = {
        RHOMB__ARGUMENT(g->on_device.handle), RHOMB__ARGUMENT(g->columns.handle),
        RHOMB__ARGUMENT(g->points_on_device.handle), RHOMB__ARGUMENT(first_job)};
    RHOMB_TRY(rhomb__queue_run(&ctx->stream, kind->columns, RHOMB__LIST(columns), 2 * count,
                               kind->group_size));
    RHOMB_TRY(
        rhomb__queue_run(&ctx->stream, kind->meet, RHOMB__LIST(meet), count, kind->group_size));
    g->base.work.launches += 2;
out:
    return status;
}

/* The first kind whose groups can split a subproblem: the last one always can. */
static int32_t kind_of(const groups *g, int64_t i)
{
    const rhomb_device_info *device = &g->base.ctx->stream.device->info;
    int32_t kind = 0;
    while (kind < g->kind_count - 1 &&
           !kind_fits(&g->kinds[kind], &g->base.source, device, &g->jobs[i].pair))
        kind++;
    return kind;
}

static rhomb_status run(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    groups *g = (groups *)s;
    rhomb__device_stream *stream = &s->ctx->stream;
    const size_t count = (size_t)s->portion;
    RHOMB_TRY(describe(g));
    RHOMB_TRY(rhomb__buffer_send(stream, &g->on_device, count * sizeof *g->jobs, g->jobs));
    for (int64_t first = 0, next; first < s->portion; first = next) {
        const int32_t kind = kind_of(g, first);
        next = first + 1;
        while (next < s->portion && kind_of(g, next) == kind)
            next++;
        RHOMB_TRY(enqueue_kind(g, &g->kinds[kind], first, next - first));
    }
    RHOMB_TRY(
        rhomb__buffer_fetch(stream, &g->points_on_device, count * sizeof *g->points, g->points));
    s->work.cells += (int64_t)s->portion_work;
out:
    return status;
}

static rhomb_status take(const rhomb__splitter *s, int64_t i, rhomb__breakpoint *breakpoint)
{
    const groups *g = (const groups *)s;
    return rhomb__split_take_point(s->ctx, &g->jobs[i].pair, &g->points[i], breakpoint);
}

static void drop(rhomb__splitter *s)
{
    groups *g = (groups *)s;
    free(g->jobs);
    free(g->points);
    g->jobs = NULL;
    g->points = NULL;
}

const rhomb__split_way rhomb__split_groups = {.splitter_bytes = sizeof(groups),
                                              .open = open_groups,
                                              .check = check_subproblem,
                                              .work = work_of,
                                              .bytes = bytes_of,
                                              .run = run,
                                              .take = take,
                                              .drop = drop,
                                              .close = close_groups};
