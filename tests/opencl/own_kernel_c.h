/* SPDX-License-Identifier: MIT */
/*
 * As much of OpenCL C 1.2 as the kernels in cl/ use, in C11, so that the host's compilers and
 * sanitizers can look at them. compile.sh puts it before a program's text; own_group.h runs the
 * kernels.
 *
 * What differs from a device. A __local declaration becomes a static variable, shared by the items
 * of a group because groups run one after the other; a parameter that points there is declared with
 * RHOMB_LOCAL. Built-in functions take operands of equal type, as OpenCL's do, else they do not
 * compile. `long` must have 64 bits.
 */
#ifndef RHOMB_OPENCL_KERNEL_C_H
#define RHOMB_OPENCL_KERNEL_C_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "own_group.h"

/* Of the program: set once it is loaded. */
const group_item *rhomb_item;
void (*rhomb_barrier)(void);

#define __ENDIAN_LITTLE__ 1

_Static_assert(sizeof(long) == 8, "OpenCL's long has 64 bits");

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

typedef struct uint2 {
    uint x;
    uint y;
} uint2;

typedef struct uint4 {
    _Alignas(16) uint x;
    uint y, z, w;
} uint4;

typedef struct int2 {
    int x;
    int y;
} int2;

typedef struct ulong4 {
    ulong s0, s1, s2, s3;
} ulong4;

typedef struct long2 {
    long x;
    long y;
} long2;

/* compile.sh looks for __kernel, __global, RHOMB_LOCAL, rhomb_variable and reqd_work_group_size. */
#define __constant static const
#define __private
#define __local     static rhomb_variable
#define RHOMB_LOCAL rhomb_local

#define CLK_LOCAL_MEM_FENCE  1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fences)      ((void)(fences), rhomb_barrier())

#define get_local_id(dimension)    (rhomb_item->local_id[dimension])
#define get_group_id(dimension)    (rhomb_item->group_id[dimension])
#define get_local_size(dimension)  (rhomb_item->local_size[dimension])
#define get_num_groups(dimension)  (rhomb_item->groups[dimension])
#define get_global_size(dimension) (get_num_groups(dimension) * get_local_size(dimension))
#define get_global_id(dimension) \
    (get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension))

/* Items run one at a time, so plain accesses are atomic. */
#define atomic_inc(at)        ((*(at))++)
#define atomic_add(at, value) ((*(at) += (value)) - (value))
#define atomic_min(at, value) (*(at) = min(*(at), value))
#define atomic_max(at, value) (*(at) = max(*(at), value))
#define atomic_or(at, value)  ((void)(*(at) |= (value)))

/* A group of functions, one a type; the macros below choose by the operands' types. */
#define EMU_EACH_TYPE(X) \
    X(int, int, uint) X(uint, uint, uint) X(long, long, ulong) X(ulong, ulong, ulong)

#define EMU_FUNCTIONS(name, type, absolute_type)                                           \
    static inline type emu_min_##name(type a, type b)                                      \
    {                                                                                      \
        return b < a ? b : a;                                                              \
    }                                                                                      \
    static inline type emu_max_##name(type a, type b)                                      \
    {                                                                                      \
        return a < b ? b : a;                                                              \
    }                                                                                      \
    static inline type emu_clamp_##name(type value, type low, type high)                   \
    {                                                                                      \
        return emu_min_##name(emu_max_##name(value, low), high);                           \
    }                                                                                      \
    static inline absolute_type emu_abs_##name(type value)                                 \
    {                                                                                      \
        return value > 0 ? (absolute_type)value : (absolute_type)0 - (absolute_type)value; \
    }
EMU_EACH_TYPE(EMU_FUNCTIONS)

static inline uint emu_clz_uint(uint bits)
{
    return bits != 0 ? (uint)__builtin_clz(bits) : 32;
}

static inline ulong emu_clz_ulong(ulong bits)
{
    return bits != 0 ? (ulong)__builtin_clzl(bits) : 64;
}

static inline uint emu_popcount_uint(uint bits)
{
    return (uint)__builtin_popcount(bits);
}

static inline ulong emu_popcount_ulong(ulong bits)
{
    return (ulong)__builtin_popcountl(bits);
}

#define EMU_OF_TYPE(function, a)      \
    _Generic((a), int                 \
             : function##_int, uint   \
             : function##_uint, long  \
             : function##_long, ulong \
             : function##_ulong)
/* The function if the other operand has the type as well, or else one that takes neither. */
struct emu_mixed;
void emu_mixed(struct emu_mixed *);
#define EMU_SAME(function, b, type) _Generic((b), type : function##_##type, default : emu_mixed)
#define EMU_OF_TYPES(function, a, b)              \
    _Generic((a), int                             \
             : EMU_SAME(function, b, int), uint   \
             : EMU_SAME(function, b, uint), long  \
             : EMU_SAME(function, b, long), ulong \
             : EMU_SAME(function, b, ulong))

#define abs(a)              EMU_OF_TYPE(emu_abs, a)(a)
#define clz(a)              _Generic((a), uint : emu_clz_uint, ulong : emu_clz_ulong)(a)
#define popcount(a)         _Generic((a), uint : emu_popcount_uint, ulong : emu_popcount_ulong)(a)
#define min(a, b)           EMU_OF_TYPES(emu_min, a, b)(a, b)
#define clamp(a, low, high) EMU_OF_TYPE(emu_clamp, a)(a, low, high)

#include "own_kernel_lanes.h"

#endif
