/* SPDX-License-Identifier: MIT */
/*
 * Sweeps over ranks, see remote_sweep.h.
 */
#include "host/engines/bitparallel/remote_sweep.h"

#include "host/engines/served.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rank that waits for another one looks as often as this at what has come. */
#define LOOK_NANOSECONDS 20000L

rhomb_status rhomb__remote_sweep_open(rhomb_context *other, int32_t slot)
{
    rhomb__message m = {.kind = 0};
    rhomb__message_put(&m, &slot, sizeof slot);
    const rhomb_status status = rhomb__ask(other, RHOMB__ASK_SWEEP_OPEN, &m);
    rhomb__message_release(&m);
    return status;
}

typedef struct prepare_request {
    rhomb__sweep sweep;
    int64_t bound;
    bool one_way;
    int64_t job;
} prepare_request;

rhomb_status rhomb__remote_sweep_prepare(rhomb__sweeps *member, int64_t job)
{
    rhomb__message m = {.kind = 0};
    prepare_request request;
    memset(&request, 0, sizeof request);
    request.sweep = member->shares[0].sweep;
    request.bound = member->shares[0].bound;
    request.one_way = member->one_way;
    request.job = job;
    rhomb__message_put(&m, &request, sizeof request);
    const rhomb_status status = rhomb__ask(member->rank, RHOMB__ASK_SWEEP_PREPARE, &m);
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_sweep_run(rhomb__sweeps *member)
{
    rhomb__message m = {.kind = 0};
    rhomb__remote *remote = member->rank->remote;
    remote->has_begun = true;
    const rhomb_status status = rhomb__ask_begin(member->rank, RHOMB__ASK_SWEEP_RUN, &m);
    remote->is_running = status == RHOMB_OK;
    remote->is_told = false;
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_sweep_stop(rhomb__sweeps *member)
{
    rhomb__remote *remote = member->rank->remote;
    if (!remote->is_running || remote->is_told)
        return RHOMB_OK;
    remote->is_told = true;
    return rhomb__link_tell_stop(&member->rank->stream.error, &remote->link);
}

/* What all sweeps of the member took. */
typedef struct run_reply {
    int64_t launches;
    rhomb__border_work work[2]; /* of each way */
} run_reply;

rhomb_status rhomb__remote_sweep_wait(rhomb__sweeps *member)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    run_reply reply = {0};
    rhomb__remote *remote = member->rank->remote;
    if (!remote->is_running)
        return RHOMB_OK;
    const rhomb_status ended = rhomb__ask_end(member->rank, RHOMB__ASK_SWEEP_RUN, &m);
    /* It is told once for each sweep, at the latest now, so that nothing stays in the channel. */
    const rhomb_status told = rhomb__remote_sweep_stop(member);
    remote->is_running = false;
    RHOMB_TRY(ended != RHOMB_OK ? ended : told);
    rhomb__message_take(&m, &reply, sizeof reply);
    RHOMB_TRY(rhomb__message_end(&member->rank->stream.error, &m));
    member->launches = reply.launches;
    for (int i = 0; i < 2; i++)
        member->ways[i].borders.work = reply.work[i];
out:
    rhomb__message_release(&m);
    return status;
}

/* Asks a rank to end, or waits until it has. What was recorded of it before stays. */
static rhomb_status end_one(rhomb__sweeps *member, bool asks)
{
    rhomb__message m = {.kind = RHOMB__ASK_SWEEP_END};
    rhomb__remote *remote = member->rank->remote;
    if (!remote->has_begun)
        return RHOMB_OK;
    const rhomb_status status = asks ? rhomb__message_send(&member->rank->stream.error,
                                                           &remote->link, RHOMB__CHANNEL_ASK, &m)
                                     : rhomb__ask_end(member->rank, RHOMB__ASK_SWEEP_END, &m);
    remote->has_begun = asks && status == RHOMB_OK;
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_sweeps_end(rhomb__sweeps *members, int32_t count)
{
    rhomb_status status = RHOMB_OK;
    const bool all_have_begun = members[count - 1].rank->remote->has_begun;
    if (!members[1].rank->remote->has_begun) /* they begin in their order */
        return RHOMB_OK;
    for (int32_t i = 1; i < count; i++) {
        const rhomb_status asked = end_one(&members[i], true);
        status = status == RHOMB_OK ? asked : status;
    }
    rhomb_status own = rhomb__sweeps_tell_end(&members[0]);
    status = status == RHOMB_OK ? own : status;
    if (all_have_begun) /* the last one of them tells this rank */
        own = rhomb__sweeps_take_rest(&members[0]);
    status = status == RHOMB_OK ? own : status;
    for (int32_t i = 1; i < count; i++) {
        const rhomb_status ended = end_one(&members[i], false);
        status = status == RHOMB_OK ? ended : status;
    }
    return status;
}

void rhomb__remote_sweep_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_SWEEP_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A member of such a sweep, on its rank. */
typedef struct served_sweep {
    rhomb__served_pair *pair;
    rhomb__sweeps sweeps;
    rhomb__sweep_share share;
    rhomb__link last, next; /* to the ranks beside it */
    bool is_told;           /* to stop, or will not be: no word waits in the channel */
} served_sweep;

static rhomb_status open_sweep(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    int32_t slot = 0;
    rhomb__message_take(m, &slot, sizeof slot);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    rhomb__message_clear(m);
    rhomb__serve_sweep_close(served);
    if (slot < 0 || slot >= RHOMB__PAIR_SLOTS || served->pairs[slot].target.handle == NULL)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "there is no pair %d to sweep", (int)slot);
    served_sweep *own = calloc(1, sizeof *own);
    served->sweep = own;
    if (own == NULL)
        return rhomb__fail_memory(&served->ctx->stream.error, sizeof *own, "a sweep");
    own->is_told = true;
    own->pair = &served->pairs[slot];
    own->sweeps.stream = &served->ctx->stream;
    own->sweeps.owner = served->leader.ranks.rank;
    own->next = own->last = served->leader;
    own->last.rank = own->sweeps.owner - 1;
    own->next.rank = (own->sweeps.owner + 1) % served->leader.ranks.count;
    RHOMB_TRY(
        rhomb__sweeps_use_plan(&own->sweeps, own->pair->programs.solve, &own->pair->task.plan));
out:
    return status;
}

static rhomb_status prepare_sweep(rhomb__served *served, served_sweep *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    prepare_request request;
    rhomb__program *program = NULL;
    rhomb__message_take(m, &request, sizeof request);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    rhomb__message_clear(m);
    own->share = (rhomb__sweep_share){.sweep = request.sweep, .bound = request.bound};
    own->sweeps.one_way = request.one_way;
    RHOMB_TRY(rhomb__borders_program(served->ctx, &program));
    RHOMB_TRY(rhomb__sweeps_prepare(&own->sweeps, &own->share, 1, NULL));
    const rhomb__sweeps_joint joint = {
        .last = &own->last, .next = &own->next, .job = request.job, .program = program};
    RHOMB_TRY(rhomb__sweeps_join(&own->sweeps, &joint));
out:
    return status;
}

/* Takes rank 0's word, once for each sweep. */
static rhomb_status hear_stop(rhomb__served *served, served_sweep *own)
{
    own->is_told = true;
    return rhomb__link_hear_stop(&served->ctx->stream.error, &served->leader);
}

/* Waits for what the next launch needs, unless rank 0 tells the rank to stop. */
static rhomb_status await_launch(rhomb__served *served, served_sweep *own, bool *stops)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &served->ctx->stream.error;
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    for (bool waits = true; waits;) {
        RHOMB_TRY(rhomb__link_probe(error, &served->leader, RHOMB__CHANNEL_STOP, stops));
        if (*stops)
            return hear_stop(served, own);
        RHOMB_TRY(rhomb__sweeps_would_wait(&own->sweeps, &waits));
        if (waits)
            nanosleep(&pause, NULL);
    }
out:
    return status;
}

