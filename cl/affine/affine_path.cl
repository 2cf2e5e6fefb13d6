/* SPDX-License-Identifier: MIT */
/*
 * Paths of many small subproblems with gap-affine costs, which may begin and end within gaps (see
 * rhomb_subproblem): a subproblem for each work-group.
 *
 * The wavefront algorithm (Marco-Sola et al. 2021), with one piece of a gap's cost or two: of each
 * score s and diagonal k = j - i the furthest offsets j of the target, of paths that are within a
 * gap, and of all paths:
 *
 *     D_s[k] = max(M_(s-o-e)[k-1], D_(s-e)[k-1]) + 1      bases of the target alone
 *     I_s[k] = max(M_(s-o-e)[k+1], I_(s-e)[k+1])          bases of the query alone
 *     M_s[k] = follow(k, max(M_(s-x)[k] + 1, D_s[k], I_s[k]))
 *
 * M_0[0] = follow(0, 0). A begin gap's component begins there as well, and goes on without an
 * opening. Where the end is reached within the end gap at score s, the path costs s less that
 * gap's opening. So scores run up to the cost and that opening.
 *
 *     s                    K: the end's diagonal
 *     0      .                      of each score, the diagonals that paths come to, and from
 *           ...                     which the end is in reach: `first` to `last` for all of them
 *          ......
 *           .......
 *            ......  <- hi: an extension less for each least extension of s
 *             ...
 *     cost     K
 *
 * The offsets of the last scores are in a ring, that of M as long as the furthest look back.
 * Points outside the matrix need no care: a path beyond an edge has passed a point of the edge from
 * where a single gap leads to the end for less. So where the cost is the right one, none comes to
 * the end; and all cells of the path lie inside, because no move leads back.
 *
 * The trace is a byte for each score and diagonal: in its lowest three bits what M came by, a
 * RHOMB_GAP_*, or NONE by a mismatch; and for each gap, whether it was extended. Of equal offsets a
 * mismatch comes first, then gaps by their RHOMB_GAP_* (deletions, and the first piece, before
 * others), and extending before opening. Cells that are left out lie on no path of the cost, so the
 * path is the same on every device. It is walked backwards for the gaps and mismatches, then
 * forwards to fill in the matches, for every visit to M has followed all there are.
 *
 * A group of one, as for CPUs, has no barriers, and takes the maxima in a loop that compilers make
 * vectors of, apart from the one that follows matches.
 */
#include "common/extend.clh"

#if !defined(RHOMB_GROUP_SIZE) || RHOMB_GROUP_SIZE < 1 || RHOMB_GROUP_SIZE > 256
#    error "RHOMB_GROUP_SIZE must be 1 to 256"
#endif
#if RHOMB_OFFSET_BITS != 32
#    error "RHOMB_OFFSET_BITS must be 32"
#endif
#if !defined(RHOMB_MISMATCH) || !defined(RHOMB_OPEN) || !defined(RHOMB_EXTEND) || \
    !defined(RHOMB_OPEN_2) || !defined(RHOMB_EXTEND_2)
#    error "RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, RHOMB_OPEN_2 and RHOMB_EXTEND_2 must be set"
#elif RHOMB_MISMATCH < 0 || RHOMB_OPEN < 0 || RHOMB_EXTEND < 1 || RHOMB_OPEN_2 < 0 || \
    RHOMB_EXTEND_2 < 0
#    error "costs are negative, or a gap's bases cost nothing"
#elif RHOMB_EXTEND_2 >= RHOMB_EXTEND
#    error "RHOMB_EXTEND_2 must be less than RHOMB_EXTEND"
#endif

#if RHOMB_EXTEND_2 > 0
#    define PIECES       2
#    define LEAST_EXTEND RHOMB_EXTEND_2
#else
#    define PIECES       1
#    define LEAST_EXTEND RHOMB_EXTEND
#endif

/* The rows of the ring. */
#define M_ROWS \
    RHOMB_AFFINE_PATH_M_ROWS(RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, RHOMB_OPEN_2, RHOMB_EXTEND_2)
