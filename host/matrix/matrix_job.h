/* SPDX-License-Identifier: MIT */
/*
 * A distance matrix as it is computed: the block of pairs, and what several devices share.
 */
#ifndef RHOMB_HOST_MATRIX_JOB_H
#define RHOMB_HOST_MATRIX_JOB_H

#include <pthread.h>

#include "host/batch/batch_set.h"
#include "host/matrix/matrix_input.h"

typedef struct rhomb__matrix {
    rhomb_context *ctx;
    rhomb__matrix_input input;
    rhomb_matrix_report report;
    double began;
    double work_began; /* by rhomb__work_clock() of the first device */
    double work;       /* bases of the pairs of this call */

    /* While several devices work, guarded by the lock. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double work_done;                   /* bases of the pairs that are done */
    double running[RHOMB_MOST_DEVICES]; /* what is done of pairs that are solved alone */
    double shown;                       /* the fraction that was told last */
    int64_t next_open;                  /* the first pair of the block that may be left */
    bool stop;                          /* one of them has failed */

    /* The block: consecutive pairs. */
    int64_t first;          /* its first pair */
    int64_t count;          /* of its pairs */
    int64_t listed;         /* of these, from the first on, that are listed; and ... */
    rhomb__batch_cell next; /* ... the pair after them */
    int64_t gone;           /* the same, that were delivered */
    int64_t room;           /* for pairs */
    rhomb__batch_cell *cells;
    int64_t *distances; /* or RHOMB__BATCH_UNKNOWN */
    int64_t *batched;   /* pairs that the running batch has, by their position in the block */
    int64_t batched_count;
    int64_t taken;              /* of these, that have come back */
    int64_t found, found_edits; /* distances of the block that batches have found, and their sum */

    rhomb_batch *batches[RHOMB__MATRIX_BATCHES]; /* NULL: no pair needed it */
    rhomb_status status;                         /* of the functions that they call */
} rhomb__matrix;

/* What a pair weighs: its bases, and one for a pair of none. */
static inline double rhomb__matrix_work_of(const rhomb__matrix *m, const rhomb__batch_cell *c)
{
    const rhomb_matrix_sequence *s = m->input.sequences;
    return (double)s[c->row].length + (double)s[c->column].length + 1;
}

/* Tells the caller how far all is; on the calling thread. */
rhomb_status rhomb__matrix_tell(rhomb__matrix *m, bool building);

/*
 * Delivers the known distances from the first that is left up to `end`, row by row; on the calling
 * thread.
 */
rhomb_status rhomb__matrix_deliver(rhomb__matrix *m, int64_t end);

/*
 * Wakes who waits for other devices, and has all of them end their work where this one has failed.
 * Returns `status`.
 */
rhomb_status rhomb__matrix_end_work(rhomb__matrix *m, rhomb_status status);

/*
 * A rhomb__device_fn: solves pairs of the block that the batch did not, from m->next_open on, in
 * their order, and delivers them; see matrix_longs.c.
 */
rhomb_status rhomb__matrix_run_longs(rhomb_context *device, int32_t index, void *user);

#endif
