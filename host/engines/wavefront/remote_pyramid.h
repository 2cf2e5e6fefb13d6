/* SPDX-License-Identifier: MIT */
/*
 * One direction of a wavefront on another rank, see wavefront_two.c: the requests of rank 0 and
 * what the rank does. Rank 0 lays out the launches of both directions and sends those of a batch in
 * one message; the rank replies with its status record once they are done. It has the next batch by
 * then, so that it has something to do while rank 0 reads that.
 *
 *     rank 0      open  write  run 1  run 2   wait 1  run 3   wait 2  ...  wait, read   close
 *     the rank                 launches 1|reply launches 2|reply ...
 *
 * Rank 0's pyramid of it has no buffers, but the numbers by which launches are laid out
 * (rhomb__pyramid.rank). Errors are recorded in the rank's context.
 */
#ifndef RHOMB_HOST_REMOTE_PYRAMID_H
#define RHOMB_HOST_REMOTE_PYRAMID_H

#include "host/engines/served.h"
#include "host/engines/two_devices.h"
#include "host/engines/wavefront/pyramid.h"

/*
 * The other device's program for a tile, wherever it is: `is_first`, that of `programs`, else the
 * one for a wide pyramid, which is built if that was not done before the run.
 */
rhomb_status rhomb__pyramid_program_on(rhomb_context *ctx, const rhomb__programs *programs,
                                       const rhomb__plan *tile, bool is_first,
                                       const rhomb__program **out);

/* What the rank says at the end of a run. */
typedef struct rhomb__pyramid_reply {
    rhomb_wavefront_status status;
    int64_t launches; /* so far */
} rhomb__pyramid_reply;

/*
 * As rhomb__pyramid_double() on the rank, which does the backward direction from here on. The
 * problem's plan says how; `is_first`: its tile is that of the plan that the rank has the pair by.
 */
rhomb_status rhomb__remote_pyramid_open(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                        const rhomb__pyramid *from, const rhomb__problem *problem,
                                        bool is_first, const rhomb_wavefront_status *record);

/* As those of pyramid.h, after all that the rank was asked for. */
rhomb_status rhomb__remote_pyramid_hold(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                        rhomb__window to);
rhomb_status rhomb__remote_pyramid_retile(rhomb__pyramid *pyramid, rhomb__two_devices *two,
                                          bool is_first);
rhomb_status rhomb__remote_pyramid_tighten(rhomb__two_devices *two, int64_t bound);

/*
 * Begins an order, which is empty before: the rank keeps its newest wavefront at `place`, unless
 * that is negative. Then adds launches, and sends it; *reply is for rhomb__two_wait().
 */
void rhomb__remote_pyramid_begin(const rhomb__pyramid *pyramid, rhomb__message *order, int place);
void rhomb__remote_pyramid_enqueue(rhomb__pyramid *pyramid, rhomb__message *order,
                                   const rhomb__launch *launch);
rhomb_status rhomb__remote_pyramid_run(rhomb__two_devices *two, rhomb__message *order,
                                       rhomb__pyramid_reply *reply);

/* Nothing fails that matters. The rank has replied to all requests. */
void rhomb__remote_pyramid_close(rhomb_context *other);

/* The rank's end of all of these requests. */
rhomb_status rhomb__serve_pyramid(rhomb__served *served, rhomb__message *message);

/* Closes what is open. */
void rhomb__serve_pyramid_close(rhomb__served *served);

#endif
