/* SPDX-License-Identifier: MIT */
/*
 * Distance matrices, see rhomb/matrix.h. Pairs go in blocks, in the order of the results. The pairs
 * of a block that the kernels take pass through their levels, in launches of a fraction of a
 * second, or with gap-affine costs through a batch; then the block is delivered from its beginning
 * on, and pairs that are for neither are solved, one by one, when it is their turn.
 *
 * With several devices each takes launches of a level, and then pairs, as it becomes free. The
 * calling thread does the first one's, and alone calls back.
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

/* With several devices a launch has at most this part of a device's share of what is left. */
#define LEFT_SHARE 2

int64_t rhomb_matrix_pair(int64_t row, int64_t column)
{
    return row * (row - 1) / 2 + column;
}

/* The work of all pairs from `from` on. */
static double work_from(const rhomb__matrix *m, rhomb__matrix_cell from)
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

/* Whether the kernels take a pair. */
static bool is_pooled(const rhomb__matrix *m, const rhomb__matrix_cell *c)
{
    const rhomb__matrix_input *in = &m->input;
    return in->words[c->row] >= 0 && in->words[c->column] >= 0 &&
           rhomb__matrix_is_short(&in->shapes[0], in->sequences[c->row].length,
                                  in->sequences[c->column].length);
}

/* Whether a batch does. */
static bool is_batched(const rhomb__matrix *m, const rhomb__matrix_cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return !rhomb__costs_are_edit(&m->input.costs) &&
           rhomb__max(s[c->row].length, s[c->column].length) <= BATCHED_BASES;
}

/* Takes the next pairs, and lists those that are for the kernels or a batch. */
static void begin_block(rhomb__matrix *m, int64_t count)
{
    const rhomb__matrix_input *in = &m->input;
    m->first += m->count;
    m->count = rhomb__min(count, in->end - m->first);
    m->gone = m->open_count = 0;
    for (int64_t i = 0; i < m->count; i++) {
        const rhomb__matrix_cell c = m->next;
        const int64_t a = in->sequences[c.row].length, b = in->sequences[c.column].length;
        const int64_t least = rhomb__max(a, b) - rhomb__min(a, b);
        m->cells[i] = c;
        m->distances[i] = RHOMB__MATRIX_UNKNOWN;
        if (rhomb__costs_are_edit(&in->costs) && in->most_edits >= 0 && least > in->most_edits)
            m->distances[i] = -1;
        else if (is_pooled(m, &c) || is_batched(m, &c))
            m->open[m->open_count++] = i;
        m->next.column++;
        if (m->next.column == m->next.row)
            m->next = (rhomb__matrix_cell){c.row + 1, 0};
    }
}

/*
 * Describes open pairs for a launch, from the first that no launch has on, and says which that is;
 * returns their number.
 */
static int64_t describe(rhomb__matrix *m, int32_t device, int64_t *from)
{
    const rhomb__matrix_input *in = &m->input;
    const rhomb__matrix_shape *shape = &in->shapes[device];
    pthread_mutex_lock(&m->lock);
    *from = m->next_open;
    const int64_t left = m->open_count - *from;
    int64_t count = 0, longest = 0, most = rhomb__min(left, shape->launch_pairs);
    if (in->devices > 1)
        most = rhomb__min(most, rhomb__max(rhomb__ceil_div(left, LEFT_SHARE * in->devices),
                                           shape->levels[m->level].groups));
    for (; count < most && !m->stop; count++) {
        const rhomb__matrix_cell *c = &m->cells[m->open[*from + count]];
        const rhomb_matrix_sequence *row = &in->sequences[c->row];
        const rhomb_matrix_sequence *column = &in->sequences[c->column];
        longest = rhomb__max(longest, rhomb__max(row->length, column->length));
        if (count >= rhomb__matrix_launch_pairs(shape, m->level, longest))
            break;
        m->solvers[device].described[count] = (rhomb_batch_pair){
            in->words[c->row] * RHOMB_WORD_SYMBOLS, in->words[c->column] * RHOMB_WORD_SYMBOLS,
            (rhomb_i32)row->length, (rhomb_i32)column->length};
    }
    m->next_open += count;
    pthread_mutex_unlock(&m->lock);
    return count;
}

