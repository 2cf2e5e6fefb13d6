/* SPDX-License-Identifier: MIT */
/*
 * The bit-parallel engine: strips of rows, each swept from left to right by one work-group.
 *
 * A work-item holds ITEM_WORDS words of 32 rows in registers. Items of a group are skewed by one
 * *block* of 16 columns: in step s item l works on block s - l, and passes the differences of its
 * last row, two 16-bit words, to item l + 1 through local memory: one barrier a block. A strip is
 * GROUP_SIZE * ITEM_WORDS * 32 rows; the differences of its last row go to device memory, 2 bits a
 * column, in place of those that the strip read.
 *
 *     block ->  0 1 2 3 4 5          A launch does `steps` steps of every strip that runs.
 *     item 0    0 1 2 3 4 5  step    src/strips/strips.c delays each strip so that it
 *     item 1      1 2 3 4 5 6        reads only what an earlier launch wrote, and gives
 *     item 2        2 3 4 5 6 7      it the range of blocks that the band has in its rows.
 *
 * Bounds (NVIDIA H200, bench/NOTES.md). A word and column is 16.5 machine instructions with two
 * planes, 14.5 of them logic and shifts, of which the device does 16.7e12 a second: at most 36.9e12
 * cells/s. A full device reaches 33e12 with 4 words an item. With few running strips a step takes
 * 0.75 microseconds, however narrow the band is: half of it is the chain of dependent operations,
 * the rest the hand-over and the last item's passage.
 *
 * Within its range a strip sweeps only what a path within the bound can touch: it begins where the
 * strip above says that one may leave it, and ends where such a path can get at most. Outside that
 * there are only upper bounds, and they are those of real paths: a strip begins with Pv all ones
 * (down its left edge at +1 a row), and reads +1 a column where the strip above has ended. So the
 * result is the cost of a path, and the distance when it is within the bound.
 */
#include "bitparallel/bitparallel.clh"

/*
 * Planes that A, C, G and T take. N and IUPAC codes take more, but few strips have any in the
 * columns of a launch: the others leave their planes out (H200, 9 % N: a tenth faster).
 */
#define FEW_PLANES (RHOMB_PLANES < 2 || RHOMB_HAS_MASKS ? RHOMB_PLANES : 2)

#if RHOMB_LANES != 1
#    error "RHOMB_LANES must be 1: bitparallel_lanes.cl has vectors"
#endif

/*
 * Fetches the columns' symbols of one block, plane p in bits 31 .. 16 and the first column in the
 * top bit, and for a group's first item the differences of the row above.
 */
static inline void fetch(__global const ushort *restrict columns, __global const uint *across,
                         const int block, const int above_end, const int lane, uint *symbols,
                         uint *above)
{
    _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
    {
        symbols[p] = (uint)columns[block * RHOMB_PLANES + p] << 16;
    }
    if (lane == 0)
        *above = block < above_end ? across[block] : 0xffff0000u;
}

/*
 * Sweeps one block with an item's words. `above` holds the 16 differences of the row above, the
 * first column in bit 15 of either half (plus in the upper, minus in the lower); so does the
 * result. Symbols are compared by their first `planes` planes.
 */
static inline __attribute__((always_inline)) uint sweep_block(uint *not_plus_down, uint *minus_down,
                                                              const uint *kept_rows,
                                                              const uint *symbols, const uint above,
                                                              const int planes)
{
    uint plus = 0, minus = 0;
    _Pragma("unroll") for (int c = 0; c < RHOMB_BLOCK; c++)
    {
        rhomb_across across = {above << c, above << (RHOMB_BLOCK + c)};
        _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
        {
            uint equal = RHOMB_EQUAL_NONE;
            _Pragma("unroll") for (int p = 0; p < planes; p++)
            {
                equal = RHOMB_EQUAL(equal, kept_rows[w * RHOMB_PLANES + p],
                                    (uint)((int)(symbols[p] << c) >> 31));
            }
            rhomb_block_step(equal, &not_plus_down[w], &minus_down[w], &across);
        }
        plus = plus << 1 | across.plus >> 31;
        minus = minus << 1 | across.minus >> 31;
    }
    return plus << RHOMB_BLOCK | minus;
}

#if RHOMB_PLANES > FEW_PLANES
/* Whether an item finds a symbol of more planes in its rows, or in its share of these blocks. */
static inline bool has_other_symbols(const uint *kept_rows, __global const ushort *restrict columns,
                                     const int first, const int end, const int lane)
{
    uint found = 0;
    _Pragma("unroll") for (int i = 0; i < RHOMB_ITEM_WORDS * RHOMB_PLANES; i++)
    {
        found |= i % RHOMB_PLANES >= FEW_PLANES ? RHOMB_KEPT_ROW(kept_rows[i]) : 0;
    }
    for (int block = first + lane; block < end; block += RHOMB_GROUP_SIZE) {
        _Pragma("unroll") for (int p = FEW_PLANES; p < RHOMB_PLANES; p++)
        {
            found |= columns[block * RHOMB_PLANES + p];
        }
    }
    return found != 0;
}
#endif

