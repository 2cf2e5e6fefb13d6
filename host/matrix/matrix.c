/* SPDX-License-Identifier: MIT */
/*
 * Distance matrices, see rhomb/matrix.h. Pairs go in blocks, in the order of the results. Those of
 * a block that are for a batch go through it, and what its kernels leave through one of wider
 * groups; then the block is delivered from its beginning on, and all others are solved, one by one,
 * when it is their turn. With several devices each takes such a pair when it is free. The calling
 * thread does the first one's, and alone calls back.
 *
 * Floors of 1,000 genomes of 30 kb, 499,500 pairs, without the kernels: their 30 MB are counted (25
 * ms of a core, so by all threads), copied (3.5 ms) and sent (0.6 ms at 50e9 bytes/s); of a pair 24
 * bytes go and 16 come back, 0.4 ms in all; 32 jobs have two launches each. A job's queue and
 * memory take 1 ms, once for each of the two that run side by side.
 */
#include "rhomb/matrix.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/device/context.h"
#include "host/device/open.h"
#include "host/device/program.h"
#include "host/divide/alignment.h"
#include "host/matrix/matrix_input.h"
#include "src/base/clock.h"
#include "src/base/int64.h"

typedef struct rhomb__matrix {
    rhomb_context *ctx;
    rhomb__matrix_input input;
    rhomb_matrix_report report;
    double began;
    double work_began; /* by rhomb__work_clock() of the first device */
    double work;       /* bases of the pairs of this call */

    /* While several devices work, guarded by the lock. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double work_done;                   /* bases of the pairs that are done */
    double running[RHOMB_MOST_DEVICES]; /* what is done of pairs that are solved alone */
    double shown;                       /* the fraction that was told last */
    int64_t next_open;                  /* the first pair of the block that may be left */
    bool stop;                          /* one of them has failed */

    /* The block: consecutive pairs. */
    int64_t first;          /* its first pair */
    int64_t count;          /* of its pairs */
    int64_t listed;         /* of these, from the first on, that are listed; and ... */
    rhomb__batch_cell next; /* ... the pair after them */
    int64_t gone;           /* the same, that were delivered */
    int64_t room;           /* for pairs */
    rhomb__batch_cell *cells;
    int64_t *distances; /* or RHOMB__BATCH_UNKNOWN */
    int64_t *batched;   /* pairs that the running batch has, by their position in the block */
    int64_t batched_count;
    int64_t taken;              /* of these, that have come back */
    int64_t found, found_edits; /* distances of the block that batches have found, and their sum */

    rhomb_batch *batches[RHOMB__MATRIX_BATCHES]; /* NULL: no pair needed it */
    rhomb_status status;                         /* of the functions that they call */
} rhomb__matrix;

/* What a pair weighs: its bases, and one for a pair of none. */
static inline double work_of(const rhomb__matrix *m, const rhomb__batch_cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return (double)s[c->row].length + (double)s[c->column].length + 1;
}

/* The first block, which tells what level finds most distances. */
#define FIRST_BLOCK 1024

/* Longer pairs are solved one by one, which tells of the progress within each. */
#define BATCHED_BASES 100000

/*
 * Jobs of a block, for each device. Where a block ends, the device has nothing to do for 0.7 ms (an
 * H200, these genomes); but only whole blocks are delivered, and a CPU takes minutes for one. A
 * pair of a block takes 32 bytes.
 */
#define BLOCK_JOBS     16
#define CPU_BLOCK_JOBS 4

/* Pairs that a batch gets at a time, while the device solves those before. */
#define SOME_PAIRS 1024

int64_t rhomb_matrix_pair(int64_t row, int64_t column)
{
    return row * (row - 1) / 2 + column;
}

/* The work of all pairs from `from` on. */
static double work_from(const rhomb__matrix *m, rhomb__batch_cell from)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    const int64_t columns = m->input.columns;
    double work = 0, before = 0; /* of the columns of a row */
    for (int64_t i = 0; i < m->input.count; i++) {
        const double own = (double)s[i].length + 1;
        if (i >= from.row)
            work += before + (double)rhomb__matrix_width(columns, i) * own;
        if (columns == 0 || i < columns)
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

/* Tells the caller how far all is; on the calling thread. */
static rhomb_status tell(rhomb__matrix *m, bool building)
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
    return tell(user, true);
}