/* Takes the answers of a launch: those beyond the level leave their pairs open. The others. */
static int64_t take_answers(rhomb__matrix *m, int32_t device, int64_t from, int64_t count)
{
    double done = 0;
    int64_t pairs = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t pair = m->open[from + i];
        const int64_t distance = m->solvers[device].answered[i].distance;
        if (distance == RHOMB_BATCH_BEYOND)
            continue;
        m->distances[pair] = distance < 0 ? -1 : distance * m->input.costs.unit;
        done += rhomb__matrix_work_of(m, &m->cells[pair]);
        pairs++;
    }
    pthread_mutex_lock(&m->lock);
    m->work_done += done;
    pthread_mutex_unlock(&m->lock);
    return pairs;
}

/* A rhomb__device_fn: launches of the level. */
static rhomb_status run_launches(rhomb_context *device, int32_t index, void *user)
{
    rhomb__matrix *m = user;
    rhomb_status status = RHOMB_OK;
    int64_t from, count;
    while ((count = describe(m, index, &from)) > 0) {
        const double began = rhomb__now();
        RHOMB_TRY(rhomb__pool_solve(&m->solvers[index], m->level, count, m->input.most_edits));
        const double busy = rhomb__now() - began;
        rhomb__work_add(device, take_answers(m, index, from, count), 1, busy);
        if (index == 0)
            RHOMB_TRY(rhomb__matrix_tell(m, false));
    }
out:
    return rhomb__matrix_end_work(m, status);
}

/* Solves open pairs by a level, launch by launch; those beyond it stay open. */
static rhomb_status run_level(rhomb__matrix *m, int32_t level)
{
    int64_t left = 0;
    m->level = level;
    m->next_open = 0;
    const rhomb_status status = rhomb__each_device(m->ctx, run_launches, m);
    for (int64_t i = 0; i < m->open_count; i++)
        if (m->distances[m->open[i]] == RHOMB__MATRIX_UNKNOWN)
            m->open[left++] = m->open[i];
    m->open_count = left;
    /* The first device may have had no launch. */
    return status == RHOMB_OK && m->input.devices > 1 ? rhomb__matrix_tell(m, false) : status;
}

/*
 * Blocks begin at the level that would find the mean of the last block's distances. It affects the
 * time and nothing else.
 */
static void adapt(rhomb__matrix *m)
{
    const rhomb__matrix_shape *shape = &m->input.shapes[0];
    int64_t sum = 0, found = 0;
    for (int64_t i = 0; i < m->count; i++)
        if (m->distances[i] >= 0) {
            sum += m->distances[i] / m->input.costs.unit;
            found++;
        }
    m->first_level = 0;
    while (found > 0 && m->first_level + 1 < shape->count &&
           shape->levels[m->first_level].limit < sum / found)
        m->first_level++;
}

static rhomb_status run_kernels(rhomb__matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    for (int32_t level = m->first_level; level < m->input.shapes[0].count && m->open_count > 0;
         level++)
        RHOMB_TRY(run_level(m, level));
    if (m->input.pooled > 0)
        adapt(m);
out:
    m->report.seconds_solve +=
        rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    return status;
}

/* A rhomb_batch_fn. */
static int take_batched(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    rhomb__matrix *m = user;
    for (size_t i = 0; i < count; i++) {
        const int64_t pair = m->open[first - m->batched_before + (int64_t)i];
        if (results[i]->status != RHOMB_OK) {
            m->status =
                rhomb__fail(&m->ctx->stream.error, results[i]->status, "%s", results[i]->detail);
            return 1;
        }
        m->distances[pair] = results[i]->distance;
        m->work_done += rhomb__matrix_work_of(m, &m->cells[pair]);
    }
    m->status = rhomb__matrix_tell(m, false);
    return m->status != RHOMB_OK;
}

static rhomb_status open_batch(rhomb__matrix *m)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.max_distance = m->input.options.max_distance;
    options.alphabet = m->input.options.alphabet;
    options.scoring = &m->input.scoring;
    options.results = take_batched;
    options.user = m;
    m->batched = malloc((size_t)m->room * sizeof *m->batched);
    if (m->batched == NULL)
        return rhomb__fail_memory(&m->ctx->stream.error, (size_t)m->room * sizeof *m->batched,
                                  "pairs of a matrix");
    return rhomb_batch_create(m->ctx, &options, &m->batch);
}

