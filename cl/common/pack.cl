/* SPDX-License-Identifier: MIT */
/*
 * Packs bases into bit planes of symbols, for extend.clh and for bitparallel.clh. The host sends
 * the bytes as they are in memory, in pieces, with a table that gives each byte its code. Case
 * folding, the choice of an alphabet and the exactness of N and IUPAC codes are all in that table.
 *
 * It also converts between the two: ranges of a pair that is packed for extend.clh, forward and
 * reversed, become rows and columns for bitparallel.clh.
 */
#include "abi.h"

#define RHOMB_PACK_GROUP 64

/* The code of the symbol at `at` of a sequence; that of padding outside it. */
static inline uint code_at(__global const uchar *restrict bases,
                           __global const uchar *restrict codes, const rhomb_i64 piece_begin,
                           const rhomb_i64 length, const rhomb_i64 at, const rhomb_i32 planes)
{
    return at >= 0 && at < length ? codes[bases[at - piece_begin]] : (uint)RHOMB_PAD_CODE(planes);
}

/*
 * Each kernel writes the units [first_unit, first_unit + units) of a part of the packed sequence,
 * which begins with unit part_unit of `packed`, one work-item each. Symbol s of the part is symbol
 * origin + step * s of the sequence (step -1: the part is reversed). The piece `bases` begins
 * with symbol piece_begin of a sequence of `length`; the host makes it cover what the units read.
 */

/* The bit planes of `count` symbols from `at` on, the first in the lowest bit. */
static inline void gather_planes(__global const uchar *restrict bases,
                                 __global const uchar *restrict codes, const rhomb_i64 piece_begin,
                                 const rhomb_i64 length, const rhomb_i64 at, const rhomb_i64 step,
                                 const int count, const rhomb_i32 planes, uint *words)
{
    for (int p = 0; p < 8; p++)
        words[p] = 0;
    for (int s = 0; s < count; s++) {
        const uint code = code_at(bases, codes, piece_begin, length, at + step * s, planes);
        for (int p = 0; p < 8; p++)
            words[p] |= (code >> p & 1u) << s;
    }
}

/* Writes a unit of 32 symbols from `at` on, of so many words: planes beyond the code's are 0. */
static inline void pack_unit(__global const uchar *restrict bases,
                             __global const uchar *restrict codes, __global uint *restrict unit,
                             const rhomb_i64 piece_begin, const rhomb_i64 length,
                             const rhomb_i64 at, const rhomb_i64 step, const rhomb_i32 planes,
                             const int count)
{
    uint words[8];
    gather_planes(bases, codes, piece_begin, length, at, step, RHOMB_WORD_SYMBOLS, planes, words);
    for (int p = 0; p < count; p++)
        unit[p] = words[p];
}

/* For the wavefront engine: 32 symbols a unit, the first in the top bit. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_windows(
    __global const uchar *restrict bases, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0), unit = first_unit + item;
    const rhomb_i64 last = origin + step * (unit * RHOMB_WORD_SYMBOLS + RHOMB_WORD_SYMBOLS - 1);
    const int words = RHOMB_UNIT_WORDS(planes);
    if (item < units)
        pack_unit(bases, codes, packed + (part_unit + unit) * words, piece_begin, length, last,
                  -step, planes, words);
}

/* Rows of the bit-parallel engine: 32 a unit, the first in the lowest bit. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_rows(
    __global const uchar *restrict bases, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0), unit = first_unit + item;
    const int count = RHOMB_PLANE_COUNT(planes);
    if (item < units)
        pack_unit(bases, codes, packed + (part_unit + unit) * count, piece_begin, length,
                  origin + step * unit * RHOMB_WORD_SYMBOLS, step, planes, count);
}

/* Columns of the bit-parallel engine: 16 a unit, the first in the top bit of 16. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_columns(
    __global const uchar *restrict bases, __global const uchar *restrict codes,
    __global ushort *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= units)
        return;
    const rhomb_i64 unit = first_unit + item;
    const int count = RHOMB_PLANE_COUNT(planes);
    uint words[8];
    gather_planes(bases, codes, piece_begin, length, origin + step * (unit * 16 + 15), -step, 16,
                  planes, words);
    for (int p = 0; p < count; p++)
        packed[(part_unit + unit) * count + p] = (ushort)words[p];
}

/*
 * Rows and columns from a packed pair. The symbols of a unit are contiguous, in the right order, in
 * one of the two copies of a sequence. Columns have the first symbol in the top bit: they are in
 * the copy of their own direction. Rows have it in the lowest bit: they are in the other copy,
 * where the last symbol of a unit comes first. So a unit is a window of the copy, and nothing is
 * reversed. Units are contiguous in the copy as well.
 */

