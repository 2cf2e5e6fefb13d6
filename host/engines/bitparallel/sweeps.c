/* SPDX-License-Identifier: MIT */
/*
 * The driver of sweeps, see sweeps.h.
 */
#include "host/engines/bitparallel/sweeps.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/engines/served.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>

/* Rows of middle columns that are worth a thread: 0.2 ms. */
#define THREAD_ROWS (INT64_C(1) << 18)

/* Strips that are listed for launches at a time: 4 MiB. */
#define LISTED_STRIPS (INT64_C(1) << 20)

/*
 * Another set has about as many bases as the one before, and more strips that are not full. So a
 * buffer that is kept gets half as much again, but no more than SPARE_BYTES, where that is little
 * of what is left.
 */
#define SPARE_BYTES (INT64_C(1) << 20)
#define SPARE_SHARE 1024

/* The bytes that a strip keeps of its rows. */
static int64_t down_bytes(const rhomb__sweep *sweep)
{
    return sweep->strip_rows / RHOMB__WORD_ROWS * rhomb__shape_down_words(&sweep->shape) * 4;
}

/* The bytes that strip g of both directions keeps of its rows, on the device and on the host. */
static int64_t rows_bytes(const rhomb__sweep *sweep)
{
    return 2 * down_bytes(sweep);
}

void rhomb__sweeps_bytes(const rhomb__sweep *sweep, const rhomb__sweep_totals *totals,
                         int64_t bytes[RHOMB__SWEEP_BUFFERS])
{
    for (int i = 0; i < RHOMB__SWEEP_DOWN; i++)
        bytes[i] = 0;
    const int64_t border_bytes = 4 * rhomb__shape_border_words(&sweep->shape);
    bytes[RHOMB__SWEEP_DOWN] = totals->strips * down_bytes(sweep);
    bytes[RHOMB__SWEEP_ACROSS] = totals->blocks * border_bytes;
    bytes[RHOMB__SWEEP_CARRY] = totals->strips * sweep->shape.items * border_bytes;
    bytes[RHOMB__SWEEP_STRIPS] = totals->records * (int64_t)sizeof(rhomb_strip);
    bytes[RHOMB__SWEEP_LISTED] = totals->strips * (int64_t)sizeof(uint32_t);
}

/* Makes a buffer large enough; one that is kept gets something to spare. */
static rhomb_status reserve_one(rhomb__sweeps *s, int64_t bytes, const char *what,
                                rhomb__buffer *buffer)
{
    if (bytes <= buffer->bytes)
        return RHOMB_OK;
    rhomb__buffer_release(s->stream, buffer);
    const int64_t left = s->stream->device->info.memory_bytes - s->stream->bytes_in_use;
    const int64_t spare = s->most_bytes > 0 ? rhomb__min(bytes / 2, SPARE_BYTES) : 0;
    return rhomb__buffer_create(s->stream, bytes + (spare <= left / SPARE_SHARE ? spare : 0), what,
                                buffer);
}

static rhomb_status reserve(rhomb__sweeps *s, const int64_t bytes[RHOMB__SWEEP_BUFFERS])
{
    rhomb_status status = RHOMB_OK;
    static const char *const NAMES[RHOMB__SWEEP_BUFFERS] = {
        "the packed queries",
        "the packed targets",
        "the ranges of the pair",
        "the vertical differences",
        "the horizontal differences",
        "what items pass on",
        "the strips",
        "the strips of launches",
    };
    int64_t sum = 0;
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++)
        sum += rhomb__max(bytes[i], s->buffers[i].bytes);
    /* Each buffer has reached its size for some other mixture of lengths and strips. */
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS && s->most_bytes > 0 && sum > s->most_bytes; i++)
        rhomb__buffer_release(s->stream, &s->buffers[i]);
    sum = 0;
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++) {
        if (bytes[i] > 0)
            RHOMB_TRY(reserve_one(s, bytes[i], NAMES[i], &s->buffers[i]));
        sum += s->buffers[i].bytes;
    }
    s->device_bytes = rhomb__max(s->device_bytes, sum);
out:
    return status;
}

