/* SPDX-License-Identifier: MIT */
/*
 * The path of one long pair by traces, see long_local.h and cl/local/long_trace.clh. The strips of
 * the pair are swept in chunks of as many as there is memory for the trace of, from the last chunk
 * on, each only as far as the path may come to its last row. With more than one chunk the sweep
 * before them, which finds the score where that is not known, keeps the border between any two.
 * Traces and borders together take some n * sqrt(32 * m) bytes at least
 * (rhomb__long_chunk_strips()): 1 M by 1 M 5.7 GB.
 */
#include "host/local/long_local.h"
#include "host/local/long_sweeper.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/planner/fit.h"

#include <stdlib.h>

/*
 * The part of a device's memory that traces and kept borders take as a rule; of the host's memory
 * less, and never more than this.
 */
#define TRACE_SHARE      3
#define TRACE_SHARE_HOST 16
#define MOST_SHARE_HOST  2

/* What a path is in that goes on above a chunk in a gap of the first piece: F of the border. */
#define FIRST_F (RHOMB_TRACE_AFTER + RHOMB_TRACE_I)

/* Operations of a path from its end on, in segments that each go forward. */
typedef struct segments {
    uint32_t *operations;
    int64_t count, room;
    int64_t *begins; /* of each segment, and the end of the last one */
    int64_t segments;
} segments;

typedef struct pather {
    rhomb__sweeper s;
    int64_t chunk_strips, chunks, chunk_rows;
    int64_t n, m;
    int64_t known; /* the score, or RHOMB__LONG_UNKNOWN */
    rhomb__buffer operations, at;
    cl_kernel kernel;
    rhomb_long_path_at here; /* by rows and columns of the pair */
    segments found;
} pather;

static const rhomb_mode_options WHOLE = {
    sizeof WHOLE, RHOMB_MODE_ENDS_FREE, {0, 0, 0, 0}, RHOMB_NO_LIMIT, 0};

/* As many strips as have room for their trace, and for what is kept between chunks. */
static rhomb_status choose_chunks(pather *p)
{
    const rhomb__sweeper *s = &p->s;
    const rhomb_device_info *device = &s->stream->device->info;
    const bool host = device->unified_memory;
    const int64_t strips = rhomb__long_strips(&s->shape, p->m);
    const int64_t asked = s->task->tuning.chunk_strips;
    const int64_t besides = rhomb__long_local_bytes(&s->shape, s->task->plan.planes, p->n, p->m) +
                            (p->n + p->m) * (int64_t)sizeof(rhomb_u32) + s->stream->bytes_in_use;
    const rhomb__long_room room = {device->memory_bytes / (host ? TRACE_SHARE_HOST : TRACE_SHARE),
                                   device->memory_bytes / (host ? MOST_SHARE_HOST : 1) - besides,
                                   rhomb__allocation_most(device)},
                           any = {0, INT64_MAX, INT64_MAX};
    int64_t bytes = 0;
    p->chunk_strips = asked > 0 ? rhomb__min(asked, strips)
                                : rhomb__long_chunk_strips(&s->shape, p->n, p->m, &room, &bytes);
    if (p->chunk_strips == 0) {
        rhomb__long_chunk_strips(&s->shape, p->n, p->m, &any, &bytes);
        return rhomb__fail(&s->stream->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: the path of %lld and %lld bases by a substitution matrix needs "
                           "%lld bytes for traces, and there are %lld, in buffers of up to %lld",
                           device->name, (long long)p->n, (long long)p->m, (long long)bytes,
                           (long long)rhomb__max(room.most, 0), (long long)room.buffer);
    }
    p->chunk_rows = p->chunk_strips * s->shape.items * s->shape.item_rows;
    p->chunks = rhomb__ceil_div(strips, p->chunk_strips);
    return RHOMB_OK;
}

