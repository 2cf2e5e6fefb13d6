/* SPDX-License-Identifier: MIT */
/*
 * The device of fault_opencl.c: what it says of itself, and whether the library keeps to it.
 */
#ifndef RHOMB_FAULT_DEVICE_H
#define RHOMB_FAULT_DEVICE_H

#include "fault_opencl.h"

/* A function of the real OpenCL; ends the program if there is none. */
void *fault_real(const char *name);
#define REAL(name) ((__typeof__(&name))fault_real(#name))

/* clGetDeviceInfo() with the plan's answers. */
cl_int fault_device_info(const fault_plan *plan, cl_device_id device, cl_device_info name,
                         size_t size, void *value, size_t *size_ret);

/* Lowers what a kernel allows to the plan's limit. */
void fault_device_limit(const fault_plan *plan, cl_kernel kernel, size_t *items);

/* The build options as a plan changes them; without optimizing, see quick_build.h. */
void fault_device_options(const fault_plan *plan, const char *options, char *used, size_t room);

/* Whether a buffer or a launch is more than the device or the kernel allows; the first is noted. */
bool fault_device_buffer_exceeds(const fault_plan *plan, size_t bytes);
bool fault_device_launch_exceeds(const fault_plan *plan, cl_command_queue queue, cl_kernel kernel,
                                 const size_t *local);

/* That, in words; "" if nothing was. */
const char *fault_device_excess(void);
void fault_device_forget(void);

#endif
