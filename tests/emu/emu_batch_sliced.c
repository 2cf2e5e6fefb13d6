/* SPDX-License-Identifier: MIT */
/*
 * cl/batch/batch_sliced.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
#if RHOMB_LANES == 16
#    include "opencl_vectors.h"
#endif
/* After the vectors. */
#include "cl/batch/batch_sliced.cl"

static void solve_item(const void *arguments)
{
    const emulated_batch_sliced_arguments *a = arguments;
    rhomb_batch_sliced(a->bases, a->flags, a->pairs, a->lists, a->answers, a->cigars, a->memory,
                       a->counts, a->list_pitch, a->job, a->all);
}

static void solve(const emulated_batch_sliced_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, solve_item, a);
}

extern const emulated_batch_sliced EMULATED_NAME;
const emulated_batch_sliced EMULATED_NAME = {
    RHOMB_PLANES,
    RHOMB_GROUP_SIZE,
    RHOMB_ITEM_WORDS,
    RHOMB_LANES,
    RHOMB_PATH,
    RHOMB_REPLACED,
    {RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, RHOMB_OPEN_2, RHOMB_EXTEND_2},
    solve};
