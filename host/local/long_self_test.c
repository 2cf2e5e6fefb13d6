/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of the sweeps of one long pair: before a program is trusted on a device, a
 * part of the known pair (host/engines/known_pair.h) gets the score that plain dynamic programming
 * gives it, and a beginning that has it. The part has several strips and launches in each shape
 * that a device's profile has. It takes some milliseconds.
 */
#include "host/local/long_local.h"

#include "host/device/context.h"
#include "host/engines/known_pair.h"
#include "src/scoring/score_matrix.h"

#include <string.h>

/* What of the pair is compared: the last bases, half of them random, so with gaps in both. */
#define TARGET 1000
#define QUERY  1120

_Static_assert(sizeof(rhomb_long_local_job) == 96, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_long_local_cell) == 16, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_long_local_status) == 16, "cl/abi.h has a record with gaps");

/* Gives bases to symbols of a matrix, which may have others. */
static void translate(const rhomb_score_matrix *matrix, char *bases, int64_t length)
{
    for (int64_t i = 0; i < length; i++) {
        const char *at = strchr("ACGT", bases[i]);
        bases[i] = matrix->symbols[(at != NULL ? at - "ACGT" : 0) % matrix->count];
    }
}

rhomb_status rhomb__long_self_test(rhomb_context *ctx, const rhomb__task *task,
                                   const rhomb_mode_options *mode, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    /* So cheap that the best alignment has many gaps, of both sequences. */
    static const rhomb_scoring ONE = {2, 1, 1, 1, -1, -1, NULL}, TWO = {2, 1, 1, 2, 5, 1, NULL};
    rhomb__known_pair p;
    rhomb__long_found found = {0};
    rhomb__task known = *task;
    /* A z-drop that no extension of the pair reaches. */
    const rhomb_mode_options how = {sizeof how,
                                    mode->mode,
                                    {20, 70, 150, 10},
                                    mode->z_drop >= 0 ? INT32_MAX : RHOMB_NO_LIMIT,
                                    0};
    if (!rhomb__test_begin(ctx, RHOMB__TEST_USUAL, &program, 1))
        return RHOMB_OK;
    rhomb__known_pair_make(&p);
    known.scoring = task->scoring.gap_open_2 >= 0 ? TWO : ONE;
    if (task->scoring.matrix != NULL) {
        rhomb_scoring_set_matrix(&known.scoring, task->scoring.matrix);
        translate(task->scoring.matrix, p.target, p.target_length);
        translate(task->scoring.matrix, p.query, p.query_length);
    }
    known.codes = task->scoring.matrix != NULL ? rhomb__matrix_codes(task->scoring.matrix)
                                               : rhomb__known_pair_codes(task->plan.planes);
    known.target = p.target + p.target_length - TARGET;
    known.query = p.query + p.query_length - QUERY;
    known.target_length = TARGET;
    known.query_length = QUERY;
    const rhomb_pair pair = {known.target, TARGET, known.query, QUERY};
    const int64_t expected =
        rhomb__known_mode_score(&known.scoring, &how, RHOMB_ALPHABET_BYTES, &pair);
    RHOMB_TRY(rhomb__long_local_find(ctx, &known, &how, NULL, NULL, &found));
    if (expected == RHOMB__KNOWN_NONE)
        RHOMB_TRY(rhomb__fail_memory(&ctx->stream.error, sizeof p, "the self-test"));
    if (found.extent.score != expected)
        RHOMB_TRY(rhomb__known_fail(
            ctx, program, "of the sweep of one long pair gave a score of %lld instead of %lld",
            (long long)found.extent.score, (long long)expected));
    rhomb__log(&ctx->stream, 2, "self-test passed: long_local %s", program->options);
out:
    rhomb__test_end(ctx, RHOMB__TEST_USUAL, &program, 1, status);
    return status;
}
