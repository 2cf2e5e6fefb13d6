/* SPDX-License-Identifier: MIT */
/*
 * A sweeper, which splits problems by sweeps (sweep_many.h): the pair that they are ranges of, and
 * what is kept from one call to the next, the buffers on the device and the kernels. Rounds of an
 * alignment are short, a few milliseconds, and making these takes as long as their arithmetic.
 */
#ifndef RHOMB_HOST_SWEEPER_H
#define RHOMB_HOST_SWEEPER_H

#include "host/divide/split_pair.h"
#include "host/engines/engine.h"

typedef struct rhomb__sweeper rhomb__sweeper;

/*
 * The pair that problems are ranges of: packed as the wavefront engine has it, in two directions.
 * The buffers are borrowed until the sweeper is closed.
 */
typedef struct rhomb__sweep_source {
    const rhomb__buffer *target;
    const rhomb__buffer *query;
    int64_t target_length; /* of the whole sequences */
    int64_t query_length;
    int64_t portion_bytes; /* of device memory that problems take at a time, one at least */
    /* Called now and then, with how much of a call is done; another status than RHOMB_OK ends the
     * call with it. May be NULL. */
    rhomb_status (*advance)(rhomb_context *ctx, double fraction, void *user);
    void *user;
} rhomb__sweep_source;

/* Builds the program that packs, if it is the first to need it. */
rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out);

/* The buffers that the sweeps of a portion have shares of, and the ranges of the packed pair. */
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
    rhomb__program *pack; /* that the next two are of */
    cl_kernel pack_rows;
    cl_kernel pack_columns;
    cl_kernel sweep;
    const rhomb__program *swept_by; /* the program that `sweep` is of */
    char *host; /* what a portion needs there, kept as fresh pages take as long as a round */
    int64_t host_bytes;
    double launches_per_second;
    rhomb__split_work work;
};

/* Makes each buffer as large at least as is said. What it has held is lost if it was smaller. */
rhomb_status rhomb__sweeper_reserve(rhomb__sweeper *sweeper,
                                    const int64_t bytes[RHOMB__SWEEP_BUFFERS]);

/* Memory of the host for a portion; what it has held is lost. */
rhomb_status rhomb__sweeper_hold(rhomb__sweeper *sweeper, int64_t bytes);

/* Has the kernel of the program that a plan is swept with, which is built if there is none. */
rhomb_status rhomb__sweeper_take_program(rhomb__sweeper *sweeper, const rhomb_plan *plan);

/* host_bytes is not counted. */
rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__sweeper_close(rhomb__sweeper *sweeper);

#endif
