/* SPDX-License-Identifier: MIT */
/*
 * A wavefront whose directions are on two devices, see wavefront.h.
 *
 * Two batches are in flight, and each device keeps what both began with: the newest wavefront of
 * its direction, in the other direction's place of one of its two buffers, which no launch touches.
 * Tiles are left out by their own direction's bound, and by what the host knows of both, as on one
 * device. So both devices compute the cells of one, up to the batch after which the directions may
 * have met.
 */
#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/engines/wavefront/wavefront.h"
#include "host/upload/pack.h"
#include "src/base/int64.h"

#include <string.h>

static int slot_of(const rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    return b == &s->batches[1];
}

static void release_event(cl_event *event)
{
    if (*event != NULL)
        clReleaseEvent(*event);
    *event = NULL;
}

void rhomb__wavefront_forget(rhomb__launch_batch *b)
{
    release_event(&b->read);
    release_event(&b->other_read.event);
    b->other_read.number = 0;
}

static bool has_other_read(const rhomb__launch_batch *b)
{
    return b->other_read.event != NULL || b->other_read.number > 0;
}

/* What one device would have read. */
static void merge(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    const rhomb_wavefront_status *other = &b->own[1];
    if (s->other.rank != NULL) {
        b->own[1] = b->reply.status;
        s->other.launches = rhomb__max(s->other.launches, b->reply.launches);
    }
    b->status = b->own[0];
    memcpy(b->status.front[1], other->front[1], sizeof other->front[1]);
    memcpy(b->status.furthest[1], other->furthest[1], sizeof other->furthest[1]);
    b->status.tiles += other->tiles;
}

/* No launch of a shared batch is left out. */
static rhomb_status check_complete(rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    const rhomb__pyramid *const pyramids[] = {&s->pyramid, &s->other};
    for (int i = 0; i < 2; i++) {
        rhomb__device_stream *stream = pyramids[i]->stream;
        const int64_t complete = rhomb__max(b->own[i].complete[0], b->own[i].complete[1]);
        if (complete != b->complete)
            return rhomb__fail(&stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the wavefront is at score %lld, not %lld",
                               stream->device->info.name, (long long)complete,
                               (long long)b->complete);
    }
    return RHOMB_OK;
}

rhomb_status rhomb__wavefront_wait(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    if (!b->is_shared || !s->two.is_shared) /* done by both before they parted, or by one */
        return rhomb__queue_wait(&s->ctx->stream, b->read);
    const rhomb__launch_batch *next = &s->batches[1 - slot_of(s, b)];
    if (!has_other_read(next) || next->complete < b->complete)
        next = b;
    const rhomb__two_read reads[2] = {{.event = b->read}, b->other_read};
    const rhomb__two_read last[2] = {{.event = next->read}, next->other_read};
    RHOMB_TRY(rhomb__two_wait(&s->two, reads, last));
    merge(s, b);
    RHOMB_TRY(check_complete(s, b));
out:
    return status;
}

/* Sends what the other rank has not got yet of a batch. */
static rhomb_status send_order(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    if (s->order.bytes == 0)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__remote_pyramid_run(&s->two, &s->order, &s->ordered->reply));
    s->ordered->other_read.number = s->two.asked;
out:
    return status;
}

rhomb_status rhomb__wavefront_finish(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(send_order(s));
    RHOMB_TRY(rhomb__queue_finish(&s->ctx->stream));
    if (s->two.is_shared)
        RHOMB_TRY(rhomb__two_finish(&s->two));
out:
    return status;
}

static bool has_first_tile(const rhomb__wavefront *s)
{
    return s->program == s->programs->solve;
}

/* The program of the tile in use, on the other device. */
static rhomb_status other_program(rhomb__wavefront *s, const rhomb__program **out)
{
    const rhomb__partner *partner = s->two.partner;
    return rhomb__pyramid_program_on(partner->ctx, &partner->programs, &s->tile, has_first_tile(s),
                                     out);
}

