/* SPDX-License-Identifier: MIT */
/*
 * Words as sets of bits.
 */
#ifndef RHOMB_SRC_BITS_H
#define RHOMB_SRC_BITS_H

#include <stdint.h>

static inline int64_t rhomb__count_bits(uint32_t word)
{
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return word * 0x01010101u >> 24;
}

/* Bits from the highest one that is set; 0 of 0. */
static inline uint64_t rhomb__bit_length(uint64_t word)
{
    uint64_t length = 0;
    for (uint64_t half = 32; half > 0; half /= 2)
        if (word >> half != 0) {
            word >>= half;
            length += half;
        }
    return length + word;
}

#endif
