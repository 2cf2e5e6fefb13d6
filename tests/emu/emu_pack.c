/* SPDX-License-Identifier: MIT */
/*
 * cl/pack.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include "cl/pack.cl"

static void run_item(const void *arguments)
{
    const emulated_pack_arguments *a = arguments;
    rhomb_pack_windows(a->letters, a->codes, a->packed, a->piece_begin, a->length, a->first_word,
                       a->words);
}

static void launch(const emulated_pack_arguments *a)
{
    const size_t groups = (size_t)(a->words + RHOMB_PACK_GROUP - 1) / RHOMB_PACK_GROUP;
    emu_launch(groups, RHOMB_PACK_GROUP, false, run_item, a);
}

extern const emulated_pack EMULATED_NAME;
const emulated_pack EMULATED_NAME = {RHOMB_SYMBOL_BITS, launch};
