/* SPDX-License-Identifier: MIT */
/*
 * What crosses from one device to the next where several share a sweep (src/planner/
 * strips.h). A strip's border is what its last row passes on in a launch: the differences of
 * the blocks that the launch did there, and the front. A *packet* is a border on its way: the
 * front, then the blocks, `block_words` words each. On the device that gets it both become what the
 * strip itself would have left: the blocks in their places, and the front as either of the record's
 * two, as nothing else writes that record there.
 *
 * The blocks are taken from the time table. Those that a strip left out are in no other strip's
 * way: strips further above are past them, and the strip below knows from the front which there
 * are.
 *
 * Both kernels have a group for each strip, listed[first + group], in launches of any group size.
 */
#include "abi.h"

/* The blocks [due, due + steps) that the last row is at, of which [begin, end) are the strip's. */
typedef struct rhomb_border {
    rhomb_i64 due;
    rhomb_i64 begin;
    rhomb_i64 end;
} rhomb_border;

static inline rhomb_border border_of(__global const rhomb_strip *strip, const rhomb_i64 launch,
                                     const rhomb_i32 steps, const rhomb_i32 lag)
{
    const rhomb_i64 due = launch * steps - strip->first_step + strip->first_block - lag;
    const rhomb_border border = {due, clamp(due, strip->first_block, strip->end_block),
                                 clamp(due + steps, strip->first_block, strip->end_block)};
    return border;
}

/* Words of a packet before its blocks. Packets have an even number of words, as fronts need that.
 */
#define RHOMB_FRONT_WORDS ((rhomb_i64)(sizeof(rhomb_strip_front) / 4))

static inline __global uint *packet_of(__global uint *packets, const rhomb_i32 steps,
                                       const rhomb_i32 block_words)
{
    const rhomb_i64 words = RHOMB_FRONT_WORDS + (rhomb_i64)steps * block_words;
    return packets + (rhomb_i64)get_group_id(0) * (words + (words & 1));
}

/* Fills packets after a launch. */
__kernel void rhomb_gather_borders(__global const rhomb_strip *restrict strips,
                                   __global const uint *restrict across,
                                   __global const uint *restrict listed, const rhomb_i64 first,
                                   const rhomb_i64 launch, const rhomb_i32 steps,
                                   const rhomb_i32 lag, const rhomb_i32 block_words,
                                   __global uint *restrict packets)
{
    __global const rhomb_strip *strip = &strips[listed[first + (rhomb_i64)get_group_id(0)] + 2];
    const rhomb_border border = border_of(strip, launch, steps, lag);
    __global uint *packet = packet_of(packets, steps, block_words);
    __global uint *blocks = packet + RHOMB_FRONT_WORDS;
    if (get_local_id(0) == 0)
        *(__global rhomb_strip_front *)packet = strip->front[min(launch, strip->last_launch) & 1];
    for (rhomb_i64 i = border.begin * block_words + (rhomb_i64)get_local_id(0);
         i < border.end * block_words; i += (rhomb_i64)get_local_size(0))
        blocks[i - border.due * block_words] = across[i];
}

/* Takes packets in that a launch filled on another device. */
__kernel void rhomb_scatter_borders(__global rhomb_strip *restrict strips,
                                    __global uint *restrict across,
                                    __global const uint *restrict listed, const rhomb_i64 first,
                                    const rhomb_i64 launch, const rhomb_i32 steps,
                                    const rhomb_i32 lag, const rhomb_i32 block_words,
                                    __global uint *restrict packets)
{
    __global rhomb_strip *strip = &strips[listed[first + (rhomb_i64)get_group_id(0)] + 2];
    const rhomb_border border = border_of(strip, launch, steps, lag);
    __global uint *packet = packet_of(packets, steps, block_words);
    __global uint *blocks = packet + RHOMB_FRONT_WORDS;
    if (get_local_id(0) == 0) {
        const rhomb_strip_front front = *(__global rhomb_strip_front *)packet;
        strip->front[0] = front;
        strip->front[1] = front;
    }
    for (rhomb_i64 i = border.begin * block_words + (rhomb_i64)get_local_id(0);
         i < border.end * block_words; i += (rhomb_i64)get_local_size(0))
        across[i] = blocks[i - border.due * block_words];
}
