/* SPDX-License-Identifier: MIT */
/*
 * Devices of other ranks, see remote.h.
 */
#include "host/device/remote.h"

#include "cl/abi.h"
#include "host/device/program.h"
#include "src/base/alphabet.h"
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
