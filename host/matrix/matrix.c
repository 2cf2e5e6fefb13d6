/* SPDX-License-Identifier: MIT */
/*
 * Distance matrices, see rhomb/matrix.h. Pairs go in blocks, in the order of the results. Those of
 * a block that are for a batch go through it; then the block is delivered from its beginning on,
 * and all others are solved, one by one, when it is their turn. With several devices each takes
 * such a pair when it is free. The calling thread does the first one's, and alone calls back.
 */
#include "rhomb/matrix.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/context.h"
#include "host/device/each.h"
#include "host/device/program.h"
#include "host/matrix/matrix_job.h"
#include "src/base/clock.h"
#include "src/base/int64.h"

/* The first block, which tells what level finds most distances. */
#define FIRST_BLOCK 1024

/* Longer pairs are solved one by one, which tells of the progress within each. */
#define BATCHED_BASES 100000

/* Jobs of a block, for each device. */
#define BLOCK_JOBS 4

int64_t rhomb_matrix_pair(int64_t row, int64_t column)
{
    return row * (row - 1) / 2 + column;
}

/* The work of all pairs from `from` on. */
static double work_from(const rhomb__matrix *m, rhomb__batch_cell from)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    double work = 0, before = 0; /* of the columns of a row */
    for (int64_t i = 0; i < m->input.count; i++) {
        const double own = (double)s[i].length + 1;
        if (i >= from.row)
            work += before + (double)i * own;
        before += own - 1;
    }
    for (int64_t j = 0; j < from.column; j++)
        work -= (double)s[j].length + (double)s[from.row].length + 1;
    return work;
}

/* The fraction of the work that is done, with what is done of pairs that are solved alone. */
static double fraction_done(rhomb__matrix *m)
{
    pthread_mutex_lock(&m->lock);
    double done = m->work_done;
    for (int32_t i = 0; i < m->input.devices; i++)
        done += m->running[i];
    const double now = done < m->work ? done / m->work : 1;
    m->shown = now > m->shown ? now : m->shown;
    const double fraction = m->shown;
    pthread_mutex_unlock(&m->lock);
    return fraction;
}

