/* SPDX-License-Identifier: MIT */
/*
 * Borders between devices, see borders.h.
 */
#include "host/engines/bitparallel/borders.h"

#include "host/device/cl_error.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(RHOMB__BORDER_SLOTS > RHOMB__BORDER_TRAVEL + 1, "packets would be overwritten");

/* Work-items that copy a border; a device may have smaller groups only. */
#define GROUP 64

rhomb_status rhomb__borders_program(rhomb_context *ctx, rhomb__program **out)
{
    return rhomb__program_with(ctx, &rhomb__source_borders, NULL, 0, out);
}

static int64_t packet_bytes_of(const rhomb__sweep *sweep)
{
    const int64_t words = sweep->shape.steps * rhomb__shape_border_words(&sweep->shape);
    return (int64_t)sizeof(rhomb_strip_front) + 4 * (words + words % 2);
}

int64_t rhomb__borders_bytes(const rhomb__sweep *sweep, const rhomb__strip_chunks *chunks)
{
    int64_t turn = 0;
    for (int32_t i = 0; i < chunks->owners; i++)
        turn += chunks->strips[i];
    const int64_t borders = 2 * (sweep->strips / rhomb__max(turn, 1) + 1);
    return 2 * borders * ((int64_t)sizeof(uint32_t) + packet_bytes_of(sweep));
}

/* Packets of a launch: those listed from *first on, as many as it returns. */
static int64_t packets_of(const rhomb__borders *b, rhomb__border_side *side, int64_t launch,
                          int64_t *first)
{
    rhomb__sweep_active(b->sweep, b->records, launch, &side->first, &side->end);
    const int64_t directions = b->directions;
    *first = directions *
             rhomb__borders_owned(&b->sweep->chunks, side->owner, side->first, b->sweep->strips);
    return directions *
               rhomb__borders_owned(&b->sweep->chunks, side->owner, side->end, b->sweep->strips) -
           *first;
}

/* The most packets of any launch. */
static int64_t most_packets(const rhomb__borders *b, rhomb__border_side *side)
{
    int64_t most = 0, last = 0, first = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(b->sweep); i++)
        last = rhomb__max(last, b->records[i].last_launch);
    for (int64_t launch = 0; launch <= last; launch++)
        most = rhomb__max(most, packets_of(b, side, launch, &first));
    side->first = side->end = 0;
    return most;
}

static rhomb_status grow(rhomb__borders *b, int64_t bytes, const char *what, rhomb__buffer *buffer)
{
    if (bytes <= buffer->bytes)
        return RHOMB_OK;
    rhomb__buffer_release(b->memory, buffer);
    return rhomb__buffer_create(b->memory, bytes, what, buffer);
}

/* Sends the list of the strips whose borders go this side. */
static rhomb_status send_list(rhomb__borders *b, rhomb__border_side *side)
{
    rhomb_status status = RHOMB_OK;
    const int64_t directions = b->directions;
    const int64_t borders =
        rhomb__borders_owned(&b->sweep->chunks, side->owner, b->sweep->strips, b->sweep->strips);
    const size_t bytes = (size_t)(borders * directions) * sizeof(uint32_t);
    uint32_t *list = malloc(bytes + 1);
    if (list == NULL)
        return rhomb__fail_memory(&b->stream->error, bytes, "the borders of a sweep");
    for (int64_t i = 0; i < borders * directions; i++)
        list[i] =
            (uint32_t)(2 * rhomb__border_of_owner(&b->sweep->chunks, side->owner, i / directions) +
                       b->direction + i % directions);
    RHOMB_TRY(grow(b, rhomb__max((int64_t)bytes, 4), "a sweep's borders", &side->listed));
    if (bytes > 0)
        RHOMB_TRY(rhomb__buffer_write(b->stream, &side->listed, bytes, list));
out:
    free(list);
    return status;
}

