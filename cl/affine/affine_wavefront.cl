/* SPDX-License-Identifier: MIT */
/*
 * Affine wavefronts in tiles, of one pair or of many subproblems in one launch.
 *
 * A launch advances directions by up to TILE_SCORES scores. A group loads a tile of W = GROUP_SIZE
 * * ITEM_DIAGONALS diagonals, all slots of it, computes one score after the other, and stores what
 * is not lost to the margins: offsets spread by a diagonal for each extension, so a tile loses
 * MARGIN = TILE_SCORES / (the least extension) diagonals on either side (a trapezoid, as in
 * wavefront/wavefront.cl).
 *
 * There are two buffers: a launch reads one and writes the other. What a tile reads beside what the
 * launch before has stored is older, or no offset; both are lower bounds, and all that a diagonal
 * that matters comes from mattered before.
 *
 * Floor, 4,6,2 (costs 2, 3, 1) on an NVIDIA H200: a cell reads 5 offsets and writes 3 in local
 * memory, whose 32 banks serve 4 cells of three components a cycle and unit, 0.9e12 cells a second;
 * some 60 instructions a cell allow 0.5e12. Not measured there yet (bench/NOTES.md).
 */
#include "affine/affine.clh"

#define TILE   (RHOMB_GROUP_SIZE * RHOMB_ITEM_DIAGONALS)
#define MARGIN RHOMB_AFFINE_MARGIN(RHOMB_TILE_SCORES, RHOMB_EXTEND, RHOMB_EXTEND_2)
#define PITCH  (TILE + 2) /* an element more on either side */

#if TILE <= 2 * MARGIN
#    error "the tile has no diagonals left between its margins"
#endif
#if RHOMB_TILE_SCORES < LOOKBACK
#    error "a launch must advance by the scores that costs look back"
#endif

/* A tile has a slot more of each kind, so that a score overwrites nothing that it reads. */
#define M_ROWS   (LOOKBACK + 1)
#define D_ROW    M_ROWS
#define I_ROW    (D_ROW + RHOMB_EXTEND + 1)
#define D_2_ROW  (I_ROW + RHOMB_EXTEND + 1)
#define I_2_ROW  (D_2_ROW + RHOMB_EXTEND_2 + 1)
#define ALL_ROWS (PIECES == 2 ? I_2_ROW + RHOMB_EXTEND_2 + 1 : D_2_ROW)

#if RHOMB_TILE_LOCAL
#    define TILE_SPACE RHOMB_LOCAL
#    define TILE_FENCE CLK_LOCAL_MEM_FENCE
#else
#    define TILE_SPACE __global
#    define TILE_FENCE CLK_GLOBAL_MEM_FENCE
#endif

/*
 * EACH(i, t) visits an item's elements within [from, to): element i of an item of a group is
 * ELEMENT(t, i) of the tile, unrolled, so that loads overlap. A group of one has all of them, for
 * the vectoriser; EACH_ALONE is for what it cannot take.
 */
#define ELEMENT(t, i) ((t)->lane + (i)*RHOMB_GROUP_SIZE)
#if RHOMB_GROUP_SIZE > 1
#    define TILE_BARRIER() barrier(TILE_FENCE)
#    define EACH(i, t)                                              \
        _Pragma("unroll") for (int i = 0; i < RHOMB_ITEM_DIAGONALS; \
                               i++) if (ELEMENT(t, i) >= (t)->from && ELEMENT(t, i) < (t)->to)
#    define EACH_ALONE(i, t) EACH(i, t)
#else
#    define TILE_BARRIER()
#    define EACH_ALONE(i, t) for (int i = (t)->from; i < (t)->to; i++)
#    if defined(__clang__)
#        define EACH(i, t) _Pragma("clang loop vectorize(assume_safety)") EACH_ALONE(i, t)
#    else
#        define EACH(i, t) EACH_ALONE(i, t)
#    endif
#endif

/*
 * What an item keeps of the last comparison on each of its diagonals: the symbols that differ in
 * the 32 from offset `opened` on. Most offsets that follow lie in there, so that no symbol is
 * loaded.
 */
typedef struct windows {
    rhomb_off opened[RHOMB_ITEM_DIAGONALS];
    uint differ[RHOMB_ITEM_DIAGONALS];
} windows;

