/* SPDX-License-Identifier: MIT */
/*
 * Messages between ranks (rhomb/ranks.h). They contain structures as they are in memory: joining
 * makes sure that all ranks have the same version, kernels and sizes of structures (remote.c).
 */
#ifndef RHOMB_HOST_RANK_MESSAGE_H
#define RHOMB_HOST_RANK_MESSAGE_H

#include "rhomb/ranks.h"
#include "src/checkpoint/state.h"

/* The channels: requests and replies; the wish to stop; the borders of both ways of a sweep. */
enum {
    RHOMB__CHANNEL_ASK,
    RHOMB__CHANNEL_STOP,
    RHOMB__CHANNEL_BORDERS,
    RHOMB__CHANNELS = RHOMB__CHANNEL_BORDERS + 2
};

/* The way to another rank. */
typedef struct rhomb__link {
    rhomb_ranks ranks;
    int32_t rank; /* the other one */
    bool is_lost; /* nothing is sent any more, and nothing received */
} rhomb__link;

/* Bytes whose number both know. RHOMB_ERR_DEVICE where the other rank is lost. */
rhomb_status rhomb__link_send(rhomb__error *error, rhomb__link *to, int32_t channel,
                              const void *data, int64_t bytes);
rhomb_status rhomb__link_receive(rhomb__error *error, rhomb__link *from, int32_t channel,
                                 void *data, int64_t bytes);
/* Receives bytes that nobody wants. */
rhomb_status rhomb__link_drop(rhomb__error *error, rhomb__link *from, int32_t channel,
                              int64_t bytes);
rhomb_status rhomb__link_probe(rhomb__error *error, rhomb__link *from, int32_t channel,
                               bool *waits);

/* What rank 0 tells another one that works, once each time: says it, and waits for it. */
rhomb_status rhomb__link_tell_stop(rhomb__error *error, rhomb__link *to);
rhomb_status rhomb__link_hear_stop(rhomb__error *error, rhomb__link *from);

/* All zeros: an empty one. */
typedef struct rhomb__message {
    int32_t kind;
    rhomb_status status; /* of a reply; with another one than RHOMB_OK the detail is all it has */
    char *at;
    int64_t bytes, room;
    int64_t taken;    /* so far */
    bool is_unusable; /* no memory while it was filled, or more was taken than it has */
} rhomb__message;

void rhomb__message_put(rhomb__message *message, const void *data, int64_t bytes);
void rhomb__message_put_text(rhomb__message *message, const char *text); /* may be NULL */

/* What is missing becomes zeros. */
void rhomb__message_take(rhomb__message *message, void *data, int64_t bytes);
/* NULL if it was, or if there is no memory; the caller frees it. */
char *rhomb__message_take_text(rhomb__message *message);

/* The fields of a structure, as they are in it. */
void rhomb__message_put_fields(rhomb__message *message, const rhomb__field *fields,
                               const void *from);
void rhomb__message_take_fields(rhomb__message *message, const rhomb__field *fields, void *to);

/* RHOMB_ERR_INTERNAL unless it had exactly what was taken. */
rhomb_status rhomb__message_end(rhomb__error *error, const rhomb__message *message);

/* Empties a message, for the next use; and releases it. */
void rhomb__message_clear(rhomb__message *message);
void rhomb__message_release(rhomb__message *message);

/* A message as it is; what arrives replaces the one before. */
rhomb_status rhomb__message_send(rhomb__error *error, rhomb__link *to, int32_t channel,
                                 const rhomb__message *message);
rhomb_status rhomb__message_receive(rhomb__error *error, rhomb__link *from, int32_t channel,
                                    rhomb__message *message);

#endif
