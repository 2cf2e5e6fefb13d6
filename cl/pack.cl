/* SPDX-License-Identifier: MIT */
/*
 * Letters to bit planes of symbols, for extend.clh and for bitparallel.clh. The host sends
 * letters as they are in memory, in pieces, with a table that gives each byte its code: folding,
 * the choice of an alphabet and the exactness of N and IUPAC letters are all in that table.
 */
#include "abi.h"

#define RHOMB_PACK_GROUP 64

/* The code of the symbol at `at` of a sequence; outside of it 0. */
static inline uint code_at(__global const uchar *restrict letters,
                           __global const uchar *restrict codes, const rhomb_i64 piece_begin,
                           const rhomb_i64 length, const rhomb_i64 at)
{
    return at >= 0 && at < length ? codes[letters[at - piece_begin]] : 0;
}

/*
 * Each kernel writes the units [first_unit, first_unit + units) of a part of the packed sequence,
 * which begins with unit part_unit of `packed`; a work-item each. Symbol s of the part is symbol
 * origin + step * s of the sequence (step -1: the part is reversed). The piece `letters` begins
 * with symbol piece_begin of a sequence of `length`; the host makes it cover what the units look
 * at.
 */

/* The bit planes of `count` symbols from `at` on, the first in the lowest bit. */
static inline void gather_planes(__global const uchar *restrict letters,
                                 __global const uchar *restrict codes, const rhomb_i64 piece_begin,
                                 const rhomb_i64 length, const rhomb_i64 at, const rhomb_i64 step,
                                 const int count, uint *words)
{
    for (int p = 0; p < 8; p++)
        words[p] = 0;
    for (int s = 0; s < count; s++) {
        const uint code = code_at(letters, codes, piece_begin, length, at + step * s);
        for (int p = 0; p < 8; p++)
            words[p] |= (code >> p & 1u) << s;
    }
}

/* Writes a unit of 32 symbols from `at` on. */
static inline void pack_unit(__global const uchar *restrict letters,
                             __global const uchar *restrict codes, __global uint *restrict unit,
                             const rhomb_i64 piece_begin, const rhomb_i64 length,
                             const rhomb_i64 at, const rhomb_i64 step, const rhomb_i32 planes)
{
    uint words[8];
    gather_planes(letters, codes, piece_begin, length, at, step, RHOMB_WORD_SYMBOLS, words);
    for (int p = 0; p < planes; p++)
        unit[p] = words[p];
}

/* For the wavefront engine: 32 symbols a unit, the first in the top bit. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_windows(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0), unit = first_unit + item;
    const rhomb_i64 last = origin + step * (unit * RHOMB_WORD_SYMBOLS + RHOMB_WORD_SYMBOLS - 1);
    if (item < units)
        pack_unit(letters, codes, packed + (part_unit + unit) * planes, piece_begin, length, last,
                  -step, planes);
}

/* Rows of the bit-parallel engine: 32 a unit, the first in the lowest bit. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_rows(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0), unit = first_unit + item;
    if (item < units)
        pack_unit(letters, codes, packed + (part_unit + unit) * planes, piece_begin, length,
                  origin + step * unit * RHOMB_WORD_SYMBOLS, step, planes);
}

/* Columns of the bit-parallel engine: 16 a unit, the first in the top bit of 16. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_columns(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global ushort *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 origin, const rhomb_i64 step, const rhomb_i64 part_unit,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= units)
        return;
    const rhomb_i64 unit = first_unit + item;
    uint words[8];
    gather_planes(letters, codes, piece_begin, length, origin + step * (unit * 16 + 15), -step, 16,
                  words);
    for (int p = 0; p < planes; p++)
        packed[(part_unit + unit) * planes + p] = (ushort)words[p];
}

/* The sizes of the records that host and device share, as this device's compiler lays them out. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void rhomb_pack_sizes(
    __global rhomb_i64 *restrict sizes)
{
    sizes[0] = sizeof(rhomb_front);
    sizes[1] = sizeof(rhomb_wavefront_status);
    sizes[2] = sizeof(rhomb_strip);
    sizes[3] = sizeof(rhomb_band);
}
