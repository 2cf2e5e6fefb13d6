/* SPDX-License-Identifier: MIT */
/*
 * Sending, see send.h. The bases go over the bus unchanged, one byte each: a host core packs no
 * faster than the bus moves bytes, and the device packs in passing.
 */
#include "host/upload/send.h"

#include <stdlib.h>
#include <string.h>

#include "cl/abi.h"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/base/known_runs.h"
#include "src/base/parallel.h"
#include "src/planner/engine_plan.h"

rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out)
{
    return rhomb__program_with(ctx, &rhomb__source_pack, NULL, 0, out);
}

rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions)
{
    const int64_t unit_bytes = rhomb__unit_bytes(planes);
    const int64_t units = rhomb__packed_bytes(length, planes) / unit_bytes;
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_windows",
        .unit_bytes = unit_bytes,
        .unit_symbols = RHOMB_WORD_SYMBOLS,
        .looks_at = RHOMB_WORD_SYMBOLS,
        .planes = planes,
        .has_tables = true,
        .parts = {{units, -RHOMB_PAD_SYMBOLS, 1},
                  {directions == 2 ? units : 0, length - 1 + RHOMB_PAD_SYMBOLS, -1}}};
    return packing;
}

/* The bytes before its tables of runs. */
static int64_t units_bytes_of(const rhomb__packing *packing)
{
    return (packing->parts[0].units + packing->parts[1].units) * packing->unit_bytes;
}

static int64_t table_bytes(const rhomb__packing *packing, int64_t length)
{
    const int64_t tables = packing->parts[1].units > 0 ? 2 : 1;
    return packing->has_tables ? tables * rhomb__run_table_bytes(length) : 0;
}

/* The bytes of a packed sequence of `length` symbols. */
static int64_t bytes_of(const rhomb__packing *packing, int64_t length)
{
    return units_bytes_of(packing) + table_bytes(packing, length);
}

/*
 * Makes the tables of runs of a sequence (src/base/known_runs.h), one after the other. The caller
 * frees *out; *bytes is 0 and *out NULL where the packing has none. False without memory.
 */
static bool make_tables(const rhomb__packing *packing, const rhomb__codes *codes, const char *bases,
                        int64_t length, int32_t threads, uint32_t **out, int64_t *bytes)
{
    *bytes = table_bytes(packing, length);
    *out = *bytes > 0 ? malloc((size_t)*bytes) : NULL;
    if (*bytes == 0)
        return true;
    if (*out == NULL)
        return false;
    uint32_t *backward = packing->parts[1].units > 0 ? *out + rhomb__run_chunks(length) : NULL;
    if (rhomb__known_runs_find(codes, bases, length, threads, *out, backward))
        return true;
    free(*out);
    *out = NULL;
    return false;
}

rhomb__pair_packing rhomb__pair_packing_windows(int64_t target_length, int64_t query_length,
                                                int32_t planes, int32_t directions)
{
    return (rhomb__pair_packing){rhomb__packing_windows(target_length, planes, directions),
                                 rhomb__packing_windows(query_length, planes, directions)};
}

/*
 * The number of units of a part before base `at`, counting the units in the order of the bases:
 * those that begin before it.
 */
static int64_t units_before(const rhomb__packing *packing, int part, int64_t at)
{
    const int64_t all = packing->parts[part].units;
    const int64_t size = packing->unit_symbols;
    const bool forward = packing->parts[part].step > 0;
    const int64_t origin = packing->parts[part].origin;
    /*
     * In this order the reversed part's last unit is the first. It looks at bases from origin -
     * (all - 1) * size downwards.
     */
    const int64_t first = forward ? origin : origin - (all - 1) * size - (packing->looks_at - 1);
    return rhomb__min(rhomb__max(rhomb__ceil_div(at - first, size), 0), all);
}

/*
 * A chunk of a sequence: the bases [begin, end), and the units of each part that belong to it. A
 * unit belongs to the chunk with the first base that it looks at. Units that only look before the
 * sequence belong to its first chunk, those that only look after it to the last. Bases from `next`
 * on begin the next chunk: those up to `end` are in both.
 */
typedef struct chunk_units {
    int64_t begin;
    int64_t end;
    int64_t next;
    struct {
        int64_t first_unit;
        int64_t units;
    } parts[2];
} chunk_units;

