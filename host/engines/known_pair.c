/* SPDX-License-Identifier: MIT */
/*
 * The pair of the known-answer tests, and its costs and scores, see known_pair.h.
 */
#include "host/engines/known_pair.h"

#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"

#include <stdarg.h>
#include <stdio.h>
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

#define NONE RHOMB__KNOWN_NONE

/* A cell: the score, and those of paths that end within a gap of the query's or the target's bases.
 */
typedef struct cell {
    int64_t h;
    int64_t e[2];
    int64_t f[2];
} cell;

/* How a pair is aligned; a path may begin and end within gaps that others have opened. */
typedef struct how {
    const rhomb_scoring *scoring;
    const rhomb_mode_options *mode;
    rhomb_alphabet alphabet;
    int32_t begin_gap, end_gap;
    int pieces;
    int64_t open[2], extend[2];
} how;

static how how_of(const rhomb_scoring *s, const rhomb_mode_options *mode, rhomb_alphabet alphabet,
                  int32_t begin_gap, int32_t end_gap)
{
    return (how){s,
                 mode,
                 alphabet,
                 begin_gap,
                 end_gap,
                 rhomb__scoring_pieces(s),
                 {s->gap_open, s->gap_open_2},
                 {s->gap_extend, s->gap_extend_2}};
}

/* A cell of the first column, if it is the query's bases, or row, so many bases from the corner. */
static cell border(const how *a, int64_t bases, bool of_query)
{
    const rhomb_free_ends *ends = &a->mode->free_ends;
    const int64_t unpaid = a->mode->mode == RHOMB_MODE_LOCAL       ? bases
                           : a->mode->mode != RHOMB_MODE_ENDS_FREE ? 0
                           : of_query                              ? ends->query_begin
                                                                   : ends->target_begin;
    const int64_t paid = rhomb__max(bases - unpaid, 0);
    cell c = {-rhomb__scoring_gap(a->scoring, paid), {NONE, NONE}, {NONE, NONE}};
    if (a->begin_gap != RHOMB_GAP_NONE && RHOMB_GAP_IS_I(a->begin_gap) == of_query)
        c.h = rhomb__max(c.h, -paid * a->extend[RHOMB_GAP_PIECE(a->begin_gap)]);
    return c;
}

/* A cell takes the place of the one above it; `h` by the diagonal. */
static inline void next_cell(const how *a, const cell *left, cell *c, int64_t h)
{
    if (a->mode->mode == RHOMB_MODE_LOCAL)
        h = rhomb__max(h, 0);
    for (int piece = 0; piece < a->pieces; piece++) {
        const int64_t extend = a->extend[piece], open = a->open[piece] + extend;
        c->e[piece] = rhomb__max(left->h - open, left->e[piece] - extend);
        c->f[piece] = rhomb__max(c->h - open, c->f[piece] - extend);
        h = rhomb__max(h, rhomb__max(c->e[piece], c->f[piece]));
    }
    c->h = h;
}

static int64_t gain_of(const how *a, char x, char y)
{
    if (a->scoring->matrix != NULL)
        return rhomb__matrix_score(a->scoring->matrix, x, y);
    const bool matches = x == y || (a->alphabet != RHOMB_ALPHABET_BYTES &&
                                    rhomb__alphabet_matches(a->alphabet, x, y));
    return matches ? a->scoring->match : -a->scoring->mismatch;
}

/* Whether an alignment may end in a cell. */
static bool may_end(const how *a, const rhomb_pair *pair, int64_t i, int64_t j)
{
    const rhomb_free_ends *ends = &a->mode->free_ends;
    if (a->mode->mode != RHOMB_MODE_ENDS_FREE)
        return true;
    return (i == pair->query_length && j >= pair->target_length - ends->target_end) ||
           (j == pair->target_length && i >= pair->query_length - ends->query_end);
}

