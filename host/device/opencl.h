/* SPDX-License-Identifier: MIT */
/*
 * The header of OpenCL, as the library uses it: the only file that includes it.
 */
#ifndef RHOMB_HOST_OPENCL_H
#define RHOMB_HOST_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#endif
