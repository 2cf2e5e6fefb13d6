/* SPDX-License-Identifier: MIT */
/*
 * Counted device memory, see buffer.h.
 */
#include "host/device/buffer.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"

#include <stdlib.h>

rhomb_status rhomb__buffer_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = stream->device;
    const rhomb__buffer none = {NULL, 0};
    *out = none;
    if (bytes > device->info.memory_bytes - stream->bytes_in_use)
        return rhomb__fail(&stream->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: %lld bytes for %s, %lld in use already, %lld in all",
                           device->info.name, (long long)bytes, what,
                           (long long)stream->bytes_in_use, (long long)device->info.memory_bytes);
    if (bytes > device->info.max_buffer_bytes)
        return rhomb__fail(&stream->error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: %lld bytes for %s, and a buffer has at most %lld",
                           device->info.name, (long long)bytes, what,
                           (long long)device->info.max_buffer_bytes);
    cl_int code = CL_SUCCESS;
    RHOMB_CL_OUT(stream, code,
                 out->handle = clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)bytes,
                                              NULL, &code));
    out->bytes = bytes;
    stream->bytes_in_use += bytes;
    if (stream->bytes_peak < stream->bytes_in_use)
        stream->bytes_peak = stream->bytes_in_use;
out:
    return status;
}

rhomb_status rhomb__buffer_read(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                int64_t at, int64_t bytes, void *to)
{
    rhomb_status status = RHOMB_OK;
    if (bytes > 0)
        RHOMB_CL(stream, clEnqueueReadBuffer(stream->queue, buffer->handle, CL_TRUE, (size_t)at,
                                             (size_t)bytes, to, 0, NULL, NULL));
out:
    return status;
}

rhomb_status rhomb__buffer_fetch(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                 int64_t bytes, void *to)
{
    rhomb_status status = RHOMB_OK;
    cl_event read = NULL;
    RHOMB_CL(stream, clEnqueueReadBuffer(stream->queue, buffer->handle, CL_FALSE, 0, (size_t)bytes,
                                         to, 0, NULL, &read));
    RHOMB_CL(stream, clFlush(stream->queue));
    RHOMB_TRY(rhomb__queue_wait(stream, read));
out:
    if (status != RHOMB_OK) /* it writes into the caller's memory */
        clFinish(stream->queue);
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}

static rhomb_status write_bytes(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                cl_bool waits, int64_t bytes, const void *from)
{
    rhomb_status status = RHOMB_OK;
    if (bytes > 0)
        RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, buffer->handle, waits, 0,
                                              (size_t)bytes, from, 0, NULL, NULL));
out:
    return status;
}

rhomb_status rhomb__buffer_write(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                 int64_t bytes, const void *from)
{
    return write_bytes(stream, buffer, CL_TRUE, bytes, from);
}

rhomb_status rhomb__buffer_send(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                int64_t bytes, const void *from)
{
    return write_bytes(stream, buffer, CL_FALSE, bytes, from);
}

rhomb_status rhomb__buffer_fill_offsets(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                        int64_t bytes, int64_t from, int64_t to)
{
    rhomb_status status = RHOMB_OK;
    const int64_t none64 = -INT64_C(0x4000000000000000);
    const int32_t none32 = -0x40000000;
    if (to > from)
        RHOMB_CL(stream,
                 clEnqueueFillBuffer(stream->queue, buffer->handle,
                                     bytes == 8 ? (const void *)&none64 : (const void *)&none32,
                                     (size_t)bytes, (size_t)(from * bytes),
                                     (size_t)((to - from) * bytes), 0, NULL, NULL));
out:
    return status;
}

void rhomb__buffer_release(rhomb__device_stream *stream, rhomb__buffer *buffer)
{
    if (buffer->handle == NULL)
        return;
    stream->bytes_in_use -= buffer->bytes;
    const cl_int code = clReleaseMemObject(buffer->handle);
    if (code != CL_SUCCESS)
        rhomb__log(stream, 1, "clReleaseMemObject: %s", rhomb__cl_error_name(code));
    buffer->handle = NULL;
    buffer->bytes = 0;
}

rhomb_status rhomb__pin(rhomb__device_stream *stream, int64_t bytes, cl_map_flags access,
                        rhomb__pinned *memory)
{
    rhomb_status status = RHOMB_OK;
    const cl_mem_flags kernels =
        access == CL_MAP_WRITE_INVALIDATE_REGION ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    cl_int code = CL_SUCCESS;
    memory->bytes = bytes;
    RHOMB_CL_OUT(stream, code,
                 memory->handle =
                     clCreateBuffer(stream->device->context, kernels | CL_MEM_ALLOC_HOST_PTR,
                                    (size_t)bytes, NULL, &code));
    RHOMB_CL_OUT(stream, code,
                 memory->at = clEnqueueMapBuffer(stream->queue, memory->handle, CL_TRUE, access, 0,
                                                 (size_t)bytes, 0, NULL, NULL, &code));
out:
    if (status != RHOMB_OK) {
        memory->at = NULL;
        (void)rhomb__pinned_release(stream, memory);
    }
    return status;
}

rhomb_status rhomb__pinned_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__pinned *memory)
{
    (void)rhomb__pinned_release(stream, memory);
    if (!stream->device->info.unified_memory) {
        if (rhomb__pin(stream, bytes, CL_MAP_READ | CL_MAP_WRITE, memory) == RHOMB_OK)
            return RHOMB_OK;
        rhomb__log(stream, 1, "%s: %lld bytes cannot be pinned (%s), which makes transfers slower",
                   stream->device->info.name, (long long)bytes, rhomb__error_text(&stream->error));
        rhomb__error_clear(&stream->error);
    }
    memory->at = malloc((size_t)bytes);
    if (memory->at == NULL)
        return rhomb__fail_memory(&stream->error, (size_t)bytes, what);
    memory->bytes = bytes;
    return RHOMB_OK;
}

rhomb_status rhomb__pinned_release(rhomb__device_stream *stream, rhomb__pinned *memory)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__pinned was = *memory, none = {NULL, NULL, 0};
    *memory = none;
    if (was.handle == NULL)
        free(was.at);
    else if (was.at != NULL)
        RHOMB_CL(stream, clEnqueueUnmapMemObject(stream->queue, was.handle, was.at, 0, NULL, NULL));
out:
    if (was.handle != NULL)
        clReleaseMemObject(was.handle);
    return status;
}
