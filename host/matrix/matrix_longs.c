/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a matrix that are solved one by one, see matrix_job.h: each device takes the next one
 * when it is free, and the first one delivers what is known in between.
 */
#include <time.h>

#include "host/device/open.h"
#include "host/divide/alignment.h"
#include "host/matrix/matrix_job.h"
#include "src/base/clock.h"
#include "src/base/int64.h"

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
    return pair->device > 0 ? is_stopped(m) : rhomb__matrix_tell(m, progress->building) != RHOMB_OK;
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
    long_pair own = {m, index, rhomb__matrix_work_of(m, c)};
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
    return rhomb__matrix_deliver(m, end);
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
            RHOMB_TRY(rhomb__matrix_tell(m, false));
    }
out:
    return status;
}

/* A rhomb__device_fn: pairs that the batch did not solve, in their order. */
rhomb_status rhomb__matrix_run_longs(rhomb_context *device, int32_t index, void *user)
{
    rhomb__matrix *m = user;
    rhomb_status status = RHOMB_OK;
    int64_t pair;
    while ((pair = next_long(m)) < m->count) {
        if (index == 0) {
            RHOMB_TRY(deliver_known(m));
            RHOMB_TRY(rhomb__matrix_tell(m, false));
        }
        status = solve_long(m, device, index, pair);
        if (status == RHOMB_ERR_CANCELLED && index > 0)
            return RHOMB_OK; /* another one has failed */
        RHOMB_TRY(status);
        rhomb__matrix_end_work(m, RHOMB_OK);
    }
    if (index == 0)
        status = await_others(m);
out:
    return rhomb__matrix_end_work(m, status);
}
