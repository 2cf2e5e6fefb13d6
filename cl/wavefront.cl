/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine: one launch computes one band of the pyramid in both directions, one
 * work-group a tile of it. wavefront.clh has the recurrence and its invariant, src/tiling.c the
 * geometry of bands.
 *
 * A tile is a trapezoid of W = GROUP_SIZE * ITEM_DIAGONALS diagonals, T = TILE_COLUMNS:
 *
 *     k ^  |\      all W diagonals are loaded at column r0; T on either side lose a neighbour a
 *       |  | \     column and are dropped at column r0 + T. One column is read, another one
 *       |  |  |    written.
 *       |  | /
 *       |  |/
 *       +------> r
 *
 * Slots. A work-item does not keep its diagonals: in each column it moves up by one. So slot p has
 * diagonal base + p + s after s columns, and
 *
 *     f'[p] = extend(max(f[p] + 1 (insertion),  f[p+1] + 1 (substitution),  f[p+2] (deletion)))
 *
 * looks at slots above only, in place. Besides, in similar sequences nearly every offset comes by
 * insertions from the path that leads, so that the slot goes on from where it was, one symbol of
 * the target further. It keeps a window of 32 symbols of either sequence from the position where
 * the window was *opened*; a column is a shift, and no load. Where offsets come by deletions
 * instead, below the path, the tile is *mirrored*: the sequences change roles, k becomes -k and an
 * offset j becomes i = j - k. The recurrence does not notice.
 *
 * Windows are opened every REOPEN columns, before they end in unrelated sequences, which advance by
 * 2.5 symbols a column; by lanes whose offset has left its window; and at the end of a run. Runs
 * longer than RUN_STEPS steps are followed by the whole group, a word or four for each work-item.
 *
 * Cost, in NVIDIA's machine code with 2 planes, 32 bits and 8 diagonals an item: 158 instructions a
 * column of an item, and every 8 columns some 190 more to open its windows: 22.5 a cell, 25.6 with
 * the margins of W = 1024, T = 64. An H200 issues that for 1.31e12 cells a second, and does 0.82e12
 * to 0.90e12 in wide pyramids; without extension 2.7e12. Narrow ones wait: a column takes 0.9
 * microseconds where a lane follows a path, some 450 instructions that depend on each other. Memory
 * is no bound: a band reads and writes its diagonals once for T columns. See bench/NOTES.md.
 */
#include "wavefront.clh"

#define REOPEN    8
#define RUN_STEPS 2
/* Runs that a group follows together in one column; others are followed by their lanes. */
#define MOST_RUNS RHOMB_MOST_RUNS
/* Words that each item of a group compares at a time, when a run goes on and on. */
#define MOST_WORDS 16
#define NOT_FOUND  INT_MAX
/* The end of a slot whose run was followed: outside its window, which tells nothing any more. */
#define DONE (RHOMB_WORD_SYMBOLS + 1)

/* Without extension, for benchmarks, the results are wrong. */
#if defined(RHOMB_NO_EXTENSION)
#    define EXTENDS 0
#else
#    define EXTENDS 1
#endif

#if RHOMB_OFFSET_BITS == 64
typedef long2 pair;
#else
typedef int2 pair;
#endif

/* Slots of an item that a column has to compute: a group's margin costs less than a test. */
#if RHOMB_GROUP_SIZE > 1
#    define ACTIVE(s) RHOMB_ITEM_DIAGONALS
#else
#    define ACTIVE(s) (RHOMB_ITEM_DIAGONALS - 2 * ((s) + 1))
#endif

/* Symbols from (i, j) to where the diagonal leaves the matrix; none if that is outside. */
static inline int room(const rhomb_matrix *matrix, const rhomb_off i, const rhomb_off j)
{
    const rhomb_off left = i < 0 || j < 0 ? 0 : min(matrix->m - i, matrix->n - j);
    return (int)clamp(left, (rhomb_off)0, (rhomb_off)RHOMB_WORD_SYMBOLS);
}

/*
 * Opens the windows of an item's slots [0, to) at their offsets, or only of those that have left
 * theirs, and compares. Returns how far the furthest of them comes; *edge, whether a comparison may
 * leave the matrix.
 */
