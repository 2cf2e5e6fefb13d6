/* SPDX-License-Identifier: MIT */
/*
 * Many short pairs with gap-affine costs, end to end: costs, and paths. A work-group takes a pair,
 * by wavefronts (affine/affine_path_waves.clh) up to a cost c that grows with the lengths,
 *
 *     3 c^2 <= 2 e n m        e: the least extension
 *
 * and above it by the whole matrix (affine/affine_path_matrix.clh), so that lengths and cost alone
 * say which of the cheapest paths is found, and it is the same on every device. At that cost c a
 * wavefront has computed some c^2 / 2 e cells, each of which takes three times as long as one of
 * the matrix. Levels before those that compute the matrix in bit planes (batch_sliced.cl) look for
 * less: job.wave_cells has how many cells of it take as long as one of a wavefront there.
 *
 * *Levels.* As in batch.cl: a level has a limit on costs, memory for each group, and a list of
 * pairs. What it has no room for, it lists for the next one, and so what is not found up to c: the
 * next one takes the matrix, or the one for bit planes does. On a GPU the rings of the first levels
 * are in local memory (RHOMB_RING_LOCAL).
 *
 * *Known costs.* Alignments other than end to end are paths from begin to end, at a cost that their
 * score implies. Another kernel has found these (batch_local.cl), and this one finds the path.
 *
 * Lower bounds, for 150 bp at 5 % with costs of 2, 3, 1 on an H200: 22 scores of up to 39 diagonals
 * in groups of 32 are 40 rounds of some 60 instructions, and the path's 15 steps another 1,000 of
 * a single lane: 3,400 a pair, at 9e11 a second 2.6e8 pairs. Without a path a CPU does it in 22 *
 * 20 / 2 cells of 3 ns.
 */
#define PATH_TABLES 0
#define PATH_TRACE  RHOMB_PATH
#if RHOMB_RING_LOCAL
#    define PATH_RING  RHOMB_LOCAL
#    define PATH_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#include "affine/affine_path_find.clh"
#include "batch/batch_costs.clh"
#include "batch/batch_pack.clh"

#if !defined(RHOMB_PATH) || !defined(RHOMB_RING_LOCAL)
#    error "RHOMB_PATH and RHOMB_RING_LOCAL must be set"
#endif

/* Pairs that a group takes at a time, as in batch.cl. */
#define BATCH_TAKES (RHOMB_GROUP_SIZE == 1 ? 16 : 1)

/* Of barriers between pairs: items share local memory, and wavefronts may be in global memory. */
#define ALL_MEMORY (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* What a launch has for each of its groups. */
typedef struct batch_room {
    PATH_RING int *ring; /* NULL: in memory */
    rhomb_i64 ring_cells;
    __global int *memory;
    rhomb_i64 cells; /* of 4 bytes */
} batch_room;

