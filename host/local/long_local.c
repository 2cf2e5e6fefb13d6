/* SPDX-License-Identifier: MIT */
/*
 * The sweeps of one long pair, see long_local.h. The host enqueues launches and looks at
 * the device every tenth of a second (queue.h), for the caller's sake alone.
 */
#include "host/local/long_local.h"
#include "host/local/long_sweeper.h"

#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"

#include <stdlib.h>

/* Blocks that may be enqueued before those are counted that were pruned: their number has 32 bits.
 */
#define MOST_UNREAD (INT64_C(1) << 31)

/* The arguments that differ between launches. */
enum { JOB = 7, FIRST, STEP, TURN, TABLE, TRACE };

/* Cells of antidiagonals that are looked at together. */
#define TOPS_READ (INT64_C(1) << 20)

/* What RHOMB_MODE is for a z-drop. */
#define MODE_DROPS 4

/* The symbols of a packed sequence before those of its reverse, and those before its first one. */
static int64_t packed_symbols(const rhomb__sweeper *s, int64_t length)
{
    return rhomb__packed_bytes(length, s->task->plan.planes) /
           rhomb__unit_bytes(s->task->plan.planes) * RHOMB_WORD_SYMBOLS;
}

/* Bytes of a buffer, other than those of the sequences. */
static int64_t buffer_bytes(const rhomb__long_shape *shape, int buffer, int64_t n, int64_t m)
{
    switch (buffer) {
    case SWEEPER_BORDER:
        return rhomb__long_border_bytes(shape, n);
    case SWEEPER_STATE:
        return rhomb__long_state_bytes(shape, m);
    case SWEEPER_CELLS:
        return (rhomb__long_strips(shape, m) + 1) * (int64_t)sizeof(rhomb_long_local_cell);
    case SWEEPER_TOPS:
        return shape->drops ? (n + m + 1) * 2 * (int64_t)sizeof(rhomb_i32) : 0;
    default:
        return (int64_t)sizeof(rhomb_long_local_status);
    }
}

int64_t rhomb__long_local_bytes(const rhomb__long_shape *shape, int32_t planes, int64_t n,
                                int64_t m)
{
    int64_t all = rhomb__windows_bytes(n, planes, 2) + rhomb__windows_bytes(m, planes, 2);
    for (int buffer = SWEEPER_BORDER; buffer < SWEEPER_BUFFERS; buffer++)
        all += buffer_bytes(shape, buffer, n, m);
    return all;
}

rhomb_status rhomb__sweeper_make_buffers(rhomb__sweeper *s)
{
    static const char *const WHAT[SWEEPER_BUFFERS] = {[SWEEPER_BORDER] = "the border of strips",
                                                      [SWEEPER_STATE] = "the rows of strips",
                                                      [SWEEPER_CELLS] = "the best cells of strips",
                                                      [SWEEPER_TOPS] =
                                                          "the best cells of antidiagonals",
                                                      [SWEEPER_STATUS] = "the best score"};
    rhomb_status status = RHOMB_OK;
    const int64_t n = s->task->target_length, m = s->task->query_length;
    const rhomb_device_info *device = &s->stream->device->info;
    const int64_t all = rhomb__long_local_bytes(&s->shape, s->task->plan.planes, n, m);
    if (all > device->memory_bytes)
        return rhomb__fail(&s->stream->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: an alignment of %lld and %lld bases by scores needs "
                           "%lld bytes, and the device has %lld",
                           device->name, (long long)n, (long long)m, (long long)all,
                           (long long)device->memory_bytes);
    for (int buffer = SWEEPER_BORDER; buffer < SWEEPER_BUFFERS; buffer++) {
        const int64_t rows = buffer == SWEEPER_BORDER ? 1 + s->kept : 1;
        const int64_t bytes = rows * buffer_bytes(&s->shape, buffer, n, m);
        if (bytes > 0)
            RHOMB_TRY(rhomb__buffer_create(s->stream, bytes, WHAT[buffer], &s->buffers[buffer]));
    }
out:
    return status;
}

rhomb_status rhomb__sweeper_send(rhomb__sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__work_clock(s->ctx);
    RHOMB_TRY(
        rhomb__task_pack(s->ctx, s->task, &s->buffers[SWEEPER_TARGET], &s->buffers[SWEEPER_QUERY]));
    s->report->seconds_transfer = rhomb__work_clock(s->ctx) - began;
out:
    return status;
}

