/* SPDX-License-Identifier: MIT */
/*
 * Letters to packed symbols: windows (extend.clh) and bit planes (bitparallel.cl). The host sends
 * letters as they are in memory, in pieces, with a table that gives each byte its code: folding,
 * the choice of an alphabet and the exactness of N and IUPAC letters are all in that table.
 */
#define RHOMB_OFFSET_BITS 64
#include "extend.clh"

#define RHOMB_PACK_GROUP 64

/* The code of the symbol at `at` of a sequence; outside of it 0. */
static inline uint code_at(__global const uchar *restrict letters,
                           __global const uchar *restrict codes, const rhomb_i64 piece_begin,
                           const rhomb_i64 length, const rhomb_i64 at)
{
    return at >= 0 && at < length ? codes[letters[at - piece_begin]] : 0;
}

/*
 * Each kernel writes `units` units of packed symbols from unit `first_unit` on, a work-item each.
 * The piece `letters` begins with symbol piece_begin of a sequence of `length`; the host makes it
 * cover what the units look at.
 */

/* Windows for the wavefront engine: unit w starts at symbol w * RHOMB_STRIDE - RHOMB_PAD_SYMBOLS.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_windows(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 unused)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= units)
        return;
    const rhomb_i64 begin = (first_unit + item) * RHOMB_STRIDE - RHOMB_PAD_SYMBOLS;
    uint window = 0;
    for (int s = 0; s < 2 * RHOMB_STRIDE; s++)
        window =
            window << RHOMB_SYMBOL_BITS | code_at(letters, codes, piece_begin, length, begin + s);
    packed[first_unit + item] = window;
}

/* Bit planes of rows for the bit-parallel engine: 32 rows a unit, the first in the lowest bit. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_rows(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= units)
        return;
    const rhomb_i64 unit = first_unit + item;
    uint words[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int s = 0; s < 32; s++) {
        const uint code = code_at(letters, codes, piece_begin, length, unit * 32 + s);
        for (int p = 0; p < 8; p++)
            words[p] |= (code >> p & 1u) << s;
    }
    for (int p = 0; p < planes; p++)
        packed[unit * planes + p] = words[p];
}

/* Bit planes of columns: 16 columns a unit, the first in the top bit of 16. */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_columns(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global ushort *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 first_unit, const rhomb_i64 units, const rhomb_i32 planes)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= units)
        return;
    const rhomb_i64 unit = first_unit + item;
    uint words[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int s = 0; s < 16; s++) {
        const uint code = code_at(letters, codes, piece_begin, length, unit * 16 + s);
        for (int p = 0; p < 8; p++)
            words[p] |= (code >> p & 1u) << (15 - s);
    }
    for (int p = 0; p < planes; p++)
        packed[unit * planes + p] = (ushort)words[p];
}
