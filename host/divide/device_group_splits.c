/* SPDX-License-Identifier: MIT */
/*
 * Subproblems split on several devices, see device_group.h.
 */
#include "host/divide/device_group.h"

#include "host/device/context.h"
#include "host/device/open.h"
#include "host/divide/remote_group.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>
#include <time.h>

/* Subproblems of a round that a member splits in one call. */
typedef struct rhomb__device_group_job {
    int64_t *places; /* in the round */
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t count;
    int64_t cells; /* that it took */
} rhomb__device_group_job;

/* A device, and its job of a round. */
typedef struct rhomb__device_group_member {
    rhomb__device_group *group;
    rhomb_context *ctx;
    int32_t index;
    int32_t device;              /* of those that the aligner's context has */
    rhomb__buffer target, query; /* the packed pair, where it is not the first device */
    rhomb__device_group_job job;
    double seconds; /* of its job, by its rates */
    rhomb_status status;
} rhomb__device_group_member;

struct rhomb__device_group {
    rhomb__aligner *aligner;
    rhomb__device_group_member members[RHOMB_MOST_DEVICES];
    int32_t count;
    atomic_bool stopped;   /* by a failure, or by the caller */
    pthread_mutex_t mutex; /* of `done` */
    pthread_cond_t changed;
    bool has_mutex, has_changed;
    int64_t beside;             /* members that have a thread of their own, and ... */
    int64_t done;               /* ... members but the first that are done */
    rhomb__device_group_fn *fn; /* that runs for all members */
    void *user;
    const rhomb__device_group_round *round;
};

static rhomb_status make_job(rhomb__device_group *group, rhomb__device_group_job *job)
{
    const size_t room = (size_t)rhomb__max(group->round->count, 1);
    job->places = malloc(room * sizeof *job->places);
    job->subproblems = malloc(room * sizeof *job->subproblems);
    job->breakpoints = malloc(room * sizeof *job->breakpoints);
    if (job->places != NULL && job->subproblems != NULL && job->breakpoints != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&group->aligner->ctx->stream.error,
                              room * (sizeof *job->subproblems + sizeof *job->breakpoints),
                              "the subproblems of devices");
}

/* Forgets all jobs. */
static void drop_jobs(rhomb__device_group *group)
{
    for (int32_t i = 0; i < group->count; i++) {
        rhomb__device_group_job *job = &group->members[i].job;
        free(job->places);
        free(job->subproblems);
        free(job->breakpoints);
        *job = (rhomb__device_group_job){.count = 0};
    }
}

/* What is dealt: a subproblem at a place, and what it takes on the first device. */
typedef struct dealt {
    double seconds;
    int64_t place;
} dealt;