/* A group's tile, and what it needs to know about it. */
typedef struct tile_state {
    TILE_SPACE rhomb_off *rows;
    rhomb_off first; /* the diagonal of element 0 */
    int from;        /* elements [from, to) are computed */
    int to;
    int lane;
} tile_state;

/* Row `row` of a tile; element -1 and element TILE exist. */
static inline TILE_SPACE rhomb_off *row_of(const tile_state *t, const int row)
{
    return t->rows + row * PITCH + 1;
}

/* Where score s is among `count` rows that take turns; s may be down to -LOOKBACK. */
static inline int turn_of(const rhomb_i64 s, const int count)
{
    return (int)((s + count * (LOOKBACK / count + 1)) % count);
}

/* ------------------------------------------------------------ memory and tile */

/* Loads one kind of offsets for the `count` scores before `start`. */
static inline void load_kind(const tile_state *t, __global const rhomb_off *from,
                             const rhomb_affine_problem *problem, const rhomb_i64 low_cell,
                             const rhomb_i64 start, const int count, const int row)
{
    for (int back = 1; back <= count; back++) {
        const rhomb_i64 s = start - back;
        TILE_SPACE rhomb_off *to = row_of(t, row + turn_of(s, count + 1));
        __global const rhomb_off *slot = from + turn_of(s, count) * problem->cells;
        for (int c = t->from - 1 + t->lane; c <= t->to; c += RHOMB_GROUP_SIZE) {
            const rhomb_i64 cell = low_cell + c;
            to[c] = s >= 0 && cell >= 0 && cell < problem->cells ? slot[c] : RHOMB_NO_OFFSET;
        }
    }
}

/* Stores one kind of offsets of the `count` scores up to `last`. */
static inline void store_kind(const tile_state *t, __global rhomb_off *into,
                              const rhomb_affine_problem *problem, const rhomb_i64 last,
                              const int count, const int row)
{
    const int from = max(t->from, MARGIN), to = min(t->to, TILE - MARGIN);
    for (int back = 0; back < count && back <= last; back++) {
        const rhomb_i64 s = last - back;
        TILE_SPACE const rhomb_off *row_s = row_of(t, row + turn_of(s, count + 1));
        __global rhomb_off *slot = into + turn_of(s, count) * problem->cells;
        for (int c = from + t->lane; c < to; c += RHOMB_GROUP_SIZE)
            slot[c] = row_s[c];
    }
}

static inline void load_tile(const tile_state *t, __global const rhomb_off *from,
                             const rhomb_affine_problem *problem, const rhomb_i64 low_cell,
                             const rhomb_i64 start)
{
    load_kind(t, from, problem, low_cell, start, LOOKBACK, 0);
    load_kind(t, from + D_SLOTS * problem->cells, problem, low_cell, start, RHOMB_EXTEND, D_ROW);
    load_kind(t, from + I_SLOTS * problem->cells, problem, low_cell, start, RHOMB_EXTEND, I_ROW);
#if RHOMB_EXTEND_2 > 0
    load_kind(t, from + D_2_SLOTS * problem->cells, problem, low_cell, start, RHOMB_EXTEND_2,
              D_2_ROW);
    load_kind(t, from + I_2_SLOTS * problem->cells, problem, low_cell, start, RHOMB_EXTEND_2,
              I_2_ROW);
#endif
}

static inline void store_tile(const tile_state *t, __global rhomb_off *into,
                              const rhomb_affine_problem *problem, const rhomb_i64 last)
{
    store_kind(t, into, problem, last, LOOKBACK, 0);
    store_kind(t, into + D_SLOTS * problem->cells, problem, last, RHOMB_EXTEND, D_ROW);
    store_kind(t, into + I_SLOTS * problem->cells, problem, last, RHOMB_EXTEND, I_ROW);
#if RHOMB_EXTEND_2 > 0
    store_kind(t, into + D_2_SLOTS * problem->cells, problem, last, RHOMB_EXTEND_2, D_2_ROW);
    store_kind(t, into + I_2_SLOTS * problem->cells, problem, last, RHOMB_EXTEND_2, I_2_ROW);
#endif
}

/* ---------------------------------------------------------------- the scores */

