/* SPDX-License-Identifier: MIT */
/*
 * A pair on the device of another rank: both ends of the requests that bring it there, and of those
 * that read what is made of it, see task.h and served.h.
 */
#include "host/engines/served.h"

#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

/* Bases are sent in pieces of at most this many: no more is kept of what a rank has not taken. */
#define PIECE ((int64_t)RHOMB_RANK_BUFFERED)

/* The request. What the rank needs of the task follows it, and then the bases, if has_bases. */
typedef struct pair_request {
    rhomb__pair_slot slot;
    bool for_engine, has_bases;
} pair_request;

static const rhomb__field FIELDS[] = {
    RHOMB__FIELD(rhomb__task, target_length),
    RHOMB__FIELD(rhomb__task, query_length),
    RHOMB__FIELD(rhomb__task, codes),
    RHOMB__FIELD(rhomb__task, options.alphabet),
    RHOMB__FIELD(rhomb__task, options.max_distance),
    RHOMB__FIELD(rhomb__task, tuning),
    RHOMB__FIELD(rhomb__task, scoring),
    RHOMB__FIELD(rhomb__task, plan),
    RHOMB__FIELDS_END,
};

static rhomb_status send_bases(rhomb_context *other, const char *bases, int64_t length)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t at = 0; at < length; at += PIECE)
        RHOMB_TRY(rhomb__link_send(&other->stream.error, &other->remote->link, RHOMB__CHANNEL_ASK,
                                   bases + at, rhomb__min(length - at, PIECE)));
out:
    return status;
}

/* Whether a rank has the bases of a task, from earlier in the same call. */
static bool has_pair(const rhomb__remote *remote, const rhomb__task *task)
{
    const rhomb_pair *held = &remote->held;
    return held->target == task->target && held->target_length == task->target_length &&
           held->query == task->query && held->query_length == task->query_length;
}

rhomb_status rhomb__remote_pair_send(rhomb_context *other, rhomb__pair_slot slot,
                                     const rhomb__task *task, bool for_engine)
{
    rhomb_status status = RHOMB_OK;
    rhomb__remote *remote = other->remote;
    rhomb__message m = {.kind = 0};
    pair_request request;
    memset(&request, 0, sizeof request);
    request.slot = slot;
    request.for_engine = for_engine;
    request.has_bases = slot == RHOMB__PAIR_TEST || !has_pair(remote, task);
    rhomb__message_put(&m, &request, sizeof request);
    rhomb__message_put_fields(&m, FIELDS, task);
    RHOMB_TRY(rhomb__ask_begin(other, RHOMB__ASK_PAIR, &m));
    if (request.has_bases) {
        RHOMB_TRY(send_bases(other, task->target, task->target_length));
        RHOMB_TRY(send_bases(other, task->query, task->query_length));
    }
    if (slot == RHOMB__PAIR_CALL)
        remote->held = (rhomb_pair){NULL, 0, NULL, 0};
    RHOMB_TRY(rhomb__ask_end(other, RHOMB__ASK_PAIR, &m));
    if (slot == RHOMB__PAIR_CALL)
        remote->held =
            (rhomb_pair){task->target, task->target_length, task->query, task->query_length};
out:
    rhomb__message_release(&m);
    return status;
}

void rhomb__remote_pair_release(rhomb_context *other, rhomb__pair_slot slot)
{
    rhomb__message m = {.kind = 0};
    if (other->remote->link.is_lost)
        return;
    rhomb__message_put(&m, &slot, sizeof slot);
    (void)rhomb__ask(other, RHOMB__ASK_RELEASE, &m); /* the call's result does not depend on it */
    rhomb__message_release(&m);
}

static void release_packed(rhomb__served *served, rhomb__served_pair *pair)
{
    rhomb__buffer_release(&served->ctx->stream, &pair->query);
    rhomb__buffer_release(&served->ctx->stream, &pair->target);
}

static rhomb_status take_bases(rhomb__served *served, char *to, int64_t length)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t at = 0; at < length; at += PIECE)
        RHOMB_TRY(rhomb__link_receive(&served->ctx->stream.error, &served->leader,
                                      RHOMB__CHANNEL_ASK, to + at, rhomb__min(length - at, PIECE)));
