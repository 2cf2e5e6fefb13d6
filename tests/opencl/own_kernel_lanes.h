/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C's vectors as those of the host's compiler, which knows the operators, and the few
 * functions that kernels use with them. Part of own_kernel_c.h.
 *
 * What differs from a device. These vectors have no components (.s0), so the kernels' macros that
 * name them are defined here. Loads and stores are at the alignment of an element, as OpenCL's.
 */
#ifndef RHOMB_OPENCL_KERNEL_LANES_H
#define RHOMB_OPENCL_KERNEL_LANES_H

#define LANES(vector, element, count)                                               \
    typedef element vector __attribute__((vector_size((count) * sizeof(element)))); \
    static inline vector lanes_load_##vector(const element *from)                   \
    {                                                                               \
        vector v;                                                                   \
        memcpy(&v, from, sizeof v);                                                 \
        return v;                                                                   \
    }                                                                               \
    static inline void lanes_store_##vector(vector v, element *to)                  \
    {                                                                               \
        memcpy(to, &v, sizeof v);                                                   \
    }                                                                               \
    static inline vector lanes_splat_##vector(element value)                        \
    {                                                                               \
        const vector zeros = {0};                                                   \
        return zeros + value;                                                       \
    }                                                                               \
    static inline vector lanes_max_##vector(vector a, vector b)                     \
    {                                                                               \
        const vector greater = (vector)(a > b);                                     \
        return (a & greater) | (b & ~greater);                                      \
    }                                                                               \
    static inline vector lanes_select_##vector(vector no, vector yes, vector mask)  \
    {                                                                               \
        return (yes & mask) | (no & ~mask);                                         \
    }                                                                               \
    /* Each element to the next one up or down, and `in` where there is none. */    \
    static inline vector lanes_up_##vector(vector v, element in)                    \
    {                                                                               \
        element elements[(count) + 1];                                              \
        elements[0] = in;                                                           \
        memcpy(elements + 1, &v, sizeof v);                                         \
        return lanes_load_##vector(elements);                                       \
    }                                                                               \
    static inline vector lanes_down_##vector(vector v, element in)                  \
    {                                                                               \
        element elements[(count) + 1];                                              \
        memcpy(elements, &v, sizeof v);                                             \
        elements[count] = in;                                                       \
        return lanes_load_##vector(elements + 1);                                   \
    }                                                                               \
    static inline bool lanes_any_##vector(vector mask)                              \
    {                                                                               \
        bool found = false;                                                         \
        for (int i = 0; i < (count); i++)                                           \
            found |= mask[i] < 0;                                                   \
        return found;                                                               \
    }

LANES(int8, int, 8)
LANES(int16, int, 16)
LANES(short16, short, 16)
#pragma GCC diagnostic ignored "-Wtype-limits"
LANES(uint16, uint, 16)

/* By the element that is pointed to, and by the vector. */
#define LANES_OF_ELEMENT(function, at) \
    _Generic(*(at), int : function##_int16, uint : function##_uint16, short : function##_short16)
#define LANES_OF(function, v)             \
    _Generic((v), int16                   \
             : function##_int16, uint16   \
             : function##_uint16, short16 \
             : function##_short16)

#define vload8(at, from)      lanes_load_int8((from) + 8 * (at))
#define vstore8(v, at, to)    lanes_store_int8(v, (to) + 8 * (at))
#define vload16(at, from)     LANES_OF_ELEMENT(lanes_load, from)((from) + 16 * (at))
#define vstore16(v, at, to)   LANES_OF(lanes_store, v)(v, (to) + 16 * (at))
#define select(no, yes, mask) LANES_OF(lanes_select, no)(no, yes, mask)
#define any(mask)             LANES_OF(lanes_any, mask)(mask)
#define max(a, b)                                \
    _Generic((a), int8                           \
             : lanes_max_int8, int16             \
             : lanes_max_int16, short16          \
             : lanes_max_short16, int            \
             : EMU_SAME(emu_max, b, int), uint   \
             : EMU_SAME(emu_max, b, uint), long  \
             : EMU_SAME(emu_max, b, long), ulong \
             : EMU_SAME(emu_max, b, ulong))(a, b)
#define RHOMB_SPLAT(in) lanes_splat_uint16(in)
#define RHOMB_UP(v, in) lanes_up_uint16(v, in)
#if defined(RHOMB_BITS) && RHOMB_BITS == 16
#    define LOCAL_SPLAT(n) lanes_splat_short16(n)
#else
#    define LOCAL_SPLAT(n) lanes_splat_int16(n)
#endif
/* See cl/local/local_matrix.clh. */
static inline short16 lanes_turns(short16 a, short16 b, int from)
{
    short16 v;
    for (int i = 0; i < 16; i++) {
        const int at = i / 8 * 8 + from + i % 8 / 2;
        v[i] = i % 2 == 0 ? a[at] : b[at];
    }
    return v;
}
static inline short16 lanes_halves(const short *a, const short *b)
{
    short16 v;
    memcpy(&v, a, 8 * sizeof *a);
    memcpy((char *)&v + 8 * sizeof *a, b, 8 * sizeof *b);
    return v;
}
static inline int16 lanes_of_shorts(short16 v)
{
    int16 n;
    for (int i = 0; i < 16; i++)
        n[i] = v[i];
    return n;
}
#define LOCAL_TURNS_LOW(a, b)  lanes_turns(a, b, 0)
#define LOCAL_TURNS_HIGH(a, b) lanes_turns(a, b, 4)
#define LOCAL_HALVES(a, b)     lanes_halves(a, b)
#if !defined(RHOMB_BITS) || RHOMB_BITS != 16
#    define LOCAL_OF_SHORTS(v) lanes_of_shorts(v)
#endif
#define LOCAL_STORE_BYTES(v, to)              \
    do {                                      \
        for (int lane = 0; lane < 16; lane++) \
            (to)[lane] = (uchar)(v)[lane];    \
    } while (0)
#define LOCAL_UP(v, in)   LANES_OF(lanes_up, v)(v, in)
#define LOCAL_DOWN(v, in) LANES_OF(lanes_down, v)(v, in)
#define LOCAL_LAST(v)     ((v)[15])

#endif
