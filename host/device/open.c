/* SPDX-License-Identifier: MIT */
/*
 * The devices of a context, see open.h, and its log.
 */
#include "host/device/open.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/driver_context.h"
#include "host/device/remote.h"
#include "host/device/space.h"
#include "src/base/error.h"
#include "src/base/parallel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a device with a driver's context. */
static rhomb_status open_queue(rhomb_context *ctx, rhomb__device *device)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    device->context = device->driver->handle;
    device->queue = device->driver->queue;
    if (!device->quirks.shares_queue)
        RHOMB_CL_OUT(&ctx->stream, code,
                     device->queue = clCreateCommandQueue(device->context, device->id, 0, &code));
out:
    return status;
}

/* Releases a device that could not be opened; the error says which one it is. NULL is allowed. */
static void fail_open(rhomb_context *ctx, rhomb__device *device)
{
    char text[512];
    if (device == NULL)
        return;
    snprintf(text, sizeof text, "while opening device #%d, %s", (int)device->info.index,
             device->info.name);
    rhomb__error_attach(&ctx->stream.error, text);
    rhomb__device_close(device);
}

/* Opens the device at `index` of the list. On failure *out is NULL. */
static rhomb_status open_device(rhomb_context *ctx, size_t index, rhomb__device **out)
{
    const rhomb__device_list *list = &ctx->devices;
    const rhomb_device_info *info = &list->infos[index];
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = calloc(1, sizeof *device);
    *out = NULL;
    if (device == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device");
    device->info = *info;
    device->rates = rhomb__rates_of_row(info);
    device->platform = list->platforms[index];
    device->id = list->ids[index];
    device->quirks = rhomb__quirks_of(info);
    RHOMB_TRY(rhomb__driver_context_create(&ctx->stream, device));
    RHOMB_TRY(open_queue(ctx, device));
    rhomb__log(&ctx->stream, 1, "device #%d: %s, %s, driver %s: %s", (int)info->index, info->name,
               info->platform, info->driver_version, info->note);
    *out = device;
    device = NULL;
out:
    fail_open(ctx, device);
    return status;
}

/* Copies the texts of a description, which then has the copies. NULL without memory. */
static char *copy_texts(rhomb_device_info *info)
{
    const char **texts[] = {
        &info->name,           &info->vendor, &info->platform, &info->driver_version,
        &info->opencl_version, &info->pci,    &info->uuid,     &info->note};
    const size_t count = sizeof texts / sizeof texts[0];
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += *texts[i] != NULL ? strlen(*texts[i]) + 1 : 0;
    char *copies = malloc(bytes), *at = copies;
    for (size_t i = 0; copies != NULL && i < count; i++) {
        if (*texts[i] == NULL)
            continue;
        const size_t size = strlen(*texts[i]) + 1;
        *texts[i] = memcpy(at, *texts[i], size);
        at += size;
    }
    return copies;
}

/*
 * Opens a device that another context has open, with its rates and the limits that kernels were
 * found to have. They share the driver's context, and neither needs the other one.
 */
static rhomb_status open_device_shared(rhomb_context *ctx, const rhomb__device *first,
                                       rhomb__device **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = calloc(1, sizeof *device);
    *out = NULL;
    if (device == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device");
    *device = (rhomb__device){.info = first->info,
                              .platform = first->platform,
                              .id = first->id,
                              .driver = rhomb__driver_context_share(first->driver),
                              .quirks = first->quirks,
                              .rates = first->rates};
    device->texts = copy_texts(&device->info);
    if (device->texts == NULL)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof *device, "a device's description"));
    RHOMB_TRY(open_queue(ctx, device));
    rhomb__log(&ctx->stream, 1, "device #%d: %s, once more", (int)device->info.index,
               device->info.name);
    *out = device;
    device = NULL;
out:
    fail_open(ctx, device);
    return status;
}

void rhomb__device_close(rhomb__device *device)
{
    if (device == NULL)
        return;
    if (device->queue != NULL && !device->quirks.shares_queue)
        clReleaseCommandQueue(device->queue);
    rhomb__driver_context_release(device->driver);
    free(device->texts);
    free(device);
}