rhomb_status rhomb__wavefront_retile_other(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__program *program = NULL;
    if (!s->two.is_shared)
        return RHOMB_OK;
    if (s->other.rank != NULL)
        return rhomb__remote_pyramid_retile(&s->other, &s->two, has_first_tile(s));
    RHOMB_TRY(other_program(s, &program));
    RHOMB_TRY(rhomb__pyramid_retile(&s->other, program));
out:
    return status;
}

rhomb_status rhomb__wavefront_hold_other(rhomb__wavefront *s, rhomb__window to)
{
    if (!s->two.is_shared)
        return RHOMB_OK;
    return s->other.rank != NULL ? rhomb__remote_pyramid_hold(&s->other, &s->two, to)
                                 : rhomb__pyramid_hold(&s->other, to);
}

/* The newest wavefront, or the older one, of the backward direction: from a place to another. */
static rhomb_status move_backward(rhomb__wavefront *s, int from, int from_direction, int which)
{
    const rhomb__pyramid *const pyramids[] = {&s->pyramid, &s->other};
    const rhomb__pyramid *here = pyramids[from], *there = pyramids[1 - from];
    const int64_t bytes = rhomb__pyramid_wavefront_bytes(here);
    const int to = from_direction == 1 ? which : there->source;
    const rhomb__two_place source = {here->wavefronts, which, from_direction * bytes};
    const rhomb__two_place target = {there->wavefronts, to, bytes};
    if (bytes == 0)
        return RHOMB_OK;
    return rhomb__two_move(&s->two, from, &source, &target, bytes, RHOMB__ASK_PYRAMID_READ,
                           RHOMB__ASK_PYRAMID_WRITE);
}

/* The backward direction's pyramid, on the other device. */
static rhomb_status open_other(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__partner *partner = s->two.partner;
    const rhomb__program *program = NULL;
    s->other_tiled = s->tiled;
    s->other_tiled.query = &partner->query;
    s->other_tiled.target = &partner->target;
    if (partner->ctx->remote != NULL)
        return rhomb__remote_pyramid_open(&s->other, &s->two, &s->pyramid, &s->other_tiled,
                                          has_first_tile(s), &s->known);
    s->other.stream = &partner->ctx->stream;
    RHOMB_TRY(other_program(s, &program));
    RHOMB_TRY(rhomb__pyramid_double(&s->other, &s->pyramid, s->other.stream, program,
                                    &s->other_tiled, &s->known));
out:
    return status;
}

rhomb_status rhomb__wavefront_share(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    bool ended = false;
    if (s->pyramid.watches ||
        !rhomb__two_pays(&s->two, rhomb__wavefront_ruled_out(s, s->pyramid.start), s->bound,
                         s->reach))
        return RHOMB_OK;
    RHOMB_TRY(rhomb__wavefront_await(s, &ended));
    if (ended)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__two_join(&s->two));
    if (!s->two.is_shared)
        return RHOMB_OK;
    s->batches[0].paused = s->batches[1].paused = true;
    RHOMB_TRY(rhomb__pyramid_get_status(&s->pyramid, &s->known));
    RHOMB_TRY(open_other(s));
    RHOMB_TRY(move_backward(s, 0, 1, s->pyramid.source));
    s->pyramid.is_apart = s->other.is_apart = true;
    s->other.first = 1;
    s->other_tiles = 0;
out:
    return status;
}

static rhomb__batch_mark mark_of(const rhomb__wavefront *s)
{
    return (rhomb__batch_mark){.start = s->pyramid.start,
                               .front = s->pyramid.front,
                               .turn = s->pyramid.turn,
                               .source = s->pyramid.source,
                               .bound = s->bound,
                               .launches = s->batch_launches,
                               .batches = s->solution.batches,
                               .reach = s->reach,
                               .reach_score = s->reach_score};
}

