/* SPDX-License-Identifier: MIT */
/*
 * Swept subproblems on several devices, see sweep_crew.h.
 */
#include "host/divide/sweep_crew.h"

#include "host/device/context.h"
#include "host/device/each.h"
#include "host/divide/remote_crew.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/planner/engine_plan.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Other devices are worth it where the first one needs more time for all rounds. */
#define ALONE_SECONDS 0.1

/* A device's sweeper, and its part of a round. */
typedef struct member {
    rhomb_context *ctx;
    int32_t device;              /* of those that the aligner's context has */
    rhomb__buffer target, query; /* the packed pair, where it is not the first device */
    rhomb__sweeper *sweeper;
    double speed;
    double work; /* of its part, over its speed */
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t *places; /* in the round */
    int64_t count;
    int64_t cells; /* so far, where the device is another rank's */
    rhomb_status status;
} member;

struct rhomb__sweep_crew {
    rhomb__aligner *aligner;
    rhomb__sweep_source source;
    member members[RHOMB_MOST_DEVICES];
    int32_t count;
    atomic_bool stopped; /* by a failure, or by the caller */
};

/* Of the other devices' rhomb__sweep_source: they stop where another one has. */
static rhomb_status go_on(rhomb_context *ctx, double fraction, void *user)
{
    const rhomb__sweep_crew *crew = user;
    (void)fraction;
    if (!atomic_load(&crew->stopped))
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with another device");
}

/* Of the first device's: the caller is told, unless another device has stopped. */
static rhomb_status tell_caller(rhomb_context *ctx, double fraction, void *user)
{
    const rhomb__sweep_crew *crew = user;
    const rhomb_status status = go_on(ctx, fraction, user);
    return status == RHOMB_OK && crew->source.advance != NULL
               ? crew->source.advance(ctx, fraction, crew->source.user)
               : status;
}

/* Packs the pair on another device and opens its sweeper. */
static void open_other(int64_t index, void *user)
{
    rhomb__sweep_crew *crew = user;
    member *m = &crew->members[index];
    rhomb_status status = RHOMB_OK;
    rhomb__sweep_source source = crew->source;
    if (m->ctx->remote != NULL) {
        m->status = rhomb__remote_crew_open(m->ctx, &crew->aligner->whole, source.portion_bytes);
        return;
    }
    source.advance = index > 0 ? go_on : tell_caller;
    source.user = crew;
    if (index > 0) {
        const rhomb__device *device = m->ctx->stream.device;
        RHOMB_TRY(rhomb__align_pack_on(crew->aligner, m->ctx, &m->target, &m->query));
        source.target = &m->target;
        source.query = &m->query;
        source.keeper = (rhomb__split_keeper){0}; /* a checkpoint is of one device */
        source.portion_bytes = rhomb__min(source.portion_bytes,
                                          device->info.memory_bytes - m->ctx->stream.bytes_in_use);
    }
    RHOMB_TRY(rhomb__sweeper_open(m->ctx, &source, &m->sweeper));
out:
    m->status = status;
}

