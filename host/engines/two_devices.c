/* SPDX-License-Identifier: MIT */
/* Two directions on two devices, see two_devices.h. */
#include "host/engines/two_devices.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/context.h"
#include "host/device/each.h"
#include "host/device/queue.h"
#include "host/engines/remote_bytes.h"
#include "src/base/clock.h"

rhomb__two_devices rhomb__two_begin(rhomb_context *ctx, const rhomb__problem *problem)
{
    const bool may_share = problem->join != NULL && problem->plan->other_speed > 0;
    return (rhomb__two_devices){
        .ctx = ctx, .problem = problem, .may_share = may_share, .began = rhomb__now()};
}

bool rhomb__two_pays(const rhomb__two_devices *two, int64_t done, int64_t bound, int64_t reach)
{
    const rhomb__plan *plan = two->problem->plan;
    const double bases = (double)plan->target_length + (double)plan->query_length;
    if (!two->may_share || two->problem->options->tuning->chunk_strips > 0)
        return two->may_share;
    const int64_t promised = rhomb__plan_expected(plan);
    const double at_pace = reach > 0 ? (double)done * bases / (double)reach : (double)bound;
    const double expected = promised > done ? (double)promised : at_pace;
    return rhomb__plan_two_pay(plan, done,
                               (int64_t)(expected < (double)bound ? expected : (double)bound));
}

rhomb_status rhomb__two_join(rhomb__two_devices *two)
{
    rhomb_status status = RHOMB_OK;
    two->may_share = false;
    RHOMB_TRY(two->problem->join(two->problem->join_user, 1, &two->partner));
    two->is_shared = two->partner != NULL;
    two->joined = rhomb__now();
    if (two->is_shared)
        rhomb__log(&two->ctx->stream, 1, "wavefront: the backward direction goes on by %s",
                   two->partner->ctx->stream.device->info.name);
out:
    return status;
}

/* How long the other device was in use. */
static double other_seconds(const rhomb__two_devices *two)
{
    return two->other_seconds + (two->is_shared ? rhomb__now() - two->joined : 0);
}

static rhomb__device_stream *stream_of(const rhomb__two_devices *two, int device)
{
    return device == 0 ? &two->ctx->stream : &two->partner->ctx->stream;
}

rhomb_context *rhomb__two_rank(const rhomb__two_devices *two)
{
    return two->is_shared && two->partner->ctx->remote != NULL ? two->partner->ctx : NULL;
}

/* Receives the reply to the oldest request that has none. */
static rhomb_status take_reply(rhomb__two_devices *two)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *rank = rhomb__two_rank(two);
    rhomb__message m = {.kind = 0};
    const rhomb__two_request *request = &two->requests[two->answered++ % RHOMB__TWO_REQUESTS];
    RHOMB_TRY(rhomb__ask_end(rank, request->kind, &m));
    rhomb__message_take(&m, request->to, request->bytes);
    RHOMB_TRY(rhomb__message_end(&rank->stream.error, &m));
out:
    rhomb__message_release(&m);
    return status;
}

static rhomb_status take_replies(rhomb__two_devices *two, int64_t number)
{
    rhomb_status status = RHOMB_OK;
    while (two->answered < number)
        RHOMB_TRY(take_reply(two));
out:
    return status;
}

rhomb_status rhomb__two_send(rhomb__two_devices *two, rhomb__request request, rhomb__message *m,
                             void *to, int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(take_replies(two, two->asked + 1 - RHOMB__TWO_REQUESTS));
    RHOMB_TRY(rhomb__ask_begin(rhomb__two_rank(two), request, m));
    two->requests[two->asked++ % RHOMB__TWO_REQUESTS] = (rhomb__two_request){request, to, bytes};
out:
    return status;
}

rhomb_status rhomb__two_ask(rhomb__two_devices *two, rhomb__request request, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(take_replies(two, two->asked));
    RHOMB_TRY(rhomb__ask(rhomb__two_rank(two), request, m));
out:
    return status;
}

void rhomb__two_part(rhomb__two_devices *two)
{
    rhomb_context *rank = rhomb__two_rank(two);
    while (rank != NULL && two->answered < two->asked && !rank->remote->link.is_lost)
        (void)take_reply(two);
    two->other_seconds = other_seconds(two);
    two->is_shared = false;
    two->partner = NULL;
}

