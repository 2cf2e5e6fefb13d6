/* SPDX-License-Identifier: MIT */
/*
 * The limit on the address space, see space.h.
 */
#include "host/device/space.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB          (INT64_C(1) << 20)
#define LEAST_BYTES  (896 * MIB) /* for a driver to begin and to build kernels */
#define CORE_BYTES   (16 * MIB)  /* for a core's thread: its stack, and what it allocates */
#define DRIVER_BYTES (448 * MIB) /* that stay free for kernels to be built, and for the host */

/* What the process may still map; INT64_MAX without a limit. */
static int64_t space_left(void)
{
    struct rlimit limit;
    int64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > INT64_MAX)
        return INT64_MAX;
    /* Its first number is the pages that are mapped. Without it, the limit is all there is. */
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%" SCNd64, &pages) != 1)
            pages = 0;
        fclose(file);
    }
    const int64_t left = (int64_t)limit.rlim_cur - pages * sysconf(_SC_PAGESIZE);
    return left > 0 ? left : 0;
}

rhomb_status rhomb__space_check(rhomb_context *ctx)
{
    const int64_t left = space_left();
    const int64_t needed = LEAST_BYTES + CORE_BYTES * sysconf(_SC_NPROCESSORS_ONLN);
    if (left >= needed)
        return RHOMB_OK;
    return rhomb__fail(&ctx->error, RHOMB_ERR_MEMORY,
                       "the limit on address space (ulimit -v) leaves %" PRId64
                       " MiB, and OpenCL drivers may need %" PRId64 " MiB",
                       left / MIB, needed / MIB);
}

void rhomb__space_apply(rhomb_context *ctx)
{
    rhomb__device *device = ctx->device;
    const int64_t left = space_left();
    if (device->info.kind != RHOMB_DEVICE_CPU || left == INT64_MAX)
        return;
    const rhomb_device_info *has = &ctx->devices.infos[device->info.index];
    const int64_t free_bytes = left > DRIVER_BYTES ? left - DRIVER_BYTES : 0;
    const int64_t bytes = device->bytes_in_use + free_bytes;
    device->info.memory_bytes = bytes < has->memory_bytes ? bytes : has->memory_bytes;
    device->info.max_buffer_bytes =
        free_bytes < has->max_buffer_bytes ? free_bytes : has->max_buffer_bytes;
    if (bytes < has->memory_bytes)
        rhomb__log(ctx, 1,
                   "the limit on address space (ulimit -v) leaves the device %" PRId64 " MiB",
                   bytes / MIB);
}
