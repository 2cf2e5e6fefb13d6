/* SPDX-License-Identifier: MIT */
/*
 * cl/common/borders.cl as host code; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include "cl/common/borders.cl"

static void run_gather(const void *arguments)
{
    const emulated_border_arguments *a = arguments;
    rhomb_gather_borders(a->strips, a->across, a->listed, a->first, a->launch, a->steps, a->lag,
                         a->block_words, a->packets);
}

static void run_scatter(const void *arguments)
{
    const emulated_border_arguments *a = arguments;
    rhomb_scatter_borders(a->strips, a->across, a->listed, a->first, a->launch, a->steps, a->lag,
                          a->block_words, a->packets);
}

void emulated_borders(bool gathers, const emulated_border_arguments *arguments, int64_t groups,
                      int64_t group_size)
{
    emu_launch((size_t)groups, (size_t)group_size, true, gathers ? run_gather : run_scatter,
               arguments);
}
