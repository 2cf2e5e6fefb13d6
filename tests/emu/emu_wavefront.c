/* SPDX-License-Identifier: MIT */
/*
 * cl/wavefront.cl and cl/extend.clh as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include "cl/wavefront.cl"

static void run_item(const void *arguments)
{
    const emulated_band_arguments *a = arguments;
    rhomb_wavefront_band(a->query, a->target, a->column_a, a->column_b, a->status, (rhomb_off)a->m,
                         (rhomb_off)a->n, a->prune, a->front, (rhomb_off)a->origin,
                         (rhomb_off)a->first_diagonal, (rhomb_off)a->tile_pitch, (rhomb_off)a->r0);
}

static void launch(const emulated_band_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, run_item, a);
}

static uint32_t window(const uint32_t *packed, int64_t at)
{
    return rhomb_window(packed, (rhomb_off)at);
}

static uint64_t wide_window(const uint32_t *packed, int64_t at)
{
    return rhomb_wide_window(packed, (rhomb_off)at);
}

static int64_t probe(const uint32_t *query, const uint32_t *target, int64_t i, int64_t j,
                     bool *full)
{
    const uint32_t found = rhomb_probe(query, target, (rhomb_off)i, (rhomb_off)j);
    *full = rhomb_probe_is_full(found);
    return rhomb_probe_count(found);
}

static int64_t run(const uint32_t *query, const uint32_t *target, int64_t k, int64_t j, int64_t m,
                   int64_t n)
{
    return rhomb_run(query, target, (rhomb_off)k, (rhomb_off)j, (rhomb_off)m, (rhomb_off)n);
}

extern const emulated_wavefront EMULATED_NAME;
const emulated_wavefront EMULATED_NAME = {RHOMB_SYMBOL_BITS,
                                          RHOMB_OFFSET_BITS,
                                          RHOMB_GROUP_SIZE,
                                          RHOMB_ITEM_DIAGONALS,
                                          RHOMB_TILE_COLUMNS,
                                          RHOMB_TILE_SHAPE,
                                          launch,
                                          window,
                                          wide_window,
                                          probe,
                                          run};
