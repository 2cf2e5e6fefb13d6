/* SPDX-License-Identifier: MIT */
/*
 * Scores of many short pairs, local, with free ends or of extensions: where the best alignment ends
 * and, from there backwards, where it begins. A pair is swept in strips of rows (local/local.clh),
 * each of which leaves H and F of its last row, the border, in memory for the next one:
 *
 *               target           item or lane 0   ROWS rows     columns t ..
 *           +------------+                    1   ROWS rows     columns before those
 *     query |  strip 0   |                    ..
 *           |------------| <- border
 *           |  strip 1   |
 *           +------------+
 *
 * On a GPU (batch_local_items.clh) some items of a work-group share a pair, or two whose scores
 * have 16 bits, by its length, each a block of columns later than the one above; a group takes
 * several pairs of about equal size at a time. On a CPU (batch_local_lanes.clh) the lanes of a
 * vector do, each a column later than the one above.
 *
 * *The beginning.* The same sweep over the reversed sequences, from the end of the alignment on,
 * without a floor, finds the first cell that has the alignment's score: paths from there to the end
 * are its alignments.
 *
 * *Extensions* begin where both sequences do, and nothing is a floor for them. Of cells with the
 * same score the one on the first antidiagonal is the best. Those that may stop early are for
 * batch_extend.cl, which looks at antidiagonals one by one.
 *
 * *Free ends.* The first row and column are 0 up to the limits, and the best cell is one of the
 * last row or column within theirs (RHOMB_EDGES).
 *
 * Cells beyond the ends of a pair match nothing. So without free ends none of them has more than a
 * cell of the pair that comes before it, and no one need look out for them.
 */
#if !defined(RHOMB_EDGES) || RHOMB_EDGES < 0 || RHOMB_EDGES > 2
#    error "RHOMB_EDGES must be 0, 1 or 2"
#endif

#define FREE_ENDS              (RHOMB_EDGES == 1)
#define EXTENDS                (RHOMB_EDGES == 2)
#define LOCAL_BY_ANTIDIAGONALS EXTENDS
#if RHOMB_PLANES <= 2 && !RHOMB_MATRIX
#    define LOCAL_SHIFT 3
#endif

#include "batch/batch_pack.clh"
#include "batch/batch_scores.clh"
#include "local/local.clh"

#if !defined(RHOMB_LOCAL)
#    define RHOMB_LOCAL __local
#endif

/* A score that a sweep does not know beforehand. */
#define UNKNOWN (-0x7fffffff)

/* What a sweep goes through. */
typedef struct local_problem {
    __global const uint *bases;
    rhomb_i64 query_at; /* of its first symbol, or of the last one if it is reversed */
    rhomb_i64 target_at;
    int step; /* 1; -1: reversed */
    int m;
    int n;
    int free_rows; /* the first column is 0 up to here, ... */
    int free_columns;
    int first_row; /* ... and an alignment may end in the last column from here on */
    int first_column;
    int floor;
    int wanted; /* the score, or UNKNOWN */
#if RHOMB_MATRIX && RHOMB_LANES == 16
    local_matrix matrix;
#endif
} local_problem;

#if RHOMB_PATH && (!FREE_ENDS || !RHOMB_MATRIX)
#    error "RHOMB_PATH needs RHOMB_EDGES 1 and RHOMB_MATRIX 1"
#endif

/* The score of the first column in row i. */
static inline int first_column_score(const local_problem *p, const rhomb_batch_scoring *s,
                                     const int i)
{
    return -gap_of(s, i - p->free_rows);
}

#if RHOMB_PATH

/* What is aligned of the pair, from end to end. */
static inline void set_known(local_problem *p, const rhomb_batch_pair *at,
                             const rhomb_batch_scored *answer)
{
    p->query_at = at->query_at + answer->query_begin;
    p->target_at = at->target_at + answer->target_begin;
    p->step = 1;
    p->m = p->first_row = answer->query_end - answer->query_begin;
    p->n = p->first_column = answer->target_end - answer->target_begin;
    p->free_rows = p->free_columns = 0;
    p->floor = LOCAL_NONE;
    p->wanted = UNKNOWN;
}

/* Begins the answer of a pair that is aligned end to end. */
static inline void set_whole(rhomb_batch_scored *answer, const rhomb_batch_pair *at)
{
    answer->kind = RHOMB_BATCH_FOUND;
    answer->score = UNKNOWN;
    answer->target_begin = answer->query_begin = 0;
    answer->target_end = at->target_length;
    answer->query_end = at->query_length;
    answer->cigar_at = answer->cigar_count = 0;
}

