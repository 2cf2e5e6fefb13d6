/* SPDX-License-Identifier: MIT */
/*
 * Many subproblems of an alignment by recursion in one launch. Each is a range of the target and
 * one of the query whose distance d is known; the result is its breakpoint, where half of d is
 * paid.
 *
 * Forward, c1 = ceil(d / 2) edits lead from the beginning to the furthest offsets f[k] on diagonals
 * k = j - i; backward, c2 = floor(d / 2) lead from the end to g[K - k], K = n - m (wavefront.clh
 * has recurrence and proof). The breakpoint is (f[k] - k, f[k]) on the lowest diagonal with f[k] +
 * g[K - k] >= n. The halves before and after it have the distances c1 and c2 exactly.
 *
 * With d known, a wavefront r needs only the diagonals |k| <= r with |K - k| <= d - r, at most d
 * + 1. All that a cell comes from is among those of the wavefront before, so every value is the
 * true furthest one, whatever computes it: the breakpoint depends on the subproblem alone. A wrong
 * d is noticed: the directions do not meet, or they meet at c1 - 1 and c2 already.
 *
 *     k ^        c2 wavefronts of g, backward
 *       |       /|\
 *       |  |\  / | \      a group for each direction; forward and backward wavefronts end on the
 *       |  | \/  |  |     same diagonals, and a second kernel finds where they meet
 *       |  | /\  | /
 *       |  |/  \ |/
 *       +-------------> r
 *         c1 of f
 *
 * A group has two wavefronts, and one barrier a wavefront. Items take every GROUP_SIZE-th diagonal,
 * so that narrow wavefronts employ as many as there are. A run of matches that goes on after
 * RUN_STEPS steps is left to the whole group (runs.clh). Packed sequences are those of the whole
 * pair; a range is compared from its first symbol on and cut off at its own ends. A group of one,
 * for CPUs, computes tiles of many wavefronts (split_tiles.clh).
 *
 * Cells: at most c1 * c1 + c2 * c2, d * d / 2. The least cost of a cell with 2 planes: 4 loads of 8
 * bytes that mostly hit a cache (neighbours read the same words), 3 reads and a write of 4 bytes in
 * local memory, and some 60 instructions; an H200 issues those for 0.5e12 cells/s.
 */
#include "common/runs.clh"
#include "divide/split.clh"

#if RHOMB_GROUP_SIZE != 1

/* Runs that go on, for the group: diagonals, and how far they have come. */
typedef struct split_runs {
    rhomb_off offset[MOST_RUNS];
    int diagonal[MOST_RUNS];
    int count[3]; /* in turn: a wavefront counts in one, and clears the next one's */
    run_notes notes;
} split_runs;

/* Diagonals of an item whose loads overlap. */
#    define ITEM_CELLS 4
/* The first `count` of them: unrolled over all, which costs nothing where that is a constant. */
#    define ITEM_EACH(c, count)                                                  \
        _Pragma("unroll") for (int c = 0; c < ITEM_CELLS; c++) if (c >= (count)) \
        {                                                                        \
        }                                                                        \
        else

/*
 * Extends `count` cells from diagonal `first` on, GROUP_SIZE apart, by a window each, and stores
 * them. Bit c of the result says that the run of cell c goes on.
 */
static inline uint extend_cells(const split_range *range, SPLIT_CELL *before, SPLIT_CELL *column,
                                const int first, const int count)
{
    rhomb_off j[ITEM_CELLS];
    int equal[ITEM_CELLS];
    uint open = 0;
    ITEM_EACH(c, count)
    {
        const int k = first + c * SPLIT_ITEMS;
        j[c] = min(max(max(before[k - 1], before[k]) + 1, before[k + 1]), limit_of(range, k));
        equal[c] = equal_window(range, k, j[c]);
    }
    ITEM_EACH(c, count)
    {
        column[first + c * SPLIT_ITEMS] = j[c] + equal[c];
        open |= (uint)(equal[c] == RHOMB_WORD_SYMBOLS) << c;
    }
    return open;
}

/* Follows the run of a stored cell for some steps, and leaves the rest to the group. */
static inline void follow_cell(const split_range *range, SPLIT_CELL *column,
                               RHOMB_LOCAL split_runs *runs, const int turn, const int k)
{
    bool open;
    rhomb_off j = follow_run(range, k, column[k], RUN_STEPS, &open);
    if (open) {
        const run_matrix matrix = runs_of(range);
        const run_tables tables = runs->notes.tables;
        const rhomb_off known =
            run_known(&matrix, &tables, j - k + range->query_shift, j + range->target_shift);
        if (known > 0)
            j = follow_run(range, k, j + known, RUN_STEPS, &open);
    }
    if (open) {
        const int slot = atomic_inc(&runs->count[turn]);
        if (slot < MOST_RUNS) {
            runs->offset[slot] = j;
            runs->diagonal[slot] = k;
        } else {
            const run_tables tables = runs->notes.tables;
            j = follow_alone(range, k, j, &tables);
        }
    }
    column[k] = j;
}

