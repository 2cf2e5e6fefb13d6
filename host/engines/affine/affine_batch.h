/* SPDX-License-Identifier: MIT */
/*
 * The running affine wavefront of a pair, and its batches: launches of both directions, at the end
 * of which the host reads how far they have come. engine_affine.c decides what comes after one.
 */
#ifndef RHOMB_HOST_AFFINE_BATCH_H
#define RHOMB_HOST_AFFINE_BATCH_H

#include "host/engines/affine/affine_waves.h"
#include "host/engines/engine.h"

typedef struct rhomb__affine_meeting {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__solution solution;
    rhomb__affine_waves waves;
    rhomb_affine_problem place;
    int64_t held;     /* scores that the place is for */
    int64_t complete; /* scores up to this one are enqueued */
    int64_t bound;
    int64_t reach;   /* antidiagonals of both directions together, as read last, and ... */
    int64_t forward; /* ... of one of them */
    int32_t far_shift;
    int32_t launch; /* the number of the next launch, and of the look after it */
    int64_t batch_launches;
    double next_look, pace;
    double began;
    rhomb__forecast forecast; /* for progress; a restored run begins anew */
} rhomb__affine_meeting;

/* By how many scores the costs look back. */
int64_t rhomb__affine_meeting_lookback(const rhomb__affine_meeting *meeting);

/* Lays out the place of the offsets for scores up to `until`; their number in a buffer. */
int64_t rhomb__affine_meeting_lay_out(const rhomb__affine_meeting *meeting, int64_t until,
                                      rhomb_affine_problem *place);

/* The diagonals of scores up to `until` have a place. */
void rhomb__affine_meeting_take_place(rhomb__affine_meeting *meeting,
                                      const rhomb_affine_problem *place, int64_t until,
                                      int64_t offsets);

/* Lists tiles of both directions from score `from` to scores `to`, if those come after it. */
rhomb_status rhomb__affine_list_scores(rhomb__affine_meeting *meeting, int64_t from,
                                       const int64_t to[2], int32_t turn);

/* Whether it is time to ask if another engine should take over, when so much is complete. */
bool rhomb__affine_is_look_due(const rhomb__affine_meeting *meeting, int64_t complete);

/* Runs the next batch. *seen is as of its end: where the directions have met, and how far they have
 * come. */
rhomb_status rhomb__affine_run_batch(rhomb__affine_meeting *meeting, rhomb_affine_status *seen);

#endif