out:
    return status;
}

/* The same for bases that have no room. */
static rhomb_status drop_bases(rhomb__served *served, int64_t length)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t at = 0; at < length; at += PIECE)
        RHOMB_TRY(rhomb__link_drop(&served->ctx->stream.error, &served->leader, RHOMB__CHANNEL_ASK,
                                   rhomb__min(length - at, PIECE)));
out:
    return status;
}

/* The bases follow the request. */
static rhomb_status take_sequences(rhomb__served *served, rhomb__served_pair *pair)
{
    rhomb_status status = RHOMB_OK;
    const int64_t n = pair->task.target_length, m = pair->task.query_length;
    if (n + m > pair->room) {
        free(pair->bases);
        pair->room = 0;
        pair->bases = malloc((size_t)(n + m));
        if (pair->bases == NULL) {
            RHOMB_TRY(drop_bases(served, n));
            RHOMB_TRY(drop_bases(served, m));
            return rhomb__fail_memory(&served->ctx->stream.error, (size_t)(n + m), "the sequences");
        }
        pair->room = n + m;
    }
    RHOMB_TRY(take_bases(served, pair->bases, n));
    RHOMB_TRY(take_bases(served, pair->bases + n, m));
out:
    return status;
}

/* The task of a pair, but for the bases. */
static void take_task(rhomb__served_pair *pair, rhomb__message *m)
{
    rhomb__task *task = &pair->task;
    *task = (rhomb__task){.options = RHOMB_OPTIONS_INIT};
    rhomb__message_take_fields(m, FIELDS, task);
    task->options.tuning = &task->tuning;
    task->options.scoring = &task->scoring;
    task->plan.reason = task->plan.tuning_row = "as rank 0 has planned";
    task->plan.rates_source = "rank 0"; /* whose texts these are */
}

rhomb_status rhomb__serve_pair(rhomb__served *served, rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = served->ctx;
    pair_request request;
    rhomb_report unused = {0};
    rhomb__message_take(m, &request, sizeof request);
    if (request.slot >= RHOMB__PAIR_SLOTS)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no such pair");
    rhomb__served_pair *pair = &served->pairs[request.slot];
    take_task(pair, m);
    RHOMB_TRY(rhomb__message_end(&ctx->stream.error, m));
    if (pair->task.target_length < 0 || pair->task.query_length < 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no such lengths");
    release_packed(served, pair);
    if (request.has_bases)
        RHOMB_TRY(take_sequences(served, pair));
    pair->task.target = pair->bases;
    pair->task.query = pair->bases + pair->task.target_length;
    rhomb__message_clear(m);
    if (request.for_engine)
        RHOMB_TRY(rhomb__task_send_and_build(ctx, rhomb__engine_of(&pair->task.plan), &pair->task,
                                             false, &unused, &pair->programs, &pair->target,
                                             &pair->query));
out:
    return status;
}

rhomb_status rhomb__serve_release(rhomb__served *served, rhomb__message *m)
{
    rhomb__pair_slot slot = RHOMB__PAIR_CALL;
    rhomb__message_take(m, &slot, sizeof slot);
    if (slot < RHOMB__PAIR_SLOTS)
        release_packed(served, &served->pairs[slot]);
    const rhomb_status status = rhomb__message_end(&served->ctx->stream.error, m);
    rhomb__message_clear(m);
    return status;
}

void rhomb__serve_forget(rhomb__served *served)
{
    for (int i = 0; i < RHOMB__PAIR_SLOTS; i++) {
        release_packed(served, &served->pairs[i]);
        free(served->pairs[i].bases);
        served->pairs[i].bases = NULL;
    }
}

#define READ_BYTES (INT64_C(4) << 20)

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
    for (int64_t done = 0; done < bytes; done += READ_BYTES) {
        const int64_t part = rhomb__min(bytes - done, READ_BYTES);
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
                          piece->bytes > 0 && piece->bytes <= READ_BYTES;
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
