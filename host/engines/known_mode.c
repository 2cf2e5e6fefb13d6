/* SPDX-License-Identifier: MIT */
/*
 * Scores for known-answer tests of modes other than end to end, see known_mode.h.
 */
#include "host/engines/known_mode.h"

#include <stdlib.h>

#include "src/base/alphabet.h"
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"

#define NONE RHOMB__KNOWN_NONE

/* A cell: the score, and those of paths that end within a gap of the query's or the target's bases.
 */
typedef struct cell {
    int64_t h;
    int64_t e[2];
    int64_t f[2];
} cell;

/* A cell of the first row or column, so many bases from the corner. */
static cell border(const rhomb_scoring *s, const rhomb_mode_options *mode, int64_t bases,
                   int64_t free_bases)
{
    const bool local = mode->mode == RHOMB_MODE_LOCAL;
    const bool ends = mode->mode == RHOMB_MODE_ENDS_FREE;
    const int64_t paid = local ? 0 : bases - (ends ? rhomb__min(free_bases, bases) : 0);
    return (cell){-rhomb__scoring_gap(s, paid), {NONE, NONE}, {NONE, NONE}};
}

static cell next_cell(const rhomb_scoring *s, const rhomb_mode_options *mode, const cell *left,
                      const cell *up, const cell *diagonal, int64_t gain)
{
    const int64_t open[] = {s->gap_open + s->gap_extend, s->gap_open_2 + s->gap_extend_2};
    const int64_t extend[] = {s->gap_extend, s->gap_extend_2};
    cell c = {diagonal->h + gain, {NONE, NONE}, {NONE, NONE}};
    for (int piece = 0; piece < rhomb__scoring_pieces(s); piece++) {
        c.e[piece] = rhomb__max(left->h - open[piece], left->e[piece] - extend[piece]);
        c.f[piece] = rhomb__max(up->h - open[piece], up->f[piece] - extend[piece]);
        c.h = rhomb__max(c.h, rhomb__max(c.e[piece], c.f[piece]));
    }
    if (mode->mode == RHOMB_MODE_LOCAL)
        c.h = rhomb__max(c.h, 0);
    return c;
}

static int64_t gain_of(const rhomb_scoring *s, rhomb_alphabet alphabet, char a, char b)
{
    if (s->matrix != NULL)
        return rhomb__matrix_score(s->matrix, a, b);
    return rhomb__alphabet_matches(alphabet, a, b) ? s->match : -s->mismatch;
}

/* Whether an alignment may end in a cell. */
static bool may_end(const rhomb_mode_options *mode, const rhomb_pair *pair, int64_t i, int64_t j)
{
    const rhomb_free_ends *ends = &mode->free_ends;
    if (mode->mode != RHOMB_MODE_ENDS_FREE)
        return true;
    return (i == pair->query_length && j >= pair->target_length - ends->target_end) ||
           (j == pair->target_length && i >= pair->query_length - ends->query_end);
}

int64_t rhomb__known_mode_score(const rhomb_scoring *s, const rhomb_mode_options *mode,
                                rhomb_alphabet alphabet, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    const rhomb_free_ends *ends = &mode->free_ends;
    cell *row = malloc((size_t)(n + 1) * sizeof *row);
    int64_t best = NONE;
    if (row == NULL)
        return NONE;
    for (int64_t j = 0; j <= n; j++)
        row[j] = border(s, mode, j, ends->target_begin);
    for (int64_t i = 0; i <= m; i++) {
        cell diagonal = row[0];
        if (i > 0)
            row[0] = border(s, mode, i, ends->query_begin);
        for (int64_t j = 0; j <= n; j++) {
            if (i > 0 && j > 0) {
                const cell up = row[j];
                row[j] = next_cell(s, mode, &row[j - 1], &up, &diagonal,
                                   gain_of(s, alphabet, pair->query[i - 1], pair->target[j - 1]));
                diagonal = up;
            }
            if (may_end(mode, pair, i, j))
                best = rhomb__max(best, row[j].h);
        }
    }
    free(row);
    return best;
}
