/* SPDX-License-Identifier: MIT */
/*
 * cl/affine/affine_wavefront.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

/* That a tile's first score opens all windows, is more than gcc can see. */
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "opencl_c.h"
/* After OpenCL's names. */
#include "cl/affine/affine_wavefront.cl"

static void advance_item(const void *arguments)
{
    const emulated_affine_arguments *a = arguments;
    rhomb_affine_advance(a->query, a->target, a->problems, a->tiles, a->offsets[0], a->offsets[1],
                         a->memory, a->status, a->whole, 0, a->tile_count, 0);
}

static void advance(const emulated_affine_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, advance_item, a);
}

static void look_item(const void *arguments)
{
    const emulated_affine_look *a = arguments;
    rhomb_affine_look(a->problems, a->offsets, a->status, a->score, a->number, a->far_shift);
}

static void look(const emulated_affine_look *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, look_item, a);
}

extern const emulated_affine_wavefront EMULATED_NAME;
const emulated_affine_wavefront EMULATED_NAME = {
    RHOMB_PLANES,
    RHOMB_OFFSET_BITS,
    RHOMB_GROUP_SIZE,
    RHOMB_ITEM_DIAGONALS,
    RHOMB_TILE_SCORES,
    RHOMB_TILE_LOCAL,
    {RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, RHOMB_OPEN_2, RHOMB_EXTEND_2},
    advance,
    look};
