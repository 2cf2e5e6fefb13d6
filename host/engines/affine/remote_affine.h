/* SPDX-License-Identifier: MIT */
/*
 * One direction of an affine wavefront on another rank, see affine_batch.h: the requests of rank 0
 * and what the rank does. As in wavefront/remote_pyramid.h, a batch is one message, with what the
 * direction is to do in each launch; its tiles are listed on both ends.
 *
 * Rank 0's waves of it have no buffers, but the list and the counts (rhomb__affine_waves.rank).
 * Errors are recorded in the rank's context.
 */
#ifndef RHOMB_HOST_REMOTE_AFFINE_H
#define RHOMB_HOST_REMOTE_AFFINE_H

#include "host/engines/affine/affine_waves.h"
#include "host/engines/served.h"
#include "host/engines/two_devices.h"

/* What another rank says at the end of a batch. */
typedef struct rhomb__affine_reply {
    rhomb_affine_status status;
    int64_t launches, reads; /* so far */
} rhomb__affine_reply;

/* Opens the backward direction on the rank, without offsets; the first device has this shape. */
rhomb_status rhomb__remote_affine_open(rhomb__affine_waves *waves, rhomb__two_devices *two,
                                       const rhomb__affine_shape *shape);

/* As rhomb__affine_waves_grow(); `from` is NULL: as rhomb__affine_waves_begin(). */
rhomb_status rhomb__remote_affine_hold(rhomb__two_devices *two, const rhomb_affine_problem *from,
                                       const rhomb_affine_problem *to, int64_t offsets,
                                       int32_t turn);

/*
 * Begins an order, to which the stretch of each launch is added; and sends it. *reply is there
 * after rhomb__two_wait().
 */
void rhomb__remote_affine_begin(rhomb__message *order, const rhomb__affine_run *run);
rhomb_status rhomb__remote_affine_run(rhomb__two_devices *two, rhomb__message *order,
                                      rhomb__affine_reply *reply);

/* Nothing fails that matters. The rank has replied to all requests. */
void rhomb__remote_affine_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_affine(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_affine_close(rhomb__served *served);

#endif
