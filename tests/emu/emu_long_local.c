/* SPDX-License-Identifier: MIT */
/*
 * cl/local/long_local.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
#define RHOMB_BITS 32
#if RHOMB_LANES == 16
#    include "opencl_wide_vectors.h"
#endif
/* After the vectors. */
#include "cl/local/long_local.cl"

static void launch_item(const void *arguments)
{
    const emulated_long_arguments *a = arguments;
    rhomb_long_local(a->query, a->target, a->border, a->state, a->cells, a->status, a->tops, a->job,
                     a->first, a->step, a->turn);
}

static void launch(const emulated_long_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, launch_item, a);
}

extern const emulated_long EMULATED_NAME;
const emulated_long EMULATED_NAME = {RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_ROWS, RHOMB_LANES,
                                     RHOMB_PIECES, RHOMB_MODE,       launch};
