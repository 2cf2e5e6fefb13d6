/* SPDX-License-Identifier: MIT */
/*
 * Many short pairs: a pair for each work-group, its wavefronts in local memory, the path
 * from wavefronts that are kept.
 *
 * The recurrence is the one of wavefront.cl, with the packed sequences and the comparison of
 * extend.clh: f_r[k] is the furthest offset j of the target on diagonal k = j - i with r edits,
 *
 *     f_r[k] = follow(k, max(f_{r-1}[k] + 1, f_{r-1}[k-1] + 1, f_{r-1}[k+1]))
 *
 * by a substitution, a deletion (a base of the target alone), an insertion (of the query alone).
 * With U the largest distance that is looked for, wavefront r has the diagonals |k| <= r that can
 * still reach the end diagonal K in time, |k - K| <= U - r.
 *
 * Points outside the matrix need no care. Moves never lead back. So the first column with f_r[K] >=
 * n got there inside the matrix, and so did all its path: with a predecessor outside, the end would
 * have been reached a wavefront earlier.
 *
 * The path. All wavefronts are kept, in global memory that belongs to the group. From the end
 * backwards, a cell came from the furthest of its three predecessors; of equal ones a substitution
 * comes before a deletion before an insertion. What the cell has beyond that is a run of matches.
 * No cell that was left out lies on a path of U edits or fewer, so the same path comes out whatever
 * U is. (eWFA-GPU keeps two bits a cell and follows the runs again. Here a cell takes four bytes,
 * of memory that is there, and one item makes one pass instead of two.)
 *
 * *Levels.* A kernel has a limit on U, which sets its local memory. A pair beyond it is listed for
 * the next level, which is enqueued already and finds the list when it runs. Groups take the pairs
 * of their level one after the other from a counter, so that a hard pair delays no other.
 *
 * Pairs may be ranges of longer sequences that are packed already, from any symbol of a word on:
 * base cases of an alignment are.
 *
 * A CPU has groups of one item: barriers and the loop over lanes vanish, and vectors take the
 * maximum of eight cells at a time. In a batch it compares bytes as they are, folded, eight in a
 * word (RHOMB_PLANES 0): one load and no shift for each sequence, against two loads and a shift for
 * each plane, and most comparisons end within eight bases. Base cases of 115 edits in 2,000 bases
 * take it 1.8 times as long by planes as by bytes, but the bytes would have to be copied.
 *
 * Lower bounds, for 150 bp pairs with 7 edits on an H200: the bus brings 50e9 bases a second, 156e6
 * pairs. A group's wavefront takes some 60 instructions while it has 32 diagonals or fewer, so 8
 * wavefronts and as many steps of the path are about 1,000 a pair, at 9e11 a second 9e8 pairs. So
 * the kernels should not limit a batch there: bench/NOTES.md says what does. On a CPU they do:
 * 1,000 bases with 88 edits take about 15 us of a core, 2 ns a cell, most of it in follow().
 */
#include "batch/batch_pack.clh"

#if RHOMB_PLANES > 0
#    include "common/extend.clh"
#else
#    define RHOMB_NO_OFFSET (-0x40000000)
#endif

#if !defined(RHOMB_GROUP_SIZE) || RHOMB_GROUP_SIZE < 1 || RHOMB_GROUP_SIZE > 256
#    error "RHOMB_GROUP_SIZE must be 1 to 256"
#endif
#if !defined(RHOMB_PATH) || !defined(RHOMB_IN_PLACE)
#    error "RHOMB_PATH and RHOMB_IN_PLACE must be set"
#elif RHOMB_IN_PLACE && !RHOMB_PATH
#    error "RHOMB_IN_PLACE needs RHOMB_PATH"
#endif
#if RHOMB_OFFSET_BITS != 32
#    error "RHOMB_OFFSET_BITS must be 32"
#endif

/* A pointer to local memory; the tests compile kernels where that is something else. */
#if !defined(RHOMB_LOCAL)
#    define RHOMB_LOCAL __local
#endif

