/* SPDX-License-Identifier: MIT */
/*
 * Devices of other ranks, see remote.h.
 */
#include "host/device/remote.h"

#include "cl/abi.h"
#include "host/device/program.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <stdlib.h>
#include <string.h>

rhomb_status rhomb__ask_begin(rhomb_context *other, rhomb__request request, rhomb__message *message)
{
    message->kind = (int32_t)request;
    rhomb__error_clear(&other->stream.error);
    return rhomb__message_send(&other->stream.error, &other->remote->link, RHOMB__CHANNEL_ASK,
                               message);
}

rhomb_status rhomb__ask_end(rhomb_context *other, rhomb__request request, rhomb__message *message)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &other->stream.error;
    RHOMB_TRY(rhomb__message_receive(error, &other->remote->link, RHOMB__CHANNEL_ASK, message));
    if (message->kind != (int32_t)request) {
        other->remote->link.is_lost = true;
        status = rhomb__fail(error, RHOMB_ERR_INTERNAL, "rank %d answers another question",
                             (int)other->remote->link.rank);
        goto out;
    }
    if (message->status != RHOMB_OK) {
        char *detail = rhomb__message_take_text(message), *log = rhomb__message_take_text(message);
        status = rhomb__fail(error, message->status, "%s", detail != NULL ? detail : "");
        if (log != NULL)
            rhomb__error_attach(error, log);
        free(log);
        free(detail);
    }
out:
    return status;
}

rhomb_status rhomb__ask(rhomb_context *other, rhomb__request request, rhomb__message *message)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__ask_begin(other, request, message));
    RHOMB_TRY(rhomb__ask_end(other, request, message));
out:
    return status;
}

rhomb_status rhomb__answer(rhomb_context *ctx, rhomb__link *leader, rhomb__request request,
                           rhomb_status status, rhomb__message *message)
{
    if (status == RHOMB_OK && message->is_unusable)
        status = rhomb__fail_memory(&ctx->stream.error, (size_t)message->bytes,
                                    "a message to another rank");
    if (status != RHOMB_OK) {
        const rhomb__error *error = &ctx->stream.error;
        rhomb__message_clear(message);
        rhomb__message_put_text(message, error->detail);
        rhomb__message_put_text(
            message, error->text != NULL ? error->text + strlen(error->detail) + 1 : NULL);
        rhomb__error_clear(&ctx->stream.error);
    }
    message->kind = (int32_t)request;
    message->status = status;
    return rhomb__message_send(&ctx->stream.error, leader, RHOMB__CHANNEL_ASK, message);
}

void rhomb__remotes_forget(rhomb_context *ctx)
{
    for (int32_t i = 0; i < ctx->other_count; i++) {
        if (ctx->others[i]->remote != NULL)
            ctx->others[i]->remote->held = (rhomb_pair){NULL, 0, NULL, 0};
    }
}

#define TEXTS RHOMB__DEVICE_TEXTS

/* In the order in which they are sent. */
static void list_texts(rhomb_device_info *info, const char **texts[TEXTS])
{
    const char **all[TEXTS] = {
        &info->name,           &info->vendor, &info->platform, &info->driver_version,
        &info->opencl_version, &info->pci,    &info->uuid,     &info->note};
    memcpy(texts, all, sizeof all);
}

/* What all ranks have to have in common: the version, kernels, and structures in messages. */
static void put_build(rhomb__message *m)
{
    static const int64_t SIZES[] = {sizeof(rhomb_device_info), sizeof(rhomb__rates),
                                    sizeof(rhomb_tuning),      sizeof(rhomb__plan),
                                    sizeof(rhomb__sweep),      sizeof(rhomb_strip),
                                    sizeof(rhomb_subproblem),  sizeof(rhomb_scoring),
                                    sizeof(rhomb__codes),      sizeof(rhomb_strip_front)};
    static const rhomb__kernel_source *const KERNELS[] = {
        &rhomb__source_bitparallel,     &rhomb__source_bitparallel_lanes,
        &rhomb__source_bitsliced,       &rhomb__source_bitsliced_lanes,
        &rhomb__source_borders,         &rhomb__source_pack,
        &rhomb__source_split,           &rhomb__source_split_wide,
        &rhomb__source_affine_wavefront};
    rhomb__message_put_text(m, rhomb_version());
    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++)
        rhomb__message_put_text(m, KERNELS[i]->sha256);
    rhomb__message_put(m, SIZES, sizeof SIZES);
}