/*
 * The chunk from base `begin` on, of at most most_bases, which must be more than a unit looks at.
 * The first chunk begins with 0; the last one has next == length. An empty sequence has one chunk.
 */
static chunk_units chunk_from(const rhomb__packing *packing, int64_t begin, int64_t most_bases,
                              int64_t length)
{
    const int64_t shared = packing->looks_at - 1;
    chunk_units p = {.begin = begin, .next = rhomb__min(begin + most_bases - shared, length)};
    p.end = rhomb__min(p.next + shared, length);
    for (int part = 0; part < 2; part++) {
        const int64_t all = packing->parts[part].units;
        const int64_t before = begin == 0 ? 0 : units_before(packing, part, begin);
        const int64_t until = p.next == length ? all : units_before(packing, part, p.next);
        p.parts[part].first_unit = packing->parts[part].step > 0 ? before : all - until;
        p.parts[part].units = until - before;
    }
    return p;
}

#define PACK_GROUP 64

/* A core copies about 10 GB/s, a bus takes 25 to 50. Up to COPY_THREADS threads fill a half. */
#define COPY_THREADS 4
/* Bytes that a thread copies at a time. */
#define COPY_BYTES (INT64_C(1) << 20)

typedef struct copying {
    char *to;
    const char *from;
    int64_t bytes;
} copying;

/* A rhomb__parallel_task. */
static void copy_task(int64_t index, void *user)
{
    const copying *c = user;
    const int64_t begin = index * COPY_BYTES;
    memcpy(c->to + begin, c->from + begin, (size_t)rhomb__min(COPY_BYTES, c->bytes - begin));
}

/* Sends a chunk out of pinned memory, through the half that was filled longer ago. */
static rhomb_status write_pinned(rhomb__device_stream *stream, rhomb__sending *s, const char *bases,
                                 int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    const int half = s->next_half;
    copying copy = {s->pinned.at + half * s->chunk_bases, bases, bytes};
    if (s->written[half] != NULL) {
        RHOMB_TRY(rhomb__queue_wait(stream, s->written[half]));
        clReleaseEvent(s->written[half]);
        s->written[half] = NULL;
    }
    rhomb__parallel_run((int32_t)rhomb__min(stream->threads, COPY_THREADS),
                        rhomb__ceil_div(bytes, COPY_BYTES), copy_task, &copy);
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, s->staging.handle, CL_FALSE, 0,
                                          (size_t)bytes, copy.to, 0, NULL, &s->written[half]));
    RHOMB_CL(stream, clFlush(stream->queue));
    s->next_half = 1 - half;
out:
    return status;
}

/* A sequence being sent. */
typedef struct sequence {
    const rhomb__packing *packing;
    const rhomb__bases *bases;
    const rhomb__buffer *packed;
    cl_kernel kernel;
} sequence;

rhomb_status rhomb__pack_units_enqueue(rhomb__device_stream *stream, cl_kernel kernel,
                                       const rhomb__pack_units *u)
{
    /*
     * rhomb_pack_…(bases, codes, packed, chunk_begin, length, origin, step, part_unit, first_unit,
     *              units, planes)
     */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(u->bases), RHOMB__ARGUMENT(u->table),     RHOMB__ARGUMENT(u->packed),
        RHOMB__ARGUMENT(u->begin), RHOMB__ARGUMENT(u->length),    RHOMB__ARGUMENT(u->origin),
        RHOMB__ARGUMENT(u->step),  RHOMB__ARGUMENT(u->part_unit), RHOMB__ARGUMENT(u->first_unit),
        RHOMB__ARGUMENT(u->units), RHOMB__ARGUMENT(u->planes)};
    if (u->units == 0)
        return RHOMB_OK;
    return rhomb__queue_run(stream, kernel, RHOMB__LIST(arguments),
                            rhomb__ceil_div(u->units, PACK_GROUP), PACK_GROUP);
}