/* The score of an alignment that ends in a cell, whose last gap another one may close. */
static int64_t end_score(const how *a, const cell *c)
{
    const int piece = RHOMB_GAP_PIECE(a->end_gap);
    if (a->end_gap == RHOMB_GAP_NONE)
        return c->h;
    return rhomb__max(c->h,
                      (RHOMB_GAP_IS_I(a->end_gap) ? c->f[piece] : c->e[piece]) + a->open[piece]);
}

/* NONE without memory. */
static int64_t best_score(const how *a, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    cell *row = malloc((size_t)(n + 1) * sizeof *row);
    int64_t best = NONE;
    if (row == NULL)
        return NONE;
    for (int64_t j = 0; j <= n; j++)
        row[j] = border(a, j, false);
    for (int64_t i = 0; i <= m; i++) {
        int64_t diagonal = row[0].h;
        if (i > 0)
            row[0] = border(a, i, true);
        for (int64_t j = 1; i > 0 && j <= n; j++) {
            const int64_t h = diagonal + gain_of(a, pair->query[i - 1], pair->target[j - 1]);
            diagonal = row[j].h;
            next_cell(a, &row[j - 1], &row[j], h);
        }
        for (int64_t j = 0; j <= n; j++)
            if (may_end(a, pair, i, j))
                best = rhomb__max(best, end_score(a, &row[j]));
    }
    free(row);
    return best;
}

int64_t rhomb__known_mode_score(const rhomb_scoring *s, const rhomb_mode_options *mode,
                                rhomb_alphabet alphabet, const rhomb_pair *pair)
{
    const how asked = how_of(s, mode, alphabet, RHOMB_GAP_NONE, RHOMB_GAP_NONE);
    return best_score(&asked, pair);
}

int64_t rhomb__known_range_cost(const rhomb__known_pair *p, const rhomb_subproblem *range,
                                const rhomb__costs *costs)
{
    const bool two = costs->pieces == 2;
    const rhomb_scoring s = {.mismatch = costs->mismatch,
                             .gap_open = costs->open[0],
                             .gap_extend = costs->extend[0],
                             .gap_open_2 = two ? costs->open[1] : -1,
                             .gap_extend_2 = two ? costs->extend[1] : -1};
    const rhomb_mode_options mode = {.struct_size = sizeof mode, .mode = RHOMB_MODE_ENDS_FREE};
    const how asked = how_of(&s, &mode, RHOMB_ALPHABET_BYTES, range->begin_gap, range->end_gap);
    const rhomb_pair pair = {p->target + range->pair.target_at, range->pair.target_length,
                             p->query + range->pair.query_at, range->pair.query_length};
    const int64_t score = best_score(&asked, &pair);
    return score == NONE ? -1 : -score;
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

rhomb_status rhomb__known_pack(rhomb_context *ctx, int32_t planes,
                               const rhomb__pair_packing *packing, rhomb__known_packed *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__known_pair *p = &out->pair;
    rhomb__program *pack = NULL;
    rhomb__known_pair_make(p);
    const rhomb__codes codes = rhomb__known_pair_codes(planes);
    const rhomb__bases target = {p->target, p->target_length, &codes, "the self-test"};
    const rhomb__bases query = {p->query, p->query_length, &codes, "the self-test"};
    const rhomb__pair_packing windows =
        rhomb__pair_packing_windows(p->target_length, p->query_length, planes, 2);
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(rhomb__pack_pair(&ctx->stream, pack, packing != NULL ? packing : &windows, &target,
                               &query, &out->target, &out->query));
out:
    return status;
}

void rhomb__known_packed_release(rhomb_context *ctx, rhomb__known_packed *packed)
{
    rhomb__buffer_release(&ctx->stream, &packed->query);
    rhomb__buffer_release(&ctx->stream, &packed->target);
}

rhomb_status rhomb__known_fail(rhomb_context *ctx, const rhomb__program *program,
                               const char *format, ...)
{
    const rhomb_device_info *device = &ctx->stream.device->info;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the self-test %s (%s); the driver (%s) or the device cannot be trusted",
                       device->name, text, program->options, device->driver_version);
}