/* A failure becomes the caller's; what the first device stopped for is one if no other has any. */
static rhomb_status first_failure(rhomb__sweep_crew *crew)
{
    rhomb_context *ctx = crew->aligner->ctx;
    const rhomb_status own = crew->members[0].status;
    for (int32_t i = 1; i < crew->count && (own == RHOMB_OK || own == RHOMB_ERR_CANCELLED); i++) {
        const member *m = &crew->members[i];
        if (m->status == RHOMB_OK || m->status == RHOMB_ERR_CANCELLED)
            continue;
        rhomb__error_clear(&ctx->stream.error);
        return rhomb__pass_error(ctx, m->device, m->status,
                                 rhomb__error_text(&m->ctx->stream.error));
    }
    return own;
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

rhomb_status rhomb__crew_open(rhomb__aligner *a, const rhomb__sweep_source *source,
                              rhomb__sweep_crew **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = a->ctx;
    const double longer = (double)rhomb__max(source->target_length, source->query_length);
    const double rate = ctx->stream.device->rates.values.sweep_cells_per_second;
    rhomb__sweep_crew *crew = calloc(1, sizeof *crew);
    *out = crew;
    if (crew == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *crew, "a crew of devices");
    crew->aligner = a;
    crew->source = *source;
    const bool shares =
        a->whole.tuning.chunk_strips > 0 || longer * (double)a->cost / rate > ALONE_SECONDS;
    for (int32_t i = 0; i <= (shares ? ctx->other_count : 0); i++) {
        rhomb_context *device = rhomb__context_of(ctx, i);
        if (i > 0 && !has_room(a, &device->stream.device->info))
            continue;
        member *m = &crew->members[crew->count++];
        m->ctx = device;
        m->device = i;
        m->speed = device->stream.device->rates.values.sweep_cells_per_second;
        if (i > 0)
            rhomb__error_clear(&device->stream.error);
    }
    rhomb__parallel_beside(crew->count, open_other, crew);
    RHOMB_TRY(first_failure(crew));
out:
    return status;
}

static rhomb_status make_room(rhomb__sweep_crew *crew, int64_t count)
{
    const size_t most = (size_t)rhomb__max(count, 1);
    for (int32_t i = 0; i < crew->count; i++) {
        member *m = &crew->members[i];
        m->subproblems = malloc(most * sizeof *m->subproblems);
        m->breakpoints = malloc(most * sizeof *m->breakpoints);
        m->places = malloc(most * sizeof *m->places);
        m->count = 0;
        m->work = 0;
        m->status = RHOMB_OK;
        if (m->subproblems == NULL || m->breakpoints == NULL || m->places == NULL)
            return rhomb__fail_memory(&crew->aligner->ctx->stream.error,
                                      most * (sizeof *m->subproblems + sizeof *m->breakpoints),
                                      "the subproblems of devices");
    }
    return RHOMB_OK;
}

static void drop_room(rhomb__sweep_crew *crew)
{
    for (int32_t i = 0; i < crew->count; i++) {
        member *m = &crew->members[i];
        free(m->subproblems);
        free(m->breakpoints);
        free(m->places);
        m->subproblems = NULL;
        m->breakpoints = NULL;
        m->places = NULL;
    }
}

/* A subproblem's work, and its place in the round. */
typedef struct piece {
    double work;
    int64_t place;
} piece;

static int by_work(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The longest first, each to the device that would be done with it first. */
static rhomb_status deal_out(rhomb__sweep_crew *crew, const rhomb_subproblem *subproblems,
                             int64_t count)
{
    piece *pieces = malloc((size_t)rhomb__max(count, 1) * sizeof *pieces);
    if (pieces == NULL)
        return rhomb__fail_memory(&crew->aligner->ctx->stream.error, (size_t)count * sizeof *pieces,
                                  "the subproblems of devices");
    for (int64_t i = 0; i < count; i++)
        pieces[i] = (piece){rhomb__subproblem_work(crew->aligner, &subproblems[i]), i};
    qsort(pieces, (size_t)count, sizeof *pieces, by_work);
    for (int64_t i = 0; i < count; i++) {
        member *best = &crew->members[0];
        for (int32_t d = 1; d < crew->count; d++) {
            member *m = &crew->members[d];
            if (m->work + pieces[i].work / m->speed < best->work + pieces[i].work / best->speed)
                best = m;
        }
        best->work += pieces[i].work / best->speed;
        best->places[best->count] = pieces[i].place;
        best->subproblems[best->count++] = subproblems[pieces[i].place];
    }
    free(pieces);
    return RHOMB_OK;
}

/* A device's part of a round. */
static void solve_part(int64_t index, void *user)
{
    rhomb__sweep_crew *crew = user;
    member *m = &crew->members[index];
    rhomb_status status = RHOMB_OK;
    rhomb__plan plan;
    if (m->count == 0)
        return;
    if (m->ctx->remote != NULL) {
        RHOMB_TRY(rhomb__remote_crew_solve(m->ctx, m->subproblems, m->count, m->breakpoints,
                                           &crew->stopped, &m->cells));
        return;
    }
    RHOMB_TRY(rhomb__align_plan_strips(crew->aligner, m->ctx, m->subproblems, m->count, &plan));
    RHOMB_TRY(rhomb__sweeper_solve(m->sweeper, &plan, m->subproblems, m->count, m->breakpoints));
out:
    m->status = status;
    if (status != RHOMB_OK)
        atomic_store(&crew->stopped, true);
}

rhomb_status rhomb__crew_solve(rhomb__sweep_crew *crew, const rhomb_subproblem *subproblems,
                               int64_t count, rhomb__breakpoint *breakpoints)
{
    rhomb_status status = RHOMB_OK;
    atomic_store(&crew->stopped, false);
    RHOMB_TRY(make_room(crew, count));
    RHOMB_TRY(deal_out(crew, subproblems, count));
    rhomb__parallel_beside(crew->count, solve_part, crew);
    RHOMB_TRY(first_failure(crew));
    for (int32_t d = 0; d < crew->count; d++) {
        const member *m = &crew->members[d];
        for (int64_t i = 0; i < m->count; i++)
            breakpoints[m->places[i]] = m->breakpoints[i];
    }
out:
    drop_room(crew);
    return status;
}

int64_t rhomb__crew_cells(const rhomb__sweep_crew *crew)
{
    int64_t cells = 0;
    for (int32_t i = 0; i < crew->count; i++) {
        const member *m = &crew->members[i];
        cells += m->ctx->remote != NULL ? m->cells : rhomb__sweeper_work(m->sweeper).cells;
    }
    return cells;
}

void rhomb__crew_close(rhomb__sweep_crew *crew)
{
    if (crew == NULL)
        return;
    for (int32_t i = 0; i < crew->count; i++) {
        member *m = &crew->members[i];
        if (m->ctx->remote != NULL) {
            rhomb__remote_crew_close(m->ctx);
            continue;
        }
        rhomb__sweeper_close(m->sweeper);
        rhomb__buffer_release(&m->ctx->stream, &m->query);
        rhomb__buffer_release(&m->ctx->stream, &m->target);
    }
    free(crew);
}