/*
 * Pairs that a group takes at a time: alone on its core, a group of one would wait for the counter.
 *
 */
#define RHOMB_BATCH_TAKES (RHOMB_GROUP_SIZE == 1 ? 16 : 1)

#if RHOMB_GROUP_SIZE == 1
#    define BATCH_SYNC(fence)
#else
#    define BATCH_SYNC(fence) barrier(fence)
#endif
#define BATCH_COLUMN_FENCE (RHOMB_IN_PLACE ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE)

/* What sequences consist of: words of all planes, or bytes. */
#if RHOMB_PLANES > 0
typedef uint batch_unit;
#else
typedef uchar batch_unit;
#endif

/* A pair in the packed sequences: from the word with its first symbol on. */
typedef struct batch_pair {
    __global const batch_unit *query;
    __global const batch_unit *target;
    int query_shift; /* symbols of that word before the first one */
    int target_shift;
    int m;
    int n;
} batch_pair;

/*
 * The mismatches in the windows of BATCH_WINDOW symbols from (i, j) on, and the matches before
 * them.
 */
#if RHOMB_PLANES > 0
#    define BATCH_WINDOW RHOMB_WORD_SYMBOLS
typedef uint batch_differ;

static inline batch_differ differ_at(const batch_pair *p, const int i, const int j)
{
    return rhomb_differ(p->query, p->target, i + p->query_shift, j + p->target_shift);
}

static inline int count_equal(const batch_differ differ)
{
    return (int)clz(differ);
}
#else
#    define BATCH_WINDOW 8
typedef ulong batch_differ;
/* Eight bytes from any address: a vload8() becomes several loads in some compilers. */
typedef struct __attribute__((packed)) bases_word {
    ulong bits;
} bases_word;

static inline batch_differ differ_at(const batch_pair *p, const int i, const int j)
{
    const ulong query = ((__global const bases_word *)(p->query + i))->bits;
    const ulong target = ((__global const bases_word *)(p->target + j))->bits;
#    if RHOMB_HAS_MASKS
    /* Masks have four bits: the sum has bit 7 of each byte that is not 0. */
    return ~((query & target) + 0x7f7f7f7f7f7f7f7fUL) & 0x8080808080808080UL;
#    else
    return query ^ target;
#    endif
}

static inline int count_equal(const batch_differ differ)
{
#    ifdef __ENDIAN_LITTLE__
    return (int)(popcount(~differ & (differ - 1)) >> 3); /* of trailing zeros */
#    else
    return (int)(clz(differ) >> 3);
#    endif
}
#endif

/*
 * Follows matches on diagonal k from offset j on. Every cell of a wavefront has a value, by at
 * least one of the three ways: their wavefronts' diagonals overlap. A whole window of matches is a
 * branch, not a count that the next window's place would have to wait for.
 */
static inline int follow(const batch_pair *p, const int k, int j)
{
    const int end = min(p->n, p->m + k);
    if (j >= end)
        return j;
    do {
        const batch_differ differ = differ_at(p, j - k, j);
        if (differ != 0)
            return min(j + count_equal(differ), end);
        j += BATCH_WINDOW;
    } while (j < end);
    return end;
}

/*
 * Where wavefronts are: two of them in local memory; or, on a CPU and where they are too long for
 * that, in place among those that are kept.
 */
#if RHOMB_IN_PLACE
#    define BATCH_CELLS __global
#else
#    define BATCH_CELLS RHOMB_LOCAL
#endif

/* Wavefront r among those that are kept: its cell of diagonal 0. */
static inline __global int *kept_column(__global int *columns, const int r)
{
    return columns + r * (r + RHOMB_BATCH_MARGIN) + r + 2;
}

/*
 * The diagonals of wavefront r, when paths end on diagonal `end` with at most `most` edits. Negated
 * once: NVIDIA's compiler (driver 580) makes the maximum of -r and -m the minimum of r and m, and
 * forgets to negate it.
 */