rhomb_status rhomb__matrix_tell(rhomb__matrix *m, bool building)
{
    const rhomb_matrix_options *options = &m->input.options;
    const double fraction = fraction_done(m);
    const double worked = rhomb__work_clock(m->ctx) - m->work_began;
    const rhomb_matrix_progress now = {.pairs = m->input.end,
                                       .done = m->first + m->gone,
                                       .fraction = fraction,
                                       .seconds = rhomb__now() - m->began,
                                       .eta_seconds =
                                           fraction > 0 ? worked * (1 - fraction) / fraction : -1,
                                       .building = building};
    if (options->progress == NULL || options->progress(&now, options->progress_user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&m->ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped by the caller");
}

/* Of rhomb__build_watch. */
static rhomb_status tell_build(rhomb_context *ctx, void *user)
{
    (void)ctx;
    return rhomb__matrix_tell(user, true);
}

/* Has all devices end their work where this one has failed. Returns `status`. */
rhomb_status rhomb__matrix_end_work(rhomb__matrix *m, rhomb_status status)
{
    pthread_mutex_lock(&m->lock);
    m->stop |= status != RHOMB_OK;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return status;
}

/* Whether the batch takes a pair. */
static bool is_batched(const rhomb__matrix *m, const rhomb__batch_cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return rhomb__costs_are_edit(&m->input.costs)
               ? rhomb__batch_set_has(&m->input.set, c)
               : rhomb__max(s[c->row].length, s[c->column].length) <= BATCHED_BASES;
}

/* Takes the next pairs, and lists those that are for the batch. */
static void begin_block(rhomb__matrix *m, int64_t count)
{
    const rhomb__matrix_input *in = &m->input;
    m->first += m->count;
    m->count = rhomb__min(count, in->end - m->first);
    m->gone = m->batched_count = 0;
    for (int64_t i = 0; i < m->count; i++) {
        const rhomb__batch_cell c = m->next;
        const int64_t a = in->sequences[c.row].length, b = in->sequences[c.column].length;
        const int64_t least = rhomb__max(a, b) - rhomb__min(a, b);
        m->cells[i] = c;
        m->distances[i] = RHOMB__BATCH_UNKNOWN;
        if (rhomb__costs_are_edit(&in->costs) && in->most_edits >= 0 && least > in->most_edits)
            m->distances[i] = -1;
        else if (is_batched(m, &c)) {
            m->batched[m->batched_count] = i;
            m->batched_cells[m->batched_count++] = c;
        }
        m->next.column++;
        if (m->next.column == m->next.row)
            m->next = (rhomb__batch_cell){c.row + 1, 0};
    }
}

/* A rhomb_batch_fn. */
static int take_batched(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    rhomb__matrix *m = user;
    const int64_t unit = rhomb__costs_are_edit(&m->input.costs) ? m->input.costs.unit : 1;
    for (size_t i = 0; i < count; i++) {
        const int64_t pair = m->batched[first - m->batched_before + (int64_t)i];
        const int64_t distance = results[i]->distance;
        if (results[i]->status != RHOMB_OK) {
            m->status =
                rhomb__fail(&m->ctx->stream.error, results[i]->status, "%s", results[i]->detail);
            return 1;
        }
        m->distances[pair] = distance < 0 ? distance : distance * unit;
        if (distance != RHOMB__BATCH_UNKNOWN)
            m->work_done += rhomb__matrix_work_of(m, &m->cells[pair]);
    }
    m->status = rhomb__matrix_tell(m, false);
    return m->status != RHOMB_OK;
}

static rhomb_status open_batch(rhomb__matrix *m)
{
    const bool edit = rhomb__costs_are_edit(&m->input.costs);
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.max_distance = edit ? m->input.most_edits : m->input.options.max_distance;
    options.alphabet = m->input.options.alphabet;
    options.scoring = edit ? NULL : &m->input.scoring;
    options.tuning = edit ? &m->input.batch_tuning : NULL;
    options.results = take_batched;
    options.user = m;
    return rhomb__batch_create_of_set(m->ctx, &options, &m->input.set, &m->batch);
}

/* Solves the listed pairs; those that are beyond the kernels' limits stay unknown. */
static rhomb_status run_batch(rhomb__matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    if (m->batch == NULL)
        RHOMB_TRY(open_batch(m));
    status = rhomb__batch_add_cells(m->batch, m->batched_cells, (size_t)m->batched_count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(m->batch);
    if (m->status != RHOMB_OK)
        status = m->status;
    m->batched_before += m->batched_count;
out:
    m->report.seconds_solve +=
        rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    return status;
}

/* Delivers the known distances from the first that is left up to `end`, row by row. */
rhomb_status rhomb__matrix_deliver(rhomb__matrix *m, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_matrix_options *options = &m->input.options;
    const double began = rhomb__now();
    while (m->gone < end && status == RHOMB_OK) {
        const rhomb__batch_cell *c = &m->cells[m->gone];
        const int64_t count = rhomb__min(end - m->gone, c->row - c->column);
        for (int64_t i = m->gone; i < m->gone + count; i++)
            m->report.exceeding += m->distances[i] < 0;
        if (options->results(c->row, c->column, m->distances + m->gone, (size_t)count,
                             options->user) != 0)
            status = rhomb__fail(&m->ctx->stream.error, RHOMB_ERR_CANCELLED,
                                 "stopped while taking results");
        m->gone += count;
        m->report.pairs += count;
    }
    m->report.seconds_deliver += rhomb__now() - began;
    return status;
}

static rhomb_status run_block(rhomb__matrix *m, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    int64_t longs = 0;
    begin_block(m, count);
    for (int64_t i = 0; i < m->count; i++)
        if (m->distances[i] == -1)
            m->work_done += rhomb__matrix_work_of(m, &m->cells[i]);
    if (m->batched_count > 0)
        RHOMB_TRY(run_batch(m));
    m->next_open = 0;
    for (int64_t i = 0; i < m->count; i++)
        longs += m->distances[i] == RHOMB__BATCH_UNKNOWN;
    /* All devices share a pair that is alone. */
    RHOMB_TRY(longs > 1 ? rhomb__each_device(m->ctx, rhomb__matrix_run_longs, m)
                        : rhomb__matrix_run_longs(m->ctx, 0, m));
    status = rhomb__matrix_deliver(m, m->count);
out:
    return status;
}

/* The pair of a number. */
static rhomb__batch_cell cell_of(int64_t pair)
{
    rhomb__batch_cell c = {1, 0};
    while (rhomb_matrix_pair(c.row + 1, 0) <= pair)
        c.row++;
    c.column = pair - rhomb_matrix_pair(c.row, 0);
    return c;
}

static rhomb_status hold_block(rhomb__matrix *m)
{
    const int64_t block =
        rhomb__max(BLOCK_JOBS * m->input.set.job_pairs * m->input.devices, FIRST_BLOCK);
    m->room = rhomb__min(block, m->input.pairs) + 1;
    const size_t room = (size_t)m->room;
    m->cells = malloc(room * sizeof *m->cells);
    m->distances = malloc(room * sizeof *m->distances);
    m->batched = malloc(room * sizeof *m->batched);
    m->batched_cells = malloc(room * sizeof *m->batched_cells);
    if (m->cells != NULL && m->distances != NULL && m->batched != NULL && m->batched_cells != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&m->ctx->stream.error, room * sizeof *m->cells,
                              "a block of a matrix");
}

static rhomb_status compute(rhomb__matrix *m)
{
    rhomb_status status = RHOMB_OK;
    int64_t peak = 0;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    m->work_began = rhomb__work_clock(m->ctx);
    m->first = m->input.options.first_pair;
    m->next = cell_of(m->first);
    m->work = work_from(m, m->next) - work_from(m, cell_of(m->input.end));
    RHOMB_TRY(rhomb__matrix_input_pack(&m->input));
    m->report.pooled = m->input.set.packed;
    m->report.seconds_pack = rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    RHOMB_TRY(hold_block(m));
    for (int64_t size = FIRST_BLOCK; m->first + m->count < m->input.end; size = m->room - 1)
        RHOMB_TRY(run_block(m, rhomb__min(size, m->room - 1)));
out:
    for (int32_t i = 0; i < m->input.devices; i++)
        peak += rhomb__context_of(m->ctx, i)->stream.bytes_peak;
    m->report.seconds_build = m->ctx->stream.device->build_seconds - built;
    m->report.device_bytes = rhomb__max(m->report.device_bytes, peak);
    return status;
}

static void release(rhomb__matrix *m)
{
    if (m->batch != NULL) {
        const rhomb_batch_report *r = rhomb_batch_get_report(m->batch);
        const bool edit = rhomb__costs_are_edit(&m->input.costs);
        m->report.jobs = edit ? r->jobs : 0;
        m->report.long_pairs += edit ? 0 : r->long_pairs;
        m->report.device_bytes = rhomb__max(m->report.device_bytes, r->device_bytes);
    }
    rhomb_batch_destroy(m->batch);
    rhomb__batch_set_release(&m->input.set);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    free(m->batched_cells);
    free(m->batched);
    free(m->distances);
    free(m->cells);
}

rhomb_status rhomb_matrix_compute(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                  int64_t count, const rhomb_matrix_options *options,
                                  rhomb_matrix_report *report)
{
    rhomb_status status = RHOMB_OK;
    rhomb__matrix m = {.ctx = ctx, .began = rhomb__now()};
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.changed, NULL);
    const size_t size = report != NULL ? report->struct_size : 0;
    const rhomb__build_watch before = ctx->build_watch;
    if (report != NULL)
        RHOMB_TRY(
            rhomb__check_size(&ctx->stream.error, "rhomb_matrix_report", size, sizeof *report));
    RHOMB_TRY(rhomb__refuse_ranks(ctx, "a matrix"));
    RHOMB_TRY(rhomb__matrix_input_check(ctx, sequences, count, options, &m.input));
    ctx->build_watch = (rhomb__build_watch){tell_build, &m};
    for (int32_t i = 0; i < m.input.devices; i++)
        rhomb__context_of(ctx, i)->stream.bytes_peak =
            rhomb__context_of(ctx, i)->stream.bytes_in_use;
    status = compute(&m);
    ctx->build_watch = before;
out:
    release(&m);
    if (report != NULL && size >= sizeof report->struct_size && size <= sizeof *report) {
        m.report.seconds_total = rhomb__now() - m.began;
        memcpy(report, &m.report, size);
        report->struct_size = size;
    }
    return status;
}
