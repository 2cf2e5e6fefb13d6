/* SPDX-License-Identifier: MIT */
/*
 * The bit-parallel engine for CPUs: a strip of rows in the 16 lanes of vectors, swept by one
 * work-item. The strips, their time table and all that they leave in memory are bitparallel.cl's.
 *
 * A lane holds ITEM_WORDS words of 32 rows. Lanes are skewed by one column: when lane 0 is in
 * column c, lane l is in column c - l, so what a lane passes on is a vector moved up by a lane,
 * with no memory between. A step is a block of 16 columns of lane 0. The last lane finishes a block
 * in the step after. So a strip takes one step more than it has blocks, and has the differences of
 * its last row one block later.
 *
 * Bounds (Xeon with AVX-512, bench/NOTES.md): 17.6 vector instructions a word and column, two a
 * cycle, so 4 words take 35 cycles a column, and the moving of lanes some 6 more, for 2048 cells:
 * at 3 GHz 150e9 cells/s a core. A whole solve reaches 114e9 to 118e9.
 */
#include "bitparallel/bitparallel.clh"
#include "common/apart.clh"
#include "common/lanes.clh"

#if RHOMB_GROUP_SIZE != 1 || RHOMB_LANES != 16
#    error "RHOMB_GROUP_SIZE must be 1 and RHOMB_LANES 16"
#endif

/*
 * Advances every lane by one column: lane 0 into column c of the block of `symbols` (plane p in
 * bits 31 .. 16, first column in the top bit) and `above`. `column` has the symbol of each lane's
 * column, planes of all ones or all zeros; `last` has what the lanes pass on.
 */
static inline void sweep_column(rhomb_word *not_plus_down, rhomb_word *minus_down,
                                const rhomb_word *kept_rows, rhomb_word *column, rhomb_across *last,
                                const uint *symbols, const uint above, const int c)
{
    rhomb_across across = {RHOMB_UP(last->plus, above << c),
                           RHOMB_UP(last->minus, above << (RHOMB_BLOCK + c))};
    _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
    {
        column[p] = RHOMB_UP(column[p], (uint)((int)(symbols[p] << c) >> 31));
    }
    _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
    {
        rhomb_word equal = RHOMB_SPLAT(RHOMB_EQUAL_NONE);
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            equal = RHOMB_EQUAL(equal, kept_rows[w * RHOMB_PLANES + p], column[p]);
        }
        rhomb_block_step(equal, &not_plus_down[w], &minus_down[w], &across);
    }
    *last = across;
}

/* The top bits of lane 15 of 16 vectors that were stored one word before the other. */
static inline uint gather_tails(const uint *tails)
{
    const uint16 bits = vload16(0, tails + 15) >> 31 << vload16(0, LANE_INDEX);
    uint words[16], word = 0;
    vstore16(bits, 0, words);
    for (int i = 0; i < 16; i++)
        word |= words[i];
    return word;
}

/*
 * A step: lane 0 sweeps a block, lane 15 ends the block before, whose differences below are the
 * result. Before column c the last lane has just left column c of that block. All 16 columns
 * unrolled take four times as long to compile, and no less to run.
 */
static inline uint sweep_block(rhomb_word *not_plus_down, rhomb_word *minus_down,
                               const rhomb_word *kept_rows, rhomb_word *column, rhomb_across *last,
                               const uint *symbols, const uint above)
{
    uint plus[31], minus[31];
    _Pragma("unroll 4") for (int c = 0; c < RHOMB_BLOCK; c++)
    {
        /* Each store spares the last lane of the one before it. */
        vstore16(last->plus, 0, plus + 15 - c);
        vstore16(last->minus, 0, minus + 15 - c);
        sweep_column(not_plus_down, minus_down, kept_rows, column, last, symbols, above, c);
    }
    return gather_tails(plus) << RHOMB_BLOCK | gather_tails(minus);
}

/*
 * The first step of a strip, in which lane l begins with column l, and the step after its last
 * block, in which it has already ended: the lanes that have no column stay as they are.
 */
static inline uint sweep_edge(rhomb_word *not_plus_down, rhomb_word *minus_down,
                              const rhomb_word *kept_rows, rhomb_word *column, rhomb_across *last,
                              const uint *symbols, const uint above, const bool first)
{
    uint plus[31], minus[31];
    for (int c = 0; c < RHOMB_BLOCK; c++) {
        const rhomb_word begun = RHOMB_SPLAT(0) - ((vload16(0, LANE_INDEX) - (uint)(c + 1)) >> 31);
        const rhomb_word active = first ? begun : ~begun;
        rhomb_word not_plus_before[RHOMB_ITEM_WORDS], minus_before[RHOMB_ITEM_WORDS];
        for (int w = 0; w < RHOMB_ITEM_WORDS; w++) {
            not_plus_before[w] = not_plus_down[w];
            minus_before[w] = minus_down[w];
        }
        vstore16(last->plus, 0, plus + 15 - c);
        vstore16(last->minus, 0, minus + 15 - c);
        sweep_column(not_plus_down, minus_down, kept_rows, column, last, symbols, above, c);
        for (int w = 0; w < RHOMB_ITEM_WORDS; w++) {
            not_plus_down[w] = (not_plus_down[w] & active) | (not_plus_before[w] & ~active);
            minus_down[w] = (minus_down[w] & active) | (minus_before[w] & ~active);
        }
    }
    return gather_tails(plus) << RHOMB_BLOCK | gather_tails(minus);
}