/* The rows of a score, and of those that it looks back to. */
typedef struct score_rows {
    TILE_SPACE rhomb_off *m;
    TILE_SPACE rhomb_off *d;
    TILE_SPACE rhomb_off *i;
    TILE_SPACE const rhomb_off *m_before; /* a score ago */
    TILE_SPACE const rhomb_off *m_mismatch;
    TILE_SPACE const rhomb_off *m_first;
    TILE_SPACE const rhomb_off *d_extend;
    TILE_SPACE const rhomb_off *i_extend;
#if RHOMB_EXTEND_2 > 0
    TILE_SPACE rhomb_off *d_2;
    TILE_SPACE rhomb_off *i_2;
    TILE_SPACE const rhomb_off *m_first_2;
    TILE_SPACE const rhomb_off *d_extend_2;
    TILE_SPACE const rhomb_off *i_extend_2;
#endif
} score_rows;

/* The rows of the current score, of those that take turns. */
typedef struct score_turns {
    int m;
    int gap;
    int gap_2;
} score_turns;

static inline score_turns turns_at(const rhomb_i64 s)
{
    const score_turns turns = {turn_of(s, M_ROWS), turn_of(s, RHOMB_EXTEND + 1),
                               turn_of(s, RHOMB_EXTEND_2 + 1)};
    return turns;
}

/* The turn `back` scores before a turn, of `count`. */
static inline int turn_before(const int turn, const int back, const int count)
{
    return turn >= back ? turn - back : turn - back + count;
}

static inline void next_turns(score_turns *turns)
{
    turns->m = turns->m + 1 == M_ROWS ? 0 : turns->m + 1;
    turns->gap = turns->gap == RHOMB_EXTEND ? 0 : turns->gap + 1;
    turns->gap_2 = turns->gap_2 == RHOMB_EXTEND_2 ? 0 : turns->gap_2 + 1;
}

/* Of D and I, what is `extend` scores back is in the row that comes next. */
static inline score_rows rows_of(const tile_state *t, const score_turns *turns)
{
    score_rows r;
    const int after = turn_before(turns->gap, RHOMB_EXTEND, RHOMB_EXTEND + 1);
    r.m = row_of(t, turns->m);
    r.m_before = row_of(t, turn_before(turns->m, 1, M_ROWS));
    r.m_mismatch = row_of(t, turn_before(turns->m, RHOMB_MISMATCH, M_ROWS));
    r.m_first = row_of(t, turn_before(turns->m, FIRST, M_ROWS));
    r.d = row_of(t, D_ROW + turns->gap);
    r.d_extend = row_of(t, D_ROW + after);
    r.i = row_of(t, I_ROW + turns->gap);
    r.i_extend = row_of(t, I_ROW + after);
#if RHOMB_EXTEND_2 > 0
    const int after_2 = turn_before(turns->gap_2, RHOMB_EXTEND_2, RHOMB_EXTEND_2 + 1);
    r.m_first_2 = row_of(t, turn_before(turns->m, FIRST_2, M_ROWS));
    r.d_2 = row_of(t, D_2_ROW + turns->gap_2);
    r.d_extend_2 = row_of(t, D_2_ROW + after_2);
    r.i_2 = row_of(t, I_2_ROW + turns->gap_2);
    r.i_extend_2 = row_of(t, I_2_ROW + after_2);
#endif
    return r;
}

/* Computes D and I, and M before its matches are followed. */
static inline void step_back(const tile_state *t, const affine_matrix *matrix, const score_rows *r)
{
    const rhomb_off m = matrix->m, n = matrix->n;
    EACH(e, t)
    {
        const int c = ELEMENT(t, e);
        const rhomb_off most = rhomb_furthest(m, n, t->first + c);
        rhomb_off d = min(max(r->m_first[c - 1], r->d_extend[c - 1]) + 1, most);
        rhomb_off i = min(max(r->m_first[c + 1], r->i_extend[c + 1]), most);
        r->d[c] = d;
        r->i[c] = i;
        rhomb_off best = max(max(d, i), min(r->m_mismatch[c] + 1, most));
#if RHOMB_EXTEND_2 > 0
        d = min(max(r->m_first_2[c - 1], r->d_extend_2[c - 1]) + 1, most);
        i = min(max(r->m_first_2[c + 1], r->i_extend_2[c + 1]), most);
        r->d_2[c] = d;
        r->i_2[c] = i;
        best = max(best, max(d, i));
#endif
        r->m[c] = max(best, r->m_before[c]);
    }
}

