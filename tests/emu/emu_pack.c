/* SPDX-License-Identifier: MIT */
/*
 * cl/common/pack.cl as host code; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include "cl/common/pack.cl"

static void run_windows(const void *arguments)
{
    const emulated_pack_arguments *a = arguments;
    rhomb_pack_windows(a->letters, a->codes, a->packed, a->piece_begin, a->length, a->origin,
                       a->step, a->part_unit, a->first_unit, a->units, a->planes);
}

static void run_rows(const void *arguments)
{
    const emulated_pack_arguments *a = arguments;
    rhomb_pack_rows(a->letters, a->codes, a->packed, a->piece_begin, a->length, a->origin, a->step,
                    a->part_unit, a->first_unit, a->units, a->planes);
}

static void run_columns(const void *arguments)
{
    const emulated_pack_arguments *a = arguments;
    rhomb_pack_columns(a->letters, a->codes, a->packed, a->piece_begin, a->length, a->origin,
                       a->step, a->part_unit, a->first_unit, a->units, a->planes);
}

void emulated_pack_launch(emulated_packing packing, const emulated_pack_arguments *a)
{
    static const emu_item_fn KERNELS[] = {run_windows, run_rows, run_columns};
    const size_t groups = (size_t)(a->units + RHOMB_PACK_GROUP - 1) / RHOMB_PACK_GROUP;
    emu_launch(groups, RHOMB_PACK_GROUP, false, KERNELS[packing], a);
}

static void run_row_ranges(const void *arguments)
{
    const emulated_range_arguments *a = arguments;
    rhomb_pack_row_ranges(a->target, a->query, a->ranges, a->packed, a->first_range, a->count,
                          a->units, a->planes);
}

static void run_column_ranges(const void *arguments)
{
    const emulated_range_arguments *a = arguments;
    rhomb_pack_column_ranges(a->target, a->query, a->ranges, a->packed, a->first_range, a->count,
                             a->units, a->planes);
}

void emulated_pack_ranges(emulated_packing packing, const emulated_range_arguments *a)
{
    const size_t groups = (size_t)(a->units + RHOMB_PACK_GROUP - 1) / RHOMB_PACK_GROUP;
    emu_launch(groups, RHOMB_PACK_GROUP, false,
               packing == PACK_ROWS ? run_row_ranges : run_column_ranges, a);
}
