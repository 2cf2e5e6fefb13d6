/* SPDX-License-Identifier: MIT */
/*
 * Splits subproblems, see split.h. They are sorted by distance, the largest first, so that those of
 * a kind are adjacent and none that takes long begins last. They go to the device in portions whose
 * wavefronts fit into the allowed memory: a launch for each kind of group, one more that finds
 * where the wavefronts have met, and one read.
 */
#include "host/splits/split.h"

#include <stdlib.h>

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/splits/split_kind.h"
#include "host/splits/split_known.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/planner/engine_plan.h"
#include "src/planner/launch_time.h"
#include "src/planner/profiles.h"

/* The most that a portion has, where the tuning leaves it open. */
#define PORTION_PROBLEMS (INT64_C(1) << 20)
#define PORTION_BYTES    (INT64_C(256) << 20)

_Static_assert(sizeof(rhomb_split_pair) == 40, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_split_job) == 48, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_split_point) == 24, "cl/abi.h has a record with gaps");

struct rhomb__splitter {
    rhomb_context *ctx;
    rhomb__split_source source;
    rhomb__split_kind kinds[RHOMB__SPLIT_MOST_KINDS];
    int32_t kind_count;
    int64_t portion_bytes;
    int64_t portion_cells;
    rhomb__buffer jobs;
    rhomb__buffer points;
    rhomb__buffer columns;
    rhomb__split_work work;
};

/* What goes to the device at a time: the subproblems [first, first + count) of the order. */
typedef struct portion {
    const rhomb__place *order;
    const rhomb_split_pair *pairs;
    int64_t first;
    int64_t count;
    int64_t cells;
    int64_t wavefront_bytes;
    rhomb_split_job *jobs;
    rhomb_split_point *points;
    int64_t room; /* of the two above */
} portion;

rhomb_status rhomb__splitter_open(rhomb_context *ctx, const rhomb__split_source *source,
                                  rhomb__splitter **out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_tuning *tuning = &source->tuning;
    rhomb__splitter *splitter = calloc(1, sizeof *splitter);
    *out = NULL;
    if (splitter == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *splitter, "a splitter");
    splitter->ctx = ctx;
    splitter->source = *source;
    splitter->portion_bytes = tuning->portion_bytes > 0 ? tuning->portion_bytes : PORTION_BYTES;
    splitter->portion_cells =
        tuning->portion_cells > 0
            ? tuning->portion_cells
            : rhomb__cells_in(&ctx->stream.device->rates.values, RHOMB__LAUNCH_SECONDS);
    RHOMB_TRY(rhomb__split_kinds_choose(ctx, source, splitter->kinds, &splitter->kind_count));
    *out = splitter;
    splitter = NULL;
out:
    rhomb__splitter_close(splitter);
    return status;
}

void rhomb__splitter_close(rhomb__splitter *splitter)
{
    if (splitter == NULL)
        return;
    for (int32_t i = 0; i < splitter->kind_count; i++)
        rhomb__split_kind_release(&splitter->kinds[i]);
    rhomb__buffer_release(&splitter->ctx->stream, &splitter->columns);
    rhomb__buffer_release(&splitter->ctx->stream, &splitter->points);
    rhomb__buffer_release(&splitter->ctx->stream, &splitter->jobs);
    free(splitter);
}

rhomb__split_work rhomb__splitter_work(const rhomb__splitter *splitter)
{
    return splitter->work;
}

static rhomb_status make_order(const rhomb__splitter *splitter, const rhomb_split_pair *pairs,
                               int64_t count, rhomb__place **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__place *order = calloc((size_t)count, sizeof *order);
    if (order == NULL) {
        status = rhomb__fail_memory(&splitter->ctx->stream.error, (size_t)count * sizeof *order,
                                    "the order of subproblems");
        goto out;
    }
    for (int64_t i = 0; i < count; i++) {
        RHOMB_TRY(rhomb__split_check_pair(splitter->ctx, &splitter->source, &pairs[i],
                                          RHOMB_SPLIT_LIMIT));
        order[i].size = pairs[i].distance;
        order[i].index = i;
    }
    rhomb__order_sort(order, count);
    *out = order;
    order = NULL;
out:
    free(order);
    return status;
}

static int64_t columns_bytes(const rhomb__splitter *splitter, const rhomb_split_pair *pair)
{
    const int64_t half = (pair->distance + 1) / 2;
    return RHOMB_SPLIT_COLUMNS * RHOMB_SPLIT_CELLS(half, pair->query_length, pair->target_length) *
           (splitter->source.offset_bits / 8);
}