/* Whether offset j of a diagonal k is inside the matrix, or at its end. */
#define IS_OFFSET(j, k) ((j) >= 0 && (j) >= (k))

/*
 * The offset at which the matches from j on end, as far as the window of the diagonal shows; *open
 * says that it does not show the end.
 */
static inline rhomb_off follow_in_window(const windows *w, const int i, const rhomb_off j,
                                         int *open)
{
    const uint at = (uint)j - (uint)w->opened[i];
    const uint inside = at < RHOMB_WORD_SYMBOLS ? at : 0;
    const uint differ = w->differ[i] << inside;
    const bool ends = at < RHOMB_WORD_SYMBOLS && differ != 0;
    *open = !ends;
    return ends ? j + (rhomb_off)clz(differ) : j;
}

/* Opens a diagonal's window at offset j, and follows matches from there to their end. */
static inline rhomb_off follow_from(const affine_matrix *matrix, windows *w, const int i,
                                    const rhomb_off k, const rhomb_off j)
{
    w->opened[i] = j;
    w->differ[i] = differ_from(matrix, k, j);
    return w->differ[i] != 0 ? j + (rhomb_off)clz(w->differ[i])
                             : follow(matrix, k, j + RHOMB_WORD_SYMBOLS);
}

/* Follows matches where M has grown. */
static inline void follow_matches(const tile_state *t, const affine_matrix *matrix,
                                  const score_rows *r, windows *w)
{
#if RHOMB_GROUP_SIZE > 1
    EACH(i, t)
    {
        const int c = ELEMENT(t, i);
        const rhomb_off j = r->m[c], k = t->first + c;
        int open = 0;
        if (j > r->m_before[c] && IS_OFFSET(j, k)) {
            const rhomb_off to = follow_in_window(w, i, j, &open);
            r->m[c] = open ? follow_from(matrix, w, i, k, j) : to;
        }
    }
#else
    ushort left[RHOMB_ITEM_DIAGONALS];
    int is_left[RHOMB_ITEM_DIAGONALS], count = 0;
    EACH(i, t)
    {
        const rhomb_off j = r->m[i], k = t->first + i;
        int open;
        const rhomb_off to = follow_in_window(w, i, j, &open);
        const int grown = j > r->m_before[i] && IS_OFFSET(j, k);
        is_left[i] = grown & open;
        r->m[i] = grown ? to : j;
    }
    EACH_ALONE(i, t)
    {
        left[count] = (ushort)i;
        count += is_left[i];
    }
    for (int number = 0; number < count; number++) {
        const int i = left[number];
        r->m[i] = follow_from(matrix, w, i, t->first + i, r->m[i]);
    }
#endif
}

/* Elements just outside of those that are computed: no offset. */
static inline void close_rows(const tile_state *t, const score_rows *r)
{
    for (int side = t->lane; side < 2; side += RHOMB_GROUP_SIZE) {
        const int c = side == 0 ? t->from - 1 : t->to;
        r->m[c] = r->d[c] = r->i[c] = RHOMB_NO_OFFSET;
#if RHOMB_EXTEND_2 > 0
        r->d_2[c] = r->i_2[c] = RHOMB_NO_OFFSET;
#endif
    }
}

/*
 * What a direction begins with, in score s: the matches from its corner on and, for the scores that
 * an extension looks back to, the gap that goes on from there.
 */
static inline void begin_rows(const tile_state *t, const affine_matrix *matrix, const score_rows *r,
                              const int gap, const rhomb_i64 s)
{
    const rhomb_off c = -t->first; /* of diagonal 0 */
    if (t->lane != 0 || c < t->from || c >= t->to)
        return;
    if (s == 0)
        r->m[c] = follow(matrix, 0, 0);
    if (gap == RHOMB_GAP_D && s < RHOMB_EXTEND)
        r->d[c] = 0;
    if (gap == RHOMB_GAP_I && s < RHOMB_EXTEND)
        r->i[c] = 0;
#if RHOMB_EXTEND_2 > 0
    if (gap == RHOMB_GAP_D_2 && s < RHOMB_EXTEND_2)
        r->d_2[c] = 0;
    if (gap == RHOMB_GAP_I_2 && s < RHOMB_EXTEND_2)
        r->i_2[c] = 0;
#endif
}

