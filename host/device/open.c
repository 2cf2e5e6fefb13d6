/* SPDX-License-Identifier: MIT */
/*
 * Opening a device, see open.h.
 */
#include "host/device/open.h"

#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/rates_file.h"
#include "host/device/space.h"

rhomb_status rhomb__open(rhomb_context *ctx, const char *selector, uint32_t flags)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = NULL;
    size_t index = 0;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    RHOMB_TRY(rhomb__device_find(ctx, selector, flags, &index));
    RHOMB_TRY(rhomb__device_open(ctx, index, &device));
    rhomb__space_apply(ctx, device);
    rhomb__device_close(ctx->stream.device);
    ctx->stream.device = device;
    ctx->stream.queue = device->queue;
    ctx->stream.bytes_in_use = ctx->stream.bytes_peak = 0;
    rhomb__rates_load(ctx);
out:
    return status;
}

rhomb_status rhomb__context_need_device(rhomb_context *ctx)
{
    return ctx->stream.device != NULL ? RHOMB_OK : rhomb__open(ctx, "auto", 0);
}
