/* SPDX-License-Identifier: MIT */
/*
 * One direction of a wavefront on another rank, see remote_pyramid.h.
 */
#include "host/engines/wavefront/remote_pyramid.h"

#include "host/device/queue.h"
#include "host/engines/remote_bytes.h"

#include <stdlib.h>
#include <string.h>

rhomb_status rhomb__pyramid_program_on(rhomb_context *ctx, const rhomb__programs *programs,
                                       const rhomb__plan *tile, bool is_first,
                                       const rhomb__program **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__programs built = *programs;
    *out = is_first ? built.solve : built.widen;
    if (*out == NULL) { /* built when it is needed, as on the first device */
        RHOMB_TRY(rhomb__engine_build(ctx, &rhomb__engine_wavefront, tile, &built));
        RHOMB_TRY(rhomb__engine_check(ctx, &rhomb__engine_wavefront, tile, &built));
        *out = built.solve;
    }
out:
    return status;
}

/* The plan with the tile in use, and whether it is the pair's. */
typedef struct tile_request {
    rhomb__plan plan;
    bool is_first;
} tile_request;

/* Where rank 0's pyramid is; the tile follows it. */
typedef struct open_request {
    int32_t slot, directions, front, turn, source;
    int64_t start;
    rhomb__window held;
    double tile_rate;
    rhomb_wavefront_status record;
} open_request;

/* The launches follow it. */
typedef struct run_request {
    int32_t place, unused;
    double tile_rate;
} run_request;

static void put_tile(rhomb__message *m, const rhomb__plan *plan, bool is_first)
{
    tile_request tile;
    memset(&tile, 0, sizeof tile);
    tile.plan = *plan;
    tile.is_first = is_first;
    rhomb__message_put(m, &tile, sizeof tile);
}

rhomb_status rhomb__remote_pyramid_open(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                        const rhomb__pyramid *from, const rhomb__problem *problem,
                                        bool is_first, const rhomb_wavefront_status *record)
{
    rhomb__message m = {.kind = 0};
    const open_request request = {.slot = two->partner->slot,
                                  .directions = from->directions,
                                  .front = from->front,
                                  .turn = from->turn,
                                  .source = from->source,
                                  .start = from->start,
                                  .held = from->held,
                                  .tile_rate = from->tile_rate,
                                  .record = *record};
    *pyramid = (rhomb__pyramid){.stream = &two->partner->ctx->stream,
                                .rank = two->partner->ctx,
                                .problem = problem,
                                .tiling = from->tiling,
                                .held = from->held,
                                .directions = from->directions,
                                .start = from->start,
                                .front = from->front,
                                .turn = from->turn,
                                .source = from->source,
                                .tile_rate = from->tile_rate};
    rhomb__message_put(&m, &request, sizeof request);
    put_tile(&m, problem->plan, is_first);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_PYRAMID_OPEN, &m);
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_pyramid_hold(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                        rhomb__window to)
{
    rhomb__message m = {.kind = 0};
    rhomb__message_put(&m, &to, sizeof to);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_PYRAMID_HOLD, &m);
    pyramid->held = to;
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_pyramid_retile(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                          bool is_first)
{
    rhomb__message m = {.kind = 0};
    const rhomb__problem *problem = pyramid->problem;
    put_tile(&m, problem->plan, is_first);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_PYRAMID_RETILE, &m);
    pyramid->tiling =
        rhomb__plan_tiling(problem->plan, problem->target_length, problem->query_length);
    rhomb__message_release(&m);
    return status;
}

