/* SPDX-License-Identifier: MIT */
/*
 * Borders between devices, see borders.h.
 */
#include "host/engines/bitparallel/borders.h"

#include "host/device/cl_error.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

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
    return 2 * borders * ((int64_t)sizeof(uint32_t) + RHOMB__BORDER_SLOTS * packet_bytes_of(sweep));
}

/* Packets of a launch: those listed from *first on, as many as it returns. */
static int64_t packets_of(const rhomb__borders *b, rhomb__border_way *way, int64_t launch,
                          int64_t *first)
{
    rhomb__sweep_active(b->sweep, b->records, launch, &way->first, &way->end);
    const int64_t directions = b->directions;
    *first = directions * rhomb__borders_owned(b->sweep, way->owner, way->first);
    return directions * rhomb__borders_owned(b->sweep, way->owner, way->end) - *first;
}

/* The most packets of any launch. */
static int64_t most_packets(const rhomb__borders *b, rhomb__border_way *way)
{
    int64_t most = 0, last = 0, first = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(b->sweep); i++)
        last = rhomb__max(last, b->records[i].last_launch);
    for (int64_t launch = 0; launch <= last; launch++)
        most = rhomb__max(most, packets_of(b, way, launch, &first));
    way->first = way->end = 0;
    return most;
}

static rhomb_status grow(rhomb__borders *b, int64_t bytes, const char *what, rhomb__buffer *buffer)
{
    if (bytes <= buffer->bytes)
        return RHOMB_OK;
    rhomb__buffer_release(b->stream, buffer);
    return rhomb__buffer_create(b->stream, bytes, what, buffer);
}

/* Sends the list of the strips whose borders go this way. */
static rhomb_status send_list(rhomb__borders *b, rhomb__border_way *way)
{
    rhomb_status status = RHOMB_OK;
    const int64_t directions = b->directions;
    const int64_t borders = rhomb__borders_owned(b->sweep, way->owner, b->sweep->strips);
    const size_t bytes = (size_t)(borders * directions) * sizeof(uint32_t);
    uint32_t *list = malloc(bytes + 1);
    if (list == NULL)
        return rhomb__fail_memory(&b->stream->error, bytes, "the borders of a sweep");
    for (int64_t i = 0; i < borders * directions; i++)
        list[i] = (uint32_t)(2 * rhomb__border_of_owner(b->sweep, way->owner, i / directions) +
                             b->direction + i % directions);
    RHOMB_TRY(grow(b, rhomb__max((int64_t)bytes, 4), "a sweep's borders", &way->listed));
    if (bytes > 0)
        RHOMB_CL(b->stream, clEnqueueWriteBuffer(b->stream->queue, way->listed.handle, CL_TRUE, 0,
                                                 bytes, list, 0, NULL, NULL));
out:
    free(list);
    return status;
}

static rhomb_status prepare_way(rhomb__borders *b, const rhomb__program *program,
                                const char *kernel, int32_t owner, rhomb__border_way *way)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    way->owner = owner;
    way->first = way->end = 0;
    if (way->kernel == NULL)
        RHOMB_CL_OUT(b->stream, code, way->kernel = clCreateKernel(program->handle, kernel, &code));
    way->most = rhomb__max(most_packets(b, way), 1);
    const int64_t bytes = RHOMB__BORDER_SLOTS * way->most * b->packet_bytes;
    RHOMB_TRY(send_list(b, way));
    RHOMB_TRY(grow(b, bytes, "what devices pass on", &way->packets));
    if (bytes > way->slots.bytes)
        RHOMB_TRY(rhomb__pinned_create(b->stream, bytes, "what devices pass on", &way->slots));
out:
    return status;
}

rhomb_status rhomb__borders_prepare(rhomb__borders *b, const rhomb__program *program, int32_t owner)
{
    rhomb_status status = RHOMB_OK;
    const int32_t owners = b->sweep->chunks.owners;
    cl_int code = CL_SUCCESS;
    if (b->transfers == NULL && b->stream->device->one_queue)
        b->transfers = b->stream->queue;
    else if (b->transfers == NULL)
        RHOMB_CL_OUT(b->stream, code,
                     b->transfers = clCreateCommandQueue(b->stream->device->context,
                                                         b->stream->device->id, 0, &code));
    b->packet_bytes = packet_bytes_of(b->sweep);
    RHOMB_TRY(prepare_way(b, program, "rhomb_gather_borders", owner, &b->out));
    RHOMB_TRY(
        prepare_way(b, program, "rhomb_scatter_borders", (owner + owners - 1) % owners, &b->in));
out:
    return status;
}

static int64_t slot_at(const rhomb__borders *b, const rhomb__border_way *way, int64_t launch)
{
    return launch % RHOMB__BORDER_SLOTS * way->most * b->packet_bytes;
}

static void forget(cl_event *event)
{
    if (*event != NULL)
        clReleaseEvent(*event);
    *event = NULL;
}

