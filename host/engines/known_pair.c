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