static inline int first_diagonal(const batch_pair *p, const int r, const int end, const int most)
{
    return -min(min(r, most - r - end), p->m);
}

static inline int last_diagonal(const batch_pair *p, const int r, const int end, const int most)
{
    return min(min(r, end + (most - r)), p->n);
}

#if RHOMB_GROUP_SIZE > 1
/* The cells of a wavefront, and a copy of them if they are kept. */
static inline void compute_cells(const batch_pair *p, BATCH_CELLS const int *before,
                                 BATCH_CELLS int *column, __global int *kept, const int low,
                                 const int high, const int lane)
{
    for (int k = low + lane; k <= high; k += RHOMB_GROUP_SIZE) {
        const int j = follow(p, k, max(max(before[k - 1], before[k]) + 1, before[k + 1]));
        column[k] = j;
#    if RHOMB_PATH && !RHOMB_IN_PLACE
        kept[k] = j;
#    endif
    }
}
#else
/*
 * The cells of a wavefront: in vectors, whose last may go some cells beyond it. A load of eight
 * cells that were just stored one by one waits for the stores, so narrow wavefronts take them one
 * by one.
 */
static inline void compute_cells(const batch_pair *p, BATCH_CELLS const int *before,
                                 BATCH_CELLS int *column, __global int *kept, const int low,
                                 const int high, const int lane)
{
    if (high - low < 2 * RHOMB_BATCH_VECTOR) {
        int left = before[low - 1], middle = before[low];
        for (int k = low; k <= high; k++) {
            const int right = before[k + 1];
            column[k] = follow(p, k, max(max(left, middle) + 1, right));
            left = middle;
            middle = right;
        }
        return;
    }
    for (int k = low; k <= high; k += RHOMB_BATCH_VECTOR) {
        const int8 changed = max(vload8(0, before + k - 1), vload8(0, before + k)) + 1;
        vstore8(max(changed, vload8(0, before + k + 1)), 0, column + k);
    }
    for (int k = low; k <= high; k++)
        column[k] = follow(p, k, column[k]);
}
#endif

/*
 * The distance, if it is at most `most` <= limit; else -1. All items get the same. `state` has
 * cells for two wavefronts of the limit, `kept` for all of them.
 */
static inline int find_distance(const batch_pair *p, RHOMB_LOCAL int *state, __global int *kept,
                                const int limit, const int most, const int lane)
{
    const int end = p->n - p->m;
#if RHOMB_IN_PLACE
    __global int *before = kept_column(kept, 0), *column = kept_column(kept, 1);
#else
    RHOMB_LOCAL int *before = state + limit + 2;
    RHOMB_LOCAL int *column = before + RHOMB_BATCH_CELLS(limit);
#endif
    if (max(end, -end) > most)
        return -1;
    if (lane == 0) {
        before[0] = follow(p, 0, 0);
        before[-2] = before[-1] = before[1] = before[2] = RHOMB_NO_OFFSET;
        if (RHOMB_PATH)
            kept_column(kept, 0)[0] = before[0];
    }
    BATCH_SYNC(BATCH_COLUMN_FENCE);
    if (end == 0 && before[0] >= p->n)
        return 0;
    for (int r = 1; r <= most; r++) {
        const int low = first_diagonal(p, r, end, most), high = last_diagonal(p, r, end, most);
        compute_cells(p, before, column, kept_column(kept, r), low, high, lane);
        if (lane == 0) { /* for the next wavefront, which may be wider by one */
            column[low - 2] = column[low - 1] = RHOMB_NO_OFFSET;
            column[high + 1] = column[high + 2] = RHOMB_NO_OFFSET;
        }
        BATCH_SYNC(BATCH_COLUMN_FENCE);
        if (low <= end && end <= high && column[end] >= p->n)
            return r;
#if RHOMB_IN_PLACE
        before = column;
        column = kept_column(kept, r + 1);
#else
        RHOMB_LOCAL int *const swap = before;
        before = column;
        column = swap;
#endif
    }
    return -1;
}

