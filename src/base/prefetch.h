/* SPDX-License-Identifier: MIT */
/*
 * Prefetches memory that will be read soon. Any address is allowed, even beyond the end of an
 * array.
 */
#ifndef RHOMB_SRC_PREFETCH_H
#define RHOMB_SRC_PREFETCH_H

#include <stdint.h>

static inline void rhomb__prefetch(uintptr_t address)
{
#if defined(__GNUC__)
    __builtin_prefetch((const void *)address);
#else
    (void)address;
#endif
}

#endif
