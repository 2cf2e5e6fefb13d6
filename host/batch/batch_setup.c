/* SPDX-License-Identifier: MIT */
/*
 * What the jobs of a batch share: options, shape, programs, and the table of symbols; and the
 * known-answer test that a program passes before its results are trusted on a device.
 */
#include "host/batch/batch_job.h"

#include <string.h>

#include "cl/params.def"
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
    RHOMB_TRY(rhomb__batch_options_complete(&ctx->stream.error, options, &setup->options,
                                            &setup->tuning));
    if (setup->options.results == NULL) {
        status =
            rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "a batch needs a results function");
        goto out;
    }
    RHOMB_TRY(rhomb__context_need_device(ctx));
    RHOMB_TRY(rhomb__batch_shape_make(&ctx->stream.error, &ctx->stream.device->info,
                                      ctx->stream.threads, &setup->options, &setup->tuning,
                                      &setup->shape));
    assign_codes(setup->options.alphabet, setup->codes);
out:
    return status;
}

static rhomb_status build(const rhomb__batch_setup *setup, int32_t planes, rhomb__program **out)
{
    const int32_t PLANES = planes, OFFSET_BITS = 32;
    const int32_t GROUP_SIZE = setup->shape.group_size;
    const int32_t PATH = setup->options.cigar;
    const int32_t IN_PLACE = setup->shape.in_place;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(setup->ctx, &rhomb__source_batch, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

/* Pairs with known distances, by textbook dynamic programming; with N and R for the other program.
 */
static const struct known {
    const char *target, *query;
    int64_t distance;
} KNOWN[] = {
    {"GGATCACAGTCTACACTGCTCACTCCAACCCCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGG",
     "GGATCACAGTCAACACTGCTCACTCTCAACCCCGGCCCCTGGGTCCGAGGAGAGGGTGCTTAGAGTATGTATACCACTGGGA", 6},
    {"GGATCACAGTCTACACTGCTCACTCCAACCNCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGG",
     "GGATCACAGTCAACACTGCTCACTCTCAACRCCCGGCCCCTGGGTCCGAGGAGAGGGTGCTTAGAGTATGTATACCACTGGGA", 8},
    {"GATTACA", "", 7},
    /* Random sequences, so that columns are far wider than a group. */
    {"GGATCACAGTCTACACTGCTCACTCCAACCCCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCA",
     "CTGGGTAGGATACGGCGGAGGGCACGTCAATACGGTTCAATGCCCTACTGCATGCTCTTGTGGTTCATCTGCATGG"
     "AGAGGGTGGGCATGGGTGGGGGTGCTGGCCCGTGATCTGGACCTCCCATCCACAGCTCATTGTACCGAGTGTAGAG",
     89},
    {"GGATCACAGTCTACACTGCTCACTCCAACCNCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCA",
     "CTGGGTAGGATACGGCGGAGGGCACGTCAATACGGTTCAATGCCCTACTGCATGCTCTTGYGGTTCATCTGCATGG"
     "AGAGGGTGGGCATGGGTGGGGGTGCTGGCCCGTGATCTGGACCTCCCATCCACAGCTCATTGTACCGAGTGTAGAG",
     89},
};

enum { KNOWN_PAIRS = sizeof KNOWN / sizeof KNOWN[0] };

/* The cost of a CIGAR, or -1 where it does not lead from one end of the pair to the other. */
static int64_t cost_of(const rhomb_pair *pair, const rhomb_pair_result *result)
{
    int64_t i = 0, j = 0, cost = 0;
    for (int64_t c = 0; c < result->cigar_count; c++) {
        const uint32_t code = RHOMB_CIGAR_CODE(result->cigar[c]);
        for (uint32_t s = 0; s < RHOMB_CIGAR_LENGTH(result->cigar[c]); s++) {
            const bool in_query = code != RHOMB_CIGAR_D, in_target = code != RHOMB_CIGAR_I;
            if (i + in_query > pair->query_length || j + in_target > pair->target_length)
                return -1;
            if (in_query && in_target &&
                (pair->query[i] == pair->target[j]) != (code == RHOMB_CIGAR_EQ))
                return -1;
            cost += code != RHOMB_CIGAR_EQ;
            i += in_query;
            j += in_target;
        }
    }
    return i == pair->query_length && j == pair->target_length ? cost : -1;
}

static rhomb_status check(const rhomb__batch_setup *setup, const rhomb__batch_job *job)
{
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        const rhomb_pair_result *result = &job->results[i];
        const int64_t cost =
            setup->options.cigar ? cost_of(&job->pairs[i], result) : KNOWN[i].distance;
        if (result->distance != KNOWN[i].distance || cost != KNOWN[i].distance)
            return rhomb__fail(&setup->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the self-test of the batch kernels gave %lld, a path of %lld, "
                               "instead of %lld (%s); the driver (%s) or the device cannot be "
                               "trusted",
                               setup->ctx->stream.device->info.name, (long long)result->distance,
                               (long long)cost, (long long)KNOWN[i].distance,
                               setup->program->options,
                               setup->ctx->stream.device->info.driver_version);
    }
    return RHOMB_OK;
}

/* Solves the known pairs with the programs of a setup, unless they have passed before. */
static rhomb_status self_test(rhomb__batch_setup *setup, rhomb__program *program,
                              rhomb__program *other)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_job *job = NULL;
    rhomb__batch_setup small = *setup;
    rhomb_batch_tuning tuning = setup->tuning;
    rhomb_pair pairs[KNOWN_PAIRS];
    if (program->trusted && other->trusted)
        return RHOMB_OK;
    small.options.max_distance = RHOMB_NO_LIMIT;
    tuning.first_limit = 2; /* so that pairs pass through levels */
    tuning.last_limit = 0;
    tuning.workers = 1;
    tuning.group_size = setup->shape.group_size;
    tuning.job_bases = 4096;
    tuning.long_bases = 0;
    RHOMB_TRY(rhomb__batch_shape_make(&setup->ctx->stream.error, &setup->ctx->stream.device->info,
                                      1, &small.options, &tuning, &small.shape));
    small.shape.in_place = setup->shape.in_place;
    RHOMB_TRY(rhomb__batch_job_create(&small, &job));
    rhomb__batch_job_reset(job, 0);
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        const rhomb_pair pair = {KNOWN[i].target, (int64_t)strlen(KNOWN[i].target), KNOWN[i].query,
                                 (int64_t)strlen(KNOWN[i].query)};
        pairs[i] = pair;
    }
    rhomb__batch_job_add(job, pairs, KNOWN_PAIRS);
    status = rhomb__batch_job_run(job);
    if (status != RHOMB_OK) {
        rhomb__fail(&setup->ctx->stream.error, status, "%s", rhomb__error_text(&job->stream.error));
        goto out;
    }
    RHOMB_TRY(check(setup, job));
    program->trusted = other->trusted = true;
    rhomb__log(&setup->ctx->stream, 2, "self-test passed: batch %s", program->options);
out:
    rhomb__batch_job_destroy(job);
    return status;
}

rhomb_status rhomb__batch_setup_build(rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program *program = NULL, *other = NULL;
    RHOMB_TRY(build(setup, setup->shape.planes, &program));
    RHOMB_TRY(build(setup, setup->shape.other_planes, &other));
    setup->program = program;
    setup->other_program = other;
    RHOMB_TRY(self_test(setup, program, other));
out:
    return status;
}
