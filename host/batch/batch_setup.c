/* SPDX-License-Identifier: MIT */
/*
 * What the jobs of a batch share: options, shape, programs, and the table of symbols.
 */
#include "host/batch/batch_job.h"

#include "host/device/open.h"
#include "src/base/int64.h"
#include "src/planner/long_job.h"
#include "src/scoring/score_matrix.h"

/* The most that a match, a mismatch or a base of a gap may score in kernels for modes. */
#define MOST_MODE_SCORE (1 << 20)

/* A symbol that is not in the alphabet. */
#define NO_CODE 256

/* Each symbol of the alphabet, and of the matrix, gets a code, as if a pair had them all. */
static void assign_codes(rhomb_alphabet alphabet, const rhomb_score_matrix *matrix,
                         uint16_t codes[256])
{
    rhomb__histogram all = {{0}};
    bool known[256];
    for (int byte = 0; byte < 256; byte++) {
        known[byte] = rhomb__alphabet_has(alphabet, byte) &&
                      (matrix == NULL || rhomb_score_matrix_symbol(matrix, (char)byte) >= 0);
        all.count[byte] = known[byte];
    }
    const rhomb__codes assigned = rhomb__codes_assign(alphabet, &all, &all);
    for (int byte = 0; byte < 256; byte++)
        codes[byte] = known[byte] ? assigned.code[byte] : NO_CODE;
}

/* Unit costs, however they were written, are those without a scoring. */
static bool are_plain_edits(const rhomb__costs *costs)
{
    return rhomb__costs_are_edit(costs) && costs->unit == 1 && costs->match == 0;
}

/* What a mode needs besides its scoring. */
static rhomb_status check_mode(rhomb__error *error, const rhomb_batch_options *options,
                               const rhomb_scoring *scoring)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_mode_options mode = {sizeof mode, options->mode, options->free_ends,
                                     options->z_drop, options->end_bonus};
    RHOMB_TRY(rhomb__long_check_mode(error, &mode, scoring));
    if (options->mode != RHOMB_MODE_GLOBAL && options->max_distance >= 0)
        status =
            rhomb__fail(error, RHOMB_ERR_ARGUMENT, "max_distance is for alignments end to end");
    else if (options->mode != RHOMB_MODE_GLOBAL && rhomb__scoring_most(scoring) > MOST_MODE_SCORE)
        status =
            rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                        "a batch that is not end to end has no scores above %d", MOST_MODE_SCORE);
out:
    return status;
}

/* By costs and mode. From here on options.scoring is the setup's copy, or NULL for plain edits. */
static rhomb_status choose_method(rhomb__batch_setup *setup)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    rhomb_status status = RHOMB_OK;
    rhomb_batch_options *options = &setup->options;
    rhomb__error *error = &setup->ctx->stream.error;
    setup->scoring = options->scoring != NULL ? *options->scoring : EDIT;
    RHOMB_TRY(rhomb__costs_of(error, &setup->scoring, &setup->costs));
    RHOMB_TRY(rhomb__matrix_check_asked(error, &setup->scoring, options->alphabet,
                                        options->max_distance));
    RHOMB_TRY(check_mode(error, options, &setup->scoring));
    options->scoring = &setup->scoring;
    setup->method = &rhomb__batch_scored;
    setup->whole = options->mode == RHOMB_MODE_GLOBAL && setup->costs.matrix != NULL;
    if (setup->whole) { /* no end is free */
        options->mode = RHOMB_MODE_ENDS_FREE;
        options->free_ends = (rhomb_free_ends){0, 0, 0, 0};
    }
    if (options->mode == RHOMB_MODE_GLOBAL && are_plain_edits(&setup->costs)) {
        options->scoring = NULL;
        setup->method = &rhomb__batch_edit;
    }
    for (int32_t piece = 0; piece < setup->costs.pieces; piece++)
        if (setup->costs.open[piece] + setup->costs.extend[piece] > RHOMB_SLICED_MOST) {
            status = rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                                 "a batch has no gaps whose first base costs more than %d, after "
                                 "division by what the costs have in common",
                                 RHOMB_SLICED_MOST);
            goto out;
        }
out:
    return status;
}

rhomb_status rhomb__batch_setup_shape(rhomb__batch_setup *setup)
{
    const int32_t threads = setup->ctx->stream.threads;
    return setup->method->shape(setup, (int32_t)rhomb__ceil_div(threads, setup->devices));
}

/* The matrix by the codes of both kinds of bases. */
static void make_tables(rhomb__batch_setup *setup)
{
    static const uint8_t ACGT[256] = {['A'] = 0, ['C'] = 1, ['T'] = 2, ['G'] = 3};
    uint8_t codes[256], acgt[256];
    for (int byte = 0; byte < 256; byte++) {
        codes[byte] = (uint8_t)rhomb__min(setup->codes[byte], UINT8_MAX);
        acgt[byte] = byte == 'A' ? 0 : ACGT[byte] > 0 ? ACGT[byte] : UINT8_MAX;
    }
    rhomb__matrix_table(setup->costs.matrix, codes, &setup->tables[RHOMB__BATCH_ALL]);
    rhomb__matrix_table(setup->costs.matrix, setup->shape.planes == 2 ? acgt : codes,
                        &setup->tables[RHOMB__BATCH_ACGT]);
}

rhomb_status rhomb__batch_setup_make(rhomb_context *ctx, const rhomb_batch_options *options,
                                     rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    setup->ctx = ctx;
    RHOMB_TRY(rhomb__batch_options_complete(&ctx->stream.error, options, &setup->options,
                                            &setup->tuning));
    if (setup->options.results == NULL) {
        status =
            rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a batch needs a results function");
        goto out;
    }
    RHOMB_TRY(choose_method(setup));
    RHOMB_TRY(rhomb__context_need_device(ctx));
    if (setup->devices == 0)
        setup->devices = rhomb__device_count(ctx);
    RHOMB_TRY(rhomb__batch_setup_shape(setup));
    assign_codes(setup->options.alphabet, setup->scoring.matrix, setup->codes);
    make_tables(setup);
out:
    return status;
}

rhomb_status rhomb__batch_setup_build(rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program **programs = &setup->programs[0][0];
    const size_t count = RHOMB__BATCH_PROGRAMS * RHOMB__BATCH_KINDS;
    for (int32_t which = 0; which < RHOMB__BATCH_PROGRAMS; which++) {
        for (int kind = 0; kind < RHOMB__BATCH_KINDS; kind++) {
            rhomb__program **program = &setup->programs[which][kind];
            const int32_t planes =
                kind == RHOMB__BATCH_ACGT ? setup->shape.planes : setup->shape.other_planes;
            *program = NULL;
            if (which >= setup->method->programs ||
                (kind != RHOMB__BATCH_ACGT && setup->shape.of_set))
                continue; /* a set has one table for all symbols */
            RHOMB_TRY(setup->method->build(setup, which, planes, program));
        }
    }
    const rhomb__test test = setup->shape.of_set ? RHOMB__TEST_RANGES : RHOMB__TEST_USUAL;
    if (!rhomb__test_begin(setup->ctx, test, programs, count))
        return RHOMB_OK;
    status = setup->method->self_test(setup);
    if (status == RHOMB_OK)
        rhomb__log(&setup->ctx->stream, 2, "self-test passed: batch %s", programs[0]->options);
    rhomb__test_end(setup->ctx, test, programs, count, status);
out:
    return status;
}