/* Where it ends early, the next rank learns of it. */
static rhomb_status run_launches(rhomb__served *served, served_sweep *own)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *s = &own->sweeps;
    int64_t behind = -1;
    bool stops = false;
    RHOMB_TRY(rhomb__sweeps_begin(s, &own->pair->query, &own->pair->target));
    while (s->next_launch < s->all_launches) {
        RHOMB_TRY(await_launch(served, own, &stops));
        if (stops)
            break;
        RHOMB_TRY(rhomb__sweeps_step(s, &behind));
    }
    RHOMB_TRY(rhomb__sweeps_wait(s));
out:
    if (status != RHOMB_OK)
        (void)rhomb__sweeps_tell_end(s);
    return status;
}

static rhomb_status run_sweep(rhomb__served *served, served_sweep *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *s = &own->sweeps;
    own->is_told = false;
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    rhomb__message_clear(m);
    RHOMB_TRY(run_launches(served, own));
    const run_reply reply = {s->launches, {s->ways[0].borders.work, s->ways[1].borders.work}};
    rhomb__message_put(m, &reply, sizeof reply);
out:
    return status;
}

static rhomb_status end_sweep(served_sweep *own, rhomb__message *m)
{
    rhomb__message_clear(m);
    const rhomb_status told = rhomb__sweeps_tell_end(&own->sweeps);
    const rhomb_status taken = rhomb__sweeps_take_rest(&own->sweeps);
    return told != RHOMB_OK ? told : taken;
}

rhomb_status rhomb__serve_sweep(rhomb__served *served, rhomb__message *m)
{
    served_sweep *own = served->sweep;
    const rhomb__request request = (rhomb__request)m->kind;
    if (request == RHOMB__ASK_SWEEP_OPEN)
        return open_sweep(served, m);
    if (own == NULL)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no sweep is open");
    if (!own->is_told) {
        const rhomb_status heard = hear_stop(served, own);
        if (heard != RHOMB_OK)
            return heard;
    }
    switch (request) {
    case RHOMB__ASK_SWEEP_PREPARE:
        return prepare_sweep(served, own, m);
    case RHOMB__ASK_SWEEP_RUN:
        return run_sweep(served, own, m);
    case RHOMB__ASK_SWEEP_READ:
        return rhomb__serve_read(served, m, own->sweeps.buffers, RHOMB__SWEEP_BUFFERS);
    case RHOMB__ASK_SWEEP_END:
        return end_sweep(own, m);
    default:
        rhomb__message_clear(m);
        rhomb__serve_sweep_close(served);
        return RHOMB_OK;
    }
}

void rhomb__serve_sweep_close(rhomb__served *served)
{
    served_sweep *own = served->sweep;
    if (own != NULL)
        rhomb__sweeps_release(&own->sweeps);
    free(own);
    served->sweep = NULL;
}
