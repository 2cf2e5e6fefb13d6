/* SPDX-License-Identifier: MIT */
/*
 * The devices of a context that split the subproblems of a round, see crew.h.
 */
#include "host/divide/crew_round.h"

#include "host/device/context.h"
#include "host/device/each.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>
#include <time.h>

/* The caller is told that often while the first device waits for others. */
#define TELL_NANOSECONDS 100000000L

rhomb_status rhomb__crew_go_on(rhomb__crew *crew, rhomb_context *ctx, double fraction)
{
    const rhomb_progress progress = {.fraction = fraction};
    if (atomic_load(&crew->stopped))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with another device");
    return ctx == crew->aligner->ctx ? rhomb__align_tell(crew->aligner, &progress) : RHOMB_OK;
}

/*
 * A failure becomes the caller's, rather than that somebody stopped because of it, or because the
 * caller wished so.
 */
static rhomb_status first_failure(rhomb__crew *crew)
{
    rhomb_context *ctx = crew->aligner->ctx;
    const rhomb__crew_member *failed = &crew->members[0];
    for (int32_t i = 1; i < crew->count; i++) {
        const rhomb__crew_member *m = &crew->members[i];
        if (failed->status == RHOMB_OK ||
            (failed->status == RHOMB_ERR_CANCELLED && m->status != RHOMB_OK &&
             m->status != RHOMB_ERR_CANCELLED))
            failed = m;
    }
    return failed->index == 0 || failed->status == RHOMB_OK
               ? failed->status
               : rhomb__pass_error(ctx, failed->device, failed->status,
                                   rhomb__error_text(&failed->ctx->stream.error));
}

/* The first device has done its part: it tells the caller now and then, until all have. */
static rhomb_status wait_for_others(rhomb__crew *crew)
{
    rhomb_status status = RHOMB_OK;
    pthread_mutex_lock(&crew->mutex);
    while (crew->done < crew->beside && status == RHOMB_OK) {
        struct timespec until = {0, 0};
        timespec_get(&until, TIME_UTC);
        until.tv_nsec += TELL_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_cond_timedwait(&crew->changed, &crew->mutex, &until) != 0)
            status = rhomb__crew_go_on(crew, crew->aligner->ctx, 0);
    }
    pthread_mutex_unlock(&crew->mutex);
    return status;
}

