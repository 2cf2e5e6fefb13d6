/* SPDX-License-Identifier: MIT */
/*
 * Pinned memory, see pinned.h.
 */
#include "host/device/pinned.h"

#include "host/device/cl_error.h"

#include <stdlib.h>

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
