/* SPDX-License-Identifier: MIT */
/*
 * Packing on the device, see pack.h. The letters go over the bus as they are, one byte each: a
 * host core packs no faster than the bus takes bytes, and the device does it in passing.
 */
#include "pack.h"

#include "../cl/abi.h"
#include "../cl/params.def"
#include "../src/int64.h"
#include "../src/plan.h"
#include "context.h"
#include "queue.h"

#include <stdio.h>

#define PACK_GROUP 64

rhomb_status rhomb__pack_program(rhomb_context *ctx, int32_t symbol_bits, rhomb__program **out)
{
    char options[64];
    const int32_t SYMBOL_BITS = symbol_bits;
    int used = 0;
#define PACK_OPTION(name, meaning)                                                           \
    used += snprintf(options + used, sizeof options - (size_t)used, "-DRHOMB_" #name "=%d ", \
                     (int)name);
    RHOMB_PACK_PARAMS(PACK_OPTION)
#undef PACK_OPTION
    return rhomb__program_get(ctx, &rhomb__source_pack, options, out);
}

rhomb__packing rhomb__packing_windows(int64_t length, int32_t symbol_bits)
{
    const int64_t stride = RHOMB_STRIDE_OF(symbol_bits);
    const int64_t bytes = rhomb__packed_bytes(length, symbol_bits);
    const rhomb__packing packing = {"rhomb_pack_windows",
                                    bytes / (int64_t)sizeof(rhomb_u32),
                                    sizeof(rhomb_u32),
                                    stride,
                                    2 * stride,
                                    RHOMB_PAD_SYMBOLS,
                                    0};
    return packing;
}

rhomb__packing rhomb__packing_rows(int64_t rows, int32_t planes)
{
    const rhomb__packing packing = {
        "rhomb_pack_rows", rhomb__ceil_div(rows, 32), 4 * planes, 32, 32, 0, planes};
    return packing;
}

rhomb__packing rhomb__packing_columns(int64_t columns, int32_t planes)
{
    const rhomb__packing packing = {
        "rhomb_pack_columns", rhomb__ceil_div(columns, 16), 2 * planes, 16, 16, 0, planes};
    return packing;
}

/* A piece of the work: some units, and the letters [begin, end) that they look at. */
typedef struct piece {
    int64_t first_unit;
    int64_t units;
    int64_t begin;
    int64_t end;
} piece;

static piece piece_at(const rhomb__packing *packing, int64_t first_unit, int64_t length)
{
    const int64_t overlap = packing->looks_at - packing->unit_symbols;
    const int64_t most = (rhomb__piece_letters(length) - overlap) / packing->unit_symbols;
    piece p = {first_unit, rhomb__min(packing->units - first_unit, most), 0, 0};
    const int64_t begin = first_unit * packing->unit_symbols - packing->front_symbols;
    p.begin = rhomb__min(rhomb__max(begin, 0), length);
    p.end =
        rhomb__min(rhomb__max(begin + p.units * packing->unit_symbols + overlap, p.begin), length);
    return p;
}

rhomb_status rhomb__pack_sequence(rhomb_context *ctx, const rhomb__program *program,
                                  const rhomb__packing *packing, const rhomb__letters *letters,
                                  rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = ctx->device->queue;
    const int64_t length = letters->length;
    const rhomb__codes *codes = letters->codes;
    rhomb__buffer staging = {NULL, 0}, table = {NULL, 0};
    cl_kernel kernel = NULL;
    cl_int code = CL_SUCCESS;
    const rhomb__buffer none = {NULL, 0};
    *out = none;

    RHOMB_TRY(rhomb__buffer_create(ctx, packing->units * packing->unit_bytes, letters->what, out));
    RHOMB_TRY(rhomb__buffer_create(ctx, rhomb__piece_letters(length),
                                   "letters on their way to the device", &staging));
    RHOMB_TRY(rhomb__buffer_create(ctx, sizeof codes->code, "the table of codes", &table));
    RHOMB_CL_OUT(ctx, code, kernel = clCreateKernel(program->handle, packing->kernel, &code));
    RHOMB_CL(ctx, clEnqueueWriteBuffer(queue, table.handle, CL_FALSE, 0, sizeof codes->code,
                                       codes->code, 0, NULL, NULL));
    for (int64_t unit = 0; unit < packing->units;) {
        const piece p = piece_at(packing, unit, length);
        if (p.end > p.begin)
            RHOMB_CL(ctx, clEnqueueWriteBuffer(queue, staging.handle, CL_FALSE, 0,
                                               (size_t)(p.end - p.begin),
                                               letters->letters + p.begin, 0, NULL, NULL));
        /* rhomb_pack_…(letters, codes, packed, piece_begin, length, first_unit, units, planes) */
        const rhomb__argument arguments[] = {
            RHOMB__ARGUMENT(staging.handle), RHOMB__ARGUMENT(table.handle),
            RHOMB__ARGUMENT(out->handle),    RHOMB__ARGUMENT(p.begin),
            RHOMB__ARGUMENT(length),         RHOMB__ARGUMENT(p.first_unit),
            RHOMB__ARGUMENT(p.units),        RHOMB__ARGUMENT(packing->planes)};
        RHOMB_TRY(
            rhomb__queue_arguments(ctx, kernel, arguments, sizeof arguments / sizeof arguments[0]));
        RHOMB_TRY(
            rhomb__queue_launch(ctx, kernel, (p.units + PACK_GROUP - 1) / PACK_GROUP, PACK_GROUP));
        unit += p.units;
    }
out:
    /* The host's letters are borrowed until here, and so is the staging buffer. */
    if (out->handle != NULL) {
        const rhomb_status finished = rhomb__queue_finish(ctx);
        status = status == RHOMB_OK ? finished : status;
    }
    if (kernel != NULL)
        clReleaseKernel(kernel);
    rhomb__buffer_release(ctx, &table);
    rhomb__buffer_release(ctx, &staging);
    if (status != RHOMB_OK)
        rhomb__buffer_release(ctx, out);
    return status;
}