static inline int open_windows(const rhomb_matrix *matrix, const rhomb_off *f, rhomb_off *opened,
                               uint rows[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS],
                               uint columns[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS], int *ends,
                               const bool all, const int to, const rhomb_off k0, bool *edge)
{
    int furthest = 0;
    RHOMB_EACH(c, 0, to)
    {
        if (all || ends[c] >= RHOMB_WORD_SYMBOLS) {
            const rhomb_off j = f[c], i = j - (k0 + c);
            uint query[RHOMB_PLANES], target[RHOMB_PLANES];
            uint differ = 0;
            rhomb_window(matrix->query, i, query);
            rhomb_window(matrix->target, j, target);
            _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
            {
                rows[p][c] = query[p];
                columns[p][c] = target[p];
                differ |= query[p] ^ target[p];
            }
            const int left = room(matrix, i, j);
            opened[c] = j;
            *edge |= left < RHOMB_WORD_SYMBOLS;
            ends[c] = min((int)clz(differ), left);
            furthest = max(furthest, ends[c]);
        }
    }
    return furthest;
}

/*
 * How far into its window each slot comes: 32 or more where the window does not tell. Returns the
 * furthest.
 */
static inline int compare(const rhomb_matrix *matrix, const rhomb_off *f, const rhomb_off *opened,
                          uint rows[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS],
                          uint columns[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS], int *ends, const int to,
                          const rhomb_off k0, const bool edge)
{
    int furthest = 0;
    RHOMB_EACH(c, 0, to)
    {
#if RHOMB_OFFSET_BITS == 64
        const int at = (int)min(f[c] - opened[c], (rhomb_off)RHOMB_WORD_SYMBOLS);
#else
        const int at = f[c] - opened[c];
#endif
        uint differ = 0;
        _Pragma("unroll") for (int p = 0; p < RHOMB_PLANES; p++)
        {
            rows[p][c] >>= 1;
            differ |= rows[p][c] ^ columns[p][c];
        }
        ends[c] = at + (int)clz(differ << ((uint)at & (RHOMB_WORD_SYMBOLS - 1)));
        furthest = max(furthest, ends[c]);
    }
    if (edge) {
        furthest = 0;
        RHOMB_EACH(c, 0, to)
        {
            const rhomb_off at = min(f[c] - opened[c], (rhomb_off)RHOMB_WORD_SYMBOLS);
            ends[c] = min(ends[c], (int)at + room(matrix, f[c] - (k0 + c), f[c]));
            furthest = max(furthest, ends[c]);
        }
    }
    return furthest;
}

/* What items hand to each other in a column. */
typedef struct exchange {
    pair heads[RHOMB_GROUP_SIZE + 2]; /* their first two offsets */
    int runs;                         /* that are left to the group */
    int padding;
} exchange;

/* Runs that go on, for the group: their positions, and where they end. */
typedef struct runs {
    rhomb_off row[MOST_RUNS];
    rhomb_off column[MOST_RUNS];
    rhomb_off end[MOST_RUNS];
} runs;

#if RHOMB_GROUP_SIZE > 1
/*
 * Follows the runs of an item's slots that have come to the end of a window. One that goes on after
 * RUN_STEPS steps is left to the group, one for each item: returns its number in `list`, or -1, and
 * writes the bit of its slot.
 */
static inline int follow_runs(const rhomb_matrix *matrix, const rhomb_off *f, rhomb_off *opened,
                              int *ends, const rhomb_off k0, RHOMB_LOCAL runs *list,
                              RHOMB_LOCAL int *count, uint *mine)
{
    int posted = -1;
    uint full = 0;
    RHOMB_ALL(c) full |= ends[c] == RHOMB_WORD_SYMBOLS ? 1u << c : 0;
    for (; full != 0; full &= full - 1) {
        /* Selects by a bit: by an index, compilers put the arrays into memory. */
        const uint bit = full & (0 - full);
        const int which = 31 - (int)clz(bit);
        rhomb_off j = 0;
        RHOMB_ALL(c) j = (bit >> c & 1) != 0 ? f[c] + RHOMB_WORD_SYMBOLS : j;
        bool open = true;
        while (open) {
            j = rhomb_run(matrix->query, matrix->target, k0 + which, j, matrix->m, matrix->n,
                          posted < 0 ? RUN_STEPS : INT_MAX, &open);
            if (open && posted < 0) {
                posted = atomic_inc(count);
                if (posted < MOST_RUNS) {
                    list->row[posted] = j - (k0 + which);
                    list->column[posted] = j;
                    *mine = bit;
                    open = false;
                }
            }
        }
        RHOMB_ALL(c)
        {
            opened[c] = (bit >> c & 1) != 0 ? j - DONE : opened[c];
            ends[c] = (bit >> c & 1) != 0 ? DONE : ends[c];
        }
    }
    return posted;
}
#else
static inline void follow_runs(const rhomb_matrix *matrix, const rhomb_off *f, rhomb_off *opened,
                               int *ends, const int to, const rhomb_off k0)
{
    for (int c = 0; c < to; c++) {
        if (ends[c] == RHOMB_WORD_SYMBOLS) {
            bool open = true;
            const rhomb_off j =
                rhomb_run(matrix->query, matrix->target, k0 + c, f[c] + RHOMB_WORD_SYMBOLS,
                          matrix->m, matrix->n, INT_MAX, &open);
            opened[c] = j - DONE;
            ends[c] = DONE;
        }
    }
}
#endif

