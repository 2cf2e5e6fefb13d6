/* SPDX-License-Identifier: MIT */
/*
 * Names of OpenCL 1.2 error codes and the record of a failed call, see cl_error.h. One list gives
 * names and numbers. The numbers come from CL/cl.h, so the two cannot disagree.
 */
#include "host/device/cl_error.h"

#include <ctype.h>
#include <string.h>

#include "host/device/context.h"

#define CL_CODE_MAP(X)                              \
    X(CL_SUCCESS)                                   \
    X(CL_DEVICE_NOT_FOUND)                          \
    X(CL_DEVICE_NOT_AVAILABLE)                      \
    X(CL_COMPILER_NOT_AVAILABLE)                    \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)             \
    X(CL_OUT_OF_RESOURCES)                          \
    X(CL_OUT_OF_HOST_MEMORY)                        \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)              \
    X(CL_MEM_COPY_OVERLAP)                          \
    X(CL_IMAGE_FORMAT_MISMATCH)                     \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                \
    X(CL_BUILD_PROGRAM_FAILURE)                     \
    X(CL_MAP_FAILURE)                               \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)              \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
    X(CL_COMPILE_PROGRAM_FAILURE)                   \
    X(CL_LINKER_NOT_AVAILABLE)                      \
    X(CL_LINK_PROGRAM_FAILURE)                      \
    X(CL_DEVICE_PARTITION_FAILED)                   \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)             \
    X(CL_INVALID_VALUE)                             \
    X(CL_INVALID_DEVICE_TYPE)                       \
    X(CL_INVALID_PLATFORM)                          \
    X(CL_INVALID_DEVICE)                            \
    X(CL_INVALID_CONTEXT)                           \
    X(CL_INVALID_QUEUE_PROPERTIES)                  \
    X(CL_INVALID_COMMAND_QUEUE)                     \
    X(CL_INVALID_HOST_PTR)                          \
    X(CL_INVALID_MEM_OBJECT)                        \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)           \
    X(CL_INVALID_IMAGE_SIZE)                        \
    X(CL_INVALID_SAMPLER)                           \
    X(CL_INVALID_BINARY)                            \
    X(CL_INVALID_BUILD_OPTIONS)                     \
    X(CL_INVALID_PROGRAM)                           \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                \
    X(CL_INVALID_KERNEL_NAME)                       \
    X(CL_INVALID_KERNEL_DEFINITION)                 \
    X(CL_INVALID_KERNEL)                            \
    X(CL_INVALID_ARG_INDEX)                         \
    X(CL_INVALID_ARG_VALUE)                         \
    X(CL_INVALID_ARG_SIZE)                          \
    X(CL_INVALID_KERNEL_ARGS)                       \
    X(CL_INVALID_WORK_DIMENSION)                    \
    X(CL_INVALID_WORK_GROUP_SIZE)                   \
    X(CL_INVALID_WORK_ITEM_SIZE)                    \
    X(CL_INVALID_GLOBAL_OFFSET)                     \
    X(CL_INVALID_EVENT_WAIT_LIST)                   \
    X(CL_INVALID_EVENT)                             \
    X(CL_INVALID_OPERATION)                         \
    X(CL_INVALID_GL_OBJECT)                         \
    X(CL_INVALID_BUFFER_SIZE)                       \
    X(CL_INVALID_MIP_LEVEL)                         \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                  \
    X(CL_INVALID_PROPERTY)                          \
    X(CL_INVALID_IMAGE_DESCRIPTOR)                  \
    X(CL_INVALID_COMPILER_OPTIONS)                  \
    X(CL_INVALID_LINKER_OPTIONS)                    \
    X(CL_INVALID_DEVICE_PARTITION_COUNT)

const char *rhomb__cl_error_name(cl_int code)
{
    switch (code) {
#define CODE_CASE(name) \
    case name:          \
        return #name;
        CL_CODE_MAP(CODE_CASE)
#undef CODE_CASE
    case RHOMB__CL_PLATFORM_NOT_FOUND_KHR:
        return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
        return "CL error";
    }
}

rhomb_status rhomb__cl_status(cl_int code)
{
    switch (code) {
    case CL_SUCCESS:
        return RHOMB_OK;
    case CL_OUT_OF_HOST_MEMORY:
        return RHOMB_ERR_MEMORY;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
        return RHOMB_ERR_DEVICE_MEMORY;
    case CL_BUILD_PROGRAM_FAILURE:
        return RHOMB_ERR_BUILD;
    case RHOMB__CL_PLATFORM_NOT_FOUND_KHR:
        return RHOMB_ERR_NO_DEVICE;
    default:
        return RHOMB_ERR_DEVICE;
    }
}

/* The name of the OpenCL function in a call's text such as "q = clCreate…(stream, …)". */
static const char *function_name(const char *call, int *length)
{
    const char *name = call;
    for (const char *at = strstr(call, "cl"); at != NULL; at = strstr(at + 1, "cl"))
        if (isupper((unsigned char)at[2]) && (at == call || !isalnum((unsigned char)at[-1]))) {
            name = at;
            break;
        }
    *length = (int)strcspn(name, "(");
    return name;
}

rhomb_status rhomb__cl_fail(rhomb__device_stream *stream, cl_int code, const char *call,
                            const char *file, int line)
{
    int length = 0;
    const char *name = function_name(call, &length);
    const bool is_open = stream->device != NULL;
    return rhomb__fail(&stream->error, rhomb__cl_status(code), "%.*s failed: %s (%d)%s%s (%s:%d)",
                       length, name, rhomb__cl_error_name(code), (int)code, is_open ? " on " : "",
                       is_open ? stream->device->info.name : "", file, line);
}