/*
 * Does `steps` steps of the strips listed[first_listed + group]. `rows` has PLANES words for each
 * word of rows, `columns` PLANES 16-bit words for each block, `down` two words (plus, minus) for
 * each word of rows, `across` one word for each block, `carry` one for each item. strips[0] and
 * strips[1] stand above the first strip of either direction: strip i is strips[i + 2].
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_bitparallel_sweep(
    __global const uint *restrict rows, __global const ushort *restrict columns,
    __global uint2 *restrict down, __global uint *restrict across, __global uint *restrict carry,
    __global rhomb_strip *restrict strips, __global const uint *restrict listed,
    const rhomb_i64 first_listed, const rhomb_i64 launch, const rhomb_i32 steps)
{
    const int lane = (int)get_local_id(0);
    const bool last_lane = lane == RHOMB_GROUP_SIZE - 1;
    const rhomb_i64 strip_index = listed[first_listed + (rhomb_i64)get_group_id(0)];
    __global rhomb_strip *strip = &strips[strip_index + 2];
    __global const rhomb_strip *above_strip = &strips[strip_index];
    const rhomb_i64 due = launch * steps - strip->first_step + strip->first_block;
    if (due + steps <= strip->first_block || launch > strip->last_launch)
        return;

    __global const rhomb_strip_front *from =
        &above_strip->front[min(launch - 1, strip->above_last_launch) & 1];
    const rhomb_i64 begin = from->begin;
    const rhomb_i64 end = rhomb_strip_end(strip->end_block, strip->corner, from->room);
    rhomb_strip_front front = strip->front[(launch - 1) & 1];
    if (due + steps <= begin || due - (RHOMB_GROUP_SIZE - 1) >= end) {
        if (last_lane)
            strip->front[launch & 1] = front;
        return;
    }
    if (front.end <= begin)
        front.score = from->begin_score + RHOMB_GROUP_SIZE * RHOMB_ITEM_WORDS * 32;
    const rhomb_i64 first_passed = max(front.end, begin);
    rhomb_passage passage = rhomb_passage_start(&front, first_passed, strip->slack, strip->corner,
                                                strip->below_first_block);
    /* From here on blocks are counted from the one that is due for item 0. */
    const int begin_at = rhomb_near(begin - due), end_at = rhomb_near(end - due);
    const int above_end_at = rhomb_near(from->end - due);
    columns += due * RHOMB_PLANES;
    across += due;

    const rhomb_i64 item = strip_index * RHOMB_GROUP_SIZE + lane;
    const rhomb_i64 word0 = item * RHOMB_ITEM_WORDS;
    const rhomb_i64 row_word0 = (strip->first_item + lane) * RHOMB_ITEM_WORDS;
    const bool fresh = -lane <= begin_at;
    uint not_plus_down[RHOMB_ITEM_WORDS], minus_down[RHOMB_ITEM_WORDS];
    uint kept_rows[RHOMB_ITEM_WORDS * RHOMB_PLANES];
    _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
    {
        const uint2 d = down[word0 + w];
        not_plus_down[w] = fresh ? 0 : ~d.x;
        minus_down[w] = fresh ? 0 : d.y;
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            kept_rows[w * RHOMB_PLANES + p] =
                RHOMB_KEPT_ROW(rows[(row_word0 + w) * RHOMB_PLANES + p]);
        }
    }

    __local uint handed[2][RHOMB_GROUP_SIZE + 1];
    if (lane == 0)
        handed[0][0] = handed[1][0] = 0;
    bool is_plain = true; /* rows and columns of this launch: the same for all items */
#if RHOMB_PLANES > FEW_PLANES
    __local int others;
    if (lane == 0)
        others = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (has_other_symbols(kept_rows, columns, max(begin_at, 1 - RHOMB_GROUP_SIZE),
                          min(end_at, steps), lane))
        atomic_or(&others, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    is_plain = others == 0;
#endif
    uint above = carry[item];
    /* What a step reads from device memory is fetched a step ahead, while the arithmetic runs. */
    uint symbols[RHOMB_PLANES], next_symbols[RHOMB_PLANES];
    uint next_above = 0;
    fetch(columns, across, clamp(-lane, begin_at, end_at - 1), above_end_at, lane, next_symbols,
          &next_above);
    for (int s = 0; s < steps; s++) {
        const int block = s - lane;
        uint below = 0;
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            symbols[p] = next_symbols[p];
        }
        if (lane == 0)
            above = next_above;
        if (s + 1 < steps)
            fetch(columns, across, clamp(block + 1, begin_at, end_at - 1),
                  block + 1 < end_at ? above_end_at : INT_MIN, lane, next_symbols, &next_above);
        if (block >= begin_at && block < end_at) {
            below = is_plain ? sweep_block(not_plus_down, minus_down, kept_rows, symbols, above,
                                           FEW_PLANES)
                             : sweep_block(not_plus_down, minus_down, kept_rows, symbols, above,
                                           RHOMB_PLANES);
            if (last_lane) {
                across[block] = below;
                rhomb_passage_add(&passage, rhomb_gain_across(below));
            }
        }
        handed[s & 1][lane + 1] = below;
        barrier(CLK_LOCAL_MEM_FENCE);
        above = handed[s & 1][lane];
    }

    _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
    {
        uint2 d;
        d.x = ~not_plus_down[w];
        d.y = minus_down[w];
        down[word0 + w] = d;
    }
    carry[item] = above;
    if (last_lane) {
        rhomb_passage_end(&passage, first_passed, strip->slack, &front);
        strip->front[launch & 1] = front;
    }
}