/* Makes room on the host for a set; what was there is lost. */
static rhomb_status hold(rhomb__sweeps *s, int64_t bytes)
{
    if (bytes <= s->host_bytes)
        return RHOMB_OK;
    const int64_t room = bytes + (s->most_bytes > 0 ? rhomb__min(bytes / 2, SPARE_BYTES) : 0);
    free(s->host);
    s->host_bytes = 0;
    s->host = malloc((size_t)room);
    if (s->host == NULL)
        return rhomb__fail_memory(&s->stream->error, (size_t)room, "the strips of sweeps");
    s->host_bytes = room;
    return RHOMB_OK;
}

/* Fills the records of all shares. */
static rhomb_status describe(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    const int64_t record_bytes = s->totals.records * (int64_t)sizeof(rhomb_strip);
    const int64_t found_bytes = s->count * (int64_t)sizeof *s->found;
    /* The first device of several has the results. */
    const int64_t all_down = s->owner == 0 ? s->totals.strips * down_bytes(&s->shares[0].sweep) : 0;
    RHOMB_TRY(hold(s, 2 * record_bytes + found_bytes + all_down));
    char *at = s->host; /* the structures consist of 64-bit numbers, or begin with one */
    s->records = (rhomb_strip *)(void *)at;
    s->answers = (rhomb_strip *)(void *)(at += record_bytes);
    s->found = (rhomb__sweep_breakpoint *)(void *)(at += record_bytes);
    s->down = (uint32_t *)(void *)(at + found_bytes);
    s->all_launches = s->next_launch = 0;
    for (int64_t i = 0; i < s->count; i++) {
        rhomb__share_band(&s->shares[i], s->shares[i].bound, s->records);
        s->all_launches = rhomb__max(s->all_launches, s->shares[i].launches);
    }
out:
    return status;
}

int64_t rhomb__sweeps_list_bytes(int64_t most_bytes)
{
    const int64_t quarter = most_bytes / 4;
    return rhomb__min(LISTED_STRIPS * (int64_t)sizeof(uint32_t), quarter);
}

/*
 * Of how many directions a single sweep lists strips, which alternate. Where there is one, the
 * other one's strips are left out: every second group would return at once, and a device that deals
 * groups out to its units in turns would leave half of them idle. Groups of one stay: PoCL hands
 * them out by 32, and with half as many a core gets nothing where few are in flight.
 */
static int64_t directions_of(const rhomb__sweeps *s)
{
    return s->shares[0].sweep.blocks[1] > 0 || s->group_size == 1 ? 2 : 1;
}

bool rhomb__sweeps_can_overlap(const rhomb__sweeps *s, const rhomb__sweep_share *share)
{
    const rhomb__sweep *sweep = &share->sweep;
    const int64_t owners = rhomb__max(sweep->chunks.owners, 1);
    return s->group_size > 1 && sweep->blocks[1] > 0 && !s->stream->device->quirks.one_queue &&
           rhomb__sweep_in_flight(sweep, share->bound) / owners >=
               s->stream->device->info.compute_units;
}

/* A queue for the second way. */
static rhomb_status open_way(rhomb__sweeps *s, rhomb__sweep_way *way)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    way->stream = &way->own;
    if (way->own.queue != NULL)
        return RHOMB_OK;
    way->own.log = s->stream->log;
    way->own.log_user = s->stream->log_user;
    way->own.threads = s->stream->threads;
    way->own.device = s->stream->device;
    RHOMB_CL_OUT(s->stream, code,
                 way->own.queue = clCreateCommandQueue(s->stream->device->context,
                                                       s->stream->device->id, 0, &code));
out:
    return status;
}

/* The ways of the set. */
static rhomb_status choose_ways(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    const bool two = s->count == 1 && !s->one_way && rhomb__sweeps_can_overlap(s, s->shares);
    s->way_count = two ? 2 : 1;
    for (int64_t i = 0; i < s->way_count; i++) {
        rhomb__sweep_way *way = &s->ways[i];
        way->directions = two ? 1 : directions_of(s);
        way->direction = i;
        way->first_listed = i * rhomb__strips_owned(&s->shares[0].sweep.chunks, s->owner,
                                                    s->shares[0].sweep.strips);
        way->first_active = way->end_active = 0;
        way->stream = s->stream;
        if (i > 0)
            RHOMB_TRY(open_way(s, way));
    }
out:
    return status;
}