/* Computes the scores [start, last]. */
static inline void advance_tile(const tile_state *t, const affine_matrix *matrix, const int gap,
                                const rhomb_i64 start, const rhomb_i64 last)
{
    const rhomb_i64 begins = max(RHOMB_EXTEND, RHOMB_EXTEND_2);
    score_turns turns = turns_at(start);
    windows w;
    for (int i = 0; i < RHOMB_ITEM_DIAGONALS; i++) {
        w.opened[i] = RHOMB_NO_OFFSET;
        w.differ[i] = 0;
    }
    for (rhomb_i64 s = start; s <= last; s++, next_turns(&turns)) {
        const score_rows r = rows_of(t, &turns);
        step_back(t, matrix, &r);
        follow_matches(t, matrix, &r, &w);
        close_rows(t, &r);
        if (s < begins || s == 0) {
            TILE_BARRIER();
            begin_rows(t, matrix, &r, gap, s);
        }
        TILE_BARRIER();
    }
}

/* -------------------------------------------------------------------- kernels */

/*
 * Advances tiles: group g has tiles[first_tile + g + i * (number of groups)], i = 0, 1, ..., below
 * `tile_count`. Does nothing where a look before number `turn` has seen the directions meet.
 * `memory` is for tiles in global memory, one for each group.
 */
RHOMB_KERNEL
void rhomb_affine_advance(__global const uint *restrict query, __global const uint *restrict target,
                          __global const rhomb_affine_problem *restrict problems,
                          __global const rhomb_affine_tile *restrict tiles,
                          __global rhomb_off *even, __global rhomb_off *odd,
                          __global rhomb_off *restrict memory,
                          __global const rhomb_affine_status *restrict status,
                          const rhomb_split_whole whole, const rhomb_i64 first_tile,
                          const rhomb_i64 tile_count, const rhomb_i32 turn)
{
    tile_state t;
    t.lane = (int)get_local_id(0);
#if RHOMB_TILE_LOCAL
    __local rhomb_off rows[ALL_ROWS * PITCH];
    t.rows = rows;
    (void)memory;
#else
    t.rows = memory + (rhomb_i64)get_group_id(0) * ALL_ROWS * PITCH;
#endif
    if (status->met < turn)
        return;
    for (rhomb_i64 at = get_group_id(0); at < tile_count; at += get_num_groups(0)) {
        const rhomb_affine_tile tile = tiles[first_tile + at];
        const rhomb_affine_problem problem = problems[tile.problem];
        const rhomb_i64 last = tile.start + tile.steps - 1;
        const rhomb_i64 low_cell = tile.first - problem.origin[tile.direction];
        const rhomb_i64 place = slots_at(&problem, tile.direction) + tile.first;
        const affine_matrix matrix =
            matrix_of(query, target, &problem.range.pair, &whole, tile.direction);
        const int gap = tile.direction == 0 ? problem.range.begin_gap : problem.range.end_gap;
        t.first = (rhomb_off)tile.first;
        t.from = (int)max(tile.low - tile.first, (rhomb_i64)0);
        t.to = (int)min(tile.high - tile.first + 1, (rhomb_i64)TILE);
        load_tile(&t, (tile.turn == 0 ? even : odd) + place, &problem, low_cell, tile.start);
        TILE_BARRIER();
        advance_tile(&t, &matrix, gap, tile.start, last);
        store_tile(&t, (tile.turn == 0 ? odd : even) + place, &problem, last);
        TILE_BARRIER();
    }
}

/* Offsets of one direction of a subproblem, at some score. */
typedef struct waves {
    __global const rhomb_off *slots;
    rhomb_i64 cells;
    rhomb_i64 origin;
} waves;

static inline waves waves_of(const rhomb_affine_problem *problem, __global const rhomb_off *buffer,
                             const int direction)
{
    const waves w = {buffer + problem->at + direction * SLOTS * problem->cells, problem->cells,
                     problem->origin[direction]};
    return w;
}