static rhomb_status prepare_side(rhomb__borders *b, const rhomb__program *program,
                                 const char *kernel, int32_t owner, rhomb__border_side *side)
{
    rhomb_status status = RHOMB_OK;
    side->owner = owner;
    side->first = side->end = 0;
    memset(side->counts, 0, sizeof side->counts);
    if (side->kernel == NULL)
        RHOMB_TRY(rhomb__kernel_make(b->stream, program, kernel, &side->kernel));
    RHOMB_TRY(rhomb__group_limit_of(b->stream, side->kernel, GROUP, &side->group_size));
    const int64_t bytes = rhomb__max(most_packets(b, side), 1) * b->packet_bytes;
    side->slot_bytes = bytes;
    RHOMB_TRY(send_list(b, side));
    RHOMB_TRY(grow(b, bytes, "what devices pass on", &side->packets));
    if (RHOMB__BORDER_SLOTS * bytes > side->slots.bytes)
        RHOMB_TRY(rhomb__pinned_create(b->stream, RHOMB__BORDER_SLOTS * bytes,
                                       "what devices pass on", &side->slots));
out:
    return status;
}

rhomb_status rhomb__borders_prepare(rhomb__borders *b, const rhomb__program *program, int32_t owner)
{
    rhomb_status status = RHOMB_OK;
    const int32_t owners = b->sweep->chunks.owners;
    b->packet_bytes = packet_bytes_of(b->sweep);
    b->has_told = b->has_heard = false;
    b->waits_since = 0;
    RHOMB_TRY(prepare_side(b, program, "rhomb_gather_borders", owner, &b->out));
    RHOMB_TRY(
        prepare_side(b, program, "rhomb_scatter_borders", (owner + owners - 1) % owners, &b->in));
out:
    return status;
}

/* Launches the kernel of a side for packets of a launch. */
static rhomb_status launch_copies(rhomb__borders *b, rhomb__border_side *side, int64_t launch,
                                  int64_t first, int64_t count)
{
    const rhomb__strip_shape *shape = &b->sweep->shape;
    const int32_t steps = (int32_t)shape->steps, lag = (int32_t)shape->lag;
    const int32_t words = (int32_t)rhomb__shape_border_words(shape);
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(b->strips),
                                         RHOMB__ARGUMENT(b->across),
                                         RHOMB__ARGUMENT(side->listed.handle),
                                         RHOMB__ARGUMENT(first),
                                         RHOMB__ARGUMENT(launch),
                                         RHOMB__ARGUMENT(steps),
                                         RHOMB__ARGUMENT(lag),
                                         RHOMB__ARGUMENT(words),
                                         RHOMB__ARGUMENT(side->packets.handle)};
    return rhomb__queue_run(b->stream, side->kernel, RHOMB__LIST(arguments), count,
                            side->group_size);
}

/* Waits for the transfer that used a slot last, if any. */
static rhomb_status wait_for_slot(rhomb__borders *b, rhomb__border_side *side, int64_t launch)
{
    cl_event *event = &side->events[launch % RHOMB__BORDER_SLOTS];
    if (*event == NULL)
        return RHOMB_OK;
    const rhomb_status status = rhomb__queue_wait(b->stream, *event);
    clReleaseEvent(*event);
    *event = NULL;
    return status;
}

static char *slot_of(const rhomb__border_side *side, int64_t launch)
{
    return side->slots.at + launch % RHOMB__BORDER_SLOTS * side->slot_bytes;
}

/* What precedes the packets of a launch between ranks. */
typedef struct packets_head {
    int64_t job;
    int64_t launch;
    int64_t bytes;
    int64_t ends; /* not 0: instead of packets; nothing more comes */
} packets_head;

/* Packets are sent in pieces of at most this many bytes, so that none waits for being received. */
#define PIECE ((int64_t)(RHOMB_RANK_BUFFERED / 2))

static rhomb_status send_packets(rhomb__borders *b, const packets_head *head, const char *packets)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &b->stream->error;
    RHOMB_TRY(rhomb__link_send(error, b->out.link, b->channel, head, sizeof *head));
    for (int64_t at = 0; at < head->bytes; at += PIECE)
        RHOMB_TRY(rhomb__link_send(error, b->out.link, b->channel, packets + at,
                                   rhomb__min(head->bytes - at, PIECE)));
out:
    return status;
}

