/* SPDX-License-Identifier: MIT */
/*
 * The sweeps over one long pair that finding its ends and finding its path have in common.
 */
#ifndef RHOMB_HOST_LONG_SWEEPER_H
#define RHOMB_HOST_LONG_SWEEPER_H

#include "host/device/queue.h"
#include "host/engines/task.h"
#include "rhomb/local.h"
#include "src/planner/long_job.h"
#include "src/planner/long_shape.h"

enum {
    SWEEPER_QUERY,
    SWEEPER_TARGET,
    SWEEPER_BORDER,
    SWEEPER_STATE,
    SWEEPER_CELLS,
    SWEEPER_TOPS,
    SWEEPER_STATUS,
    SWEEPER_BUFFERS
};

typedef struct rhomb__sweeper {
    rhomb_context *ctx;
    rhomb__device_stream *stream;
    const rhomb__task *task;
    const rhomb_mode_options *mode;
    rhomb_progress_fn progress;
    void *user;
    double began;
    double done, until; /* shares of the call before and after the present sweep */
    rhomb_local_report *report;
    rhomb_pair_extent *extent;
    rhomb__long_shape shape;
    rhomb__buffer buffers[SWEEPER_BUFFERS];
    rhomb__program *program;
    cl_kernel kernel;
    rhomb__build_watch watch; /* of the context, before */
    int32_t kept;             /* rows of the border besides the running one */
    bool traces;              /* a program with a trace, which goes here: */
    rhomb__buffer trace;
    double rate; /* cells a second */

    /* The running sweep. */
    rhomb_long_local_job job;
    int64_t n, m;
    int64_t launches;
    uint32_t pruned;  /* blocks, as last read */
    int64_t enqueued; /* since then */
    int64_t pruned_cells;
    int64_t swept; /* cells of all launches */
    rhomb__long_drop drop;
    rhomb__pace pace;
} rhomb__sweeper;

/*
 * Of a sweeper with a context, a task, a mode, a report and an extent: counts memory from here on,
 * and tells the caller of programs that are built.
 */
void rhomb__sweeper_begin(rhomb__sweeper *s);

/* Buffers for a pair, of s->kept rows of the border besides the running one. */
rhomb_status rhomb__sweeper_make_buffers(rhomb__sweeper *s);

/* The packed sequences. */
rhomb_status rhomb__sweeper_send(rhomb__sweeper *s);

/* The kernel of the mode, trusted, in place of one before. */
rhomb_status rhomb__sweeper_build(rhomb__sweeper *s);

/* Completes s->job, whose sequences begin at these symbols. */
void rhomb__sweeper_place(rhomb__sweeper *s, int64_t query_at, int64_t target_at);

/*
 * Sweeps for s->job, whose score is at least `best`: the best cell, borders included, and that of
 * the last row.
 */
rhomb_status rhomb__sweeper_run(rhomb__sweeper *s, int32_t best, rhomb_long_local_cell *found,
                                rhomb_long_local_cell *end);

/* Sweeps for s->job, of the whole pair, whose score is at least `least`: the end and the score. */
rhomb_status rhomb__sweeper_find_end(rhomb__sweeper *s, int32_t least);

void rhomb__sweeper_release(rhomb__sweeper *s);

#endif
