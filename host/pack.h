/* SPDX-License-Identifier: MIT */
/*
 * Sending a sequence to the device and packing it there (cl/pack.cl). Shared by all engines.
 */
#ifndef RHOMB_HOST_PACK_H
#define RHOMB_HOST_PACK_H

#include "../src/alphabet.h"
#include "buffer.h"
#include "program.h"

/* The program of the packing kernels. */
rhomb_status rhomb__pack_program(rhomb_context *ctx, rhomb__program **out);

/*
 * How symbols are packed: a kernel of cl/pack.cl that writes units, each of which looks at
 * `looks_at` symbols and begins unit_symbols after the one before. Symbol s of a part is symbol
 * origin + step * s of the sequence; the parts lie behind each other.
 */
typedef struct rhomb__packing {
    const char *kernel;
    int64_t unit_bytes;
    int64_t unit_symbols;
    int64_t looks_at;
    int32_t planes;
    struct {
        int64_t units;
        int64_t origin;
        int64_t step;
    } parts[2];
} rhomb__packing;

/*
 * Words of a whole sequence, padded on either side (cl/extend.clh), and, with two directions, of
 * the same reversed.
 */
rhomb__packing rhomb__packing_windows(int64_t length, int32_t planes, int32_t directions);

/* A piece of a part: some units, and the letters [begin, end) that they look at. */
typedef struct rhomb__piece {
    int64_t units;
    int64_t begin;
    int64_t end;
} rhomb__piece;

/* The units from first_unit on that look at no more than most_letters of a sequence's `length`. */
rhomb__piece rhomb__packing_piece(const rhomb__packing *packing, int part, int64_t first_unit,
                                  int64_t most_letters, int64_t length);

/* A sequence on its way to the device: `what` names it in errors. */
typedef struct rhomb__letters {
    const char *letters;
    int64_t length;
    const rhomb__codes *codes;
    const char *what;
} rhomb__letters;

/*
 * Packs a sequence into a new buffer of units * unit_bytes. Letters travel in pieces through a
 * staging buffer; when the call returns, they are no longer needed.
 */
rhomb_status rhomb__pack_sequence(rhomb_context *ctx, const rhomb__program *program,
                                  const rhomb__packing *packing, const rhomb__letters *letters,
                                  rhomb__buffer *out);

#endif