rhomb_status rhomb__sweeper_build(rhomb__sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    rhomb__program *program = NULL;
    const int32_t PLANES = s->task->plan.planes, GROUP_SIZE = s->shape.group_size;
    const int32_t ITEM_ROWS = s->shape.item_rows, LANES = s->shape.lanes;
    const int32_t PIECES = s->shape.pieces,
                  MODE = rhomb__long_drops(s->mode) ? MODE_DROPS : (int32_t)s->mode->mode,
                  MATRIX = s->task->scoring.matrix != NULL, PATH = s->traces;
    const rhomb__parameter parameters[] = {RHOMB_LONG_LOCAL_PARAMS(RHOMB__PARAMETER)};
    RHOMB_TRY(rhomb__program_with(s->ctx, &rhomb__source_long_local, parameters,
                                  sizeof parameters / sizeof parameters[0], &program));
    if (!s->traces) /* the score of each path tells whether it is one */
        RHOMB_TRY(rhomb__long_self_test(s->ctx, s->task, s->mode, program));
    if (s->kernel != NULL)
        clReleaseKernel(s->kernel);
    s->kernel = NULL;
    s->program = program;
    RHOMB_CL_OUT(s->stream, code,
                 s->kernel = clCreateKernel(program->handle, "rhomb_long_local", &code));
out:
    return status;
}

static double cells_of_block(const rhomb__sweeper *s)
{
    const rhomb__long_shape *shape = &s->shape;
    return (double)shape->items * shape->item_rows * shape->steps * shape->columns;
}

/* A bound on the penalty of the parts: that of the whole sequences. */
static int64_t most_penalty(const rhomb__sweeper *s)
{
    return s->task->plan.upper_bound * s->task->plan.costs.unit;
}

/* Of rhomb__build_watch. */
static rhomb_status tell_build(rhomb_context *ctx, void *user)
{
    const rhomb__sweeper *s = user;
    const rhomb_progress building = {.upper_bound = most_penalty(s),
                                     .seconds = rhomb__now() - s->began,
                                     .eta_seconds = -1,
                                     .building = true};
    if (s->progress == NULL || s->progress(&building, s->user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED,
                       "stopped before a kernel was built");
}

/* Counts what was pruned; waits for all launches. */
static rhomb_status count_pruned(rhomb__sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb_long_local_status now;
    RHOMB_TRY(rhomb__queue_finish(s->stream));
    RHOMB_CL(s->stream, clEnqueueReadBuffer(s->stream->queue, s->buffers[SWEEPER_STATUS].handle,
                                            CL_TRUE, 0, sizeof now, &now, 0, NULL, NULL));
    s->pruned_cells += (int64_t)(now.pruned - s->pruned) * (int64_t)cells_of_block(s);
    s->pruned = now.pruned;
    s->enqueued = 0;
out:
    return status;
}

/* Tells the caller how far a sweep is. */
static rhomb_status look(rhomb__sweeper *s, double share)
{
    rhomb_status status = RHOMB_OK;
    const double seconds = rhomb__now() - s->began;
    const double fraction = s->done + (s->until - s->done) * share;
    const rhomb_progress progress = {.upper_bound = most_penalty(s),
                                     .fraction = fraction,
                                     .seconds = seconds,
                                     .eta_seconds =
                                         fraction > 0.01 ? seconds / fraction - seconds : -1,
                                     .cells_per_second = s->rate};
    if (s->progress != NULL && s->progress(&progress, s->user) != 0)
        status = rhomb__fail(&s->stream->error, RHOMB_ERR_CANCELLED, "stopped while sweeping");
    return status;
}

/* Launches the strips [first, end), in parts that take as long as a launch may. */
static rhomb_status launch(rhomb__sweeper *s, int64_t first, int64_t end, int64_t step,
                           int64_t *parts, bool *look_now)
{
    rhomb_status status = RHOMB_OK;
    const int64_t lag = rhomb__long_lag(&s->shape);
    const double most = RHOMB__LAUNCH_SECONDS * s->rate / cells_of_block(s);
    const int64_t units = rhomb__max(s->stream->device->info.compute_units, 1);
    const int64_t groups_most = most < 0x1p40 ? rhomb__max((int64_t)most, units) : INT64_C(1) << 40;
    while (first < end) {
        const int64_t groups = rhomb__min(end - first, groups_most);
        const rhomb_i32 strip = (rhomb_i32)first, at = (rhomb_i32)step;
        int64_t behind = -1;
        RHOMB_CL(s->stream, clSetKernelArg(s->kernel, FIRST, sizeof strip, &strip));
        RHOMB_CL(s->stream, clSetKernelArg(s->kernel, STEP, sizeof at, &at));
        RHOMB_TRY(rhomb__queue_launch(s->stream, s->kernel, groups, s->shape.group_size));
        s->report->launches++;
        s->enqueued += groups;
        s->swept += groups * (int64_t)cells_of_block(s);
        *parts += 1;
        RHOMB_TRY(rhomb__pace_launched(s->stream, &s->pace,
                                       (double)groups * cells_of_block(s) / s->rate, &behind));
        *look_now = *look_now || behind >= 0;
        first += groups;
        step -= groups * lag;
    }
out:
    return status;
}

/* Where the device turns out to be slower than its profile, launches get fewer groups. */
static void slow_down(rhomb__sweeper *s, int64_t groups)
{
    const double rate = s->pace.launches_per_second * (double)groups * cells_of_block(s);
    if (rate > 1 && rate < s->rate)
        s->rate = rate;
}

static rhomb_status begin_sweep(rhomb__sweeper *s, int32_t best)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_long_local_status fresh = {.best = {best, best}};
    /*
     * rhomb_long_local(query, target, border, state, cells, status, tops, job, first, step, turn),
     * and with a matrix its scores
     */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(s->buffers[SWEEPER_QUERY].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_TARGET].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_BORDER].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_STATE].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_CELLS].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_STATUS].handle),
                                         RHOMB__ARGUMENT(s->buffers[SWEEPER_TOPS].handle),
                                         RHOMB__ARGUMENT(s->job)};
    rhomb_matrix_scores table;
    s->launches = rhomb__long_launches(&s->shape, s->n, s->m);
    s->pruned = 0;
    s->pruned_cells = s->enqueued = s->swept = 0;
    RHOMB_TRY(rhomb__queue_arguments(s->stream, s->kernel, arguments, JOB + 1));
    if (s->task->scoring.matrix != NULL) {
        rhomb__matrix_table(s->task->scoring.matrix, s->task->codes.code, &table);
        RHOMB_CL(s->stream, clSetKernelArg(s->kernel, TABLE, sizeof table, &table));
        if (s->traces)
            RHOMB_CL(s->stream,
                     clSetKernelArg(s->kernel, TRACE, sizeof s->trace.handle, &s->trace.handle));
    }
    RHOMB_CL(s->stream, clEnqueueWriteBuffer(s->stream->queue, s->buffers[SWEEPER_STATUS].handle,
                                             CL_TRUE, 0, sizeof fresh, &fresh, 0, NULL, NULL));
