/* SPDX-License-Identifier: MIT */
/*
 * Distance matrices, see rhomb/matrix.h. Pairs go in blocks, in the order of the results. The pairs
 * of a block that the kernels take pass through their levels, in launches of a fraction of a
 * second, or with gap-affine costs through a batch; then the block is delivered from its beginning
 * on, and pairs that are for neither are solved, one by one, when it is their turn.
 */
#include "rhomb/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/context.h"
#include "host/matrix/matrix_input.h"
#include "rhomb/batch.h"
#include "src/base/clock.h"
#include "src/base/int64.h"

/* The first block, which tells what level finds most distances. */
#define FIRST_BLOCK 1024

/* Longer pairs are solved one by one, which tells of the progress within each. */
#define BATCHED_BASES 100000

/* A distance that is not known yet. */
#define UNKNOWN (-2)

/* Two sequences, and their distance. */
typedef struct cell {
    int64_t row, column;
} cell;

typedef struct matrix {
    rhomb_context *ctx;
    rhomb__matrix_input input;
    rhomb__pool_solver solver; /* of no pool where there is none */
    rhomb_matrix_report report;
    double began;
    double work, work_done; /* bases of the pairs of this call, and of those that are done */

    /* The block: consecutive pairs. */
    cell next;     /* the pair after it */
    int64_t first; /* its first pair */
    int64_t count; /* of its pairs */
    int64_t gone;  /* of these, from the first on, that were delivered */
    int64_t room;  /* for pairs */
    cell *cells;
    int64_t *distances; /* or UNKNOWN */
    int64_t *open;      /* pairs that are for the next level, by their place in the block */
    int64_t open_count;
    int32_t first_level;

    rhomb_batch *batch; /* NULL: none was needed */
    rhomb_pair *batched;
    int64_t batched_before; /* pairs that it has taken in other blocks */
    rhomb_status status;    /* of the functions that it calls */
} matrix;

int64_t rhomb_matrix_pair(int64_t row, int64_t column)
{
    return row * (row - 1) / 2 + column;
}

/* What a pair weighs: its bases, and one for a pair of none. */
static double work_of(const matrix *m, const cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return (double)s[c->row].length + (double)s[c->column].length + 1;
}

/* The work of all pairs from `from` on. */
static double work_from(const matrix *m, cell from)
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

