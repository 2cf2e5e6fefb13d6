/* SPDX-License-Identifier: MIT */
/*
 * One direction of an affine wavefront on another rank, see remote_affine.h.
 */
#include "host/engines/affine/remote_affine.h"

#include "host/device/queue.h"
#include "host/engines/remote_bytes.h"

#include <stdlib.h>
#include <string.h>

typedef struct hold_request {
    rhomb_affine_problem from, to;
    int64_t offsets;
    int32_t turn, grows;
} hold_request;

rhomb_status rhomb__remote_affine_open(rhomb__affine_waves *waves, rhomb__two_devices *two,
                                       const rhomb__affine_shape *shape)
{
    rhomb__message m = {.kind = 0};
    const rhomb__partner *partner = two->partner;
    *waves = (rhomb__affine_waves){
        .stream = &partner->ctx->stream, .rank = partner->ctx, .shape = *shape};
    rhomb__message_put(&m, &partner->slot, sizeof partner->slot);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_AFFINE_OPEN, &m);
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_affine_hold(rhomb__two_devices *two, const rhomb_affine_problem *from,
                                       const rhomb_affine_problem *to, int64_t offsets,
                                       int32_t turn)
{
    rhomb__message m = {.kind = 0};
    hold_request request;
    memset(&request, 0, sizeof request);
    request.to = *to;
    request.offsets = offsets;
    request.turn = turn;
    if (from != NULL) {
        request.from = *from;
        request.grows = 1;
    }
    rhomb__message_put(&m, &request, sizeof request);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_AFFINE_HOLD, &m);
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_affine_begin(rhomb__message *order, const rhomb__affine_run *run)
{
    rhomb__message_clear(order);
    rhomb__message_put(order, run, sizeof *run);
}

rhomb_status rhomb__remote_affine_run(rhomb__two_devices *two, rhomb__message *order,
                                      rhomb__affine_reply *reply)
{
    return rhomb__two_send(two, RHOMB__ASK_AFFINE_RUN, order, reply, sizeof *reply);
}

void rhomb__remote_affine_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_AFFINE_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A direction, on its rank. */
typedef struct served_affine {
    rhomb__affine_waves waves;
    rhomb_affine_status read; /* as read last; a running read writes here */
} served_affine;

static rhomb_status open_affine(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    rhomb__served_pair *pair = NULL;
    int32_t slot = 0;
    rhomb__message_take(m, &slot, sizeof slot);
    RHOMB_TRY(rhomb__message_end(&ctx->stream.error, m));
    rhomb__serve_affine_close(served);
    served_affine *own = calloc(1, sizeof *own);
    served->affine = own;
    if (own == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *own, "an affine wavefront");
    RHOMB_TRY(rhomb__served_pair_at(served, slot, &pair));
    RHOMB_TRY(rhomb__affine_waves_open(&own->waves, &ctx->stream, pair->programs.solve,
                                       &pair->task.plan, &pair->query, &pair->target,
                                       pair->task.query_length, pair->task.target_length));
out:
    return status;
}

static rhomb_status hold(rhomb__served *served, served_affine *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    hold_request request;
    rhomb__message_take(m, &request, sizeof request);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    if (request.grows != 0)
        RHOMB_TRY(rhomb__affine_waves_grow(&own->waves, &request.from, &request.to, request.offsets,
                                           request.turn));
    else
        RHOMB_TRY(rhomb__affine_waves_begin(&own->waves, &request.to, 1, request.offsets));
out:
    return status;
}

/* Lists what the direction is to do in the launches of an order. */
static rhomb_status take_list(served_affine *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__affine_stretch stretches[2] = {rhomb__affine_no_stretch()};
    rhomb__affine_list_clear(&own->waves);
    while (m->bytes - m->taken >= (int64_t)sizeof stretches[1]) {
        rhomb__message_take(m, &stretches[1], sizeof stretches[1]);
        RHOMB_TRY(rhomb__affine_list_add(&own->waves, stretches));
        RHOMB_TRY(rhomb__affine_list_end(&own->waves));
    }
    RHOMB_TRY(rhomb__message_end(&own->waves.stream->error, m));
    RHOMB_TRY(rhomb__affine_list_send(&own->waves));
out:
    return status;
}

/* Runs an order, up to a read of the status record. */
static rhomb_status run(served_affine *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__affine_run run;
    cl_event read = NULL;
    rhomb__message_take(m, &run, sizeof run);
    RHOMB_TRY(take_list(own, m));
    RHOMB_TRY(rhomb__affine_half_begin(&own->waves, &run, 1));
    for (int64_t i = 0; i < own->waves.list.launches; i++)
        RHOMB_TRY(rhomb__affine_half_launch(&own->waves, &run, i));
    RHOMB_TRY(rhomb__affine_status_ask(&own->waves, &own->read, &read));
    RHOMB_TRY(rhomb__queue_wait(own->waves.stream, read));
out:
    rhomb__affine_status_end(&own->waves, read, status);
    return status;
}

/* The reply to a run. */
static rhomb_status run_and_reply(served_affine *own, rhomb__message *m)
{
    const rhomb_status status = run(own, m);
    rhomb__affine_reply reply;
    memset(&reply, 0, sizeof reply);
    reply.status = own->read;
    reply.launches = own->waves.launches;
    reply.reads = own->waves.reads;
    rhomb__message_clear(m);
    rhomb__message_put(m, &reply, sizeof reply);
    return status;
}

rhomb_status rhomb__serve_affine(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    served_affine *own = served->affine;
    const rhomb__request request = (rhomb__request)m->kind;
    if (own == NULL && request != RHOMB__ASK_AFFINE_OPEN)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no wavefront is open");
    switch (request) {
    case RHOMB__ASK_AFFINE_READ:
        return rhomb__serve_read(served, m, own->waves.offsets, 2);
    case RHOMB__ASK_AFFINE_WRITE:
        return rhomb__serve_write(served, m, own->waves.offsets, 2);
    case RHOMB__ASK_AFFINE_RUN:
        return run_and_reply(own, m);
    case RHOMB__ASK_AFFINE_OPEN:
        status = open_affine(served, m);
        break;
    case RHOMB__ASK_AFFINE_HOLD:
        status = hold(served, own, m);
        break;
    default:
        rhomb__serve_affine_close(served);
        break;
    }
    rhomb__message_clear(m);
    return status;
}

void rhomb__serve_affine_close(rhomb__served *served)
{
    served_affine *own = served->affine;
    if (own != NULL)
        rhomb__affine_waves_release(&own->waves);
    free(own);
    served->affine = NULL;
}
