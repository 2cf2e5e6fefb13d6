/* SPDX-License-Identifier: MIT */
/*
 * The devices of a batch, a queue each: its setup, with programs of its own, and what it has to do.
 * A job goes to a queue that is idle, or to the one that will be free for it first, so that fast
 * devices take more of them.
 */
#ifndef RHOMB_HOST_BATCH_QUEUE_H
#define RHOMB_HOST_BATCH_QUEUE_H

#include "host/batch/batch_job.h"
#include "host/device/device.h"

typedef struct rhomb__batch_queue {
    rhomb__batch_setup setup;
    int64_t device_bytes; /* of all its jobs */
    /* What follows is guarded by the batch's lock. */
    int64_t waiting; /* bases of its jobs that have been started and not finished */
    int32_t running; /* their number */
    double since;    /* when the last one was finished, or the first of these started */
    double pace;     /* seconds of a base, of the last few jobs that were not small; 0: none was */
} rhomb__batch_queue;

typedef struct rhomb__batch_queues {
    rhomb_context *ctx;
    rhomb__batch_queue of[RHOMB_MOST_DEVICES];
    int32_t count;
} rhomb__batch_queues;

/*
 * Makes a queue for each device that `ctx` has open ("auto" if none is), and builds the programs.
 * All take the same pairs for long ones, so that results do not depend on where a pair goes. The
 * queues stay where they are.
 */
rhomb_status rhomb__batch_queues_make(rhomb_context *ctx, const rhomb_batch_options *options,
                                      const rhomb__batch_set *set, bool wide,
                                      rhomb__batch_queues *queues);
rhomb_status rhomb__batch_queues_build(rhomb__batch_queues *queues);

/*
 * Notes that a job of so many bases was started, or is finished: how long the device was busy since
 * the one before. With the batch's lock.
 */
void rhomb__batch_queue_start(rhomb__batch_queue *queue, int64_t bases);
double rhomb__batch_queue_finish(rhomb__batch_queue *queue, int64_t bases);

/*
 * The queue that should take the next job: an idle one, however long its first jobs took, else by
 * what each has to do, and how long that takes. With the batch's lock.
 */
int32_t rhomb__batch_queues_next(const rhomb__batch_queues *queues);

/*
 * How many bases are enough for a job on a queue: so many that it takes about as long as a launch
 * may (src/planner/rates.h), where the caller's tuning does not say how many, and that other
 * queues, whose results have to wait for it, are not out of places before it is finished; but no
 * fewer than a 16th of what there is room for. 0: as many as there is room for. With the batch's
 * lock.
 */
int64_t rhomb__batch_queues_enough(const rhomb__batch_queues *queues, int32_t queue);

/*
 * Solves the pairs of job->longs, unless the caller does, on the thread of the batch's context, and
 * on others where there are several pairs and devices: those with most bases first.
 */
rhomb_status rhomb__batch_queues_solve_long(rhomb__batch_queues *queues, rhomb__batch_job *job);

#endif
