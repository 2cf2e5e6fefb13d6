/* SPDX-License-Identifier: MIT */
/*
 * Host memory from and to which transfers are fast: pinned where a device has a bus. The system
 * limits how much may be pinned; from other memory transfers take longer, and the results are the
 * same.
 */
#ifndef RHOMB_HOST_PINNED_H
#define RHOMB_HOST_PINNED_H

#include "host/device/context.h"

/* All zeros: none. */
typedef struct rhomb__pinned {
    cl_mem handle; /* NULL: the memory is not pinned */
    char *at;
    int64_t bytes;
} rhomb__pinned;

/* RHOMB_ERR_MEMORY only where there is no memory at all. Releases what was there before. */
rhomb_status rhomb__pinned_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__pinned *memory);

/* Nothing may be under way any more. */
void rhomb__pinned_release(rhomb__device_stream *stream, rhomb__pinned *memory);

#endif
