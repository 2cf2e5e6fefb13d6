/* SPDX-License-Identifier: MIT */
/*
 * How long a device may be busy with what the host has enqueued, by the rate measured so far or,
 * before there is one, by the device's rates for estimates. Every engine and batch goes by these.
 */
#ifndef RHOMB_SRC_LAUNCH_TIME_H
#define RHOMB_SRC_LAUNCH_TIME_H

/*
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