/* Follows the first `count` runs that were left to the group, one after the other, all together. */
static inline void follow_list(const split_range *range, SPLIT_CELL *column,
                               RHOMB_LOCAL split_runs *runs, const int count, run_walk *walk)
{
    const run_matrix matrix = runs_of(range);
    for (int run = 0; run < count; run++) {
        const int k = runs->diagonal[run];
        const rhomb_off j = runs->offset[run];
        const rhomb_off symbols =
            run_together(&matrix, j - k + range->query_shift, j + range->target_shift, walk);
        if (get_local_id(0) == 0)
            column[k] = j + symbols;
    }
    SPLIT_SYNC();
}

/*
 * The cells [low, high] of wavefront r. Runs that go on are followed in a loop of their own:
 * unrolled with the cells, five copies of it took most of the time to compile.
 */
static inline void compute_cells(const split_range *range, SPLIT_CELL *before, SPLIT_CELL *column,
                                 RHOMB_LOCAL split_runs *runs, const int r, const int low,
                                 const int high, const int lane)
{
    if (lane == 0)
        runs->count[(r + 1) % 3] = 0;
    for (int k = low + lane; k <= high;) {
        const bool whole = high - (k - lane) >= ITEM_CELLS * SPLIT_ITEMS - 1;
        uint open = whole ? extend_cells(range, before, column, k, ITEM_CELLS)
                          : extend_cells(range, before, column, k, 1);
        for (; open != 0; open &= open - 1) {
            const int c = 31 - (int)clz(open & -open);
            follow_cell(range, column, runs, r % 3, k + c * SPLIT_ITEMS);
        }
        k += (whole ? ITEM_CELLS : 1) * SPLIT_ITEMS;
    }
}

/* Computes wavefront 0, but for its run, which is left to the group. */
static inline void begin_columns(const split_range *range, SPLIT_CELL *column,
                                 RHOMB_LOCAL split_runs *runs)
{
    close_column(column, 0, 0);
    runs->offset[0] = runs->diagonal[0] = 0;
    runs->count[0] = 1;
    runs->count[1] = 0;
    run_notes_begin(&runs->notes, &range->tables);
}

/* Computes `edits` wavefronts; wavefront r ends up in `even` or `odd`. */
static inline void compute_columns(const split_range *range, SPLIT_CELL *even, SPLIT_CELL *odd,
                                   RHOMB_LOCAL split_runs *runs, const int edits, const int lane)
{
    run_walk walk = run_walk_of(&runs->notes);
    if (lane == 0)
        begin_columns(range, even, runs);
    for (int r = 0; r <= edits; r++) {
        SPLIT_CELL *before = (r & 1) != 0 ? even : odd, *column = (r & 1) != 0 ? odd : even;
        if (r > 0) {
            const int low = first_diagonal(range, r), high = last_diagonal(range, r);
            compute_cells(range, before, column, runs, r, low, high, lane);
            if (lane == 0)
                close_column(column, low, high);
        }
        SPLIT_SYNC();
        const int count = runs->count[r % 3];
        if (count > 0)
            follow_list(range, column, runs, min(count, MOST_RUNS), &walk);
    }
}
#else
#    include "divide/split_tiles.clh"
#endif

/*
 * Computes the wavefronts of the jobs from number first_job on, one group for each direction of
 * each. query_backward and target_backward are the words from a packed sequence to its reverse, the
 * lengths those of the whole sequences. `state` has two wavefronts of the largest job, where
 * wavefronts are in local memory.
 */
