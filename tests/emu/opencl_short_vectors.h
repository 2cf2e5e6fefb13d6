/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C's uchar16 and int8 as vectors of the host's compiler, which knows the operators, and the
 * few functions that cl/batch.cl uses with them. Goes with opencl_c.h.
 *
 * What differs from a device. A scalar cannot be cast to these vectors, so RHOMB_SPLAT is defined
 * here.
 */
#ifndef RHOMB_EMU_OPENCL_SHORT_VECTORS_H
#define RHOMB_EMU_OPENCL_SHORT_VECTORS_H

#include "opencl_c.h"

#include <string.h>

typedef uchar uchar16 __attribute__((vector_size(16)));
typedef signed char char16 __attribute__((vector_size(16)));
typedef int int8 __attribute__((vector_size(32)));

static inline uchar16 emu_splat(uchar value)
{
    const uchar16 zeros = {0};
    return zeros + value;
}

/* Loads and stores at the alignment of the elements, as OpenCL's. */
static inline int8 vload8(size_t at, const int *from)
{
    int8 v;
    memcpy(&v, from + 8 * at, sizeof v);
    return v;
}

static inline void vstore8(int8 v, size_t at, int *to)
{
    memcpy(to + 8 * at, &v, sizeof v);
}

static inline int8 emu_max_int8(int8 a, int8 b)
{
    const int8 greater = a > b;
    return (a & greater) | (b & ~greater);
}

/* Whether the top bits of all elements are set. */
static inline bool emu_all(char16 v)
{
    signed char elements[16];
    memcpy(elements, &v, sizeof v);
    for (int i = 0; i < 16; i++)
        if (elements[i] >= 0)
            return false;
    return true;
}

#undef max
#define max(a, b)           _Generic((a), int8 : emu_max_int8, int : emu_max_int, long : emu_max_long)(a, b)
#define all(v)              emu_all(v)
#define RHOMB_SPLAT(letter) emu_splat(letter)

#endif
