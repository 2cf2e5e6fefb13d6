/* SPDX-License-Identifier: MIT */
/*
 * What a rank has while it serves rank 0 (rhomb/ranks.h, host/device/remote.h): the pairs that were
 * sent to it, and what runs on them. Rank 0's end of the requests about pairs is in task.h.
 */
#ifndef RHOMB_HOST_SERVED_H
#define RHOMB_HOST_SERVED_H

#include "host/device/remote.h"
#include "host/engines/task.h"

/* A pair, as a rank has it. */
typedef struct rhomb__served_pair {
    char *bases; /* of the target, then of the query */
    int64_t room;
    rhomb__task task;
    rhomb__programs programs;
    rhomb__buffer target, query; /* packed for the engine, if that was asked for */
} rhomb__served_pair;

typedef struct rhomb__served {
    rhomb_context *ctx;
    rhomb__link leader;
    rhomb__served_pair pairs[RHOMB__PAIR_SLOTS];
    void *sweep; /* of bitparallel/remote_sweep.h; NULL: none is open */
    void *group; /* of host/divide/remote_group.h; the same */
} rhomb__served;

/*
 * The rank's end of the requests about pairs. Each takes its request from the message; what it puts
 * there afterwards is the reply, if it succeeds. (remote_pair.c)
 */
rhomb_status rhomb__serve_pair(rhomb__served *served, rhomb__message *message);
rhomb_status rhomb__serve_release(rhomb__served *served, rhomb__message *message);

/* Releases all pairs. */
void rhomb__serve_forget(rhomb__served *served);

/* Bytes of device buffers, which rank 0 reads. They go in pieces, so that messages stay small. */

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
