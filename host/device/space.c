/* SPDX-License-Identifier: MIT */
/*
 * Memory of the host that a device may take, see space.h.
 */
#include "host/device/space.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/int64.h"

#define MIB          (INT64_C(1) << 20)
#define DRIVER_BYTES (896 * MIB) /* for a driver to start and to build kernels */
#define CORE_BYTES   (16 * MIB)  /* for a core's thread: its stack and its allocations */
#define TEXT_BYTES   (64 * MIB)  /* of those, for text */
#define DEVICE_SHARE 2           /* a device's part of the rest; the other parts are the host's */

/* The limit, or INT64_MAX if there is none. */
static int64_t limit_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > INT64_MAX)
        return INT64_MAX;
    return (int64_t)limit.rlim_cur;
}

static int64_t core_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? count : 1;
}

static int64_t driver_bytes(void)
{
    return DRIVER_BYTES + CORE_BYTES * core_count();
}

rhomb_status rhomb__space_check(rhomb_context *ctx)
{
    const int64_t limit = limit_bytes();
    const int64_t needed = driver_bytes();
    if (limit >= needed)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_MEMORY,
                       "the limit on address space (ulimit -v) is %" PRId64
                       " MiB, and with %" PRId64 " cores OpenCL drivers may need %" PRId64 " MiB",
                       limit / MIB, core_count(), needed / MIB);
}

size_t rhomb__space_text_bytes(void)
{
    const int64_t limit = limit_bytes();
    const int64_t needed = driver_bytes();
    const int64_t rest = limit > needed ? limit - needed : 0;
    return limit == INT64_MAX ? 0 : (size_t)(TEXT_BYTES + rest - rest / DEVICE_SHARE);
}

/* Linux's estimate of what programs can still take without swapping; INT64_MAX if unknown. */
static int64_t machine_bytes(void)
{
    char line[128];
    long long kib = -1;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %lld kB", &kib) != 1)
            kib = -1;
    if (file != NULL)
        fclose(file);
    return kib < 0 ? INT64_MAX : (int64_t)kib * 1024;
}

static int64_t available_bytes(void)
{
    return rhomb__min(machine_bytes(), rhomb__control_group_available(""));
}

/* Whether that is less than what the device was said to have; then it has so much. */
static bool lower(rhomb_device_info *info, int64_t bytes)
{
    if (bytes >= info->memory_bytes)
        return false;
    info->memory_bytes = bytes;
    info->max_buffer_bytes = rhomb__min(info->max_buffer_bytes, bytes);
    return true;
}

void rhomb__space_apply(rhomb_context *ctx, rhomb__device *device)
{
    rhomb_device_info *info = &device->info;
    const int64_t limit = limit_bytes();
    const int64_t needed = driver_bytes();
    if ((info->unified_memory || info->kind == RHOMB_DEVICE_CPU) && lower(info, available_bytes()))
        rhomb__log(&ctx->stream, 1,
                   "the device shares the host's memory, of which %" PRId64 " MiB are available",
                   info->memory_bytes / MIB);
    if (info->kind != RHOMB_DEVICE_CPU || limit == INT64_MAX ||
        !lower(info, limit > needed ? (limit - needed) / DEVICE_SHARE : 0))
        return;
    rhomb__log(&ctx->stream, 1,
               "the limit on address space (ulimit -v), %" PRId64 " MiB, leaves the device %" PRId64
               " MiB with %" PRId64 " cores",
               limit / MIB, info->memory_bytes / MIB, core_count());
}

/*
 * The memory that control groups leave this process: containers and batch systems (Docker, Slurm)
 * end a process that takes more, whatever the machine has. See Linux's
 * Documentation/admin-guide/cgroup-v2.rst. Where a version has its groups, and how it names what
 * they say:
 */
typedef struct version {
    const char *mount, *limit, *usage, *droppable;
} version;

static const version VERSIONS[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "}};

static FILE *open_file(const char *root, const char *folder, const char *group, const char *name)
{
    char *path = rhomb__format("%s%s%s/%s", root, folder, group, name);
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    free(path);
    return file;
}

/* The number after `key` in the first line that begins so; -1 if there is none. */
static int64_t read_number(FILE *file, const char *key)
{
    char line[256];
    long long number = -1;
    if (file == NULL)
        return -1;
    while (number < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) != 0 ||
            sscanf(line + strlen(key), "%lld", &number) != 1)
            number = -1;
    fclose(file);
    return number;
}

/* What a group leaves; INT64_MAX without a limit. */
static int64_t available_in(const char *root, const version *v, const char *group)
{
    const int64_t limit = read_number(open_file(root, v->mount, group, v->limit), "");
    const int64_t usage = read_number(open_file(root, v->mount, group, v->usage), "");
    const int64_t dropped =
        read_number(open_file(root, v->mount, group, "memory.stat"), v->droppable);
    if (limit < 0 || usage < 0)
        return INT64_MAX;
    return rhomb__max(limit - rhomb__max(usage - rhomb__max(dropped, 0), 0), 0);
}

/* Of a group and of those above it. In a container its own group may be the mount. */
static int64_t least_above(const char *root, const version *v, char *group)
{
    int64_t least = INT64_MAX;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        least = rhomb__min(least, available_in(root, v, group));
    }
    return least;
}

int64_t rhomb__control_group_available(const char *root)
{
    char line[4096];
    int64_t least = INT64_MAX;
    FILE *file = open_file(root, "/proc", "/self", "cgroup");
    if (file == NULL)
        return INT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':'), *group = NULL;
        line[strcspn(line, "\n")] = '\0';
        if (controllers != NULL)
            group = strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        if (controllers[1] == '\0')
            least = rhomb__min(least, least_above(root, &VERSIONS[0], group));
        else if (strstr(controllers, "memory") != NULL)
            least = rhomb__min(least, least_above(root, &VERSIONS[1], group));
    }
    fclose(file);
    return least;
}