/* Launches the kernel of a way for packets of a launch, after a transfer into its slot, if any. */
static rhomb_status launch_copies(rhomb__borders *b, rhomb__border_way *way, int64_t launch,
                                  int64_t first, int64_t count, const cl_event *after)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__strip_shape *shape = &b->sweep->shape;
    const int32_t steps = (int32_t)shape->steps, lag = (int32_t)shape->lag;
    const int32_t words = (int32_t)rhomb__shape_border_words(shape);
    const int64_t first_packet = launch % RHOMB__BORDER_SLOTS * way->most;
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(b->strips),
                                         RHOMB__ARGUMENT(b->across),
                                         RHOMB__ARGUMENT(way->listed.handle),
                                         RHOMB__ARGUMENT(first),
                                         RHOMB__ARGUMENT(launch),
                                         RHOMB__ARGUMENT(steps),
                                         RHOMB__ARGUMENT(lag),
                                         RHOMB__ARGUMENT(words),
                                         RHOMB__ARGUMENT(first_packet),
                                         RHOMB__ARGUMENT(way->packets.handle)};
    const int64_t most = rhomb__max(b->stream->device->info.max_group_size, 1);
    const size_t local = (size_t)rhomb__min(most, GROUP), global = (size_t)count * local;
    cl_event *copied = &way->copied[launch % RHOMB__BORDER_SLOTS];
    RHOMB_TRY(rhomb__queue_arguments(b->stream, way->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    forget(copied);
    RHOMB_CL(b->stream, clEnqueueNDRangeKernel(b->stream->queue, way->kernel, 1, NULL, &global,
                                               &local, after != NULL ? 1 : 0, after, copied));
out:
    return status;
}

/* Waits for the transfer that used a slot last, if any. */
static rhomb_status wait_for_slot(rhomb__borders *b, rhomb__border_way *way, int64_t launch)
{
    cl_event *moved = &way->moved[launch % RHOMB__BORDER_SLOTS];
    if (*moved == NULL)
        return RHOMB_OK;
    const rhomb_status status = rhomb__queue_wait(b->stream, *moved);
    forget(moved);
    return status;
}

rhomb_status rhomb__borders_take(rhomb__borders *b, rhomb__borders *before, int64_t launch)
{
    rhomb_status status = RHOMB_OK;
    const int64_t sent = launch - 1 - b->sweep->chunks.travel;
    int64_t first = 0;
    const int64_t count = sent < 0 ? 0 : packets_of(b, &b->in, sent, &first);
    if (count == 0)
        return RHOMB_OK;
    const double began = rhomb__now();
    RHOMB_TRY(wait_for_slot(before, &before->out, sent));
    b->waited_seconds += rhomb__now() - began;
    RHOMB_TRY(wait_for_slot(b, &b->in, sent));
    const int64_t at = slot_at(b, &b->in, sent);
    const size_t bytes = (size_t)(count * b->packet_bytes);
    memcpy(b->in.slots.at + at, before->out.slots.at + slot_at(before, &before->out, sent), bytes);
    /* After the kernel that read the slot before. */
    const cl_event *copied = &b->in.copied[sent % RHOMB__BORDER_SLOTS];
    cl_event *moved = &b->in.moved[sent % RHOMB__BORDER_SLOTS];
    RHOMB_CL(b->stream,
             clEnqueueWriteBuffer(b->transfers, b->in.packets.handle, CL_FALSE, (size_t)at, bytes,
                                  b->in.slots.at + at, *copied != NULL ? 1 : 0,
                                  *copied != NULL ? copied : NULL, moved));
    RHOMB_CL(b->stream, clFlush(b->transfers));
    RHOMB_TRY(launch_copies(b, &b->in, sent, first, count, moved));
out:
    return status;
}

rhomb_status rhomb__borders_give(rhomb__borders *b, int64_t launch)
{
    rhomb_status status = RHOMB_OK;
    int64_t first = 0;
    const int64_t count = packets_of(b, &b->out, launch, &first);
    if (count == 0)
        return RHOMB_OK;
    RHOMB_TRY(wait_for_slot(b, &b->out, launch)); /* taken, unless the next device is the last */
    RHOMB_TRY(launch_copies(b, &b->out, launch, first, count, NULL));
    RHOMB_CL(b->stream, clFlush(b->stream->queue)); /* the other queue waits for it */
    const int64_t at = slot_at(b, &b->out, launch);
    RHOMB_CL(b->stream,
             clEnqueueReadBuffer(b->transfers, b->out.packets.handle, CL_FALSE, (size_t)at,
                                 (size_t)(count * b->packet_bytes), b->out.slots.at + at, 1,
                                 &b->out.copied[launch % RHOMB__BORDER_SLOTS],
                                 &b->out.moved[launch % RHOMB__BORDER_SLOTS]));
    RHOMB_CL(b->stream, clFlush(b->transfers));
    b->bytes_sent += count * b->packet_bytes;
out:
    return status;
}

static void forget_events(rhomb__border_way *way)
{
    for (int i = 0; i < RHOMB__BORDER_SLOTS; i++) {
        forget(&way->copied[i]);
        forget(&way->moved[i]);
    }
}

void rhomb__borders_stop(rhomb__borders *b)
{
    if (b->transfers != NULL)
        clFinish(b->transfers);
    forget_events(&b->out);
    forget_events(&b->in);
}

static void release_way(rhomb__borders *b, rhomb__border_way *way)
{
    if (way->kernel != NULL)
        clReleaseKernel(way->kernel);
    way->kernel = NULL;
    rhomb__buffer_release(b->stream, &way->listed);
    rhomb__buffer_release(b->stream, &way->packets);
    rhomb__pinned_release(b->stream, &way->slots);
}

void rhomb__borders_release(rhomb__borders *b)
{
    if (b->stream == NULL)
        return;
    rhomb__borders_stop(b);
    release_way(b, &b->out);
    release_way(b, &b->in);
    if (b->transfers != NULL && b->transfers != b->stream->queue)
        clReleaseCommandQueue(b->transfers);
    b->transfers = NULL;
}
