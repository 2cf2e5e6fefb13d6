/* SPDX-License-Identifier: MIT */
/*
 * The best local alignment of one long pair: its score and its last cell. A launch computes a block
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
 * *The floor* on an H100 or H200. Its units do at most 2.2e12 cells a second (local.clh), so 1 x 1
 * Mbp take 0.46 seconds. A block of 4 columns of an item's 16 rows has 693 instructions, which a
 * warp that is alone on its scheduler issues one a cycle. A matrix of n columns and m rows takes n
 * / 4 + m / (items * ROWS) * (steps + items - 1) steps of 4 columns: for 1 Mbp, 32 items of 16 rows
 * and 64 steps 250,000 + 185,500, 0.15 seconds at 1.98 GHz. There are 1,953 strips of a warp for
 * 528 schedulers: 3.7 for each while all strips run, 2.1 on average. Shorter launches shorten the
 * skew, and add launches: 6,800 here.
 */
#include "batch/batch_scores.clh"

#undef RHOMB_BITS
#undef RHOMB_PTX
#define RHOMB_BITS 32 /* of a score */
#define RHOMB_PTX  0
#include "local/local.clh"

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
#define NO_ROW    (-1)
#define NO_COLUMN (-2)

/* H of a cell of the first row or column, so many bases from the corner. */
static inline int border_score(const rhomb_long_local_job *job, const int bases)
{
    const rhomb_batch_scoring *s = &job->scoring;
    const rhomb_i64 more = bases - 1;
    rhomb_i64 gap = bases > 0 ? s->open + more * s->extend : 0;
    if (RHOMB_PIECES > 1 && bases > 0)
        gap = min(gap, s->open_2 + more * s->extend_2);
    return (int)max(job->credit - gap, (rhomb_i64)0);
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

/*
 * Whether no path through a block is as good as `best`: those that enter it have `highest`, before
 * them are so many rows and at least so many columns.
 */
static inline bool is_hopeless(const rhomb_long_local_job *job, const int highest, const int rows,
                               const int columns, const int best)
{
    const int left = min(job->query_length - rows, job->target_length - columns);
    return max(highest, 0) + max(left, 0) * job->scoring.match < best;
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

#if RHOMB_LANES == 1
#    include "local/long_local_items.clh"
#else
#    include "local/long_local_lanes.clh"
#endif