#define GAP_ROWS(piece) ((piece) == 0 ? RHOMB_EXTEND + 1 : RHOMB_EXTEND_2 + 1)
#define RING_ROWS       (M_ROWS + 2 * GAP_ROWS(0) + (PIECES > 1 ? 2 * GAP_ROWS(1) : 0))

/* The bit of the trace that says that a gap was extended. */
#define EXTENDED(gap) (4 << (gap))

/* Walking back comes to an end whatever the trace holds. */
#define LEAST_MISMATCH (RHOMB_MISMATCH > 0 ? RHOMB_MISMATCH : 1)

#if RHOMB_GROUP_SIZE == 1
#    define PATH_SYNC(fence)
#else
#    define PATH_SYNC(fence) barrier(fence)
#endif

/* ----------------------------------------------------------- a subproblem */

/* Where it is in the packed sequences, from the words with its first symbols on; and its memory. */
typedef struct path_problem {
    __global const uint *query;
    __global const uint *target;
    int query_shift; /* symbols of that word before the first one */
    int target_shift;
    int m;
    int n;
    int end;  /* the diagonal K */
    int last; /* score */
    int first_diagonal;
    int diagonals; /* from there on */
    int begin_gap;
    int end_gap;
    int end_opening; /* what that gap's opening costs; 0 without one */
    __global int *ring;
    __global uchar *trace;
} path_problem;

static inline int opening_of(const int gap)
{
    if (gap == RHOMB_GAP_NONE)
        return 0;
    return RHOMB_GAP_PIECE(gap) == 0 ? RHOMB_OPEN : RHOMB_OPEN_2;
}

/* Follows matches on diagonal k from offset j on, where that is an offset inside the matrix. */
static inline int follow(const path_problem *p, const int k, int j)
{
    const int end = min(p->n, p->m + k);
    if (j < 0 || j >= end)
        return j;
    do {
        const uint differ =
            rhomb_differ(p->query, p->target, j - k + p->query_shift, j + p->target_shift);
        if (differ != 0)
            return min(j + (int)clz(differ), end);
        j += RHOMB_WORD_SYMBOLS;
    } while (j < end);
    return end;
}

/* ----------------------------------------------------------------- the ring */

/*
 * The cell of diagonal 0 in the row of a score, which may be below 0: such a row was not written
 * before that score's successors looked there. Rows have a cell more on either side.
 */
static inline __global int *row_of(const path_problem *p, const int first_row, const int rows,
                                   const int score)
{
    const int row = first_row + (score + rows) % rows;
    return p->ring + (row * (p->diagonals + 2) + 1 - p->first_diagonal);
}

static inline __global int *m_row(const path_problem *p, const int score)
{
    return row_of(p, 0, M_ROWS, score);
}

static inline __global int *gap_row(const path_problem *p, const int gap, const int score)
{
    const int piece = RHOMB_GAP_PIECE(gap), rows = GAP_ROWS(piece);
    const int before = piece == 0 ? 0 : 2 * GAP_ROWS(0);
    return row_of(p, M_ROWS + before + (RHOMB_GAP_IS_I(gap) ? rows : 0), rows, score);
}

/* Likewise of the trace, which has scores from 1 on. */
static inline __global uchar *trace_of(const path_problem *p, const int score)
{
    return p->trace + ((score - 1) * p->diagonals - p->first_diagonal);
}

/* How far a gap comes from diagonal 0 at a score: deletions upwards, insertions downwards. */
static inline int reach_at(const path_problem *p, const int score, const int insertions)
{
    int reach = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        const int gap = (insertions ? RHOMB_GAP_I : RHOMB_GAP_D) + piece;
        const int rest = gap == p->begin_gap ? score : score - opening_of(gap);
        const int far = rest / (piece == 0 ? RHOMB_EXTEND : LEAST_EXTEND);
        reach = rest > 0 ? max(reach, far) : reach;
    }
    return reach;
}