out:
    return status;
}

/* The best cell of all strips and, of extensions with a bonus, that of the last row. */
static rhomb_status read_best(rhomb__sweeper *s, rhomb_long_local_cell *best,
                              rhomb_long_local_cell *end)
{
    rhomb_status status = RHOMB_OK;
    const size_t strips = (size_t)rhomb__long_strips(&s->shape, s->m);
    const bool has_end =
        s->mode->mode == RHOMB_MODE_EXTEND && s->job.last_row > 0 && s->job.last_row <= s->m;
    const size_t count = strips + (has_end ? 1 : 0);
    rhomb_long_local_cell *cells = malloc(count * sizeof *cells);
    if (cells == NULL)
        return rhomb__fail_memory(&s->stream->error, count * sizeof *cells,
                                  "the best cells of strips");
    RHOMB_CL(s->stream,
             clEnqueueReadBuffer(s->stream->queue, s->buffers[SWEEPER_CELLS].handle, CL_TRUE, 0,
                                 count * sizeof *cells, cells, 0, NULL, NULL));
    *best = cells[0];
    *end = (rhomb_long_local_cell){0, 0, 0, 0};
    for (size_t i = 1; i < strips; i++)
        if (rhomb__long_is_before(s->mode->mode, &cells[i], best))
            *best = cells[i];
    if (count > strips)
        *end = cells[strips];
out:
    free(cells);
    return status;
}

static rhomb_status wrong(const rhomb__sweeper *s, const rhomb_long_local_cell *cell)
{
    return rhomb__fail(&s->stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the best cell of an alignment is (%d, %d) with score %d",
                       s->stream->device->info.name, (int)cell->row, (int)cell->column,
                       (int)cell->score);
}