/*
 * Extends the offsets `moved` of the slots [0, to), on the diagonals from k0 on, to f; `all`
 * windows are opened, or only those that are needed. Returns what follow_runs() does.
 */
static inline int extend(const rhomb_matrix *matrix, rhomb_off *moved, rhomb_off *f,
                         rhomb_off *opened, uint rows[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS],
                         uint columns[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS], int *ends,
                         const bool all, const int to, const rhomb_off k0, bool *edge
#if RHOMB_GROUP_SIZE > 1
                         ,
                         RHOMB_LOCAL runs *list, RHOMB_LOCAL int *count, uint *mine
#endif
)
{
    int posted = -1, furthest = RHOMB_WORD_SYMBOLS;
    if (!EXTENDS) {
        RHOMB_EACH(c, 0, to) f[c] = moved[c];
        return posted;
    }
    if (!all)
        furthest = compare(matrix, moved, opened, rows, columns, ends, to, k0, *edge);
    if (furthest >= RHOMB_WORD_SYMBOLS) {
        /* Slots that have come to the end of their window go on from there. */
        RHOMB_EACH(c, 0, to)
        {
            if (!all && ends[c] >= RHOMB_WORD_SYMBOLS)
                moved[c] = max(moved[c], opened[c] + RHOMB_WORD_SYMBOLS);
        }
        *edge = *edge && !all;
        /* Vectorisers want to know at compile time that it is all; groups open all anyway. */
        furthest =
            all || RHOMB_GROUP_SIZE > 1
                ? open_windows(matrix, moved, opened, rows, columns, ends, true, to, k0, edge)
                : open_windows(matrix, moved, opened, rows, columns, ends, false, to, k0, edge);
        if (furthest >= RHOMB_WORD_SYMBOLS)
#if RHOMB_GROUP_SIZE > 1
            posted = follow_runs(matrix, moved, opened, ends, k0, list, count, mine);
#else
            follow_runs(matrix, moved, opened, ends, to, k0);
#endif
    }
    RHOMB_EACH(c, 0, to) f[c] = opened[c] + ends[c];
    return posted;
}

#if RHOMB_GROUP_SIZE > 1
/* The symbols from (i, j) on that are equal, if the first mismatch is among `words` words. */
static inline int equal_ahead(const rhomb_matrix *matrix, const rhomb_off i, const rhomb_off j,
                              const int words)
{
    int equal = NOT_FOUND;
    for (int w = words - 1; w >= 0; w--) {
        const rhomb_off ahead = w * RHOMB_WORD_SYMBOLS;
        /* The padding ends not far behind the matrix, and the comparison does. */
        const bool inside = i + ahead <= matrix->m && j + ahead <= matrix->n;
        const uint differ =
            inside ? rhomb_differ(matrix->query, matrix->target, i + ahead, j + ahead) |
                         rhomb_cut(i + ahead, j + ahead, matrix->m, matrix->n)
                   : 0;
        if (differ != 0)
            equal = w * RHOMB_WORD_SYMBOLS + (int)clz(differ);
    }
    return equal;
}

/*
 * Follows the first `count` runs of the list, one after the other, all lanes together. `found` has
 * three places: a round writes the first, in the next one it is read, and then cleared, so that one
 * barrier a round is enough.
 */
