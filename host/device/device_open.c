/* SPDX-License-Identifier: MIT */
/*
 * Opens a device of the list, or one that another context has open, see device.h.
 */
#include "host/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/driver_context.h"

/* Of a device with a driver's context. */
static rhomb_status open_queue(rhomb_context *ctx, rhomb__device *device)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    device->context = device->driver->handle;
    device->queue = device->driver->queue;
    if (!device->quirks.shares_queue)
        RHOMB_CL_OUT(&ctx->stream, code,
                     device->queue = clCreateCommandQueue(device->context, device->id, 0, &code));
out:
    return status;
}

/* Releases a device that could not be opened; the error says which one it is. NULL is allowed. */
static void fail_open(rhomb_context *ctx, rhomb__device *device)
{
    char text[512];
    if (device == NULL)
        return;
    snprintf(text, sizeof text, "while opening device #%d, %s", (int)device->info.index,
             device->info.name);
    rhomb__error_attach(&ctx->stream.error, text);
    rhomb__device_close(device);
}

rhomb_status rhomb__device_open(rhomb_context *ctx, size_t index, rhomb__device **out)
{
    const rhomb__device_list *list = &ctx->devices;
    const rhomb_device_info *info = &list->infos[index];
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = calloc(1, sizeof *device);
    *out = NULL;
    if (device == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device");
    device->info = *info;
    device->rates = rhomb__rates_of_row(info);
    device->platform = list->platforms[index];
    device->id = list->ids[index];
    device->quirks = rhomb__quirks_of(info);
    RHOMB_TRY(rhomb__driver_context_create(&ctx->stream, device));
    RHOMB_TRY(open_queue(ctx, device));
    rhomb__log(&ctx->stream, 1, "device #%d: %s, %s, driver %s: %s", (int)info->index, info->name,
               info->platform, info->driver_version, info->note);
    *out = device;
    device = NULL;
out:
    fail_open(ctx, device);
    return status;
}

/* Copies the texts of a description, which then has the copies. NULL without memory. */
static char *copy_texts(rhomb_device_info *info)
{
    const char **texts[] = {
        &info->name,           &info->vendor, &info->platform, &info->driver_version,
        &info->opencl_version, &info->pci,    &info->uuid,     &info->note};
    const size_t count = sizeof texts / sizeof texts[0];
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += *texts[i] != NULL ? strlen(*texts[i]) + 1 : 0;
    char *copies = malloc(bytes), *at = copies;
    for (size_t i = 0; copies != NULL && i < count; i++) {
        if (*texts[i] == NULL)
            continue;
        const size_t size = strlen(*texts[i]) + 1;
        *texts[i] = memcpy(at, *texts[i], size);
        at += size;
    }
    return copies;
}

rhomb_status rhomb__device_open_beside(rhomb_context *ctx, const rhomb__device *first,
                                       rhomb__device **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = calloc(1, sizeof *device);
    *out = NULL;
    if (device == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device");
    *device = (rhomb__device){.info = first->info,
                              .platform = first->platform,
                              .id = first->id,
                              .driver = rhomb__driver_context_share(first->driver),
                              .quirks = first->quirks,
                              .rates = first->rates};
    device->texts = copy_texts(&device->info);
    if (device->texts == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device's description"));
    RHOMB_TRY(open_queue(ctx, device));
    rhomb__log(&ctx->stream, 1, "device #%d: %s, once more", (int)device->info.index,
               device->info.name);
    *out = device;
    device = NULL;
out:
    fail_open(ctx, device);
    return status;
}

void rhomb__device_close(rhomb__device *device)
{
    if (device == NULL)
        return;
    if (device->queue != NULL && !device->quirks.shares_queue)
        clReleaseCommandQueue(device->queue);
    rhomb__driver_context_release(device->driver);
    free(device->texts);
    free(device);
}
