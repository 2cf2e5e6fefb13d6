/* SPDX-License-Identifier: MIT */
/*
 * See long_path.h. A *wave* is what a score has of a component: of each diagonal k = j - i the
 * furthest offset j, of all paths (component RHOMB_GAP_NONE) or of those within a gap.
 */
#include "src/paths/long_path.h"

#include "src/base/int64.h"

#include <stdlib.h>

/* Of a diagonal that no path comes to; with room for what is added. */
#define NOWHERE (INT64_MIN / 4)

typedef struct waves {
    const rhomb__path_pair *pair;
    const rhomb_subproblem *of;
    int64_t last; /* the last score that may be needed: the end gap's opening comes on top */
    int64_t first_diagonal;
    int64_t diagonals;
    int64_t *offsets; /* by score, component and diagonal */
} waves;

static int64_t end_diagonal(const waves *w)
{
    return w->of->pair.target_length - w->of->pair.query_length;
}

/* Components are numbered as gaps are, without those that there are not. */
static int64_t components(const waves *w)
{
    return 1 + 2 * w->pair->costs->pieces;
}

static int64_t component_of(const waves *w, int32_t gap)
{
    if (gap == RHOMB_GAP_NONE)
        return 0;
    return 1 + RHOMB_GAP_PIECE(gap) + (RHOMB_GAP_IS_I(gap) ? w->pair->costs->pieces : 0);
}

static int64_t *cell(const waves *w, int64_t score, int32_t gap, int64_t diagonal)
{
    const int64_t row = score * components(w) + component_of(w, gap);
    return w->offsets + (row * w->diagonals + diagonal - w->first_diagonal);
}

static int64_t offset(const waves *w, int64_t score, int32_t gap, int64_t diagonal)
{
    const int64_t place = diagonal - w->first_diagonal;
    return score < 0 || place < 0 || place >= w->diagonals ? NOWHERE
                                                           : *cell(w, score, gap, diagonal);
}

static int64_t opened(const waves *w, int64_t score, int32_t gap, int64_t diagonal)
{
    const rhomb__costs *costs = w->pair->costs;
    const int piece = RHOMB_GAP_PIECE(gap), step = RHOMB_GAP_IS_I(gap) ? 1 : -1;
    return offset(w, score - costs->open[piece] - costs->extend[piece], RHOMB_GAP_NONE,
                  diagonal + step);
}

static int64_t extended(const waves *w, int64_t score, int32_t gap, int64_t diagonal)
{
    const int64_t extend = w->pair->costs->extend[RHOMB_GAP_PIECE(gap)];
    return offset(w, score - extend, gap, diagonal + (RHOMB_GAP_IS_I(gap) ? 1 : -1));
}

/* Follows matches from an offset on, where that is inside. */
static int64_t follow(const waves *w, int64_t diagonal, int64_t at)
{
    const rhomb_split_pair *of = &w->of->pair;
    const int64_t end = rhomb__min(of->target_length, of->query_length + diagonal);
    if (at < 0 || at >= end)
        return at;
    return at + rhomb__codes_run(w->pair->codes, w->pair->target + of->target_at + at,
                                 w->pair->query + of->query_at + at - diagonal, end - at);
}

/* The furthest way to a cell of all paths, before matches, and what it comes by: NONE, or a gap. */
static int64_t furthest(const waves *w, int64_t score, int64_t diagonal, int32_t *by)
{
    static const int32_t IN_ORDER[] = {RHOMB_GAP_D, RHOMB_GAP_I, RHOMB_GAP_D_2, RHOMB_GAP_I_2};
    const rhomb__costs *costs = w->pair->costs;
    int64_t best = NOWHERE;
    *by = RHOMB_GAP_NONE;
    if (!costs->replaced)
        best = offset(w, score - costs->mismatch, RHOMB_GAP_NONE, diagonal) + 1;
    for (int i = 0; i < 2 * costs->pieces; i++) {
        const int64_t by_gap = offset(w, score, IN_ORDER[i], diagonal);
        if (by_gap > best) {
            best = by_gap;
            *by = IN_ORDER[i];
        }
    }
    return best;
}

static void compute_cell(const waves *w, int64_t score, int64_t diagonal)
{
    int32_t by = RHOMB_GAP_NONE;
    for (int32_t gap = RHOMB_GAP_D; gap <= RHOMB_GAP_I_2; gap++) {
        if (RHOMB_GAP_PIECE(gap) < w->pair->costs->pieces)
            *cell(w, score, gap, diagonal) =
                rhomb__max(opened(w, score, gap, diagonal), extended(w, score, gap, diagonal)) +
                (RHOMB_GAP_IS_I(gap) ? 0 : 1);
    }
    *cell(w, score, RHOMB_GAP_NONE, diagonal) =
        follow(w, diagonal, furthest(w, score, diagonal, &by));
}

/* Whether the end is reached; beyond it nothing is that a path of the least cost comes by. */
static bool is_end(const waves *w, int64_t score, int32_t gap)
{
    return offset(w, score, gap, end_diagonal(w)) >= w->of->pair.target_length;
}

