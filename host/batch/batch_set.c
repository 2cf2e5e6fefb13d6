/* SPDX-License-Identifier: MIT */
/*
 * Packing a set, see batch_set.h: to cl/common/pack.cl it is one long sequence, of whole words. It
 * is put together and sent in chunks, so that the host never holds a second copy of it.
 */
#include "host/batch/batch_set.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/open.h"
#include "host/device/queue.h"
#include "host/upload/send.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/batch/batch_shape.h"
#include "src/planner/engine_plan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a chunk. Smaller chunks wait for the bus more often, larger ones gain nothing. */
#define CHUNK_WORDS (INT64_C(1) << 17)
/* Into which threads divide the sequences to count their bases, so that none waits for another. */
#define PARTS_OF_THREAD 8
/* Bases from which on threads pay: half a millisecond of one. */
#define WORTH_THREADS (INT64_C(1) << 19)
/* Words after the last sequence: a window may read the word after it, a run the one after that. */
#define WORDS_AFTER 2

/* The set as it is put together, for a device. */
typedef struct packing {
    const rhomb__batch_set *set;
    const rhomb__order_entry *order;
    rhomb__device_stream *stream;
    cl_mem packed;
    int64_t next; /* in the order, the sequence that the next chunk begins with, or goes on with;
                     from the last one down */
    char *chunk;
    int64_t chunk_bases;
    rhomb__buffer staging, table;
    cl_kernel kernel;
} packing;

/* What the sequences consist of, as some threads count it. */
typedef struct counting {
    const rhomb__batch_set *set;
    rhomb_alphabet alphabet;
    int64_t parts;   /* of the sequences, a task each */
    int32_t threads; /* for each sequence */
    pthread_mutex_t lock;
    rhomb__histogram all; /* guarded by it, as is */
    int64_t stranger;     /* the first sequence that is not of the alphabet; count: none */
} counting;

/* A rhomb__parallel_task. */
static void count_part(int64_t index, void *user)
{
    counting *c = user;
    const int64_t count = c->set->count, end = count * (index + 1) / c->parts;
    int64_t stranger = count;
    rhomb__histogram sum = {{0}}, own;
    for (int64_t i = count * index / c->parts; i < end; i++) {
        const rhomb_matrix_sequence *s = &c->set->sequences[i];
        rhomb__histogram_count(s->bases, s->length, c->threads, &own);
        for (int byte = 0; byte < 256; byte++) {
            if (own.count[byte] > 0 && !rhomb__alphabet_has(c->alphabet, byte))
                stranger = rhomb__min(stranger, i);
            sum.count[byte] += own.count[byte];
        }
    }
    pthread_mutex_lock(&c->lock);
    c->stranger = rhomb__min(c->stranger, stranger);
    for (int byte = 0; byte < 256; byte++)
        c->all.count[byte] += sum.count[byte];
    pthread_mutex_unlock(&c->lock);
}

/* Says which base of a sequence is not of the alphabet. */
static rhomb_status refuse(const rhomb__batch_set *set, rhomb_alphabet alphabet, int64_t index)
{
    const rhomb_matrix_sequence *s = &set->sequences[index];
    rhomb__histogram own;
    char name[128];
    if (s->name != NULL)
        snprintf(name, sizeof name, "%s", s->name);
    else
        snprintf(name, sizeof name, "sequence %lld", (long long)index);
    rhomb__histogram_count(s->bases, s->length, set->ctx->stream.threads, &own);
    return rhomb__histogram_check(&set->ctx->stream.error, alphabet, name, s->bases, s->length,
                                  &own);
}

