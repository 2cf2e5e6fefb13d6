/* SPDX-License-Identifier: MIT */
/*
 * Sending a sequence to the device and packing it there (cl/pack.cl). Shared by all engines.
 */
#ifndef RHOMB_HOST_PACK_H
#define RHOMB_HOST_PACK_H

#include "../src/alphabet.h"
#include "buffer.h"
#include "program.h"

/* The program of the packing kernel for symbols of that many bits. */
rhomb_status rhomb__pack_program(rhomb_context *ctx, int32_t symbol_bits, rhomb__program **out);

/*
 * Packs `length` letters into a new buffer of rhomb__packed_bytes(). Letters travel in pieces
 * through a staging buffer; when the call returns, the letters are no longer needed.
 */
rhomb_status rhomb__pack_sequence(rhomb_context *ctx, const rhomb__program *program,
                                  const rhomb__codes *codes, int32_t symbol_bits,
                                  const char *letters, int64_t length, const char *what,
                                  rhomb__buffer *out);

#endif