/* The offset of a kind (its first slot, and how many take turns) at score s. */
static inline rhomb_off offset_at(const waves *w, const int slots, const int count,
                                  const rhomb_i64 s, const rhomb_i64 k)
{
    const rhomb_i64 cell = k - w->origin;
    if (s < 0 || cell < 0 || cell >= w->cells)
        return RHOMB_NO_OFFSET;
    return w->slots[(slots + s % count) * w->cells + cell];
}

/* Slots of the offsets within a gap, or of M. */
static inline int slots_of(const int gap)
{
    return gap == RHOMB_GAP_NONE  ? 0
           : gap == RHOMB_GAP_D   ? D_SLOTS
           : gap == RHOMB_GAP_I   ? I_SLOTS
           : gap == RHOMB_GAP_D_2 ? D_2_SLOTS
                                  : I_2_SLOTS;
}

static inline int count_of(const int gap)
{
    return gap == RHOMB_GAP_NONE       ? LOOKBACK
           : RHOMB_GAP_PIECE(gap) == 0 ? RHOMB_EXTEND
                                       : RHOMB_EXTEND_2;
}

/* Whether the gaps of this kind exist. */
static inline bool has_gap(const int gap)
{
    return gap == RHOMB_GAP_NONE || RHOMB_GAP_PIECE(gap) < PIECES;
}

/* Whether offsets of both directions on one diagonal overlap, n from the beginning to the end. */
static inline bool overlap(const rhomb_off forward, const rhomb_off backward, const rhomb_i64 n)
{
    return forward >= 0 && backward >= 0 && (rhomb_i64)forward + backward >= n;
}

/*
 * Looks at one pair, both directions of which are at score s: whether they have met, in M or within
 * a gap, and how far they have come.
 */
RHOMB_KERNEL
void rhomb_affine_look(__global const rhomb_affine_problem *restrict problems,
                       __global const rhomb_off *restrict buffer,
                       __global rhomb_affine_status *restrict status, const rhomb_i64 s,
                       const rhomb_i32 turn, const rhomb_i32 far_shift)
{
    const rhomb_affine_problem problem = problems[0];
    const rhomb_i64 n = problem.range.pair.target_length;
    const rhomb_i64 end = n - problem.range.pair.query_length;
    const waves forward = waves_of(&problem, buffer, 0), backward = waves_of(&problem, buffer, 1);
    rhomb_i64 furthest[2] = {0, 0};
    bool met = false;
    if (status->met < turn)
        return;
    for (rhomb_i64 cell = get_global_id(0); cell < problem.cells; cell += get_global_size(0)) {
        const rhomb_i64 k = problem.origin[0] + cell;
        for (int gap = RHOMB_GAP_NONE; gap <= RHOMB_GAP_I_2; gap++) {
            if (has_gap(gap))
                met |= overlap(offset_at(&forward, slots_of(gap), count_of(gap), s, k),
                               offset_at(&backward, slots_of(gap), count_of(gap), s, end - k), n);
        }
        const rhomb_off f = offset_at(&forward, 0, LOOKBACK, s, k);
        const rhomb_i64 k_back = problem.origin[1] + cell;
        const rhomb_off b = offset_at(&backward, 0, LOOKBACK, s, k_back);
        furthest[0] = f >= 0 ? max(furthest[0], 2 * (rhomb_i64)f - k) : furthest[0];
        furthest[1] = b >= 0 ? max(furthest[1], 2 * (rhomb_i64)b - k_back) : furthest[1];
    }
    if (met)
        atomic_min(&status->met, turn);
    for (int direction = 0; direction < 2; direction++)
        atomic_max(&status->furthest[direction], (uint)(furthest[direction] >> far_shift));
}

/*
 * The least cost of a path of one pair on which the forward direction is at one of the scores that
 * its slots hold, up to f, and the backward one at one of its last `fresh` scores up to b: where
 * forward offsets stay and backward ones grow from where nothing had met, that finds every cost.
 * `fresh` is at most the least extension.
 */
