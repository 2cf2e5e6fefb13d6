/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of modes other than end to end, see batch_job.h: the score of a pair by
 * plain dynamic programming, and whether the path has it.
 */
#include "host/batch/batch_job.h"

#include <stdlib.h>

#include "src/base/int64.h"

#define NONE (INT64_MIN / 4)

/* A cell: the score, and those of paths that end within a gap of the query's or the target's bases.
 */
typedef struct cell {
    int64_t h;
    int64_t e[2];
    int64_t f[2];
} cell;

/* What a gap takes, by the scoring itself. */
static int64_t gap(const rhomb_scoring *s, int64_t bases)
{
    const int64_t first = s->gap_open + s->gap_extend * bases;
    if (bases <= 0)
        return 0;
    return s->gap_open_2 < 0 ? first : rhomb__min(first, s->gap_open_2 + s->gap_extend_2 * bases);
}

/* A cell of the first row or column, so many bases from the corner. */
static cell border(const rhomb__batch_setup *setup, int64_t bases, int64_t free_bases)
{
    const bool local = setup->options.mode == RHOMB_MODE_LOCAL;
    const bool ends = setup->options.mode == RHOMB_MODE_ENDS_FREE;
    const int64_t paid = local ? 0 : bases - (ends ? rhomb__min(free_bases, bases) : 0);
    return (cell){-gap(&setup->scoring, paid), {NONE, NONE}, {NONE, NONE}};
}

static cell next_cell(const rhomb__batch_setup *setup, const cell *left, const cell *up,
                      const cell *diagonal, bool equal)
{
    const rhomb_scoring *s = &setup->scoring;
    const int64_t open[] = {s->gap_open + s->gap_extend, s->gap_open_2 + s->gap_extend_2};
    const int64_t extend[] = {s->gap_extend, s->gap_extend_2};
    cell c = {diagonal->h + (equal ? s->match : -s->mismatch), {NONE, NONE}, {NONE, NONE}};
    for (int piece = 0; piece < (s->gap_open_2 < 0 ? 1 : 2); piece++) {
        c.e[piece] = rhomb__max(left->h - open[piece], left->e[piece] - extend[piece]);
        c.f[piece] = rhomb__max(up->h - open[piece], up->f[piece] - extend[piece]);
        c.h = rhomb__max(c.h, rhomb__max(c.e[piece], c.f[piece]));
    }
    if (setup->options.mode == RHOMB_MODE_LOCAL)
        c.h = rhomb__max(c.h, 0);
    return c;
}

/* Whether an alignment may end in a cell. */
static bool may_end(const rhomb__batch_setup *setup, const rhomb_pair *pair, int64_t i, int64_t j)
{
    const rhomb_free_ends *ends = &setup->options.free_ends;
    if (setup->options.mode != RHOMB_MODE_ENDS_FREE)
        return true;
    return (i == pair->query_length && j >= pair->target_length - ends->target_end) ||
           (j == pair->target_length && i >= pair->query_length - ends->query_end);
}

/* The score of the best end; NONE without memory. */
static int64_t best_score(const rhomb__batch_setup *setup, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    const rhomb_free_ends *ends = &setup->options.free_ends;
    cell *row = malloc((size_t)(n + 1) * sizeof *row);
    int64_t best = NONE;
    if (row == NULL)
        return NONE;
    for (int64_t j = 0; j <= n; j++)
        row[j] = border(setup, j, ends->target_begin);
    for (int64_t i = 0; i <= m; i++) {
        cell diagonal = row[0];
        if (i > 0)
            row[0] = border(setup, i, ends->query_begin);
        for (int64_t j = 0; j <= n; j++) {
            if (i > 0 && j > 0) {
                const cell up = row[j];
                row[j] = next_cell(setup, &row[j - 1], &up, &diagonal,
                                   pair->query[i - 1] == pair->target[j - 1]);
                diagonal = up;
            }
            if (may_end(setup, pair, i, j))
                best = rhomb__max(best, row[j].h);
        }
    }
    free(row);
    return best;
}

/* The score of the path from begin to end; NONE where it does not lead there. */
static int64_t path_score(const rhomb__batch_setup *setup, const rhomb_pair *pair,
                          const rhomb_pair_result *result)
{
    const rhomb_pair_extent *e = result->extent;
    int64_t i = e->query_begin, j = e->target_begin, score = 0;
    for (int64_t at = 0; at < result->cigar_count; at++) {
        const uint32_t code = RHOMB_CIGAR_CODE(result->cigar[at]);
        const int64_t length = RHOMB_CIGAR_LENGTH(result->cigar[at]);
        const bool both = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        if ((code != RHOMB_CIGAR_D && i + length > e->query_end) ||
            (code != RHOMB_CIGAR_I && j + length > e->target_end))
            return NONE;
        for (int64_t x = 0; both && x < length; x++)
            if ((pair->query[i + x] == pair->target[j + x]) != (code == RHOMB_CIGAR_EQ))
                return NONE;
        score += rhomb_scoring_op_score(&setup->scoring, result->cigar[at]);
        i += code == RHOMB_CIGAR_D ? 0 : length;
        j += code == RHOMB_CIGAR_I ? 0 : length;
    }
    return i == e->query_end && j == e->target_end ? score : NONE;
}

rhomb_status rhomb__batch_check_mode(const rhomb__batch_setup *setup, const rhomb__batch_job *job,
                                     int64_t index)
{
    rhomb_context *ctx = setup->ctx;
    const rhomb_pair *pair = &job->pairs[index];
    const rhomb_pair_result *result = &job->results[index];
    const int64_t best = best_score(setup, pair);
    if (best == NONE)
        return rhomb__fail_memory(&ctx->stream.error, 0, "the self-test of a batch");
    const bool found = result->extent != NULL && result->extent->score == best;
    if (found && (!setup->options.cigar || path_score(setup, pair, result) == best))
        return RHOMB_OK;
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the self-test of the batch kernels gave a score of %lld, or a path of "
                       "another one, instead of %lld (%s); the driver (%s) or the device cannot be "
                       "trusted",
                       ctx->stream.device->info.name,
                       (long long)(result->extent != NULL ? result->extent->score : -1),
                       (long long)best, setup->programs[0][0]->options,
                       ctx->stream.device->info.driver_version);
}
