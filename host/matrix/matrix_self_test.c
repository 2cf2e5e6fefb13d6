/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of kernels that solve pairs of a pool, see matrix_pool.h: ranges of the
 * known pair, whose distances were computed by plain dynamic programming, packed as a pool; with
 * the same symbols spread over all planes.
 */
#include "host/device/context.h"
#include "host/engines/known_pair.h"
#include "host/matrix/matrix_pool.h"

/* Of the known pair: target and query range, and their distance; the last have none alike. */
static const struct known {
    int64_t target_at, target_length, query_at, query_length, distance;
} KNOWN[] = {{30, 1100, 30, 1070, 55}, {401, 800, 400, 778, 53}, {0, 430, 0, 429, 1},
             {0, 300, 0, 300, 0},      {3, 0, 3, 0, 0},          {100, 5, 0, 0, 5}};

enum { KNOWN_PAIRS = sizeof KNOWN / sizeof KNOWN[0], KNOWN_LIMIT = 64 };

/* A pool of all ranges, each a sequence, and their pairs. */
static rhomb_status make(rhomb_context *ctx, const rhomb__known_pair *p, int32_t planes,
                         rhomb_batch_pair pairs[KNOWN_PAIRS], rhomb__pool *out)
{
    const rhomb__codes codes = rhomb__known_pair_codes(planes);
    rhomb__pooled sequences[2 * KNOWN_PAIRS];
    int64_t word = 0;
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        const struct known *k = &KNOWN[i];
        const rhomb__pooled target = {p->target + k->target_at, k->target_length, word};
        word += rhomb__matrix_words(target.length);
        const rhomb__pooled query = {p->query + k->query_at, k->query_length, word};
        word += rhomb__matrix_words(query.length);
        sequences[2 * i] = target;
        sequences[2 * i + 1] = query;
        pairs[i] =
            (rhomb_batch_pair){query.word * RHOMB_WORD_SYMBOLS, target.word * RHOMB_WORD_SYMBOLS,
                               (rhomb_i32)query.length, (rhomb_i32)target.length};
    }
    return rhomb__pool_create(ctx, sequences, sizeof sequences / sizeof sequences[0], &codes,
                              planes, out);
}

rhomb_status rhomb__pool_self_test(const rhomb__pool_solver *solver, int32_t level,
                                   rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = solver->pool->ctx;
    rhomb__pool pool = {.ctx = NULL};
    rhomb__pool_solver known = {.pool = NULL};
    rhomb__known_pair p;
    rhomb_batch_pair pairs[KNOWN_PAIRS];
    const rhomb__matrix_shape shape = {
        .levels = {{KNOWN_LIMIT, solver->shape.levels[level].group_size, KNOWN_PAIRS, true}},
        .count = 1,
        .launch_pairs = KNOWN_PAIRS};
    if (!rhomb__test_begin(ctx, RHOMB__TEST_RANGES, &program, 1))
        return RHOMB_OK;
    rhomb__known_pair_make(&p);
    RHOMB_TRY(make(ctx, &p, solver->pool->planes, pairs, &pool));
    RHOMB_TRY(rhomb__pool_solver_create(&pool, &shape, &known));
    for (int i = 0; i < KNOWN_PAIRS; i++)
        known.described[i] = pairs[i];
    RHOMB_TRY(rhomb__pool_solve(&known, 0, KNOWN_PAIRS, RHOMB_NO_LIMIT));
    for (int i = 0; i < KNOWN_PAIRS; i++)
        if (known.answered[i].distance != KNOWN[i].distance) {
            status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                 "%s: the self-test of the kernels for matrices gave %ld instead "
                                 "of %lld (%s); the driver (%s) or the device cannot be trusted",
                                 ctx->stream.device->info.name, (long)known.answered[i].distance,
                                 (long long)KNOWN[i].distance, program->options,
                                 ctx->stream.device->info.driver_version);
            goto out;
        }
    rhomb__log(&ctx->stream, 2, "self-test passed: matrix %s", program->options);
out:
    rhomb__pool_solver_release(&known);
    rhomb__pool_release(&pool);
    rhomb__test_end(ctx, RHOMB__TEST_RANGES, &program, 1, status);
    return status;
}
