/* SPDX-License-Identifier: MIT */
/*
 * A running wavefront: engine_wavefront.c enqueues and reads, wavefront_look.c reports progress to
 * the caller and asks the planner how to go on, wavefront_saved.c has it in a checkpoint,
 * wavefront_two.c has its two directions on two devices (../two_devices.h), or on two ranks
 * (remote_pyramid.h). Then each batch is enqueued on both, with a read of either's status, and is
 * taken as one device would have done it.
 * A batch, or the first of two in flight, after which they may have met, is done again with those
 * after it by the first device, from the wavefronts that both have kept.
 */
#ifndef RHOMB_HOST_WAVEFRONT_H
#define RHOMB_HOST_WAVEFRONT_H

#include "host/engines/two_devices.h"
#include "host/engines/wavefront/remote_pyramid.h"
#include "src/planner/eta.h"
#include "src/planner/savings.h"

/* The time, by the profile, of the first look at whether another engine should take over. */
#define RHOMB__FIRST_LOOK_SECONDS 0.0004

/* What a batch that two devices share began with. */
typedef struct rhomb__batch_mark {
    int64_t start;
    int32_t front, turn, source; /* of the pyramids */
    int64_t bound, launches, batches, reach, reach_score;
} rhomb__batch_mark;

/* Some launches, followed by one read of the status. */
typedef struct rhomb__launch_batch {
    cl_event read; /* NULL: not in flight */
    rhomb_wavefront_status status;
    bool is_shared;                /* by two devices: then `status` is what both have read */
    rhomb__two_read other_read;    /* on the other one, and ... */
    rhomb__pyramid_reply reply;    /* ... where it is another rank's, its reply */
    rhomb_wavefront_status own[2]; /* by either one */
    rhomb__batch_mark mark;
    int64_t complete;   /* wavefronts that are complete when it is done */
    int64_t cells;      /* that its tiles have, pruned ones included */
    int64_t tile_cells; /* of one tile */
    bool paused;        /* the device did something else meanwhile: its time means nothing */
    rhomb__stretch stretch;
} rhomb__launch_batch;

/* `problem` is the caller's; the pyramid works by `tiled`. */
typedef struct rhomb__wavefront {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    const rhomb__programs *programs;
    const rhomb__program *program; /* of the tile in use */
    rhomb__solution solution;
    int turn; /* of the two batches */
    rhomb__pyramid pyramid;
    rhomb__plan tile;     /* the plan in use: its tile may have changed */
    rhomb__problem tiled; /* the problem with that plan */
    int64_t bound;        /* on the distance, as read last, or from a beam */
    int64_t reach;        /* antidiagonals of both directions together, as read last, and ... */
    int64_t forward;      /* ... of the first of them, ... */
    int64_t reach_score;  /* ... at this score */
    uint32_t tiles;       /* as read last, modulo 2^32 */
    int64_t
        settled; /* wavefronts that were complete at the start, or when the device last stopped */
    double began;
    double last_read;
    double next_look;         /* when to ask the planner how to go on, in the profile's time */
    double pace;              /* the least score / reach of any look */
    bool may_beam;            /* a beam may still be asked for ... */
    int64_t beam_column;      /* ... if it may get twice as far as the last one */
    double cell_rate;         /* cells computed per second: for the caller */
    rhomb_progress progress;  /* as last reported to the caller */
    rhomb__forecast forecast; /* for progress; a restored run begins anew */
    int64_t proved; /* distances up to here are ruled out, as last reported to the caller */
    int64_t batch_launches;
    rhomb__launch_batch batches[2];
    rhomb__two_devices two;
    rhomb__pyramid other;         /* the other device's, while two.is_shared ... */
    rhomb__problem other_tiled;   /* ... and `tiled` there */
    uint32_t other_tiles;         /* of it, as `tiles` */
    rhomb_wavefront_status known; /* while shared: of both, by the batch taken last */
    rhomb__message order;         /* launches that the other rank will get, of ... */
    rhomb__launch_batch *ordered; /* ... this batch */
} rhomb__wavefront;

/* A run before its first launch, for rhomb__engine_wavefront and for restoring one. */
rhomb_status rhomb__wavefront_open(rhomb_context *ctx, const rhomb__programs *programs,
                                   const rhomb__problem *problem, void **run);
