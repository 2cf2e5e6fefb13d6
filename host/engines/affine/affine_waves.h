/* SPDX-License-Identifier: MIT */
/*
 * One driver for all affine wavefronts: for a whole pair of unknown cost (engine_affine.c) and for
 * many subproblems of an alignment side by side (host/splits/split_affine.c). It holds the
 * problems' offsets in two buffers and enqueues lists of tiles; which tiles, and what for, is its
 * callers' business (src/planner/tiling.h). cl/affine/affine.clh has the recurrence.
 */
#ifndef RHOMB_HOST_AFFINE_WAVES_H
#define RHOMB_HOST_AFFINE_WAVES_H

#include "host/device/buffer.h"
#include "host/device/program.h"
#include "src/planner/engine_plan.h"
#include "src/planner/tiling.h"

/* A cell takes about as long as so many cells of a wavefront with unit costs: limits of launches.
 */
#define RHOMB__AFFINE_CELL_WORK 4

/*
 * What a direction is to do in a launch: `steps` scores from `start` on, in a window, from the
 * buffer `turn` to the other one. An empty window is nothing.
 */
typedef struct rhomb__affine_stretch {
    rhomb_affine_tile like; /* each of its tiles, but for its place */
    rhomb__window window;
} rhomb__affine_stretch;

static inline rhomb__affine_stretch rhomb__affine_no_stretch(void)
{
    return (rhomb__affine_stretch){.window = {1, 0}};
}

/* Launches whose tiles are listed: launch i has the tiles [ends[i - 1], ends[i]). */
typedef struct rhomb__affine_list {
    rhomb_affine_tile *tiles;
    int64_t count, room;
    int64_t *ends;
    int64_t launches, launch_room;
} rhomb__affine_list;

typedef struct rhomb__affine_waves {
    rhomb__device_stream *stream;
    rhomb__affine_shape shape;
    int32_t group_size;
    bool tiles_local;      /* tiles are in local memory, ... */
    int64_t memory_groups; /* ... or in global memory, one for each group that runs at a time */
    int32_t offset_bytes;
    cl_kernel advance, look, search, meet;
    const rhomb__buffer *query, *target; /* the packed pair; the caller's */
    rhomb_split_whole whole;
    rhomb__buffer problems, tiles, memory, status, points;
    rhomb__buffer offsets[2];
    int64_t problem_count;
    rhomb__affine_list list;
    bool is_running; /* commands may not be done */
    /* So far. */
    int64_t cells, launches, reads;
} rhomb__affine_waves;

/* The program of a plan: its tiles and its costs. */
rhomb_status rhomb__affine_program(rhomb_context *ctx, const rhomb__plan *plan,
                                   rhomb__program **out);

/*
 * Takes the kernels of a plan's program, for a pair whose sequences are packed in two directions;
 * the buffers are borrowed. `waves` is all zeros before. Release it in any case.
 */
rhomb_status rhomb__affine_waves_open(rhomb__affine_waves *waves, rhomb__device_stream *stream,
                                      const rhomb__program *program, const rhomb__plan *plan,
                                      const rhomb__buffer *query, const rhomb__buffer *target,
                                      int64_t query_length, int64_t target_length);

/*
 * Fills a problem's place: `at` is the number of offsets of the problems before it. It has the
 * diagonals that matter up to the scores `until` for paths that cost at most `bound`. Returns its
 * number of offsets in a buffer.
 */
int64_t rhomb__affine_lay_out(const rhomb__costs *costs, const rhomb_subproblem *range,
                              int64_t until, int64_t bound, int64_t at,
                              rhomb_affine_problem *problem);

/* Makes room for `offsets` in both buffers, none of which has an offset, and sends the problems. */
rhomb_status rhomb__affine_waves_begin(rhomb__affine_waves *waves,
                                       const rhomb_affine_problem *problems, int64_t count,
                                       int64_t offsets);

/*
 * Gives the only problem more diagonals: what it has in the buffer `turn` moves to its new place,
 * the other buffer is empty afterwards.
 */
rhomb_status rhomb__affine_waves_grow(rhomb__affine_waves *waves, const rhomb_affine_problem *from,
                                      const rhomb_affine_problem *to, int64_t offsets,
                                      int32_t turn);

/* Forgets what the buffer `turn` has: before a run to scores that are below those that it has. */
rhomb_status rhomb__affine_waves_forget(rhomb__affine_waves *waves, int32_t turn);

/* Sends the problems again, with other scores and turns. */
rhomb_status rhomb__affine_waves_update(rhomb__affine_waves *waves,
                                        const rhomb_affine_problem *problems);

/* Empties the list of launches. */
void rhomb__affine_list_clear(rhomb__affine_waves *waves);

/*
 * Adds the tiles of both directions to the launch that is being listed: in turns, and each from the
 * middle outwards, since the tile with the path is most likely there, and the slowest.
 */
rhomb_status rhomb__affine_list_add(rhomb__affine_waves *waves,
                                    const rhomb__affine_stretch stretches[2]);

/* Ends the launch that is being listed. */
rhomb_status rhomb__affine_list_end(rhomb__affine_waves *waves);

/* Sends the list. */
rhomb_status rhomb__affine_list_send(rhomb__affine_waves *waves);

/* Enqueues launch `index` of the list, unless look number `turn` - 1 or one before it met. */
rhomb_status rhomb__affine_launch(rhomb__affine_waves *waves, int64_t index, int32_t turn);

/* Cells of tiles that launch `index` has. */
int64_t rhomb__affine_launch_cells(const rhomb__affine_waves *waves, int64_t index);

/* Sets the status record, and reads it. */
rhomb_status rhomb__affine_status_reset(rhomb__affine_waves *waves);
rhomb_status rhomb__affine_status_read(rhomb__affine_waves *waves, rhomb_affine_status *status);

/* rhomb_affine_look() at score s in the buffer `turn`; `number` is the look's. */
rhomb_status rhomb__affine_look_at(rhomb__affine_waves *waves, int64_t s, int32_t buffer,
                                   int32_t number, int32_t far_shift);

/* rhomb_affine_search() with the forward scores up to f in buffer `fixed`, b in the other one. */
rhomb_status rhomb__affine_search_at(rhomb__affine_waves *waves, int32_t fixed, int64_t f,
                                     int64_t b, int32_t fresh);

/*
 * Where the directions of all problems meet: begin, then rhomb_affine_meet() for each stage, then
 * the points of problem i as points[i].
 */
rhomb_status rhomb__affine_meet_begin(rhomb__affine_waves *waves);
rhomb_status rhomb__affine_meet_in(rhomb__affine_waves *waves, int piece);
rhomb_status rhomb__affine_meet_end(rhomb__affine_waves *waves, rhomb_affine_point *points);

/* Waits for what still runs, and releases everything. */
void rhomb__affine_waves_release(rhomb__affine_waves *waves);

#endif