/* Makes room to list the strips of launches: all strips once for a single sweep. */
static rhomb_status make_lists(rhomb__sweeps *s)
{
    const size_t launches = (size_t)s->all_launches + 1;
    const int64_t listed = rhomb__sweeps_list_bytes(s->most_bytes) / (int64_t)sizeof(uint32_t);
    const int64_t room = rhomb__max(s->totals.strips, listed);
    int64_t all = 1;
    s->listed_room = directions_of(s) * rhomb__strips_owned(&s->shares[0].sweep.chunks, s->owner,
                                                            s->shares[0].sweep.strips);
    s->listed_to = 0;
    if (s->count > 1) {
        s->counts = malloc(launches * sizeof *s->counts);
        s->ends = malloc(launches * sizeof *s->ends);
        if (s->counts == NULL || s->ends == NULL)
            return rhomb__fail_memory(&s->stream->error, 2 * launches * sizeof *s->counts,
                                      "the launches of sweeps");
        rhomb__shares_count(s->records, s->totals.strips, s->shares[0].sweep.shape.steps,
                            s->all_launches, s->counts);
        for (int64_t l = 0; l < s->all_launches && all < room; l++)
            all += s->counts[l];
        s->listed_room = rhomb__min(all, room);
    }
    s->listed = malloc((size_t)rhomb__max(s->listed_room, 1) * sizeof *s->listed);
    if (s->listed == NULL)
        return rhomb__fail_memory(&s->stream->error, (size_t)s->listed_room * sizeof *s->listed,
                                  "the strips of launches");
    return RHOMB_OK;
}

/* A single sweep has one list for all launches: of the strips of this device, way by way. */
static void list_all(rhomb__sweeps *s)
{
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    const int64_t own = rhomb__strips_owned(&sweep->chunks, s->owner, sweep->strips);
    for (int32_t w = 0; w < s->way_count; w++) {
        const rhomb__sweep_way *way = &s->ways[w];
        for (int64_t i = 0; i < own * way->directions; i++) {
            const int64_t g = rhomb__strip_of_owner(&sweep->chunks, s->owner, i / way->directions);
            s->listed[way->first_listed + i] =
                (uint32_t)(2 * g + way->direction + i % way->directions);
        }
    }
}

rhomb_status rhomb__sweeps_prepare(rhomb__sweeps *s, rhomb__sweep_share *shares, int64_t count,
                                   const int64_t own[RHOMB__SWEEP_DOWN])
{
    rhomb_status status = RHOMB_OK;
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    rhomb__sweeps_stop(s);
    s->shares = shares;
    s->count = count;
    s->totals = rhomb__shares_lay_out(shares, count);
    RHOMB_TRY(describe(s));
    RHOMB_TRY(choose_ways(s));
    RHOMB_TRY(make_lists(s));
    rhomb__sweeps_bytes(&shares[0].sweep, &s->totals, bytes);
    bytes[RHOMB__SWEEP_LISTED] = rhomb__max(s->listed_room, 1) * (int64_t)sizeof *s->listed;
    for (int i = 0; own != NULL && i < RHOMB__SWEEP_DOWN; i++)
        bytes[i] = own[i];
    RHOMB_TRY(reserve(s, bytes));
    s->is_running = true;
    RHOMB_TRY(rhomb__buffer_send(s->stream, &s->buffers[RHOMB__SWEEP_STRIPS],
                                 s->totals.records * sizeof *s->records, s->records));
    if (count == 1 && s->listed_room > 0) {
        list_all(s);
        RHOMB_TRY(rhomb__buffer_send(s->stream, &s->buffers[RHOMB__SWEEP_LISTED],
                                     s->listed_room * sizeof *s->listed, s->listed));
    }
out:
    return status;
}