/* Has all devices end their work where this one has failed. Returns `status`. */
static rhomb_status end_work(rhomb__matrix *m, rhomb_status status)
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

/* Lists the pairs of the block up to `end`, and what their lengths say. */
static void list_pairs(rhomb__matrix *m, int64_t end)
{
    const rhomb__matrix_input *in = &m->input;
    const bool limited = rhomb__costs_are_edit(&in->costs) && in->most_edits >= 0;
    for (; m->listed < end; m->listed++) {
        const rhomb__batch_cell c = m->next;
        const int64_t a = in->sequences[c.row].length, b = in->sequences[c.column].length;
        const bool exceeds = limited && rhomb__max(a, b) - rhomb__min(a, b) > in->most_edits;
        m->cells[m->listed] = c;
        m->distances[m->listed] = exceeds ? -1 : RHOMB__BATCH_UNKNOWN;
        if (exceeds)
            m->work_done += work_of(m, &c);
        m->next = rhomb__matrix_next(in->columns, c);
    }
}

/* A rhomb_batch_fn; pairs come back in their order. */
static int take_batched(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    rhomb__matrix *m = user;
    (void)first;
    const int64_t unit = rhomb__costs_are_edit(&m->input.costs) ? m->input.costs.unit : 1;
    for (size_t i = 0; i < count; i++) {
        const int64_t pair = m->batched[m->taken++];
        const int64_t distance = results[i]->distance;
        if (results[i]->status != RHOMB_OK) {
            m->status =
                rhomb__fail(&m->ctx->stream.error, results[i]->status, "%s", results[i]->detail);
            return 1;
        }
        m->distances[pair] = distance < 0 ? distance : distance * unit;
        if (distance != RHOMB__BATCH_UNKNOWN)
            m->work_done += work_of(m, &m->cells[pair]);
        m->found += distance >= 0;
        m->found_edits += distance >= 0 ? distance : 0;
    }
    m->status = tell(m, false);
    return m->status != RHOMB_OK;
}

static rhomb_status open_batch(rhomb__matrix *m, int32_t which)
{
    const rhomb__matrix_batch *kind = &m->input.batches[which];
    const bool edit = rhomb__costs_are_edit(&m->input.costs);
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.max_distance = edit ? m->input.most_edits : m->input.options.max_distance;
    options.alphabet = m->input.options.alphabet;
    options.scoring = edit ? NULL : &m->input.scoring;
    options.tuning = edit ? &kind->tuning : NULL;
    options.results = take_batched;
    options.user = m;
    return rhomb__batch_create_of_set(m->ctx, &options, &m->input.set, kind->wide,
                                      &m->batches[which]);
}

/*
 * Gives a batch the next pairs of the block that are for it. The first ones open it: no job is made
 * and no program built for a batch that no pair needs.
 */
static rhomb_status add_some(rhomb__matrix *m, int32_t which, int64_t begin, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_cell some[SOME_PAIRS];
    size_t count = 0;
    list_pairs(m, end);
    for (int64_t i = begin; i < end; i++)
        if (m->distances[i] == RHOMB__BATCH_UNKNOWN && is_batched(m, &m->cells[i])) {
            m->batched[m->batched_count++] = i;
            some[count++] = m->cells[i];
        }
    if (count > 0 && m->batches[which] == NULL)
        RHOMB_TRY(open_batch(m, which));
    if (count > 0)
        status = rhomb__batch_add_cells(m->batches[which], some, count);
out:
    return status;
}

/* Solves the pairs that are for a batch; those beyond its kernels' limits stay unknown. */
static rhomb_status run_batch(rhomb__matrix *m, int32_t which)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    const double built = m->ctx->stream.device->build_seconds;
    m->batched_count = m->taken = 0;
    for (int64_t begin = 0; begin < m->count && status == RHOMB_OK; begin += SOME_PAIRS)
        status = add_some(m, which, begin, rhomb__min(begin + SOME_PAIRS, m->count));
    if (status == RHOMB_OK && m->batched_count > 0)
        status = rhomb_batch_finish(m->batches[which]);
    if (m->status != RHOMB_OK)
        status = m->status;
    m->report.seconds_solve +=
        rhomb__now() - began - (m->ctx->stream.device->build_seconds - built);
    return status;
}

