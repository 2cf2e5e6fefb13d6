/* SPDX-License-Identifier: MIT */
/*
 * The best alignment of one long pair, local, with free ends or an extension (RHOMB_MODE): its
 * score and its last cell. A launch computes a block
 * of each strip that runs. A strip has the rows of a work-group, and its block is askew, as each
 * item is a step later than the one above (on a CPU lanes of a vector, cl/local/local_lanes.clh):
 *
 *               columns of the target
 *           +----------------------------------+
 *     item 0|....####                          |   strip 0, launch L: `steps` steps
 *          1|...####                           |
 *          2|..####                            |
 *           |----------------------------------| <- border: H and F of each column
 *          0|.####      a strip is steps + items - 1 steps later than the one above, so that what
 * it 1|####       reads of the border is of earlier launches 2|###
 *
 * So nothing is computed twice, no item waits, and one launch has as many groups as there are
 * strips running: at most n / (a step's columns) / (steps + items - 1). Between launches a strip
 * keeps H and E of its rows, and what each item has handed down. The border is one row of n
 * columns, which each strip writes over after it has read it.
 *
 * *The best cell.* All strips know the best score of earlier launches, and look only for cells that
 * reach it; each keeps its best one. Of equal scores the first cell in the target counts, then in
 * the query (local_is_before()).
 *
 * *Pruning.* No path through a block scores more than the highest H at its edges, or 0 at a
 * beginning, and a match for each row or column that is left from there on, whichever are fewer: F
 * and E of an edge are never more than H before it. A block where that is less than the best score
 * is left out, and its edges get 0. No equal score is lost.
 *
 * *The beginning* of an alignment is found by the same sweep of the reversed sequences from its end
 * on. Only cells count from which a path to the corner of the score exists. Let B be the score, M
 * what matches of all rows or columns would add. The corner has a credit of C = M + 1 - B instead
 * of 0: then a path from there with the score B reaches C + B = M + 1, and one that begins anywhere
 * else at most M. B + C is known, so that pruning leaves little more than the alignment itself.
 *
 * *Free ends and extensions* have the same floor, 0, by the same credit: with L, a score that the
 * best alignment has at least, C = M + 1 - L. Paths from the floor come to M at most, and the best
 * one to M + 1 or more. So no score is below 0, and what is so far behind that it cannot come to L
 * counts for nothing. With free ends the first row and column have the credit up to the limits;
 * alignments end in the last row from the first column on, or in the last column likewise. Where
 * the pair is cut, as no alignment of the score takes more of it, these may be beyond the end. Of
 * any cell the rest may be gaps, or mismatches and a gap: so a strip raises L by its last cell in a
 * launch, as if the alignment went on so. A path that still has more columns than rows before it,
 * or the other way round, needs gaps of as many (least_gap()), and is pruned earlier. Extensions
 * begin with L = 0, nothing aligned. Where the end of the query may have a bonus, the best cell of
 * the last row is kept as well, and nothing is pruned that could come to the best score less the
 * bonus; L is less by as much.
 *
 * *A z-drop* stops an extension by the highest cell of each antidiagonal, all of which the host
 * looks at in order, as far as all strips have come (long_drops.clh). Which of them matter is not
 * known before, so that nothing is pruned, and C is so high that no cell comes to the floor: more
 * than two gaps as long as the sequences.
 *
 * *The floor* on an H100 or H200. Its units do at most 2.2e12 cells a second (local.clh), so 1 x 1
 * Mbp take 0.46 seconds. A block of 4 columns of an item's 16 rows has 693 instructions, which a
 * warp that is alone on its scheduler issues one a cycle. A matrix of n columns and m rows takes n
 * / 4 + m / (items * ROWS) * (steps + items - 1) steps of 4 columns: for 1 Mbp, 32 items of 16 rows
 * and 64 steps 250,000 + 185,500, 0.15 seconds at 1.98 GHz. There are 1,953 strips of a warp for
 * 528 schedulers: 3.7 for each while all strips run, 2.1 on average. Shorter launches shorten the
 * skew, and add launches: 6,800 here.
 */