/* Packs the units of a chunk from a buffer with its bases. */
static rhomb_status pack_chunk(rhomb__device_stream *stream, const rhomb__sending *s,
                               const sequence *seq, const chunk_units *chunk, cl_mem bases)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing *packing = seq->packing;
    int64_t part_unit = 0;
    for (int part = 0; part < 2; part++) {
        const rhomb__pack_units units = {.bases = bases,
                                         .table = s->table.handle,
                                         .packed = seq->packed->handle,
                                         .begin = chunk->begin,
                                         .length = seq->bases->length,
                                         .origin = packing->parts[part].origin,
                                         .step = packing->parts[part].step,
                                         .part_unit = part_unit,
                                         .first_unit = chunk->parts[part].first_unit,
                                         .units = chunk->parts[part].units,
                                         .planes = packing->planes};
        RHOMB_TRY(rhomb__pack_units_enqueue(stream, seq->kernel, &units));
        part_unit += packing->parts[part].units;
    }
out:
    return status;
}

/* Sends a sequence chunk by chunk. */
static rhomb_status send_chunks(rhomb__device_stream *stream, rhomb__sending *s,
                                const sequence *seq)
{
    rhomb_status status = RHOMB_OK;
    const int64_t length = seq->bases->length;
    chunk_units chunk = {.next = 0};
    do {
        chunk = chunk_from(seq->packing, chunk.next, s->chunk_bases, length);
        const char *bases = seq->bases->bases + chunk.begin;
        const int64_t bytes = chunk.end - chunk.begin;
        if (s->pinned.at != NULL)
            RHOMB_TRY(write_pinned(stream, s, bases, bytes));
        else if (bytes > 0)
            RHOMB_TRY(rhomb__buffer_send(stream, &s->staging, bytes, bases));
        /* Without bases no unit looks at any, and the table will do as the argument. */
        RHOMB_TRY(
            pack_chunk(stream, s, seq, &chunk, bytes > 0 ? s->staging.handle : s->table.handle));
    } while (chunk.next < length);
out:
    return status;
}

/* Packs a sequence that a CPU device can read in place, in one chunk. */
static rhomb_status pack_in_place(rhomb__device_stream *stream, const rhomb__sending *s,
                                  const sequence *seq, cl_mem *wrapped)
{
    rhomb_status status = RHOMB_OK;
    const int64_t length = seq->bases->length;
    cl_int code = CL_SUCCESS;
    void *bases = (void *)(uintptr_t)seq->bases->bases; /* const by the flag */
    const chunk_units all = chunk_from(seq->packing, 0, length + seq->packing->looks_at, length);
    RHOMB_CL_OUT(stream, code,
                 *wrapped =
                     clCreateBuffer(stream->device->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
                                    (size_t)length, bases, &code));
    RHOMB_TRY(pack_chunk(stream, s, seq, &all, *wrapped));
out:
    return status;
}

/*
 * Without pinned memory the bases cross the bus from where they are, only slower; that is not an
 * error.
 */
static void pin(rhomb__device_stream *stream, int64_t bytes, rhomb__sending *s)
{
    if (rhomb__pin(stream, bytes, CL_MAP_WRITE_INVALIDATE_REGION, &s->pinned) == RHOMB_OK)
        return;
    rhomb__log(stream, 1, "%s: %lld bytes cannot be pinned (%s), which makes transfers slower",
               stream->device->info.name, (long long)bytes, rhomb__error_text(&stream->error));
    rhomb__error_clear(&stream->error);
}

/* Prepares to send sequences with these codes; the longest has `longest` bases. */
static rhomb_status send_begin(rhomb__device_stream *stream, const rhomb__codes *codes,
                               int64_t longest, rhomb__sending *sending)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sending fresh = {.chunk_bases = rhomb__chunk_bases(longest)};
    *sending = fresh;
    RHOMB_TRY(
        rhomb__buffer_create(stream, sizeof codes->code, "the table of codes", &sending->table));
    RHOMB_TRY(rhomb__buffer_send(stream, &sending->table, sizeof codes->code, codes->code));
    if (!rhomb__bases_in_place(&stream->device->info, longest))
        RHOMB_TRY(rhomb__buffer_create(stream, sending->chunk_bases,
                                       "sequences on their way to the device", &sending->staging));
    const int64_t pinned_bytes = rhomb__pinned_bytes(&stream->device->info, longest);
    if (pinned_bytes > 0)
        pin(stream, pinned_bytes, sending);