/* Makes a context drive a device, instead of the one before. */
static void drive(rhomb_context *drives, rhomb__device *device)
{
    rhomb__device_close(drives->stream.device);
    drives->stream.device = device;
    drives->stream.queue = device->queue;
    drives->stream.bytes_in_use = drives->stream.bytes_peak = 0;
    drives->work = (rhomb_device_work){0};
}

/* The same with a device of the list of `ctx`. */
static rhomb_status open_one(rhomb_context *ctx, size_t index, rhomb_context *drives)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = NULL;
    RHOMB_TRY(open_device(ctx, index, &device));
    rhomb__space_apply(ctx, device);
    drive(drives, device);
out:
    return status;
}

static void destroy_other(rhomb_context *other)
{
    if (other == NULL)
        return;
    if (other->remote != NULL) {
        rhomb__remote_leave(other);
        return;
    }
    rhomb__device_close(other->stream.device);
    rhomb__error_clear(&other->stream.error);
    free(other->cache_dir);
    free(other);
}

static void release_others(rhomb_context **others, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        destroy_other(others[i]);
    free(others);
}

void rhomb__close_others(rhomb_context *ctx)
{
    release_others(ctx->others, ctx->other_count);
    ctx->others = NULL;
    ctx->other_count = 0;
}

/* A context for one more device; its errors are recorded in `ctx`. */
static rhomb_status open_other(rhomb_context *ctx, size_t index, rhomb_context **out)
{
    rhomb_context *other = calloc(1, sizeof *other);
    *out = other;
    if (other == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *other, "a device");
    other->stream.log = ctx->stream.log;
    other->stream.log_user = ctx->stream.log_user;
    other->stream.threads = ctx->stream.threads;
    other->devices.loaded = true;
    if (ctx->cache_dir != NULL) {
        other->cache_dir = strdup(ctx->cache_dir);
        if (other->cache_dir == NULL)
            return rhomb__fail_memory(&ctx->stream.error, strlen(ctx->cache_dir), "a device");
    }
    return open_one(ctx, index, other);
}

/* Opens the devices of a set. */
static rhomb_status open_set(rhomb_context *ctx, const rhomb__device_set *set)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context **others = NULL;
    int32_t count = 0;
    if (set->count > 1) {
        others = calloc(set->count - 1, sizeof(rhomb_context *));
        if (others == NULL)
            return rhomb__fail_memory(&ctx->stream.error, set->count * sizeof(rhomb_context *),
                                      "devices");
    }
    while ((size_t)count + 1 < set->count) {
        count++;
        RHOMB_TRY(open_other(ctx, set->indices[count], &others[count - 1]));
    }
    RHOMB_TRY(open_one(ctx, set->indices[0], ctx));
    rhomb__close_others(ctx);
    ctx->others = others;
    ctx->other_count = count;
    others = NULL;
    count = 0;
out:
    release_others(others, count);
    return status;
}

rhomb_status rhomb__open(rhomb_context *ctx, const char *selector, uint32_t flags)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_set set;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    RHOMB_TRY(rhomb__device_find_all(ctx, selector, flags, &set));
    RHOMB_TRY(open_set(ctx, &set));
out:
    return status;
}

rhomb_status rhomb__open_share(rhomb_context *ctx, const char *selector, uint32_t flags,
                               int32_t share)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_set set;
    const bool any = selector == NULL || *selector == '\0' || strcmp(selector, "auto") == 0;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    RHOMB_TRY(rhomb__device_find_all(ctx, any ? "all" : selector, flags, &set));
    const rhomb__device_set one = {.indices = {set.indices[(size_t)share % set.count]}, .count = 1};
    RHOMB_TRY(open_set(ctx, &one));
out:
    return status;
}

rhomb_status rhomb__open_shared(rhomb_context *ctx, const rhomb__device *first)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device *device = NULL;
    RHOMB_TRY(open_device_shared(ctx, first, &device));
    drive(ctx, device);
    rhomb__close_others(ctx);
out:
    return status;
}

