/* SPDX-License-Identifier: MIT */
/*
 * See gotoh.h.
 */
#include "gotoh.h"

#include <stdbool.h>
#include <stdlib.h>

#define NEVER (INT64_MAX / 4)

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t oracle_gap(const oracle_penalties *p, int64_t k)
{
    int64_t cost = p->open[0] + k * p->extend[0];
    if (p->pieces == 2)
        cost = least(cost, p->open[1] + k * p->extend[1]);
    return k == 0 ? 0 : cost;
}

oracle_penalties oracle_without_match(const oracle_penalties *p)
{
    const int64_t twice = p->match % 2 != 0 ? 2 : 1;
    oracle_penalties alone = {.mismatch = twice * (p->match + p->mismatch), .pieces = p->pieces};
    for (int piece = 0; piece < p->pieces; piece++) {
        alone.open[piece] = twice * p->open[piece];
        alone.extend[piece] = twice * p->extend[piece] + twice * p->match / 2;
    }
    return alone;
}

int64_t oracle_penalty_of_score(const oracle_penalties *p, int64_t n, int64_t m, int64_t score)
{
    const int64_t twice = p->match * (n + m) - 2 * score;
    return p->match % 2 != 0 ? twice : twice / 2;
}

/* Of the cells of a row: any path, and those whose last step leaves out a base of b. */
typedef struct cell {
    int64_t any;
    int64_t down[2];
} cell;

/* A second piece that costs more than any path does for one. */
static oracle_penalties in_two_pieces(const oracle_penalties *p)
{
    oracle_penalties two = *p;
    if (p->pieces == 1) {
        two.open[1] = NEVER;
        two.extend[1] = 0;
    }
    return two;
}

static void first_row(cell *row, int64_t n, const oracle_penalties *p)
{
    for (int64_t j = 0; j <= n; j++) {
        const cell c = {oracle_gap(p, j), {NEVER, NEVER}};
        row[j] = c;
    }
}

/* The row after the base `base` of b, in place. */
static void next_row(cell *row, const char *a, int64_t n, char base, const oracle_penalties *p)
{
    const oracle_penalties q = in_two_pieces(p);
    int64_t right[2] = {NEVER, NEVER}; /* the last step leaves out a base of a */
    int64_t diagonal = NEVER, before = NEVER;
    for (int64_t j = 0; j <= n; j++) {
        cell *c = &row[j];
        int64_t best = NEVER;
        if (j > 0) {
            best = diagonal + (a[j - 1] == base ? -q.match : q.mismatch);
            right[0] = least(before + q.open[0], right[0]) + q.extend[0];
            right[1] = least(before + q.open[1], right[1]) + q.extend[1];
        }
        c->down[0] = least(c->any + q.open[0], c->down[0]) + q.extend[0];
        c->down[1] = least(c->any + q.open[1], c->down[1]) + q.extend[1];
        diagonal = c->any;
        best = least(best, least(c->down[0], c->down[1]));
        before = c->any = least(best, least(right[0], right[1]));
    }
}

int64_t oracle_gotoh(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p)
{
    cell *row = malloc((size_t)(n + 1) * sizeof *row);
    if (row == NULL)
        abort();
    first_row(row, n, p);
    for (int64_t i = 0; i < m; i++)
        next_row(row, a, n, b[i], p);
    const int64_t penalty = row[n].any;
    free(row);
    return penalty;
}

typedef enum step { STEP_BOTH, STEP_A, STEP_B } step;

typedef struct walk {
    const char *a;
    int64_t n;
    const char *b;
    int64_t m;
    const oracle_penalties *p;
    step steps[64];
    int64_t best;
} walk;

/* Adds up a whole path, gap by gap. */
static int64_t price(const walk *w, int count)
{
    int64_t total = 0, i = 0, j = 0;
    for (int at = 0; at < count;) {
        const step kind = w->steps[at];
        int run = 1;
        while (kind != STEP_BOTH && at + run < count && w->steps[at + run] == kind)
            run++;
        if (kind == STEP_BOTH)
            total += w->a[i] == w->b[j] ? -w->p->match : w->p->mismatch;
        else
            total += oracle_gap(w->p, run);
        i += kind == STEP_B ? 0 : run;
        j += kind == STEP_A ? 0 : run;
        at += run;
    }
    return total;
}

/* Goes on from (i, j) in every way. */
static void go(walk *w, int64_t i, int64_t j, int count)
{
    static const int64_t A[] = {1, 1, 0}, B[] = {1, 0, 1};
    if (i == w->n && j == w->m)
        w->best = least(w->best, price(w, count));
    for (int kind = STEP_BOTH; kind <= STEP_B; kind++) {
        if (i + A[kind] > w->n || j + B[kind] > w->m)
            continue;
        w->steps[count] = (step)kind;
        go(w, i + A[kind], j + B[kind], count + 1);
    }
}

int64_t oracle_all_paths(const char *a, int64_t n, const char *b, int64_t m,
                         const oracle_penalties *p)
{
    walk w = {.a = a, .n = n, .b = b, .m = m, .p = p, .best = NEVER};
    if (n + m > 64)
        abort();
    go(&w, 0, 0, 0);
    return w.best;
}