#if RHOMB_PATH
/*
 * Puts an operation before *first, which comes before those from `at` on and is not written yet;
 * the two are joined if they are the same. The first one stays in a register, as reading what was
 * just written takes as long as reading cells of the wavefronts.
 */
static inline __global uint *prepend(__global uint *at, uint *first, const uint code,
                                     const uint length)
{
    if (length == 0)
        return at;
    if ((*first & 15) == code) {
        *first += length << 4;
        return at;
    }
    if (*first != 0)
        *--at = *first;
    *first = length << 4 | code;
    return at;
}

/* Writes the operations of the path so that they end before `end`; returns the first. */
static inline __global uint *write_cigar(const batch_pair *p, __global int *columns,
                                         __global uint *end, const int distance, const int most)
{
    const int end_diagonal = p->n - p->m;
    __global uint *at = end;
    uint first = 0; /* not written yet */
    int k = end_diagonal, j = p->n;
    for (int r = distance; r > 0; r--) {
        __global const int *before = kept_column(columns, r - 1);
        const int low = first_diagonal(p, r - 1, end_diagonal, most);
        const int high = last_diagonal(p, r - 1, end_diagonal, most);
        const int substituted = k >= low && k <= high ? before[k] + 1 : -1;
        const int deleted = k - 1 >= low && k - 1 <= high ? before[k - 1] + 1 : -1;
        const int inserted = k + 1 >= low && k + 1 <= high ? before[k + 1] : -1;
        const int from = max(max(substituted, deleted), inserted);
        at = prepend(at, &first, RHOMB_BATCH_EQ, (uint)(j - from));
        if (from == substituted) {
            at = prepend(at, &first, RHOMB_BATCH_X, 1);
            j = from - 1;
        } else if (from == deleted) {
            at = prepend(at, &first, RHOMB_BATCH_D, 1);
            j = from - 1;
            k--;
        } else {
            at = prepend(at, &first, RHOMB_BATCH_I, 1);
            j = from;
            k++;
        }
    }
    at = prepend(at, &first, RHOMB_BATCH_EQ, (uint)j);
    if (first != 0)
        *--at = first;
    return at;
}
#endif

