/* SPDX-License-Identifier: MIT */
/*
 * Subproblems over ranks, see remote_group.h.
 */
#include "host/divide/remote_group.h"

#include <stdlib.h>
#include <time.h>

rhomb_status rhomb__remote_group_open(rhomb_context *other, const rhomb__task *whole,
                                      const rhomb__device_group_order *order)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    RHOMB_TRY(rhomb__remote_pair_send(other, RHOMB__PAIR_CALL, whole, false));
    rhomb__message_put(&m, order, sizeof *order);
    RHOMB_TRY(rhomb__ask(other, RHOMB__ASK_GROUP_OPEN, &m));
out:
    rhomb__message_release(&m);
    return status;
}

/*
 * Takes the rank's reply, and tells it meanwhile to stop if it is to: once, at the latest when it
 * is done, so that nothing stays in the channel.
 */
static rhomb_status take_reply(const rhomb__device_group_part *part, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    const struct timespec pause = {.tv_nsec = 1000000};
    rhomb__error *error = &part->ctx->stream.error;
    rhomb__link *link = &part->ctx->remote->link;
    bool waits = false, is_told = false;
    while (!waits && !is_told) { /* afterwards there is nothing more to look for */
        RHOMB_TRY(rhomb__link_probe(error, link, RHOMB__CHANNEL_ASK, &waits));
        if (waits)
            break;
        is_told = atomic_load(part->stopped);
        if (is_told)
            RHOMB_TRY(rhomb__link_tell_stop(error, link));
        else
            nanosleep(&pause, NULL);
    }
    const rhomb_status replied = rhomb__ask_end(part->ctx, RHOMB__ASK_GROUP_SOLVE, m);
    const rhomb_status told = is_told ? RHOMB_OK : rhomb__link_tell_stop(error, link);
    status = replied != RHOMB_OK ? replied : told;
out:
    return status;
}

rhomb_status rhomb__remote_group_solve(const rhomb__device_group_part *part, bool large)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    rhomb__error *error = &part->ctx->stream.error;
    int64_t done = 0;
    const int32_t is_large = large;
    rhomb__message_put(&m, &is_large, sizeof is_large);
    rhomb__message_put(&m, &part->count, sizeof part->count);
    rhomb__message_put(&m, part->subproblems, part->count * (int64_t)sizeof *part->subproblems);
    RHOMB_TRY(rhomb__ask_begin(part->ctx, RHOMB__ASK_GROUP_SOLVE, &m));
    RHOMB_TRY(take_reply(part, &m));
    rhomb__message_take(&m, &done, sizeof done);
    rhomb__message_take(&m, part->breakpoints, part->count * (int64_t)sizeof *part->breakpoints);
    RHOMB_TRY(rhomb__message_end(error, &m));
    *part->cells += done;
out:
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_group_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_GROUP_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A member of a device group, on its rank: as much of an aligner as it needs. */
typedef struct served_group {
    rhomb__served *served;
    rhomb__aligner aligner;
    rhomb__buffer target, query;
    rhomb__split_member member;
    bool is_told; /* to stop, or will not be: no word waits in the channel */
} served_group;

/* Takes rank 0's word, once for each job. */
static rhomb_status hear_stop(rhomb_context *ctx, served_group *own)
{
    own->is_told = true;
    return rhomb__link_hear_stop(&ctx->stream.error, &own->served->leader);
}

/* Of rhomb__split_source: rank 0 may wish to stop. */
static rhomb_status look_for_stop(rhomb_context *ctx, double fraction, void *user)
{
    rhomb_status status = RHOMB_OK;
    served_group *own = user;
    bool waits = false;
    (void)fraction;
    RHOMB_TRY(
        rhomb__link_probe(&ctx->stream.error, &own->served->leader, RHOMB__CHANNEL_STOP, &waits));
    if (!waits)
        return RHOMB_OK;
    RHOMB_TRY(hear_stop(ctx, own));
    status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped with rank 0");
out:
    return status;
}

