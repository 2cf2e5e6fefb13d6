/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device: those of its row of the tuning table, which are measured for a few devices
 * and rough for all others. They make time estimates and choices, and never change a distance.
 * Pure.
 */
#ifndef RHOMB_SRC_RATES_H
#define RHOMB_SRC_RATES_H

#include "rhomb/rhomb.h"

typedef struct rhomb__rate_values {
    double cells_per_second;       /* wavefront: of a wide pyramid, which keeps the device busy */
    double column_seconds;         /* wavefront: the minimum time of a wavefront, however narrow */
    double sweep_cells_per_second; /* bit-parallel: of the matrix, when the device is busy */
    double sweep_block_seconds;    /* bit-parallel: the minimum time of a block of 16 columns */
    double bases_per_second;       /* bases transferred to the device and packed there */
} rhomb__rate_values;

typedef struct rhomb__rates {
    /*
     * For estimates of time. If the row holds for a number of compute units, a device with more is
     * faster in proportion, once it is busy.
     */
    rhomb__rate_values values;
    /*
     * The row's own: what decides between engines. They are the same in every run, whatever share
     * of a CPU is free: the same version, input, options and device memory give the same engine,
     * and the same alignment, each time.
     */
    rhomb__rate_values profile;
    const char *source; /* in words, for reports: a constant string */
} rhomb__rates;

rhomb__rates rhomb__rates_of_row(const rhomb_device_info *device);

/*
 * Cells that a wavefront of the device computes in so many seconds, by its rates for estimates:
 * callers limit the time of a launch by it, or until they look at the device.
 */
int64_t rhomb__cells_in(const rhomb__rate_values *rates, double seconds);

/*
 * How long a device may be busy with what the host has enqueued, by the rate measured so far or,
 * before there is one, by the device's rates for estimates. Every engine and batch goes by these.
 *
 * A launch that would take longer is divided, or has less to do. Drivers of GPUs that also display
 * end one after two seconds, the display stands still meanwhile, and nobody can cancel it; so rates
 * may be wrong by ten times.
 */
#define RHOMB__LAUNCH_SECONDS 0.2

/* A wavefront's launch: its rate differs from pair to pair more than others do. */
#define RHOMB__WAVES_SECONDS 0.05

/*
 * A batch of a wavefront's launches, of which the device's results are read only at the end, and
 * what may be in flight before the host waits.
 */
#define RHOMB__BATCH_SECONDS 0.2

/* Between two calls of the caller's progress function, which may end the call. */
#define RHOMB__LOOK_SECONDS 0.1

#endif