/* Takes that of another rank, and compares. */
static bool has_our_build(rhomb__message *m)
{
    rhomb__message ours = {.kind = 0};
    put_build(&ours);
    const bool is_ours = !ours.is_unusable && m->bytes - m->taken >= ours.bytes &&
                         memcmp(m->at + m->taken, ours.at, (size_t)ours.bytes) == 0;
    m->taken += is_ours ? ours.bytes : 0;
    rhomb__message_release(&ours);
    return is_ours;
}

rhomb_status rhomb__remote_introduce(rhomb_context *ctx, rhomb__link *leader, rhomb_status *opened)
{
    rhomb__message m = {.kind = 0};
    const char **texts[TEXTS];
    put_build(&m);
    if (*opened == RHOMB_OK) {
        const rhomb__device *device = ctx->stream.device;
        rhomb_device_info info = device->info;
        rhomb__message_put(&m, &info, sizeof info);
        rhomb__message_put(&m, &device->rates, sizeof device->rates);
        rhomb__message_put(&m, &device->quirks.one_queue, sizeof device->quirks.one_queue);
        list_texts(&info, texts);
        for (int i = 0; i < TEXTS; i++)
            rhomb__message_put_text(&m, *texts[i]);
        if (m.is_unusable)
            *opened = rhomb__fail_memory(&ctx->stream.error, (size_t)m.bytes, "a message");
    }
    const rhomb_status status = rhomb__answer(ctx, leader, RHOMB__ASK_INTRODUCTION, *opened, &m);
    rhomb__message_release(&m);
    return status;
}

/* The description of a rank's device; its texts belong to *remote. */
static void take_device(rhomb__message *m, rhomb__remote *remote)
{
    rhomb__device *device = &remote->device;
    rhomb_device_info *info = &device->info;
    const char **texts[TEXTS];
    rhomb__message_take(m, info, sizeof *info);
    rhomb__message_take(m, &device->rates, sizeof device->rates);
    rhomb__message_take(m, &device->quirks.one_queue, sizeof device->quirks.one_queue);
    device->rates.source = "another rank's";
    list_texts(info, texts);
    for (int i = 0; i < TEXTS; i++)
        *texts[i] = remote->texts[i] = rhomb__message_take_text(m);
}

static void release(rhomb_context *other)
{
    for (int i = 0; i < TEXTS; i++)
        free(other->remote->texts[i]);
    free(other->remote);
    rhomb__error_clear(&other->stream.error);
    free(other);
}

rhomb_status rhomb__remote_join(rhomb_context *ctx, const rhomb_ranks *ranks, int32_t rank,
                                rhomb_context **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    rhomb_context *other = calloc(1, sizeof *other);
    *out = NULL;
    if (other != NULL)
        other->remote = calloc(1, sizeof *other->remote);
    if (other == NULL || other->remote == NULL) {
        free(other);
        rhomb__remote_dismiss(ranks, rank);
        return rhomb__fail_memory(&ctx->stream.error, sizeof *other, "a rank");
    }
    rhomb__remote *remote = other->remote;
    remote->link = (rhomb__link){.ranks = *ranks, .rank = rank};
    other->stream.device = &remote->device;
    other->stream.log = ctx->stream.log;
    other->stream.log_user = ctx->stream.log_user;
    other->stream.threads = 1;
    status = rhomb__ask_end(other, RHOMB__ASK_INTRODUCTION, &m);
    if (status != RHOMB_OK)
        remote->link.is_lost = true; /* it does not serve */
    if (status == RHOMB_OK && !has_our_build(&m))
        status = rhomb__fail(&other->stream.error, RHOMB_ERR_DEVICE,
                             "it runs another version of the library");
    if (status == RHOMB_OK) {
        take_device(&m, remote);
        status = rhomb__message_end(&other->stream.error, &m);
    }
    if (status != RHOMB_OK) {
        rhomb__fail(&ctx->stream.error, status, "rank %d: %s", (int)rank,
                    rhomb__error_text(&other->stream.error));
        rhomb__remote_leave(other);
        goto out;
    }
    *out = other;
out:
    rhomb__message_release(&m);
    return status;
}

