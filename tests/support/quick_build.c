/* SPDX-License-Identifier: MIT */
/*
 * See quick_build.h.
 */
#include "quick_build.h"

#include <stdio.h>
#include <string.h>

#include "host/device/opencl.h"

bool quick_builds = false;

typedef void(CL_CALLBACK *build_note)(cl_program, void *);

cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user);

static bool is_processor(cl_device_id device)
{
    cl_device_type type = 0;
    return clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
           (type & CL_DEVICE_TYPE_CPU) != 0;
}

/* Bit planes in unrolled loops: without optimizing they take longer, not shorter. */
static bool is_sliced(const char *options)
{
    return strstr(options, "-DRHOMB_LANES=") != NULL && strstr(options, "-DRHOMB_OPEN=") != NULL;
}

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user)
{
    char quick[1024];
    if (!quick_builds || count != 1 || !is_processor(devices[0]) || is_sliced(options))
        return __real_clBuildProgram(program, count, devices, options, note, user);
    const int length = snprintf(quick, sizeof quick, "%s -cl-opt-disable", options);
    if (length < 0 || (size_t)length >= sizeof quick)
        return CL_INVALID_BUILD_OPTIONS;
    return __real_clBuildProgram(program, count, devices, quick, note, user);
}
