/* SPDX-License-Identifier: MIT */
/*
 * The only file that includes the OpenCL header, set up as the library uses it.
 */
#ifndef RHOMB_HOST_OPENCL_H
#define RHOMB_HOST_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#endif
