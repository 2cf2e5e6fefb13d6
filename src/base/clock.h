/* SPDX-License-Identifier: MIT */
/*
 * Wall-clock time for reports and for pacing the queue.
 */
#ifndef RHOMB_SRC_CLOCK_H
#define RHOMB_SRC_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; never runs backwards. */
static inline double rhomb__now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
