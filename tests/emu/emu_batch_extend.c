/* SPDX-License-Identifier: MIT */
/*
 * cl/batch/batch_extend.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
/* After OpenCL's names. */
#include "cl/batch/batch_extend.cl"

static void solve_item(const void *arguments)
{
    const emulated_batch_mode_arguments *a = arguments;
#if RHOMB_ITEM_ROWS > 0
    if (!a->diagonal) {
        rhomb_batch_extend_items(a->bases, a->flags, a->pairs, a->lists, a->answers, a->memory,
                                 a->counts, a->list_pitch, a->extend);
        return;
    }
#endif
    rhomb_batch_extend(a->bases, a->flags, a->pairs, a->lists, a->answers, a->memory, a->counts,
                       a->list_pitch, a->extend);
}

static void solve(const emulated_batch_mode_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, solve_item, a);
}

extern const emulated_batch_mode EMULATED_NAME;
const emulated_batch_mode EMULATED_NAME = {
    RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_ROWS, 1, 32, RHOMB_PIECES, 0, solve};
