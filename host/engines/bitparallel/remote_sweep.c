/* SPDX-License-Identifier: MIT */
/*
 * Sweeps over ranks, see remote_sweep.h.
 */
#include "host/engines/bitparallel/remote_sweep.h"

#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

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

rhomb_status rhomb__remote_sweep_prepare(rhomb_context *other, const rhomb__sweep_share *share,
                                         bool one_way, int64_t job)
{
    rhomb__message m = {.kind = 0};
    prepare_request request;
    memset(&request, 0, sizeof request);
    request.sweep = share->sweep;
    request.bound = share->bound;
    request.one_way = one_way;
    request.job = job;
    rhomb__message_put(&m, &request, sizeof request);
    const rhomb_status status = rhomb__ask(other, RHOMB__ASK_SWEEP_PREPARE, &m);
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_sweep_begin(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    const rhomb_status status = rhomb__ask_begin(other, RHOMB__ASK_SWEEP_RUN, &m);
    rhomb__message_release(&m);
    return status;
}

/*
 * The records of an owner's strips: a message gets them, or has them. Strip g of both directions
 * has two, after the two above the strips.
 */
static void records_of(const rhomb__sweep *sweep, int32_t owner, rhomb_strip *records,
                       rhomb__message *m, bool takes)
{
    const int64_t bytes = 2 * (int64_t)sizeof *records;
    const int64_t count = rhomb__strips_owned(&sweep->chunks, owner, sweep->strips);
    for (int64_t i = 0; i < count; i++) {
        rhomb_strip *at = records + 2 + 2 * rhomb__strip_of_owner(&sweep->chunks, owner, i);
        if (takes)
            rhomb__message_take(m, at, bytes);
        else
            rhomb__message_put(m, at, bytes);
    }
}

/* What all runs of the member took; before it the records of its strips. */
typedef struct run_reply {
    int64_t launches;
    rhomb__border_work work[2]; /* of each way */
} run_reply;

rhomb_status rhomb__remote_sweep_end(rhomb_context *other, rhomb__sweeps *member,
                                     const rhomb__sweep *sweep)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    run_reply reply = {0};
    RHOMB_TRY(rhomb__ask_end(other, RHOMB__ASK_SWEEP_RUN, &m));
    records_of(sweep, member->owner, member->answers, &m, true);
    rhomb__message_take(&m, &reply, sizeof reply);
    RHOMB_TRY(rhomb__message_end(&other->stream.error, &m));
    member->launches = reply.launches;
    for (int i = 0; i < 2; i++)
        member->ways[i].borders.work = reply.work[i];
out:
    rhomb__message_release(&m);
    return status;
}

/* The strips [2 * first, 2 * end) of an owner: their bytes, or those that a message has for them.
 */
static int64_t down_of(const rhomb__sweeps *s, int32_t owner, int64_t first, int64_t end,
                       uint32_t *down, rhomb__message *m, bool takes)
{
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    const int64_t bytes = rhomb__sweeps_rows_bytes(sweep);
    const int64_t last = rhomb__strips_owned(&sweep->chunks, owner, end);
    int64_t sum = 0;
    for (int64_t i = rhomb__strips_owned(&sweep->chunks, owner, first); i < last; i++) {
        char *at = (char *)down + rhomb__strip_of_owner(&sweep->chunks, owner, i) * bytes;
        sum += bytes;
        if (takes)
            rhomb__message_take(m, at, bytes);
        else
            rhomb__message_put(m, at, bytes);
    }
    return sum;
}

typedef struct middle_request {
    int64_t first, end;
} middle_request;

rhomb_status rhomb__remote_sweep_middle(rhomb_context *other, int32_t owner, rhomb__sweeps *to)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    middle_request request = {0};
    rhomb__sweep_middle(&to->shares[0].sweep, to->records, &request.first, &request.end);
    rhomb__message_put(&m, &request, sizeof request);
    RHOMB_TRY(rhomb__ask(other, RHOMB__ASK_SWEEP_MIDDLE, &m));
    down_of(to, owner, request.first, request.end, to->down, &m, true);
    RHOMB_TRY(rhomb__message_end(&other->stream.error, &m));
out:
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_sweep_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_SWEEP_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A member of a team, on its rank. */
typedef struct served_sweep {
    rhomb__served_pair *pair;
    rhomb__sweeps sweeps;
    rhomb__sweep_share share;
    rhomb__link last, next; /* to the ranks beside it */
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

/* All launches. Where they end early, the next rank learns of it. */
static rhomb_status run_launches(served_sweep *own)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *s = &own->sweeps;
    int64_t behind = -1;
    RHOMB_TRY(rhomb__sweeps_begin(s, &own->pair->query, &own->pair->target));
    while (s->next_launch < s->all_launches)
        RHOMB_TRY(rhomb__sweeps_step(s, &behind));
    RHOMB_TRY(rhomb__sweeps_wait(s));
    RHOMB_TRY(rhomb__sweeps_read_records(s));
out:;
    const rhomb_status ended = rhomb__sweeps_end_borders(s, true);
    return status != RHOMB_OK ? status : ended;
}

static rhomb_status run_sweep(served_sweep *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *s = &own->sweeps;
    rhomb__message_clear(m);
    RHOMB_TRY(run_launches(own));
    const run_reply reply = {s->launches, {s->ways[0].borders.work, s->ways[1].borders.work}};
    records_of(&own->share.sweep, s->owner, s->answers, m, false);
    rhomb__message_put(m, &reply, sizeof reply);
out:
    return status;
}

static rhomb_status send_middle(rhomb__served *served, served_sweep *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *s = &own->sweeps;
    middle_request request;
    rhomb__message_take(m, &request, sizeof request);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    rhomb__message_clear(m);
    if (request.first < 0 || request.end > s->shares[0].sweep.strips)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "there are no strips %lld to %lld", (long long)request.first,
                           (long long)request.end);
    /* Only the strips that are asked for, at their places among all. */
    const int64_t bytes =
        rhomb__max(s->totals.strips / 2 * rhomb__sweeps_rows_bytes(&s->shares[0].sweep), 1);
    uint32_t *down = malloc((size_t)bytes);
    if (down == NULL)
        return rhomb__fail_memory(&served->ctx->stream.error, (size_t)bytes,
                                  "the strips of sweeps");
    s->down = down;
    status = rhomb__sweeps_read_rows(s, request.first, request.end, s);
    if (status == RHOMB_OK)
        down_of(s, s->owner, request.first, request.end, down, m, false);
    s->down = NULL;
    free(down);
out:
    return status;
}

rhomb_status rhomb__serve_sweep(rhomb__served *served, rhomb__message *m)
{
    served_sweep *own = served->sweep;
    const rhomb__request request = (rhomb__request)m->kind;
    if (request == RHOMB__ASK_SWEEP_OPEN)
        return open_sweep(served, m);
    if (own == NULL)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no sweep is open");
    switch (request) {
    case RHOMB__ASK_SWEEP_PREPARE:
        return prepare_sweep(served, own, m);
    case RHOMB__ASK_SWEEP_RUN:
        return run_sweep(own, m);
    case RHOMB__ASK_SWEEP_MIDDLE:
        return send_middle(served, own, m);
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