/* Delivers the known distances from the first that is left up to `end`, row by row. */
static rhomb_status deliver(rhomb__matrix *m, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_matrix_options *options = &m->input.options;
    const double began = rhomb__now();
    while (m->gone < end && status == RHOMB_OK) {
        const rhomb__batch_cell *c = &m->cells[m->gone];
        const int64_t count =
            rhomb__min(end - m->gone, rhomb__matrix_width(m->input.columns, c->row) - c->column);
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

/* Nanoseconds between two calls of progress while the first device waits for others. */
#define WAIT_NS 200000000

/* A pair that is solved alone. */
typedef struct long_pair {
    rhomb__matrix *m;
    int32_t device;
    double work;
} long_pair;

static bool is_stopped(rhomb__matrix *m)
{
    pthread_mutex_lock(&m->lock);
    const bool stop = m->stop;
    pthread_mutex_unlock(&m->lock);
    return stop;
}

/*
 * A rhomb_progress_fn: only the first device is on the caller's thread. A cancelled call says so
 * itself.
 */
static int tell_long(const rhomb_progress *progress, void *user)
{
    const long_pair *pair = user;
    rhomb__matrix *m = pair->m;
    pthread_mutex_lock(&m->lock);
    m->running[pair->device] = progress->fraction * pair->work;
    pthread_mutex_unlock(&m->lock);
    return pair->device > 0 ? is_stopped(m) : tell(m, progress->building) != RHOMB_OK;
}

/* Asks the caller where a path of the pair may lead. Whether there is a guide. */
static bool ask_guide(const rhomb__matrix *m, const rhomb__batch_cell *c, int32_t index,
                      rhomb_guide *guide)
{
    const rhomb_matrix_options *options = &m->input.options;
    const rhomb_matrix_sequence *s = m->input.sequences;
    return options->guide != NULL &&
           rhomb__min(s[c->row].length, s[c->column].length) >= RHOMB_GUIDE_LEAST &&
           options->guide(c->row, c->column, index, guide, options->guide_user);
}

/* A pair that the batch did not solve, on a device or on all of them. */
static rhomb_status solve_long(rhomb__matrix *m, rhomb_context *device, int32_t index, int64_t pair)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__matrix_input *in = &m->input;
    const rhomb__batch_cell *c = &m->cells[pair];
    const rhomb_matrix_sequence *row = &in->sequences[c->row], *column = &in->sequences[c->column];
    const rhomb_pair both = {row->bases, row->length, column->bases, column->length};
    long_pair own = {m, index, work_of(m, c)};
    const double began = rhomb__now();
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result result = {0};
    options.max_distance = in->options.max_distance;
    options.alphabet = in->options.alphabet;
    options.scoring = in->has_scoring ? &in->scoring : NULL;
    options.progress = index > 0 || in->options.progress != NULL ? tell_long : NULL;
    options.progress_user = &own;
    rhomb_guide guide = RHOMB_GUIDE_INIT;
    const bool has_guide = ask_guide(m, c, index, &guide);
    options.guide = has_guide ? &guide : NULL;
    status = rhomb__distance_pair(device, &both, &options, &result);
    const double seconds = rhomb__now() - began;
    pthread_mutex_lock(&m->lock);
    m->report.seconds_long += seconds;
    m->running[index] = 0;
    if (status == RHOMB_OK) {
        m->distances[pair] = result.report.distance;
        m->report.device_bytes = rhomb__max(m->report.device_bytes, result.report.device_bytes);
        m->work_done += own.work;
        m->report.long_pairs++;
        m->report.guided += has_guide;
        rhomb__work_add(device, 1, 1, seconds);
    }
    pthread_mutex_unlock(&m->lock);
    return status;
}

/* The next pair of the block that no device has; m->count without one. */
static int64_t next_long(rhomb__matrix *m)
{
    pthread_mutex_lock(&m->lock);
    while (m->next_open < m->count && m->distances[m->next_open] != RHOMB__BATCH_UNKNOWN)
        m->next_open++;
    const int64_t pair = m->stop ? m->count : m->next_open;
    m->next_open += m->next_open < m->count;
    pthread_mutex_unlock(&m->lock);
    return pair;
}

/* Delivers what is known, from the first pair that is left on. */
static rhomb_status deliver_known(rhomb__matrix *m)
{
    int64_t end = m->gone;
    pthread_mutex_lock(&m->lock);
    while (end < m->count && m->distances[end] != RHOMB__BATCH_UNKNOWN)
        end++;
    pthread_mutex_unlock(&m->lock);
    return deliver(m, end);
}

/* The first device, when nothing is left to begin: delivers what others find. */
static rhomb_status await_others(rhomb__matrix *m)
{
    rhomb_status status = RHOMB_OK;
    while (m->gone < m->count && !is_stopped(m)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_mutex_lock(&m->lock);
        if (m->distances[m->gone] == RHOMB__BATCH_UNKNOWN && !m->stop)
            pthread_cond_timedwait(&m->changed, &m->lock, &until);
        pthread_mutex_unlock(&m->lock);
        RHOMB_TRY(deliver_known(m));
        if (m->gone < m->count)
            RHOMB_TRY(tell(m, false));
    }
out:
    return status;
}

/* A rhomb__device_fn: pairs that the batch did not solve, in their order. */
static rhomb_status run_longs(rhomb_context *device, int32_t index, void *user)
{
    rhomb__matrix *m = user;
    rhomb_status status = RHOMB_OK;
    int64_t pair;
    while ((pair = next_long(m)) < m->count) {
        if (index == 0) {
            RHOMB_TRY(deliver_known(m));
            RHOMB_TRY(tell(m, false));
        }
        status = solve_long(m, device, index, pair);
        if (status == RHOMB_ERR_CANCELLED && index > 0)
            return RHOMB_OK; /* another one has failed */
        RHOMB_TRY(status);
        end_work(m, RHOMB_OK);
    }
    if (index == 0)
        status = await_others(m);
out:
    return end_work(m, status);
}

/* The batch that would find a distance like those of the block before. */
static int32_t first_batch(const rhomb__matrix *m)
{
    int32_t which = 0;
    while (which + 1 < m->input.batch_count &&
           m->input.batches[which].tuning.last_limit * m->found < m->found_edits)
        which++;
    return which;
}

static rhomb_status run_block(rhomb__matrix *m, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    int64_t longs = 0;
    int32_t which = first_batch(m);
    m->first += m->count;
    m->count = rhomb__min(count, m->input.end - m->first);
    m->listed = m->gone = m->next_open = m->found = m->found_edits = 0;
    for (; which < m->input.batch_count; which++)
        RHOMB_TRY(run_batch(m, which));
    for (int64_t i = 0; i < m->count; i++)
        longs += m->distances[i] == RHOMB__BATCH_UNKNOWN;
    /* All devices share a pair that is alone. */
    RHOMB_TRY(longs > 1 ? rhomb__each_device(m->ctx, run_longs, m) : run_longs(m->ctx, 0, m));
    status = deliver(m, m->count);
out:
    return status;
}

static rhomb_status hold_block(rhomb__matrix *m)
{
    const bool is_cpu = m->ctx->stream.device->info.kind == RHOMB_DEVICE_CPU;
    const int64_t jobs = (is_cpu ? CPU_BLOCK_JOBS : BLOCK_JOBS) * (int64_t)m->input.devices;
    const int64_t block = rhomb__max(jobs * m->input.set.job_pairs, FIRST_BLOCK);
    m->room = rhomb__min(block, m->input.pairs) + 1;
    const size_t room = (size_t)m->room;
    m->cells = malloc(room * sizeof *m->cells);
    m->distances = malloc(room * sizeof *m->distances);
    m->batched = malloc(room * sizeof *m->batched);
    if (m->cells != NULL && m->distances != NULL && m->batched != NULL)
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
    m->next = rhomb__matrix_cell(m->input.columns, m->first);
    m->work =
        work_from(m, m->next) - work_from(m, rhomb__matrix_cell(m->input.columns, m->input.end));
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
    for (int32_t i = 0; i < RHOMB__MATRIX_BATCHES; i++) {
        const rhomb_batch_report *r = rhomb_batch_get_report(m->batches[i]);
        const bool edit = rhomb__costs_are_edit(&m->input.costs);
        if (r != NULL) {
            m->report.jobs += edit ? r->jobs : 0;
            m->report.long_pairs += edit ? 0 : r->long_pairs;
            m->report.device_bytes = rhomb__max(m->report.device_bytes, r->device_bytes);
        }
        rhomb_batch_destroy(m->batches[i]);
    }
    rhomb__batch_set_release(&m->input.set);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
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
