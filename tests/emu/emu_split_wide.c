/* SPDX-License-Identifier: MIT */
/*
 * cl/divide/split_wide.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

/* That a tile's first column opens all windows, is more than gcc can see. */
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "opencl_c.h"

#include "cl/divide/split_wide.cl"

static void launch_item(const void *arguments)
{
    const emulated_split_wide_arguments *a = arguments;
    rhomb_split_wide_advance(a->query, a->target, a->problems, a->tiles, a->columns[a->turn % 2],
                             a->columns[1 - a->turn % 2], a->whole, a->start);
}

static void launch(const emulated_split_wide_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, launch_item, a);
}

static void meet_item(const void *arguments)
{
    const emulated_split_wide_arguments *a = arguments;
    rhomb_split_wide_meet(a->problems, a->columns[0], a->columns[1], a->points);
}

static void meet(const emulated_split_wide_arguments *a, int64_t problems)
{
    emu_launch((size_t)problems, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, meet_item, a);
}

extern const emulated_split_wide EMULATED_NAME;
const emulated_split_wide EMULATED_NAME = {RHOMB_PLANES,
                                           RHOMB_OFFSET_BITS,
                                           RHOMB_GROUP_SIZE,
                                           RHOMB_ITEM_DIAGONALS,
                                           RHOMB_TILE_SCORES,
                                           launch,
                                           meet};