rhomb_status rhomb__remote_pyramid_tighten(rhomb__two_devices *two, int64_t bound)
{
    rhomb__message m = {.kind = 0};
    rhomb__message_put(&m, &bound, sizeof bound);
    const rhomb_status status = rhomb__two_ask(two, RHOMB__ASK_PYRAMID_TIGHTEN, &m);
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_pyramid_begin(const rhomb__pyramid *pyramid, rhomb__message *order, int place)
{
    const run_request request = {.place = place, .tile_rate = pyramid->tile_rate};
    rhomb__message_clear(order);
    rhomb__message_put(order, &request, sizeof request);
}

void rhomb__remote_pyramid_enqueue(rhomb__pyramid *pyramid, rhomb__message *order,
                                   const rhomb__launch *launch)
{
    rhomb__message_put(order, launch, sizeof *launch);
    rhomb__pyramid_pass(pyramid, launch);
}

rhomb_status rhomb__remote_pyramid_run(rhomb__two_devices *two, rhomb__message *order,
                                       rhomb__pyramid_reply *reply)
{
    const rhomb_status status =
        rhomb__two_send(two, RHOMB__ASK_PYRAMID_RUN, order, reply, sizeof *reply);
    rhomb__message_clear(order);
    return status;
}

void rhomb__remote_pyramid_close(rhomb_context *other)
{
    rhomb__message m = {.kind = 0};
    if (!other->remote->link.is_lost)
        (void)rhomb__ask(other, RHOMB__ASK_PYRAMID_CLOSE, &m);
    rhomb__message_release(&m);
}

/* A direction, on its rank. */
typedef struct served_pyramid {
    rhomb__served_pair *pair;
    rhomb__pyramid pyramid;
    rhomb__plan plan; /* rank 0's: its tile may be another one than the pair's */
    rhomb__problem problem;
    rhomb_wavefront_status read; /* as read last; a running read writes here */
} served_pyramid;

/* Rank 0's plan and its program. */
static rhomb_status take_tile(rhomb__served *served, served_pyramid *own, rhomb__message *m,
                              const rhomb__program **program)
{
    rhomb_status status = RHOMB_OK;
    tile_request tile;
    rhomb__message_take(m, &tile, sizeof tile);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    own->plan = tile.plan;
    rhomb__served_plan(&own->plan);
    RHOMB_TRY(rhomb__pyramid_program_on(served->ctx, &own->pair->programs, &own->plan,
                                        tile.is_first, program));
out:
    return status;
}

static rhomb_status open_pyramid(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    open_request request;
    const rhomb__program *program = NULL;
    rhomb__serve_pyramid_close(served);
    served_pyramid *own = calloc(1, sizeof *own);
    served->pyramid = own;
    if (own == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *own, "a wavefront");
    rhomb__message_take(m, &request, sizeof request);
    RHOMB_TRY(rhomb__served_pair_at(served, request.slot, &own->pair));
    RHOMB_TRY(take_tile(served, own, m, &program));
    own->problem = (rhomb__problem){.plan = &own->plan,
                                    .query_length = own->pair->task.query_length,
                                    .target_length = own->pair->task.target_length,
                                    .query = &own->pair->query,
                                    .target = &own->pair->target};
    const rhomb__pyramid from = {.held = request.held,
                                 .directions = request.directions,
                                 .start = request.start,
                                 .front = request.front,
                                 .turn = request.turn,
                                 .source = request.source,
                                 .tile_rate = request.tile_rate};
    RHOMB_TRY(rhomb__pyramid_double(&own->pyramid, &from, &ctx->stream, program, &own->problem,
                                    &request.record));
    own->pyramid.is_apart = true;
    own->pyramid.first = 1;
out:
    return status;
}

static rhomb_status hold(rhomb__served *served, served_pyramid *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__window to;
    rhomb__message_take(m, &to, sizeof to);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    RHOMB_TRY(rhomb__pyramid_hold(&own->pyramid, to));
out:
    return status;
}

static rhomb_status retile(rhomb__served *served, served_pyramid *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__program *program = NULL;
    RHOMB_TRY(take_tile(served, own, m, &program));
    RHOMB_TRY(rhomb__pyramid_retile(&own->pyramid, program));
out:
    return status;
}

static rhomb_status tighten(rhomb__served *served, served_pyramid *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    int64_t bound = 0;
    rhomb__message_take(m, &bound, sizeof bound);
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    RHOMB_TRY(rhomb__pyramid_tighten(&own->pyramid, bound));
out:
    return status;
}

/* Runs the launches of an order, up to a read of the status record. */
static rhomb_status run(rhomb__served *served, served_pyramid *own, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pyramid *p = &own->pyramid;
    run_request request;
    rhomb__launch launch;
    cl_event read = NULL;
    rhomb__message_take(m, &request, sizeof request);
    p->tile_rate = request.tile_rate;
    if (request.place >= 0)
        RHOMB_TRY(rhomb__pyramid_keep(p, request.place));
    while (m->bytes - m->taken >= (int64_t)sizeof launch) {
        rhomb__message_take(m, &launch, sizeof launch);
        RHOMB_TRY(rhomb__pyramid_enqueue(p, &launch));
    }
    RHOMB_TRY(rhomb__message_end(&served->ctx->stream.error, m));
    RHOMB_TRY(rhomb__pyramid_read(p, &own->read, &read));
    RHOMB_TRY(rhomb__queue_wait(p->stream, read));
out:
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}

/* The reply to a run. */
static rhomb_status run_and_reply(rhomb__served *served, served_pyramid *own, rhomb__message *m)
{
    const rhomb_status status = run(served, own, m);
    rhomb__pyramid_reply reply;
    memset(&reply, 0, sizeof reply);
    reply.status = own->read;
    reply.launches = own->pyramid.launches;
    rhomb__message_clear(m);
    rhomb__message_put(m, &reply, sizeof reply);
    return status;
}

rhomb_status rhomb__serve_pyramid(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    served_pyramid *own = served->pyramid;
    const rhomb__request request = (rhomb__request)m->kind;
    if (own == NULL && request != RHOMB__ASK_PYRAMID_OPEN)
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL, "no wavefront is open");
    switch (request) {
    case RHOMB__ASK_PYRAMID_READ:
        return rhomb__serve_read(served, m, own->pyramid.wavefronts, 2);
    case RHOMB__ASK_PYRAMID_WRITE:
        return rhomb__serve_write(served, m, own->pyramid.wavefronts, 2);
    case RHOMB__ASK_PYRAMID_RUN:
        return run_and_reply(served, own, m);
    case RHOMB__ASK_PYRAMID_OPEN:
        status = open_pyramid(served, m);
        break;
    case RHOMB__ASK_PYRAMID_HOLD:
        status = hold(served, own, m);
        break;
    case RHOMB__ASK_PYRAMID_RETILE:
        status = retile(served, own, m);
        break;
    case RHOMB__ASK_PYRAMID_TIGHTEN:
        status = tighten(served, own, m);
        break;
    default:
        rhomb__serve_pyramid_close(served);
        break;
    }
    rhomb__message_clear(m);
    return status;
}

void rhomb__serve_pyramid_close(rhomb__served *served)
{
    served_pyramid *own = served->pyramid;
    if (own == NULL)
        return;
    if (own->pyramid.stream != NULL) /* launches before a failure still use the wavefronts */
        clFinish(own->pyramid.stream->queue);
    rhomb__pyramid_release(&own->pyramid);
    free(own);
    served->pyramid = NULL;
}
