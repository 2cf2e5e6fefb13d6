/* SPDX-License-Identifier: MIT */
/*
 * The pair of the known-answer tests, see known_pair.h.
 */
#include "host/engines/known_pair.h"

#include "src/base/int64.h"

#include <stdlib.h>

enum { RUN = 400, EDITED = 800, UNRELATED_TARGET = 500, UNRELATED_QUERY = 620 };

_Static_assert(RUN + EDITED + UNRELATED_TARGET == RHOMB__KNOWN_TARGET, "the known target's length");
_Static_assert(RUN + EDITED + UNRELATED_QUERY == RHOMB__KNOWN_QUERY, "the known query's length");

/* Marsaglia's xorshift. */
static char next_base(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return "ACGT"[*state >> 30];
}

void rhomb__known_pair_make(rhomb__known_pair *p)
{
    uint32_t state = 2463534242u;
    p->target_length = p->query_length = 0;
    for (int i = 0; i < RUN + EDITED; i++) {
        const char base = next_base(&state);
        const int edit = i < RUN ? 0 : i % 37;
        p->target[p->target_length++] = base;
        if (edit != 11)
            p->query[p->query_length++] = edit == 5 || edit == 23 ? next_base(&state) : base;
    }
    for (int i = 0; i < UNRELATED_TARGET; i++)
        p->target[p->target_length++] = next_base(&state);
    for (int i = 0; i < UNRELATED_QUERY; i++)
        p->query[p->query_length++] = next_base(&state);
}

/* A column of the matrix: costs of cells, and of those that end with each piece of a gap. */
typedef struct column {
    int64_t best[RHOMB__KNOWN_QUERY + 1];
    int64_t across[2][RHOMB__KNOWN_QUERY + 1];
    int64_t down[2]; /* of the last row */
} column;

#define NO_PATH (INT64_MAX / 2)

/* Before the first base of the target. */
static void first_column(const rhomb_subproblem *range, const rhomb__costs *costs, column *c)
{
    const int32_t gap = range->begin_gap;
    const int piece = RHOMB_GAP_PIECE(gap);
    for (int64_t i = 0; i <= range->pair.query_length; i++) {
        c->best[i] = rhomb__costs_gap(costs, i);
        if (RHOMB_GAP_IS_I(gap))
            c->best[i] = rhomb__min(c->best[i], i * costs->extend[piece]);
        c->across[0][i] = c->across[1][i] = NO_PATH;
    }
    if (gap != RHOMB_GAP_NONE && !RHOMB_GAP_IS_I(gap))
        c->across[piece][0] = 0;
}

/* The columns of the target come one after the other into the same place. */
static void next_column(char base, const char *query, int64_t m, const rhomb__costs *costs,
                        column *c)
{
    int64_t diagonal = c->best[0], down[2] = {NO_PATH, NO_PATH};
    for (int64_t i = 0; i <= m; i++) {
        int64_t least = NO_PATH;
        if (i > 0)
            least = diagonal + (base == query[i - 1] ? 0 : costs->mismatch);
        diagonal = c->best[i];
        for (int piece = 0; piece < costs->pieces; piece++) {
            const int64_t extend = costs->extend[piece], open = costs->open[piece] + extend;
            int64_t *across = &c->across[piece][i];
            *across = rhomb__min(*across + extend, c->best[i] + open);
            if (i > 0)
                down[piece] = rhomb__min(down[piece] + extend, c->best[i - 1] + open);
            least = rhomb__min(least, rhomb__min(*across, down[piece]));
        }
        c->best[i] = least;
    }
    c->down[0] = down[0];
    c->down[1] = down[1];
}

int64_t rhomb__known_range_cost(const rhomb__known_pair *p, const rhomb_subproblem *range,
                                const rhomb__costs *costs)
{
    const rhomb_split_pair *pair = &range->pair;
    const int64_t m = pair->query_length;
    const int32_t gap = range->end_gap;
    const int piece = RHOMB_GAP_PIECE(gap);
    column *c = malloc(sizeof *c);
    if (c == NULL)
        return -1;
    first_column(range, costs, c);
    for (int64_t j = 0; j < pair->target_length; j++)
        next_column(p->target[pair->target_at + j], p->query + pair->query_at, m, costs, c);
    int64_t cost = c->best[m];
    if (gap != RHOMB_GAP_NONE)
        cost = rhomb__min(cost, (RHOMB_GAP_IS_I(gap) ? c->down[piece] : c->across[piece][m]) -
                                    costs->open[piece]);
    free(c);
    return cost;
}

int64_t rhomb__known_pair_cost(const rhomb__known_pair *p, const rhomb__costs *costs)
{
    const rhomb_subproblem whole = {
        .pair = {.target_length = p->target_length, .query_length = p->query_length}};
    return rhomb__known_range_cost(p, &whole, costs);
}

rhomb__codes rhomb__known_pair_codes(int32_t planes)
{
    static const uint8_t PATTERNS[] = {0x00, 0x55, 0xaa, 0xff};
    rhomb__codes codes = {{0}, 4};
    for (int i = 0; i < 4 && planes >= RHOMB_MASKS; i++)
        codes.code[(unsigned char)"ACGT"[i]] = (uint8_t)(1 << i);
    for (int i = 0; i < 4 && planes < RHOMB_MASKS; i++)
        codes.code[(unsigned char)"ACGT"[i]] = PATTERNS[i] & (uint8_t)((1u << planes) - 1);
    return codes;
}

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
                      const cell *up, const cell *diagonal, bool equal)
{
    const int64_t open[] = {s->gap_open + s->gap_extend, s->gap_open_2 + s->gap_extend_2};
    const int64_t extend[] = {s->gap_extend, s->gap_extend_2};
    cell c = {diagonal->h + (equal ? s->match : -s->mismatch), {NONE, NONE}, {NONE, NONE}};
    for (int piece = 0; piece < rhomb__scoring_pieces(s); piece++) {
        c.e[piece] = rhomb__max(left->h - open[piece], left->e[piece] - extend[piece]);
        c.f[piece] = rhomb__max(up->h - open[piece], up->f[piece] - extend[piece]);
        c.h = rhomb__max(c.h, rhomb__max(c.e[piece], c.f[piece]));
    }
    if (mode->mode == RHOMB_MODE_LOCAL)
        c.h = rhomb__max(c.h, 0);
    return c;
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
                row[j] = next_cell(
                    s, mode, &row[j - 1], &up, &diagonal,
                    rhomb__alphabet_matches(alphabet, pair->query[i - 1], pair->target[j - 1]));
                diagonal = up;
            }
            if (may_end(mode, pair, i, j))
                best = rhomb__max(best, row[j].h);
        }
    }
    free(row);
    return best;
}
