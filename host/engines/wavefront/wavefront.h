/* SPDX-License-Identifier: MIT */
/*
 * A running wavefront: engine_wavefront.c enqueues and reads, wavefront_look.c reports progress to
 * the caller and asks the planner how to go on, wavefront_saved.c has it in a checkpoint.
 */
#ifndef RHOMB_HOST_WAVEFRONT_H
#define RHOMB_HOST_WAVEFRONT_H

#include "host/engines/wavefront/pyramid.h"
#include "src/planner/eta.h"
#include "src/planner/tiling.h"

/* The time, by the profile, of the first look at whether another engine should take over. */
#define RHOMB__FIRST_LOOK_SECONDS 0.0004

/* Some launches, followed by one read of the status. */
typedef struct rhomb__launch_batch {
    cl_event read; /* NULL: not in flight */
    rhomb_wavefront_status status;
    int64_t complete;   /* wavefronts that are complete when it is done */
    int64_t cells;      /* that its tiles have, pruned ones included */
    int64_t tile_cells; /* of one tile */
    bool in_flight;     /* of a checkpoint */
    bool paused;        /* the device did something else meanwhile: its time means nothing */
    rhomb__launch_series stretch;
} rhomb__launch_batch;

/* `problem` is the caller's; the pyramid works by `tiled`. */
typedef struct rhomb__wavefront {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    const rhomb__program *program; /* of the tile in use */
    rhomb__solution solution;
    int turn; /* of the two batches */
    rhomb__pyramid pyramid;
    rhomb__plan tile;     /* the plan in use: its tile may have changed ... */
    bool is_wide;         /* ... to that of a wide pyramid */
    rhomb__problem tiled; /* the problem with that plan */
    int64_t bound;        /* on the distance, as read last */
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
    double cell_rate;         /* cells computed per second: for the caller */
    rhomb_progress progress;  /* as last reported to the caller */
    rhomb__forecast forecast; /* for progress; a restored run begins anew */
    int64_t proved; /* distances up to here are ruled out, as last reported to the caller */
    int64_t batch_launches;
    rhomb__launch_batch batches[2];
} rhomb__wavefront;

/* Goes on with the tile of a wide pyramid; nothing may be in flight. */
rhomb_status rhomb__wavefront_retile(rhomb__wavefront *s);

/* Of rhomb__engine. */
extern const rhomb__field rhomb__wavefront_state[];
extern const rhomb__kept_buffer rhomb__wavefront_buffers[];
rhomb_status rhomb__wavefront_pause(void *run);
rhomb_status rhomb__wavefront_take_up(void *run, const rhomb__saved *saved);

/* The largest distance that is ruled out when all wavefronts up to `column` are complete. */
int64_t rhomb__wavefront_ruled_out(const rhomb__wavefront *s, int64_t column);

/* The wavefront up to which everything has come, by a batch's status record. */
int64_t rhomb__wavefront_complete(const rhomb__wavefront *s, const rhomb__launch_batch *b);

/* Whether the device has stopped before the end of a batch, or would stop after it. */
bool rhomb__wavefront_has_stopped(const rhomb__wavefront *s, const rhomb__launch_batch *b);

/* Waits for what is in flight. If the device has stopped by then, there is nothing to decide. */
rhomb_status rhomb__wavefront_await(const rhomb__wavefront *s, bool *ended);

/* Reports progress to the caller; distances up to `proved` are ruled out. */
rhomb_status rhomb__wavefront_report(rhomb__wavefront *s, int64_t proved);

/*
 * Whether a look is due before the launch that starts from a wavefront. A batch ends there, and the
 * next one begins only after the look. So each look sees the same wavefronts in every run.
 */
bool rhomb__wavefront_is_due(const rhomb__wavefront *s, int64_t start);

/*
 * If a look is due and nothing is in flight, asks the planner whether the other engine should take
 * over. Then sets *done, and the solution has an estimate. `b` was taken last; distances up to
 * `proved` are ruled out.
 */
rhomb_status rhomb__wavefront_look(rhomb__wavefront *s, const rhomb__launch_batch *b,
                                   int64_t proved, bool *done);

#endif
