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

/*
 * Pins memory for these accesses, or fails, with the driver's reason in the stream's error; nothing
 * is left then. *memory is empty before.
 */
rhomb_status rhomb__pin(rhomb__device_stream *stream, int64_t bytes, cl_map_flags access,
                        rhomb__pinned *memory);

/*
 * The same where there is a bus and the system allows it, else memory that is not pinned; the log
 * says so. RHOMB_ERR_MEMORY only where there is none at all. Releases what was there before.
 */
rhomb_status rhomb__pinned_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__pinned *memory);

/*
 * Releases and empties it, once the stream's queue has come to the end of what uses it. Fails only
 * where the driver does not take the memory back.
 */
rhomb_status rhomb__pinned_release(rhomb__device_stream *stream, rhomb__pinned *memory);

#endif
