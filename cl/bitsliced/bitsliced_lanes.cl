/* SPDX-License-Identifier: MIT */
/*
 * The bit-sliced sweep for CPUs: a strip of rows in the 16 lanes of vectors, swept by one
 * work-item. Each lane does what a work-item does in bitsliced.cl, LAG blocks after the lane above;
 * what a lane hands down is a vector moved up by a lane, once a block. The strips, their time table
 * and all that they leave in memory are the same.
 *
 * Lanes that have not begun or have ended stay as they are: in the first and the last LANES * LAG
 * blocks of a strip. Bounds (Xeon with AVX-512, bench/NOTES.md): two vector operations a cycle.
 */
#include "bitsliced/bitsliced_edges.clh"
#include "common/apart.clh"

#if RHOMB_GROUP_SIZE != 1 || RHOMB_LANES != 16
#    error "RHOMB_GROUP_SIZE must be 1 and RHOMB_LANES 16"
#endif

#define LANES 16

/*
 * Plane p of the columns' symbols, of the block in which each lane is when the first one is in
 * `block`; of one within the range where that is outside.
 */
static inline rhomb_word fetch(__global const ushort *restrict columns, const int block,
                               const int begin, const int end, const int p)
{
    uint words[LANES];
    for (int l = 0; l < LANES; l++)
        words[l] = columns[clamp(block - l * LAG, begin, end - 1) * RHOMB_PLANES + p];
    return vload16(0, words);
}

/* All bits of the lanes that are in a block of [begin, end) when the first one is in `block`. */
static inline rhomb_word between(const int block, const rhomb_word lag, const int begin,
                                 const int end)
{
    const rhomb_word before = SPLAT(block - begin) - lag, after = SPLAT(end - 1 - block) + lag;
    return ((before | after) >> 31) - SPLAT(1);
}

/* The last lane of a vector. */
static inline uint last_of(const rhomb_word word)
{
    uint words[LANES];
    vstore16(word, 0, words);
    return words[LANES - 1];
}

/* What it saves to extend a horizontal gap in the strip's last row. */
static inline void saves_right(const rhomb_rows *r, rhomb_i32 *saves)
{
    saves[0] = saves[1] = 0;
    for (int k = 0; k < X_PLANES; k++)
        saves[0] |= (int)(last_of(r->y[WORDS - 1][k]) >> 31) << k;
    for (int k = 0; k < X2_PLANES; k++)
        saves[1] |= (int)(last_of(r->y2[WORDS - 1][k]) >> 31) << k;
}

/* A strip in a launch: what rhomb_bitsliced_sweep() does. */
static RHOMB_APART void sweep_strip(__global const uint *restrict rows,
                                    __global const ushort *restrict columns,
                                    __global uint *restrict down, __global uint *across,
                                    __global uint *restrict carry,
                                    __global rhomb_strip *restrict strips,
                                    const rhomb_i64 strip_index, const rhomb_i64 launch,
                                    const rhomb_i32 steps)
{
    __global rhomb_strip *strip = &strips[strip_index + 2];
    rhomb_visit v;
    if ((launch + 1) * steps <= strip->first_step || launch > strip->last_launch)
        return;
    if (!begin_visit(strip, &strips[strip_index], launch, steps, &v)) {
        strip->front[launch & 1] = v.front;
        return;
    }
    begin_passage(&v, across);
    /* From here on blocks are counted from the one that is due for the first lane. */
    const int begin_at = rhomb_near_block(v.begin - v.due);
    const int end_at = rhomb_near_block(v.end - v.due);
    const int above_end_at = rhomb_near(v.above_end - v.due);
    columns += v.due * RHOMB_PLANES;
    across += v.due * BORDER_WORDS;

    const rhomb_i64 item = strip_index * LANES;
    __global uint *state = down + item * WORDS * STATE_WORDS;
    __global const uint *rows_here = rows + strip->first_item * (WORDS * RHOMB_PLANES);
    const rhomb_word lag = vload16(0, LANE_INDEX) * SPLAT(LAG);
    /* Lanes whose first block here comes after the one in which they begin. */
    const int begun_lanes = begin_at < 0 ? min((-begin_at - 1) / LAG + 1, LANES) : 0;
    for (int word = begun_lanes * WORDS; word < LANES * WORDS; word++)
        begin_word(state + word * STATE_WORDS, v.begin_saves, word * 32);
    rhomb_rows r;
    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        load_word(&r, w, state + w * STATE_WORDS);
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            r.symbols[w][p] =
                RHOMB_KEPT_ROW(gather(rows_here + w * RHOMB_PLANES + p, WORDS * RHOMB_PLANES));
            r.columns[w][p] = fetch(columns, -2 * w - 2, begin_at, end_at, p) << 16 |
                              fetch(columns, -2 * w - 1, begin_at, end_at, p);
        }
        r.active[w] = active_rows(SPLAT(-begin_at) - lag, SPLAT(end_at) + lag, w);
    }
    rhomb_word handed[BORDER_WORDS];
    uint passed[BORDER_WORDS];
    for (int i = 0; i < BORDER_WORDS; i++)
        handed[i] = vload16(strip_index * BORDER_WORDS + i, carry);

    const int last_step = min(steps, end_at + LANES * LAG - 1);
    for (int s = max(begin_at, 0); s < last_step; s++) {
        rhomb_border in, below;
        rhomb_word symbols[RHOMB_PLANES];
        uint above[BORDER_WORDS];
        if (s >= above_end_at)
            border_after(v.above_saves, min(s, end_at) - above_end_at, above);
        for (int i = 0; i < BORDER_WORDS; i++) {
            if (s < above_end_at)
                above[i] = across[min(s, end_at - 1) * BORDER_WORDS + i];
            handed[i] = RHOMB_UP(handed[i], above[i]);
        }
        unpack_border(handed, &in);
        for (int p = 0; p < RHOMB_PLANES; p++)
            symbols[p] = fetch(columns, s, begin_at, end_at, p) << 16;
        if (s - (LANES - 1) * LAG >= begin_at + PASSAGE && s < end_at)
            sweep_block(&r, &in, symbols, &below, false, SPLAT(0), 0);
        else
            sweep_block(&r, &in, symbols, &below, true, between(s, lag, begin_at, end_at), 0);
        pack_border(&below, handed);
        const int out = s - (LANES * LAG - 1);
        if (out >= begin_at && out < end_at) {
            for (int i = 0; i < BORDER_WORDS; i++)
                across[out * BORDER_WORDS + i] = passed[i] = last_of(handed[i]);
            pass_block(&v, passed);
        }
    }

    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        store_word(&r, w, state + w * STATE_WORDS);
    }
    for (int i = 0; i < BORDER_WORDS; i++)
        vstore16(handed[i], strip_index * BORDER_WORDS + i, carry);
    saves_right(&r, v.front.end_saves);
    rhomb_passage_end(&v.passage, v.first_passed, strip->slack, &v.front);
    strip->front[launch & 1] = v.front;
}

/* As rhomb_bitsliced_sweep() of bitsliced.cl, with a strip for each work-item. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void rhomb_bitsliced_sweep(
    __global const uint *restrict rows, __global const ushort *restrict columns,
    __global uint *restrict down, __global uint *across, __global uint *restrict carry,
    __global rhomb_strip *restrict strips, __global const uint *restrict listed,
    const rhomb_i64 first_listed, const rhomb_i64 launch, const rhomb_i32 steps)
{
    sweep_strip(rows, columns, down, across, carry, strips,
                listed[first_listed + (rhomb_i64)get_group_id(0)], launch, steps);
}
