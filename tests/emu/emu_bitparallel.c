/* SPDX-License-Identifier: MIT */
/*
 * cl/bitparallel/bitparallel.clh and one of the kernels on top of it, cl/bitparallel/bitparallel.cl
 * or cl/bitparallel/bitparallel_lanes.cl, as host code, for one set of parameters; see emulated.h.
 */
#include "emulated.h"

#include "opencl_c.h"

#include <string.h>

#if RHOMB_LANES == 1
#    include "cl/bitparallel/bitparallel.cl"
#else
#    include "opencl_vectors.h"
/* After the vectors. */
#    include "cl/bitparallel/bitparallel_lanes.cl"
#endif

static void run_item(const void *arguments)
{
    const emulated_sweep_arguments *a = arguments;
    rhomb_bitparallel_sweep(a->rows, a->columns, a->down, a->across, a->carry, a->strips, a->listed,
                            a->first_listed, a->launch, a->steps);
}

static void launch(const emulated_sweep_arguments *a, int64_t groups)
{
    emu_launch((size_t)groups, RHOMB_GROUP_SIZE, true, run_item, a);
}

/* One lane of a word; it may have no other. */
static void put_lane(rhomb_word *word, int lane, uint32_t bits)
{
    memcpy((char *)word + (size_t)lane * sizeof bits, &bits, sizeof bits);
}

static uint32_t get_lane(const rhomb_word *word, int lane)
{
    uint32_t bits;
    memcpy(&bits, (const char *)word + (size_t)lane * sizeof bits, sizeof bits);
    return bits;
}

static void block_step(int lane, uint32_t equal, uint32_t down[2], uint32_t across[2])
{
    /* What the other lanes hold is any column, too. */
    rhomb_word equals = {0}, not_plus_down = {0}, minus_down = {0};
    rhomb_across words = {~not_plus_down, minus_down};
    put_lane(&equals, lane, equal);
    put_lane(&not_plus_down, lane, ~down[0]);
    put_lane(&minus_down, lane, down[1]);
    put_lane(&words.plus, lane, across[0]);
    put_lane(&words.minus, lane, across[1]);
    rhomb_block_step(equals, &not_plus_down, &minus_down, &words);
    down[0] = ~get_lane(&not_plus_down, lane);
    down[1] = get_lane(&minus_down, lane);
    across[0] = get_lane(&words.plus, lane);
    across[1] = get_lane(&words.minus, lane);
}

extern const emulated_bitparallel EMULATED_NAME;
const emulated_bitparallel EMULATED_NAME = {
    {RHOMB_PLANES, RHOMB_GROUP_SIZE, RHOMB_ITEM_WORDS, RHOMB_LANES, launch}, block_step};