out:
    return status;
}

/* Sends the tables of runs, which follow the units. */
static rhomb_status send_tables(rhomb__device_stream *stream, const sequence *seq,
                                uint32_t **tables)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing *packing = seq->packing;
    int64_t bytes = 0;
    if (!make_tables(packing, seq->bases->codes, seq->bases->bases, seq->bases->length,
                     stream->threads, tables, &bytes))
        return rhomb__fail_memory(&stream->error, (size_t)bytes, "the tables of runs");
    if (bytes > 0)
        RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, seq->packed->handle, CL_FALSE,
                                              (size_t)units_bytes_of(packing), (size_t)bytes,
                                              *tables, 0, NULL, NULL));
out:
    return status;
}

/* Sends a sequence and packs it into a new buffer, which belongs to the caller even on failure. */
static rhomb_status send_sequence(rhomb__device_stream *stream, const rhomb__program *program,
                                  const rhomb__packing *packing, const rhomb__bases *bases,
                                  rhomb__sending *sending, rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    sequence seq = {packing, bases, out, NULL};
    RHOMB_TRY(rhomb__buffer_create(stream, bytes_of(packing, bases->length), bases->what, out));
    RHOMB_TRY(rhomb__kernel_make(stream, program, packing->kernel, &seq.kernel));
    const int slot = sending->count++;
    sending->kernels[slot] = seq.kernel;
    if (rhomb__bases_in_place(&stream->device->info, bases->length))
        RHOMB_TRY(pack_in_place(stream, sending, &seq, &sending->wrapped[slot]));
    else
        RHOMB_TRY(send_chunks(stream, sending, &seq));
    RHOMB_TRY(send_tables(stream, &seq, &sending->tables[slot]));
    RHOMB_CL(stream, clFlush(stream->queue));
out:
    return status;
}

rhomb_status rhomb__send_finish(rhomb__device_stream *stream, rhomb__sending *sending)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sending none = {.next_half = 0};
    if (sending->pinned.at != NULL)
        status = rhomb__pinned_release(stream, &sending->pinned);
    if (sending->table.handle != NULL) {
        const rhomb_status finished = rhomb__queue_finish(stream);
        status = status == RHOMB_OK ? finished : status;
    }
    for (int i = 0; i < 2; i++) {
        if (sending->written[i] != NULL)
            clReleaseEvent(sending->written[i]);
    }
    for (int i = 0; i < sending->count; i++) {
        clReleaseKernel(sending->kernels[i]);
        if (sending->wrapped[i] != NULL)
            clReleaseMemObject(sending->wrapped[i]);
        free(sending->tables[i]);
    }
    rhomb__buffer_release(stream, &sending->staging);
    rhomb__buffer_release(stream, &sending->table);
    *sending = none;
    return status;
}

rhomb_status rhomb__send_pair(rhomb__device_stream *stream, const rhomb__program *program,
                              const rhomb__pair_packing *packing, const rhomb__bases *target,
                              const rhomb__bases *query, rhomb__buffer *packed_target,
                              rhomb__buffer *packed_query, rhomb__sending *sending)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(
        send_begin(stream, target->codes, rhomb__max(target->length, query->length), sending));
    RHOMB_TRY(send_sequence(stream, program, &packing->target, target, sending, packed_target));
    RHOMB_TRY(send_sequence(stream, program, &packing->query, query, sending, packed_query));
out:
    return status;
}

rhomb_status rhomb__pack_pair(rhomb__device_stream *stream, const rhomb__program *program,
                              const rhomb__pair_packing *packing, const rhomb__bases *target,
                              const rhomb__bases *query, rhomb__buffer *packed_target,
                              rhomb__buffer *packed_query)
{
    rhomb__sending sending = {.next_half = 0};
    const rhomb_status sent = rhomb__send_pair(stream, program, packing, target, query,
                                               packed_target, packed_query, &sending);
    const rhomb_status finished = rhomb__send_finish(stream, &sending);
    const rhomb_status status = sent != RHOMB_OK ? sent : finished;
    if (status != RHOMB_OK) {
        rhomb__buffer_release(stream, packed_query);
        rhomb__buffer_release(stream, packed_target);
    }
    return status;
}