static void count_done(rhomb__crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    crew->done++;
    pthread_cond_signal(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

static rhomb__crew_part part_of(const rhomb__crew_member *m)
{
    const rhomb__aligner *a = m->crew->aligner;
    return (rhomb__crew_part){.ctx = m->ctx,
                              .member = m->index,
                              .stopped = &m->crew->stopped,
                              .target = m->index > 0 ? &m->target : &a->packed_target,
                              .query = m->index > 0 ? &m->query : &a->packed_query};
}

/* A rhomb__parallel_task: the function that runs, for a member. */
static void run_member(int64_t index, void *user)
{
    rhomb__crew *crew = user;
    rhomb__crew_member *m = &crew->members[index];
    const rhomb__crew_part part = part_of(m);
    m->status = crew->fn(&part, crew->user);
    if (m->status != RHOMB_OK)
        atomic_store(&crew->stopped, true);
    if (index > 0)
        count_done(crew);
    else if (m->status == RHOMB_OK)
        m->status = wait_for_others(crew);
    if (m->status != RHOMB_OK)
        atomic_store(&crew->stopped, true);
}

rhomb_status rhomb__crew_each(rhomb__crew *crew, rhomb__crew_fn *fn, void *user)
{
    atomic_store(&crew->stopped, false);
    crew->done = 0;
    crew->fn = fn;
    crew->user = user;
    rhomb__parallel_beside(crew->count, run_member, crew, &crew->beside);
    return first_failure(crew);
}

/* Whether a device has room for the packed pair, and as much again for subproblems. */
static bool has_room(const rhomb__aligner *a, const rhomb_device_info *info)
{
    const rhomb__task *whole = &a->whole;
    const int32_t planes = whole->plan.planes;
    const int64_t target = rhomb__windows_bytes(whole->target_length, planes, 2);
    const int64_t query = rhomb__windows_bytes(whole->query_length, planes, 2);
    return rhomb__max(target, query) <= info->max_buffer_bytes &&
           target + query <= info->memory_bytes / 2;
}

/* A rhomb__crew_fn: packs the pair. */
static rhomb_status pack_on(const rhomb__crew_part *part, void *user)
{
    rhomb__crew *crew = user;
    rhomb__crew_member *m = &crew->members[part->member];
    if (part->ctx->remote != NULL)
        return RHOMB_OK;
    return part->member == 0
               ? rhomb__align_pack(crew->aligner)
               : rhomb__align_pack_on(crew->aligner, part->ctx, &m->target, &m->query);
}

/* The seconds that the first device alone needs for all rounds. */
static double alone_seconds(const rhomb__aligner *a)
{
    const rhomb__task *whole = &a->whole;
    const rhomb__rate_values *rates = &a->ctx->stream.device->rates.values;
    const double longer = (double)rhomb__max(whole->target_length, whole->query_length);
    const double cost = (double)a->cost;
    return a->sweeps ? longer * cost / rates->sweep_cells_per_second
                     : cost * cost / rates->cells_per_second;
}

bool rhomb__crew_pays(const rhomb__aligner *a)
{
    return a->ctx->other_count > 0 &&
           (a->whole.tuning.chunk_strips > 0 || alone_seconds(a) > RHOMB__PATH_ALONE_SECONDS);
}

static void choose_members(rhomb__crew *crew)
{
    rhomb__aligner *a = crew->aligner;
    rhomb_context *ctx = a->ctx;
    for (int32_t i = 0; i <= (rhomb__crew_pays(a) ? ctx->other_count : 0); i++) {
        rhomb_context *device = rhomb__context_of(ctx, i);
        if (i > 0 && !has_room(a, &device->stream.device->info))
            continue;
        rhomb__crew_member *m = &crew->members[crew->count];
        m->crew = crew;
        m->ctx = device;
        m->index = crew->count++;
        m->device = i;
        if (i > 0)
            rhomb__error_clear(&device->stream.error);
    }
}

rhomb_status rhomb__crew_open(rhomb__aligner *a, rhomb__crew **out)
{
    rhomb__crew *crew = calloc(1, sizeof *crew);
    *out = crew;
    if (crew != NULL) {
        crew->aligner = a;
        crew->has_mutex = pthread_mutex_init(&crew->mutex, NULL) == 0;
        crew->has_changed = pthread_cond_init(&crew->changed, NULL) == 0;
    }
    if (crew == NULL || !crew->has_mutex || !crew->has_changed)
        return rhomb__fail_memory(&a->ctx->stream.error, sizeof *crew, "a crew of devices");
    choose_members(crew);
    return rhomb__crew_each(crew, pack_on, crew);
}

int32_t rhomb__crew_count(const rhomb__crew *crew)
{
    return crew->count;
}

rhomb_context *rhomb__crew_context(const rhomb__crew *crew, int32_t member)
{
    return crew->members[member].ctx;
}

/* A rhomb__crew_fn: a member's job. */
static rhomb_status run_job(const rhomb__crew_part *part, void *user)
{
    rhomb__crew *crew = user;
    rhomb__crew_job *job = &crew->members[part->member].job;
    rhomb__crew_part own = *part;
    own.subproblems = job->subproblems;
    own.count = job->count;
    own.breakpoints = job->breakpoints;
    own.cells = &job->cells;
    return job->count > 0 ? crew->round->split(&own, crew->round->user) : RHOMB_OK;
}

/* What the jobs have found; each member's share of the work goes into the report. */
static void take_jobs(const rhomb__crew *crew, rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_align_report *report = crew->aligner->report;
    if (crew->count > 1)
        report->share_count = 1 + crew->aligner->ctx->other_count;
    *cells = 0;
    for (int32_t d = 0; d < crew->count; d++) {
        const rhomb__crew_member *m = &crew->members[d];
        for (int64_t i = 0; i < m->job.count; i++)
            breakpoints[m->job.places[i]] = m->job.breakpoints[i];
        crew->aligner->share_splits[m->device] += m->job.count;
        *cells += m->job.cells;
    }
}

rhomb_status rhomb__crew_solve(rhomb__crew *crew, const rhomb__crew_round *round,
                               rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    crew->round = round;
    RHOMB_TRY(rhomb__crew_deal(crew));
    RHOMB_TRY(rhomb__crew_each(crew, run_job, crew));
    take_jobs(crew, breakpoints, cells);
out:
    rhomb__crew_drop_jobs(crew);
    return status;
}

void rhomb__crew_close(rhomb__crew *crew)
{
    if (crew == NULL)
        return;
    for (int32_t i = 0; i < crew->count; i++) {
        rhomb__crew_member *m = &crew->members[i];
        rhomb__buffer_release(&m->ctx->stream, &m->query);
        rhomb__buffer_release(&m->ctx->stream, &m->target);
    }
    if (crew->has_changed)
        pthread_cond_destroy(&crew->changed);
    if (crew->has_mutex)
        pthread_mutex_destroy(&crew->mutex);
    free(crew);
}
