/* SPDX-License-Identifier: MIT */
/*
 * Counted device memory, see buffer.h.
 */
#include "host/device/buffer.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"

rhomb_status rhomb__buffer_create(rhomb_context *ctx, int64_t bytes, const char *what,
                                  rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = ctx->device;
    const rhomb__buffer none = {NULL, 0};
    *out = none;
    if (bytes > device->info.memory_bytes - device->bytes_in_use)
        return rhomb__fail(&ctx->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: %lld bytes for %s, %lld in use already, %lld in all",
                           device->info.name, (long long)bytes, what,
                           (long long)device->bytes_in_use, (long long)device->info.memory_bytes);
    if (bytes > device->info.max_buffer_bytes)
        return rhomb__fail(&ctx->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: %lld bytes for %s, and a buffer has at most %lld",
                           device->info.name, (long long)bytes, what,
                           (long long)device->info.max_buffer_bytes);
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(ctx, code,
                 out->handle = clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)bytes,
                                              NULL, &code));
    out->bytes = bytes;
    device->bytes_in_use += bytes;
    if (device->bytes_peak < device->bytes_in_use)
        device->bytes_peak = device->bytes_in_use;
out:
    return status;
}

void rhomb__buffer_release(rhomb_context *ctx, rhomb__buffer *buffer)
{
    if (buffer->handle == NULL)
        return;
    ctx->device->bytes_in_use -= buffer->bytes;
    const cl_int code = clReleaseMemObject(buffer->handle);
    if (code != CL_SUCCESS)
        rhomb__log(ctx, 1, "clReleaseMemObject: %s", rhomb__cl_error_name(code));
    buffer->handle = NULL;
    buffer->bytes = 0;
}