/* The columns' symbols of a block, plane p in bits 31 .. 16. */
static inline void fetch(__global const ushort *restrict columns, const rhomb_i64 block,
                         uint *symbols)
{
    for (int p = 0; p < RHOMB_PLANES; p++)
        symbols[p] = (uint)columns[block * RHOMB_PLANES + p] << 16;
}

/* A strip in a launch: what rhomb_bitparallel_sweep() does. */
static RHOMB_APART void sweep_strip(__global const uint *restrict rows,
                                    __global const ushort *restrict columns,
                                    __global uint *restrict down, __global uint *restrict across,
                                    __global uint *restrict carry,
                                    __global rhomb_strip *restrict strips,
                                    const rhomb_i64 strip_index, const rhomb_i64 launch,
                                    const rhomb_i32 steps)
{
    __global rhomb_strip *strip = &strips[strip_index + 2];
    __global const rhomb_strip *above_strip = &strips[strip_index];
    const rhomb_i64 due = launch * steps - strip->first_step + strip->first_block;
    if (due + steps <= strip->first_block || launch > strip->last_launch)
        return;

    __global const rhomb_strip_front *from =
        &above_strip->front[min(launch - 1, strip->above_last_launch) & 1];
    const rhomb_i64 begin = from->begin, above_end = from->end;
    const rhomb_i64 end = rhomb_strip_end(strip->end_block, strip->corner, from->room);
    const rhomb_i64 first = max(due, begin), last_step = min(due + steps - 1, end);
    rhomb_strip_front front = strip->front[(launch - 1) & 1];
    if (begin >= end || first > last_step) {
        strip->front[launch & 1] = front;
        return;
    }
    if (front.end <= begin)
        front.score = from->begin_score + 16 * RHOMB_ITEM_WORDS * 32;
    const rhomb_i64 first_passed = max(front.end, begin);
    rhomb_passage passage = rhomb_passage_start(&front, first_passed, strip->slack, strip->corner,
                                                strip->below_first_block);

    const rhomb_i64 item = strip_index * 16;
    __global uint *down_here = down + item * RHOMB_ITEM_WORDS * 2;
    __global const uint *rows_here = rows + strip->first_item * (RHOMB_ITEM_WORDS * RHOMB_PLANES);
    rhomb_word not_plus_down[RHOMB_ITEM_WORDS], minus_down[RHOMB_ITEM_WORDS];
    rhomb_word kept_rows[RHOMB_ITEM_WORDS * RHOMB_PLANES], column[RHOMB_PLANES];
    uint symbols[RHOMB_PLANES];
    _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
    {
        not_plus_down[w] = ~gather(down_here + 2 * w, RHOMB_ITEM_WORDS * 2);
        minus_down[w] = gather(down_here + 2 * w + 1, RHOMB_ITEM_WORDS * 2);
        if (first == begin) {
            not_plus_down[w] = RHOMB_SPLAT(0);
            minus_down[w] = RHOMB_SPLAT(0);
        }
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            kept_rows[w * RHOMB_PLANES + p] = RHOMB_KEPT_ROW(
                gather(rows_here + w * RHOMB_PLANES + p, RHOMB_ITEM_WORDS * RHOMB_PLANES));
        }
    }
    /* Lane l has left column 15 - l of the block before. */
    const rhomb_word carried = vload16(item / 16, carry);
    rhomb_across last = {carried, carried << 1};
    fetch(columns, max(first - 1, begin), symbols);
    _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
    {
        column[p] = RHOMB_SPLAT(0) - (RHOMB_SPLAT(symbols[p] >> 16) >> vload16(0, LANE_INDEX) & 1u);
    }

    for (rhomb_i64 block = first; block <= last_step; block++) {
        const uint above = block < above_end ? across[block] : 0xffff0000u;
        uint below;
        fetch(columns, min(block, end - 1), symbols);
        if (block > begin && block < end)
            below =
                sweep_block(not_plus_down, minus_down, kept_rows, column, &last, symbols, above);
        else
            below = sweep_edge(not_plus_down, minus_down, kept_rows, column, &last, symbols, above,
                               block == begin);
        if (block > begin) {
            across[block - 1] = below;
            rhomb_passage_add(&passage, rhomb_gain_across(below));
        }
    }

    _Pragma("unroll") for (int w = 0; w < RHOMB_ITEM_WORDS; w++)
    {
        scatter(~not_plus_down[w], down_here + 2 * w, RHOMB_ITEM_WORDS * 2);
        scatter(minus_down[w], down_here + 2 * w + 1, RHOMB_ITEM_WORDS * 2);
    }
    vstore16((last.plus & 0x80000000u) | (last.minus >> 31 << 30), item / 16, carry);
    rhomb_passage_end(&passage, first_passed, strip->slack, &front);
    strip->front[launch & 1] = front;
}

/* As in bitparallel.cl; an item there is a lane here, and `down` its pairs of words. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void rhomb_bitparallel_sweep(
    __global const uint *restrict rows, __global const ushort *restrict columns,
    __global uint *restrict down, __global uint *restrict across, __global uint *restrict carry,
    __global rhomb_strip *restrict strips, __global const uint *restrict listed,
    const rhomb_i64 first_listed, const rhomb_i64 launch, const rhomb_i32 steps)
{
    sweep_strip(rows, columns, down, across, carry, strips,
                listed[first_listed + (rhomb_i64)get_group_id(0)], launch, steps);
}
