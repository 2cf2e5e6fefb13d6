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

#endif
