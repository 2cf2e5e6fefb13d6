/* SPDX-License-Identifier: MIT */
/*
 * Pinned memory, see pinned.h.
 */
#include "host/device/pinned.h"

#include "host/device/cl_error.h"

#include <stdlib.h>

/* Returns the code; on failure nothing is left. */
static cl_int pin(rhomb__device_stream *stream, rhomb__pinned *memory)
{
    cl_int code = CL_SUCCESS;
    memory->handle =
        clCreateBuffer(stream->device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                       (size_t)memory->bytes, NULL, &code);
    if (code == CL_SUCCESS)
        memory->at =
            clEnqueueMapBuffer(stream->queue, memory->handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                               0, (size_t)memory->bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS && memory->handle != NULL) {
        clReleaseMemObject(memory->handle);
        memory->handle = NULL;
    }
    return code;
}

rhomb_status rhomb__pinned_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__pinned *memory)
{
    const rhomb__device *device = stream->device;
    rhomb__pinned_release(stream, memory);
    memory->bytes = bytes;
    if (!device->info.unified_memory) {
        const cl_int code = pin(stream, memory);
        if (code == CL_SUCCESS)
            return RHOMB_OK;
        rhomb__log(stream, 1, "%s: %lld bytes cannot be pinned (%s), which makes transfers slower",
                   device->info.name, (long long)bytes, rhomb__cl_error_name(code));
    }
    memory->at = malloc((size_t)bytes);
    if (memory->at != NULL)
        return RHOMB_OK;
    memory->bytes = 0;
    return rhomb__fail_memory(&stream->error, (size_t)bytes, what);
}

void rhomb__pinned_release(rhomb__device_stream *stream, rhomb__pinned *memory)
{
    const rhomb__pinned none = {NULL, NULL, 0};
    if (memory->handle == NULL) {
        free(memory->at);
    } else {
        clEnqueueUnmapMemObject(stream->queue, memory->handle, memory->at, 0, NULL, NULL);
        clReleaseMemObject(memory->handle);
    }
    *memory = none;
}