/* Nobody waits for what a rank that is lost would say. */
static void send_end(rhomb__link *link)
{
    rhomb__error unused = {RHOMB_OK, NULL, ""};
    const rhomb__message end = {.kind = RHOMB__ASK_END};
    if (!link->is_lost)
        (void)rhomb__message_send(&unused, link, RHOMB__CHANNEL_ASK, &end);
}

void rhomb__remote_dismiss(const rhomb_ranks *ranks, int32_t rank)
{
    rhomb__link link = {.ranks = *ranks, .rank = rank};
    rhomb__error unused = {RHOMB_OK, NULL, ""};
    rhomb__message m = {.kind = 0};
    /* One that has introduced itself without a device does not serve. */
    if (rhomb__message_receive(&unused, &link, RHOMB__CHANNEL_ASK, &m) == RHOMB_OK &&
        m.status == RHOMB_OK)
        send_end(&link);
    rhomb__message_release(&m);
}

void rhomb__remote_leave(rhomb_context *other)
{
    send_end(&other->remote->link);
    release(other);
}

_Static_assert(RHOMB__CHANNELS == RHOMB_RANK_CHANNELS, "the public number of channels");

static rhomb_status lost(rhomb__error *error, rhomb__link *link)
{
    link->is_lost = true;
    return rhomb__fail(error, RHOMB_ERR_DEVICE, "rank %d cannot be reached any more",
                       (int)link->rank);
}

rhomb_status rhomb__link_send(rhomb__error *error, rhomb__link *to, int32_t channel,
                              const void *data, int64_t bytes)
{
    const rhomb_ranks *ranks = &to->ranks;
    if (to->is_lost || ranks->send(to->rank, channel, data, (size_t)bytes, ranks->user) != 0)
        return lost(error, to);
    return RHOMB_OK;
}

rhomb_status rhomb__link_receive(rhomb__error *error, rhomb__link *from, int32_t channel,
                                 void *data, int64_t bytes)
{
    const rhomb_ranks *ranks = &from->ranks;
    if (from->is_lost || ranks->receive(from->rank, channel, data, (size_t)bytes, ranks->user) != 0)
        return lost(error, from);
    return RHOMB_OK;
}

rhomb_status rhomb__link_drop(rhomb__error *error, rhomb__link *from, int32_t channel,
                              int64_t bytes)
{
    char *unused = malloc((size_t)bytes); /* in one piece, as it was sent */
    if (unused == NULL) {
        from->is_lost = true;
        return rhomb__fail_memory(error, (size_t)bytes, "a message of another rank");
    }
    const rhomb_status status = rhomb__link_receive(error, from, channel, unused, bytes);
    free(unused);
    return status;
}

rhomb_status rhomb__link_probe(rhomb__error *error, rhomb__link *from, int32_t channel, bool *waits)
{
    const rhomb_ranks *ranks = &from->ranks;
    if (from->is_lost || ranks->probe(from->rank, channel, waits, ranks->user) != 0)
        return lost(error, from);
    return RHOMB_OK;
}

rhomb_status rhomb__link_tell_stop(rhomb__error *error, rhomb__link *to)
{
    const char byte = 0;
    return rhomb__link_send(error, to, RHOMB__CHANNEL_STOP, &byte, sizeof byte);
}

rhomb_status rhomb__link_hear_stop(rhomb__error *error, rhomb__link *from)
{
    char byte;
    return rhomb__link_receive(error, from, RHOMB__CHANNEL_STOP, &byte, sizeof byte);
}

static bool make_room(rhomb__message *m, int64_t bytes)
{
    if (bytes <= m->room)
        return true;
    const int64_t room = rhomb__max(bytes, 2 * m->room);
    char *at = realloc(m->at, (size_t)room);
    m->is_unusable = m->is_unusable || at == NULL;
    if (at == NULL)
        return false;
    m->at = at;
    m->room = room;
    return true;
}

void rhomb__message_put(rhomb__message *m, const void *data, int64_t bytes)
{
    if (bytes == 0 || m->is_unusable || !make_room(m, m->bytes + bytes))
        return;
    memcpy(m->at + m->bytes, data, (size_t)bytes);
    m->bytes += bytes;
}

void rhomb__message_put_text(rhomb__message *m, const char *text)
{
    const int64_t length = text != NULL ? (int64_t)strlen(text) : -1;
    rhomb__message_put(m, &length, sizeof length);
    if (text != NULL)
        rhomb__message_put(m, text, length);
}

