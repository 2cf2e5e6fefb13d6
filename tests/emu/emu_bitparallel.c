/* SPDX-License-Identifier: MIT */
/*
 * cl/bitparallel.cl and cl/bitparallel.clh as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include "cl/bitparallel.cl"

static void run_item(const void *arguments)
{
    const emulated_sweep_arguments *a = arguments;
    rhomb_bitparallel_sweep(a->rows, a->columns, a->down, a->across, a->carry, a->strips,
                            a->first_strip, a->launch, a->steps);
}

static void launch(const emulated_sweep_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, run_item, a);
}

static void block_step(uint32_t equal, uint32_t down[2], uint32_t across[2])
{
    rhomb_across words = {across[0], across[1]};
    rhomb_block_step(equal, &down[0], &down[1], &words);
    across[0] = words.plus;
    across[1] = words.minus;
}

extern const emulated_bitparallel EMULATED_NAME;
const emulated_bitparallel EMULATED_NAME = {RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_WORDS,
                                            launch, block_step};
