/* SPDX-License-Identifier: MIT */
/*
 * The bit-sliced sweep: strips of rows, each swept from left to right by one work-group.
 *
 * A work-item holds ITEM_WORDS words of 32 rows in registers, each row in the column before that of
 * the row above. In a step an item's first row goes through a *block* of 16 columns; its last row
 * ends that block PASSAGE blocks later, and the item below begins with it a step after that: items
 * of a group are LAG blocks apart. What a row hands down, a few bits a column, passes through local
 * memory: one barrier a block. What the last row of a strip hands down goes to device memory, in
 * place of what the strip read. Strips, their time table, bands and narrowing are those of
 * bitparallel.cl.
 *
 * Within its range a strip computes the costs of paths that stay in the swept region, no others. So
 * its left edge is a vertical gap that goes on from the strip above, and where the strip above has
 * ended its last row is a horizontal gap that goes on. (Real costs on the edges are needed for more
 * than that: a difference of neighbours is within its planes only if no path of the region
 * is left out.)
 *
 * Bounds (NVIDIA H200, bench/NOTES.md): the device does 16.7e12 logic operations and shifts a
 * second, of 32 cells each.
 */
#include "bitsliced/bitsliced_edges.clh"

#if RHOMB_LANES != 1
#    error "RHOMB_LANES must be 1: bitsliced_lanes.cl has vectors"
#endif

/*
 * Fetches the columns' symbols of one block, the first column in the top bit, and for a group's
 * first item what the row above hands down: the strip above has ended before block above_end.
 */
static inline void fetch(__global const ushort *restrict columns, __global const uint *across,
                         const int block, const int above_end, const rhomb_i32 *above_saves,
                         const int lane, uint *symbols, uint *above)
{
    _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
    {
        symbols[p] = (uint)columns[block * RHOMB_PLANES + p] << 16;
    }
    if (lane > 0)
        return;
    if (block >= above_end) {
        border_after(above_saves, block - above_end, above);
        return;
    }
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        above[i] = across[block * BORDER_WORDS + i];
    }
}

/* What it saves to extend a horizontal gap in the item's last row. */
static inline void saves_right(const rhomb_rows *r, rhomb_i32 *saves)
{
    saves[0] = saves[1] = 0;
    _Pragma("unroll") for (int k = 0; k < X_PLANES; k++) saves[0] |= (int)(r->y[WORDS - 1][k] >> 31)
                                                                     << k;
    _Pragma("unroll") for (int k = 0; k < X2_PLANES; k++) saves[1] |=
        (int)(r->y2[WORDS - 1][k] >> 31) << k;
}

