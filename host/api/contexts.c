/* SPDX-License-Identifier: MIT */
/*
 * The public calls about a context: creating, listing, opening; and those that read files, which
 * need nothing else. Every public call begins by clearing the last error.
 */
#include "host/device/open.h"

#include <stdlib.h>
#include <string.h>

#include "host/device/cache.h"
#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/space.h"
#include "src/base/parallel.h"
#include "src/formats/paf_reader.h"
#include "src/io/fasta.h"
#include "src/io/pairs_reader.h"
#include "src/io/sequence_set.h"

rhomb_status rhomb_context_create(rhomb_context **out, const rhomb_context_options *options)
{
    rhomb_context_options given = RHOMB_CONTEXT_OPTIONS_INIT;
    if (out == NULL)
        return RHOMB_ERR_ARGUMENT;
    *out = NULL;
    if (options != NULL) {
        /* A caller built with an older header has a shorter structure. A longer one than ours may
         * ask for something that this library does not know. */
        if (options->struct_size < sizeof options->struct_size ||
            options->struct_size > sizeof given)
            return RHOMB_ERR_ARGUMENT;
        memcpy(&given, options, options->struct_size);
    }
    if (given.threads < 0)
        return RHOMB_ERR_ARGUMENT;
    rhomb_context *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL)
        return RHOMB_ERR_MEMORY;
    ctx->stream.log = given.log;
    ctx->stream.log_user = given.log_user;
    ctx->stream.threads = rhomb__threads_meant(given.threads);
    const rhomb_status status = rhomb__cache_folder(given.cache_dir, &ctx->cache_dir);
    if (status != RHOMB_OK) {
        rhomb_context_destroy(ctx);
        return status;
    }
    *out = ctx;
    return RHOMB_OK;
}

void rhomb_context_destroy(rhomb_context *ctx)
{
    if (ctx == NULL)
        return;
    rhomb__close_others(ctx);
    rhomb__device_close(ctx->stream.device);
    rhomb__device_list_release(&ctx->devices);
    rhomb__error_clear(&ctx->stream.error);
    while (ctx->matrices != NULL) {
        rhomb__kept_matrix *kept = ctx->matrices;
        ctx->matrices = kept->before;
        free(kept);
    }
    free(ctx->cache_dir);
    free(ctx);
}

const char *rhomb_context_error(const rhomb_context *ctx)
{
    return ctx != NULL ? rhomb__error_text(&ctx->stream.error) : "";
}

rhomb_status rhomb_context_devices(rhomb_context *ctx, const rhomb_device_info *const **list,
                                   size_t *count)
{
    rhomb_status status = RHOMB_OK;
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (list == NULL || count == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "list and count must not be NULL");
    *list = NULL;
    *count = 0;
    RHOMB_TRY(rhomb__device_list_load(ctx));
    if (ctx->devices.count == 0)
        rhomb__device_fail_none(ctx); /* hints for the caller; the call itself has succeeded */
    *list = ctx->devices.pointers;
    *count = ctx->devices.count;
out:
    return status;
}

rhomb_status rhomb_context_open(rhomb_context *ctx, const char *selector, uint32_t flags)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    return rhomb__open(ctx, selector, flags);
}

rhomb_status rhomb_context_open_shared(rhomb_context *ctx, const rhomb_context *first,
                                       int32_t index)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (index < 0 || index >= rhomb_context_device_count(first))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "the other context has no open device %d", (int)index);
    const rhomb_context *owner = index == 0 ? first : first->others[index - 1];
    if (owner->remote != NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "device %d of the other context is another rank's", (int)index);
    return rhomb__open_shared(ctx, owner->stream.device);
}

const rhomb_device_info *rhomb_context_device(const rhomb_context *ctx)
{
    return ctx != NULL && ctx->stream.device != NULL ? &ctx->stream.device->info : NULL;
}

int32_t rhomb_context_device_count(const rhomb_context *ctx)
{
    return ctx != NULL && ctx->stream.device != NULL ? 1 + ctx->other_count : 0;
}

const rhomb_device_info *rhomb_context_device_at(const rhomb_context *ctx, int32_t index)
{
    if (index < 0 || index >= rhomb_context_device_count(ctx))
        return NULL;
    return index == 0 ? &ctx->stream.device->info : &ctx->others[index - 1]->stream.device->info;
}

const rhomb_device_work *rhomb_context_work(const rhomb_context *ctx, int32_t index)
{
    if (index < 0 || index >= rhomb_context_device_count(ctx))
        return NULL;
    return index == 0 ? &ctx->work : &ctx->others[index - 1]->work;
}

/* The checks with which every call that reads a file begins. */
static rhomb_status begin_reading(rhomb_context *ctx, const char *path, bool has_out)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (path == NULL || !has_out)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "path and out must not be NULL");
    return RHOMB_OK;
}

rhomb_status rhomb_sequence_read(rhomb_context *ctx, const char *path, const char *region,
                                 rhomb_sequence **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin_reading(ctx, path, out != NULL);
    if (status != RHOMB_OK)
        return status;
    /* A pair has two sequences. */
    return rhomb__fasta_read(&ctx->stream.error, path, region, ctx->stream.threads,
                             rhomb__space_text_bytes() / 2, out);
}

rhomb_status rhomb_pairs_open(rhomb_context *ctx, const char *path, const char *queries,
                              const rhomb_pairs_options *options, rhomb_pairs **out)
{
    rhomb_pairs_options given = RHOMB_PAIRS_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    rhomb_status status = begin_reading(ctx, path, out != NULL);
    if (status != RHOMB_OK)
        return status;
    rhomb__error *error = &ctx->stream.error;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_pairs_options", options, &given, sizeof given));
    const size_t most = rhomb__space_text_bytes();
    RHOMB_TRY(rhomb__pairs_open(error, path, queries, &given, most > 0 ? 1 : ctx->stream.threads, 0,
                                out));
    if (most > 0)
        rhomb__pairs_bound(*out, most);

out:
    return status;
}

rhomb_status rhomb_records_open(rhomb_context *ctx, const char *path, rhomb_records **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin_reading(ctx, path, out != NULL);
    if (status != RHOMB_OK)
        return status;
    return rhomb__records_create(&ctx->stream.error, path, ctx->stream.threads, out);
}

rhomb_status rhomb_paf_open(rhomb_context *ctx, const char *path, rhomb_paf **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin_reading(ctx, path, out != NULL);
    if (status != RHOMB_OK)
        return status;
    return rhomb__paf_open(&ctx->stream.error, path, out);
}

static rhomb_status read_set(rhomb_context *ctx, const char *path, bool qualities,
                             rhomb_sequence_set **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin_reading(ctx, path, out != NULL);
    if (status != RHOMB_OK)
        return status;
    return rhomb__sequence_set_read(&ctx->stream.error, path, ctx->stream.threads, qualities, out);
}

rhomb_status rhomb_sequence_set_read(rhomb_context *ctx, const char *path, rhomb_sequence_set **out)
{
    return read_set(ctx, path, false, out);
}

rhomb_status rhomb_sequence_set_read_all(rhomb_context *ctx, const char *path,
                                         rhomb_sequence_set **out)
{
    return read_set(ctx, path, true, out);
}
