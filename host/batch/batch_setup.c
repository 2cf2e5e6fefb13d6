/* SPDX-License-Identifier: MIT */
/*
 * What the jobs of a batch share: options, shape, programs, and the table of symbols.
 */
#include "host/batch/batch_job.h"

#include "host/device/open.h"
#include "src/base/alphabet.h"

/* A symbol that is not in the alphabet. */
#define NO_CODE 256

/* Each symbol of the alphabet gets a code, as if a pair had them all. */
static void assign_codes(rhomb_alphabet alphabet, uint16_t codes[256])
{
    rhomb__histogram all = {{0}};
    bool known[256];
    for (int byte = 0; byte < 256; byte++) {
        rhomb__histogram one = {{0}};
        one.count[byte] = 1;
        known[byte] = alphabet == RHOMB_ALPHABET_BYTES ||
                      rhomb__histogram_classify(&one, alphabet).other == 0;
        all.count[byte] = known[byte];
    }
    const rhomb__codes assigned = rhomb__codes_assign(alphabet, &all, &all);
    for (int byte = 0; byte < 256; byte++)
        codes[byte] = known[byte] ? assigned.code[byte] : NO_CODE;
}

rhomb_status rhomb__batch_setup_make(rhomb_context *ctx, const rhomb_batch_options *options,
                                     rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    setup->ctx = ctx;
    setup->method = &rhomb__batch_edit;
    RHOMB_TRY(rhomb__batch_options_complete(&ctx->stream.error, options, &setup->options,
                                            &setup->tuning));
    if (setup->options.results == NULL) {
        status =
            rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a batch needs a results function");
        goto out;
    }
    RHOMB_TRY(rhomb__context_need_device(ctx));
    RHOMB_TRY(setup->method->shape(setup, ctx->stream.threads));
    assign_codes(setup->options.alphabet, setup->codes);
out:
    return status;
}

rhomb_status rhomb__batch_setup_build(rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program *program = NULL, *other = NULL;
    RHOMB_TRY(setup->method->build(setup, setup->shape.planes, &program));
    RHOMB_TRY(setup->method->build(setup, setup->shape.other_planes, &other));
    setup->program = program;
    setup->other_program = other;
    if (program->trusted && other->trusted)
        return RHOMB_OK;
    RHOMB_TRY(setup->method->self_test(setup));
    program->trusted = other->trusted = true;
    rhomb__log(&setup->ctx->stream, 2, "self-test passed: batch %s", program->options);
out:
    return status;
}