static inline void run_together(const rhomb_matrix *matrix, RHOMB_LOCAL runs *list, const int count,
                                RHOMB_LOCAL int *found, int *round)
{
    const int lane = (int)get_local_id(0);
    for (int run = 0; run < count; run++) {
        rhomb_off i = list->row[run], j = list->column[run];
        int words = 1, least = NOT_FOUND;
        while (least == NOT_FOUND) {
            const int here = *round % 3, stretch = words * RHOMB_WORD_SYMBOLS;
            const int mine = equal_ahead(matrix, i + (rhomb_off)lane * stretch,
                                         j + (rhomb_off)lane * stretch, words);
            if (lane == 0)
                found[(here + 1) % 3] = NOT_FOUND;
            if (mine != NOT_FOUND)
                atomic_min(&found[here], lane * stretch + mine);
            barrier(CLK_LOCAL_MEM_FENCE);
            least = found[here];
            *round += 1;
            const int step = least != NOT_FOUND ? least : RHOMB_GROUP_SIZE * stretch;
            i += step;
            j += step;
            words = min(4 * words, MOST_WORDS);
        }
        if (lane == 0)
            list->end[run] = j;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

/* Notes what the end diagonal has come to, and what follows from it. */
static inline void observe(rhomb_front *seen, const rhomb_off reach, const rhomb_i64 column,
                           const rhomb_i64 n)
{
    seen->reach = reach;
    seen->column = column;
    seen->bound = min(seen->bound, column + n - reach);
    if (reach >= n)
        seen->distance = column;
}

/*
 * Whether this launch has anything to compute: not behind the end, and not where the directions may
 * have met, unless the host looks for that after each band.
 */
static inline bool goes_on(__global const rhomb_wavefront_status *status, const rhomb_band *band)
{
    if (status->met != 0 ||
        (band->directions == 1 && status->front[0][band->front].distance != RHOMB_UNSOLVED))
        return false;
    const rhomb_i64 together =
        (rhomb_i64)status->furthest[0][band->turn] + (rhomb_i64)status->furthest[1][band->turn];
    return band->meets_later == 0 ||
           together << band->far_shift < band->query_length + band->target_length;
}

/*
 * Hands on what alternates, for the next launch; the first group of a band does that. `complete`
 * stays what it was where nothing is computed.
 */
static inline void hand_on(__global rhomb_wavefront_status *status, const rhomb_band *band,
                           const bool on)
{
    for (int direction = 0; direction < band->directions; direction++)
        atomic_max(&status->furthest[direction][1 - band->turn],
                   status->furthest[direction][band->turn]);
    status->complete[1 - band->turn] =
        on ? band->start + band->columns[0] : status->complete[band->turn];
}

/*
 * Tiles from the middle outwards: a path that leads is most likely there, and its runs make its
 * tile the slowest, which should not be the last to begin.
 */
static inline rhomb_i64 tile_of(const rhomb_i64 number, const rhomb_i64 tiles)
{
    const rhomb_i64 middle = tiles / 2;
    return number % 2 != 0 ? middle - (number + 1) / 2 : middle + number / 2;
}

/*
 * Advances the pyramid by one band, on the tiles of this launch: tile t of a direction has the
 * diagonals from first_diagonal + t * tile_pitch on. column_a holds column `start`, column_b is
 * written; both begin with diagonal `origin`, cover all diagonals of the launch's tiles, and are
 * followed by the backward ones.
 */
RHOMB_KERNEL
void rhomb_wavefront_band(__global const uint *restrict query, __global const uint *restrict target,
                          __global const rhomb_off *restrict column_a,
                          __global rhomb_off *restrict column_b,
                          __global rhomb_wavefront_status *restrict status, const rhomb_band band)
{
    const int lane = (int)get_local_id(0);
    const rhomb_i64 group = (rhomb_i64)get_group_id(0);
    const int direction = (int)(group % band.directions);
    const rhomb_i64 first =
        band.first_diagonal + tile_of(group / band.directions, band.tiles) * band.tile_pitch;
    const rhomb_i64 end_diagonal = band.target_length - band.query_length;
    const int steps = direction == 0 ? band.columns[0] : band.columns[1];
    const bool on = goes_on(status, &band);
    if (band.leads != 0 && group == 0 && lane == 0)
        hand_on(status, &band, on);

    /* Whether this tile stores the end diagonal: then it has the front to hand on. */
    const bool owner = end_diagonal >= first + RHOMB_TILE_COLUMNS &&
                       end_diagonal < first + RHOMB_TILE_DIAGONALS - RHOMB_TILE_COLUMNS;
    /* The sum of two directions' columns passes an odd bound by one before it is looked at. */
    const rhomb_i64 bound = min(status->front[0][band.front].bound,
                                status->front[band.directions - 1][band.front].bound) +
                            band.directions - 1;
    if (!on || (band.prune != 0 &&
                !rhomb_tile_matters(first + RHOMB_TILE_COLUMNS,
                                    first + RHOMB_TILE_DIAGONALS - 1 - RHOMB_TILE_COLUMNS,
                                    band.start + 1, band.start + steps, end_diagonal, bound))) {
        if (owner && lane == 0)
            status->front[direction][1 - band.front] = status->front[direction][band.front];
        return;
    }
    __global const rhomb_off *from = column_a + direction * band.column_backward;
    const rhomb_off r0 = (rhomb_off)band.start, base = (rhomb_off)first;
    const rhomb_i64 at0 = first - band.origin;
    rhomb_matrix matrix = rhomb_matrix_of(query, target, &band, direction);

    /* Mirrored where antidiagonals grow with k: then the path that leads lies above the tile. */
    const rhomb_off low_k = base + RHOMB_TILE_DIAGONALS / 4;
    const rhomb_off high_k = base + RHOMB_TILE_DIAGONALS / 4 * 3;
    const rhomb_off low = rhomb_load(&matrix, from[at0 + RHOMB_TILE_DIAGONALS / 4], low_k, r0);
    const rhomb_off high =
        rhomb_load(&matrix, from[at0 + RHOMB_TILE_DIAGONALS / 4 * 3], high_k, r0);
    const rhomb_i64 slope = 2 * ((rhomb_i64)high - low) - (high_k - low_k);
    const bool mirrored = slope > 0;
    /* Behind such a path windows last twice as long. */
    const int reopen =
        max(slope, -slope) > (rhomb_i64)4 * RHOMB_TILE_DIAGONALS ? 2 * REOPEN : REOPEN;

    const int p0 = lane * RHOMB_ITEM_DIAGONALS;
    rhomb_off f[RHOMB_ITEM_DIAGONALS + 2], opened[RHOMB_ITEM_DIAGONALS];
    uint rows[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS], columns[RHOMB_PLANES][RHOMB_ITEM_DIAGONALS];
    int ends[RHOMB_ITEM_DIAGONALS];
    f[RHOMB_ITEM_DIAGONALS] = f[RHOMB_ITEM_DIAGONALS + 1] = RHOMB_NO_OFFSET;
    RHOMB_ALL(c)
    {
        const int at = mirrored ? RHOMB_TILE_DIAGONALS - 1 - (p0 + c) : p0 + c;
        const rhomb_off k = base + at;
        const rhomb_off j = rhomb_load(&matrix, from[at0 + at], k, r0);
        f[c] = mirrored ? j - k : j;
    }
    if (mirrored) {
        const rhomb_matrix swapped = {matrix.target, matrix.query, matrix.n, matrix.m};
        matrix = swapped;
    }
    /* The diagonal of slot 0 of this item at column r0, in the matrix as it is now. */
    const rhomb_off k0 = (mirrored ? -(base + (RHOMB_TILE_DIAGONALS - 1)) : base) + p0;

    bool edge = false;
#if RHOMB_GROUP_SIZE > 1
    /*
     * Items hand their first two offsets to the item below through local memory. Two copies in turn
     * make one barrier a column enough. Runs that a column leaves to the group are followed at the
     * next one's barrier.
     */
    __local exchange exchanges[2];
    __local runs list;
    __local int found[3];
    __local uint furthest;
    if (lane == 0) {
        const pair none = {RHOMB_NO_OFFSET, RHOMB_NO_OFFSET};
        for (int turn = 0; turn < 2; turn++) {
            exchanges[turn].heads[RHOMB_GROUP_SIZE] = none;
            exchanges[turn].heads[RHOMB_GROUP_SIZE + 1] = none;
            exchanges[turn].runs = 0;
        }
        found[0] = NOT_FOUND;
        furthest = 0;
    }
    int posted = -1, round = 0;
    uint mine = 0;
#endif

    for (int s = 0;; s++) {
#if RHOMB_GROUP_SIZE > 1
        RHOMB_LOCAL exchange *shared = &exchanges[s & 1];
        const pair head = {f[0], f[1]};
        shared->heads[lane] = head;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int runs_here = shared->runs;
        pair next = shared->heads[lane + 1];
        if (runs_here > 0) {
            run_together(&matrix, &list, min(runs_here, MOST_RUNS), found, &round);
            if (posted >= 0 && posted < MOST_RUNS) {
                const rhomb_off end = list.end[posted];
                RHOMB_ALL(c)
                {
                    f[c] = (mine >> c & 1) != 0 ? end : f[c];
                    opened[c] = (mine >> c & 1) != 0 ? end - DONE : opened[c];
                }
            }
            const pair again = {f[0], f[1]};
            shared->heads[lane] = again;
            if (lane == 0)
                shared->runs = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            next = shared->heads[lane + 1];
        }
#    if RHOMB_ITEM_DIAGONALS > 1
        f[RHOMB_ITEM_DIAGONALS] = next.x;
        f[RHOMB_ITEM_DIAGONALS + 1] = next.y;
#    else
        f[1] = next.x;
        f[2] = shared->heads[lane + 2].x;
#    endif
#endif
        if (s == steps)
            break;
        const int to = ACTIVE(s);
        rhomb_off moved[RHOMB_ITEM_DIAGONALS];
        /* Two loops: where one reads three neighbours, vectorisers see a recurrence. */
        RHOMB_EACH(c, 0, to) moved[c] = max(f[c], f[c + 1]) + 1;
        RHOMB_EACH(c, 0, to) moved[c] = max(moved[c], f[c + 2]);
        const bool all = (s & (reopen - 1)) == 0;
#if RHOMB_GROUP_SIZE > 1
        posted = extend(&matrix, moved, f, opened, rows, columns, ends, all, to, k0 + s + 1, &edge,
                        &list, &exchanges[1 - (s & 1)].runs, &mine);
#else
        extend(&matrix, moved, f, opened, rows, columns, ends, all, to, k0 + s + 1, &edge);
#endif
    }

    /* Slots hold diagonals k0 + steps and up; the tile stores those that no margin is lost of. */
    __global rhomb_off *to = column_b + direction * band.column_backward;
    rhomb_i64 far = 0;
    rhomb_off reach = RHOMB_NO_OFFSET;
    RHOMB_ALL(c)
    {
        const int p = p0 + c;
        if (p >= RHOMB_TILE_COLUMNS - steps &&
            p < RHOMB_TILE_DIAGONALS - RHOMB_TILE_COLUMNS - steps) {
            const rhomb_off k = mirrored ? -(k0 + c + steps) : k0 + c + steps;
            const rhomb_off j =
                min(mirrored ? f[c] + k : f[c],
                    min((rhomb_off)band.target_length, (rhomb_off)band.query_length + k));
            to[k - band.origin] = j;
            if (k >= -(r0 + steps) && k <= r0 + steps)
                far = max(far, (rhomb_i64)j + (j - k));
            if (k == end_diagonal)
                reach = j;
        }
    }
    if (owner && reach != RHOMB_NO_OFFSET) {
        rhomb_front seen = status->front[direction][band.front];
        observe(&seen, reach, band.start + steps, band.target_length);
        status->front[direction][1 - band.front] = seen;
    }
    const uint units = (uint)((far + ((rhomb_i64)1 << band.far_shift) - 1) >> band.far_shift);
#if RHOMB_GROUP_SIZE > 1
    atomic_max(&furthest, units);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        atomic_max(&status->furthest[direction][1 - band.turn], furthest);
        atomic_inc(&status->tiles);
    }
#else
    atomic_max(&status->furthest[direction][1 - band.turn], units);
    atomic_inc(&status->tiles);
#endif
}

/*
 * Looks whether the directions have met: the forward column is at start + columns[0], the backward
 * one, behind it, at start + columns[1]. With one direction, whether it has come to the end. A
 * group looks at as many diagonals as a tile has.
 */
RHOMB_KERNEL
void rhomb_wavefront_meet(__global const rhomb_off *restrict column,
                          __global rhomb_wavefront_status *restrict status, const rhomb_band band)
{
    const rhomb_i64 end_diagonal = band.target_length - band.query_length;
    const rhomb_i64 a = band.start + band.columns[0], b = band.start + band.columns[1];
    /* Items of a group next to each other, so that their loads are. */
    const rhomb_i64 first = band.first_diagonal +
                            (rhomb_i64)get_group_id(0) * RHOMB_TILE_DIAGONALS +
                            (rhomb_i64)get_local_id(0);
    for (int c = 0; c < RHOMB_ITEM_DIAGONALS; c++) {
        const rhomb_i64 k = first + c * RHOMB_GROUP_SIZE, other = end_diagonal - k;
        const rhomb_i64 at = k - band.origin, other_at = other - band.origin;
        if (at < 0 || at >= band.column_backward || k < -a || k > a)
            continue;
        rhomb_i64 together = column[at];
        if (band.directions == 2) {
            if (other_at < 0 || other_at >= band.column_backward || other < -b || other > b)
                continue;
            together += column[band.column_backward + other_at];
        } else if (k != end_diagonal) {
            continue;
        }
        if (together >= band.target_length)
            status->met = 1;
    }
}
