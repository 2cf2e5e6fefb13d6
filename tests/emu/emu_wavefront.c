/* SPDX-License-Identifier: MIT */
/*
 * cl/wavefront/wavefront.cl and cl/common/extend.clh as host code, for one set of parameters; see
 * emulated.h.
 */
/* That a tile's first column opens all windows, is more than gcc can see. */
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "opencl_c.h"

#include "cl/wavefront/wavefront.cl"

#include "emu_wavefront.h"

static void run_meet_item(const void *arguments)
{
    const emulated_launch_arguments *a = arguments;
    rhomb_wavefront_meet(a->wavefront_a, a->status, a->launch);
}

static void meet(const emulated_launch_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, false, run_meet_item, a);
}

extern const emulated_wavefront EMULATED_NAME;
const emulated_wavefront EMULATED_NAME = EMULATED_WAVEFRONT(meet);
