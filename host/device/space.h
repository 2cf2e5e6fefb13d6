/* SPDX-License-Identifier: MIT */
/*
 * The limit on a process's address space (RLIMIT_AS, `ulimit -v`), which counts on CPU devices:
 * their buffers, their threads and their compiler are in this process, and where an allocation
 * fails, PoCL and LLVM abort or wait for ever. So what cannot fit is refused before they try.
 *
 * What PoCL 3.1 takes, with two cores: 395 MB once it has listed its device, 453 MB at the most
 * until then, 16 MB of it stacks of threads; and 385 MB more while a kernel is built that no cache
 * has. Nothing here matters where there is no limit.
 */
#ifndef RHOMB_HOST_SPACE_H
#define RHOMB_HOST_SPACE_H

#include "host/device/context.h"

/*
 * RHOMB_ERR_MEMORY where drivers may not have the address space to begin: 896 MiB, and 16 MiB for
 * each core. To be asked before the first call of OpenCL.
 */
rhomb_status rhomb__space_check(rhomb_context *ctx);

/* Lowers what an open device has to what can be mapped; only on a CPU, and only under a limit. */
void rhomb__space_apply(rhomb_context *ctx);

#endif
