/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C's short16 and int16 as vectors of the host's compiler, which knows the operators, and
 * the few functions that cl/batch/batch_local_lanes.clh uses with them. Goes with opencl_c.h. These
 * vectors have no components (.s0), so macros that name them are defined here.
 */
#ifndef RHOMB_EMU_OPENCL_WIDE_VECTORS_H
#define RHOMB_EMU_OPENCL_WIDE_VECTORS_H

#include "opencl_c.h"

#include <string.h>

#define EMU_WIDE(vector, element)                                                \
    typedef element vector __attribute__((vector_size(16 * sizeof(element))));   \
    static inline vector emu_load_##vector(const element *from)                  \
    {                                                                            \
        vector v;                                                                \
        memcpy(&v, from, sizeof v);                                              \
        return v;                                                                \
    }                                                                            \
    static inline void emu_store_##vector(vector v, element *to)                 \
    {                                                                            \
        memcpy(to, &v, sizeof v);                                                \
    }                                                                            \
    static inline vector emu_splat_##vector(element value)                       \
    {                                                                            \
        const vector zeros = {0};                                                \
        return zeros + value;                                                    \
    }                                                                            \
    static inline vector emu_max_##vector(vector a, vector b)                    \
    {                                                                            \
        const vector greater = a > b;                                            \
        return (a & greater) | (b & ~greater);                                   \
    }                                                                            \
    static inline vector emu_select_##vector(vector no, vector yes, vector mask) \
    {                                                                            \
        return (yes & mask) | (no & ~mask);                                      \
    }                                                                            \
    static inline vector emu_up_##vector(vector v, element in)                   \
    {                                                                            \
        element elements[17];                                                    \
        elements[0] = in;                                                        \
        memcpy(elements + 1, &v, sizeof v);                                      \
        return emu_load_##vector(elements);                                      \
    }                                                                            \
    static inline vector emu_down_##vector(vector v, element in)                 \
    {                                                                            \
        element elements[17];                                                    \
        memcpy(elements, &v, sizeof v);                                          \
        elements[16] = in;                                                       \
        return emu_load_##vector(elements + 1);                                  \
    }                                                                            \
    static inline bool emu_any_##vector(vector mask)                             \
    {                                                                            \
        bool found = false;                                                      \
        for (int i = 0; i < 16; i++)                                             \
            found |= mask[i] < 0;                                                \
        return found;                                                            \
    }

#if RHOMB_BITS == 16
EMU_WIDE(short16, short)
#    define EMU_WIDE_VECTOR       short16
#    define EMU_WIDE_OF(function) function##_short16
#else
EMU_WIDE(int16, int)
#    define EMU_WIDE_VECTOR       int16
#    define EMU_WIDE_OF(function) function##_int16
#endif

#define vload16(at, from)     EMU_WIDE_OF(emu_load)((from) + 16 * (at))
#define vstore16(v, at, to)   EMU_WIDE_OF(emu_store)(v, (to) + 16 * (at))
#define select(no, yes, mask) EMU_WIDE_OF(emu_select)(no, yes, mask)
#define any(mask)             EMU_WIDE_OF(emu_any)(mask)
#define LOCAL_SPLAT(n)        EMU_WIDE_OF(emu_splat)((n))
#define LOCAL_UP(v, in)       EMU_WIDE_OF(emu_up)(v, in)
#define LOCAL_DOWN(v, in)     EMU_WIDE_OF(emu_down)(v, in)
#define LOCAL_LAST(v)         ((v)[15])
#undef max
#define max(a, b)                        \
    _Generic((a), EMU_WIDE_VECTOR        \
             : EMU_WIDE_OF(emu_max), int \
             : emu_max_int, uint         \
             : emu_max_uint, long        \
             : emu_max_long)(a, b)

#endif
