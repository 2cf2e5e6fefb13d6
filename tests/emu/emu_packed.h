/* SPDX-License-Identifier: MIT */
/*
 * Packing a sequence with the emulated kernels of cl/common/pack.cl as host/upload/pack.c does on a
 * device, in memory of just the size: the packed units, and for each launch the bases that it
 * looks at.
 */
#ifndef RHOMB_EMU_PACKED_H
#define RHOMB_EMU_PACKED_H

#include "emulated.h"
#include "host/upload/pack.h"

/*
 * Packs `length` bases, whose codes are in a table of 256; a launch looks at no more than
 * most_bases. The caller frees the result, of rhomb__packing_bytes(). NULL without memory.
 */
void *emulated_pack_sequence(const rhomb__packing *packing, const unsigned char *letters,
                             int64_t length, const unsigned char *codes, int64_t most_bases);

/*
 * The same for windows, in one launch, of bases that have codes of so many planes, different ones
 * as far as there are any, or that are codes. They fail the test without memory.
 */
void *emulated_pack_bases(const char *bases, int64_t length, int32_t planes, int32_t directions);
void *emulated_pack_codes(const unsigned char *codes, int64_t length, int32_t planes,
                          int32_t directions);

#endif
