/* SPDX-License-Identifier: MIT */
/*
 * Work on all open devices, see each.h.
 */
#include "host/device/each.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/device.h"
#include "src/base/parallel.h"
#include "src/base/text.h"

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