/* The packets of a launch go to the next rank. */
static rhomb_status pass_on(rhomb__borders *b, int64_t launch)
{
    rhomb_status status = RHOMB_OK;
    int64_t *count = &b->out.counts[launch % RHOMB__BORDER_SLOTS];
    const packets_head head = {.job = b->job, .launch = launch, .bytes = *count * b->packet_bytes};
    if (*count == 0)
        return RHOMB_OK;
    *count = 0;
    RHOMB_TRY(wait_for_slot(b, &b->out, launch));
    RHOMB_TRY(send_packets(b, &head, slot_of(&b->out, launch)));
out:
    return status;
}

rhomb_status rhomb__borders_tell_end(rhomb__borders *b)
{
    const packets_head head = {.job = b->job, .ends = 1};
    if (b->out.link == NULL || b->has_told)
        return RHOMB_OK;
    b->has_told = true;
    return send_packets(b, &head, NULL);
}

/* The next head of the rank before, which has to be of this sweep. */
static rhomb_status receive_head(rhomb__borders *b, packets_head *head)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__link_receive(&b->stream->error, b->in.link, b->channel, head, sizeof *head));
    b->has_heard = head->ends != 0;
    if (head->job != b->job || head->bytes < 0) {
        b->in.link->is_lost = true;
        return rhomb__fail(&b->stream->error, RHOMB_ERR_INTERNAL,
                           "rank %d sends packets of another sweep", (int)b->in.link->rank);
    }
out:
    return status;
}

static rhomb_status receive_packets(rhomb__borders *b, int64_t bytes, char *to)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t at = 0; at < bytes; at += PIECE)
        RHOMB_TRY(rhomb__link_receive(&b->stream->error, b->in.link, b->channel, to + at,
                                      rhomb__min(bytes - at, PIECE)));
out:
    return status;
}

/* Waits for the packets of a launch of the rank before. */
static rhomb_status receive_launch(rhomb__borders *b, int64_t launch, char *to, int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    packets_head head = {.job = 0};
    if (!b->has_heard)
        RHOMB_TRY(receive_head(b, &head));
    if (b->has_heard)
        return rhomb__fail(&b->stream->error, RHOMB_ERR_CANCELLED,
                           "another rank has ended the sweep");
    if (head.launch != launch || head.bytes != bytes) {
        b->in.link->is_lost = true;
        return rhomb__fail(&b->stream->error, RHOMB_ERR_INTERNAL,
                           "rank %d has sent %lld bytes of launch %lld instead of %lld of %lld",
                           (int)b->in.link->rank, (long long)head.bytes, (long long)head.launch,
                           (long long)bytes, (long long)launch);
    }
    RHOMB_TRY(receive_packets(b, bytes, to));
out:
    return status;
}

rhomb_status rhomb__borders_take_rest(rhomb__borders *b)
{
    rhomb_status status = RHOMB_OK;
    packets_head head = {.job = 0};
    if (b->in.link != NULL && !b->has_heard)
        clFinish(b->stream->queue); /* which may have yet to read the slots */
    while (b->in.link != NULL && !b->has_heard) {
        RHOMB_TRY(receive_head(b, &head));
        if (head.bytes > b->in.slot_bytes) { /* no launch has so much */
            b->in.link->is_lost = true;
            return rhomb__fail(&b->stream->error, RHOMB_ERR_INTERNAL,
                               "rank %d sends packets of %lld bytes", (int)b->in.link->rank,
                               (long long)head.bytes);
        }
        RHOMB_TRY(receive_packets(b, head.bytes, b->in.slots.at));
    }
out:
    return status;
}

/* Whether the queue has nothing left to do before a launch. */
static rhomb_status is_idle(const rhomb__borders *b, int64_t launch, bool *idle)
{
    const cl_event last = b->out.events[(launch - 1) % RHOMB__BORDER_SLOTS];
    *idle = false;
    return last != NULL ? rhomb__queue_is_done(b->stream, last, idle) : RHOMB_OK;
}

static void count_wait(rhomb__borders *b, double since, bool idle)
{
    const double waited = rhomb__now() - since;
    b->work.seconds_waited += waited;
    b->work.seconds_idle += idle ? waited : 0;
}