/* The pair's place in the packed sequences. */
static inline batch_pair place(__global const batch_unit *queries,
                               __global const batch_unit *targets, const rhomb_batch_pair *at)
{
    batch_pair p;
#if RHOMB_PLANES > 0
    p.query = queries + (at->query_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    p.target = targets + (at->target_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    p.query_shift = (int)(at->query_at & (RHOMB_WORD_SYMBOLS - 1));
    p.target_shift = (int)(at->target_at & (RHOMB_WORD_SYMBOLS - 1));
#else
    p.query = queries + at->query_at;
    p.target = targets + at->target_at;
    p.query_shift = p.target_shift = 0;
#endif
    p.m = at->query_length;
    p.n = at->target_length;
    return p;
}

/* Whether a sequence of a pair has symbols without a code; the same for all items. */
static inline bool has_other(__global const uchar *query_flags, __global const uchar *target_flags,
                             const rhomb_batch_pair *at, const int lane, RHOMB_LOCAL uint *found)
{
    const bool other =
        batch_has_other(query_flags, at->query_at, at->query_length, lane, RHOMB_GROUP_SIZE) ||
        batch_has_other(target_flags, at->target_at, at->target_length, lane, RHOMB_GROUP_SIZE);
#if RHOMB_GROUP_SIZE > 1
    if (other)
        *found = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *found != 0;
#else
    (void)found;
    return other;
#endif
}

#if RHOMB_PATH
/* Takes room for a pair's operations, and writes them. */
static inline void take_cigar(const batch_pair *p, __global int *kept,
                              __global uint *restrict cigars,
                              __global rhomb_batch_counts *restrict counts, const int distance,
                              const int most, rhomb_batch_answer *answer)
{
    const uint room = (uint)(2 * distance + 1);
    const uint room_at = atomic_add(&counts->cigar_used, room);
    __global uint *end = cigars + room_at + room;
    __global const uint *begin = write_cigar(p, kept, end, distance, most);
    answer->cigar_at = (uint)(begin - cigars);
    answer->cigar_count = (uint)(end - begin);
}
#endif

/*
 * Solves the pairs of a level: those of list number `level` of the lists with list_pitch places
 * each; or, where `all` is set, at the first level, all pairs in order. Flags are read where
 * counts->others says so. A pair beyond the level's limit goes to the next list; the last level
 * answers it so. `all_columns` has RHOMB_BATCH_COLUMNS(limit) cells for each group, `cigars` room
 * for 2 d + 1 operations of a pair with distance d from the initial counts->cigar_used on, and
 * `state` two wavefronts of RHOMB_BATCH_CELLS(limit). So that one transfer takes them all, pairs
 * may come after the bases in one buffer, and counts, answers and cigars after one another in
 * another. No two of the pointers lead to the same bytes, except for those that are only read.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_batch_solve(
    __global const batch_unit *restrict queries, __global const batch_unit *restrict targets,
    __global const uchar *restrict query_flags, __global const uchar *restrict target_flags,
    __global const rhomb_batch_pair *restrict pairs, __global uint *restrict lists,
    __global rhomb_batch_answer *restrict answers, __global uint *restrict cigars,
    __global int *all_columns, __global rhomb_batch_counts *restrict counts, RHOMB_LOCAL int *state,
    const rhomb_u32 list_pitch, const rhomb_i32 level, const rhomb_i32 levels,
    const rhomb_i32 limit, const rhomb_i32 max_distance, const rhomb_i32 all)
{
    __local uint shared[2]; /* the next pair; whether its symbols have codes */
    const int lane = (int)get_local_id(0);
    const uint listed = counts->listed[level];
    const uint pairs_at = counts->pairs_at, answers_at = counts->answers_at;
    const bool others = counts->others != 0;
    __global int *kept = all_columns + get_group_id(0) * (ulong)RHOMB_BATCH_COLUMNS(limit);
    __global const uint *list = lists + (ulong)level * list_pitch;
    __global uint *next_list = lists + (ulong)(level + 1) * list_pitch;
    for (;;) {
        /* The next pair's wavefronts are kept where those of the last one were read. */
        BATCH_SYNC(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (lane == 0) {
            shared[0] = atomic_add(&counts->taken[level], (uint)RHOMB_BATCH_TAKES);
            shared[1] = 0;
        }
        BATCH_SYNC(CLK_LOCAL_MEM_FENCE);
        const uint first = shared[0];
        if (first >= listed)
            return;
        const uint last = min(first + RHOMB_BATCH_TAKES, listed);
        for (uint turn = first; turn < last; turn++) {
            const uint index = all ? turn : list[turn];
            const rhomb_batch_pair at = pairs[pairs_at + index];
            const batch_pair p = place(queries, targets, &at);
            const int longer = max(p.m, p.n);
            const int asked = max_distance >= 0 ? min(max_distance, longer) : longer;
            const int most = min(asked, limit);
            int distance = RHOMB_BATCH_BASES;
            const bool other =
                others && has_other(query_flags, target_flags, &at, lane, &shared[1]);
            if (!other) {
                distance = find_distance(&p, state, kept, limit, most, lane);
                if (distance < 0)
                    distance = asked <= limit ? RHOMB_BATCH_EXCEEDS : RHOMB_BATCH_BEYOND;
            }
#if RHOMB_PATH
            BATCH_SYNC(CLK_GLOBAL_MEM_FENCE);
#endif
            if (lane != 0)
                continue;
            if (distance == RHOMB_BATCH_BEYOND && level + 1 < levels) {
                next_list[atomic_inc(&counts->listed[level + 1])] = index;
                continue;
            }
            rhomb_batch_answer answer = {distance, 0, 0, 0};
#if RHOMB_PATH
            if (distance >= 0)
                take_cigar(&p, kept, cigars, counts, distance, most, &answer);
#endif
            answers[answers_at + index] = answer;
        }
    }
}
