/* SPDX-License-Identifier: MIT */
/*
 * See gotoh_modes.h.
 */
#include "gotoh_modes.h"

#include <stdlib.h>

#define NEVER (INT64_MIN / 4)

typedef struct cell {
    int64_t any;
    int64_t right[2]; /* the last step leaves out a base of the target, ... */
    int64_t down[2];  /* ... or of the query */
} cell;

/* The matrix of a pair, or of the reversed one up to some end. */
typedef struct matrix {
    const char *target;
    const char *query;
    int64_t n;
    int64_t m;
    bool reversed;
    bool local; /* no score is below 0 */
    int64_t free_target;
    int64_t free_query;
    const oracle_penalties *p;
    cell *cells;
} matrix;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static cell *cell_at(const matrix *x, int64_t i, int64_t j)
{
    return &x->cells[i * (x->n + 1) + j];
}

static bool is_equal(const matrix *x, int64_t i, int64_t j)
{
    return x->reversed ? x->query[x->m - i] == x->target[x->n - j]
                       : x->query[i - 1] == x->target[j - 1];
}

/* A cell of the first row or column, so many bases from the corner. */
static cell border(const matrix *x, int64_t bases, int64_t free_bases)
{
    const int64_t paid = x->local ? 0 : bases - smaller(free_bases, bases);
    return (cell){-oracle_gap(x->p, paid), {NEVER, NEVER}, {NEVER, NEVER}};
}

static cell inner(const matrix *x, int64_t i, int64_t j)
{
    const cell *left = cell_at(x, i, j - 1), *up = cell_at(x, i - 1, j);
    const int64_t before = cell_at(x, i - 1, j - 1)->any;
    cell c = {before + (is_equal(x, i, j) ? x->p->match : -x->p->mismatch),
              {NEVER, NEVER},
              {NEVER, NEVER}};
    for (int piece = 0; piece < x->p->pieces; piece++) {
        const int64_t open = x->p->open[piece], extend = x->p->extend[piece];
        c.right[piece] = larger(left->any - open, left->right[piece]) - extend;
        c.down[piece] = larger(up->any - open, up->down[piece]) - extend;
        c.any = larger(c.any, larger(c.right[piece], c.down[piece]));
    }
    if (x->local)
        c.any = larger(c.any, 0);
    return c;
}

static void fill(matrix *x)
{
    x->cells = malloc((size_t)((x->n + 1) * (x->m + 1)) * sizeof *x->cells);
    if (x->cells == NULL)
        abort();
    for (int64_t i = 0; i <= x->m; i++)
        for (int64_t j = 0; j <= x->n; j++)
            *cell_at(x, i, j) = i == 0   ? border(x, j, x->free_target)
                                : j == 0 ? border(x, i, x->free_query)
                                         : inner(x, i, j);
}

typedef struct place {
    int64_t score, i, j;
} place;

/* The best cell in which an alignment may end, the first in the target, then in the query. */
static place find_best(const matrix *x, int64_t first_i, int64_t first_j, bool anywhere)
{
    place best = {NEVER, 0, 0};
    for (int64_t j = 0; j <= x->n; j++)
        for (int64_t i = 0; i <= x->m; i++) {
            const bool may_end =
                anywhere || (i == x->m && j >= first_j) || (j == x->n && i >= first_i);
            if (may_end && cell_at(x, i, j)->any > best.score)
                best = (place){cell_at(x, i, j)->any, i, j};
        }
    return best;
}

/* From the end of an alignment backwards to where it begins. */
static rhomb_pair_extent find_begin(const matrix *x, const place *end, const oracle_mode *mode)
{
    matrix back = {.target = x->target,
                   .query = x->query,
                   .n = end->j,
                   .m = end->i,
                   .reversed = true,
                   .p = x->p};
    fill(&back);
    const place begin = find_best(&back, back.m - smaller(mode->free_ends.query_begin, back.m),
                                  back.n - smaller(mode->free_ends.target_begin, back.n), x->local);
    if (begin.score != end->score)
        abort();
    free(back.cells);
    return (rhomb_pair_extent){.score = end->score,
                               .target_begin = end->j - begin.j,
                               .target_end = end->j,
                               .query_begin = end->i - begin.i,
                               .query_end = end->i};
}

/* The best inner cell of an antidiagonal, the first in the target. */
static place best_of_antidiagonal(const matrix *x, int64_t t, bool *ties)
{
    place best = {NEVER, 0, 0};
    for (int64_t j = larger(1, t - x->m); j <= smaller(x->n, t - 1); j++) {
        const int64_t score = cell_at(x, t - j, j)->any;
        if (ties != NULL && score == best.score)
            *ties = true;
        if (score > best.score)
            best = (place){score, t - j, j};
    }
    return best;
}