static rhomb_status open_group(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    rhomb__device_group_order order;
    rhomb__message_take(m, &order, sizeof order);
    RHOMB_TRY(rhomb__message_end(&ctx->stream.error, m));
    rhomb__message_clear(m);
    rhomb__serve_group_close(served);
    served_group *own = calloc(1, sizeof *own);
    served->group = own;
    if (own == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *own, "a device group of devices");
    own->served = served;
    own->is_told = true;
    own->aligner.ctx = ctx;
    own->aligner.whole = served->pairs[RHOMB__PAIR_CALL].task;
    RHOMB_TRY(rhomb__task_pack(ctx, &own->aligner.whole, &own->target, &own->query));
    const rhomb__device_group_part part = {
        .ctx = ctx, .target = &own->target, .query = &own->query};
    RHOMB_TRY(
        rhomb__split_member_open(&own->member, &part, &own->aligner, &order, look_for_stop, own));
out:
    return status;
}

/* A job, as it was sent. */
typedef struct served_job {
    int32_t is_large;
    int64_t count;
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
} served_job;

static rhomb_status take_job(rhomb__error *error, rhomb__message *m, served_job *job)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message_take(m, &job->is_large, sizeof job->is_large);
    rhomb__message_take(m, &job->count, sizeof job->count);
    if (job->count < 1 || job->count > m->bytes)
        return rhomb__fail(error, RHOMB_ERR_INTERNAL, "no such subproblems");
    const size_t count = (size_t)job->count;
    job->subproblems = malloc(count * sizeof *job->subproblems);
    job->breakpoints = calloc(count, sizeof *job->breakpoints); /* all bytes are sent */
    if (job->subproblems == NULL || job->breakpoints == NULL)
        return rhomb__fail_memory(error,
                                  count * (sizeof *job->subproblems + sizeof *job->breakpoints),
                                  "the subproblems of devices");
    rhomb__message_take(m, job->subproblems, job->count * (int64_t)sizeof *job->subproblems);
    RHOMB_TRY(rhomb__message_end(error, m));
    rhomb__message_clear(m);
out:
    return status;
}

static rhomb_status solve(rhomb__served *served, served_group *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    served_job job = {.count = 0};
    int64_t cells = 0;
    own->is_told = false;
    RHOMB_TRY(take_job(&served->ctx->stream.error, m, &job));
    const rhomb__device_group_part part = {.ctx = served->ctx,
                                           .subproblems = job.subproblems,
                                           .count = job.count,
                                           .breakpoints = job.breakpoints,
                                           .cells = &cells};
    RHOMB_TRY(rhomb__split_member_solve(&own->member, &part, job.is_large != 0));
    rhomb__message_put(m, &cells, sizeof cells);
    rhomb__message_put(m, job.breakpoints, job.count * (int64_t)sizeof *job.breakpoints);
out:
    free(job.breakpoints);
    free(job.subproblems);
    return status;
}

rhomb_status rhomb__serve_group(rhomb__served *served, rhomb__message *m)
{
    served_group *own = served->group;
    const rhomb__request request = (rhomb__request)m->kind;
    if (request == RHOMB__ASK_GROUP_OPEN)
        return open_group(served, m);
    if (own == NULL)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no group is open");
    if (!own->is_told) {
        const rhomb_status heard = hear_stop(served->ctx, own);
        if (heard != RHOMB_OK)
            return heard;
    }
    if (request == RHOMB__ASK_GROUP_SOLVE)
        return solve(served, own, m);
    rhomb__message_clear(m);
    rhomb__serve_group_close(served);
    return RHOMB_OK;
}

void rhomb__serve_group_close(rhomb__served *served)
{
    served_group *own = served->group;
    if (own == NULL)
        return;
    rhomb__split_member_close(&own->member);
    rhomb__buffer_release(&served->ctx->stream, &own->query);
    rhomb__buffer_release(&served->ctx->stream, &own->target);
    free(own);
    served->group = NULL;
}
