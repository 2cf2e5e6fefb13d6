/* SPDX-License-Identifier: MIT */
/*
 * See gotoh_modes.h.
 */
#include "gotoh_modes.h"

#include <stdlib.h>

#define NEVER (INT64_MIN / 4) /* of scores */

/* The matrix of a pair, or of the reversed one up to some end. */
typedef struct matrix {
    plain_pair texts;
    bool local; /* no score is below 0 */
    int64_t free_target;
    int64_t free_query;
    const oracle_penalties *p;
    oracle_vertex *vertices;
} matrix;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t score_at(const matrix *x, int64_t i, int64_t j)
{
    return -x->vertices[i * (x->texts.n + 1) + j].cost[RHOMB_GAP_NONE];
}

/* A vertex of the first row or column, so many bases from the corner. */
static oracle_vertex border(const matrix *x, int64_t bases, int64_t free_bases)
{
    oracle_vertex v = ORACLE_UNREACHED;
    const int64_t paid = x->local ? 0 : bases - smaller(free_bases, bases);
    v.cost[RHOMB_GAP_NONE] = oracle_gap(x->p, paid);
    return v;
}

static void fill(matrix *x)
{
    const int64_t n = x->texts.n, m = x->texts.m;
    x->vertices = malloc((size_t)((n + 1) * (m + 1)) * sizeof *x->vertices);
    if (x->vertices == NULL)
        abort();
    for (int64_t j = 0; j <= n; j++)
        x->vertices[j] = border(x, j, x->free_target);
    for (int64_t i = 1; i <= m; i++) {
        oracle_vertex *row = &x->vertices[i * (n + 1)], *above = row - (n + 1);
        row[0] = border(x, i, x->free_query);
        oracle_gotoh_row(&x->texts, x->p, i, x->local ? 0 : ORACLE_NEVER,
                         above->cost[RHOMB_GAP_NONE], above, row);
    }
}

typedef struct place {
    int64_t score, i, j;
} place;

/* The best cell in which an alignment may end, the first in the target, then in the query. */
static place find_best(const matrix *x, int64_t first_i, int64_t first_j, bool anywhere)
{
    place best = {NEVER, 0, 0};
    for (int64_t j = 0; j <= x->texts.n; j++)
        for (int64_t i = 0; i <= x->texts.m; i++) {
            const bool may_end =
                anywhere || (i == x->texts.m && j >= first_j) || (j == x->texts.n && i >= first_i);
            if (may_end && score_at(x, i, j) > best.score)
                best = (place){score_at(x, i, j), i, j};
        }
    return best;
}

/* From the end of an alignment backwards to where it begins. */
static rhomb_pair_extent find_begin(const matrix *x, const place *end, const oracle_mode *mode)
{
    matrix back = {.texts = {x->texts.target, end->j, x->texts.query, end->i, true}, .p = x->p};
    fill(&back);
    const place begin = find_best(&back, end->i - smaller(mode->free_ends.query_begin, end->i),
                                  end->j - smaller(mode->free_ends.target_begin, end->j), x->local);
    if (begin.score != end->score)
        abort();
    free(back.vertices);
    return (rhomb_pair_extent){.score = end->score,
                               .target_begin = end->j - begin.j,
                               .target_end = end->j,
                               .query_begin = end->i - begin.i,
                               .query_end = end->i};
}

/* The best cell of an antidiagonal from a row and column on, the first in the target. */
static place best_of_antidiagonal(const matrix *x, int64_t first, int64_t t, bool *ties)
{
    place best = {NEVER, 0, 0};
    for (int64_t j = larger(first, t - x->texts.m); j <= smaller(x->texts.n, t - first); j++) {
        const int64_t score = score_at(x, t - j, j);
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

/* By the cells from row and column `first` on: 1, or 0 with those of the borders. */
static rhomb_pair_extent extend(const matrix *x, int64_t first, const oracle_mode *mode, bool *ties)
{
    place best = {0, 0, 0}, end = {NEVER, 0, 0};
    const int64_t n = x->texts.n, m = x->texts.m;
    bool dropped = false;
    for (int64_t t = 2 * first; n >= first && m >= first && t <= n + m && !dropped; t++) {
        const place now = best_of_antidiagonal(x, first, t, ties);
        const int64_t j = t - m;
        if (j >= first && j <= n && score_at(x, m, j) > end.score)
            end = (place){score_at(x, m, j), m, j};
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
    matrix x = {.texts = {target, n, query, m, false},
                .local = mode->mode == RHOMB_MODE_LOCAL,
                .free_target = ends ? free_ends->target_begin : 0,
                .free_query = ends ? free_ends->query_begin : 0,
                .p = p};
    if (ties != NULL)
        *ties = false;
    fill(&x);
    if (mode->mode == RHOMB_MODE_EXTEND) {
        extent = extend(&x, 1, mode, ties);
    } else if (mode->mode == RHOMB_MODE_GLOBAL) {
        extent = (rhomb_pair_extent){.score = score_at(&x, m, n), .target_end = n, .query_end = m};
    } else {
        const place end = find_best(&x, m - smaller(free_ends->query_end, m),
                                    n - smaller(free_ends->target_end, n), x.local);
        extent = find_begin(&x, &end, mode);
    }
    extent.reached_end = extent.query_end == m;
    free(x.vertices);
    return extent;
}

rhomb_pair_extent oracle_extent_with_borders(const rhomb_pair *pair, const oracle_penalties *p,
                                             const oracle_mode *mode)
{
    matrix x = {
        .texts = {pair->target, pair->target_length, pair->query, pair->query_length, false},
        .p = p};
    fill(&x);
    rhomb_pair_extent extent = extend(&x, 0, mode, NULL);
    extent.reached_end = extent.query_end == pair->query_length;
    free(x.vertices);
    return extent;
}