/* Looks at the cells of the antidiagonals up to `last`, unless the extension has stopped. */
static rhomb_status look_at_tops(rhomb__sweeper *s, int64_t last)
{
    rhomb_status status = RHOMB_OK;
    const size_t bytes = 2 * sizeof(rhomb_i32);
    const int64_t match = s->job.scoring.match;
    rhomb_i32 *tops = malloc((size_t)TOPS_READ * bytes);
    if (tops == NULL)
        return rhomb__fail_memory(&s->stream->error, (size_t)TOPS_READ * bytes,
                                  "the best cells of antidiagonals");
    while (s->drop.looked_at < last && !s->drop.dropped) {
        const int64_t first = s->drop.looked_at + 1;
        const int64_t count = rhomb__min(last - first + 1, TOPS_READ);
        RHOMB_CL(s->stream, clEnqueueReadBuffer(s->stream->queue, s->buffers[SWEEPER_TOPS].handle,
                                                CL_TRUE, (size_t)first * bytes,
                                                (size_t)count * bytes, tops, 0, NULL, NULL));
        for (int64_t i = 0; i < count && !s->drop.dropped; i++) {
            const int64_t row = tops[2 * i + 1], column = first + i - row;
            const rhomb_long_local_cell top = {tops[2 * i], (rhomb_i32)column, (rhomb_i32)row, 0};
            if (row < 1 || row > s->m || column < 1 || column > s->n || top.score < 1 ||
                top.score > s->job.credit + rhomb__min(row, column) * match) {
                status = wrong(s, &top);
                goto out;
            }
            rhomb__long_drop_take(&s->drop, &s->task->scoring, s->mode->z_drop,
                                  (int64_t)top.score - s->job.credit, row);
        }
    }
out:
    free(tops);
    return status;
}

/* What an extension with a z-drop comes to; `end` is the best cell of the last row. */
static void take_drop(const rhomb__sweeper *s, rhomb_long_local_cell *best,
                      rhomb_long_local_cell *end)
{
    *best = (rhomb_long_local_cell){.score = (rhomb_i32)(s->drop.score + s->job.credit),
                                    .column = (rhomb_i32)s->drop.column,
                                    .row = (rhomb_i32)s->drop.row};
    if (s->drop.dropped)
        *end = (rhomb_long_local_cell){0, 0, 0, 0};
}

/*
 * Sweeps for s->job, whose score is at least `best`: the best cell, borders included, and that of
 * the last row, see read_best().
 */
rhomb_status rhomb__sweeper_run(rhomb__sweeper *s, int32_t best, rhomb_long_local_cell *found,
                                rhomb_long_local_cell *end)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_long_local_cell border =
        rhomb__long_border_end(s->mode, &s->task->scoring, &s->job);
    *found = border;
    *end = (rhomb_long_local_cell){0, 0, 0, 0};
    s->n = s->job.target_length;
    s->m = s->job.query_length;
    if (s->n == 0 || s->m == 0)
        return RHOMB_OK;
    s->pace = rhomb__pace_begin(0);
    s->drop = (rhomb__long_drop){.looked_at = 1};
    RHOMB_TRY(begin_sweep(s, best));
    for (int64_t l = 0; l < s->launches && !s->drop.dropped; l++) {
        const rhomb_i32 turn = (rhomb_i32)(l & 1);
        int64_t first = 0, past = 0, step = 0, parts = 0;
        bool look_now = false;
        rhomb__long_running(&s->shape, s->n, s->m, l, &first, &past, &step);
        RHOMB_CL(s->stream, clSetKernelArg(s->kernel, TURN, sizeof turn, &turn));
        RHOMB_TRY(launch(s, first, past, step, &parts, &look_now));
        if (look_now) {
            slow_down(s, (past - first) / rhomb__max(parts, 1));
            RHOMB_TRY(look(s, (double)l / (double)s->launches));
            if (s->shape.drops)
                RHOMB_TRY(look_at_tops(s, rhomb__long_complete(&s->shape, s->n, s->m, l + 1)));
        }
        if (s->enqueued > MOST_UNREAD)
            RHOMB_TRY(count_pruned(s));
    }
    RHOMB_TRY(count_pruned(s));
    RHOMB_TRY(look(s, 1));
    if (s->shape.drops)
        RHOMB_TRY(look_at_tops(s, s->n + s->m));
    RHOMB_TRY(read_best(s, found, end));
    if (s->shape.drops)
        take_drop(s, found, end);
    if (rhomb__long_is_before(s->mode->mode, &border, found))
        *found = border;