/* The largest cost up to `limit` that wavefronts find in less than so many cells of the matrix. */
static inline int most_by_waves(const int m, const int n, const int limit, const int wave_cells)
{
    int low = 0, high = limit;
    if (is_cheap_by_waves(m, n, limit, wave_cells))
        return limit;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (is_cheap_by_waves(m, n, middle, wave_cells))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* As reach() of src/planner/affine_paths.c, for diagonals to one side. */
static inline int reach_of(const int end, const int scores)
{
    int reach = max(end, 0);
    for (int piece = 0; piece < PIECES; piece++) {
        const int open = piece == 0 ? RHOMB_OPEN : RHOMB_OPEN_2;
        const int extend = piece == 0 ? RHOMB_EXTEND : LEAST_EXTEND;
        const rhomb_i64 rest = scores - open + (rhomb_i64)end * LEAST_EXTEND;
        if (rest > 0)
            reach = max(reach, (int)(rest / (extend + LEAST_EXTEND)));
    }
    return reach;
}

/* Sets a problem up for wavefronts up to a cost. False where there is no room. */
static inline bool prepare_waves(path_problem *p, const batch_room *room, const int cost)
{
    const int end = p->n - p->m;
    const int down = min(reach_of(-end, cost), p->m), up = min(reach_of(end, cost), p->n);
    const rhomb_i64 diagonals = (rhomb_i64)up + down + 1;
    const rhomb_i64 ring = RING_ROWS * (diagonals + 2);
    const rhomb_i64 trace = RHOMB_PATH ? (cost * diagonals + 3) / 4 : 0;
    p->cost = cost;
    p->first_diagonal = -down;
    p->diagonals = (int)diagonals;
#if RHOMB_RING_LOCAL
    p->ring = room->ring;
    p->trace = (__global uchar *)room->memory;
    return ring <= room->ring_cells && trace <= room->cells;
#else
    p->ring = room->memory;
    p->trace = (__global uchar *)(room->memory + ring);
    return ring + trace <= room->cells;
#endif
}

/* Likewise for the matrix. */
static inline bool prepare_matrix(path_problem *p, const batch_room *room)
{
    const rhomb_i64 rows = matrix_row_cells(p->m, p->n);
    const rhomb_i64 trace = RHOMB_PATH ? matrix_trace_bytes(p->m, p->n) : 0;
    p->rows = room->memory;
    p->trace = (__global uchar *)(room->memory + rows);
    return rows + (trace + 3) / 4 <= room->cells;
}

#if RHOMB_PATH

static inline void write_path(const path_problem *p, const path_end end, const bool by_matrix,
                              __global rhomb_batch_counts *counts, __global uint *cigars,
                              rhomb_batch_scored *answer)
{
    uint operations = 0;
    const uint at = take_operations(p->m, p->n, end.cost, counts, &operations);
    __global uint *room = cigars + at, *after = room + operations;
    if (by_matrix)
        note_path(answer, cigars, write_by_matrix(p, end.gap, after), after);
    else
        note_path(answer, cigars, room, write_by_waves(p, end, room, operations));
}

#endif

/*
 * Prepares the way by which a level looks for a pair's path: by wavefronts up to p->cost, or by the
 * matrix. FIND_NOTHING: it has no room, or bit planes are to compute the matrix, and the pair is
 * for the next level.
 */
static inline int choose_way(path_problem *p, const batch_room *room, const batch_limits *l,
                             const rhomb_batch_affine_job *job)
{
    const int wanted = l->known >= 0 ? l->known : l->asked;
    const int waves = most_by_waves(p->m, p->n, min(wanted, l->limit), job->wave_cells);
    if (waves < wanted && waves < l->limit && (l->known >= 0 || waves <= l->before))
        return job->wave_cells == BATCH_WAVE_CELLS && prepare_matrix(p, room) ? FIND_BY_MATRIX
                                                                              : FIND_NOTHING;
    return (l->known < 0 || waves == wanted) && prepare_waves(p, room, waves) ? FIND_BY_WAVES
                                                                              : FIND_NOTHING;
}

/* Sets where a pair, or what is aligned of it, is among the packed bases. */
static inline void packed(path_problem *p, __global const uint *bases, const rhomb_batch_pair *at,
                          const rhomb_batch_scored *aligned)
{
    const batch_packed here = batch_packed_of(bases, at, aligned);
    p->query = here.query;
    p->target = here.target;
    p->query_shift = here.query_shift;
    p->target_shift = here.target_shift;
    p->m = here.m;
    p->n = here.n;
    p->begin_gap = p->end_gap = RHOMB_GAP_NONE;
    p->end_opening = 0;
}

/* Completes the answer of a pair; by one item. */
static inline void answer_pair(const path_problem *p, const path_end end, const int way,
                               const bool known, __global rhomb_batch_counts *counts,
                               __global uint *cigars, rhomb_batch_scored *answer)
{
    answer->kind = end.cost >= 0 ? RHOMB_BATCH_FOUND : end.cost;
    if (!known)
        answer->score = end.cost;
#if RHOMB_PATH
    if (end.cost >= 0 && way != FIND_NOTHING)
        write_path(p, end, way == FIND_BY_MATRIX, counts, cigars, answer);
    else if (end.cost >= 0 && p->m + p->n > 0)
        write_gap(p->m, p->n, counts, cigars, answer);
#endif
}

/*
 * Solves the pairs of a level: those of list number `level`, or with `all` all pairs in order; see
 * batch.cl. `memory` has group_cells for each group, `ring` ring_cells. Where `known` is set,
 * answers have a score, a begin and an end already, and the cost is (half_match * (bases of both) -
 * doubled * score) / unit. Operations are taken from counts->cigar_used on.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_batch_affine(
    __global const uint *restrict bases, __global const uchar *restrict flags,
    __global const rhomb_batch_pair *restrict pairs, __global uint *restrict lists,
    __global rhomb_batch_scored *restrict answers, __global uint *restrict cigars,
    __global int *memory, __global rhomb_batch_counts *restrict counts, const rhomb_u32 list_pitch,
    const rhomb_batch_affine_job job, const rhomb_i32 all, RHOMB_LOCAL int *ring)
{
    __local uint shared[2]; /* the next pair; whether its symbols have codes */
    const int lane = (int)get_local_id(0);
    const uint listed = counts->listed[job.level];
    const uint pairs_at = counts->pairs_at, answers_at = counts->answers_at;
    const bool others = counts->others != 0;
    __global const uint *list = lists + (ulong)job.level * list_pitch;
    __global uint *next_list = lists + (ulong)job.next * list_pitch;
    batch_room room;
#if RHOMB_RING_LOCAL
    room.ring = ring;
#endif
    room.ring_cells = job.ring_cells;
    room.memory = memory + (rhomb_i64)get_group_id(0) * job.group_cells;
    room.cells = job.group_cells;
    for (;;) {
        PATH_SYNC(ALL_MEMORY);
        if (lane == 0) {
            shared[0] = atomic_add(&counts->taken[job.level], (uint)BATCH_TAKES);
            shared[1] = 0;
        }
        PATH_SYNC(ALL_MEMORY);
        const uint first = shared[0];
        if (first >= listed)
            return;
        const uint last = min(first + BATCH_TAKES, listed);
        for (uint turn = first; turn < last; turn++) {
            const uint index = all ? turn : list[turn];
            const rhomb_batch_pair at = pairs[pairs_at + index];
            rhomb_batch_scored answer = {RHOMB_BATCH_FOUND, 0, 0, at.target_length, 0,
                                         at.query_length,   0, 0};
            if (job.known)
                answer = answers[answers_at + index];
            path_problem p;
            packed(&p, bases, &at, &answer);
            const int most = most_cost(p.m, p.n);
            const bool trivial = p.m == 0 || p.n == 0;
            batch_limits l = {-1, job.max_cost >= 0 ? min(job.max_cost, most) : most, job.limit,
                              job.limit_before};
            if (job.known)
                l.known = known_cost(&job, p.m, p.n, answer.score);
            int way = FIND_NOTHING;
            if (!trivial && answer.kind == RHOMB_BATCH_FOUND)
                way = choose_way(&p, &room, &l, &job);
            if (others && !job.known &&
                (batch_has_other(flags, at.query_at, p.m, lane, RHOMB_GROUP_SIZE) ||
                 batch_has_other(flags, at.target_at, p.n, lane, RHOMB_GROUP_SIZE)))
                shared[1] = 1;
            find_clear(&p, way, lane);
            PATH_SYNC(ALL_MEMORY);
            const bool other = shared[1] != 0;
            if (other)
                way = FIND_NOTHING;
            path_end end = find_end(&p, way, lane);
            if (RHOMB_GROUP_SIZE == 1)
                shared[1] = 0; /* for the next pair */
            if (lane != 0)
                continue;
            if (other) {
                answer.kind = RHOMB_BATCH_BASES;
                answers[answers_at + index] = answer;
                continue;
            }
            if (answer.kind != RHOMB_BATCH_FOUND)
                continue;
            if (trivial && most < MOST_COST)
                end.cost = judge(&l, l.asked, (int)gap_cost(p.m + p.n), false);
            else if (way != FIND_NOTHING)
                end.cost = judge(&l, p.cost, end.cost, way == FIND_BY_MATRIX);
            else
                end.cost = RHOMB_BATCH_BEYOND;
            if (end.cost == RHOMB_BATCH_BEYOND && job.next < job.levels) {
                next_list[atomic_inc(&counts->listed[job.next])] = index;
                continue;
            }
            answer_pair(&p, end, way, job.known != 0, counts, cigars, &answer);
            answers[answers_at + index] = answer;
        }
    }
}