#include "batch/batch_scores.clh"

#if !defined(RHOMB_MODE) || RHOMB_MODE < 1 || RHOMB_MODE > 4
#    error "RHOMB_MODE must be 1 to 4"
#endif
#define FREE_ENDS (RHOMB_MODE == 1)
#define EXTENDS   (RHOMB_MODE == 2 || RHOMB_MODE == 4)
#define IS_LOCAL  (RHOMB_MODE == 3)
#define DROPS     (RHOMB_MODE == 4)

#define LOCAL_BY_ANTIDIAGONALS EXTENDS

#undef RHOMB_BITS
#undef RHOMB_PTX
#define RHOMB_BITS 32 /* of a score */
#define RHOMB_PTX  0
#include "common/apart.clh"
#include "local/local.clh"

#if RHOMB_PATH && (!FREE_ENDS || !RHOMB_MATRIX)
#    error "RHOMB_PATH needs RHOMB_MODE 1 and RHOMB_MATRIX 1"
#endif

#if !defined(RHOMB_PLANES) || RHOMB_PLANES < 1 || RHOMB_PLANES > 8
#    error "RHOMB_PLANES must be 1 to 8"
#endif
#if !defined(RHOMB_GROUP_SIZE) || RHOMB_GROUP_SIZE < 1 || RHOMB_GROUP_SIZE > 256
#    error "RHOMB_GROUP_SIZE must be 1 to 256"
#endif
#if RHOMB_LANES == 2
#    error "RHOMB_LANES must be 1 or 16"
#endif

#if !defined(RHOMB_LOCAL)
#    define RHOMB_LOCAL __local
#endif

/* Symbols that match nothing: unlike those of local.clh none of any alphabet. */
#if RHOMB_MATRIX
#    define NO_ROW    MATRIX_NONE
#    define NO_COLUMN MATRIX_NONE
#elif RHOMB_HAS_MASKS
#    define NO_ROW    0
#    define NO_COLUMN 0
#else
#    define NO_ROW    (-1)
#    define NO_COLUMN (-2)
#endif

/* What a gap of so many bases takes; nothing for none or fewer. */
static inline rhomb_i64 long_gap(const rhomb_batch_scoring *s, const rhomb_i64 bases)
{
    const rhomb_i64 first = s->open + (bases - 1) * s->extend;
    if (bases <= 0)
        return 0;
    return RHOMB_PIECES > 1 ? min(first, s->open_2 + (bases - 1) * s->extend_2) : first;
}

/* H of a cell of the first row or column, so many bases from where nothing is free any more. */
static inline int border_score(const rhomb_long_local_job *job, const int bases)
{
    return (int)max(job->credit - long_gap(&job->scoring, bases), (rhomb_i64)0);
}

/* H after so many rows of the first column, and after so many columns of the first row. */
static inline int first_column_score(const rhomb_long_local_job *job, const int row)
{
    return border_score(job, row - job->free_rows);
}

static inline int first_row_score(const rhomb_long_local_job *job, const int column)
{
    return border_score(job, column - job->free_columns);
}

static inline int row_symbol(__global const uint *query, const rhomb_long_local_job *job,
                             const int row)
{
    return row < job->query_length ? symbol_at(query, job->query_at + row) : NO_ROW;
}

static inline int column_symbol(__global const uint *target, const rhomb_long_local_job *job,
                                const int column)
{
    return column < job->target_length ? symbol_at(target, job->target_at + column) : NO_COLUMN;
}

#if RHOMB_MATRIX

/* The row of the border that a strip reads, and the one that it writes. */
static inline int border_read(const rhomb_long_local_job *job, const int strip)
{
    if (strip == 0)
        return job->above;
    return job->keep > 0 && strip % job->keep == 0 ? strip / job->keep : 0;
}

