/* SPDX-License-Identifier: MIT */
/*
 * Extension of many short pairs from their beginnings on, as minimap2's ksw2 does it: antidiagonal
 * by antidiagonal, each with its cell of the highest score, until that drops too far below the best
 * one so far (z-drop); see rhomb_mode in include/rhomb/batch.h. As in ksw2, cells of the first row
 * and column are neither, nor an end of the query. A work-group takes a pair. On a GPU most pairs
 * are for batch_extend_items.clh instead, all but those with large numbers.
 *
 *     H(i, j) = max(H(i-1, j-1) + A or -B, E, F)     E, F as in local/local.clh
 *
 * by rows i, antidiagonals t = i + j; three rows of H are kept, and two of each gap. The target's
 * symbols lie backwards, so that those of an antidiagonal are side by side, and compilers of CPUs
 * make vectors of the loops. The path is another kernel's (batch_affine.cl).
 */
#include "batch/batch_pack.clh"
#include "batch/batch_scores.clh"

#if !defined(RHOMB_GROUP_SIZE) || RHOMB_GROUP_SIZE < 1 || RHOMB_GROUP_SIZE > 256
#    error "RHOMB_GROUP_SIZE must be 1 to 256"
#endif
#if !defined(RHOMB_ITEM_ROWS) || (RHOMB_ITEM_ROWS != 0 && RHOMB_ITEM_ROWS != 4 && \
                                  RHOMB_ITEM_ROWS != 8 && RHOMB_ITEM_ROWS != 16)
#    error "RHOMB_ITEM_ROWS must be 0, 4, 8 or 16"
#elif RHOMB_ITEM_ROWS != 0 && RHOMB_GROUP_SIZE == 1
#    error "RHOMB_ITEM_ROWS must be 0 in groups of one"
#endif

#define GROUP RHOMB_GROUP_SIZE
#define NONE  (-0x40000000)

#if GROUP == 1
#    define SYNC(fence)
#    define BATCH_TAKES 8
#else
#    define SYNC(fence) barrier(fence)
#    define BATCH_TAKES 1
#endif
#define ALL_MEMORY (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* What the items of a group share: slots of three antidiagonals, used in turn. */
typedef struct extend_shared {
    int score[3];
    int row[3];
    int other; /* a symbol has no code */
    uint first;
} extend_shared;

typedef struct extend_problem {
    __global int *rows;     /* of m + 2 cells each, the first one of i = 0 */
    __global uchar *query;  /* base i - 1 at i */
    __global uchar *target; /* base j - 1 at n - j */
    int m;
    int n;
} extend_problem;

/* The state of an extension. */
typedef struct extend_state {
    int score; /* the best cell so far; (0, 0) at first */
    int row;
    int column;
    int end_score; /* the best cell of the last row */
    int end_column;
    int dropped; /* a bool's padding would be copied through memory */
} extend_state;

static inline __global int *row_h(const extend_problem *p, const int t)
{
    return p->rows + (t + 3) % 3 * (p->m + 2);
}

/* E of a piece at 2 * piece, F at 2 * piece + 1. */
static inline __global int *row_gap(const extend_problem *p, const int gap, const int t)
{
    return p->rows + (3 + 2 * gap + (t & 1)) * (p->m + 2);
}

static inline void fill(const extend_problem *p, __global const uint *bases,
                        const rhomb_batch_pair *at, const int lane)
{
    for (int i = lane; i <= p->m; i += GROUP)
        p->query[i] = i > 0 ? symbol_at(bases, at->query_at + i - 1) : (uchar)0;
    for (int j = lane; j <= p->n; j += GROUP)
        p->target[p->n - j] = j > 0 ? symbol_at(bases, at->target_at + j - 1) : (uchar)0;
}

/* Sets the cells of an antidiagonal in the first row and column, from t = 0 on. */
static inline void set_borders(const extend_problem *p, const rhomb_batch_scoring *s, const int t)
{
    const int h = -gap_of(s, t);
    if (t <= p->n) {
        row_h(p, t)[0] = h;
        for (int piece = 0; piece < RHOMB_PIECES; piece++)
            row_gap(p, 2 * piece + 1, t)[0] = NONE;
    }
    if (t > p->m)
        return;
    row_h(p, t)[t] = h;
    for (int piece = 0; piece < RHOMB_PIECES; piece++)
        row_gap(p, 2 * piece, t)[t] = NONE;
}

