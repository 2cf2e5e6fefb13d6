/* SPDX-License-Identifier: MIT */
/*
 * The devices of a context that split the subproblems of a round, see device_group.h.
 */
#include "host/divide/device_group.h"

#include "host/device/context.h"
#include "host/device/open.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>
#include <time.h>

/* The caller is told that often while the first device waits for others. */
#define TELL_NANOSECONDS 100000000L

rhomb_status rhomb__device_group_go_on(rhomb__device_group *group, rhomb_context *ctx,
                                       double fraction)
{
    const rhomb_progress progress = {.fraction = fraction};
    if (atomic_load(&group->stopped))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with another device");
    return ctx == group->aligner->ctx ? rhomb__align_tell(group->aligner, &progress) : RHOMB_OK;
}

/*
 * A failure becomes the caller's, rather than that somebody stopped because of it, or because the
 * caller wished so.
 */
static rhomb_status first_failure(rhomb__device_group *group)
{
    rhomb_context *ctx = group->aligner->ctx;
    const rhomb__device_group_member *failed = &group->members[0];
    for (int32_t i = 1; i < group->count; i++) {
        const rhomb__device_group_member *m = &group->members[i];
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
static rhomb_status wait_for_others(rhomb__device_group *group)
{
    rhomb_status status = RHOMB_OK;
    pthread_mutex_lock(&group->mutex);
    while (group->done < group->beside && status == RHOMB_OK) {
        struct timespec until = {0, 0};
        timespec_get(&until, TIME_UTC);
        until.tv_nsec += TELL_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_cond_timedwait(&group->changed, &group->mutex, &until) != 0)
            status = rhomb__device_group_go_on(group, group->aligner->ctx, 0);
    }
    pthread_mutex_unlock(&group->mutex);
    return status;
}

static void count_done(rhomb__device_group *group)
{
    pthread_mutex_lock(&group->mutex);
    group->done++;
    pthread_cond_signal(&group->changed);
    pthread_mutex_unlock(&group->mutex);
}

static rhomb__device_group_part part_of(const rhomb__device_group_member *m)
{
    const rhomb__aligner *a = m->group->aligner;
    return (rhomb__device_group_part){.ctx = m->ctx,
                                      .member = m->index,
                                      .stopped = &m->group->stopped,
                                      .target = m->index > 0 ? &m->target : &a->packed_target,
                                      .query = m->index > 0 ? &m->query : &a->packed_query};
}

/* A rhomb__parallel_task: the function that runs, for a member. */
static void run_member(int64_t index, void *user)
{
    rhomb__device_group *group = user;
    rhomb__device_group_member *m = &group->members[index];
    const rhomb__device_group_part part = part_of(m);
    m->status = group->fn(&part, group->user);
    if (m->status != RHOMB_OK)
        atomic_store(&group->stopped, true);
    if (index > 0)
        count_done(group);
    else if (m->status == RHOMB_OK)
        m->status = wait_for_others(group);
    if (m->status != RHOMB_OK)
        atomic_store(&group->stopped, true);
}

rhomb_status rhomb__device_group_each(rhomb__device_group *group, rhomb__device_group_fn *fn,
                                      void *user)
{
    atomic_store(&group->stopped, false);
    group->done = 0;
    group->fn = fn;
    group->user = user;
    rhomb__parallel_beside(group->count, run_member, group, &group->beside);
    return first_failure(group);
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

/* A rhomb__device_group_fn: packs the pair. */
static rhomb_status pack_on(const rhomb__device_group_part *part, void *user)
{
    rhomb__device_group *group = user;
    rhomb__device_group_member *m = &group->members[part->member];
    if (part->ctx->remote != NULL)
        return RHOMB_OK;
    return part->member == 0
               ? rhomb__align_pack(group->aligner)
               : rhomb__align_pack_on(group->aligner, part->ctx, &m->target, &m->query);
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

bool rhomb__device_group_pays(const rhomb__aligner *a)
{
    return a->ctx->other_count > 0 &&
           (a->whole.tuning.chunk_strips > 0 || alone_seconds(a) > RHOMB__PATH_ALONE_SECONDS);
}

static void choose_members(rhomb__device_group *group)
{
    rhomb__aligner *a = group->aligner;
    rhomb_context *ctx = a->ctx;
    for (int32_t i = 0; i <= (rhomb__device_group_pays(a) ? ctx->other_count : 0); i++) {
        rhomb_context *device = rhomb__context_of(ctx, i);
        if (i > 0 && !has_room(a, &device->stream.device->info))
            continue;
        rhomb__device_group_member *m = &group->members[group->count];
        m->group = group;
        m->ctx = device;
        m->index = group->count++;
        m->device = i;
        if (i > 0)
            rhomb__error_clear(&device->stream.error);
    }
}

rhomb_status rhomb__device_group_open(rhomb__aligner *a, rhomb__device_group **out)
{
    rhomb__device_group *group = calloc(1, sizeof *group);
    *out = group;
    if (group != NULL) {
        group->aligner = a;
        group->has_mutex = pthread_mutex_init(&group->mutex, NULL) == 0;
        group->has_changed = pthread_cond_init(&group->changed, NULL) == 0;
    }
    if (group == NULL || !group->has_mutex || !group->has_changed)
        return rhomb__fail_memory(&a->ctx->stream.error, sizeof *group,
                                  "a device group of devices");
    choose_members(group);
    return rhomb__device_group_each(group, pack_on, group);
}

int32_t rhomb__device_group_count(const rhomb__device_group *group)
{
    return group->count;
}

rhomb_context *rhomb__device_group_context(const rhomb__device_group *group, int32_t member)
{
    return group->members[member].ctx;
}

/* A rhomb__device_group_fn: a member's job. */
static rhomb_status run_job(const rhomb__device_group_part *part, void *user)
{
    rhomb__device_group *group = user;
    rhomb__device_group_job *job = &group->members[part->member].job;
    rhomb__device_group_part own = *part;
    own.subproblems = job->subproblems;
    own.count = job->count;
    own.breakpoints = job->breakpoints;
    own.cells = &job->cells;
    return job->count > 0 ? group->round->split(&own, group->round->user) : RHOMB_OK;
}

/* What the jobs have found; each member's share of the work goes into the report. */
static void take_jobs(const rhomb__device_group *group, rhomb__breakpoint *breakpoints,
                      int64_t *cells)
{
    rhomb_align_report *report = group->aligner->report;
    if (group->count > 1)
        report->share_count = 1 + group->aligner->ctx->other_count;
    *cells = 0;
    for (int32_t d = 0; d < group->count; d++) {
        const rhomb__device_group_member *m = &group->members[d];
        for (int64_t i = 0; i < m->job.count; i++)
            breakpoints[m->job.places[i]] = m->job.breakpoints[i];
        group->aligner->share_splits[m->device] += m->job.count;
        *cells += m->job.cells;
    }
}

rhomb_status rhomb__device_group_solve(rhomb__device_group *group,
                                       const rhomb__device_group_round *round,
                                       rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    group->round = round;
    RHOMB_TRY(rhomb__device_group_deal(group));
    RHOMB_TRY(rhomb__device_group_each(group, run_job, group));
    take_jobs(group, breakpoints, cells);
out:
    rhomb__device_group_drop_jobs(group);
    return status;
}

void rhomb__device_group_close(rhomb__device_group *group)
{
    if (group == NULL)
        return;
    for (int32_t i = 0; i < group->count; i++) {
        rhomb__device_group_member *m = &group->members[i];
        rhomb__buffer_release(&m->ctx->stream, &m->query);
        rhomb__buffer_release(&m->ctx->stream, &m->target);
    }
    if (group->has_changed)
        pthread_cond_destroy(&group->changed);
    if (group->has_mutex)
        pthread_mutex_destroy(&group->mutex);
    free(group);
}