static rhomb_status tell(matrix *m, bool building)
{
    const rhomb_matrix_options *options = &m->input.options;
    const double seconds = rhomb__now() - m->began;
    const double fraction = m->work_done < m->work ? m->work_done / m->work : 1;
    const rhomb_matrix_progress now = {.pairs = m->input.pairs,
                                       .done = m->first + m->gone,
                                       .fraction = fraction,
                                       .seconds = seconds,
                                       .eta_seconds =
                                           fraction > 0 ? seconds * (1 - fraction) / fraction : -1,
                                       .building = building};
    if (options->progress == NULL || options->progress(&now, options->progress_user) == 0)
        return RHOMB_OK;
    return rhomb__fail(&m->ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped by the caller");
}

/* Of rhomb__build_watch. */
static rhomb_status tell_build(rhomb_context *ctx, void *user)
{
    (void)ctx;
    return tell(user, true);
}

/* A rhomb_progress_fn, of the engines for long pairs: a cancelled call says so itself. */
static int tell_long(const rhomb_progress *progress, void *user)
{
    matrix *m = user;
    const rhomb_status status = tell(m, progress->building);
    return status != RHOMB_OK;
}

/* Whether the kernels take a pair. */
static bool is_pooled(const matrix *m, const cell *c)
{
    const rhomb__matrix_input *in = &m->input;
    return in->words[c->row] >= 0 && in->words[c->column] >= 0 &&
           rhomb__matrix_is_short(&in->shape, in->sequences[c->row].length,
                                  in->sequences[c->column].length);
}

/* Whether a batch does. */
static bool is_batched(const matrix *m, const cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return !rhomb__costs_are_edit(&m->input.costs) &&
           rhomb__max(s[c->row].length, s[c->column].length) <= BATCHED_BASES;
}

/* Takes the next pairs, and lists those that are for the kernels or a batch. */
static void begin_block(matrix *m, int64_t count)
{
    const rhomb__matrix_input *in = &m->input;
    m->first += m->count;
    m->count = rhomb__min(count, in->pairs - m->first);
    m->gone = m->open_count = 0;
    for (int64_t i = 0; i < m->count; i++) {
        const cell c = m->next;
        const int64_t a = in->sequences[c.row].length, b = in->sequences[c.column].length;
        const int64_t least = rhomb__max(a, b) - rhomb__min(a, b);
        m->cells[i] = c;
        m->distances[i] = UNKNOWN;
        if (rhomb__costs_are_edit(&in->costs) && in->most_edits >= 0 && least > in->most_edits)
            m->distances[i] = -1;
        else if (is_pooled(m, &c) || is_batched(m, &c))
            m->open[m->open_count++] = i;
        m->next.column++;
        if (m->next.column == m->next.row)
            m->next = (cell){c.row + 1, 0};
    }
}

/* Describes open pairs for a launch; returns their number. */
static int64_t describe(matrix *m, int32_t level, int64_t from)
{
    const rhomb__matrix_input *in = &m->input;
    const int64_t most = rhomb__min(m->open_count - from, in->shape.launch_pairs);
    int64_t count = 0, longest = 0;
    for (; count < most; count++) {
        const cell *c = &m->cells[m->open[from + count]];
        const rhomb_matrix_sequence *row = &in->sequences[c->row];
        const rhomb_matrix_sequence *column = &in->sequences[c->column];
        longest = rhomb__max(longest, rhomb__max(row->length, column->length));
        if (count >= rhomb__matrix_launch_pairs(&in->shape, level, longest))
            break;
        m->solver.described[count] = (rhomb_batch_pair){
            in->words[c->row] * RHOMB_WORD_SYMBOLS, in->words[c->column] * RHOMB_WORD_SYMBOLS,
            (rhomb_i32)row->length, (rhomb_i32)column->length};
    }
    return count;
}

/* Solves open pairs by a level, launch by launch; those beyond it stay open. */
static rhomb_status run_level(matrix *m, int32_t level)
{
    rhomb_status status = RHOMB_OK;
    int64_t left = 0;
    for (int64_t from = 0; from < m->open_count;) {
        const int64_t count = describe(m, level, from);
        RHOMB_TRY(rhomb__pool_solve(&m->solver, level, count, m->input.most_edits));
        for (int64_t i = 0; i < count; i++) {
            const int64_t pair = m->open[from + i];
            const int64_t distance = m->solver.answered[i].distance;
            if (distance == RHOMB_BATCH_BEYOND) {
                m->open[left++] = pair;
                continue;
            }
            m->distances[pair] = distance < 0 ? -1 : distance * m->input.costs.unit;
            m->work_done += work_of(m, &m->cells[pair]);
        }
        from += count;
        RHOMB_TRY(tell(m, false));
    }
    m->open_count = left;
out:
    return status;
}

/*
 * Blocks begin at the level that would find the mean of the last block's distances. It affects the
 * time and nothing else.
 */
static void adapt(matrix *m)
{
    const rhomb__matrix_shape *shape = &m->input.shape;
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

static rhomb_status run_kernels(matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    for (int32_t level = m->first_level; level < m->input.shape.count && m->open_count > 0; level++)
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
    matrix *m = user;
    for (size_t i = 0; i < count; i++) {
        const int64_t pair = m->open[first - m->batched_before + (int64_t)i];
        if (results[i]->status != RHOMB_OK) {
            m->status =
                rhomb__fail(&m->ctx->stream.error, results[i]->status, "%s", results[i]->detail);
            return 1;
        }
        m->distances[pair] = results[i]->distance;
        m->work_done += work_of(m, &m->cells[pair]);
    }
    m->status = tell(m, false);
    return m->status != RHOMB_OK;
}

static rhomb_status open_batch(matrix *m)
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
static rhomb_status run_batch(matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    if (m->batch == NULL)
        RHOMB_TRY(open_batch(m));
    for (int64_t i = 0; i < m->open_count; i++) {
        const cell *c = &m->cells[m->open[i]];
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
static rhomb_status deliver(matrix *m, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_matrix_options *options = &m->input.options;
    const double began = rhomb__now();
    while (m->gone < end && status == RHOMB_OK) {
        const cell *c = &m->cells[m->gone];
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

/* A pair that is neither for the kernels nor for a batch. */
static rhomb_status solve_long(matrix *m, int64_t pair)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__matrix_input *in = &m->input;
    const cell *c = &m->cells[pair];
    const rhomb_matrix_sequence *row = &in->sequences[c->row], *column = &in->sequences[c->column];
    const double began = rhomb__now();
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    options.max_distance = in->options.max_distance;
    options.alphabet = in->options.alphabet;
    options.scoring = in->has_scoring ? &in->scoring : NULL;
    options.progress = in->options.progress != NULL ? tell_long : NULL;
    options.progress_user = m;
    RHOMB_TRY(rhomb_distance(m->ctx, column->bases, column->length, row->bases, row->length,
                             &options, &result));
    m->distances[pair] = rhomb_result_report(result)->distance;
    m->report.device_bytes =
        rhomb__max(m->report.device_bytes, rhomb_result_report(result)->device_bytes);
    m->work_done += work_of(m, c);
    m->report.long_pairs++;
out:
    rhomb_result_destroy(result);
    m->report.seconds_long += rhomb__now() - began;
    return status;
}

static rhomb_status run_block(matrix *m, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    begin_block(m, count);
    for (int64_t i = 0; i < m->count; i++)
        if (m->distances[i] == -1)
            m->work_done += work_of(m, &m->cells[i]);
    if (rhomb__costs_are_edit(&m->input.costs))
        RHOMB_TRY(run_kernels(m));
    else if (m->open_count > 0)
        RHOMB_TRY(run_batch(m));
    for (int64_t i = 0; i < m->count; i++) {
        if (m->distances[i] != UNKNOWN)
            continue;
        RHOMB_TRY(deliver(m, i));
        RHOMB_TRY(tell(m, false));
        RHOMB_TRY(solve_long(m, i));
    }
    status = deliver(m, m->count);
out:
    return status;
}

/* The pair of a number. */
static cell cell_of(int64_t pair)
{
    cell c = {1, 0};
    while (rhomb_matrix_pair(c.row + 1, 0) <= pair)
        c.row++;
    c.column = pair - rhomb_matrix_pair(c.row, 0);
    return c;
}

static rhomb_status hold_block(matrix *m)
{
    m->room = rhomb__min(rhomb__max(m->input.shape.launch_pairs, FIRST_BLOCK), m->input.pairs) + 1;
    const size_t room = (size_t)m->room;
    m->cells = malloc(room * sizeof *m->cells);
    m->distances = malloc(room * sizeof *m->distances);
    m->open = malloc(room * sizeof *m->open);
    if (m->cells != NULL && m->distances != NULL && m->open != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&m->ctx->stream.error, room * sizeof *m->cells,
                              "a block of a matrix");
}

static rhomb_status compute(matrix *m)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    m->first = m->input.options.first_pair;
    m->next = cell_of(m->first);
    m->work = work_from(m, m->next);
    RHOMB_TRY(rhomb__matrix_input_pack(&m->input));
    m->report.pooled = m->input.pooled;
    m->report.seconds_pack = rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    if (m->input.pooled > 0)
        RHOMB_TRY(rhomb__pool_solver_create(&m->input.pool, &m->input.shape, &m->solver));
    RHOMB_TRY(hold_block(m));
    for (int64_t size = FIRST_BLOCK; m->first + m->count < m->input.pairs; size = m->room - 1)
        RHOMB_TRY(run_block(m, rhomb__min(size, m->room - 1)));
out:
    m->report.launches = m->solver.launches;
    m->report.seconds_build = m->ctx->stream.device->build_seconds - built;
    m->report.device_bytes = rhomb__max(m->report.device_bytes, m->ctx->stream.bytes_peak);
    return status;
}

static void release(matrix *m)
{
    if (m->batch != NULL) {
        const rhomb_batch_report *r = rhomb_batch_get_report(m->batch);
        m->report.long_pairs += r->long_pairs;
        m->report.device_bytes = rhomb__max(m->report.device_bytes, r->device_bytes);
    }
    rhomb_batch_destroy(m->batch);
    free(m->batched);
    rhomb__pool_solver_release(&m->solver);
    rhomb__matrix_input_release(&m->input);
    free(m->open);
    free(m->distances);
    free(m->cells);
}

rhomb_status rhomb_matrix_compute(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                  int64_t count, const rhomb_matrix_options *options,
                                  rhomb_matrix_report *report)
{
    rhomb_status status = RHOMB_OK;
    matrix m = {.ctx = ctx, .began = rhomb__now()};
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    const size_t size = report != NULL ? report->struct_size : 0;
    const rhomb__build_watch before = ctx->build_watch;
    if (report != NULL)
        RHOMB_TRY(
            rhomb__check_size(&ctx->stream.error, "rhomb_matrix_report", size, sizeof *report));
    RHOMB_TRY(rhomb__matrix_input_check(ctx, sequences, count, options, &m.input));
    ctx->build_watch = (rhomb__build_watch){tell_build, &m};
    ctx->stream.bytes_peak = ctx->stream.bytes_in_use;
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
