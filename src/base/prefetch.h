/* SPDX-License-Identifier: MIT */
/*
 * Says what memory will be read soon. The address may be any, beyond the end of an array too.
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