/* ------------------------------------------------------------------ a score */

/*
 * The cells of a piece's gaps, and M by them: of the first piece, by a mismatch too. All rows are
 * different ones, so that compilers can make vectors of the loop.
 */
static inline void compute_piece(const int piece, __global const int *restrict mismatched_from,
                                 __global const int *restrict opened_from,
                                 __global const int *restrict d_before,
                                 __global const int *restrict i_before, __global int *restrict d,
                                 __global int *restrict i, __global int *restrict m,
                                 __global uchar *restrict trace, const int low, const int high,
                                 const int lane)
{
    for (int k = low + lane; k <= high; k += RHOMB_GROUP_SIZE) {
        const int d_opened = opened_from[k - 1], d_extended = d_before[k - 1];
        const int i_opened = opened_from[k + 1], i_extended = i_before[k + 1];
        const int by_d = max(d_opened, d_extended) + 1, by_i = max(i_opened, i_extended);
        int best = RHOMB_NO_OFFSET, code = RHOMB_GAP_NONE;
        if (piece > 0) {
            best = m[k];
            code = trace[k];
        } else if (RHOMB_MISMATCH > 0) {
            best = mismatched_from[k] + 1;
        }
        d[k] = by_d;
        i[k] = by_i;
        /* A code of M alone is below 8: a gap of the second piece takes the place of its bits. */
        code = by_d > best ? (code & ~7) | (RHOMB_GAP_D + piece) : code;
        best = max(best, by_d);
        code = by_i > best ? (code & ~7) | (RHOMB_GAP_I + piece) : code;
        m[k] = max(best, by_i);
        code |= d_extended >= d_opened ? EXTENDED(RHOMB_GAP_D + piece) : 0;
        code |= i_extended >= i_opened ? EXTENDED(RHOMB_GAP_I + piece) : 0;
        trace[k] = (uchar)code;
    }
}

/* All cells of a score from diagonal `low` to `high`. */
static inline void compute_score(const path_problem *p, const int score, const int low,
                                 const int high, const int lane)
{
    __global int *m = m_row(p, score);
    __global const int *mismatched_from = m_row(p, score - RHOMB_MISMATCH);
    __global uchar *trace = trace_of(p, score);
    compute_piece(0, mismatched_from, m_row(p, score - RHOMB_OPEN - RHOMB_EXTEND),
                  gap_row(p, RHOMB_GAP_D, score - RHOMB_EXTEND),
                  gap_row(p, RHOMB_GAP_I, score - RHOMB_EXTEND), gap_row(p, RHOMB_GAP_D, score),
                  gap_row(p, RHOMB_GAP_I, score), m, trace, low, high, lane);
#if RHOMB_EXTEND_2 > 0
    compute_piece(1, mismatched_from, m_row(p, score - RHOMB_OPEN_2 - RHOMB_EXTEND_2),
                  gap_row(p, RHOMB_GAP_D_2, score - RHOMB_EXTEND_2),
                  gap_row(p, RHOMB_GAP_I_2, score - RHOMB_EXTEND_2),
                  gap_row(p, RHOMB_GAP_D_2, score), gap_row(p, RHOMB_GAP_I_2, score), m, trace, low,
                  high, lane);
#endif
    for (int k = low + lane; k <= high; k += RHOMB_GROUP_SIZE)
        m[k] = follow(p, k, m[k]);
}

/* The score 0, and no offset anywhere else. */
static inline void begin_scores(const path_problem *p, const int lane)
{
    const int cells = RING_ROWS * (p->diagonals + 2);
    for (int cell = lane; cell < cells; cell += RHOMB_GROUP_SIZE)
        p->ring[cell] = RHOMB_NO_OFFSET;
    PATH_SYNC(CLK_GLOBAL_MEM_FENCE);
    if (lane == 0) {
        m_row(p, 0)[0] = follow(p, 0, 0);
        if (p->begin_gap != RHOMB_GAP_NONE)
            gap_row(p, p->begin_gap, 0)[0] = 0;
    }
    PATH_SYNC(CLK_GLOBAL_MEM_FENCE);
}

