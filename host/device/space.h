/* SPDX-License-Identifier: MIT */
/*
 * What a device that shares the host's memory may take of it.
 *
 * Such a device, a CPU or an integrated GPU, says how much memory the host has in all. What other
 * programs hold is not there: so what is available when the device is opened (Linux: MemAvailable
 * of /proc/meminfo, or less by the limits of control groups, as containers have them) is all that
 * plans count on.
 *
 * And the limit on a process's address space (RLIMIT_AS, `ulimit -v`). It matters on CPU devices:
 * their buffers, threads and compiler are in this process, and when an allocation fails, PoCL and
 * LLVM abort or wait for ever. So what cannot fit is refused before they try.
 *
 * What is refused by that limit depends only on it and the number of cores. It never depends on
 * what is currently mapped, which changes with caches and the order of threads. So a command that
 * runs once runs each time.
 *
 *     limit = 896 MiB + 16 MiB for each core + the device's memory + as much for the host
 *
 * With two cores PoCL 3.1 takes, the host's small allocations included, up to 670 MiB while a batch
 * builds its programs and 700 with those for a long pair, if all threads allocate from one arena
 * (M_ARENA_MAX, as the program has it under a limit); else up to 920. Of what is left, 64 MiB are
 * for text. The host's part is for text, too, and for results. Without a limit nothing here has an
 * effect.
 */
#ifndef RHOMB_HOST_SPACE_H
#define RHOMB_HOST_SPACE_H

#include "host/device/context.h"

#include <stdint.h>

/*
 * RHOMB_ERR_MEMORY if drivers may lack the address space to start: 896 MiB, and 16 MiB for each
 * core. To be called before the first OpenCL call.
 */
rhomb_status rhomb__space_check(rhomb_context *ctx);

/*
 * The most bytes of sequences that may be held as text beside drivers and device: the host's part
 * and 64 MiB. 0 without a limit. A reader that exceeds it fails, because otherwise the next one to
 * lack memory may be a driver's compiler.
 */
size_t rhomb__space_text_bytes(void);

/*
 * Lowers the memory of a device just opened to what is available, if it shares the host's, and on a
 * CPU to its part of the limit.
 */
void rhomb__space_apply(rhomb_context *ctx, rhomb__device *device);

/*
 * Bytes that can still be taken: the limit less what is in use, without files that can be dropped,
 * of the process's group and of those above it, whichever is least. INT64_MAX where there is no
 * limit, or no control group. `root` comes before /proc and /sys, for tests; "" otherwise.
 */
int64_t rhomb__control_group_available(const char *root);

#endif