out:
    rhomb__pace_end(&s->pace);
    return status;
}

/*
 * Counts a sweep, and what an extension that stopped has left out. Blocks reach beyond the matrix,
 * so that more may be pruned than there is, or computed.
 */
static void count_cells(rhomb__sweeper *s, int64_t *cells, int64_t *pruned)
{
    *cells = s->n * s->m;
    *pruned = rhomb__min(s->drop.dropped ? *cells - s->swept : s->pruned_cells, *cells);
    *pruned = rhomb__max(*pruned, 0);
    s->report->cells += *cells;
    s->report->cells_pruned += *pruned;
}

/* Whether a cell can be the end of an alignment of the sweep, with such a score. */
static bool is_possible(const rhomb__sweeper *s, const rhomb_long_local_cell *c)
{
    const rhomb_long_local_job *job = &s->job;
    const int64_t most = rhomb__min(c->column, c->row) * (int64_t)job->scoring.match;
    const bool ends = (c->row == job->last_row && c->column >= job->first_column) ||
                      (c->column == job->last_column && c->row >= job->first_row);
    if (c->row < 0 || c->row > s->m || c->column < 0 || c->column > s->n ||
        c->score > job->credit + most)
        return false;
    return s->mode->mode == RHOMB_MODE_ENDS_FREE ? ends : (c->row > 0) == (c->column > 0);
}

/* What two symbols add. */
static int64_t gain_of(const rhomb__task *t, char a, char b)
{
    if (t->scoring.matrix != NULL)
        return rhomb__matrix_score(t->scoring.matrix, a, b);
    return rhomb__codes_match(&t->codes, a, b) ? t->scoring.match : -t->scoring.mismatch;
}

/* Whether the sequences have symbols that add something; then some local score is above 0. */
static bool has_match(const rhomb__task *t)
{
    bool has[256] = {false}, seen[256] = {false};
    for (int64_t j = 0; j < t->target_length; j++)
        has[(unsigned char)t->target[j]] = true;
    for (int64_t i = 0; i < t->query_length; i++) {
        const unsigned char own = (unsigned char)t->query[i];
        for (int byte = 0; byte < 256 && !seen[own]; byte++)
            if (has[byte] && gain_of(t, (char)own, (char)byte) > 0)
                return true;
        seen[own] = true;
    }
    return false;
}

/* The best score of an extension without gaps. */
static int64_t score_without_gaps(const rhomb__task *t)
{
    int64_t score = 0, best = 0;
    for (int64_t i = 0; i < rhomb__min(t->target_length, t->query_length); i++) {
        score += gain_of(t, t->target[i], t->query[i]);
        best = rhomb__max(best, score);
    }
    return best;
}

/* Where the sequences lie, and what else all sweeps have in common. */
void rhomb__sweeper_place(rhomb__sweeper *s, int64_t query_at, int64_t target_at)
{
    s->job.scoring = rhomb__batch_scoring_of(&s->task->scoring);
    s->job.steps = s->shape.steps;
    s->job.query_at = query_at + RHOMB_PAD_SYMBOLS;
    s->job.target_at = target_at + RHOMB_PAD_SYMBOLS;
}

rhomb_status rhomb__sweeper_find_end(rhomb__sweeper *s, int32_t least)
{
    rhomb_status status = RHOMB_OK;
    rhomb_pair_extent *e = s->extent;
    rhomb_long_local_cell best, end;
    int64_t cells, pruned;
    const bool extends = s->mode->mode == RHOMB_MODE_EXTEND;
    const double began = rhomb__now();
    rhomb__sweeper_place(s, 0, 0);
    RHOMB_TRY(rhomb__sweeper_run(s, least, &best, &end));
    const int64_t extended = rhomb__long_drops(s->mode) ? 0 : score_without_gaps(s->task);
    const int64_t known = extends ? s->job.credit + extended : least;
    if (!is_possible(s, &best) || best.score < known ||
        (s->mode->mode == RHOMB_MODE_LOCAL && best.score == 0 && has_match(s->task)))
        return wrong(s, &best);
    if (end.column > 0 && (int64_t)end.score + s->mode->end_bonus > best.score) {
        best = end;
        if (!is_possible(s, &best))
            return wrong(s, &best);
    }
    e->score = (int64_t)best.score - s->job.credit;
    e->target_end = best.column;
    e->query_end = best.row;
    count_cells(s, &cells, &pruned);
    s->report->seconds_end = rhomb__now() - began;
out:
    return status;
}

