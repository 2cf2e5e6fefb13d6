/* SPDX-License-Identifier: MIT */
/*
 * Work on several threads of the host, for loops over a whole sequence. What comes out does not
 * depend on how many threads there are: where the system has none to give, the calling one does
 * all.
 */
#ifndef RHOMB_SRC_PARALLEL_H
#define RHOMB_SRC_PARALLEL_H

#include <stdint.h>

/*
 * How many threads are meant by a number that a user gave: 0 is as many as there are cores, at most
 * 16, from where on the memory is the limit.
 */
int32_t rhomb__threads_meant(int32_t asked);

/* The tasks 0 .. count - 1 of a loop, each run once, by whichever thread is free. */
typedef void (*rhomb__parallel_task)(int64_t index, void *user);

/* Runs them on up to `threads` threads, the calling one among them, and returns when all are done.
 */
void rhomb__parallel_run(int32_t threads, int64_t count, rhomb__parallel_task task, void *user);

#endif
