/* SPDX-License-Identifier: MIT */
/*
 * Measured rates on disk, see rates_file.h.
 */
#include "host/device/rates_file.h"

#include <stdlib.h>

#include "host/device/cache.h"
#include "host/device/context.h"
#include "host/device/program.h"
#include "rhomb/tuning.h"
#include "src/base/text.h"

/*
 * Everything that rates depend on: kernels, device, driver. The caller frees it; NULL without
 * memory.
 */
static char *make_key(const rhomb_device_info *device)
{
    return rhomb__format(
        "rhomb %s\nrates of %s, %s and %s\ndevice %s\ncompute units %d\nversion %s\n"
        "driver %s\nplatform %s\n",
        RHOMB_VERSION, rhomb__source_wavefront.sha256, rhomb__source_bitparallel.sha256,
        rhomb__source_bitparallel_lanes.sha256, device->name, (int)device->compute_units,
        device->opencl_version, device->driver_version, device->platform);
}

static void use_rates(rhomb__device *device, const rhomb_rates *values)
{
    device->rates.values = *values;
    device->rates.source = "measured on this device";
}

/* The rates that are stored under a key; false if there are none. */
static bool read_rates(rhomb_context *ctx, const char *key, const char *name, rhomb_rates *read)
{
    unsigned char *text = NULL;
    size_t size = 0;
    if (key == NULL || !rhomb__cache_load(ctx, key, &text, &size))
        return false;
    const bool plausible = rhomb__rates_parse((const char *)text, size, read);
    if (!plausible)
        rhomb__log(&ctx->stream, 1, "rates: the stored rates of %s are implausible", name);
    free(text);
    return plausible;
}

void rhomb__rates_load(rhomb_context *ctx)
{
    rhomb__device *device = ctx->stream.device;
    rhomb_rates read;
    char *key = make_key(&device->info);
    device->rates = rhomb__rates_of_row(&device->info);
    if (read_rates(ctx, key, device->info.name, &read)) {
        use_rates(device, &read);
        device->rates_file = rhomb__cache_path(ctx, key);
    }
    free(key);
}

void rhomb__rates_tell(rhomb_context *ctx, rhomb_device_info *info)
{
    rhomb_rates read;
    char *key = make_key(info);
    if (read_rates(ctx, key, info->name, &read))
        info->measured_cells_per_second = read.sweep_cells_per_second;
    free(key);
}

void rhomb__rates_store(rhomb_context *ctx, const rhomb_rates *measured)
{
    rhomb__device *device = ctx->stream.device;
    char text[RHOMB__RATES_TEXT_SIZE];
    use_rates(device, measured);
    const size_t size = rhomb__rates_print(measured, text);
    char *key = make_key(&device->info);
    free(device->rates_file);
    device->rates_file = NULL;
    if (key != NULL && rhomb__cache_store(ctx, key, (const unsigned char *)text, size))
        device->rates_file = rhomb__cache_path(ctx, key);
    free(key);
}

const char *rhomb_context_rates_file(const rhomb_context *ctx)
{
    return ctx != NULL && ctx->stream.device != NULL ? ctx->stream.device->rates_file : NULL;
}
