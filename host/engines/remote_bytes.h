/* SPDX-License-Identifier: MIT */
/*
 * Bytes of device buffers on another rank, which rank 0 reads: both ends. They go in pieces, so
 * that messages stay small.
 */
#ifndef RHOMB_HOST_REMOTE_BYTES_H
#define RHOMB_HOST_REMOTE_BYTES_H

#include "host/engines/served.h"

/*
 * Reads `bytes` from `at` on in the buffer `which` of what the rank serves by such requests. Errors
 * are recorded in the rank's context.
 */
rhomb_status rhomb__remote_read(rhomb_context *other, rhomb__request request, int32_t which,
                                int64_t at, int64_t bytes, void *to);

/* The rank's end: `which` is one of `buffers`, of which there are `count`. */
rhomb_status rhomb__serve_read(rhomb__served *served, rhomb__message *message,
                               const rhomb__buffer *buffers, int32_t count);

#endif