void rhomb__message_take(rhomb__message *m, void *data, int64_t bytes)
{
    if (bytes == 0)
        return;
    if (bytes > m->bytes - m->taken) {
        m->is_unusable = true;
        memset(data, 0, (size_t)bytes);
        return;
    }
    memcpy(data, m->at + m->taken, (size_t)bytes);
    m->taken += bytes;
}

char *rhomb__message_take_text(rhomb__message *m)
{
    int64_t length = -1;
    rhomb__message_take(m, &length, sizeof length);
    if (length < 0 || length > m->bytes - m->taken)
        return NULL;
    char *text = malloc((size_t)length + 1);
    m->is_unusable = m->is_unusable || text == NULL;
    if (text == NULL)
        return NULL;
    rhomb__message_take(m, text, length);
    text[length] = '\0';
    return text;
}

typedef struct exchange {
    rhomb__message *message;
    const char *from;
    char *to;
} exchange;

static void put_field(const rhomb__field *f, size_t at, void *user)
{
    const exchange *x = user;
    rhomb__message_put(x->message, x->from + at, (int64_t)f->bytes);
}

void rhomb__message_put_fields(rhomb__message *m, const rhomb__field *fields, const void *from)
{
    exchange x = {m, from, NULL};
    rhomb__state_each(fields, 0, put_field, &x);
}

static void take_field(const rhomb__field *f, size_t at, void *user)
{
    const exchange *x = user;
    rhomb__message_take(x->message, x->to + at, (int64_t)f->bytes);
}

void rhomb__message_take_fields(rhomb__message *m, const rhomb__field *fields, void *to)
{
    exchange x = {m, NULL, to};
    rhomb__state_each(fields, 0, take_field, &x);
}

rhomb_status rhomb__message_end(rhomb__error *error, const rhomb__message *m)
{
    if (!m->is_unusable && m->taken == m->bytes)
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_INTERNAL,
                       "a message of %lld bytes of another rank is not "
                       "what was expected",
                       (long long)m->bytes);
}

void rhomb__message_clear(rhomb__message *m)
{
    m->kind = 0;
    m->status = RHOMB_OK;
    m->bytes = m->taken = 0;
    m->is_unusable = false;
}

void rhomb__message_release(rhomb__message *m)
{
    free(m->at);
    *m = (rhomb__message){.kind = 0};
}

/* What precedes a message. */
typedef struct head {
    uint32_t mark; /* also of the byte order */
    int32_t kind;
    int32_t status;
    int32_t unused;
    int64_t bytes;
} head;

#define MARK 0x52484d42u

rhomb_status rhomb__message_send(rhomb__error *error, rhomb__link *to, int32_t channel,
                                 const rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    const head h = {.mark = MARK, .kind = m->kind, .status = (int32_t)m->status, .bytes = m->bytes};
    if (m->is_unusable)
        return rhomb__fail_memory(error, (size_t)m->bytes, "a message to another rank");
    RHOMB_TRY(rhomb__link_send(error, to, channel, &h, sizeof h));
    if (h.bytes > 0)
        RHOMB_TRY(rhomb__link_send(error, to, channel, m->at, h.bytes));
out:
    return status;
}

rhomb_status rhomb__message_receive(rhomb__error *error, rhomb__link *from, int32_t channel,
                                    rhomb__message *m)
{
    rhomb_status status = RHOMB_OK;
    head h = {.mark = 0};
    rhomb__message_clear(m);
    RHOMB_TRY(rhomb__link_receive(error, from, channel, &h, sizeof h));
    if (h.mark != MARK || h.bytes < 0 || h.status < 0 || h.status >= RHOMB_STATUS_COUNT) {
        from->is_lost = true; /* nobody knows where the next message begins */
        return rhomb__fail(error, RHOMB_ERR_DEVICE, "rank %d sends something else than messages",
                           (int)from->rank);
    }
    m->kind = h.kind;
    m->status = (rhomb_status)h.status;
    if (!make_room(m, h.bytes)) {
        from->is_lost = true;
        return rhomb__fail_memory(error, (size_t)h.bytes, "a message of another rank");
    }
    m->bytes = h.bytes;
    if (h.bytes > 0)
        RHOMB_TRY(rhomb__link_receive(error, from, channel, m->at, h.bytes));
out:
    return status;
}
