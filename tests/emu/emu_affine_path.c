/* SPDX-License-Identifier: MIT */
/*
 * cl/affine/affine_path.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"
/* After OpenCL's names. */
#include "cl/affine/affine_path.cl"

static void solve_item(const void *arguments)
{
    const emulated_affine_path_arguments *a = arguments;
    rhomb_affine_path_solve(a->query, a->target, a->jobs, a->answers, a->operations, a->memory,
                            a->taken, a->whole, a->count, a->group_cells);
}

static void solve(const emulated_affine_path_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, RHOMB_GROUP_SIZE > 1, solve_item, a);
}

extern const emulated_affine_path EMULATED_NAME;
const emulated_affine_path EMULATED_NAME = {
    RHOMB_PLANES,
    RHOMB_GROUP_SIZE,
    {RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, RHOMB_OPEN_2, RHOMB_EXTEND_2},
    solve};