/*
 * Does `steps` steps of the strips listed[first_listed + group]. `rows` has PLANES words for each
 * word of rows, `columns` PLANES 16-bit words for each block, `down` STATE_WORDS for each word of
 * rows, `across` BORDER_WORDS for each block, `carry` as many for each item. strips[0] and
 * strips[1] stand above the first strip of either direction: strip i is strips[i + 2].
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_bitsliced_sweep(
    __global const uint *restrict rows, __global const ushort *restrict columns,
    __global uint *restrict down, __global uint *across, __global uint *restrict carry,
    __global rhomb_strip *restrict strips, __global const uint *restrict listed,
    const rhomb_i64 first_listed, const rhomb_i64 launch, const rhomb_i32 steps)
{
    const int lane = (int)get_local_id(0);
    const bool last_lane = lane == RHOMB_GROUP_SIZE - 1;
    const rhomb_i64 strip_index = listed[first_listed + (rhomb_i64)get_group_id(0)];
    __global rhomb_strip *strip = &strips[strip_index + 2];
    rhomb_visit v;
    if ((launch + 1) * steps <= strip->first_step || launch > strip->last_launch)
        return;
    if (!begin_visit(strip, &strips[strip_index], launch, steps, &v)) {
        if (last_lane)
            strip->front[launch & 1] = v.front;
        return;
    }
    if (last_lane)
        begin_passage(&v, across);
    /* From here on blocks are counted from the one that is due for item 0. */
    const int begin_at = rhomb_near_block(v.begin - v.due);
    const int end_at = rhomb_near_block(v.end - v.due);
    const int above_end_at = rhomb_near(v.above_end - v.due);
    columns += v.due * RHOMB_PLANES;
    across += v.due * BORDER_WORDS;

    const rhomb_i64 item = strip_index * RHOMB_GROUP_SIZE + lane;
    const rhomb_i64 row_word0 = (strip->first_item + lane) * WORDS;
    const int first_block = -lane * LAG;
    const bool fresh = first_block <= begin_at;
    if (fresh) {
        for (int w = 0; w < WORDS; w++)
            begin_word(down + (item * WORDS + w) * STATE_WORDS, v.begin_saves,
                       (lane * WORDS + w) * 32);
    }
    rhomb_rows r;
    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        load_word(&r, w, down + (item * WORDS + w) * STATE_WORDS);
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            const int block = first_block - 2 * w - 1, last = end_at - 1;
            const uint near = columns[clamp(block, begin_at, last) * RHOMB_PLANES + p];
            const uint far = columns[clamp(block - 1, begin_at, last) * RHOMB_PLANES + p];
            r.symbols[w][p] = RHOMB_KEPT_ROW(rows[(row_word0 + w) * RHOMB_PLANES + p]);
            r.columns[w][p] = far << 16 | near;
        }
        r.active[w] = active_rows((uint)(first_block - begin_at), (uint)(end_at - first_block), w);
    }

    __local uint handed[2][BORDER_WORDS][RHOMB_GROUP_SIZE + 1];
    uint above[BORDER_WORDS], next_above[BORDER_WORDS];
    uint symbols[RHOMB_PLANES], next_symbols[RHOMB_PLANES];
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        above[i] = carry[item * BORDER_WORDS + i];
        next_above[i] = 0;
        if (lane == 0)
            handed[0][i][0] = handed[1][i][0] = 0;
    }
    /* What a step reads from device memory is fetched a step ahead, while the arithmetic runs. */
    fetch(columns, across, clamp(first_block, begin_at, end_at - 1), above_end_at, v.above_saves,
          lane, next_symbols, next_above);
    for (int s = 0; s < steps; s++) {
        const int block = first_block + s;
        /* The same for all items: items that take turns within a step would make it longer. */
        const bool is_whole = s - (RHOMB_GROUP_SIZE - 1) * LAG >= begin_at + PASSAGE && s < end_at;
        rhomb_border below;
        uint packed[BORDER_WORDS];
        _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
        {
            packed[i] = 0;
            if (lane == 0)
                above[i] = next_above[i];
        }
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            symbols[p] = next_symbols[p];
        }
        if (s + 1 < steps)
            fetch(columns, across, clamp(block + 1, begin_at, end_at - 1), above_end_at,
                  v.above_saves, lane, next_symbols, next_above);
        if (block >= begin_at && block < end_at + PASSAGE) {
            rhomb_border in;
            unpack_border(above, &in);
            if (is_whole)
                sweep_block(&r, &in, symbols, &below, false, 0, 0);
            else
                sweep_block(&r, &in, symbols, &below, true, block < end_at ? 0xffffffffu : 0u, 0);
            pack_border(&below, packed);
            if (last_lane && block >= begin_at + PASSAGE) {
                _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
                {
                    across[(block - PASSAGE) * BORDER_WORDS + i] = packed[i];
                }
                pass_block(&v, packed);
            }
        }
        _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
        {
            handed[s & 1][i][lane + 1] = packed[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
        {
            above[i] = handed[s & 1][i][lane];
        }
    }

    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        store_word(&r, w, down + (item * WORDS + w) * STATE_WORDS);
    }
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        carry[item * BORDER_WORDS + i] = above[i];
    }
    if (last_lane) {
        saves_right(&r, v.front.end_saves);
        rhomb_passage_end(&v.passage, v.first_passed, strip->slack, &v.front);
        strip->front[launch & 1] = v.front;
    }
}