rhomb_status rhomb__batch_set_make(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                   int64_t count, rhomb_alphabet alphabet, rhomb__batch_set *set)
{
    const rhomb__histogram none = {{0}};
    int64_t bases = 0;
    for (int64_t i = 0; i < count; i++)
        bases += sequences[i].length;
    const int64_t threads = bases < WORTH_THREADS ? 1 : ctx->stream.threads;
    const size_t bytes = ((size_t)count + 1) * sizeof *set->positions;
    *set = (rhomb__batch_set){.ctx = ctx, .sequences = sequences, .count = count};
    set->positions = malloc(bytes);
    if (set->positions == NULL)
        return rhomb__fail_memory(&ctx->stream.error, bytes, "the sequences of a matrix");
    for (int64_t i = 0; i < count; i++)
        set->positions[i] = -1;
    counting c = {.set = set,
                  .alphabet = alphabet,
                  .parts = rhomb__min(count, threads * PARTS_OF_THREAD),
                  .threads = (int32_t)rhomb__ceil_div(threads, rhomb__max(count, 1)),
                  .stranger = count};
    pthread_mutex_init(&c.lock, NULL);
    rhomb__parallel_run((int32_t)threads, c.parts, count_part, &c);
    pthread_mutex_destroy(&c.lock);
    if (c.stranger < count)
        return refuse(set, alphabet, c.stranger);
    set->codes = rhomb__codes_assign(alphabet, &c.all, &none);
    set->planes = rhomb__planes_of(set->codes.symbols);
    return RHOMB_OK;
}

/* Whether a sequence, of those in order of length, takes another one with which it may be a pair.
 */
static bool has_partner(const rhomb__batch_set *set, const rhomb__order_entry *order, int64_t at,
                        int64_t most_edits)
{
    const int64_t own = order[at].size;
    return own <= RHOMB__BATCH_MOST_BASES &&
           ((at > 0 && order[at - 1].size - own <= most_edits &&
             order[at - 1].size <= RHOMB__BATCH_MOST_BASES) ||
            (at + 1 < set->count && own - order[at + 1].size <= most_edits));
}

/* Gives positions to sequences, the shortest first. */
static void choose(rhomb__batch_set *set, const rhomb__order_entry *order, int64_t most_edits,
                   int64_t bytes)
{
    const int64_t most =
        (bytes / rhomb__unit_bytes(set->planes) - WORDS_AFTER) * RHOMB_WORD_SYMBOLS;
    for (int64_t i = set->count - 1; i >= 0; i--) {
        const int64_t room = rhomb__batch_room(order[i].size);
        if (!has_partner(set, order, i, most_edits) || room > most - set->bases)
            continue;
        set->positions[order[i].index] = set->bases;
        set->bases += room;
        set->longest = order[i].size;
        set->packed++;
    }
}

/* Copies what the bases [begin, end) are; those between sequences may be anything. */
static void fill(packing *p, int64_t begin, int64_t end)
{
    for (; p->next >= 0; p->next--) {
        const int64_t index = p->order[p->next].index;
        const rhomb_matrix_sequence *s = &p->set->sequences[index];
        const int64_t at = p->set->positions[index];
        if (at < 0)
            continue;
        if (at >= end)
            return;
        const int64_t from = rhomb__max(begin - at, 0), to = rhomb__min(end - at, s->length);
        if (to > from)
            memcpy(p->chunk + at - begin + from, s->bases + from, (size_t)(to - from));
        if (at + rhomb__batch_room(s->length) > end)
            return;
    }
}

static rhomb_status send(packing *p, int64_t begin, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = p->stream;
    const rhomb__pack_units units = {.bases = p->staging.handle,
                                     .table = p->table.handle,
                                     .packed = p->packed,
                                     .begin = begin,
                                     .length = p->set->bases,
                                     .step = 1,
                                     .first_unit = begin / RHOMB_WORD_SYMBOLS,
                                     .units = (end - begin) / RHOMB_WORD_SYMBOLS,
                                     .planes = p->set->planes};
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, p->staging.handle, CL_TRUE, 0,
                                          (size_t)(end - begin), p->chunk, 0, NULL, NULL));
    status = rhomb__pack_units_enqueue(stream, p->kernel, &units);