rhomb_status rhomb__wavefront_begin_shared(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    b->is_shared = s->two.is_shared;
    if (!b->is_shared)
        return RHOMB_OK;
    b->mark = mark_of(s);
    s->other.tile_rate = s->pyramid.tile_rate;
    RHOMB_TRY(rhomb__pyramid_keep(&s->pyramid, slot_of(s, b)));
    s->ordered = b;
    if (s->other.rank != NULL)
        rhomb__remote_pyramid_begin(&s->other, &s->order, slot_of(s, b));
    else
        RHOMB_TRY(rhomb__pyramid_keep(&s->other, slot_of(s, b)));
out:
    return status;
}

rhomb_status rhomb__wavefront_enqueue_other(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                            const rhomb__launch *launch)
{
    if (!b->is_shared)
        return RHOMB_OK;
    if (s->other.rank == NULL)
        return rhomb__pyramid_enqueue(&s->other, launch);
    if (s->order.bytes == 0) /* after a wait within the batch */
        rhomb__remote_pyramid_begin(&s->other, &s->order, -1);
    rhomb__remote_pyramid_enqueue(&s->other, &s->order, launch);
    return RHOMB_OK;
}

rhomb_status rhomb__wavefront_end_shared(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    if (!b->is_shared)
        return RHOMB_OK;
    return s->other.rank != NULL ? send_order(s)
                                 : rhomb__pyramid_read(&s->other, &b->own[1], &b->other_read.event);
}

/* Both pyramids are where a batch began, the first one with both directions. */
static rhomb_status return_to(rhomb__wavefront *s, const rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_mark *mark = &b->mark;
    rhomb__pyramid *const pyramids[] = {&s->pyramid, &s->other};
    for (int i = 0; i < 2; i++) {
        pyramids[i]->start = mark->start;
        pyramids[i]->front = mark->front;
        pyramids[i]->turn = mark->turn;
        pyramids[i]->source = mark->source;
    }
    RHOMB_TRY(rhomb__pyramid_take_back(&s->pyramid, slot_of(s, b)));
    RHOMB_TRY(move_backward(s, 1, 0, slot_of(s, b)));
    /* Tiles that are left out there must not show what was kept, or is later. */
    RHOMB_TRY(rhomb__pyramid_clear(&s->pyramid, 1 - mark->source));
out:
    return status;
}

/*
 * Batches in flight, the older one first; waits for them up to the first one after which the
 * directions may have met. *ended is its number, or how many there are.
 */
static rhomb_status await_in_order(rhomb__wavefront *s, rhomb__launch_batch *flying[2], int *count,
                                   int *ended)
{
    rhomb_status status = RHOMB_OK;
    const bool swap = s->batches[1].read != NULL && s->batches[1].complete < s->batches[0].complete;
    *count = *ended = 0;
    for (int i = 0; i < 2; i++) {
        rhomb__launch_batch *b = &s->batches[swap ? 1 - i : i];
        if (b->read != NULL)
            flying[(*count)++] = b;
    }
    for (; *ended < *count; (*ended)++) {
        RHOMB_TRY(rhomb__wavefront_wait(s, flying[*ended]));
        if (rhomb__wavefront_has_stopped(s, flying[*ended]))
            break;
    }
out:
    return status;
}

void rhomb__wavefront_close_other(rhomb__wavefront *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->batches[i].other_read.event != NULL)
            clFinish(s->other.stream->queue);
        release_event(&s->batches[i].other_read.event);
        s->batches[i].other_read.number = 0;
    }
    rhomb__two_part(&s->two);
    if (s->other.rank != NULL)
        rhomb__remote_pyramid_close(s->other.rank);
    rhomb__pyramid_release(&s->other);
    s->other = (rhomb__pyramid){.launches = 0};
}

/*
 * The first device goes on alone, as if it had done both directions all the time. Nothing is
 * running.
 */
static void leave_other(rhomb__wavefront *s)
{
    s->pyramid.launches += s->other.launches;
    s->pyramid.is_apart = false;
    rhomb__wavefront_close_other(s);
}

