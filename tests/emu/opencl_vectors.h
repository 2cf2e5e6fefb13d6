/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C's uint16 as a vector of the host's compiler, which knows the operators, and the few
 * functions that cl/bitparallel/bitparallel_lanes.cl uses with it. Goes with opencl_c.h.
 *
 * What differs from a device. These vectors have no components (.s0), so RHOMB_UP and RHOMB_SPLAT
 * are defined here. Kernels load and store vectors at the alignment of their elements; here, too,
 * as bytes.
 */
#ifndef RHOMB_EMU_OPENCL_VECTORS_H
#define RHOMB_EMU_OPENCL_VECTORS_H

#include "opencl_c.h"

#include <string.h>

typedef uint uint16 __attribute__((vector_size(64)));

static inline uint16 vload16(size_t at, const uint *from)
{
    uint16 v;
    memcpy(&v, from + 16 * at, sizeof v);
    return v;
}

static inline void vstore16(uint16 v, size_t at, uint *to)
{
    memcpy(to + 16 * at, &v, sizeof v);
}

static inline uint16 emu_splat(uint value)
{
    const uint16 zeros = {0};
    return zeros + value;
}

/* Each element to the next one up, and `in` to the first. */
static inline uint16 emu_up(uint16 v, uint in)
{
    uint elements[17];
    elements[0] = in;
    memcpy(elements + 1, &v, sizeof v);
    return vload16(0, elements);
}

#define RHOMB_SPLAT(in) emu_splat(in)
#define RHOMB_UP(v, in) emu_up(v, in)

#endif