/* The range of a unit: the last one that begins at or before it. */
static inline __global const rhomb_pack_range *range_of(
    __global const rhomb_pack_range *restrict ranges, const rhomb_i64 count, const rhomb_i64 unit)
{
    rhomb_i64 low = 0, high = count;
    while (high - low > 1) {
        const rhomb_i64 middle = (low + high) / 2;
        if (ranges[middle].first_unit <= unit)
            low = middle;
        else
            high = middle;
    }
    return &ranges[low];
}

/*
 * The first `count` symbols of a word with the first one in the top bit, 16 at most, or in the
 * lowest one.
 */
static inline uint top_bits(const rhomb_i64 count)
{
    return ~(0xffffffffu >> (uint)clamp(count, (rhomb_i64)0, (rhomb_i64)16));
}

static inline uint low_bits(const rhomb_i64 count)
{
    return count >= RHOMB_WORD_SYMBOLS ? 0xffffffffu : (1u << (uint)max(count, (rhomb_i64)0)) - 1u;
}

/*
 * 32 symbols of a plane, of which `wanted` marks those that count, and the others are padding;
 * where none does, nothing is read.
 */
static inline uint window_of(__global const uint *restrict packed, const rhomb_i64 at,
                             const uint wanted, const rhomb_i32 plane, const rhomb_i32 planes)
{
    const uint padding = (RHOMB_PAD_CODE(planes) >> plane & 1) != 0 ? ~wanted : 0;
    if (wanted == 0)
        return padding;
    const int unit = RHOMB_UNIT_WORDS(planes);
    const rhomb_i64 word = (at >> RHOMB_WORD_SYMBOLS_LOG2) * unit + plane;
    const uint shift = (uint)at & (RHOMB_WORD_SYMBOLS - 1);
    return ((uint)(((ulong)packed[word] << 32 | packed[word + unit]) << shift >> 32) & wanted) |
           padding;
}

/* Writes the rows of `count` ranges, in all `units` words of 32, one work-item each. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_row_ranges(
    __global const uint *restrict target, __global const uint *restrict query,
    __global const rhomb_pack_range *restrict ranges, __global uint *restrict rows,
    const rhomb_i64 first_range, const rhomb_i64 count, const rhomb_i64 units,
    const rhomb_i32 planes)
{
    const rhomb_i64 unit = (rhomb_i64)get_global_id(0);
    if (unit >= units)
        return;
    __global const rhomb_pack_range *range = range_of(ranges + first_range, count, unit);
    const rhomb_i64 at = (unit - range->first_unit) * RHOMB_WORD_SYMBOLS;
    const uint wanted = low_bits(range->end - at) & ~low_bits(range->begin - at);
    const int all = RHOMB_PLANE_COUNT(planes);
    for (int p = 0; p < all; p++)
        rows[unit * all + p] = window_of(range->from_query != 0 ? query : target,
                                         range->window - at, wanted, p, planes);
}

/* Writes the columns of `count` ranges, in all `units` blocks of 16, one work-item each. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void
rhomb_pack_column_ranges(__global const uint *restrict target, __global const uint *restrict query,
                         __global const rhomb_pack_range *restrict ranges,
                         __global ushort *restrict columns, const rhomb_i64 first_range,
                         const rhomb_i64 count, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 unit = (rhomb_i64)get_global_id(0);
    if (unit >= units)
        return;
    __global const rhomb_pack_range *range = range_of(ranges + first_range, count, unit);
    const rhomb_i64 at = (unit - range->first_unit) * 16;
    const uint wanted = top_bits(range->end - at) & ~top_bits(range->begin - at);
    const int all = RHOMB_PLANE_COUNT(planes);
    for (int p = 0; p < all; p++)
        columns[unit * all + p] = (ushort)(window_of(range->from_query != 0 ? query : target,
                                                     range->window + at, wanted, p, planes) >>
                                           16);
}

/* The sizes of the records that host and device share, as this device's compiler lays them out. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void rhomb_pack_sizes(
    __global rhomb_i64 *restrict sizes)
{
    sizes[0] = sizeof(rhomb_front);
    sizes[1] = sizeof(rhomb_wavefront_status);
    sizes[2] = sizeof(rhomb_strip);
    sizes[3] = sizeof(rhomb_launch);
    sizes[4] = sizeof(rhomb_pack_range);
    sizes[5] = sizeof(rhomb_affine_problem);
    sizes[6] = sizeof(rhomb_affine_tile);
    sizes[7] = sizeof(rhomb_affine_status);
    sizes[8] = sizeof(rhomb_affine_point);
}