static rhomb_status make_buffers(pather *p)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    const int64_t rows = rhomb__min(p->chunk_rows, p->m);
    s->kept = (int32_t)(p->chunks > 1 ? p->chunks : 0); /* the last one after all strips */
    RHOMB_TRY(rhomb__sweeper_make_buffers(s));
    RHOMB_TRY(rhomb__buffer_create(s->stream,
                                   p->chunk_strips * rhomb__long_trace_bytes(&s->shape, p->n),
                                   "the trace of strips", &s->trace));
    RHOMB_TRY(rhomb__buffer_create(s->stream, (rows + p->n) * (int64_t)sizeof(rhomb_u32),
                                   "the operations of a path", &p->operations));
    RHOMB_TRY(rhomb__buffer_create(s->stream, sizeof p->here, "the end of a path", &p->at));
    RHOMB_TRY(rhomb__sweeper_send(s));
out:
    return status;
}

static rhomb_status wrong(const pather *p, int64_t got, int64_t expected)
{
    return rhomb__fail(&p->s.stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the score of a path is %lld, and not %lld",
                       p->s.stream->device->info.name, (long long)got, (long long)expected);
}

/* Whether a sweep without a trace comes first: for the score, and for borders between chunks. */
static bool sweeps_first(const pather *p)
{
    return p->known == RHOMB__LONG_UNKNOWN || p->chunks > 1;
}

/* The first sweep, or what the chunks take for granted then. */
static rhomb_status sweep_whole(pather *p, int64_t *score)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    const bool known = p->known != RHOMB__LONG_UNKNOWN;
    int32_t least = 0;
    RHOMB_TRY(rhomb__long_forward(&s->stream->error, &WHOLE, &s->task->scoring, p->n, p->m, &s->job,
                                  &least));
    *score = p->known;
    if (!sweeps_first(p))
        goto out;
    if (p->chunks > 1) {
        s->job.keep = (rhomb_i32)p->chunk_strips;
        s->job.kept_columns = (rhomb_i32)rhomb__ceil_div(p->n, s->shape.columns);
    }
    s->until = 0.5;
    RHOMB_TRY(rhomb__sweeper_find_end(s, known ? (int32_t)(p->known + s->job.credit) : least));
    *score = s->extent->score;
    if (known && *score != p->known)
        status = wrong(p, *score, p->known);
out:
    return status;
}

/* What the path has come to at its cell in the border that was kept above a chunk. */
static rhomb_status read_border(pather *p, int64_t chunk, int64_t *score)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeper *s = &p->s;
    const int64_t block = s->shape.columns, numbers = 1 + s->shape.pieces;
    const int64_t column = p->here.column - 1;
    /* H, F and F of the second piece, each of all columns of a block. */
    const int64_t number = p->here.in == 0 ? 0 : 1 + p->here.in - FIRST_F;
    const int64_t at = ((chunk * s->job.kept_columns + column / block) * numbers + number) * block +
                       column % block;
    rhomb_i32 value = 0;
    RHOMB_CL(s->stream,
             clEnqueueReadBuffer(s->stream->queue, s->buffers[SWEEPER_BORDER].handle, CL_TRUE,
                                 (size_t)at * sizeof value, sizeof value, &value, 0, NULL, NULL));
    *score = value;
out:
    return status;
}