rhomb_status rhomb__borders_would_wait(rhomb__borders *b, int64_t launch, bool *waits)
{
    rhomb_status status = RHOMB_OK;
    const int64_t sent = launch - 1 - b->sweep->chunks.travel;
    int64_t first = 0;
    bool has_come = true;
    if (sent >= 0) {
        RHOMB_TRY(pass_on(b, sent));
        if (!b->has_heard && packets_of(b, &b->in, sent, &first) > 0)
            RHOMB_TRY(rhomb__link_probe(&b->stream->error, b->in.link, b->channel, &has_come));
    }
    if (!has_come && b->waits_since == 0) {
        b->waits_since = rhomb__now();
        RHOMB_TRY(is_idle(b, launch, &b->waits_idle));
    } else if (has_come && b->waits_since > 0) {
        count_wait(b, b->waits_since, b->waits_idle);
        b->waits_since = 0;
    }
    *waits = !has_come;
out:
    return status;
}

rhomb_status rhomb__borders_take(rhomb__borders *b, rhomb__borders *before, int64_t launch)
{
    rhomb_status status = RHOMB_OK;
    const int64_t sent = launch - 1 - b->sweep->chunks.travel;
    int64_t first = 0;
    if (sent >= 0 && b->out.link != NULL)
        RHOMB_TRY(pass_on(b, sent));
    const int64_t count = sent < 0 ? 0 : packets_of(b, &b->in, sent, &first);
    if (count == 0)
        return RHOMB_OK;
    const int64_t bytes = count * b->packet_bytes;
    char *to = slot_of(&b->in, sent);
    bool idle = false;
    RHOMB_TRY(is_idle(b, launch, &idle));
    const double began = rhomb__now();
    if (before != NULL)
        RHOMB_TRY(wait_for_slot(before, &before->out, sent));
    RHOMB_TRY(wait_for_slot(b, &b->in, sent));
    if (before != NULL)
        memcpy(to, slot_of(&before->out, sent), (size_t)bytes);
    else
        RHOMB_TRY(receive_launch(b, sent, to, bytes));
    count_wait(b, began, idle);
    RHOMB_CL(b->stream, clEnqueueWriteBuffer(b->stream->queue, b->in.packets.handle, CL_FALSE, 0,
                                             (size_t)bytes, to, 0, NULL,
                                             &b->in.events[sent % RHOMB__BORDER_SLOTS]));
    RHOMB_TRY(launch_copies(b, &b->in, sent, first, count));
out:
    return status;
}

rhomb_status rhomb__borders_give(rhomb__borders *b, int64_t launch)
{
    rhomb_status status = RHOMB_OK;
    int64_t first = 0;
    const int64_t count = packets_of(b, &b->out, launch, &first);
    b->out.counts[launch % RHOMB__BORDER_SLOTS] = count;
    if (count == 0)
        return RHOMB_OK;
    RHOMB_TRY(launch_copies(b, &b->out, launch, first, count));
    RHOMB_TRY(wait_for_slot(b, &b->out, launch)); /* the next device has taken it */
    RHOMB_CL(b->stream,
             clEnqueueReadBuffer(b->stream->queue, b->out.packets.handle, CL_FALSE, 0,
                                 (size_t)(count * b->packet_bytes), slot_of(&b->out, launch), 0,
                                 NULL, &b->out.events[launch % RHOMB__BORDER_SLOTS]));
    b->work.bytes_sent += count * b->packet_bytes;
out:
    return status;
}

static void forget_events(rhomb__border_side *side)
{
    for (int i = 0; i < RHOMB__BORDER_SLOTS; i++) {
        if (side->events[i] != NULL)
            clReleaseEvent(side->events[i]);
        side->events[i] = NULL;
    }
}

void rhomb__borders_stop(rhomb__borders *b)
{
    forget_events(&b->out);
    forget_events(&b->in);
}

static void release_side(rhomb__borders *b, rhomb__border_side *side)
{
    rhomb__kernel_release(&side->kernel);
    rhomb__buffer_release(b->memory, &side->listed);
    rhomb__buffer_release(b->memory, &side->packets);
    (void)rhomb__pinned_release(b->stream, &side->slots);
}

void rhomb__borders_release(rhomb__borders *b)
{
    if (b->stream == NULL)
        return;
    rhomb__borders_stop(b);
    release_side(b, &b->out);
    release_side(b, &b->in);
}