/* Solves open pairs by a batch. */
static rhomb_status run_batch(rhomb__matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    if (m->batch == NULL)
        RHOMB_TRY(open_batch(m));
    for (int64_t i = 0; i < m->open_count; i++) {
        const rhomb__matrix_cell *c = &m->cells[m->open[i]];
        const rhomb_matrix_sequence *row = &m->input.sequences[c->row];
        const rhomb_matrix_sequence *column = &m->input.sequences[c->column];
        m->batched[i] = (rhomb_pair){column->bases, column->length, row->bases, row->length};
    }
    status = rhomb_batch_add(m->batch, m->batched, (size_t)m->open_count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(m->batch);
    if (m->status != RHOMB_OK)
        status = m->status;
    m->batched_before += m->open_count;
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
        const rhomb__matrix_cell *c = &m->cells[m->gone];
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
    if (rhomb__costs_are_edit(&m->input.costs))
        RHOMB_TRY(run_kernels(m));
    else if (m->open_count > 0)
        RHOMB_TRY(run_batch(m));
    m->next_open = 0;
    for (int64_t i = 0; i < m->count; i++)
        longs += m->distances[i] == RHOMB__MATRIX_UNKNOWN;
    /* All devices share a pair that is alone. */
    RHOMB_TRY(longs > 1 ? rhomb__each_device(m->ctx, rhomb__matrix_run_longs, m)
                        : rhomb__matrix_run_longs(m->ctx, 0, m));
    status = rhomb__matrix_deliver(m, m->count);
out:
    return status;
}

/* The pair of a number. */
static rhomb__matrix_cell cell_of(int64_t pair)
{
    rhomb__matrix_cell c = {1, 0};
    while (rhomb_matrix_pair(c.row + 1, 0) <= pair)
        c.row++;
    c.column = pair - rhomb_matrix_pair(c.row, 0);
    return c;
}

static rhomb_status hold_block(rhomb__matrix *m)
{
    const int64_t block =
        rhomb__max(m->input.shapes[0].launch_pairs * m->input.devices, FIRST_BLOCK);
    m->room = rhomb__min(block, m->input.pairs) + 1;
    const size_t room = (size_t)m->room;
    m->cells = malloc(room * sizeof *m->cells);
    m->distances = malloc(room * sizeof *m->distances);
    m->open = malloc(room * sizeof *m->open);
    if (m->cells != NULL && m->distances != NULL && m->open != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&m->ctx->stream.error, room * sizeof *m->cells,
                              "a block of a matrix");
}

/* A rhomb__device_fn. */
static rhomb_status create_solver(rhomb_context *device, int32_t index, void *user)
{
    rhomb__matrix *m = user;
    (void)device;
    return rhomb__pool_solver_create(&m->input.pools[index], &m->input.shapes[index],
                                     &m->solvers[index]);
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
    m->report.pooled = m->input.pooled;
    m->report.seconds_pack = rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    if (m->input.pooled > 0)
        RHOMB_TRY(rhomb__each_device(m->ctx, create_solver, m));
    RHOMB_TRY(hold_block(m));
    for (int64_t size = FIRST_BLOCK; m->first + m->count < m->input.end; size = m->room - 1)
        RHOMB_TRY(run_block(m, rhomb__min(size, m->room - 1)));
out:
    for (int32_t i = 0; i < m->input.devices; i++) {
        m->report.launches += m->solvers[i].launches;
        peak += rhomb__context_of(m->ctx, i)->stream.bytes_peak;
    }
    m->report.seconds_build = m->ctx->stream.device->build_seconds - built;
    m->report.device_bytes = rhomb__max(m->report.device_bytes, peak);
    return status;
}

static void release(rhomb__matrix *m)
{
    if (m->batch != NULL) {
        const rhomb_batch_report *r = rhomb_batch_get_report(m->batch);
        m->report.long_pairs += r->long_pairs;
        m->report.device_bytes = rhomb__max(m->report.device_bytes, r->device_bytes);
    }
    rhomb_batch_destroy(m->batch);
    free(m->batched);
    for (int32_t i = 0; i < m->input.devices; i++)
        rhomb__pool_solver_release(&m->solvers[i]);
    rhomb__matrix_input_release(&m->input);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    free(m->open);
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
