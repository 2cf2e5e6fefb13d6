/* SPDX-License-Identifier: MIT */
/*
 * A sweeper splits subproblems by sweeps (sweep_many.h). It has the pair that they are ranges of,
 * and what is kept from one call to the next: the buffers on the device and the kernels. Rounds of
 * an alignment are short, a few milliseconds, and making these takes as long as the rounds'
 * arithmetic.
 */
#ifndef RHOMB_HOST_SWEEPER_H
#define RHOMB_HOST_SWEEPER_H

#include "host/divide/split_pair.h"
#include "host/engines/engine.h"

typedef struct rhomb__sweeper rhomb__sweeper;

/*
 * The pair that subproblems are ranges of, packed as for the wavefront engine, in both directions.
 * The buffers are borrowed until the sweeper is closed.
 */
typedef struct rhomb__sweep_source {
    const rhomb__buffer *target;
    const rhomb__buffer *query;
    int64_t target_length; /* of the whole sequences */
    int64_t query_length;
    int64_t portion_bytes; /* of device memory for subproblems at a time, one at least */
    /* Called now and then with the finished fraction of a call. A status other than RHOMB_OK ends
     * the call and is its result. May be NULL. */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__sweep_source;

/* Builds the program that packs, unless it is built. */
rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out);

/* The buffers that the sweeps of a portion share, and the ranges of the packed pair. */
enum {
    RHOMB__SWEEP_ROWS,
    RHOMB__SWEEP_COLUMNS,
    RHOMB__SWEEP_DOWN,
    RHOMB__SWEEP_ACROSS,
    RHOMB__SWEEP_CARRY,
    RHOMB__SWEEP_STRIPS,
    RHOMB__SWEEP_RANGES,
    RHOMB__SWEEP_LISTED,
    RHOMB__SWEEP_BUFFERS
};

struct rhomb__sweeper {
    rhomb_context *ctx;
    rhomb__sweep_source source;
    rhomb__buffer buffers[RHOMB__SWEEP_BUFFERS];
    rhomb__program *pack; /* the program of the next two */
    cl_kernel pack_rows;
    cl_kernel pack_columns;
    cl_kernel sweep;
    const rhomb__program *swept_by; /* the program of `sweep` */
    char *host; /* what a portion needs there; kept, as fresh pages take as long as a round */
    int64_t host_bytes;
    double launches_per_second;
    rhomb__split_work work;
};

/* Makes each buffer at least so large. A buffer that was smaller loses its contents. */
rhomb_status rhomb__sweeper_reserve(rhomb__sweeper *sweeper,
                                    const int64_t bytes[RHOMB__SWEEP_BUFFERS]);

/* Memory of the host for a portion; its contents are lost. */
rhomb_status rhomb__sweeper_hold(rhomb__sweeper *sweeper, int64_t bytes);

/* Gets the kernel of the program that sweeps by `plan`; builds the program if there is none. */
rhomb_status rhomb__sweeper_take_program(rhomb__sweeper *sweeper, const rhomb_plan *plan);

/* host_bytes is not counted. */
rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__sweeper_close(rhomb__sweeper *sweeper);

#endif