/* The gaps of one piece, and h by them; of the first piece, by the diagonal too. */
static inline void compute_piece(
    const int piece, const rhomb_batch_scoring *s, __global const uchar *restrict query,
    __global const uchar *restrict target, __global const int *restrict diagonal,
    __global const int *restrict before, __global const int *restrict e_before,
    __global const int *restrict f_before, __global int *restrict e, __global int *restrict f,
    __global int *restrict h, const int low, const int high, const int lane)
{
    const int open = piece == 0 ? s->open : s->open_2;
    const int extend = piece == 0 ? s->extend : s->extend_2;
    const int match = s->match, mismatch = -s->mismatch;
    for (int i = low + lane; i <= high; i += GROUP) {
        const int by_e = max(e_before[i] - extend, before[i] - open);
        const int by_f = max(f_before[i - 1] - extend, before[i - 1] - open);
        const int other =
            piece == 0 ? diagonal[i - 1] + (RHOMB_MATCHES(query[i], target[i]) ? match : mismatch)
                       : h[i];
        e[i] = by_e;
        f[i] = by_f;
        h[i] = max(other, max(by_e, by_f));
    }
}

/* Computes an antidiagonal; returns the highest score of the item's cells. */
static inline int compute(const extend_problem *p, const rhomb_batch_scoring *s, const int t,
                          const int low, const int high, const int lane)
{
    __global const uchar *target = p->target + (p->n - t);
    __global int *restrict h = row_h(p, t);
    int best = NONE;
    for (int piece = 0; piece < RHOMB_PIECES; piece++)
        compute_piece(piece, s, p->query, target, row_h(p, t - 2), row_h(p, t - 1),
                      row_gap(p, 2 * piece, t - 1), row_gap(p, 2 * piece + 1, t - 1),
                      row_gap(p, 2 * piece, t), row_gap(p, 2 * piece + 1, t), h, low, high, lane);
    for (int i = low + lane; i <= high; i += GROUP)
        best = max(best, h[i]);
    return best;
}

/* The last of the item's rows that has a score; 0: none. */
static inline int find_row(const extend_problem *p, const int t, const int low, const int high,
                           const int score, const int lane)
{
    __global const int *h = row_h(p, t);
    int row = 0;
    for (int i = low + lane; i <= high; i += GROUP)
        row = max(row, h[i] == score ? i : 0);
    return row;
}

/* Whether the position of an antidiagonal's best cell matters. */
static inline bool matters(const extend_state *e, const rhomb_batch_extend_job *job,
                           const int score)
{
    return score > e->score || (job->z_drop >= 0 && e->score - score > job->z_drop);
}

/* Takes an antidiagonal into the state. */
static inline void take(extend_state *e, const rhomb_batch_extend_job *job, const int t,
                        const int score, const int row)
{
    const int rows = row - e->row, columns = t - row - e->column;
    if (score > e->score) {
        e->score = score;
        e->row = row;
        e->column = t - row;
    } else if (rows >= 0 && columns >= 0 && job->z_drop >= 0) {
        const int beside = rows > columns ? rows - columns : columns - rows;
        e->dropped =
            (rhomb_i64)e->score - score > job->z_drop + (rhomb_i64)beside * job->drop_extend;
    }
}

/* The end of an extension. */
static inline void answer_end(const extend_state *e, const rhomb_batch_extend_job *job, const int m,
                              rhomb_batch_scored *answer)
{
    answer->kind = RHOMB_BATCH_FOUND;
    answer->score = e->score;
    answer->target_end = e->column;
    answer->query_end = e->row;
    if (!e->dropped && e->end_score > NONE && (rhomb_i64)e->end_score + job->end_bonus > e->score) {
        answer->score = e->end_score;
        answer->target_end = e->end_column;
        answer->query_end = m;
    }
}

