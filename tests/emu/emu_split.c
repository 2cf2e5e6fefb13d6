/* SPDX-License-Identifier: MIT */
/*
 * cl/divide/split.cl as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

/* The launches' groups; the program is for any. */
enum { ITEMS = RHOMB_GROUP_SIZE };
#if RHOMB_GROUP_SIZE > 1
#    undef RHOMB_GROUP_SIZE
#    define RHOMB_GROUP_SIZE 0
#endif

#include "cl/divide/split.cl"

static void columns_item(const void *arguments)
{
    const emulated_split_arguments *a = arguments;
    rhomb_split_columns(a->query, a->target, a->jobs, a->columns, a->state, a->query_backward,
                        a->target_backward, a->query_length, a->target_length, a->first_job);
}

static void meet_item(const void *arguments)
{
    const emulated_split_arguments *a = arguments;
    rhomb_split_meet(a->jobs, a->columns, a->points, a->first_job);
}

static void solve(const emulated_split_arguments *a, int64_t jobs)
{
    emu_launch(2 * (size_t)jobs, ITEMS, true, columns_item, a);
    emu_launch((size_t)jobs, ITEMS, true, meet_item, a);
}

extern const emulated_split EMULATED_NAME;
const emulated_split EMULATED_NAME = {RHOMB_PLANES, RHOMB_OFFSET_BITS, ITEMS, RHOMB_IN_PLACE,
                                      solve};
