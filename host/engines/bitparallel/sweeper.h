/* SPDX-License-Identifier: MIT */
/*
 * What a sweeper (sweep_many.h) keeps from one call to the next: the buffers on the device and the
 * kernels. Rounds of an alignment are short, a few milliseconds, and making these takes as long as
 * their arithmetic.
 */
#ifndef RHOMB_HOST_SWEEPER_H
#define RHOMB_HOST_SWEEPER_H

#include "host/engines/bitparallel/sweep_many.h"

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

#endif
