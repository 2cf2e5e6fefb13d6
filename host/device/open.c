/* SPDX-License-Identifier: MIT */
/*
 * Opening a device, see open.h.
 */
#include "host/device/open.h"

#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/remote.h"
#include "host/device/space.h"

#include <stdlib.h>
#include <string.h>

/* Makes a context drive a device, instead of the one before. */
static void drive(rhomb_context *drives, rhomb__device *device)
{
    rhomb__device_close(drives->stream.device);
    drives->stream.device = device;
    drives->stream.queue = device->queue;
    drives->stream.bytes_in_use = drives->stream.bytes_peak = 0;
    drives->work = (rhomb_device_work){0};
}

/* The same with a device of the list of `ctx`. */
static rhomb_status open_one(rhomb_context *ctx, size_t index, rhomb_context *drives)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = NULL;
    RHOMB_TRY(rhomb__device_open(ctx, index, &device));
    rhomb__space_apply(ctx, device);
    drive(drives, device);
out:
    return status;
}

static void destroy_other(rhomb_context *other)
{
    if (other == NULL)
        return;
    if (other->remote != NULL) {
        rhomb__remote_leave(other);
        return;
    }
    rhomb__device_close(other->stream.device);
    rhomb__error_clear(&other->stream.error);
    free(other->cache_dir);
    free(other);
}

static void release_others(rhomb_context **others, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        destroy_other(others[i]);
    free(others);
}

void rhomb__close_others(rhomb_context *ctx)
{
    release_others(ctx->others, ctx->other_count);
    ctx->others = NULL;
    ctx->other_count = 0;
}

/* A context for one more device; its errors are recorded in `ctx`. */
static rhomb_status open_other(rhomb_context *ctx, size_t index, rhomb_context **out)
{
    rhomb_context *other = calloc(1, sizeof *other);
    *out = other;
    if (other == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *other, "a device");
    other->stream.log = ctx->stream.log;
    other->stream.log_user = ctx->stream.log_user;
    other->stream.threads = ctx->stream.threads;
    other->devices.loaded = true;
    if (ctx->cache_dir != NULL) {
        other->cache_dir = strdup(ctx->cache_dir);
        if (other->cache_dir == NULL)
            return rhomb__fail_memory(&ctx->stream.error, strlen(ctx->cache_dir), "a device");
    }
    return open_one(ctx, index, other);
}

/* Opens the devices of a set. */
static rhomb_status open_set(rhomb_context *ctx, const rhomb__device_set *set)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context **others = NULL;
    int32_t count = 0;
    if (set->count > 1) {
        others = calloc(set->count - 1, sizeof(rhomb_context *));
        if (others == NULL)
            return rhomb__fail_memory(&ctx->stream.error, set->count * sizeof(rhomb_context *),
                                      "devices");
    }
    while ((size_t)count + 1 < set->count) {
        count++;
        RHOMB_TRY(open_other(ctx, set->indices[count], &others[count - 1]));
    }
    RHOMB_TRY(open_one(ctx, set->indices[0], ctx));
    rhomb__close_others(ctx);
    ctx->others = others;
    ctx->other_count = count;
    others = NULL;
    count = 0;
out:
    release_others(others, count);
    return status;
}

rhomb_status rhomb__open(rhomb_context *ctx, const char *selector, uint32_t flags)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_set set;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    RHOMB_TRY(rhomb__device_find_all(ctx, selector, flags, &set));
    RHOMB_TRY(open_set(ctx, &set));
out:
    return status;
}

rhomb_status rhomb__open_share(rhomb_context *ctx, const char *selector, uint32_t flags,
                               int32_t share)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_set set;
    const bool any = selector == NULL || *selector == '\0' || strcmp(selector, "auto") == 0;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    RHOMB_TRY(rhomb__device_find_all(ctx, any ? "all" : selector, flags, &set));
    const rhomb__device_set one = {.indices = {set.indices[(size_t)share % set.count]}, .count = 1};
    RHOMB_TRY(open_set(ctx, &one));
out:
    return status;
}

rhomb_status rhomb__open_beside(rhomb_context *ctx, const rhomb__device *first)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = NULL;
    RHOMB_TRY(rhomb__device_open_beside(ctx, first, &device));
    drive(ctx, device);
    rhomb__close_others(ctx);
out:
    return status;
}

rhomb_context *rhomb__context_of(rhomb_context *ctx, int32_t index)
{
    return index == 0 ? ctx : ctx->others[index - 1];
}

rhomb_status rhomb__context_need_device(rhomb_context *ctx)
{
    return ctx->stream.device != NULL ? RHOMB_OK : rhomb__open(ctx, "auto", 0);
}