rhomb_context *rhomb__context_of(rhomb_context *ctx, int32_t index)
{
    return index == 0 ? ctx : ctx->others[index - 1];
}

rhomb_status rhomb__context_need_device(rhomb_context *ctx)
{
    return ctx->stream.device != NULL ? RHOMB_OK : rhomb__open(ctx, "auto", 0);
}

/* The work on one device. */
typedef struct part {
    rhomb_context *device;
    int32_t index;
    rhomb__device_fn work;
    void *user;
    rhomb_status status;
} part;

int32_t rhomb__device_count(const rhomb_context *ctx)
{
    return ctx->stream.device != NULL ? 1 + ctx->other_count : 0;
}

rhomb_status rhomb__refuse_ranks(rhomb_context *ctx, const char *what)
{
    if (ctx->other_count == 0 || ctx->others[0]->remote == NULL)
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                       "%s does not use other ranks: give each a part of the pairs", what);
}

rhomb_status rhomb__pass_error(rhomb_context *ctx, int32_t index, rhomb_status status,
                               const char *detail)
{
    const rhomb_device_info *info = &rhomb__context_of(ctx, index)->stream.device->info;
    const int class = rhomb_status_class(status);
    const bool is_named = ctx->other_count > 0 && (class == rhomb_status_class(RHOMB_ERR_DEVICE) ||
                                                   class == rhomb_status_class(RHOMB_ERR_MEMORY));
    const int line = (int)strcspn(detail, "\n"); /* a compiler's log may follow */
    const bool is_remote = index > 0 && rhomb__context_of(ctx, index)->remote != NULL;
    const int32_t number = is_remote ? index : info->index;
    char *text = is_named ? rhomb__format("%s %d, %s: %.*s", is_remote ? "rank" : "device",
                                          (int)number, info->name, line, detail)
                          : rhomb__format("%.*s", line, detail);
    char *log = detail[line] != '\0' ? rhomb__format("%s", detail + line + 1) : NULL;
    rhomb__error_clear(&ctx->stream.error);
    rhomb__fail(&ctx->stream.error, status, "%s", text != NULL ? text : "");
    if (log != NULL)
        rhomb__error_attach(&ctx->stream.error, log);
    free(log);
    free(text);
    return status;
}

/* A rhomb__parallel_task. */
static void run(int64_t index, void *user)
{
    part *p = (part *)user + index;
    p->status = p->work(p->device, p->index, p->user);
}

rhomb_status rhomb__each_device(rhomb_context *ctx, rhomb__device_fn work, void *user)
{
    part parts[RHOMB_MOST_DEVICES] = {{.index = 0}};
    rhomb_status status = RHOMB_OK;
    const int32_t count = rhomb__device_count(ctx);
    if (count == 1)
        return work(ctx, 0, user);
    for (int32_t i = 0; i < count; i++) {
        parts[i] =
            (part){.device = rhomb__context_of(ctx, i), .index = i, .work = work, .user = user};
        if (i > 0) {
            rhomb__error_clear(&parts[i].device->stream.error);
            parts[i].device->stream.log = NULL;
        }
    }
    ctx->other_count = 0;
    rhomb__parallel_beside(count, run, parts, NULL);
    ctx->other_count = count - 1;
    for (int32_t i = 1; i < count; i++)
        parts[i].device->stream.log = ctx->stream.log;
    for (int32_t i = 0; i < count && status == RHOMB_OK; i++)
        if (parts[i].status != RHOMB_OK)
            status = rhomb__pass_error(ctx, i, parts[i].status,
                                       rhomb__error_text(&parts[i].device->stream.error));
    return status;
}

void rhomb__work_add(rhomb_context *device, int64_t pairs, int64_t jobs, double seconds)
{
    device->work.pairs += pairs;
    device->work.jobs += jobs;
    device->work.seconds += seconds;
}

void rhomb__log(rhomb__device_stream *stream, int level, const char *format, ...)
{
    char text[2048];
    va_list args;
    if (stream->log == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = strchr(text, '\n'); at != NULL; at = strchr(at, '\n'))
        *at = ' ';
    stream->log(level, text, stream->log_user);
}