/*
 * Extends the pairs of list number job.list. `memory` has job.slot_cells for each group.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rhomb_batch_extend(
    __global const uint *restrict bases, __global const uchar *restrict flags,
    __global const rhomb_batch_pair *restrict pairs, __global const uint *restrict lists,
    __global rhomb_batch_scored *restrict answers, __global int *memory,
    __global rhomb_batch_counts *restrict counts, const rhomb_u32 list_pitch,
    const rhomb_batch_extend_job job)
{
    __local extend_shared shared;
    const uint listed = counts->listed[job.list];
    const uint pairs_at = counts->pairs_at, answers_at = counts->answers_at;
    const bool others = counts->others != 0;
    __global const uint *list = lists + (ulong)job.list * list_pitch;
    const int lane = (int)get_local_id(0);
    for (;;) {
        SYNC(ALL_MEMORY);
        if (lane == 0)
            shared.first = atomic_add(&counts->taken[job.list], (uint)BATCH_TAKES);
        SYNC(ALL_MEMORY);
        const uint first = shared.first;
        if (first >= listed)
            return;
        const uint last = min(first + BATCH_TAKES, listed);
        for (uint turn = first; turn < last; turn++) {
            const uint index = list[turn];
            const rhomb_batch_pair at = pairs[pairs_at + index];
            rhomb_batch_scored answer = {RHOMB_BATCH_BASES, 0, 0, 0, 0, 0, 0, 0};
            extend_state e = {0, 0, 0, NONE, 0, false};
            extend_problem p;
            p.m = at.query_length;
            p.n = at.target_length;
            p.rows = memory + (rhomb_i64)get_group_id(0) * job.slot_cells;
            p.query = (__global uchar *)(p.rows + (3 + 4 * RHOMB_PIECES) * (p.m + 2));
            p.target = p.query + p.m + 1;
            if (lane == 0) {
                shared.other = 0;
                for (int slot = 0; slot < 3; slot++) {
                    shared.score[slot] = NONE;
                    shared.row[slot] = 0;
                }
                set_borders(&p, &job.scoring, 0);
                if (p.m + p.n > 0)
                    set_borders(&p, &job.scoring, 1);
            }
            fill(&p, bases, &at, lane);
            SYNC(ALL_MEMORY);
            if (others && (batch_has_other(flags, at.query_at, p.m, lane, GROUP) ||
                           batch_has_other(flags, at.target_at, p.n, lane, GROUP)))
                shared.other = 1;
            SYNC(ALL_MEMORY);
            const bool other = shared.other != 0;
            const int end = other || p.m == 0 || p.n == 0 ? 0 : p.m + p.n;
            for (int t = 2; t <= end && !e.dropped; t++) {
                const int low = max(1, t - p.n), high = min(p.m, t - 1);
                int score = compute(&p, &job.scoring, t, low, high, lane), row = 0;
                if (lane == 0)
                    set_borders(&p, &job.scoring, t);
#if GROUP > 1
                const int slot = t % 3;
                if (score > NONE)
                    atomic_max(&shared.score[slot], score);
                barrier(ALL_MEMORY);
                score = shared.score[slot];
                if (lane == 0) {
                    shared.score[(slot + 1) % 3] = NONE;
                    shared.row[(slot + 1) % 3] = 0;
                }
#endif
                if (matters(&e, &job, score))
                    row = find_row(&p, t, low, high, score, lane);
#if GROUP > 1
                if (row > 0)
                    atomic_max(&shared.row[slot], row);
                barrier(ALL_MEMORY);
                row = shared.row[slot];
#endif
                if (high == p.m && row_h(&p, t)[p.m] > e.end_score) {
                    e.end_score = row_h(&p, t)[p.m];
                    e.end_column = t - p.m;
                }
                if (row > 0)
                    take(&e, &job, t, score, row);
            }
            if (lane != 0)
                continue;
            if (!other)
                answer_end(&e, &job, p.m, &answer);
            answers[answers_at + index] = answer;
        }
    }
}

#if RHOMB_ITEM_ROWS > 0
#    include "batch/batch_extend_items.clh"
#endif