rhomb_status rhomb__sweeps_join(rhomb__sweeps *s, const rhomb__sweeps_joint *joint)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < s->way_count; i++) {
        rhomb__sweep_way *way = &s->ways[i];
        rhomb__borders *borders = &way->borders;
        borders->stream = way->stream;
        borders->memory = s->stream;
        borders->sweep = &s->shares[0].sweep;
        borders->records = s->records;
        borders->strips = s->buffers[RHOMB__SWEEP_STRIPS].handle;
        borders->across = s->buffers[RHOMB__SWEEP_ACROSS].handle;
        borders->directions = way->directions;
        borders->direction = way->direction;
        borders->in.link = joint->last;
        borders->out.link = joint->next;
        borders->channel = RHOMB__CHANNEL_BORDERS + i;
        borders->job = joint->job;
        way->before = joint->before != NULL ? &joint->before->ways[i].borders : NULL;
        RHOMB_TRY(rhomb__borders_prepare(borders, joint->program, s->owner));
    }
out:
    return status;
}

/*
 * Takes over what the device may change of a share's records, and checks it: where a strip came and
 * with what score. Each strip's owner has the answer.
 */
static rhomb_status take_records(rhomb__sweeps *s, const rhomb__sweep_share *share,
                                 const rhomb__sweeps *owners)
{
    rhomb_strip *records = s->records + share->first_record;
    for (int64_t i = 2; i < rhomb__sweep_records(&share->sweep); i++) {
        const rhomb__sweeps *from = &owners[rhomb__strip_owner(&share->sweep.chunks, i / 2 - 1)];
        const rhomb_strip *answer = from->answers + share->first_record + i;
        rhomb_strip *strip = &records[i];
        strip->front[strip->last_launch & 1] = answer->front[strip->last_launch & 1];
        const rhomb_strip_front *front = rhomb__strip_result(strip);
        if (!rhomb__strip_is_sound(&share->sweep, strip))
            return rhomb__fail(&s->stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: a strip of blocks %lld to %lld ended at %lld with score %lld",
                               from->stream->device->info.name, (long long)strip->first_block,
                               (long long)strip->end_block, (long long)front->end,
                               (long long)front->score);
    }
    rhomb__share_take_out(share, s->records);
    s->cells += rhomb__sweep_cells(&share->sweep, records);
    return RHOMB_OK;
}

rhomb_status rhomb__sweeps_take_records(rhomb__sweeps *s, const rhomb__sweeps *owners)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t i = 0; i < s->count; i++)
        RHOMB_TRY(take_records(s, &s->shares[i], owners));
out:
    return status;
}

/* Reads the vertical differences of all sweeps, without waiting for them. */
static rhomb_status read_down(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    const int64_t strips = s->totals.strips / 2;
    if (strips > 0)
        RHOMB_CL(s->stream, clEnqueueReadBuffer(s->stream->queue,
                                                s->buffers[RHOMB__SWEEP_DOWN].handle, CL_FALSE, 0,
                                                (size_t)(strips * rows_bytes(&s->shares[0].sweep)),
                                                s->down, 0, NULL, NULL));
out:
    return status;
}

/* Where a path of a share crosses the middle column; a rhomb__parallel_task. */
static void look_at_middle(int64_t index, void *user)
{
    rhomb__sweeps *s = user;
    const rhomb__sweep_share *share = &s->shares[index];
    const rhomb_strip *records = s->records + share->first_record;
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(&share->sweep, records, &first, &end);
    const uint32_t *down =
        s->down + (share->first_record + 2 * first) * (down_bytes(&share->sweep) / 4);
    s->found[index] = rhomb__sweep_cost(&share->sweep, records, down, first);
}

void rhomb__sweeps_find(rhomb__sweeps *s)
{
    const int64_t rows = s->totals.strips * s->shares[0].sweep.strip_rows;
    rhomb__parallel_run((int32_t)rhomb__min(s->stream->threads, rows / THREAD_ROWS + 1), s->count,
                        look_at_middle, s);
    s->is_running = false;
}

/* Of a single sweep only the middle column is read; of many, all, and nothing is waited for twice.
 */