/* Takes as many subproblems as fit, from p->first of `count` on. */
static void plan_portion(const rhomb__splitter *splitter, portion *p, int64_t count)
{
    p->count = p->cells = p->wavefront_bytes = 0;
    for (int64_t at = p->first; at < count && p->count < p->room; at++, p->count++) {
        const rhomb_split_pair *pair = &p->pairs[p->order[at].index];
        const int64_t bytes = columns_bytes(splitter, pair), cells = rhomb__split_cells(pair);
        if (p->count > 0 && (p->wavefront_bytes + bytes > splitter->portion_bytes ||
                             p->cells + cells > splitter->portion_cells))
            break;
        p->jobs[p->count].pair = *pair;
        p->jobs[p->count].columns_at = p->wavefront_bytes / (splitter->source.offset_bits / 8);
        p->wavefront_bytes += bytes;
        p->cells += cells;
    }
}

/* Makes a buffer hold at least `bytes`; its contents are lost. */
static rhomb_status hold(rhomb__splitter *splitter, rhomb__buffer *buffer, int64_t bytes,
                         const char *what)
{
    rhomb_status status = RHOMB_OK;
    if (buffer->bytes >= bytes)
        return RHOMB_OK;
    rhomb__buffer_release(&splitter->ctx->stream, buffer);
    RHOMB_TRY(rhomb__buffer_create(&splitter->ctx->stream, bytes, what, buffer));
    splitter->work.device_bytes =
        rhomb__max(splitter->work.device_bytes,
                   splitter->jobs.bytes + splitter->points.bytes + splitter->columns.bytes);
out:
    return status;
}

static rhomb_status hold_portion(rhomb__splitter *splitter, const portion *p)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(hold(splitter, &splitter->jobs, p->count * (int64_t)sizeof *p->jobs,
                   "subproblems to be split"));
    RHOMB_TRY(hold(splitter, &splitter->points, p->count * (int64_t)sizeof *p->points,
                   "the breakpoints"));
    RHOMB_TRY(hold(splitter, &splitter->columns, p->wavefront_bytes, "the columns of subproblems"));
out:
    return status;
}

/* Of rhomb__split_self_test(): with groups of one kind alone. */
static rhomb_status solve_known(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb_split_pair *pairs, int64_t count,
                                rhomb_split_point *points, const void *user)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_kind *kind = user;
    rhomb__splitter *splitter = NULL;
    rhomb__split_source known = *source;
    known.tuning.group_size = kind->group_size;
    known.tuning.in_place = kind->in_place;
    known.tuning.is_self_test = true;
    RHOMB_TRY(rhomb__splitter_open(ctx, &known, &splitter));
    RHOMB_TRY(rhomb__split_solve(splitter, pairs, count, points));
out:
    rhomb__splitter_close(splitter);
    return status;
}

/* Gets the kernels of a kind. A program that is new on a device first solves known subproblems. */
static rhomb_status make_ready(rhomb__splitter *splitter, rhomb__split_kind *kind)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_source *source = &splitter->source;
    RHOMB_TRY(rhomb__split_kind_ready(splitter->ctx, source, kind));
    if (!source->tuning.is_self_test)
        RHOMB_TRY(rhomb__split_self_test(splitter->ctx, kind->program, source->planes,
                                         source->offset_bits, solve_known, kind));
out:
    return status;
}

/*
 * Enqueues the subproblems [first, first + count) of a portion, all of one kind:
 * rhomb_split_columns(query, target, jobs, wavefronts, state, query_backward, target_backward,
 * query_length, target_length, first_job) and rhomb_split_meet(jobs, wavefronts, points,
 * first_job).
 */
static rhomb_status enqueue_kind(rhomb__splitter *splitter, rhomb__split_kind *kind,
                                 const portion *p, int64_t first, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = splitter->ctx;
    const rhomb__split_source *source = &splitter->source;
    const int64_t word = sizeof(rhomb_u32);
    const cl_long query_backward = rhomb__packed_bytes(source->query_length, source->planes) / word;
    const cl_long target_backward =
        rhomb__packed_bytes(source->target_length, source->planes) / word;
    const cl_long query_length = source->query_length, target_length = source->target_length;
    const cl_long first_job = first;
    int64_t state_bytes = 16;
    for (int64_t i = first; i < first + count && !kind->in_place; i++)
        state_bytes = rhomb__max(state_bytes, rhomb__split_state_bytes(source, &p->jobs[i].pair));
    RHOMB_TRY(make_ready(splitter, kind));
    const rhomb__argument columns[] = {RHOMB__ARGUMENT(source->query->handle),
                                       RHOMB__ARGUMENT(source->target->handle),
                                       RHOMB__ARGUMENT(splitter->jobs.handle),
                                       RHOMB__ARGUMENT(splitter->columns.handle),
                                       {(size_t)state_bytes, NULL},
                                       RHOMB__ARGUMENT(query_backward),
                                       RHOMB__ARGUMENT(target_backward),
                                       RHOMB__ARGUMENT(query_length),
                                       RHOMB__ARGUMENT(target_length),
                                       RHOMB__ARGUMENT(first_job)};
    const rhomb__argument meet[] = {
        RHOMB__ARGUMENT(splitter->jobs.handle), RHOMB__ARGUMENT(splitter->columns.handle),
        RHOMB__ARGUMENT(splitter->points.handle), RHOMB__ARGUMENT(first_job)};
    RHOMB_TRY(rhomb__queue_arguments(&ctx->stream, kind->columns, columns,
                                     sizeof columns / sizeof columns[0]));
    RHOMB_TRY(rhomb__queue_launch(&ctx->stream, kind->columns, 2 * count, kind->group_size));
    RHOMB_TRY(rhomb__queue_arguments(&ctx->stream, kind->meet, meet, sizeof meet / sizeof meet[0]));
    RHOMB_TRY(rhomb__queue_launch(&ctx->stream, kind->meet, count, kind->group_size));
    splitter->work.launches += 2;
out:
    return status;
}