/* Takes the score of a path, which may have been known. */
static inline void take_known(rhomb_batch_scored *answer, const local_cell *end)
{
    if (answer->score != UNKNOWN && answer->score != end->score)
        answer->kind = RHOMB_BATCH_WRONG;
    answer->score = end->score;
}

#else

/* The whole pair, forward. */
static inline void set_forward(local_problem *p, const rhomb_batch_pair *at,
                               const rhomb_batch_local_job *job)
{
    p->query_at = at->query_at;
    p->target_at = at->target_at;
    p->step = 1;
    p->m = at->query_length;
    p->n = at->target_length;
    p->free_rows = min(job->free_query_begin, p->m);
    p->free_columns = min(job->free_target_begin, p->n);
    p->first_row = p->m - min(job->free_query_end, p->m);
    p->first_column = p->n - min(job->free_target_end, p->n);
    p->floor = RHOMB_EDGES == 0 ? 0 : LOCAL_NONE;
    p->wanted = UNKNOWN;
}

/* From the end of the alignment backwards. */
static inline void set_backward(local_problem *p, const rhomb_batch_pair *at,
                                const rhomb_batch_local_job *job, const rhomb_batch_scored *answer)
{
    p->query_at = at->query_at + answer->query_end - 1;
    p->target_at = at->target_at + answer->target_end - 1;
    p->step = -1;
    p->m = answer->query_end;
    p->n = answer->target_end;
    p->free_rows = p->free_columns = 0;
    p->first_row = p->m - min(job->free_query_begin, p->m);
    p->first_column = p->n - min(job->free_target_begin, p->n);
    p->floor = LOCAL_NONE;
    p->wanted = answer->score;
}

/* Takes the result of a pass into an answer. */
static inline void take_end(rhomb_batch_scored *answer, const local_problem *p,
                            const local_cell *best)
{
    if (p->step > 0) {
        answer->kind = RHOMB_BATCH_FOUND;
        answer->score = best->score;
        answer->target_end = best->column;
        answer->query_end = best->row;
    } else {
        if (best->score != answer->score)
            answer->kind = RHOMB_BATCH_WRONG;
        answer->target_begin = answer->target_end - best->column;
        answer->query_begin = answer->query_end - best->row;
    }
}

#endif

/*
 * The best cell before the sweep: the empty alignment, if there may be one, or a cell of the first
 * row or column, for those that no sweep visits; else none.
 */
static inline local_cell best_before(const local_problem *p, const rhomb_batch_scoring *s)
{
    local_cell best = {UNKNOWN, 0, 0};
#if FREE_ENDS
    /* The last column, if it is the first one, or in the first row; and the last row likewise. */
    for (int i = p->n == 0 ? p->first_row : p->m + 1; i <= p->m; i++)
        local_take_better(&best, first_column_score(p, s, i), 0, i);
    if (p->first_row == 0)
        local_take_better(&best, -gap_of(s, p->n - p->free_columns), p->n, 0);
    for (int j = p->m == 0 ? p->first_column : p->n + 1; j <= p->n; j++)
        local_take_better(&best, -gap_of(s, j - p->free_columns), j, 0);
    if (p->first_column == 0)
        local_take_better(&best, first_column_score(p, s, p->m), 0, p->m);
#else
    if (p->step > 0)
        best.score = 0;
#endif
    return best;
}

#if RHOMB_PATH

/*
 * Paths, of one pair a team or a vector: the part of a pair between the begin and the end that are
 * known, end to end, with a trace (local/local_trace.clh). Where the operations go in the end:
 */
typedef struct local_cigars {
    __global uint *cigars;
    __global rhomb_batch_counts *counts;
} local_cigars;

static inline trace_path path_from(const local_problem *p)
{
    const trace_path path = {p->m, p->n, TRACE_NONE, 0, 0, (rhomb_i64)p->m + p->n};
    return path;
}

/* Adds what is before the first row and column, and takes room for the operations. */
static inline void path_ends(trace_path *path, const local_problem *p, const local_cigars *to,
                             __global uint *operations, rhomb_batch_scored *answer)
{
    if (path->row > 0)
        trace_add(path, RHOMB_BATCH_I, (uint)path->row, operations);
    if (path->column > 0)
        trace_add(path, RHOMB_BATCH_D, (uint)path->column, operations);
    trace_end(path, operations);
    answer->cigar_count = (uint)((rhomb_i64)p->m + p->n - path->next);
    answer->cigar_at = atomic_add(&to->counts->cigar_used, answer->cigar_count);
}

#    define BATCH_CIGARS , __global uint *restrict cigars
#else
#    define BATCH_CIGARS
#endif

#if RHOMB_LANES <= 2
#    include "batch/batch_local_items.clh"
#else
#    include "batch/batch_local_lanes.clh"
#endif
