/* SPDX-License-Identifier: MIT */
/*
 * Letters to packed windows (extend.clh has the layout). The host sends letters as they are in
 * memory, in pieces, with a table that gives each byte its code: folding, the choice of an alphabet
 * and the exactness of N and IUPAC letters are all in that table.
 */
#define RHOMB_OFFSET_BITS 64
#include "extend.clh"

#define RHOMB_PACK_GROUP 64

/*
 * Writes `words` windows from packed[first_word] on. Window w of the sequence starts at symbol
 * w * RHOMB_STRIDE - RHOMB_PAD_SYMBOLS. The piece `letters` holds the symbols [piece_begin,
 * piece_end) of a sequence of `length`; the host makes it cover what the windows need. Symbols
 * outside the sequence get the code 0.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_PACK_GROUP, 1, 1))) void rhomb_pack_windows(
    __global const uchar *restrict letters, __global const uchar *restrict codes,
    __global uint *restrict packed, const rhomb_i64 piece_begin, const rhomb_i64 length,
    const rhomb_i64 first_word, const rhomb_i64 words)
{
    const rhomb_i64 item = (rhomb_i64)get_global_id(0);
    if (item >= words)
        return;
    const rhomb_i64 word = first_word + item;
    const rhomb_i64 begin = word * RHOMB_STRIDE - RHOMB_PAD_SYMBOLS;
    uint window = 0;
    for (int s = 0; s < 2 * RHOMB_STRIDE; s++) {
        const rhomb_i64 at = begin + s;
        const uint code = at >= 0 && at < length ? codes[letters[at - piece_begin]] : 0;
        window = window << RHOMB_SYMBOL_BITS | code;
    }
    packed[word] = window;
}
