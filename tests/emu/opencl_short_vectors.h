/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C's int8 as a vector of the host's compiler, which knows the operators, and the few
 * functions that cl/batch/batch.cl uses with it. Goes with opencl_c.h.
 */
#ifndef RHOMB_EMU_OPENCL_SHORT_VECTORS_H
#define RHOMB_EMU_OPENCL_SHORT_VECTORS_H

#include "opencl_c.h"

#include <string.h>

typedef int int8 __attribute__((vector_size(32)));

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

#undef max
#define max(a, b) _Generic((a), int8 : emu_max_int8, int : emu_max_int, long : emu_max_long)(a, b)

#endif