/* What the end is reached with. */
typedef struct path_end {
    int cost; /* the least; RHOMB_UNSOLVED where that is more than the one that was asked for */
    int gap;  /* that the path is within: NONE, or the end gap */
} path_end;

/* Whether a path of the least cost is known with this score; `end` says what it is like. */
static inline bool look_at_end(const path_problem *p, const int score, const int cost,
                               path_end *end)
{
    if (score <= cost && end->cost < 0 && m_row(p, score)[p->end] >= p->n) {
        end->cost = score;
        end->gap = RHOMB_GAP_NONE;
    }
    if (p->end_gap != RHOMB_GAP_NONE && gap_row(p, p->end_gap, score)[p->end] >= p->n &&
        (end->cost < 0 || score - p->end_opening < end->cost)) {
        end->cost = score - p->end_opening;
        end->gap = p->end_gap;
    }
    /* A path within the end gap may still come for less. */
    return end->cost >= 0 && (end->cost < cost || score + 1 - p->end_opening >= end->cost);
}

/* Computes the scores up to the end. All items get the same. */
static inline path_end find_end(const path_problem *p, const int cost, const int lane)
{
    path_end end = {RHOMB_UNSOLVED, RHOMB_GAP_NONE};
    begin_scores(p, lane);
    bool found = look_at_end(p, 0, cost, &end);
    for (int score = 1; score <= p->last && !found; score++) {
        const int beside = (p->last - score) / LEAST_EXTEND;
        const int low = max(max(-reach_at(p, score, 1), p->end - beside), p->first_diagonal);
        const int high =
            min(min(reach_at(p, score, 0), p->end + beside), p->first_diagonal + p->diagonals - 1);
        compute_score(p, score, low, high, lane);
        PATH_SYNC(CLK_GLOBAL_MEM_FENCE);
        found = look_at_end(p, score, cost, &end);
    }
    return end;
}

/* ----------------------------------------------------------------- the path */

/*
 * Walks the trace back from the end, and puts the gaps and mismatches before `at`, a gap or a
 * mismatch each; returns the first. *gap becomes the gap that the path begins with.
 */
static inline __global uint *walk_back(const path_problem *p, const int score, int *gap,
                                       __global uint *at)
{
    int s = score, k = p->end;
    uint length = 0; /* of the gap so far */
    while (s > 0) {
        const int code = trace_of(p, s)[k];
        if (*gap == RHOMB_GAP_NONE) {
            *gap = code & 7;
            if (*gap == RHOMB_GAP_NONE) {
                *--at = 1 << 4 | RHOMB_BATCH_X;
                s -= LEAST_MISMATCH;
            }
            continue;
        }
        length++;
        k += RHOMB_GAP_IS_I(*gap) ? 1 : -1;
        s -= RHOMB_GAP_PIECE(*gap) == 0 ? RHOMB_EXTEND : LEAST_EXTEND;
        if ((code & EXTENDED(*gap)) == 0) {
            *--at = length << 4 | (RHOMB_GAP_IS_I(*gap) ? RHOMB_BATCH_I : RHOMB_BATCH_D);
            s -= opening_of(*gap);
            *gap = RHOMB_GAP_NONE;
            length = 0;
        }
    }
    if (length > 0)
        *--at = length << 4 | (RHOMB_GAP_IS_I(*gap) ? RHOMB_BATCH_I : RHOMB_BATCH_D);
    return at;
}

/* Puts an operation after *last, which is not written yet; the two are joined if they are the same.
 */
static inline __global uint *append(__global uint *at, uint *last, const uint code,
                                    const uint length)
{
    if (length == 0)
        return at;
    if ((*last & 15) == code) {
        *last += length << 4;
        return at;
    }
    if (*last != 0)
        *at++ = *last;
    *last = length << 4 | code;
    return at;
}