out:
    return status;
}

static rhomb_status prepare(packing *p, rhomb_context *device)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = p->stream;
    const rhomb__codes *codes = &p->set->codes;
    rhomb__program *program = NULL;
    RHOMB_TRY(rhomb__pack_program(device, &program));
    RHOMB_TRY(rhomb__kernel_make(stream, program, "rhomb_pack_windows", &p->kernel));
    RHOMB_TRY(rhomb__buffer_create(stream, p->chunk_bases, "sequences on their way to the device",
                                   &p->staging));
    RHOMB_TRY(rhomb__buffer_create(stream, sizeof codes->code, "the table of codes", &p->table));
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, p->table.handle, CL_TRUE, 0,
                                          sizeof codes->code, codes->code, 0, NULL, NULL));
    p->chunk = calloc((size_t)p->chunk_bases, 1);
    if (p->chunk == NULL)
        status = rhomb__fail_memory(&stream->error, (size_t)p->chunk_bases, "sequences to be sent");
out:
    return status;
}

/* What all devices pack. */
typedef struct packed {
    rhomb__batch_set *set;
    const rhomb__order_entry *order;
} packed;

/* A rhomb__device_fn. */
static rhomb_status pack(rhomb_context *device, int32_t index, void *user)
{
    const packed *all = user;
    rhomb_status status = RHOMB_OK;
    rhomb__batch_set *set = all->set;
    rhomb__device_stream *stream = &device->stream;
    const int64_t units = set->bases / RHOMB_WORD_SYMBOLS + WORDS_AFTER;
    packing p = {.set = set,
                 .order = all->order,
                 .stream = stream,
                 .next = set->count - 1,
                 .chunk_bases = rhomb__min(set->bases, CHUNK_WORDS * RHOMB_WORD_SYMBOLS)};
    RHOMB_TRY(rhomb__buffer_create(stream, units * rhomb__unit_bytes(set->planes),
                                   "the packed sequences", &set->buffers[index]));
    p.packed = set->buffers[index].handle;
    RHOMB_TRY(prepare(&p, device));
    for (int64_t begin = 0; begin < set->bases; begin += p.chunk_bases) {
        const int64_t end = rhomb__min(begin + p.chunk_bases, set->bases);
        fill(&p, begin, end);
        RHOMB_TRY(send(&p, begin, end));
    }
    RHOMB_TRY(rhomb__queue_finish(stream));
out:
    if (status != RHOMB_OK)
        clFinish(stream->queue); /* running commands use what is released here */
    rhomb__kernel_release(&p.kernel);
    rhomb__buffer_release(stream, &p.table);
    rhomb__buffer_release(stream, &p.staging);
    free(p.chunk);
    return status;
}

rhomb_status rhomb__batch_set_pack(rhomb__batch_set *set, int64_t most_edits, int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    rhomb__order_entry *order = malloc(((size_t)set->count + 1) * sizeof *order);
    if (order == NULL)
        return rhomb__fail_memory(&set->ctx->stream.error, (size_t)set->count * sizeof *order,
                                  "the sequences of a matrix");
    for (int64_t i = 0; i < set->count; i++)
        order[i] = (rhomb__order_entry){set->sequences[i].length, i};
    rhomb__order_sort(order, set->count);
    choose(set, order, most_edits, bytes);
    if (set->packed > 0)
        status = rhomb__each_device(set->ctx, pack, &(packed){set, order});
    free(order);
    return status;
}

void rhomb__batch_set_release(rhomb__batch_set *set)
{
    for (int32_t i = 0; i < RHOMB_MOST_DEVICES; i++)
        if (set->buffers[i].handle != NULL)
            rhomb__buffer_release(&rhomb__context_of(set->ctx, i)->stream, &set->buffers[i]);
    free(set->positions);
    set->positions = NULL;
}
