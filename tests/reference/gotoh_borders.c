/* SPDX-License-Identifier: MIT */
/*
 * See gotoh_borders.h.
 */
#include "gotoh_borders.h"

#include <stdlib.h>

#define NEVER (INT64_MAX / 4)

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A vertex: any path there, and those within a gap, by RHOMB_GAP_* - 1. */
typedef struct vertex {
    int64_t any;
    int64_t within[4];
} vertex;

static vertex first_vertex(int32_t begin)
{
    vertex v = {0, {NEVER, NEVER, NEVER, NEVER}};
    if (begin != RHOMB_GAP_NONE)
        v.within[begin - 1] = 0;
    return v;
}

/* From its neighbours, NULL where there are none; `both` is what the two bases cost. */
static vertex next_vertex(const vertex *left, const vertex *up, const vertex *diagonal,
                          int64_t both, const oracle_penalties *p)
{
    vertex v = {diagonal != NULL ? diagonal->any + both : NEVER, {NEVER, NEVER, NEVER, NEVER}};
    for (int32_t gap = RHOMB_GAP_D; gap <= RHOMB_GAP_I_2; gap++) {
        const vertex *from = RHOMB_GAP_IS_I(gap) ? up : left;
        const int piece = RHOMB_GAP_PIECE(gap);
        if (from == NULL || piece >= p->pieces)
            continue;
        v.within[gap - 1] =
            least(from->any + p->open[piece], from->within[gap - 1]) + p->extend[piece];
        v.any = least(v.any, v.within[gap - 1]);
    }
    return v;
}

int64_t oracle_gotoh_borders(const char *target, int64_t n, const char *query, int64_t m,
                             const oracle_penalties *p, oracle_borders borders)
{
    vertex *row = malloc((size_t)(n + 1) * sizeof *row);
    if (row == NULL)
        abort();
    for (int64_t i = 0; i <= m; i++) {
        vertex diagonal = {NEVER, {NEVER, NEVER, NEVER, NEVER}};
        for (int64_t j = 0; j <= n; j++) {
            const vertex up = row[j];
            const int64_t both = i > 0 && j > 0 && target[j - 1] == query[i - 1] ? 0 : p->mismatch;
            row[j] = i == 0 && j == 0 ? first_vertex(borders.begin)
                                      : next_vertex(j > 0 ? &row[j - 1] : NULL, i > 0 ? &up : NULL,
                                                    i > 0 && j > 0 ? &diagonal : NULL, both, p);
            diagonal = up;
        }
    }
    int64_t penalty = row[n].any;
    if (borders.end != RHOMB_GAP_NONE)
        penalty =
            least(penalty, row[n].within[borders.end - 1] - p->open[RHOMB_GAP_PIECE(borders.end)]);
    free(row);
    return penalty;
}

/* A gap of k bases that touches the borders which it may go on from, others being NONE. */
static int64_t gap_penalty(int64_t k, const oracle_penalties *p, oracle_borders touched)
{
    int64_t best = oracle_gap(p, k);
    if (touched.begin != RHOMB_GAP_NONE)
        best = least(best, k * p->extend[RHOMB_GAP_PIECE(touched.begin)]);
    if (touched.end != RHOMB_GAP_NONE)
        best = least(best, k * p->extend[RHOMB_GAP_PIECE(touched.end)]);
    if (touched.begin != RHOMB_GAP_NONE && touched.begin == touched.end)
        best = least(best, k * p->extend[RHOMB_GAP_PIECE(touched.begin)] -
                               p->open[RHOMB_GAP_PIECE(touched.begin)]);
    return best;
}

/* That gap, where it is of the kind of an operation. */
static int32_t of_kind(int32_t gap, uint32_t code)
{
    const uint32_t kind = RHOMB_GAP_IS_I(gap) ? RHOMB_CIGAR_I : RHOMB_CIGAR_D;
    return kind == code ? gap : RHOMB_GAP_NONE;
}

int64_t oracle_path_penalty(const rhomb_cigar_op *ops, int64_t count, const oracle_penalties *p,
                            oracle_borders borders)
{
    int64_t penalty = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t code = RHOMB_CIGAR_CODE(ops[i]);
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(ops[i]);
        const oracle_borders touched = {i == 0 ? of_kind(borders.begin, code) : RHOMB_GAP_NONE,
                                        i == count - 1 ? of_kind(borders.end, code)
                                                       : RHOMB_GAP_NONE};
        if (code == RHOMB_CIGAR_X)
            penalty += length * p->mismatch;
        else if (code != RHOMB_CIGAR_EQ)
            penalty += gap_penalty(length, p, touched);
    }
    return penalty;
}
