/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of a batch, see batch_known.h.
 */
#include "host/batch/batch_known.h"

#include "host/engines/known_pair.h"
#include "src/base/alphabet.h"

/* Some pass through levels, some end in the matrix, and one has no query. */
static const rhomb_split_pair RANGES[RHOMB__BATCH_RANGES] = {{30, 300, 30, 290, 0},
                                                             {401, 150, 380, 178, 0},
                                                             {1210, 80, 1190, 150, 0},
                                                             {100, 80, 100, 80, 0},
                                                             {500, 7, 500, 0, 0}};

/* From one IUPAC code to the next, so that every range has some. */
enum { CODE_STEP = 19 };

static rhomb_pair pair_of(const rhomb__known_pair *from, const rhomb_split_pair *range)
{
    return (rhomb_pair){from->target + range->target_at, range->target_length,
                        from->query + range->query_at, range->query_length};
}

void rhomb__batch_known_make(rhomb__batch_known *known)
{
    rhomb__known_pair_make(&known->plain);
    known->coded = known->plain;
    for (int64_t i = 0; i < known->coded.target_length; i += CODE_STEP)
        known->coded.target[i] = "NRY"[i % 3];
    for (int i = 0; i < RHOMB__BATCH_RANGES; i++)
        known->pairs[i] = pair_of(&known->plain, &RANGES[i]);
    for (int i = 1; i < RHOMB__BATCH_RANGES; i++)
        known->pairs[RHOMB__BATCH_EDIT_RANGES + i] = pair_of(&known->coded, &RANGES[i]);
    known->set = (rhomb__batch_set){.ctx = NULL};
}

void rhomb__batch_known_translate(rhomb__batch_known *known, const rhomb_score_matrix *matrix)
{
    static const char BASES[] = "ACGT";
    rhomb__known_pair *p = &known->plain;
    char symbols[256] = {0};
    for (int i = 0; i < 4; i++)
        symbols[(unsigned char)BASES[i]] =
            matrix->symbols[matrix->alphabet == RHOMB_ALPHABET_PROTEIN ? i * (matrix->count - 1) / 3
                                                                       : i % matrix->count];
    for (int64_t i = 0; i < p->target_length; i++)
        p->target[i] = symbols[(unsigned char)p->target[i]];
    for (int64_t i = 0; i < p->query_length; i++)
        p->query[i] = symbols[(unsigned char)p->query[i]];
}

rhomb_status rhomb__batch_known_pack(const rhomb__batch_setup *setup, rhomb__batch_known *known)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_set *set = &known->set;
    for (int i = 0; i < RHOMB__BATCH_EDIT_RANGES; i++) {
        const rhomb_pair *p = &known->pairs[1 + i];
        known->sequences[2 * i] = (rhomb_matrix_sequence){p->target, p->target_length, NULL};
        known->sequences[2 * i + 1] = (rhomb_matrix_sequence){p->query, p->query_length, NULL};
    }
    RHOMB_TRY(rhomb__batch_set_make(setup->ctx, known->sequences,
                                    2 * (int64_t)RHOMB__BATCH_EDIT_RANGES, RHOMB_ALPHABET_DNA,
                                    set));
    set->job_pairs = RHOMB__BATCH_EDIT_RANGES;
    set->planes = setup->shape.planes;
    set->codes = rhomb__known_pair_codes(set->planes);
    status = rhomb__batch_set_pack(set, RHOMB__BATCH_MOST_BASES, INT32_MAX);
out:
    return status;
}

