/* SPDX-License-Identifier: MIT */
/*
 * Counted device memory, see buffer.h.
 */
#include "host/device/buffer.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"

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
