/* SPDX-License-Identifier: MIT */
/*
 * Many sequences in one buffer of the device, packed for cl/common/extend.clh, each from the
 * beginning of a word on; and the distances of pairs that are ranges of it, by the kernels of short
 * pairs (cl/batch/batch.cl).
 */
#ifndef RHOMB_HOST_MATRIX_POOL_H
#define RHOMB_HOST_MATRIX_POOL_H

#include "host/device/buffer.h"
#include "host/device/program.h"
#include "rhomb/matrix.h"
#include "src/base/alphabet.h"
#include "src/batch/matrix_shape.h"

typedef struct rhomb__pool {
    rhomb_context *ctx;
    int32_t planes;
    int64_t words;
    rhomb__buffer packed;
} rhomb__pool;

/* A sequence of a pool, and the word that it begins with. */
typedef struct rhomb__pooled {
    const char *bases;
    int64_t length;
    int64_t word;
} rhomb__pooled;

/*
 * Sends and packs sequences by their codes. Their words follow one another from 0 on, in that
 * order, rhomb__matrix_words() each. On failure the pool is empty.
 */
rhomb_status rhomb__pool_create(rhomb_context *ctx, const rhomb__pooled *sequences, int64_t count,
                                const rhomb__codes *codes, int32_t planes, rhomb__pool *out);
void rhomb__pool_release(rhomb__pool *pool);

/* What solves pairs of a pool. */
typedef struct rhomb__pool_solver {
    rhomb__pool *pool;
    rhomb__matrix_shape shape; /* levels have smaller groups where kernels allow no larger ones */
    cl_kernel kernels[RHOMB_BATCH_MOST_LEVELS]; /* of levels that were needed */
    rhomb__buffer pairs, answers, counts;
    rhomb_batch_pair *described;  /* filled by the caller, launch_pairs at most */
    rhomb_batch_answer *answered; /* of the last launch */
    int64_t launches;
} rhomb__pool_solver;

/* Makes room for launches. On failure the solver is released. */
rhomb_status rhomb__pool_solver_create(rhomb__pool *pool, const rhomb__matrix_shape *shape,
                                       rhomb__pool_solver *out);
void rhomb__pool_solver_release(rhomb__pool_solver *solver);

/*
 * Solves the `count` pairs that the caller has described, by a level's kernel, and waits. The
 * answers are distances up to the level's limit and max_distance, RHOMB_BATCH_EXCEEDS
 * (max_distance, if it is not negative) or RHOMB_BATCH_BEYOND (the limit). At first use the level's
 * program is built, and checked with known answers.
 */
rhomb_status rhomb__pool_solve(rhomb__pool_solver *solver, int32_t level, int64_t count,
                               int64_t max_distance);

/* The known-answer test of a level's program, unless it has passed; see matrix_self_test.c. */
rhomb_status rhomb__pool_self_test(const rhomb__pool_solver *solver, int32_t level,
                                   rhomb__program *program);

#endif
