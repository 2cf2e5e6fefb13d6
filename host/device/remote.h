/* SPDX-License-Identifier: MIT */
/*
 * Devices of other ranks (rhomb/ranks.h).
 *
 * Rank 0 has a context for each other rank, with the device's description and rates and nothing of
 * OpenCL: what plans, shares and reports is the same for it. Where work is done, the code looks
 * whether ctx->remote is set, and then *asks* the rank: a request, whose reply has a status and, if
 * that is no success, the detail of the error. Both ends of each kind of request are in one file:
 * host/engines/remote_pair.c, host/engines/bitparallel/remote_sweep.c, host/divide/remote_group.c.
 */
#ifndef RHOMB_HOST_REMOTE_H
#define RHOMB_HOST_REMOTE_H

#include "host/device/context.h"
#include "rhomb/batch.h"
#include "rhomb/ranks.h"
#include "src/checkpoint/state.h"

/*
 * Messages between ranks (rhomb/ranks.h). They contain structures as they are in memory: joining
 * makes sure that all ranks have the same version, kernels and sizes of structures (remote.c).
 *
 * The channels: requests and replies; the wish to stop; the borders of both ways of a sweep.
 */
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

/* What rank 0 asks for. */
typedef enum rhomb__request {
    RHOMB__ASK_INTRODUCTION, /* needs no request: what each rank sends first */
    RHOMB__ASK_END,          /* of the service; has no reply */
    RHOMB__ASK_PAIR,
    RHOMB__ASK_RELEASE,
    RHOMB__ASK_SWEEP_OPEN,
    RHOMB__ASK_SWEEP_PREPARE,
    RHOMB__ASK_SWEEP_RUN,
    RHOMB__ASK_SWEEP_READ,
    RHOMB__ASK_SWEEP_END,
    RHOMB__ASK_SWEEP_CLOSE,
    RHOMB__ASK_GROUP_OPEN,
    RHOMB__ASK_GROUP_SOLVE,
    RHOMB__ASK_GROUP_CLOSE
} rhomb__request;

/* Texts of a device's description. */
#define RHOMB__DEVICE_TEXTS 8

/* What rank 0 knows of another rank. */
struct rhomb__remote {
    rhomb__link link;
    int64_t jobs;         /* sweeps that it was asked for */
    bool has_begun;       /* the last one, and not ended it */
    bool is_running;      /* it sweeps: there will be a reply */
    bool is_told;         /* to stop */
    rhomb_pair held;      /* the pair whose bases it has, of the running call; NULL: none */
    rhomb__device device; /* its description and rates; nothing of OpenCL */
    char *texts[RHOMB__DEVICE_TEXTS]; /* of the description */
};

/*
 * Of a rank's context: sends a request; waits for its reply, which replaces *message and whose
 * error becomes the context's; does both. What was recorded in the context is cleared by the first.
 */
rhomb_status rhomb__ask_begin(rhomb_context *other, rhomb__request request,
                              rhomb__message *message);
rhomb_status rhomb__ask_end(rhomb_context *other, rhomb__request request, rhomb__message *message);
rhomb_status rhomb__ask(rhomb_context *other, rhomb__request request, rhomb__message *message);

/* On the other ranks: sends the reply to a request. A failure's detail is that of the context. */
rhomb_status rhomb__answer(rhomb_context *ctx, rhomb__link *leader, rhomb__request request,
                           rhomb_status status, rhomb__message *message);

/* At the beginning of a call: no rank has its sequences. */
void rhomb__remotes_forget(rhomb_context *ctx);

/*
 * The first message of a rank: what its device is, or why it has none. Both ends; the second makes
 * rank 0's context for it, and records errors in `ctx`. A rank that says of itself that it has none
 * does not serve, so the first sets *opened to what it has said.
 */
rhomb_status rhomb__remote_introduce(rhomb_context *ctx, rhomb__link *leader, rhomb_status *opened);
rhomb_status rhomb__remote_join(rhomb_context *ctx, const rhomb_ranks *ranks, int32_t rank,
                                rhomb_context **out);

/* Hears a rank's first message, and ends its service: it gets no context here. */
void rhomb__remote_dismiss(const rhomb_ranks *ranks, int32_t rank);

/* Ends a rank's service, and releases rank 0's context for it. */
void rhomb__remote_leave(rhomb_context *other);

#endif
