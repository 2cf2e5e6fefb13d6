/* SPDX-License-Identifier: MIT */
/*
 * 64-bit integer helpers.
 */
#ifndef RHOMB_SRC_INT64_H
#define RHOMB_SRC_INT64_H

#include <stdint.h>

static inline int64_t rhomb__min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t rhomb__max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The largest power of two that is at most `value`; 1 for values below 2. */
static inline int64_t rhomb__power_of_two_within(int64_t value)
{
    int64_t power = 1;
    while (power <= value / 2)
        power *= 2;
    return power;
}

/* Quotients rounded down and up, also of negative numbers; b > 0. */
static inline int64_t rhomb__floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static inline int64_t rhomb__ceil_div(int64_t a, int64_t b)
{
    return -rhomb__floor_div(-a, b);
}

/* Bits that are set. */
static inline int64_t rhomb__count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int64_t)(bits * UINT64_C(0x0101010101010101) >> 56);
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
