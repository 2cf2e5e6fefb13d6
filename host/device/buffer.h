/* SPDX-License-Identifier: MIT */
/*
 * Device memory in counted buffers. A request that cannot fit is refused with a sentence instead of
 * a driver's error, and reports can say what was used.
 */
#ifndef RHOMB_HOST_BUFFER_H
#define RHOMB_HOST_BUFFER_H

#include "host/device/context.h"

typedef struct rhomb__buffer {
    cl_mem handle; /* NULL: no buffer */
    int64_t bytes;
} rhomb__buffer;

/*
 * Allocates `bytes` on the open device for `what` ("the packed target"). RHOMB_ERR_DEVICE_MEMORY
 * when it is more than the device's largest buffer or than what is left of its memory. On failure
 * *out is empty.
 */
rhomb_status rhomb__buffer_create(rhomb__device_stream *stream, int64_t bytes, const char *what,
                                  rhomb__buffer *out);

/* Reads bytes from `at` on, and waits; after all that is enqueued. */
rhomb_status rhomb__buffer_read(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                int64_t at, int64_t bytes, void *to);

/* The same without keeping a core busy, from 0 on. Nothing is running then, even on failure. */
rhomb_status rhomb__buffer_fetch(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                 int64_t bytes, void *to);

/*
 * Writes bytes at the beginning, after all that is enqueued, and waits; the second does not, and
 * reads `from` later.
 */
rhomb_status rhomb__buffer_write(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                 int64_t bytes, const void *from);
rhomb_status rhomb__buffer_send(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                int64_t bytes, const void *from);

/*
 * Fills the places [from, to) of a buffer with no offset of a wavefront, of 4 bytes or 8, which a
 * load replaces by the floor.
 */
rhomb_status rhomb__buffer_fill_offsets(rhomb__device_stream *stream, const rhomb__buffer *buffer,
                                        int64_t bytes, int64_t from, int64_t to);

/* Releases a buffer and empties it. An empty buffer is fine. */
void rhomb__buffer_release(rhomb__device_stream *stream, rhomb__buffer *buffer);

/*
 * Host memory from and to which transfers are fast: pinned where a device has a bus. The system
 * limits how much may be pinned; from other memory transfers take longer, and the results are the
 * same. All zeros: none.
 */
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