/* What the host knows when a batch is laid out. */
static void recall(rhomb__wavefront *s, const rhomb__batch_mark *mark)
{
    s->bound = mark->bound;
    s->reach = mark->reach;
    s->reach_score = mark->reach_score;
    s->batch_launches = mark->launches;
    s->solution.batches = mark->batches;
}

/* Batches of which the devices have done too much, or nothing yet, are enqueued once more. */
static rhomb_status enqueue_again(rhomb__wavefront *s, rhomb__launch_batch *const *flying,
                                  int count)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__batch_mark now = mark_of(s);
    for (int i = 0; i < count; i++)
        rhomb__wavefront_forget(flying[i]);
    for (int i = 0; i < count; i++) {
        const rhomb__batch_mark mark = flying[i]->mark;
        recall(s, &mark);
        RHOMB_TRY(rhomb__wavefront_enqueue(s, flying[i]));
    }
    s->bound = now.bound;
    s->reach = now.reach;
    s->reach_score = now.reach_score;
out:
    return status;
}

/* Parts at the end of what is enqueued, or where the first batch began that has gone too far. */
static rhomb_status gather(rhomb__wavefront *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__launch_batch *flying[2] = {NULL, NULL};
    int count = 0, ended = 0;
    RHOMB_TRY(await_in_order(s, flying, &count, &ended));
    RHOMB_TRY(rhomb__wavefront_finish(s));
    if (ended < count)
        RHOMB_TRY(return_to(s, flying[ended]));
    else
        RHOMB_TRY(move_backward(s, 1, 1, s->other.source));
    RHOMB_TRY(
        rhomb__pyramid_set_status(&s->pyramid, ended > 0 ? &flying[ended - 1]->status : &s->known));
    leave_other(s);
    RHOMB_TRY(enqueue_again(s, flying + ended, count - ended));
out:
    return status;
}

rhomb_status rhomb__wavefront_part(rhomb__wavefront *s, rhomb__launch_batch *b)
{
    rhomb_status status = RHOMB_OK;
    if (!s->two.is_shared)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__wavefront_wait(s, b));
    if (rhomb__wavefront_has_stopped(s, b) ||
        rhomb__wavefront_ruled_out(s, b->complete) >= rhomb__wavefront_bound(s, b))
        RHOMB_TRY(gather(s));
out:
    return status;
}

rhomb_status rhomb__wavefront_bring(rhomb__wavefront *s, rhomb_wavefront_status *record)
{
    rhomb_status status = RHOMB_OK;
    rhomb__launch_batch *flying[2] = {NULL, NULL};
    int count = 0, ended = 0;
    if (s->two.is_shared) {
        RHOMB_TRY(await_in_order(s, flying, &count, &ended));
        if (ended < count)
            RHOMB_TRY(gather(s));
    }
    RHOMB_TRY(rhomb__wavefront_finish(s));
    if (!s->two.is_shared)
        return rhomb__pyramid_get_status(&s->pyramid, record);
    for (int i = 0; i < 2; i++)
        RHOMB_TRY(move_backward(s, 1, 1, i));
    *record = count > 0 ? flying[count - 1]->status : s->known;
out:
    return status;
}

rhomb_status rhomb__wavefront_tighten_other(rhomb__wavefront *s, int64_t bound)
{
    rhomb_status status = RHOMB_OK;
    if (!s->two.is_shared)
        return RHOMB_OK;
    for (int i = 0; i < 4; i++) {
        int64_t *known = &s->known.front[i / 2][i % 2].bound;
        *known = rhomb__min(*known, bound);
    }
    if (s->other.rank != NULL)
        RHOMB_TRY(rhomb__remote_pyramid_tighten(&s->two, bound));
    else
        RHOMB_TRY(rhomb__pyramid_tighten(&s->other, bound));
out:
    return status;
}