/* The first kind whose groups can split a subproblem: the last one always can. */
static int32_t kind_of(const rhomb__splitter *splitter, const rhomb_split_pair *pair)
{
    const rhomb_device_info *device = &splitter->ctx->stream.device->info;
    int32_t kind = 0;
    while (kind < splitter->kind_count - 1 &&
           !rhomb__split_kind_fits(&splitter->kinds[kind], &splitter->source, device, pair))
        kind++;
    return kind;
}

static rhomb_status enqueue_portion(rhomb__splitter *splitter, portion *p, cl_event *read)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = splitter->ctx;
    cl_command_queue queue = ctx->stream.queue;
    RHOMB_CL(&ctx->stream,
             clEnqueueWriteBuffer(queue, splitter->jobs.handle, CL_FALSE, 0,
                                  (size_t)p->count * sizeof *p->jobs, p->jobs, 0, NULL, NULL));
    for (int64_t first = 0, next; first < p->count; first = next) {
        const int32_t kind = kind_of(splitter, &p->jobs[first].pair);
        next = first + 1;
        while (next < p->count && kind_of(splitter, &p->jobs[next].pair) == kind)
            next++;
        RHOMB_TRY(enqueue_kind(splitter, &splitter->kinds[kind], p, first, next - first));
    }
    RHOMB_CL(&ctx->stream,
             clEnqueueReadBuffer(queue, splitter->points.handle, CL_FALSE, 0,
                                 (size_t)p->count * sizeof *p->points, p->points, 0, NULL, read));
    RHOMB_CL(&ctx->stream, clFlush(queue));
out:
    return status;
}

/* Splits a portion and delivers its breakpoints. */
static rhomb_status run_portion(rhomb__splitter *splitter, portion *p, rhomb_split_point *points)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = splitter->ctx;
    cl_event read = NULL;
    RHOMB_TRY(hold_portion(splitter, p));
    status = enqueue_portion(splitter, p, &read);
    if (status == RHOMB_OK)
        status = rhomb__queue_wait(&ctx->stream, read);
    if (status != RHOMB_OK) { /* running commands may use the portion's memory */
        clFinish(ctx->stream.queue);
        goto out;
    }
    for (int64_t i = 0; i < p->count; i++) {
        RHOMB_TRY(rhomb__split_check_point(ctx, &p->jobs[i].pair, &p->points[i]));
        points[p->order[p->first + i].index] = p->points[i];
    }
    splitter->work.problems += p->count;
    splitter->work.cells += p->cells;
    splitter->work.portions += 1;
out:
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}

/* Memory of the host for the subproblems of any portion. */
static rhomb_status hold_host(rhomb__splitter *splitter, portion *p, int64_t count)
{
    p->room = rhomb__min(count, PORTION_PROBLEMS);
    const size_t each = sizeof *p->jobs + sizeof *p->points;
    p->jobs = malloc((size_t)p->room * sizeof *p->jobs);
    p->points = malloc((size_t)p->room * sizeof *p->points);
    splitter->work.host_bytes = rhomb__max(
        splitter->work.host_bytes, p->room * (int64_t)each + count * (int64_t)sizeof *p->order);
    if (p->jobs == NULL || p->points == NULL)
        return rhomb__fail_memory(&splitter->ctx->stream.error, (size_t)p->room * each,
                                  "subproblems to be split");
    return RHOMB_OK;
}

rhomb_status rhomb__split_solve(rhomb__splitter *splitter, const rhomb_split_pair *pairs,
                                int64_t count, rhomb_split_point *points)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_source *source = &splitter->source;
    rhomb__place *order = NULL;
    portion p = {.pairs = pairs};
    int64_t cells = 0, done = 0;
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(splitter, pairs, count, &order));
    p.order = order;
    RHOMB_TRY(hold_host(splitter, &p, count));
    for (int64_t i = 0; i < count && source->portion_done != NULL; i++)
        cells += rhomb__split_cells(&pairs[i]);
    for (; p.first < count; p.first += p.count) {
        plan_portion(splitter, &p, count);
        RHOMB_TRY(run_portion(splitter, &p, points));
        done += p.cells;
        if (source->portion_done != NULL)
            RHOMB_TRY(source->portion_done(splitter->ctx, done, cells, source->user));
    }
out:
    free(p.jobs);
    free(p.points);
    free(order);
    return status;
}
