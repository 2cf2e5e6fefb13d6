/* SPDX-License-Identifier: MIT */
/*
 * cl/bitsliced/bitsliced.clh and one of the kernels on top of it, cl/bitsliced/bitsliced.cl or
 * cl/bitsliced/bitsliced_lanes.cl, as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#if RHOMB_LANES == 1
#    include "cl/bitsliced/bitsliced.cl"
#else
#    include "opencl_vectors.h"
/* After the vectors. */
#    include "cl/bitsliced/bitsliced_lanes.cl"
#endif

static void run_item(const void *arguments)
{
    const emulated_sweep_arguments *a = arguments;
    rhomb_bitsliced_sweep(a->rows, a->columns, a->down, a->across, a->carry, a->strips, a->listed,
                          a->first_listed, a->launch, a->steps);
}

static void launch(const emulated_sweep_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, run_item, a);
}

extern const emulated_bitsliced EMULATED_NAME;
const emulated_bitsliced EMULATED_NAME = {
    {RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_WORDS, RHOMB_LANES, launch},
    RHOMB_MISMATCH,
    {RHOMB_OPEN, RHOMB_OPEN_2},
    {RHOMB_EXTEND, RHOMB_EXTEND_2}};
