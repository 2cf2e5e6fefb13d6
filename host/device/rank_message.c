/* SPDX-License-Identifier: MIT */
/*
 * Messages between ranks, see rank_message.h.
 */
#include "host/device/rank_message.h"

#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

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