rhomb_status rhomb__two_move(rhomb__two_devices *two, int from, const rhomb__two_place *source,
                             const rhomb__two_place *target, int64_t bytes, rhomb__request read,
                             rhomb__request write)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *rank = rhomb__two_rank(two);
    char *copy = malloc((size_t)bytes);
    if (copy == NULL)
        return rhomb__fail_memory(&two->ctx->stream.error, (size_t)bytes, "a wavefront");
    RHOMB_TRY(take_replies(two, two->asked));
    if (rank != NULL && from == 1)
        RHOMB_TRY(rhomb__remote_read(rank, read, source->which, source->at, bytes, copy));
    else
        RHOMB_TRY(rhomb__buffer_read(stream_of(two, from), &source->buffers[source->which],
                                     source->at, bytes, copy));
    if (rank != NULL && from == 0)
        RHOMB_TRY(rhomb__remote_write(rank, write, target->which, target->at, bytes, copy));
    else
        RHOMB_TRY(rhomb__buffer_write(stream_of(two, 1 - from), &target->buffers[target->which],
                                      target->at, bytes, copy));
    two->shares[from].bytes_sent += bytes;
out:
    free(copy);
    return status;
}

/* Whether a read has come; receives replies that have. */
static rhomb_status look(rhomb__two_devices *two, int device, const rhomb__two_read *read,
                         bool *has_come)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *rank = rhomb__two_rank(two);
    if (rank == NULL || device == 0)
        return rhomb__queue_is_done(stream_of(two, device), read->event, has_come);
    for (bool waits = true; waits && two->answered < read->number;) {
        RHOMB_TRY(rhomb__link_probe(&rank->stream.error, &rank->remote->link, RHOMB__CHANNEL_ASK,
                                    &waits));
        if (waits)
            RHOMB_TRY(take_reply(two));
    }
    *has_come = two->answered >= read->number;
out:
    return status;
}

static rhomb_status wait_for(rhomb__two_devices *two, int device, const rhomb__two_read *read)
{
    if (rhomb__two_rank(two) == NULL || device == 0)
        return rhomb__queue_wait(stream_of(two, device), read->event);
    return take_replies(two, read->number);
}

/* What a device whose read has come waits for the other one's. */
rhomb_status rhomb__two_wait(rhomb__two_devices *two, const rhomb__two_read reads[2],
                             const rhomb__two_read last[2])
{
    rhomb_status status = RHOMB_OK;
    for (int device = 0; device < 2; device++) {
        const int other = 1 - device;
        bool has_come = false, is_idle = false;
        RHOMB_TRY(look(two, other, &reads[other], &has_come));
        RHOMB_TRY(look(two, other, &last[other], &is_idle));
        const double began = rhomb__now();
        RHOMB_TRY(wait_for(two, device, &reads[device]));
        const double seconds = rhomb__now() - began;
        two->shares[other].seconds_waited += has_come ? seconds : 0;
        two->shares[other].seconds_idle += has_come && is_idle ? seconds : 0;
    }
out:
    return status;
}

rhomb_status rhomb__two_finish(rhomb__two_devices *two)
{
    if (rhomb__two_rank(two) == NULL)
        return rhomb__queue_finish(stream_of(two, 1));
    return take_replies(two, two->asked);
}

rhomb_status rhomb__two_adopt(rhomb__two_devices *two, rhomb_status status)
{
    if (status == RHOMB_OK || !two->is_shared)
        return status;
    const int32_t device = stream_of(two, 1)->error.status != RHOMB_OK ? 1 : 0;
    const rhomb__error *error = &stream_of(two, device)->error;
    return rhomb__pass_error(two->ctx, device, status, rhomb__error_text(error));
}

void rhomb__two_report(const rhomb__two_devices *two, rhomb__solution *solution)
{
    if (two->other_cells == 0)
        return;
    solution->share_count = 1 + two->ctx->other_count;
    memcpy(solution->shares, two->shares, sizeof two->shares);
    solution->shares[0].cells = solution->cells - two->other_cells;
    solution->shares[1].cells = two->other_cells;
    const double seconds[2] = {rhomb__now() - two->began, other_seconds(two)};
    for (int i = 0; i < 2; i++) {
        rhomb_device_share *share = &solution->shares[i];
        const double cells = (double)(share->cells - (i == 0 ? two->cells_earlier : 0));
        const double busy = seconds[i] - share->seconds_idle;
        share->cells_per_second = busy > 0 ? cells / busy : 0;
    }
}
