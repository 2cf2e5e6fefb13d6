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

/* Releases a buffer and empties it. An empty buffer is fine. */
void rhomb__buffer_release(rhomb__device_stream *stream, rhomb__buffer *buffer);

#endif
