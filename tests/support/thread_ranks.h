/* SPDX-License-Identifier: MIT */
/*
 * Ranks that are threads of the test: each has a context and serves rank 0, the test's context.
 * Messages are queues in memory. A message can be made to fail, which loses both ways between its
 * two ranks, as when one of them has died.
 */
#ifndef RHOMB_TEST_THREAD_RANKS_H
#define RHOMB_TEST_THREAD_RANKS_H

#include "rhomb/ranks.h"

/*
 * Opens a device as RHOMB_TEST_DEVICE says, and where RHOMB_TEST_RANKS is a number above 1, joins
 * as many ranks, each with the device of its number among all. Earlier ranks have to be gone, or
 * about to: their context is destroyed.
 */
rhomb_status ranks_open(rhomb_context *ctx);

/* The same with this number of ranks; `selector` as in rhomb_context_open(). */
rhomb_status ranks_join(rhomb_context *ctx, int32_t count, const char *selector);

/* The same where the other ranks have another selector. */
rhomb_status ranks_join_as(rhomb_context *ctx, int32_t count, const char *selector,
                           const char *others);

/*
 * Waits until all ranks have ended; the program does so at its exit. Where none was lost, they must
 * have left no message that nobody has received: it ends the program otherwise.
 */
void ranks_wait(void);

/*
 * The call of a message function, counted from now on over all ranks, that fails; 0: none. Returns
 * how many there were since the last call of this.
 */
int64_t ranks_fail_at(int64_t call);

/* Each message comes late from now on, by a random time of at most so much; 0: at once. */
void ranks_delay(unsigned microseconds);

/* Whether it has failed. */
bool ranks_failed(void);

#endif