/* The same from the end backwards; the kernel's comment says why that is right. */
static rhomb_status find_begin(rhomb__sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb_pair_extent *e = s->extent;
    const int64_t n = s->task->target_length, m = s->task->query_length;
    rhomb_long_local_cell best, end;
    int32_t least;
    const double began = rhomb__now();
    s->done = s->until;
    s->until = 0.9;
    rhomb__long_backward(s->mode, &s->task->scoring, e, &s->job, &least);
    rhomb__sweeper_place(s, packed_symbols(s, m) + m - e->query_end,
                         packed_symbols(s, n) + n - e->target_end);
    RHOMB_TRY(rhomb__sweeper_run(s, least, &best, &end));
    if (best.score != least || !is_possible(s, &best))
        return wrong(s, &best);
    e->target_begin = e->target_end - best.column;
    e->query_begin = e->query_end - best.row;
    count_cells(s, &s->report->begin_cells, &s->report->begin_cells_pruned);
    s->report->seconds_begin = rhomb__now() - began;
out:
    return status;
}

void rhomb__sweeper_begin(rhomb__sweeper *s)
{
    s->began = rhomb__now();
    s->rate = rhomb__tuning_find(&s->stream->device->info)->local_cells_per_second;
    s->stream->bytes_peak = s->stream->bytes_in_use;
    s->watch = s->ctx->build_watch;
    s->ctx->build_watch = (rhomb__build_watch){tell_build, s};
}

void rhomb__sweeper_release(rhomb__sweeper *s)
{
    s->ctx->build_watch = s->watch;
    clFinish(s->stream->queue); /* commands may use the buffers */
    for (int i = SWEEPER_BUFFERS - 1; i >= 0; i--)
        rhomb__buffer_release(s->stream, &s->buffers[i]);
    if (s->kernel != NULL)
        clReleaseKernel(s->kernel);
}

rhomb_status rhomb__long_local_find(rhomb_context *ctx, const rhomb__task *task,
                                    const rhomb_mode_options *mode, rhomb_progress_fn progress,
                                    void *user, rhomb__long_found *found)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &ctx->stream;
    rhomb__task part = *task; /* what alignments can reach */
    rhomb__sweeper s = {.ctx = ctx,
                        .stream = stream,
                        .task = &part,
                        .mode = mode,
                        .progress = progress,
                        .user = user,
                        .report = &found->report,
                        .extent = &found->extent};
    const int64_t n = task->target_length, m = task->query_length;
    const double built = stream->device->build_seconds;
    int32_t least = 0;
    rhomb__sweeper_begin(&s);
    RHOMB_TRY(rhomb__long_forward(&stream->error, mode, &task->scoring, n, m, &s.job, &least));
    part.target_length = s.job.target_length;
    part.query_length = s.job.query_length;
    do {
        RHOMB_TRY(rhomb__long_shape_make(&stream->error, &stream->device->info, &task->tuning,
                                         &task->scoring, part.target_length,
                                         rhomb__long_drops(mode), &s.shape));
        status = n > 0 && m > 0 ? rhomb__sweeper_build(&s) : RHOMB_OK;
    } while (status != RHOMB_OK &&
             rhomb__group_limit_lowered(ctx, task->tuning.local_group_size != 0));
    if (status != RHOMB_OK)
        goto out;
    if (n > 0 && m > 0) {
        RHOMB_TRY(rhomb__sweeper_make_buffers(&s));
        RHOMB_TRY(rhomb__sweeper_send(&s));
    }
    found->report.extent = &found->extent;
    found->report.seconds_build = stream->device->build_seconds - built;
    s.until = mode->mode == RHOMB_MODE_EXTEND ? 0.9 : 0.8;
    RHOMB_TRY(rhomb__sweeper_find_end(&s, least));
    const bool whole = mode->mode == RHOMB_MODE_ENDS_FREE && mode->free_ends.query_begin == 0 &&
                       mode->free_ends.target_begin == 0 && task->scoring.matrix != NULL;
    if (mode->mode != RHOMB_MODE_EXTEND && !whole &&
        found->extent.target_end + found->extent.query_end > 0)
        RHOMB_TRY(find_begin(&s));
    found->extent.reached_end = mode->mode == RHOMB_MODE_EXTEND && found->extent.query_end == m;
    found->report.device_bytes = stream->bytes_peak;
out:
    rhomb__sweeper_release(&s);
    return status;
}