/* The score of the path from begin to end; RHOMB__KNOWN_NONE where it does not lead there. */
static int64_t path_score(const rhomb__batch_setup *setup, const rhomb_pair *pair,
                          const rhomb_pair_result *result, const rhomb_pair_extent *extent)
{
    int64_t i = extent->query_begin, j = extent->target_begin, score = 0;
    for (int64_t at = 0; at < result->cigar_count; at++) {
        const uint32_t code = RHOMB_CIGAR_CODE(result->cigar[at]);
        const int64_t length = RHOMB_CIGAR_LENGTH(result->cigar[at]);
        const bool both = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        if ((code != RHOMB_CIGAR_D && i + length > extent->query_end) ||
            (code != RHOMB_CIGAR_I && j + length > extent->target_end))
            return RHOMB__KNOWN_NONE;
        for (int64_t x = 0; both && x < length; x++)
            if (rhomb__alphabet_matches(setup->options.alphabet, pair->query[i + x],
                                        pair->target[j + x]) != (code == RHOMB_CIGAR_EQ))
                return RHOMB__KNOWN_NONE;
        score += rhomb_scoring_bases_score(&setup->scoring, result->cigar[at], pair->target + j,
                                           pair->query + i);
        i += code == RHOMB_CIGAR_D ? 0 : length;
        j += code == RHOMB_CIGAR_I ? 0 : length;
    }
    return i == extent->query_end && j == extent->target_end ? score : RHOMB__KNOWN_NONE;
}

/* Checks the answer for a pair. */
static rhomb_status check(const rhomb__batch_setup *setup, const rhomb__batch_job *job,
                          int64_t index)
{
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_pair_result *result = &job->results[index];
    const rhomb_pair_extent whole = {.score = -result->distance,
                                     .target_end = pair->target_length,
                                     .query_end = pair->query_length};
    const rhomb_pair_extent *found = result->extent != NULL ? result->extent : &whole;
    rhomb_mode_options mode = {sizeof mode, setup->options.mode, setup->options.free_ends,
                               RHOMB_NO_LIMIT, 0};
    if (mode.mode == RHOMB_MODE_GLOBAL) { /* no end is free */
        mode.mode = RHOMB_MODE_ENDS_FREE;
        mode.free_ends = (rhomb_free_ends){0, 0, 0, 0};
    }
    const int64_t best =
        rhomb__known_mode_score(&setup->scoring, &mode, setup->options.alphabet, pair);
    const int64_t of_path =
        setup->options.cigar ? path_score(setup, pair, result, found) : found->score;
    if (best == RHOMB__KNOWN_NONE)
        return rhomb__fail_memory(&setup->ctx->stream.error, 0, "the self-test of a batch");
    if (found->score == best && of_path == best)
        return RHOMB_OK;
    return rhomb__known_fail(
        setup->ctx, setup->programs[0][0],
        "of the batch kernels gave a score of %lld, and a path of %lld, instead of %lld",
        (long long)found->score, (long long)of_path, (long long)best);
}

/* Limits may have been set so low that a pair is not for the kernels. */
static bool is_long(const rhomb__batch_job *job, uint32_t index)
{
    for (int64_t i = 0; i < job->long_count; i++)
        if (job->longs[i] == index)
            return true;
    return false;
}

rhomb_status rhomb__batch_known_check(rhomb__batch_setup *setup, const rhomb__batch_known *known,
                                      bool edits)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_job *job = NULL;
    rhomb__batch_cell cells[RHOMB__BATCH_EDIT_RANGES];
    const rhomb_pair *pairs = known->pairs + (edits ? 1 : 0);
    const bool of_set = setup->shape.of_set;
    const uint32_t count = !edits   ? RHOMB__BATCH_RANGES
                           : of_set ? RHOMB__BATCH_EDIT_RANGES
                                    : RHOMB__BATCH_KNOWN - 1;
    if (setup->shape.job_pairs < count)
        rhomb__batch_shape_for(pairs, count, &setup->shape);
    RHOMB_TRY(rhomb__batch_job_create(setup, &job));
    for (int64_t i = 0; i < RHOMB__BATCH_EDIT_RANGES; i++)
        cells[i] = (rhomb__batch_cell){2 * i + 1, 2 * i};
    const rhomb__batch_input input = {pairs, of_set ? cells : NULL, count};
    RHOMB_TRY(rhomb__batch_job_run_input(job, &input));
    for (uint32_t i = 0; i < job->count; i++)
        if (!is_long(job, i))
            RHOMB_TRY(check(setup, job, i));
out:
    rhomb__batch_job_destroy(job);
    return status;
}
