/* SPDX-License-Identifier: MIT */
/*
 * The running affine wavefront of a pair, and its batches: launches of both directions, at the end
 * of which the host reads how far they have come. engine_affine.c decides what comes after one.
 *
 * Two devices. A run that takes long gets another device, which does the backward direction while
 * the first one does the forward one. They cannot have met while the antidiagonals that both have
 * come to are fewer than those of the pair; so nothing has to be compared after a launch, and the
 * host adds them up after a batch. Where they may have met, both return to where the batch began,
 * which each has kept in the other direction's place; the first device gets the backward direction,
 * and does this batch and what comes after it alone. So each batch, and all that is decided after
 * it, is as on one device.
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
    rhomb__affine_waves other; /* of the other device, with the backward direction, if ... */
    bool is_shared;
    bool may_share;
    int64_t other_cells;   /* of `waves.cells`: the other device's */
    int64_t bytes_sent[2]; /* by either device */
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

/*
 * Lists a device's tiles of the directions that it does, from score `from` to scores `to`, if those
 * come after it.
 */
rhomb_status rhomb__affine_list_scores(rhomb__affine_meeting *meeting, rhomb__affine_waves *waves,
                                       int64_t from, const int64_t to[2], int32_t turn);

/* Whether it is time to ask if another engine should take over, when so much is complete. */
bool rhomb__affine_is_look_due(const rhomb__affine_meeting *meeting, int64_t complete);

/*
 * Runs the next batch. *seen is as one device has it at its end: where the directions have met, and
 * how far they have come.
 */
rhomb_status rhomb__affine_run_batch(rhomb__affine_meeting *meeting, rhomb_affine_status *seen);

#endif
