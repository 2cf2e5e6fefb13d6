/* SPDX-License-Identifier: MIT */
/*
 * Bytes of device buffers on another rank, see remote_bytes.h.
 */
#include "host/engines/remote_bytes.h"

#include "src/base/int64.h"

#include <stdlib.h>

#define PIECE (INT64_C(4) << 20)

/* Of a buffer. */
typedef struct piece_request {
    int32_t which, unused;
    int64_t at, bytes;
} piece_request;

rhomb_status rhomb__remote_read(rhomb_context *other, rhomb__request request, int32_t which,
                                int64_t at, int64_t bytes, void *to)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    for (int64_t done = 0; done < bytes; done += PIECE) {
        const int64_t part = rhomb__min(bytes - done, PIECE);
        const piece_request piece = {.which = which, .at = at + done, .bytes = part};
        rhomb__message_clear(&m);
        rhomb__message_put(&m, &piece, sizeof piece);
        RHOMB_TRY(rhomb__ask(other, request, &m));
        rhomb__message_take(&m, (char *)to + done, part);
        RHOMB_TRY(rhomb__message_end(&other->stream.error, &m));
    }
out:
    rhomb__message_release(&m);
    return status;
}

/* The place that a request means, and memory for what is there. */
static rhomb_status take_piece(rhomb__served *served, rhomb__message *m,
                               const rhomb__buffer *buffers, int32_t count, piece_request *piece,
                               char **memory)
{
    rhomb__error *error = &served->ctx->stream.error;
    rhomb__message_take(m, piece, sizeof *piece);
    const bool is_named = piece->which >= 0 && piece->which < count && piece->at >= 0 &&
                          piece->bytes > 0 && piece->bytes <= PIECE;
    if (!is_named || piece->at > buffers[piece->which].bytes - piece->bytes)
        return rhomb__fail(error, RHOMB_ERR_INTERNAL, "no such bytes of a buffer");
    *memory = malloc((size_t)piece->bytes);
    if (*memory == NULL)
        return rhomb__fail_memory(error, (size_t)piece->bytes, "bytes of a buffer");
    return RHOMB_OK;
}

rhomb_status rhomb__serve_read(rhomb__served *served, rhomb__message *m,
                               const rhomb__buffer *buffers, int32_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &served->ctx->stream;
    piece_request piece;
    char *memory = NULL;
    RHOMB_TRY(take_piece(served, m, buffers, count, &piece, &memory));
    RHOMB_TRY(rhomb__message_end(&stream->error, m));
    rhomb__message_clear(m);
    RHOMB_TRY(rhomb__buffer_read(stream, &buffers[piece.which], piece.at, piece.bytes, memory));
    rhomb__message_put(m, memory, piece.bytes);
out:
    free(memory);
    return status;
}