rhomb_status rhomb__sweeps_finish(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    if (s->count > 1)
        RHOMB_TRY(read_down(s));
    RHOMB_TRY(rhomb__sweeps_read_records(s));
    RHOMB_TRY(rhomb__sweeps_take_records(s, s));
    if (s->count == 1)
        RHOMB_TRY(rhomb__sweeps_read_middle(s, s));
    rhomb__sweeps_find(s);
out:
    return status;
}

void rhomb__sweeps_stop(rhomb__sweeps *s)
{
    for (int32_t i = 0; i < s->way_count; i++) {
        rhomb__sweep_way *way = &s->ways[i];
        if (s->is_running) /* commands may use the set's memory */
            clFinish(way->stream->queue);
        rhomb__borders_stop(&way->borders);
        rhomb__pace_end(&way->pace);
    }
    s->is_running = false;
    free(s->counts);
    free(s->ends);
    free(s->listed);
    s->counts = s->ends = NULL;
    s->listed = NULL;
}

/* Sweeps with this kernel from now on. */
static rhomb_status use_program(rhomb__sweeps *s, const rhomb__program *program, const char *kernel,
                                int32_t group_size)
{
    s->group_size = group_size;
    if (s->kernel != NULL && s->program == program)
        return RHOMB_OK;
    rhomb__kernel_release(&s->kernel);
    s->program = program;
    return rhomb__kernel_make(s->stream, program, kernel, &s->kernel);
}

rhomb_status rhomb__sweeps_use_plan(rhomb__sweeps *s, const rhomb__program *program,
                                    const rhomb__plan *plan)
{
    return use_program(s, program, plan->sweep.sliced ? RHOMB__SWEEP_SLICED : RHOMB__SWEEP_MYERS,
                       plan->sweep.group_size);
}

void rhomb__sweeps_release(rhomb__sweeps *s)
{
    rhomb__sweeps_stop(s);
    for (int i = 0; i < 2; i++) {
        rhomb__borders_release(&s->ways[i].borders);
        if (s->ways[i].own.queue != NULL)
            clReleaseCommandQueue(s->ways[i].own.queue);
        s->ways[i].own.queue = NULL;
        rhomb__error_clear(&s->ways[i].own.error);
    }
    for (int i = RHOMB__SWEEP_BUFFERS - 1; i >= 0; i--)
        rhomb__buffer_release(s->stream, &s->buffers[i]);
    rhomb__kernel_release(&s->kernel);
    free(s->host);
    s->host = NULL;
}

/* Bytes of a buffer, once the device has done what is enqueued. */
static rhomb_status read_bytes(rhomb__sweeps *s, int buffer, int64_t at, int64_t bytes, void *to)
{
    if (s->rank != NULL)
        return rhomb__remote_read(s->rank, RHOMB__ASK_SWEEP_READ, buffer, at, bytes, to);
    return rhomb__buffer_read(s->stream, &s->buffers[buffer], at, bytes, to);
}

rhomb_status rhomb__sweeps_read_records(rhomb__sweeps *s)
{
    s->reads++;
    return read_bytes(s, RHOMB__SWEEP_STRIPS, 0, s->totals.records * (int64_t)sizeof *s->answers,
                      s->answers);
}

rhomb_status rhomb__sweeps_read_middle(rhomb__sweeps *s, rhomb__sweeps *to)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    const int64_t bytes = rows_bytes(sweep);
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(sweep, to->records, &first, &end);
    const int64_t own_end = rhomb__strips_owned(&sweep->chunks, s->owner, end);
    for (int64_t i = rhomb__strips_owned(&sweep->chunks, s->owner, first); i < own_end;) {
        const int64_t g = rhomb__strip_of_owner(&sweep->chunks, s->owner, i);
        int64_t count = 1;
        while (i + count < own_end &&
               rhomb__strip_of_owner(&sweep->chunks, s->owner, i + count) == g + count)
            count++;
        RHOMB_TRY(read_bytes(s, RHOMB__SWEEP_DOWN, g * bytes, count * bytes,
                             (char *)to->down + g * bytes));
        i += count;
    }
out:
    return status;
}
