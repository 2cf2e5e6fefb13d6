/* SPDX-License-Identifier: MIT */
/*
 * Packing on the device, see pack.h. The letters go over the bus as they are, one byte each: a
 * host core packs no faster than the bus takes bytes, and the device does it in passing.
 */
#include "pack.h"

#include "../cl/abi.h"
#include "../src/int64.h"
#include "../src/plan.h"
#include "context.h"
#include "queue.h"

#define PACK_GROUP 64

rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out)
{
    return rhomb__program_with(ctx, &rhomb__source_pack, NULL, 0, out);
}

rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions)
{
    const int64_t unit_bytes = planes * (int64_t)sizeof(rhomb_u32);
    const int64_t units = rhomb__packed_bytes(length, planes) / unit_bytes;
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_windows",
        .unit_bytes = unit_bytes,
        .unit_symbols = RHOMB_WORD_SYMBOLS,
        .looks_at = RHOMB_WORD_SYMBOLS,
        .planes = planes,
        .parts = {{units, -RHOMB_PAD_SYMBOLS, 1},
                  {directions == 2 ? units : 0, length - 1 + RHOMB_PAD_SYMBOLS, -1}}};
    return packing;
}

rhomb__piece rhomb__packing_piece(const rhomb__packing *packing, int part, int64_t first_unit,
                                  int64_t most_letters, int64_t length)
{
    const int64_t overlap = packing->looks_at - packing->unit_symbols;
    const int64_t most = (most_letters - overlap) / packing->unit_symbols;
    const int64_t step = packing->parts[part].step;
    rhomb__piece p = {rhomb__min(packing->parts[part].units - first_unit, most), 0, 0};
    const int64_t symbols = p.units * packing->unit_symbols + overlap;
    const int64_t first = packing->parts[part].origin + step * first_unit * packing->unit_symbols;
    const int64_t begin = step > 0 ? first : first - symbols + 1;
    p.begin = rhomb__min(rhomb__max(begin, 0), length);
    p.end = rhomb__min(rhomb__max(begin + symbols, p.begin), length);
    return p;
}

/* What a call of rhomb__pack_sequence() works with. */
typedef struct packer {
    const rhomb__packing *packing;
    const rhomb__letters *letters;
    cl_kernel kernel;
    rhomb__buffer staging;
    rhomb__buffer table;
} packer;

/* Sends and packs one part piece by piece, behind `part_unit` units of earlier parts. */
static rhomb_status pack_part(rhomb_context *ctx, const packer *pack, int part, int64_t part_unit,
                              const rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing *packing = pack->packing;
    const rhomb__letters *letters = pack->letters;
    for (int64_t unit = 0; unit < packing->parts[part].units;) {
        const rhomb__piece p = rhomb__packing_piece(
            packing, part, unit, rhomb__piece_letters(letters->length), letters->length);
        if (p.end > p.begin)
            RHOMB_CL(ctx, clEnqueueWriteBuffer(ctx->device->queue, pack->staging.handle, CL_FALSE,
                                               0, (size_t)(p.end - p.begin),
                                               letters->letters + p.begin, 0, NULL, NULL));
        /*
         * rhomb_pack_…(letters, codes, packed, piece_begin, length, origin, step, part_unit,
         *              first_unit, units, planes)
         */
        const rhomb__argument arguments[] = {RHOMB__ARGUMENT(pack->staging.handle),
                                             RHOMB__ARGUMENT(pack->table.handle),
                                             RHOMB__ARGUMENT(out->handle),
                                             RHOMB__ARGUMENT(p.begin),
                                             RHOMB__ARGUMENT(letters->length),
                                             RHOMB__ARGUMENT(packing->parts[part].origin),
                                             RHOMB__ARGUMENT(packing->parts[part].step),
                                             RHOMB__ARGUMENT(part_unit),
                                             RHOMB__ARGUMENT(unit),
                                             RHOMB__ARGUMENT(p.units),
                                             RHOMB__ARGUMENT(packing->planes)};
        RHOMB_TRY(rhomb__queue_arguments(ctx, pack->kernel, arguments,
                                         sizeof arguments / sizeof arguments[0]));
        RHOMB_TRY(rhomb__queue_launch(ctx, pack->kernel, rhomb__ceil_div(p.units, PACK_GROUP),
                                      PACK_GROUP));
        unit += p.units;
    }
out:
    return status;
}

rhomb_status rhomb__pack_sequence(rhomb_context *ctx, const rhomb__program *program,
                                  const rhomb__packing *packing, const rhomb__letters *letters,
                                  rhomb__buffer *out)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__codes *codes = letters->codes;
    const int64_t units = packing->parts[0].units + packing->parts[1].units;
    packer pack = {.packing = packing, .letters = letters};
    cl_int code = CL_SUCCESS;
    const rhomb__buffer none = {NULL, 0};
    *out = none;

    RHOMB_TRY(rhomb__buffer_create(ctx, units * packing->unit_bytes, letters->what, out));
    RHOMB_TRY(rhomb__buffer_create(ctx, rhomb__piece_letters(letters->length),
                                   "letters on their way to the device", &pack.staging));
    RHOMB_TRY(rhomb__buffer_create(ctx, sizeof codes->code, "the table of codes", &pack.table));
    RHOMB_CL_OUT(ctx, code, pack.kernel = clCreateKernel(program->handle, packing->kernel, &code));
    RHOMB_CL(ctx, clEnqueueWriteBuffer(ctx->device->queue, pack.table.handle, CL_FALSE, 0,
                                       sizeof codes->code, codes->code, 0, NULL, NULL));
    RHOMB_TRY(pack_part(ctx, &pack, 0, 0, out));
    RHOMB_TRY(pack_part(ctx, &pack, 1, packing->parts[0].units, out));
out:
    /* The host's letters are borrowed until here, and so is the staging buffer. */
    if (out->handle != NULL) {
        const rhomb_status finished = rhomb__queue_finish(ctx);
        status = status == RHOMB_OK ? finished : status;
    }
    if (pack.kernel != NULL)
        clReleaseKernel(pack.kernel);
    rhomb__buffer_release(ctx, &pack.table);
    rhomb__buffer_release(ctx, &pack.staging);
    if (status != RHOMB_OK)
        rhomb__buffer_release(ctx, out);
    return status;
}
