/* SPDX-License-Identifier: MIT */
/*
 * See gotoh.h.
 */
#include "gotoh.h"

#include "random_bases.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

oracle_penalties oracle_penalties_of(const rhomb_scoring *scoring)
{
    return (oracle_penalties){.mismatch = scoring->mismatch,
                              .pieces = scoring->gap_open_2 < 0 ? 1 : 2,
                              .open = {scoring->gap_open, scoring->gap_open_2},
                              .extend = {scoring->gap_extend, scoring->gap_extend_2},
                              .match = scoring->match,
                              .matrix = scoring->matrix};
}

static int64_t symbol(const rhomb_score_matrix *matrix, char letter)
{
    int folded = toupper((unsigned char)letter);
    if (folded == 'U' && matrix->alphabet == RHOMB_ALPHABET_DNA)
        folded = 'T';
    const char *found = strchr(matrix->symbols, folded);
    if (found == NULL || folded == '\0')
        abort();
    return found - matrix->symbols;
}

int64_t oracle_pair(const oracle_penalties *p, char a, char b)
{
    if (p->matrix != NULL)
        return -p->matrix->scores[symbol(p->matrix, a)][symbol(p->matrix, b)];
    return bases_match(a, b) ? -p->match : p->mismatch;
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

/* A second piece that costs more than any path does for one. */
static oracle_penalties in_two_pieces(const oracle_penalties *p)
{
    oracle_penalties two = *p;
    if (p->pieces == 1) {
        two.open[1] = ORACLE_NEVER;
        two.extend[1] = 0;
    }
    return two;
}

static oracle_vertex after_gap(const oracle_vertex *before, const oracle_penalties *q, int32_t gap)
{
    oracle_vertex v = ORACLE_UNREACHED;
    for (int piece = 0; piece < 2; piece++, gap++) {
        v.cost[gap] = least(before->cost[0] + q->open[piece], before->cost[gap]) + q->extend[piece];
        v.cost[0] = least(v.cost[0], v.cost[gap]);
    }
    return v;
}

static void first_row(const plain_pair *t, const oracle_penalties *q, int32_t begin,
                      oracle_vertex *row)
{
    row[0] = ORACLE_UNREACHED;
    row[0].cost[RHOMB_GAP_NONE] = row[0].cost[begin] = 0;
    for (int64_t j = 0; j < t->n; j++)
        row[j + 1] = after_gap(&row[j], q, RHOMB_GAP_D);
}

void oracle_gotoh_row(const plain_pair *t, const oracle_penalties *p, int64_t i, int64_t most,
                      int64_t corner, const oracle_vertex *above, oracle_vertex *row)
{
    const oracle_penalties q = in_two_pieces(p);
    const int64_t step = t->backward ? -1 : 1;
    const char *a = t->backward ? t->target + t->n : t->target - 1;
    const char base = t->query[t->backward ? t->m - i : i - 1];
    int64_t before = row[0].cost[0], diagonal = corner;
    int64_t right[2] = {row[0].cost[RHOMB_GAP_D], row[0].cost[RHOMB_GAP_D_2]};
    for (int64_t j = 1; j <= t->n; j++) {
        const oracle_vertex up = above[j];
        int64_t best = least(diagonal + oracle_pair(&q, a[j * step], base), most);
        const int64_t down[2] = {least(up.cost[0] + q.open[0], up.cost[RHOMB_GAP_I]) + q.extend[0],
                                 least(up.cost[0] + q.open[1], up.cost[RHOMB_GAP_I_2]) +
                                     q.extend[1]};
        best = least(best, least(down[0], down[1]));
        right[0] = least(before + q.open[0], right[0]) + q.extend[0];
        right[1] = least(before + q.open[1], right[1]) + q.extend[1];
        before = least(best, least(right[0], right[1]));
        diagonal = up.cost[0];
        row[j] = (oracle_vertex){{before, right[0], right[1], down[0], down[1]}};
    }
}

/* The row after another one, which may lie in the same place. */
static void next_row(const plain_pair *t, const oracle_penalties *p, int64_t i,
                     const oracle_vertex *above, oracle_vertex *row)
{
    const oracle_penalties q = in_two_pieces(p);
    const int64_t corner = above[0].cost[0];
    row[0] = after_gap(&above[0], &q, RHOMB_GAP_I);
    oracle_gotoh_row(t, p, i, ORACLE_NEVER, corner, above, row);
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)count * size);
    if (memory == NULL)
        abort();
    return memory;
}

oracle_vertex *oracle_gotoh_column(const plain_pair *t, const oracle_penalties *p, int32_t begin)
{
    const oracle_penalties q = in_two_pieces(p);
    oracle_vertex *row = allocate(t->n + 1, sizeof *row);
    oracle_vertex *column = allocate(t->m + 1, sizeof *column);
    first_row(t, &q, begin, row);
    column[0] = row[t->n];
    for (int64_t i = 1; i <= t->m; i++) {
        next_row(t, p, i, row, row);
        column[i] = row[t->n];
    }
    free(row);
    return column;
}

