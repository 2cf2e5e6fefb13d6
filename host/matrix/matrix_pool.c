/* SPDX-License-Identifier: MIT */
/*
 * Packing a pool, see matrix_pool.h: to cl/common/pack.cl it is one long sequence, of whole words.
 * It is put together and sent in chunks, so that the host never holds a second copy of it.
 */
#include "host/matrix/matrix_pool.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/upload/pack.h"
#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

/* Words of a chunk. Smaller chunks wait for the bus more often, larger ones gain nothing. */
#define CHUNK_WORDS (INT64_C(1) << 17)
#define PACK_GROUP  64

/* The pool as it is put together. */
typedef struct packing {
    rhomb__pool *pool;
    const rhomb__pooled *sequences;
    int64_t count, next; /* the sequence that the next chunk begins with, or goes on with */
    char *chunk;
    int64_t chunk_words;
    rhomb__buffer staging, table;
    cl_kernel kernel;
} packing;

/* Copies what the words [begin, end) hold; bases between sequences may be anything. */
static void fill(packing *p, int64_t begin, int64_t end)
{
    while (p->next < p->count) {
        const rhomb__pooled *s = &p->sequences[p->next];
        const int64_t last = s->word + rhomb__matrix_words(s->length);
        const int64_t from = rhomb__max(begin - s->word, 0) * RHOMB_WORD_SYMBOLS;
        const int64_t to =
            rhomb__min((rhomb__min(end, last) - s->word) * RHOMB_WORD_SYMBOLS, s->length);
        if (s->word >= end)
            return;
        if (to > from)
            memcpy(p->chunk + (s->word - begin) * RHOMB_WORD_SYMBOLS + from, s->bases + from,
                   (size_t)(to - from));
        if (last > end)
            return;
        p->next++;
    }
}

static rhomb_status send(packing *p, int64_t begin, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &p->pool->ctx->stream;
    const int64_t words = end - begin, symbols = p->pool->words * RHOMB_WORD_SYMBOLS;
    const rhomb_i64 piece_begin = begin * RHOMB_WORD_SYMBOLS, origin = 0, step = 1, part_unit = 0;
    /*
     * rhomb_pack_windows(bases, codes, packed, piece_begin, length, origin, step, part_unit,
     *                    first_unit, units, planes)
     */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(p->staging.handle),
                                         RHOMB__ARGUMENT(p->table.handle),
                                         RHOMB__ARGUMENT(p->pool->packed.handle),
                                         RHOMB__ARGUMENT(piece_begin),
                                         RHOMB__ARGUMENT(symbols),
                                         RHOMB__ARGUMENT(origin),
                                         RHOMB__ARGUMENT(step),
                                         RHOMB__ARGUMENT(part_unit),
                                         RHOMB__ARGUMENT(begin),
                                         RHOMB__ARGUMENT(words),
                                         RHOMB__ARGUMENT(p->pool->planes)};
    RHOMB_CL(stream,
             clEnqueueWriteBuffer(stream->queue, p->staging.handle, CL_TRUE, 0,
                                  (size_t)(words * RHOMB_WORD_SYMBOLS), p->chunk, 0, NULL, NULL));
    RHOMB_TRY(rhomb__queue_arguments(stream, p->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(
        rhomb__queue_launch(stream, p->kernel, rhomb__ceil_div(words, PACK_GROUP), PACK_GROUP));
out:
    return status;
}

static rhomb_status prepare(packing *p, const rhomb__codes *codes)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &p->pool->ctx->stream;
    rhomb__program *program = NULL;
    cl_int code = CL_SUCCESS;
    const int64_t bytes = p->chunk_words * RHOMB_WORD_SYMBOLS;
    RHOMB_TRY(rhomb__pack_program(p->pool->ctx, &program));
    RHOMB_CL_OUT(stream, code,
                 p->kernel = clCreateKernel(program->handle, "rhomb_pack_windows", &code));
    RHOMB_TRY(
        rhomb__buffer_create(stream, bytes, "sequences on their way to the device", &p->staging));
    RHOMB_TRY(rhomb__buffer_create(stream, sizeof codes->code, "the table of codes", &p->table));
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, p->table.handle, CL_TRUE, 0,
                                          sizeof codes->code, codes->code, 0, NULL, NULL));
    p->chunk = calloc((size_t)bytes, 1);
    if (p->chunk == NULL)
        status = rhomb__fail_memory(&stream->error, (size_t)bytes, "sequences to be sent");
out:
    return status;
}

rhomb_status rhomb__pool_create(rhomb_context *ctx, const rhomb__pooled *sequences, int64_t count,
                                const rhomb__codes *codes, int32_t planes, rhomb__pool *out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__pooled *last = &sequences[count - 1];
    *out = (rhomb__pool){
        .ctx = ctx, .planes = planes, .words = last->word + rhomb__matrix_words(last->length)};
    packing p = {.pool = out,
                 .sequences = sequences,
                 .count = count,
                 .chunk_words = rhomb__min(out->words, CHUNK_WORDS)};
    RHOMB_TRY(rhomb__buffer_create(&ctx->stream, rhomb__matrix_pool_bytes(out->words, planes),
                                   "the packed sequences", &out->packed));
    RHOMB_TRY(prepare(&p, codes));
    for (int64_t begin = 0; begin < out->words; begin += p.chunk_words) {
        const int64_t end = rhomb__min(begin + p.chunk_words, out->words);
        fill(&p, begin, end);
        RHOMB_TRY(send(&p, begin, end));
    }
    RHOMB_TRY(rhomb__queue_finish(&ctx->stream));
out:
    if (status != RHOMB_OK)
        clFinish(ctx->stream.queue); /* running commands use what is released here */
    if (p.kernel != NULL)
        clReleaseKernel(p.kernel);
    rhomb__buffer_release(&ctx->stream, &p.table);
    rhomb__buffer_release(&ctx->stream, &p.staging);
    free(p.chunk);
    if (status != RHOMB_OK)
        rhomb__pool_release(out);
    return status;
}

void rhomb__pool_release(rhomb__pool *pool)
{
    if (pool->ctx != NULL)
        rhomb__buffer_release(&pool->ctx->stream, &pool->packed);
    *pool = (rhomb__pool){.ctx = NULL};
}