/* All waves; whether they come to the end at its cost, within *gap, and not for less. */
static bool compute(const waves *w, int32_t *gap)
{
    const int64_t cost = w->of->pair.distance, least = rhomb__costs_least_extend(w->pair->costs);
    const int64_t cells = (w->last + 1) * components(w) * w->diagonals;
    const int32_t end_gap = w->of->end_gap;
    for (int64_t i = 0; i < cells; i++)
        w->offsets[i] = NOWHERE;
    *cell(w, 0, RHOMB_GAP_NONE, 0) = follow(w, 0, 0);
    if (w->of->begin_gap != RHOMB_GAP_NONE)
        *cell(w, 0, w->of->begin_gap, 0) = 0;
    for (int64_t score = 0; score <= w->last; score++) {
        const int64_t beside = (w->last - score) / least; /* from where the end is in reach */
        const int64_t low = rhomb__max(w->first_diagonal, end_diagonal(w) - beside);
        const int64_t high =
            rhomb__min(w->first_diagonal + w->diagonals - 1, end_diagonal(w) + beside);
        for (int64_t diagonal = low; score > 0 && diagonal <= high; diagonal++)
            compute_cell(w, score, diagonal);
        if ((score < cost && is_end(w, score, RHOMB_GAP_NONE)) ||
            (end_gap != RHOMB_GAP_NONE && score < w->last && is_end(w, score, end_gap)))
            return false;
    }
    *gap = is_end(w, cost, RHOMB_GAP_NONE) ? RHOMB_GAP_NONE : end_gap;
    return *gap == RHOMB_GAP_NONE ? is_end(w, cost, *gap) : is_end(w, w->last, *gap);
}

/*
 * Walks back from the end, which is reached within *gap. Puts the gaps and mismatches before `at`,
 * and returns the first; *gap becomes the one that the path begins with.
 */
static rhomb_path_op *walk_back(const waves *w, int32_t *gap, rhomb_path_op *at)
{
    const rhomb__costs *costs = w->pair->costs;
    int64_t score = *gap == RHOMB_GAP_NONE ? w->of->pair.distance : w->last;
    int64_t diagonal = end_diagonal(w);
    rhomb_path_op length = 0; /* of the gap so far */
    while (score > 0) {
        if (*gap == RHOMB_GAP_NONE) {
            furthest(w, score, diagonal, gap);
            if (*gap == RHOMB_GAP_NONE) {
                *--at = (rhomb_path_op)1 << 4 | RHOMB_CIGAR_X;
                score -= costs->mismatch;
            }
            continue;
        }
        const int piece = RHOMB_GAP_PIECE(*gap);
        const bool goes_on = extended(w, score, *gap, diagonal) >= opened(w, score, *gap, diagonal);
        length++;
        diagonal += RHOMB_GAP_IS_I(*gap) ? 1 : -1;
        score -= costs->extend[piece];
        if (!goes_on) {
            *--at = length << 4 | (RHOMB_GAP_IS_I(*gap) ? RHOMB_CIGAR_I : RHOMB_CIGAR_D);
            score -= costs->open[piece];
            *gap = RHOMB_GAP_NONE;
            length = 0;
        }
    }
    if (length > 0)
        *--at = length << 4 | (RHOMB_GAP_IS_I(*gap) ? RHOMB_CIGAR_I : RHOMB_CIGAR_D);
    return at;
}

/* Appends the gaps and mismatches from `from` to `end`, and all matches before and after them. */
static rhomb_status walk_forward(rhomb__error *error, const waves *w, bool within_gap,
                                 const rhomb_path_op *from, const rhomb_path_op *end,
                                 rhomb__path *path)
{
    rhomb_status status = RHOMB_OK;
    int64_t diagonal = 0, at = within_gap ? 0 : follow(w, 0, 0);
    RHOMB_TRY(rhomb__path_append(error, path, RHOMB_CIGAR_EQ, at));
    for (; from < end; from++) {
        const uint32_t code = (uint32_t)RHOMB_CIGAR_CODE(*from);
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(*from);
        RHOMB_TRY(rhomb__path_append(error, path, code, length));
        diagonal += code == RHOMB_CIGAR_D ? length : code == RHOMB_CIGAR_I ? -length : 0;
        at += code == RHOMB_CIGAR_I ? 0 : length;
        const int64_t to = follow(w, diagonal, at);
        RHOMB_TRY(rhomb__path_append(error, path, RHOMB_CIGAR_EQ, to - at));
        at = to;
    }
out:
    return status;
}

/* A path of the cost has no more gap bases than that, of which `shift` lead to the end. */
static void lay_out(waves *w)
{
    const int64_t end = end_diagonal(w), shift = end < 0 ? -end : end;
    w->last = w->of->pair.distance + rhomb__costs_of_opening(w->pair->costs, w->of->end_gap);
    const int64_t bases = w->last / rhomb__costs_least_extend(w->pair->costs);
    const int64_t beside = rhomb__max(bases - shift, 0) / 2;
    w->first_diagonal = rhomb__min(end, 0) - beside;
    w->diagonals = shift + 2 * beside + 1;
}

rhomb_status rhomb__long_path(rhomb__error *error, const rhomb__path_pair *pair,
                              const rhomb_subproblem *subproblem, rhomb__path *path, bool *found)
{
    rhomb_status status = RHOMB_OK;
    waves w = {.pair = pair, .of = subproblem};
    int32_t gap = RHOMB_GAP_NONE;
    lay_out(&w);
    /* Each gap or mismatch costs one at least, but for one that goes on from the beginning. */
    const int64_t cells = (w.last + 1) * components(&w) * w.diagonals, most = w.last + 1;
    const size_t bytes = (size_t)cells * sizeof *w.offsets;
    rhomb_path_op *edits = malloc((size_t)most * sizeof *edits);
    w.offsets = malloc(bytes);
    *found = false;
    if (edits == NULL || w.offsets == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, bytes, "the path of a long subproblem"));
    *found = compute(&w, &gap);
    if (*found) {
        rhomb_path_op *end = edits + most;
        const rhomb_path_op *from = walk_back(&w, &gap, end);
        RHOMB_TRY(walk_forward(error, &w, gap != RHOMB_GAP_NONE, from, end, path));
    }
out:
    free(w.offsets);
    free(edits);
    return status;
}
