/* SPDX-License-Identifier: MIT */
/*
 * What both tile shapes of the wavefront engine have as host code, for one set of parameters; see
 * emulated.h. To be included after the kernel.
 */
#ifndef RHOMB_EMU_WAVEFRONT_H
#define RHOMB_EMU_WAVEFRONT_H

#include "emulated.h"

static void run_launch_item(const void *arguments)
{
    const emulated_launch_arguments *a = arguments;
    rhomb_wavefront_advance(a->query, a->target, a->wavefront_a, a->wavefront_b, a->status,
                            a->launch);
}

static void launch(const emulated_launch_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, run_launch_item, a);
}

static void window(const uint32_t *packed, int64_t at, uint32_t *words)
{
    rhomb_window(packed, (rhomb_off)at, words);
}

static uint32_t differ(const uint32_t *query, const uint32_t *target, int64_t i, int64_t j)
{
    return rhomb_differ(query, target, (rhomb_off)i, (rhomb_off)j);
}

static uint32_t cut(int64_t i, int64_t j, int64_t m, int64_t n)
{
    return rhomb_cut((rhomb_off)i, (rhomb_off)j, (rhomb_off)m, (rhomb_off)n);
}

static int64_t run(const uint32_t *query, const uint32_t *target, int64_t k, int64_t j, int64_t m,
                   int64_t n, int64_t steps, bool *open)
{
    return rhomb_run(query, target, (rhomb_off)k, (rhomb_off)j, (rhomb_off)m, (rhomb_off)n,
                     (int)steps, open);
}

static int64_t furthest(int64_t m, int64_t n, int64_t k)
{
    return rhomb_furthest((rhomb_off)m, (rhomb_off)n, (rhomb_off)k);
}

/* The matrix of a direction; mirrored, rows are columns. */
static rhomb_matrix direction_of(const emulated_launch_arguments *a, int direction, bool mirrored)
{
    const rhomb_matrix plain = rhomb_matrix_of(a->query, a->target, &a->launch, direction);
    return mirrored ? rhomb_matrix_swapped(&plain) : plain;
}

static int64_t known(const emulated_launch_arguments *a, int direction, bool mirrored, int64_t row,
                     int64_t column)
{
    const rhomb_matrix matrix = direction_of(a, direction, mirrored);
    const run_matrix packed = rhomb_matrix_packed(&matrix);
    return run_known(&packed, &matrix.tables, (rhomb_off)row, (rhomb_off)column);
}

static int64_t alone(const emulated_launch_arguments *a, int direction, bool mirrored, int64_t row,
                     int64_t column)
{
    const rhomb_matrix matrix = direction_of(a, direction, mirrored);
    const run_matrix packed = rhomb_matrix_packed(&matrix);
    return run_alone(&packed, &matrix.tables, (rhomb_off)row, (rhomb_off)column);
}

/* The object of this set of parameters. */
#define EMULATED_WAVEFRONT(meet)                                                              \
    {                                                                                         \
        RHOMB_PLANES, RHOMB_OFFSET_BITS, RHOMB_GROUP_SIZE, RHOMB_ITEM_DIAGONALS,              \
            RHOMB_TILE_SCORES, launch, meet, window, differ, cut, run, furthest, known, alone \
    }

#endif