static rhomb_status add_segment(pather *p, int64_t count, int64_t from)
{
    rhomb_status status = RHOMB_OK;
    segments *f = &p->found;
    if (f->count + count > f->room) {
        const int64_t room = 2 * (f->count + count) + 1024;
        uint32_t *grown = realloc(f->operations, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return rhomb__fail_memory(&p->s.stream->error, (size_t)room * sizeof *grown, "a path");
        f->operations = grown;
        f->room = room;
    }
    if (count > 0)
        RHOMB_CL(p->s.stream, clEnqueueReadBuffer(p->s.stream->queue, p->operations.handle, CL_TRUE,
                                                  (size_t)from * sizeof(uint32_t),
                                                  (size_t)count * sizeof(uint32_t),
                                                  f->operations + f->count, 0, NULL, NULL));
    f->begins[f->segments++] = f->count;
    f->count += count;
    f->begins[f->segments] = f->count;
out:
    return status;
}

/* Goes back through a chunk, which has been swept. */
static rhomb_status follow(pather *p, int64_t before)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    const int64_t room = (int64_t)s->job.query_length + s->job.target_length;
    rhomb_long_path_at at = {s->job.query_length, s->job.target_length, p->here.in, 0};
    /* rhomb_long_path(query, target, trace, operations, at, job) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(s->buffers[SWEEPER_QUERY].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_TARGET].handle),
                                         RHOMB__ARGUMENT(s->trace.handle),
                                         RHOMB__ARGUMENT(p->operations.handle),
                                         RHOMB__ARGUMENT(p->at.handle),
                                         RHOMB__ARGUMENT(s->job)};
    RHOMB_TRY(rhomb__queue_arguments(s->stream, p->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_CL(s->stream, clEnqueueWriteBuffer(s->stream->queue, p->at.handle, CL_TRUE, 0, sizeof at,
                                             &at, 0, NULL, NULL));
    RHOMB_TRY(rhomb__queue_launch(s->stream, p->kernel, 1, s->shape.group_size));
    RHOMB_CL(s->stream, clEnqueueReadBuffer(s->stream->queue, p->at.handle, CL_TRUE, 0, sizeof at,
                                            &at, 0, NULL, NULL));
    if (at.row < 0 || at.row > s->job.query_length || at.column < 0 ||
        at.column > s->job.target_length || at.operations < 0 || at.operations > room ||
        (at.column > 0 && at.in != 0 && (at.in < FIRST_F || at.in >= FIRST_F + s->shape.pieces))) {
        status = wrong(p, at.operations, room);
        goto out;
    }
    RHOMB_TRY(add_segment(p, at.operations, room - at.operations));
    p->here = (rhomb_long_path_at){(rhomb_i32)(before + at.row), at.column, at.in, 0};
out:
    return status;
}

static rhomb_status solve_chunk(pather *p, int64_t chunk, int64_t best)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    const int64_t before = chunk * p->chunk_rows, rows = p->here.row - before;
    rhomb_long_local_cell found, end;
    int64_t expected = best;
    if (chunk < p->chunks - 1)
        RHOMB_TRY(read_border(p, chunk + 1, &expected));
    s->job.query_length = s->job.first_row = s->job.last_row = (rhomb_i32)rows;
    s->job.target_length = s->job.first_column = s->job.last_column = p->here.column;
    s->job.free_rows = (rhomb_i32)-before;
    s->job.keep = 0;
    s->job.above = (rhomb_i32)chunk;
    rhomb__sweeper_place(s, before, 0);
    RHOMB_TRY(rhomb__sweeper_run(s, (int32_t)expected, &found, &end));
    if (p->here.in == 0 && found.score != expected) {
        status = wrong(p, found.score, expected);
        goto out;
    }
    status = follow(p, before);
out:
    return status;
}

/* The shape, and the programs, in groups that both allow. */
static rhomb_status choose(pather *p)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    RHOMB_TRY(rhomb__long_shape_make(&s->stream->error, &s->stream->device->info, &s->task->tuning,
                                     &s->task->scoring, p->n, false, &s->shape));
    s->traces = true;
    RHOMB_TRY(rhomb__sweeper_build(s));
    s->traces = false;
    RHOMB_TRY(choose_chunks(p));
    if (sweeps_first(p))
        RHOMB_TRY(rhomb__sweeper_build(s));
out:
    return status;
}

/* The path's kernel is in the same program as the sweep with a trace. */
static rhomb_status build_path(pather *p)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    cl_int code = CL_SUCCESS;
    s->traces = true;
    RHOMB_TRY(rhomb__sweeper_build(s));
    RHOMB_CL_OUT(s->stream, code,
                 p->kernel = clCreateKernel(s->program->handle, "rhomb_long_path", &code));
out:
    return status;
}

