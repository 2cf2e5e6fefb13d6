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

/*
 * The first device has done its part: it tells the caller now and then, until all have. The lock is
 * held meanwhile, so that no other member saves what the aligner has told.
 */
static rhomb_status wait_for_others(rhomb__crew *crew)
{
    rhomb_status status = RHOMB_OK;
    rhomb__turns *turns = &crew->turns;
    rhomb__turns_lock(turns);
    while (crew->done < crew->beside && status == RHOMB_OK) {
        struct timespec until = {0, 0};
        timespec_get(&until, TIME_UTC);
        until.tv_nsec += TELL_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_cond_timedwait(&turns->changed, &turns->mutex, &until) != 0)
            status = rhomb__crew_go_on(crew, crew->aligner->ctx, 0);
    }
    rhomb__turns_unlock(turns);
    return status;
}

static void count_done(rhomb__crew *crew)
{
    rhomb__turns_lock(&crew->turns);
    crew->done++;
    pthread_cond_broadcast(&crew->turns.changed);
    rhomb__turns_unlock(&crew->turns);
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
    const rhomb_rates *rates = &a->ctx->stream.device->rates.values;
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
        crew->turns.checkpoint = a->whole.checkpoint;
        crew->turns.open = rhomb__crew_begin_saving;
        crew->turns.user = crew;
        crew->has_turns = rhomb__turns_init(&crew->turns);
    }
    if (crew == NULL || !crew->has_turns)
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

/* What a job has found is known. */
static void take_job(rhomb__crew *crew, const rhomb__crew_job *job, int64_t cells)
{
    for (int64_t i = 0; i < job->count; i++) {
        crew->breakpoints[job->places[i]] = job->breakpoints[i];
        crew->is_known[job->places[i]] = true;
    }
    crew->known_cells += cells;
}

static rhomb_status run_job(rhomb__crew_member *m, rhomb__crew_job *job)
{
    rhomb__crew *crew = m->crew;
    int64_t cells = 0;
    rhomb__crew_part part = part_of(m);
    part.subproblems = job->subproblems;
    part.count = job->count;
    part.breakpoints = job->breakpoints;
    part.cells = &cells;
    part.keeper = rhomb__crew_keeper(m, job);
    rhomb__turns_enter(&crew->turns);
    job->has_begun = true; /* nobody saves while a member works and has not come to */
    m->running = job;
    const rhomb_status status = crew->round->split(&part, crew->round->user);
    rhomb__turns_lock(&crew->turns);
    if (status == RHOMB_OK)
        take_job(crew, job, cells);
    else
        crew->turns.is_broken = true; /* a file without this job would replace one that has it */
    m->running = NULL;
    rhomb__turns_unlock(&crew->turns);
    rhomb__turns_leave(&crew->turns);
    return status;
}

/* A rhomb__crew_fn: a member's jobs. */
static rhomb_status run_jobs(const rhomb__crew_part *part, void *user)
{
    rhomb_status status = RHOMB_OK;
    rhomb__crew *crew = user;
    rhomb__crew_member *m = &crew->members[part->member];
    for (int32_t i = 0; i < m->job_count; i++) {
        if (atomic_load(&crew->stopped)) {
            status = rhomb__fail(&m->ctx->stream.error, RHOMB_ERR_CANCELLED,
                                 "stopped with another device");
            goto out;
        }
        RHOMB_TRY(run_job(m, m->jobs[i]));
    }
out:
    return status;
}

/* A member's share of the work goes into the report. */
static void count_shares(const rhomb__crew *crew)
{
    rhomb_align_report *report = crew->aligner->report;
    if (crew->count > 1)
        report->share_count = 1 + crew->aligner->ctx->other_count;
    for (int32_t d = 0; d < crew->count; d++) {
        const rhomb__crew_member *m = &crew->members[d];
        for (int32_t i = 0; i < m->job_count; i++)
            crew->aligner->share_splits[m->device] += m->jobs[i]->count;
    }
}

rhomb_status rhomb__crew_solve(rhomb__crew *crew, const rhomb__crew_round *round,
                               rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    rhomb__checkpoint *checkpoint = crew->turns.checkpoint;
    const rhomb__saved *saved = rhomb__checkpoint_found(checkpoint);
    const bool is_kept = round->means != RHOMB__NOT_SAVED;
    const bool is_saved =
        is_kept && saved != NULL && rhomb__crew_saved_means(saved) == round->means;
    crew->turns.is_broken = false;
    crew->round = round;
    crew->breakpoints = breakpoints;
    crew->known_cells = 0;
    crew->is_known = calloc((size_t)rhomb__max(round->count, 1), sizeof *crew->is_known);
    if (crew->is_known == NULL) {
        status = rhomb__fail_memory(&crew->aligner->ctx->stream.error, (size_t)round->count,
                                    "the subproblems of devices");
        goto out;
    }
    if (is_saved)
        RHOMB_TRY(rhomb__crew_restore(crew, saved));
    RHOMB_TRY(rhomb__crew_deal(crew));
    if (is_kept)
        rhomb__checkpoint_step(checkpoint, true);
    RHOMB_TRY(rhomb__crew_each(crew, run_jobs, crew));
    count_shares(crew);
    *cells = crew->known_cells;
out:
    rhomb__checkpoint_step(checkpoint, false);
    rhomb__crew_drop_jobs(crew);
    free(crew->is_known);
    crew->is_known = NULL;
    if (is_saved)
        rhomb__checkpoint_drop(checkpoint);
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
    if (crew->has_turns)
        rhomb__turns_destroy(&crew->turns);
    free(crew);
}