/*
 * Writes the path from `begin` on, with the matches before and after the gaps and mismatches from
 * `from` to `end`, which lie further on in the same room. Returns the end of the path; `begin`
 * where it does not come to the end of the subproblem.
 */
static inline __global uint *walk_forward(const path_problem *p, const bool within_gap,
                                          __global uint *begin, __global const uint *from,
                                          __global const uint *end)
{
    __global uint *at = begin;
    uint last = 0; /* not written yet */
    int k = 0, j = within_gap ? 0 : follow(p, 0, 0);
    at = append(at, &last, RHOMB_BATCH_EQ, (uint)j);
    for (; from < end; from++) {
        const uint code = *from & 15, length = *from >> 4;
        at = append(at, &last, code, length);
        k += code == RHOMB_BATCH_D ? (int)length : code == RHOMB_BATCH_I ? -(int)length : 0;
        j += code == RHOMB_BATCH_I ? 0 : (int)length;
        const int to = follow(p, k, j);
        at = append(at, &last, RHOMB_BATCH_EQ, (uint)(to - j));
        j = to;
    }
    *at++ = last;
    return k == p->end && j == p->n ? at : begin;
}

/* -------------------------------------------------------------- the launch */

static inline path_problem place(__global const uint *queries, __global const uint *targets,
                                 const rhomb_affine_path *job, __global int *memory)
{
    path_problem p;
    p.query = queries + (job->query_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_PLANES;
    p.target = targets + (job->target_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_PLANES;
    p.query_shift = (int)(job->query_at & (RHOMB_WORD_SYMBOLS - 1));
    p.target_shift = (int)(job->target_at & (RHOMB_WORD_SYMBOLS - 1));
    p.m = job->query_length;
    p.n = job->target_length;
    p.end = p.n - p.m;
    p.begin_gap = job->begin_gap;
    p.end_gap = job->end_gap;
    p.end_opening = opening_of(job->end_gap);
    p.last = job->cost + p.end_opening;
    p.first_diagonal = job->first_diagonal;
    p.diagonals = job->diagonals;
    p.ring = memory;
    p.trace = (__global uchar *)(memory + RING_ROWS * (p.diagonals + 2));
    return p;
}

/*
 * Finds the paths of the subproblems jobs[0 .. count - 1], which groups take one after the other by
 * *taken, 0 at first. `memory` has `group_cells` for each group: the ring, and the trace after it.
 * An answer's `distance` is the least cost, if it is not above the one that the job names, and its
 * path is in the job's room for operations if it is that one.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_affine_path_solve(
    __global const uint *restrict queries, __global const uint *restrict targets,
    __global const rhomb_affine_path *restrict jobs, __global rhomb_batch_answer *restrict answers,
    __global uint *restrict operations, __global int *restrict memory,
    __global uint *restrict taken, const rhomb_u32 count, const rhomb_i64 group_cells)
{
    __local uint shared;
    const int lane = (int)get_local_id(0);
    for (;;) {
        PATH_SYNC(CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            shared = atomic_inc(taken);
        PATH_SYNC(CLK_LOCAL_MEM_FENCE);
        const uint index = shared;
        if (index >= count)
            return;
        const rhomb_affine_path job = jobs[index];
        const path_problem p =
            place(queries, targets, &job, memory + (rhomb_i64)get_group_id(0) * group_cells);
        const path_end end = find_end(&p, job.cost, lane);
        if (lane != 0)
            continue;
        rhomb_batch_answer answer = {end.cost, job.operations_at, 0, 0};
        if (end.cost == job.cost) {
            __global uint *begin = operations + job.operations_at;
            __global uint *after = begin + job.operations;
            const int score = end.cost + (end.gap == RHOMB_GAP_NONE ? 0 : p.end_opening);
            int gap = end.gap;
            __global const uint *from = walk_back(&p, score, &gap, after);
            after = walk_forward(&p, gap != RHOMB_GAP_NONE, begin, from, after);
            answer.cigar_count = (uint)(after - begin);
        }
        answers[index] = answer;
    }
}