RHOMB_KERNEL
void rhomb_affine_search(__global const rhomb_affine_problem *restrict problems,
                         __global const rhomb_off *restrict fixed,
                         __global const rhomb_off *restrict moving,
                         __global rhomb_affine_status *restrict status, const rhomb_i64 f,
                         const rhomb_i64 b, const rhomb_i32 fresh)
{
    const rhomb_affine_problem problem = problems[0];
    const rhomb_i64 n = problem.range.pair.target_length;
    const rhomb_i64 end = n - problem.range.pair.query_length;
    const waves forward = waves_of(&problem, fixed, 0), backward = waves_of(&problem, moving, 1);
    rhomb_i64 least = INT_MAX;
    for (rhomb_i64 cell = get_global_id(0); cell < problem.cells; cell += get_global_size(0)) {
        const rhomb_i64 k = problem.origin[0] + cell;
        for (int gap = RHOMB_GAP_NONE; gap <= RHOMB_GAP_I_2; gap++) {
            const int slots = slots_of(gap), count = count_of(gap);
            if (!has_gap(gap))
                continue;
            const int open = gap == RHOMB_GAP_NONE       ? 0
                             : RHOMB_GAP_PIECE(gap) == 0 ? RHOMB_OPEN
                                                         : RHOMB_OPEN_2;
            for (rhomb_i64 back = b; back > b - fresh && back >= 0; back--) {
                const rhomb_off met = offset_at(&backward, slots, count, back, end - k);
                for (rhomb_i64 s = f; s > f - count && s >= 0; s--) {
                    if (!overlap(offset_at(&forward, slots, count, s, k), met, n))
                        break;
                    least = min(least, s + back - open);
                }
            }
        }
    }
    if (least < INT_MAX)
        atomic_min(&status->least, (int)least);
}

/*
 * The points of subproblems at which a path of the known cost is within a gap of a piece (1, 2), or
 * outside of one (piece 0): the least key of these and of what `points` has. `parts` groups share a
 * subproblem.
 */
RHOMB_KERNEL
void rhomb_affine_meet(__global const rhomb_affine_problem *restrict problems,
                       __global const rhomb_off *restrict even,
                       __global const rhomb_off *restrict odd,
                       __global rhomb_affine_point *restrict points, const rhomb_i32 parts,
                       const rhomb_i32 piece)
{
    const int lane = (int)get_local_id(0);
    const rhomb_i64 group = get_group_id(0), at = group / parts, part = group % parts;
    const rhomb_affine_problem problem = problems[at];
    const rhomb_i64 n = problem.range.pair.target_length;
    const rhomb_i64 end = n - problem.range.pair.query_length;
    const waves forward = waves_of(&problem, problem.turn[0] != 0 ? odd : even, 0);
    const waves backward = waves_of(&problem, problem.turn[1] != 0 ? odd : even, 1);
    const int open = piece == 0 ? 0 : piece == 1 ? RHOMB_OPEN : RHOMB_OPEN_2;
    const int first_gap = piece == 0 ? RHOMB_GAP_NONE : piece,
              last_gap = piece == 0 ? 0 : piece + 2;
    rhomb_affine_point best = {RHOMB_AFFINE_APART, 0};
    for (rhomb_i64 cell = part * RHOMB_GROUP_SIZE + lane; cell < problem.cells;
         cell += (rhomb_i64)parts * RHOMB_GROUP_SIZE) {
        const rhomb_i64 k = problem.origin[0] + cell;
        for (int gap = first_gap; gap <= last_gap; gap += 2) {
            const int slots = slots_of(gap), count = count_of(gap);
            for (int behind = 0; behind < count; behind++) {
                const rhomb_i64 s = problem.until[0] - behind;
                const rhomb_i64 b = problem.range.pair.distance + open - s;
                if (s < 0 || b < 0 || b > problem.until[1] || b <= problem.until[1] - count)
                    continue;
                const rhomb_off f = offset_at(&forward, slots, count, s, k);
                const rhomb_i64 key = RHOMB_AFFINE_KEY(cell, gap, behind);
                if (key < best.key &&
                    overlap(f, offset_at(&backward, slots, count, b, end - k), n)) {
                    best.key = key;
                    best.target = f;
                }
            }
        }
    }
#if RHOMB_GROUP_SIZE > 1
    __local rhomb_affine_point shared[RHOMB_GROUP_SIZE];
    shared[lane] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int upper = RHOMB_GROUP_SIZE / 2; upper > 0; upper /= 2) {
        if (lane < upper && shared[lane + upper].key < shared[lane].key)
            shared[lane] = shared[lane + upper];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    best = shared[0];
#endif
    if (lane == 0 && best.key < points[group].key)
        points[group] = best;
}
