/* SPDX-License-Identifier: MIT */
/*
 * cl/batch/batch_local.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
#if RHOMB_LANES == 16
#    include "opencl_wide_vectors.h"
#endif
/* After the vectors. */
#include "cl/batch/batch_local.cl"

static void solve_item(const void *arguments)
{
    const emulated_batch_mode_arguments *a = arguments;
    rhomb_batch_local(a->bases, a->flags, a->pairs, a->lists, a->answers, a->memory, a->counts,
                      a->list_pitch, a->local);
}

static void solve(const emulated_batch_mode_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, solve_item, a);
}

extern const emulated_batch_mode EMULATED_NAME;
const emulated_batch_mode EMULATED_NAME = {
    RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_ROWS, RHOMB_LANES,
    RHOMB_BITS,   RHOMB_PIECES,     RHOMB_EDGES,     solve};