int64_t *oracle_gotoh_costs(const plain_pair *t, const oracle_penalties *p)
{
    const oracle_penalties q = in_two_pieces(p);
    const int64_t pitch = t->n + 1;
    oracle_vertex *row = allocate(pitch, sizeof *row);
    int64_t *costs = allocate(pitch * (t->m + 1), sizeof *costs);
    first_row(t, &q, RHOMB_GAP_NONE, row);
    for (int64_t i = 0; i <= t->m; i++) {
        if (i > 0)
            next_row(t, p, i, row, row);
        for (int64_t j = 0; j < pitch; j++)
            costs[i * pitch + j] = row[j].cost[RHOMB_GAP_NONE];
    }
    free(row);
    return costs;
}

int64_t oracle_gotoh_end(const oracle_vertex *last, const oracle_penalties *p, int32_t end)
{
    return end == RHOMB_GAP_NONE
               ? last->cost[end]
               : least(last->cost[0], last->cost[end] - p->open[RHOMB_GAP_PIECE(end)]);
}

int64_t oracle_gotoh_borders(const char *target, int64_t n, const char *query, int64_t m,
                             const oracle_penalties *p, oracle_borders borders)
{
    const plain_pair texts = {target, n, query, m, false};
    oracle_vertex *column = oracle_gotoh_column(&texts, p, borders.begin);
    const int64_t penalty = oracle_gotoh_end(&column[m], p, borders.end);
    free(column);
    return penalty;
}

int64_t oracle_gotoh(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p)
{
    return oracle_gotoh_borders(a, n, b, m, p, (oracle_borders){RHOMB_GAP_NONE, RHOMB_GAP_NONE});
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
        else if (code == RHOMB_CIGAR_EQ)
            penalty -= length * p->match;
        else
            penalty += gap_penalty(length, p, touched);
    }
    return penalty;
}

/* The wavefront of a score. */
static plain_wavefront wavefront_of(const plain_pair *texts, int64_t score)
{
    plain_wavefront w = {.memory = NULL};
    plain_wavefront_begin(&w, texts, score);
    while (w.score < score)
        plain_wavefront_next(&w);
    return w;
}

rhomb_split_point oracle_split_wavefront(const plain_pair *texts, int64_t distance)
{
    const int64_t first = (distance + 1) / 2, second = distance / 2;
    plain_pair reversed = *texts;
    reversed.backward = !texts->backward;
    plain_wavefront f = wavefront_of(texts, first), g = wavefront_of(&reversed, second);
    rhomb_split_point point = {0, 0, RHOMB_SPLIT_APART, 0};
    for (int64_t k = -first; k <= first && point.status == RHOMB_SPLIT_APART; k++) {
        const int64_t other = texts->n - texts->m - k;
        if (other < -second || other > second)
            continue;
        const int64_t j = f.offset[k], rest = g.offset[other];
        if (j != PLAIN_NOTHING && rest != PLAIN_NOTHING && j + rest >= texts->n)
            point = (rhomb_split_point){j, j - k, RHOMB_SPLIT_FOUND, 0};
    }
    plain_wavefront_end(&f);
    plain_wavefront_end(&g);
    return point;
}

oracle_breakpoint oracle_split_sweep(const plain_pair *texts, const oracle_penalties *p,
                                     oracle_borders borders, int64_t *distance)
{
    const int64_t n = texts->n, m = texts->m, middle = ((n + 15) / 16 + 1) / 2 * 16;
    const plain_pair forward = {texts->target, middle, texts->query, m, false};
    const plain_pair backward = {texts->target + middle, n - middle, texts->query, m, true};
    oracle_vertex *before = oracle_gotoh_column(&forward, p, borders.begin);
    oracle_vertex *behind = oracle_gotoh_column(&backward, p, borders.end);
    oracle_breakpoint breakpoint = {.target = middle};
    *distance = ORACLE_NEVER;
    for (int64_t i = 0; i <= m; i++) {
        for (int32_t gap = RHOMB_GAP_NONE; gap <= p->pieces;
             gap++) { /* none, and D of each piece */
            const int64_t open = gap == RHOMB_GAP_NONE ? 0 : p->open[RHOMB_GAP_PIECE(gap)];
            const int64_t first = before[i].cost[gap] - open;
            const int64_t cost = first + behind[m - i].cost[gap];
            if (cost >= *distance)
                continue;
            *distance = cost;
            breakpoint = (oracle_breakpoint){middle, i, first, gap};
        }
    }
    free(before);
    free(behind);
    return breakpoint;
}
