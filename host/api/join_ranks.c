/* SPDX-License-Identifier: MIT */
/*
 * The public calls about ranks: rank 0 joins the others to its context, and they serve it.
 */
#include "host/device/open.h"
#include "host/divide/remote_group.h"
#include "host/engines/bitparallel/remote_sweep.h"

#include <stdlib.h>

rhomb_status rhomb_context_open_share(rhomb_context *ctx, const char *selector, uint32_t flags,
                                      int32_t share)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (share < 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "share is negative");
    return rhomb__open_share(ctx, selector, flags, share);
}

/* The caller's ranks, if they can be. */
static rhomb_status take_ranks(rhomb_context *ctx, const rhomb_ranks *given, rhomb_ranks *ranks)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    const rhomb_ranks defaults = RHOMB_RANKS_INIT;
    *ranks = defaults;
    if (given == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "ranks must not be NULL");
    RHOMB_TRY(rhomb__take_given(error, "rhomb_ranks", given, ranks, sizeof *ranks));
    if (ranks->count < 1 || ranks->count > RHOMB_MOST_DEVICES)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%d ranks are not 1 to %d", (int)ranks->count,
                           RHOMB_MOST_DEVICES);
    if (ranks->rank < 0 || ranks->rank >= ranks->count)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "rank %d is none of %d", (int)ranks->rank,
                           (int)ranks->count);
    if (ranks->count > 1 && (ranks->send == NULL || ranks->receive == NULL || ranks->probe == NULL))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "ranks need all functions");
out:
    return status;
}

/* Hears all ranks, so that those that serve can be told where another one does not. */
static rhomb_status join_all(rhomb_context *ctx, const rhomb_ranks *ranks)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 1; i < ranks->count; i++) {
        rhomb_context *other = NULL;
        const rhomb_status joined = rhomb__remote_join(ctx, ranks, i, &other);
        if (joined == RHOMB_OK)
            ctx->others[ctx->other_count++] = other;
        status = status == RHOMB_OK ? joined : status;
    }
    if (status != RHOMB_OK)
        rhomb__close_others(ctx);
    return status;
}

rhomb_status rhomb_context_join_ranks(rhomb_context *ctx, const rhomb_ranks *given,
                                      rhomb_status opened)
{
    rhomb_status status = RHOMB_OK;
    rhomb_ranks ranks = {.count = 1};
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    if (opened == RHOMB_OK)
        rhomb__error_clear(&ctx->stream.error);
    RHOMB_TRY(take_ranks(ctx, given, &ranks));
    if (ranks.rank != 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "only rank 0 joins the others to its context");
    RHOMB_TRY(opened);
    if (ranks.count == 1)
        return RHOMB_OK;
    if (ctx->other_count > 0 || ctx->stream.bytes_in_use > 0)
        RHOMB_TRY(rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                              ctx->other_count > 0 ? "ranks have one device each"
                                                   : "a batch of the context is still there"));
    RHOMB_TRY(rhomb__context_need_device(ctx));
    ctx->others = calloc((size_t)ranks.count - 1, sizeof(rhomb_context *));
    if (ctx->others == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof(rhomb_context *), "ranks"));
    return join_all(ctx, &ranks);
out:
    for (int32_t i = 1; i < ranks.count && ranks.rank == 0 && ranks.send != NULL; i++)
        rhomb__remote_dismiss(&ranks, i);
    return status;
}

static rhomb_status serve(rhomb__served *served, rhomb__message *m)
{
    switch ((rhomb__request)m->kind) {
    case RHOMB__ASK_PAIR:
        return rhomb__serve_pair(served, m);
    case RHOMB__ASK_RELEASE:
        return rhomb__serve_release(served, m);
    case RHOMB__ASK_SWEEP_OPEN:
    case RHOMB__ASK_SWEEP_PREPARE:
    case RHOMB__ASK_SWEEP_RUN:
    case RHOMB__ASK_SWEEP_READ:
    case RHOMB__ASK_SWEEP_END:
    case RHOMB__ASK_SWEEP_CLOSE:
        return rhomb__serve_sweep(served, m);
    case RHOMB__ASK_GROUP_OPEN:
    case RHOMB__ASK_GROUP_SOLVE:
    case RHOMB__ASK_GROUP_CLOSE:
        return rhomb__serve_group(served, m);
    default:
        return rhomb__fail(&served->ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "request %d of rank 0 is unknown", (int)m->kind);
    }
}

rhomb_status rhomb_ranks_serve(rhomb_context *ctx, const rhomb_ranks *given, rhomb_status opened)
{
    rhomb_status status = RHOMB_OK;
    rhomb__message m = {.kind = 0};
    rhomb__served served = {.ctx = ctx};
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    if (opened == RHOMB_OK) {
        rhomb__error_clear(&ctx->stream.error);
        opened = rhomb__context_need_device(ctx);
    }
    RHOMB_TRY(take_ranks(ctx, given, &served.leader.ranks));
    if (served.leader.ranks.rank == 0)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "rank 0 does not serve");
    RHOMB_TRY(rhomb__remote_introduce(ctx, &served.leader, &opened));
    while (opened == RHOMB_OK) {
        RHOMB_TRY(
            rhomb__message_receive(&ctx->stream.error, &served.leader, RHOMB__CHANNEL_ASK, &m));
        if (m.kind == RHOMB__ASK_END)
            break;
        const rhomb__request request = (rhomb__request)m.kind;
        const rhomb_status done = serve(&served, &m);
        RHOMB_TRY(rhomb__answer(ctx, &served.leader, request, done, &m));
    }
out:
    rhomb__serve_sweep_close(&served);
    rhomb__serve_group_close(&served);
    rhomb__serve_forget(&served);
    rhomb__message_release(&m);
    return status;
}
