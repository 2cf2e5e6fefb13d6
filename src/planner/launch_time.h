/* SPDX-License-Identifier: MIT */
/*
 * How long a device may be busy with what the host has enqueued, by the rate measured so far or,
 * before there is one, by the device's rates for estimates. Every engine and batch goes by these.
 */
#ifndef RHOMB_SRC_LAUNCH_TIME_H
#define RHOMB_SRC_LAUNCH_TIME_H

/*
 * A launch that would take longer is divided, or has less to do: drivers of GPUs that also display
 * end one of two seconds, the display stands still meanwhile, and nobody can cancel it. Rates may
 * be wrong by ten times then. Parts of this length lose nothing to their number.
 */
#define RHOMB__LAUNCH_SECONDS 0.2

/* Launches that nothing is read between, where a batch of them may find that it has done too many.
 */
#define RHOMB__BATCH_SECONDS 0.2

/* Between two calls of the caller's progress function, which may end the call. */
#define RHOMB__LOOK_SECONDS 0.1

#endif