SPLIT_KERNEL void rhomb_split_columns(__global const uint *restrict query,
                                      __global const uint *restrict target,
                                      __global const rhomb_split_job *restrict jobs,
                                      __global rhomb_off *all_columns, RHOMB_LOCAL rhomb_off *state,
                                      const rhomb_i64 query_backward,
                                      const rhomb_i64 target_backward, const rhomb_i64 query_length,
                                      const rhomb_i64 target_length, const rhomb_i64 first_job)
{
    const int direction = (int)(get_group_id(0) & 1);
#if RHOMB_GROUP_SIZE != 1
    const int lane = (int)get_local_id(0);
    __local split_runs runs[1];
#endif
    const rhomb_split_job job = jobs[first_job + (rhomb_i64)(get_group_id(0) >> 1)];
    split_range range = range_of(&job.pair);
    const int edits = edits_of(&range, direction);
    /* Reversed, a range begins where it ends, counted from the end. */
    const rhomb_i64 query_at =
        RHOMB_PAD_SYMBOLS + (direction == 0
                                 ? job.pair.query_at
                                 : query_length - job.pair.query_at - job.pair.query_length);
    const rhomb_i64 target_at =
        RHOMB_PAD_SYMBOLS + (direction == 0
                                 ? job.pair.target_at
                                 : target_length - job.pair.target_at - job.pair.target_length);
    range.query =
        query + direction * query_backward + (query_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    range.target =
        target + direction * target_backward + (target_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    const rhomb_split_whole whole = {query_length, target_length, query_backward, target_backward};
    range.tables = run_tables_of(query, target, &job.pair, &whole, direction);
    range.query_shift = (rhomb_off)(query_at & (RHOMB_WORD_SYMBOLS - 1));
    range.target_shift = (rhomb_off)(target_at & (RHOMB_WORD_SYMBOLS - 1));
    __global rhomb_off *columns = all_columns + job.columns_at;
#if RHOMB_GROUP_SIZE == 1
    compute_columns(&range, column_of(columns, &range, direction, 0),
                    column_of(columns, &range, direction, 1), edits);
#elif RHOMB_IN_PLACE
    compute_columns(&range, column_of(columns, &range, direction, 0),
                    column_of(columns, &range, direction, 1), runs, edits, lane);
#else
    RHOMB_LOCAL rhomb_off *even = state + range.left + 2, *odd = even + range.cells;
    compute_columns(&range, even, odd, runs, edits, lane);
    for (int r = max(edits - 1, 0); r <= edits; r++) {
        RHOMB_LOCAL rhomb_off *from = (r & 1) != 0 ? odd : even;
        __global rhomb_off *to = column_of(columns, &range, direction, r);
        const int last = last_diagonal(&range, r) + 1;
        for (int k = first_diagonal(&range, r) - 1 + lane; k <= last; k += SPLIT_ITEMS)
            to[k] = from[k];
    }
#endif
}

/* The diagonals on which the directions meet. */
typedef struct split_meeting {
    int lowest; /* that meets, or INT_MAX */
    int early;  /* not 0: some met an edit earlier */
} split_meeting;

/* Finds where the wavefronts of each job meet; a group for each. */
SPLIT_KERNEL void rhomb_split_meet(__global const rhomb_split_job *restrict jobs,
                                   __global rhomb_off *all_columns,
                                   __global rhomb_split_point *restrict points,
                                   const rhomb_i64 first_job)
{
    const int lane = (int)get_local_id(0);
    const rhomb_i64 index = first_job + (rhomb_i64)get_group_id(0);
    const rhomb_split_job job = jobs[index];
    const split_range range = range_of(&job.pair);
    const int forward = edits_of(&range, 0), backward = edits_of(&range, 1);
    __global rhomb_off *columns = all_columns + job.columns_at;
    __global const rhomb_off *f = column_of(columns, &range, 0, forward);
    __global const rhomb_off *earlier = column_of(columns, &range, 0, forward - 1);
    __global const rhomb_off *g = column_of(columns, &range, 1, backward);
    const int end = (int)range.end, high = last_diagonal(&range, forward);
    split_meeting mine = {INT_MAX, 0};
    for (int k = first_diagonal(&range, forward) + lane; k <= high; k += SPLIT_ITEMS) {
        const rhomb_off rest = range.n - g[end - k];
        mine.lowest = f[k] >= rest ? min(mine.lowest, k) : mine.lowest;
        mine.early |= earlier[k] >= rest;
    }
#if RHOMB_GROUP_SIZE != 1
    __local split_meeting all[1];
    if (lane == 0) {
        all->lowest = INT_MAX;
        all->early = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine.lowest < INT_MAX)
        atomic_min(&all->lowest, mine.lowest);
    if (mine.early)
        all->early = 1; /* any number of items may write it */
    barrier(CLK_LOCAL_MEM_FENCE);
    mine.lowest = all->lowest;
    mine.early = all->early;
#endif
    if (lane != 0)
        return;
    rhomb_split_point point = {0, 0, RHOMB_SPLIT_APART, 0};
    if (mine.early) {
        point.status = RHOMB_SPLIT_LESS;
    } else if (mine.lowest < INT_MAX) {
        point.target = f[mine.lowest];
        point.query = f[mine.lowest] - mine.lowest;
        point.status = RHOMB_SPLIT_FOUND;
    }
    points[index] = point;
}