void rhomb__wavefront_close(void *run);

/* Goes on with the tile of a wide pyramid; nothing may be in flight. */
rhomb_status rhomb__wavefront_retile(rhomb__wavefront *s);

/* Of rhomb__engine. */
rhomb_status rhomb__wavefront_save(void *run, rhomb__saver *saver);
rhomb_status rhomb__wavefront_restore(rhomb_context *ctx, const rhomb__programs *programs,
                                      const rhomb__problem *problem, const rhomb__saved *saved,
                                      void **run);

/* The largest distance that is ruled out when all wavefronts up to `column` are complete. */
int64_t rhomb__wavefront_ruled_out(const rhomb__wavefront *s, int64_t column);

/* The wavefront up to which everything has come, by a batch's status record. */
int64_t rhomb__wavefront_complete(const rhomb__wavefront *s, const rhomb__launch_batch *b);

/* Whether the device has stopped before the end of a batch, or would stop after it. */
bool rhomb__wavefront_has_stopped(const rhomb__wavefront *s, const rhomb__launch_batch *b);

/* Enqueues the next batch as `b`, if there is one to enqueue. */
rhomb_status rhomb__wavefront_enqueue(rhomb__wavefront *s, rhomb__launch_batch *b);

/* Waits until a batch is done; b->status is complete. Forgets it. */
rhomb_status rhomb__wavefront_wait(rhomb__wavefront *s, rhomb__launch_batch *b);
void rhomb__wavefront_forget(rhomb__launch_batch *b);

/* The bound on the distance once a batch is taken. */
int64_t rhomb__wavefront_bound(const rhomb__wavefront *s, const rhomb__launch_batch *b);

/*
 * Two devices. Gets another one before a batch, if it pays; enqueues what a batch begins with, a
 * launch, and what it ends with, on the other one; gives the backward direction back before batch
 * `b` is taken, if there is something to decide; and has both directions on the first device for a
 * checkpoint, and *record as it would be there.
 */
rhomb_status rhomb__wavefront_share(rhomb__wavefront *s);
rhomb_status rhomb__wavefront_begin_shared(rhomb__wavefront *s, rhomb__launch_batch *b);
rhomb_status rhomb__wavefront_enqueue_other(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                            const rhomb__launch *launch);
rhomb_status rhomb__wavefront_end_shared(rhomb__wavefront *s, rhomb__launch_batch *b);
rhomb_status rhomb__wavefront_part(rhomb__wavefront *s, rhomb__launch_batch *b);
rhomb_status rhomb__wavefront_bring(rhomb__wavefront *s, rhomb_wavefront_status *record);

/* The other device, if there is one: learns of a bound, goes on with the tile in use, holds what
 * the first one does. */
rhomb_status rhomb__wavefront_tighten_other(rhomb__wavefront *s, int64_t bound);
rhomb_status rhomb__wavefront_retile_other(rhomb__wavefront *s);
rhomb_status rhomb__wavefront_hold_other(rhomb__wavefront *s, rhomb__window to);

/* Waits for the other device, and releases what it has. */
void rhomb__wavefront_close_other(rhomb__wavefront *s);

/* Waits for all that is enqueued, on both devices. */
rhomb_status rhomb__wavefront_finish(rhomb__wavefront *s);

/* Waits for what is in flight. If the device has stopped by then, there is nothing to decide. */
rhomb_status rhomb__wavefront_await(rhomb__wavefront *s, bool *ended);

/* Reports progress to the caller; distances up to `proved` are ruled out. */
rhomb_status rhomb__wavefront_report(rhomb__wavefront *s, int64_t proved);

/*
 * Whether a look is due before the launch that starts from a wavefront. A batch ends there, and the
 * next one begins only after the look. So each look sees the same wavefronts in every run.
 */
bool rhomb__wavefront_is_due(const rhomb__wavefront *s, int64_t start);

/*
 * If a look is due and nothing is in flight, asks the planner whether a beam would pay and whether
 * the other engine should take over. In the latter case sets *done, and the solution has an
 * estimate. `b` was taken last; distances up to `proved` are ruled out.
 */
rhomb_status rhomb__wavefront_look(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                   int64_t proved, bool *done);

#endif
