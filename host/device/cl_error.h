/* SPDX-License-Identifier: MIT */
/*
 * OpenCL errors. Every call goes through one of two macros, so a failure always names the call, the
 * device and the error.
 */
#ifndef RHOMB_HOST_CL_ERROR_H
#define RHOMB_HOST_CL_ERROR_H

#include "host/device/context.h"
#include "host/device/opencl.h"
#include "src/base/error.h"

/* cl_khr_icd: the loader's answer when no driver is registered. */
#define RHOMB__CL_PLATFORM_NOT_FOUND_KHR (-1001)

/*
 * The error's name, such as "CL_OUT_OF_RESOURCES"; "CL error" for a code that OpenCL 1.2 lacks.
 * Never NULL.
 */
const char *rhomb__cl_error_name(cl_int code);

/* The status that a code stands for: host memory, device memory, build, no device, or device. */
rhomb_status rhomb__cl_status(cl_int code);

/*
 * Records a failed OpenCL call: the function's name (found in the text `call`), the code by name
 * and number, the open device and the place. Returns the code's status.
 */
rhomb_status rhomb__cl_fail(rhomb__device_stream *stream, cl_int code, const char *call,
                            const char *file, int line);

/* For calls that return the code. Needs `status` and the label `out`. */
#define RHOMB_CL(stream, call)                                                   \
    do {                                                                         \
        cl_int code_ = (call);                                                   \
        if (code_ != CL_SUCCESS) {                                               \
            status = rhomb__cl_fail((stream), code_, #call, __FILE__, __LINE__); \
            goto out;                                                            \
        }                                                                        \
    } while (0)

/* For calls that return a handle and write the code: RHOMB_CL_OUT(stream, code, q =
 * clCreate…(&code)).
 */
#define RHOMB_CL_OUT(stream, code, call)                                          \
    do {                                                                          \
        call;                                                                     \
        if ((code) != CL_SUCCESS) {                                               \
            status = rhomb__cl_fail((stream), (code), #call, __FILE__, __LINE__); \
            goto out;                                                             \
        }                                                                         \
    } while (0)

#endif
