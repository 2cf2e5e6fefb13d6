/* SPDX-License-Identifier: MIT */
/*
 * Edit distances, the method of a batch with unit costs: cl/batch/batch.cl. Its launches are in
 * batch_edit_kernels.c.
 */
#include "host/batch/batch_job.h"

#include <string.h>

#include "cl/params.def"
#include "host/engines/known_pair.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"

static rhomb_status make_shape(rhomb__batch_setup *setup, int32_t threads)
{
    const rhomb_device_info *info = &setup->ctx->stream.device->info;
    const rhomb__batch_set *set = setup->set;
    rhomb_batch_tuning tuning = setup->tuning;
    if (setup->wide && tuning.group_size == 0)
        tuning.group_size = rhomb__group_on(info, rhomb__tuning_find(info)->ranges_group_size);
    const rhomb_status status = rhomb__batch_shape_make(&setup->ctx->stream.error, info, threads,
                                                        &setup->options, &tuning, &setup->shape);
    if (status == RHOMB_OK && set != NULL)
        rhomb__batch_shape_of_set(set->planes, set->job_pairs,
                                  2 * rhomb__max(set->bases / rhomb__max(set->packed, 1), 1),
                                  set->longest, &setup->shape);
    return status;
}

static rhomb_status build(const rhomb__batch_setup *setup, int32_t which, int32_t planes,
                          rhomb__program **out)
{
    const int32_t PLANES = planes, OFFSET_BITS = 32;
    const int32_t GROUP_SIZE = setup->shape.group_size;
    const int32_t PATH = setup->options.cigar;
    const int32_t IN_PLACE = setup->shape.in_place;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    if (which > 0)
        return RHOMB_OK;
    return rhomb__program_with(setup->ctx, &rhomb__source_batch, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

/*
 * Pairs with known distances, by textbook dynamic programming; the last two for the program of all
 * symbols.
 */
static const struct known {
    const char *target, *query;
    int64_t distance;
    int64_t less; /* of that in RHOMB_ALPHABET_IUPAC */
} KNOWN[] = {
    {"GGATCACAGTCTACACTGCTCACTCCAACCCCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGG",
     "GGATCACAGTCAACACTGCTCACTCTCAACCCCGGCCCCTGGGTCCGAGGAGAGGGTGCTTAGAGTATGTATACCACTGGGA", 6, 0},
    {"GATTACA", "", 7, 0},
    /* Random sequences, so that columns are far wider than a group. */
    {"GGATCACAGTCTACACTGCTCACTCCAACCCCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCA",
     "CTGGGTAGGATACGGCGGAGGGCACGTCAATACGGTTCAATGCCCTACTGCATGCTCTTGTGGTTCATCTGCATGG"
     "AGAGGGTGGGCATGGGTGGGGGTGCTGGCCCGTGATCTGGACCTCCCATCCACAGCTCATTGTACCGAGTGTAGAG",
     89, 0},
    /* With N, R and Y. */
    {"GGATCACAGTCTACACTGCTCACTCCAACCNCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCACTGG",
     "GGATCACAGTCAACACTGCTCACTCTCAACRCCCGGCCCCTGGGTCCGAGGAGAGGGTGCTTAGAGTATGTATACCACTGGGA", 8, 1},
    {"GGATCACAGTCTACACTGCTCACTCCAACCNCGGCCCCTGAGTCCGAGGAGAGGGTGCTTCAGAGTATGTATACCA",
     "CTGGGTAGGATACGGCGGAGGGCACGTCAATACGGTTCAATGCCCTACTGCATGCTCTTGYGGTTCATCTGCATGG"
     "AGAGGGTGGGCATGGGTGGGGGTGCTGGCCCGTGATCTGGACCTCCCATCCACAGCTCATTGTACCGAGTGTAGAG",
     89, 2},
};

enum { KNOWN_PAIRS = sizeof KNOWN / sizeof KNOWN[0], KNOWN_ACGT = 3 };

/* The cost of a CIGAR, or -1 where it does not lead from one end of the pair to the other. */
static int64_t cost_of(rhomb_alphabet alphabet, const rhomb_pair *pair,
                       const rhomb_pair_result *result)
{
    int64_t i = 0, j = 0, cost = 0;
    for (int64_t c = 0; c < result->cigar_count; c++) {
        const uint32_t code = RHOMB_CIGAR_CODE(result->cigar[c]);
        for (uint32_t s = 0; s < RHOMB_CIGAR_LENGTH(result->cigar[c]); s++) {
            const bool in_query = code != RHOMB_CIGAR_D, in_target = code != RHOMB_CIGAR_I;
            if (i + in_query > pair->query_length || j + in_target > pair->target_length)
                return -1;
            if (in_query && in_target &&
                rhomb__alphabet_matches(alphabet, pair->query[i], pair->target[j]) !=
                    (code == RHOMB_CIGAR_EQ))
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
    for (int64_t i = 0; i < job->count; i++) {
        const rhomb_pair_result *result = &job->results[i];
        const rhomb_alphabet alphabet = setup->options.alphabet;
        const int64_t known =
            KNOWN[i].distance - (alphabet == RHOMB_ALPHABET_IUPAC ? KNOWN[i].less : 0);
        const int64_t cost =
            setup->options.cigar ? cost_of(alphabet, &job->pairs[i], result) : known;
        if (result->distance != known || cost != known)
            return rhomb__fail(&setup->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the self-test of the batch kernels gave %lld, a path of %lld, "
                               "instead of %lld (%s); the driver (%s) or the device cannot be "
                               "trusted",
                               setup->ctx->stream.device->info.name, (long long)result->distance,
                               (long long)cost, (long long)known, setup->programs[0][0]->options,
                               setup->ctx->stream.device->info.driver_version);
    }
    return RHOMB_OK;
}

/* Known pairs, each the sequences 2 i and 2 i + 1 of a set, packed as the batch's own set is. */
static rhomb_status pack_known(const rhomb__batch_setup *setup, rhomb_matrix_sequence *sequences,
                               rhomb__batch_set *set)
{
    rhomb_status status = RHOMB_OK;
    for (int i = 0; i < KNOWN_ACGT; i++) {
        const struct known *k = &KNOWN[i];
        sequences[2 * i] = (rhomb_matrix_sequence){k->target, (int64_t)strlen(k->target), NULL};
        sequences[2 * i + 1] = (rhomb_matrix_sequence){k->query, (int64_t)strlen(k->query), NULL};
    }
    RHOMB_TRY(rhomb__batch_set_make(setup->ctx, sequences, (int64_t)2 * KNOWN_ACGT,
                                    RHOMB_ALPHABET_DNA, set));
    set->job_pairs = KNOWN_ACGT;
    set->planes = setup->shape.planes;
    set->codes = rhomb__known_pair_codes(set->planes);
    status = rhomb__batch_set_pack(set, RHOMB__BATCH_MOST_BASES, INT32_MAX);
out:
    return status;
}

/* Solves known pairs by a setup for them, those of its set if it has one. */
static rhomb_status run_known(const rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_job *job = NULL;
    rhomb_pair pairs[KNOWN_PAIRS];
    rhomb__batch_cell cells[KNOWN_ACGT];
    RHOMB_TRY(rhomb__batch_job_create(setup, &job));
    for (int i = 0; i < KNOWN_PAIRS; i++) {
        const rhomb_pair pair = {KNOWN[i].target, (int64_t)strlen(KNOWN[i].target), KNOWN[i].query,
                                 (int64_t)strlen(KNOWN[i].query)};
        pairs[i] = pair;
    }
    for (int i = 0; i < KNOWN_ACGT; i++)
        cells[i] = (rhomb__batch_cell){(int64_t)2 * i + 1, (int64_t)2 * i};
    RHOMB_TRY(setup->set != NULL ? rhomb__batch_job_run_cells(job, cells, KNOWN_ACGT)
                                 : rhomb__batch_job_run_pairs(job, pairs, KNOWN_PAIRS));
    status = check(setup, job);
out:
    rhomb__batch_job_destroy(job);
    return status;
}

static rhomb_status self_test(const rhomb__batch_setup *setup)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_setup small = *setup;
    rhomb_batch_tuning *tuning = &small.tuning;
    rhomb_matrix_sequence sequences[2 * KNOWN_ACGT];
    rhomb__batch_set set = {.ctx = NULL};
    small.options.max_distance = RHOMB_NO_LIMIT;
    tuning->first_limit = 2; /* so that pairs pass through levels */
    tuning->last_limit = 0;
    tuning->workers = 1;
    tuning->group_size = setup->shape.group_size;
    tuning->job_bases = 4096;
    tuning->long_bases = 0;
    if (setup->set != NULL) {
        RHOMB_TRY(pack_known(setup, sequences, &set));
        small.set = &set;
        small.packed = set.buffers[0].handle;
    }
    RHOMB_TRY(make_shape(&small, 1));
    small.shape.in_place = setup->shape.in_place;
    status = run_known(&small);
out:
    rhomb__batch_set_release(&set);
    return status;
}

static void count(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts)
{
    counts->listed[job->first_level] = (rhomb_u32)(listed > 0 ? listed : job->count);
}

static rhomb_status take(rhomb__batch_job *job, int64_t index, int64_t cigar_used)
{
    const rhomb_batch_answer *answer =
        (const rhomb_batch_answer *)(const void *)job->answers + index;
    const rhomb_pair *pair = &job->pairs[index];
    const int64_t longer = rhomb__max(pair->target_length, pair->query_length);
    rhomb_pair_result result = {.status = RHOMB_OK, .distance = -1};
    const int64_t count = job->setup->options.cigar ? answer->cigar_count : 0;
    const int64_t at = answer->cigar_at - rhomb__batch_job_first_operation(job);
    if (answer->distance == RHOMB_BATCH_BASES)
        return rhomb__batch_job_fail_bases(job, index);
    if (answer->distance < RHOMB_BATCH_BASES || answer->distance > longer ||
        (count > 0 && (at < 0 || answer->cigar_at + count > cigar_used)))
        return rhomb__fail(&job->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: distance %ld of sequences of %lld and %lld bases",
                           job->stream.device->info.name, (long)answer->distance,
                           (long long)pair->target_length, (long long)pair->query_length);
    job->exceeding += answer->distance == RHOMB_BATCH_EXCEEDS;
    if (answer->distance >= 0) {
        job->found++;
        job->distances += answer->distance;
        result.distance = answer->distance;
        result.cigar = count > 0 ? job->cigars + at : NULL;
        result.cigar_count = count;
    } else if (answer->distance == RHOMB_BATCH_BEYOND) {
        job->longs[job->long_count++] = (uint32_t)index;
        if (job->setup->shape.of_set)
            result.distance = RHOMB__BATCH_UNKNOWN;
    }
    job->results[index] = result;
    return RHOMB_OK;
}

/* Up to RHOMB__BATCH_MOST_ALONE: the device keeps four bytes for each cell of (d + 1)^2. */
static rhomb_status alone(const rhomb__batch_setup *setup, const rhomb_pair *pair, int64_t distance,
                          bool *fits, rhomb__batch_shape *shape)
{
    *fits = distance <= RHOMB__BATCH_MOST_ALONE;
    return *fits ? rhomb__batch_shape_alone(&setup->ctx->stream.error,
                                            &setup->ctx->stream.device->info, &setup->shape, pair,
                                            distance, shape)
                 : RHOMB_OK;
}

const rhomb__batch_method rhomb__batch_edit = {.shape = make_shape,
                                               .build = build,
                                               .self_test = self_test,
                                               .count = count,
                                               .enqueue = rhomb__batch_edit_enqueue,
                                               .take = take,
                                               .alone = alone};
