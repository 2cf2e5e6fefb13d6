/* SPDX-License-Identifier: MIT */
/*
 * The limit on a process's address space (RLIMIT_AS, `ulimit -v`), which counts on CPU devices:
 * their buffers, their threads and their compiler are in this process, and where an allocation
 * fails, PoCL and LLVM abort or wait for ever. So what cannot fit is refused before they try.
 *
 * What is refused depends on the limit and the number of cores alone, and never on what is mapped
 * at the time, which caches and the order of threads change: a command that runs does so each time.
 *
 *     limit = 896 MiB + 16 MiB for each core + the device's memory + as much for the host
 *
 * What PoCL 3.1 takes of it with two cores, the host's small things included: 245 MiB once it has
 * listed its device, 450 to 470 MiB with programs from its cache, and up to 690 MiB while a batch
 * builds them. The host's part is for sequences and results. Nothing here matters where there is no
 * limit.
 */
#ifndef RHOMB_HOST_SPACE_H
#define RHOMB_HOST_SPACE_H

#include "host/device/context.h"

/*
 * RHOMB_ERR_MEMORY where drivers may not have the address space to begin: 896 MiB, and 16 MiB for
 * each core. To be asked before the first call of OpenCL.
 */
rhomb_status rhomb__space_check(rhomb_context *ctx);

/*
 * Lowers what a device has, which has just been opened, to its part of the limit; only on a CPU,
 * and only under a limit.
 */
void rhomb__space_apply(rhomb_context *ctx, rhomb__device *device);

#endif