static bool drops(const matrix *x, const place *best, const place *now, const oracle_mode *mode)
{
    const int64_t i = now->i - best->i, j = now->j - best->j;
    const int64_t last =
        x->p->pieces == 2 ? smaller(x->p->extend[0], x->p->extend[1]) : x->p->extend[0];
    return mode->z_drop >= 0 && i >= 0 && j >= 0 &&
           best->score - now->score > mode->z_drop + (i > j ? i - j : j - i) * last;
}

static rhomb_pair_extent extend(const matrix *x, const oracle_mode *mode, bool *ties)
{
    place best = {0, 0, 0}, end = {NEVER, 0, 0};
    bool dropped = false;
    for (int64_t t = 2; x->n > 0 && x->m > 0 && t <= x->n + x->m && !dropped; t++) {
        const place now = best_of_antidiagonal(x, t, ties);
        const int64_t j = t - x->m;
        if (j >= 1 && j <= x->n && cell_at(x, x->m, j)->any > end.score)
            end = (place){cell_at(x, x->m, j)->any, x->m, j};
        if (now.score > best.score)
            best = now;
        else
            dropped = drops(x, &best, &now, mode);
    }
    if (!dropped && end.score > NEVER && end.score + mode->end_bonus > best.score)
        best = end;
    return (rhomb_pair_extent){.score = best.score, .target_end = best.j, .query_end = best.i};
}

rhomb_pair_extent oracle_mode_extent(const char *target, int64_t n, const char *query, int64_t m,
                                     const oracle_penalties *p, const oracle_mode *mode, bool *ties)
{
    const bool ends = mode->mode == RHOMB_MODE_ENDS_FREE;
    const rhomb_free_ends *free_ends = &mode->free_ends;
    rhomb_pair_extent extent;
    matrix x = {.target = target,
                .query = query,
                .n = n,
                .m = m,
                .local = mode->mode == RHOMB_MODE_LOCAL,
                .free_target = ends ? free_ends->target_begin : 0,
                .free_query = ends ? free_ends->query_begin : 0,
                .p = p};
    if (ties != NULL)
        *ties = false;
    fill(&x);
    if (mode->mode == RHOMB_MODE_EXTEND) {
        extent = extend(&x, mode, ties);
    } else if (mode->mode == RHOMB_MODE_GLOBAL) {
        extent =
            (rhomb_pair_extent){.score = cell_at(&x, m, n)->any, .target_end = n, .query_end = m};
    } else {
        const place end = find_best(&x, m - smaller(free_ends->query_end, m),
                                    n - smaller(free_ends->target_end, n), x.local);
        extent = find_begin(&x, &end, mode);
    }
    extent.reached_end = extent.query_end == m;
    free(x.cells);
    return extent;
}

const char *oracle_mode_judge(const rhomb_pair *pair, const rhomb_pair_extent *extent,
                              const rhomb_cigar_op *ops, int64_t count, const oracle_penalties *p)
{
    int64_t i = extent->query_begin, j = extent->target_begin, score = 0;
    for (int64_t at = 0; at < count; at++) {
        const uint32_t code = RHOMB_CIGAR_CODE(ops[at]);
        const int64_t length = RHOMB_CIGAR_LENGTH(ops[at]);
        const bool in_query = code != RHOMB_CIGAR_D, in_target = code != RHOMB_CIGAR_I;
        if (length == 0 || (at > 0 && code == RHOMB_CIGAR_CODE(ops[at - 1])))
            return "operations that are empty or not joined";
        if ((in_query && i + length > extent->query_end) ||
            (in_target && j + length > extent->target_end))
            return "a path beyond the end";
        for (int64_t x = 0; in_query && in_target && x < length; x++)
            if ((pair->query[i + x] == pair->target[j + x]) != (code == RHOMB_CIGAR_EQ))
                return "matches and mismatches that are not";
        score += code == RHOMB_CIGAR_EQ  ? length * p->match
                 : code == RHOMB_CIGAR_X ? -length * p->mismatch
                                         : -oracle_gap(p, length);
        i += in_query ? length : 0;
        j += in_target ? length : 0;
    }
    if (i != extent->query_end || j != extent->target_end)
        return "a path that does not come to the end";
    return score == extent->score ? NULL : "a path of another score";
}
