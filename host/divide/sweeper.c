/* SPDX-License-Identifier: MIT */
/*
 * What a sweeper keeps, see sweeper.h.
 */
#include "host/divide/sweeper.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "src/base/int64.h"

#include <stdlib.h>

/*
 * A round has about as many bases as the one before, and more strips that are not full. So a buffer
 * gets half as much again, but no more than SPARE_BYTES, where that is little of what is left.
 */
#define SPARE_BYTES (INT64_C(1) << 20)
#define SPARE_SHARE 1024

/* Makes a buffer large enough, with something to spare for the next rounds. */
static rhomb_status reserve(rhomb_context *ctx, int64_t bytes, const char *what,
                            rhomb__buffer *buffer)
{
    if (bytes <= buffer->bytes)
        return RHOMB_OK;
    rhomb__buffer_release(ctx, buffer);
    const int64_t left = ctx->device->info.memory_bytes - ctx->device->bytes_in_use;
    const int64_t spare = rhomb__min(bytes / 2, SPARE_BYTES);
    return rhomb__buffer_create(ctx, bytes + (spare <= left / SPARE_SHARE ? spare : 0), what,
                                buffer);
}

rhomb_status rhomb__sweeper_reserve(rhomb__sweeper *sweeper,
                                    const int64_t bytes[RHOMB__SWEEP_BUFFERS])
{
    rhomb_status status = RHOMB_OK;
    static const char *const NAMES[RHOMB__SWEEP_BUFFERS] = {
        "the packed queries",         "the packed targets",     "the vertical differences",
        "the horizontal differences", "what items hand on",     "the strips",
        "the ranges of the pair",     "the strips of launches",
    };
    int64_t sum = 0;
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++)
        sum += rhomb__max(bytes[i], sweeper->buffers[i].bytes);
    /* Each buffer has reached its size for some other mixture of lengths and strips. */
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS && sum > sweeper->source.portion_bytes; i++)
        rhomb__buffer_release(sweeper->ctx, &sweeper->buffers[i]);
    sum = 0;
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++) {
        RHOMB_TRY(reserve(sweeper->ctx, bytes[i], NAMES[i], &sweeper->buffers[i]));
        sum += sweeper->buffers[i].bytes;
    }
    sweeper->work.device_bytes = rhomb__max(sweeper->work.device_bytes, sum);
out:
    return status;
}

rhomb_status rhomb__sweeper_hold(rhomb__sweeper *sweeper, int64_t bytes)
{
    if (bytes <= sweeper->host_bytes)
        return RHOMB_OK;
    const int64_t room = bytes + rhomb__min(bytes / 2, SPARE_BYTES);
    free(sweeper->host);
    sweeper->host_bytes = 0;
    sweeper->host = malloc((size_t)room);
    if (sweeper->host == NULL)
        return rhomb__fail_memory(&sweeper->ctx->error, (size_t)room, "the strips of sweeps");
    sweeper->host_bytes = room;
    return RHOMB_OK;
}

rhomb_status rhomb__sweeper_take_program(rhomb__sweeper *sweeper, const rhomb_plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = sweeper->ctx;
    rhomb__programs programs = {NULL, NULL, NULL};
    cl_int code = CL_SUCCESS;
    RHOMB_TRY(rhomb__engine_programs(ctx, &rhomb__engine_bitparallel, plan, &programs));
    if (sweeper->sweep != NULL && sweeper->swept_by == programs.solve)
        goto out;
    if (sweeper->sweep != NULL)
        clReleaseKernel(sweeper->sweep);
    sweeper->swept_by = programs.solve;
    RHOMB_CL_OUT(ctx, code,
                 sweeper->sweep =
                     clCreateKernel(programs.solve->handle, "rhomb_bitparallel_sweep", &code));
out:
    return status;
}

rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    rhomb__sweeper *sweeper = calloc(1, sizeof *sweeper);
    *out = NULL;
    if (sweeper == NULL)
        return rhomb__fail_memory(&ctx->error, sizeof *sweeper, "a sweeper");
    sweeper->ctx = ctx;
    sweeper->source = *source;
    RHOMB_TRY(rhomb__pack_program(ctx, &sweeper->pack));
    const cl_program pack = sweeper->pack->handle;
    RHOMB_CL_OUT(ctx, code,
                 sweeper->pack_rows = clCreateKernel(pack, "rhomb_pack_row_ranges", &code));
    RHOMB_CL_OUT(ctx, code,
                 sweeper->pack_columns = clCreateKernel(pack, "rhomb_pack_column_ranges", &code));
    *out = sweeper;
    sweeper = NULL;
out:
    rhomb__sweeper_close(sweeper);
    return status;
}

rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper)
{
    return sweeper->work;
}

void rhomb__sweeper_close(rhomb__sweeper *sweeper)
{
    if (sweeper == NULL)
        return;
    for (int i = RHOMB__SWEEP_BUFFERS - 1; i >= 0; i--)
        rhomb__buffer_release(sweeper->ctx, &sweeper->buffers[i]);
    const cl_kernel kernels[] = {sweeper->pack_rows, sweeper->pack_columns, sweeper->sweep};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    }
    free(sweeper->host);
    free(sweeper);
}