static inline int border_written(const rhomb_long_local_job *job, const int strip)
{
    return job->keep > 0 && (strip + 1) % job->keep == 0 ? (strip + 1) / job->keep : 0;
}

#endif

#if RHOMB_PATH
#    define TRACE_BUFFER , __global uchar *trace
#    define TRACE_GIVEN  , trace
#else
#    define TRACE_BUFFER
#    define TRACE_GIVEN
#endif

/* A block, with its edges: rows [row, row_end] and columns [column, column_end], from 0 on. */
typedef struct long_bounds {
    int row;
    int row_end;
    int column;
    int column_end;
} long_bounds;

#if FREE_ENDS

/*
 * What gaps take at least of any path from a cell of a block to where it may end: of each base, as
 * a gap may be open.
 */
static inline rhomb_i64 least_gap(const rhomb_long_local_job *job, const long_bounds *b)
{
    const rhomb_i64 columns =
        (rhomb_i64)job->first_column - b->column_end - ((rhomb_i64)job->last_row - b->row);
    const rhomb_i64 rows =
        (rhomb_i64)job->first_row - b->row_end - ((rhomb_i64)job->last_column - b->column);
    const rhomb_batch_scoring *s = &job->scoring;
    const int each = RHOMB_PIECES > 1 ? min(s->extend, s->extend_2) : s->extend;
    return max(max(columns, rows), (rhomb_i64)0) * each;
}

/* A score that some alignment through a cell with the score h has at least. */
static inline int least_score(const rhomb_long_local_job *job, const int h, const int row,
                              const int column)
{
    const rhomb_batch_scoring *s = &job->scoring;
    const int rows = job->last_row - row, columns = job->last_column - column;
    const int both = min(rows, columns);
    if (both < 0)
        return 0;
    rhomb_i64 least = long_gap(s, rows) + long_gap(s, job->first_column - column);
    least = min(least, long_gap(s, columns) + long_gap(s, job->first_row - row));
    least = min(least, (rhomb_i64)both * s->mismatch +
                           (rows > columns ? long_gap(s, job->first_row - row - both)
                                           : long_gap(s, job->first_column - column - both)));
    return (int)max(h - least, (rhomb_i64)0);
}

#else

static inline rhomb_i64 least_gap(const rhomb_long_local_job *job, const long_bounds *b)
{
    return 0;
}

#endif

/* Whether no path through a block is as good as `best`: those that enter it have `highest`. */
static inline bool is_hopeless(const rhomb_long_local_job *job, const int highest,
                               const long_bounds *b, const int best)
{
    const int left = min(job->query_length - b->row, job->target_length - b->column);
    if (DROPS)
        return false;
    return max(highest, 0) + (rhomb_i64)max(left, 0) * job->scoring.match - least_gap(job, b) <
           best - job->bonus;
}

/* Takes a strip's best cell of a launch; `fresh`: there has been none before. */
static inline void take_cell(__global rhomb_long_local_cell *at, const local_cell *found,
                             const bool fresh)
{
    local_cell best = {0, 0, 0};
    if (!fresh) {
        best.score = at->score;
        best.column = at->column;
        best.row = at->row;
    }
    const bool better = local_is_before(found, &best) && found->column != 0x7fffffff;
    if (better)
        best = *found;
    if (fresh || better) {
        at->score = best.score;
        at->column = best.column;
        at->row = best.row;
        at->padding = 0;
    }
}

/* Columns beyond the last one that a strip goes on. */
#if DROPS
#    define BEYOND(strip_rows) (strip_rows)
#else
#    define BEYOND(strip_rows) 0
#endif

#define COLUMNS RHOMB_BATCH_LOCAL_BLOCK /* of a step of an item */

#if RHOMB_LANES == 16
#    include "local/local_lanes.clh"
#endif
#if DROPS
#    include "local/long_drops.clh"
#endif
#if RHOMB_LANES == 1
#    include "local/long_local_items.clh"
#else
#    include "local/long_local_lanes.clh"
#endif
#if RHOMB_PATH
#    include "local/long_path.clh"
#endif