static rhomb_status solve(pather *p, int64_t *score)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *s = &p->s;
    rhomb_local_report of_chunks = {0}, *report = s->report;
    const double built = s->stream->device->build_seconds;
    do
        status = choose(p);
    while (status != RHOMB_OK &&
           rhomb__group_limit_lowered(s->ctx, s->task->tuning.local_group_size != 0));
    if (status != RHOMB_OK)
        goto out;
    p->found.begins = calloc((size_t)p->chunks + 1, sizeof *p->found.begins);
    if (p->found.begins == NULL)
        RHOMB_TRY(rhomb__fail_memory(&s->stream->error, (size_t)p->chunks, "a path"));
    RHOMB_TRY(make_buffers(p));
    report->seconds_build = s->stream->device->build_seconds - built;
    RHOMB_TRY(sweep_whole(p, score));
    const int64_t best = *score + s->job.credit;
    s->report = &of_chunks;
    RHOMB_TRY(build_path(p));
    for (int64_t chunk = p->chunks - 1; chunk >= 0 && p->here.column > 0; chunk--) {
        s->done = s->until;
        s->until = 1 - 0.5 * (double)chunk / (double)p->chunks;
        RHOMB_TRY(solve_chunk(p, chunk, best));
    }
out:
    s->report = report;
    return status;
}

/* The path of all segments, and what is before them; checks that they have the score. */
static rhomb_status join_segments(const pather *p, int64_t score, rhomb__path *path)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *t = p->s.task;
    rhomb__error *error = &p->s.stream->error;
    int64_t sum = 0, i = 0, j = 0;
    RHOMB_TRY(rhomb__path_append(error, path, RHOMB_CIGAR_I, p->here.row));
    RHOMB_TRY(rhomb__path_append(error, path, RHOMB_CIGAR_D, p->here.column));
    for (int64_t segment = p->found.segments - 1; segment >= 0; segment--)
        for (int64_t at = p->found.begins[segment]; at < p->found.begins[segment + 1]; at++)
            RHOMB_TRY(rhomb__path_append(error, path, p->found.operations[at] & 15,
                                         p->found.operations[at] >> 4));
    for (int64_t at = 0; at < path->count; at++) {
        const rhomb_path_op op = path->ops[at];
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op),
                      code = (int64_t)RHOMB_CIGAR_CODE(op);
        const int64_t rows = code == RHOMB_CIGAR_D ? 0 : length;
        const int64_t columns = code == RHOMB_CIGAR_I ? 0 : length;
        if (i + rows > t->query_length || j + columns > t->target_length)
            return wrong(p, i + rows, t->query_length);
        sum += rhomb_scoring_bases_score(&t->scoring, op, t->target + j, t->query + i);
        i += rows;
        j += columns;
    }
    if (sum != score || i != t->query_length || j != t->target_length)
        status = wrong(p, sum, score);
out:
    return status;
}

rhomb_status rhomb__long_trace(rhomb_context *ctx, const rhomb__task *task, int64_t known,
                               rhomb_progress_fn progress, void *user, rhomb__path *path,
                               rhomb__long_found *found)
{
    rhomb_status status = RHOMB_OK;
    int64_t score = known;
    pather p = {.s = {.ctx = ctx,
                      .stream = &ctx->stream,
                      .task = task,
                      .mode = &WHOLE,
                      .progress = progress,
                      .user = user,
                      .report = &found->report,
                      .extent = &found->extent},
                .known = known,
                .n = task->target_length,
                .m = task->query_length,
                .here = {(rhomb_i32)task->query_length, (rhomb_i32)task->target_length, 0, 0}};
    rhomb__sweeper_begin(&p.s);
    if (p.n > 0 && p.m > 0)
        RHOMB_TRY(solve(&p, &score));
    else
        RHOMB_TRY(sweep_whole(&p, &score));
    found->extent.score = score;
    RHOMB_TRY(join_segments(&p, score, path));
out:
    found->report.device_bytes = ctx->stream.bytes_peak;
    rhomb__sweeper_release(&p.s);
    rhomb__buffer_release(p.s.stream, &p.s.trace);
    rhomb__buffer_release(p.s.stream, &p.operations);
    rhomb__buffer_release(p.s.stream, &p.at);
    if (p.kernel != NULL)
        clReleaseKernel(p.kernel);
    free(p.found.operations);
    free(p.found.begins);
    return status;
}
