/* SPDX-License-Identifier: MIT */
/*
 * Loops over a whole sequence on several host threads. The result does not depend on the number of
 * threads: if the system cannot create any, the calling thread does all the work.
 */
#ifndef RHOMB_SRC_PARALLEL_H
#define RHOMB_SRC_PARALLEL_H

#include <stdint.h>

/*
 * The number of threads for a number that a user gave: 0 is one per core, at most 16; above that,
 * memory is the limit.
 */
int32_t rhomb__threads_meant(int32_t asked);

/* The tasks 0 .. count - 1 of a loop, each run once, by whichever thread is free. */
typedef void (*rhomb__parallel_task)(int64_t index, void *user);

/* Runs them on up to `threads` threads, including the caller, and returns when all are done. */
void rhomb__parallel_run(int32_t threads, int64_t count, rhomb__parallel_task task, void *user);

/*
 * Runs task 0 on the caller's thread, and each other one on a thread of its own, at the same time
 * where threads can be created; returns when all are done. At most 17 tasks. Before task 0 begins,
 * *beside is set to the number of threads; it may be NULL.
 */
void rhomb__parallel_beside(int64_t count, rhomb__parallel_task task, void *user, int64_t *beside);

/* A place in an order of work: the largest first, so that no long one starts last. */
typedef struct rhomb__order_entry {
    int64_t size;
    int64_t index;
} rhomb__order_entry;

/* Sorts them by size, ties by index, so that every run is the same. */
void rhomb__order_sort(rhomb__order_entry *entries, int64_t count);

#endif