static int by_seconds(const void *x, const void *y)
{
    const dealt *a = x, *b = y;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static double seconds_on(const rhomb__device_group_member *m, int64_t place)
{
    const rhomb__device_group_round *round = m->group->round;
    return round->seconds(&m->ctx->stream.device->rates.values, &round->subproblems[place]);
}

/* The member that would be done with a part first gets it. */
static void deal_part(rhomb__device_group *group, const dealt *p)
{
    rhomb__device_group_member *best = &group->members[0];
    double least = best->seconds + p->seconds;
    for (int32_t d = 1; d < group->count; d++) {
        rhomb__device_group_member *m = &group->members[d];
        const double then = m->seconds + seconds_on(m, p->place);
        if (then < least) {
            least = then;
            best = m;
        }
    }
    best->seconds = least;
    best->job.places[best->job.count] = p->place;
    best->job.subproblems[best->job.count++] = group->round->subproblems[p->place];
}

/* Makes each member's job of the round. */
static rhomb_status deal_round(rhomb__device_group *group)
{
    rhomb_status status = RHOMB_OK;
    const int64_t count = group->round->count;
    const size_t bytes = ((size_t)count + 1) * sizeof(dealt);
    dealt *parts = malloc(bytes);
    if (parts == NULL)
        RHOMB_TRY(rhomb__fail_memory(&group->aligner->ctx->stream.error, bytes,
                                     "the subproblems of devices"));
    for (int64_t i = 0; i < count; i++)
        parts[i] = (dealt){seconds_on(&group->members[0], i), i};
    if (group->count > 1) /* one device does all of them, in any order */
        qsort(parts, (size_t)count, sizeof *parts, by_seconds);
    for (int32_t d = 0; d < group->count; d++) {
        RHOMB_TRY(make_job(group, &group->members[d].job));
        group->members[d].seconds = 0;
    }
    for (int64_t i = 0; i < count; i++)
        deal_part(group, &parts[i]);
out:
    free(parts);
    return status;
}

/* The caller is told that often while the first device waits for others. */
#define TELL_NANOSECONDS 100000000L

/*
 * To be called by members now and then: RHOMB_ERR_CANCELLED where another one has failed, or the
 * caller has stopped, whom the first member tells how far its part is.
 */
static rhomb_status members_go_on(rhomb__device_group *group, rhomb_context *ctx, double fraction)
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
            status = members_go_on(group, group->aligner->ctx, 0);
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

/*
 * Calls the function for all members at the same time, without subproblems. The first failure of a
 * device becomes the aligner's, with its name; those that stopped because of it have none.
 */
static rhomb_status each_member(rhomb__device_group *group, rhomb__device_group_fn *fn, void *user)
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
               : rhomb__task_pack(part->ctx, &group->aligner->whole, &m->target, &m->query);
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

/*
 * Whether more than the first device takes part in the path, as far as has room for it: where that
 * one would be busy long enough by its rates, or the tuning's chunk_strips says so.
 */
static bool group_pays(const rhomb__aligner *a)
{
    return a->ctx->other_count > 0 &&
           (a->whole.tuning.chunk_strips > 0 || alone_seconds(a) > RHOMB__PATH_ALONE_SECONDS);
}

static void choose_members(rhomb__device_group *group)
{
    rhomb__aligner *a = group->aligner;
    rhomb_context *ctx = a->ctx;
    for (int32_t i = 0; i <= (group_pays(a) ? ctx->other_count : 0); i++) {
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
    return each_member(group, pack_on, group);
}

static int32_t member_count(const rhomb__device_group *group)
{
    return group->count;
}

/* The context of a member. */
static rhomb_context *member_context(const rhomb__device_group *group, int32_t member)
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

/*
 * Splits a round. breakpoints[i] is that of subproblems[i]; *cells is what all parts took.
 */
static rhomb_status solve_round(rhomb__device_group *group, const rhomb__device_group_round *round,
                                rhomb__breakpoint *breakpoints, int64_t *cells)
{
    rhomb_status status = RHOMB_OK;
    group->round = round;
    RHOMB_TRY(deal_round(group));
    RHOMB_TRY(each_member(group, run_job, group));
    take_jobs(group, breakpoints, cells);
out:
    drop_jobs(group);
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

struct rhomb__group_splits {
    rhomb__aligner *aligner;
    rhomb__device_group *group;
    rhomb__device_group_order order;
    rhomb__split_member members[RHOMB_MOST_DEVICES];
    bool large; /* of the running round */
};

/* Of rhomb__split_source; `user` is the device group. */
static rhomb_status go_on(rhomb_context *ctx, double fraction, void *user)
{
    return members_go_on(user, ctx, fraction);
}

/* A rhomb__device_group_fn. */
static rhomb_status open_member(const rhomb__device_group_part *part, void *user)
{
    rhomb__group_splits *splits = user;
    const rhomb__aligner *a = splits->aligner;
    return part->ctx->remote != NULL
               ? rhomb__remote_group_open(part->ctx, &a->whole, &splits->order)
               : rhomb__split_member_open(&splits->members[part->member], part, a, &splits->order,
                                          go_on, splits->group);
}

rhomb_status rhomb__group_splits_open(rhomb__aligner *aligner, rhomb__device_group *group,
                                      bool by_waves, int64_t portion_bytes,
                                      rhomb__group_splits **out)
{
    rhomb__group_splits *splits = calloc(1, sizeof *splits);
    *out = splits;
    if (splits == NULL)
        return rhomb__fail_memory(&aligner->ctx->stream.error, sizeof *splits, "splitters");
    splits->aligner = aligner;
    splits->group = group;
    splits->order = (rhomb__device_group_order){by_waves, portion_bytes, aligner->cost};
    return each_member(group, open_member, splits);
}

/* A rhomb__device_group_fn: a part of a round. */
static rhomb_status split_part(const rhomb__device_group_part *part, void *user)
{
    rhomb__group_splits *splits = user;
    return part->ctx->remote != NULL
               ? rhomb__remote_group_solve(part, splits->large)
               : rhomb__split_member_solve(&splits->members[part->member], part, splits->large);
}

/* Both a rhomb__device_group_seconds. */
static double sweep_seconds(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const double longer = (double)rhomb__max(pair->target_length, pair->query_length);
    return longer * (double)pair->distance / rates->sweep_cells_per_second;
}

static double wave_seconds(const rhomb__rate_values *rates, const rhomb_subproblem *subproblem)
{
    const double distance = (double)subproblem->pair.distance;
    return distance * distance / rates->cells_per_second;
}

rhomb_status rhomb__group_splits_solve(rhomb__group_splits *splits, bool large,
                                       const rhomb_subproblem *subproblems, int64_t count,
                                       rhomb__breakpoint *breakpoints, int64_t *cells)
{
    const rhomb__device_group_round round = {.subproblems = subproblems,
                                             .count = count,
                                             .seconds = splits->order.by_waves ? wave_seconds
                                                                               : sweep_seconds,
                                             .split = split_part,
                                             .user = splits};
    splits->large = large;
    return solve_round(splits->group, &round, breakpoints, cells);
}

void rhomb__group_splits_close(rhomb__group_splits *splits)
{
    if (splits == NULL)
        return;
    for (int32_t i = 0; i < member_count(splits->group); i++) {
        rhomb_context *ctx = member_context(splits->group, i);
        if (ctx->remote != NULL)
            rhomb__remote_group_close(ctx);
        rhomb__split_member_close(&splits->members[i]);
    }
    free(splits);
}

rhomb_status rhomb__split_member_open(rhomb__split_member *m, const rhomb__device_group_part *part,
                                      const rhomb__aligner *aligner,
                                      const rhomb__device_group_order *order,
                                      rhomb_status (*advance)(rhomb_context *, double, void *),
                                      void *user)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *whole = &aligner->whole;
    const rhomb__device_stream *stream = &part->ctx->stream;
    const bool is_edit = rhomb__costs_are_edit(&whole->plan.costs);
    const int64_t left = stream->device->info.memory_bytes - stream->bytes_in_use;
    const int64_t longer = rhomb__max(whole->target_length, whole->query_length);
    const rhomb__split_source source = {
        .target = part->target,
        .query = part->query,
        .target_length = whole->target_length,
        .query_length = whole->query_length,
        .planes = whole->plan.planes,
        .offset_bits = longer <= RHOMB__MAX_LENGTH_32 ? 32 : 64,
        .tuning.portion_bytes =
            order->by_waves ? order->portion_bytes : rhomb__min(order->portion_bytes, left),
        .advance = advance,
        .user = user};
    rhomb__task task = *whole;
    m->aligner = aligner;
    m->by_waves = order->by_waves;
    if (order->by_waves && rhomb__affine_can(&whole->plan.costs))
        RHOMB_TRY(rhomb__task_plan_subproblem(part->ctx, whole, &task, order->cost, false));
    m->plan = task.plan;
    RHOMB_TRY(rhomb__splitter_open(part->ctx,
                                   !order->by_waves ? &rhomb__split_sweeps
                                   : is_edit        ? &rhomb__split_wide
                                                    : &rhomb__split_affine,
                                   &source, &m->large));
    if (order->by_waves && is_edit)
        RHOMB_TRY(rhomb__splitter_open(part->ctx, &rhomb__split_groups, &source, &m->small));
out:
    return status;
}

rhomb_status rhomb__split_member_solve(rhomb__split_member *m, const rhomb__device_group_part *part,
                                       bool large)
{
    rhomb_status status = RHOMB_OK;
    rhomb__splitter *splitter = large ? m->large : m->small;
    const int64_t before = splitter->work.cells;
    if (!m->by_waves)
        RHOMB_TRY(rhomb__align_plan_strips(m->aligner, part->ctx, part->subproblems, part->count,
                                           &m->plan));
    RHOMB_TRY(rhomb__splitter_solve(splitter, &m->plan, part->subproblems, part->count,
                                    part->breakpoints));
    *part->cells += splitter->work.cells - before;
out:
    return status;
}

void rhomb__split_member_close(rhomb__split_member *m)
{
    rhomb__splitter_close(m->large);
    rhomb__splitter_close(m->small);
}
