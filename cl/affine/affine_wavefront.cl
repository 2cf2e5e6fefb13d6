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
 * Floor, 4,6,2 (costs 2, 3, 1) on an NVIDIA H200: it issues 64 integer instructions a cycle and
 * unit, 14.8e12 a second. 1 Mbp pairs at 3 to 6 % compute 0.18 to 0.22e12 cells a second, margins
 * included, a saturated run 0.225e12 in its second half: 66 issue slots a cell (bench/NOTES.md).
 */
#include "affine/affine_tile.clh"

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
                          __global rhomb_off *memory,
                          __global const rhomb_affine_status *restrict status,
                          const rhomb_split_whole whole, const rhomb_i64 first_tile,
                          const rhomb_i64 tile_count, const rhomb_i32 turn)
{
    tile_state t;
#if RHOMB_TILE_LOCAL
    __local rhomb_off rows[ALL_ROWS * PITCH + 1];
    t.rows = rows;
    (void)memory;
#else
    t.rows = memory + (rhomb_i64)get_group_id(0) * ALL_ROWS * PITCH;
#endif
#if RHOMB_GROUP_SIZE > 1
    __local commons shared;
    t.shared = &shared;
#endif
    /* No early return: PoCL 3.1 and Intel's driver get it wrong before barriers. */
    const rhomb_i64 count = status->met < turn ? 0 : tile_count;
    for (rhomb_i64 at = get_group_id(0); at < count; at += get_num_groups(0)) {
        const rhomb_affine_tile tile = tiles[first_tile + at];
        const rhomb_affine_problem problem = problems[tile.problem];
        const rhomb_i64 last = tile.start + tile.steps - 1;
        /* By an index, compilers put the problem into memory. */
        const rhomb_i64 origin = tile.direction == 0 ? problem.origin[0] : problem.origin[1];
        const rhomb_i64 low_cell = tile.first - origin;
        const rhomb_i64 place = problem.at + tile.direction * SLOTS * problem.cells + low_cell;
        const rhomb_matrix matrix =
            rhomb_range_of(query, target, &problem.range.pair, &whole, tile.direction);
        const int gap = tile.direction == 0 ? problem.range.begin_gap : problem.range.end_gap;
        t.first = (rhomb_off)tile.first;
        t.from = (int)max(tile.low - tile.first, (rhomb_i64)0);
        t.to = (int)min(tile.high - tile.first + 1, (rhomb_i64)TILE);
        compute_tile(&t, &matrix, &problem, low_cell, (tile.turn == 0 ? even : odd) + place,
                     (tile.turn == 0 ? odd : even) + place, gap, tile.start, last);
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

/* The slot of a kind whose turn it is; score s, at least 0, has turn s % count_of(gap). */
static inline __global const rhomb_off *slot_of(const waves *w, const int gap, const int turn)
{
    return w->slots + (slots_of(gap) + turn) * w->cells;
}

/* The offset of diagonal k in a slot. */
static inline rhomb_off offset_in(const waves *w, __global const rhomb_off *slot, const rhomb_i64 k)
{
    const rhomb_i64 cell = k - w->origin;
    return cell >= 0 && cell < w->cells ? slot[cell] : RHOMB_NO_OFFSET;
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

/* Kinds of offsets: M and the gaps. */
#define KINDS           (RHOMB_GAP_I_2 + 1)
#define EACH_KIND(kind) _Pragma("unroll") for (int kind = RHOMB_GAP_NONE; kind < KINDS; kind++)

/* How far a direction has come by offset j of diagonal k. */
static inline rhomb_i64 antidiagonal(const rhomb_off j, const rhomb_i64 k)
{
    return j >= 0 ? 2 * (rhomb_i64)j - k : 0;
}

/*
 * Notes how far a direction has come: once a group, and only where that is further than what is
 * there. Without that items wait for each other at one address.
 */
static inline void note_furthest(__global rhomb_u32 *furthest, const uint units,
                                 RHOMB_LOCAL uint *group_units)
{
    uint most = units;
#if RHOMB_GROUP_SIZE > 1
    if (get_local_id(0) == 0)
        *group_units = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(group_units, units);
    barrier(CLK_LOCAL_MEM_FENCE);
    most = *group_units;
#endif
    if (get_local_id(0) == 0 && most > *furthest)
        atomic_max(furthest, most);
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
    /* No early return: PoCL 3.1 gets it wrong where one item of a group does something after it. */
    const rhomb_i64 cells = status->met < turn ? 0 : problem.cells;
    __global const rhomb_off *from[KINDS], *back[KINDS];
    rhomb_i64 furthest[2] = {0, 0};
    bool met = false;
    __local uint units[2];
    EACH_KIND(gap)
    {
        const int slot = has_gap(gap) ? (int)(s % count_of(gap)) : 0;
        from[gap] = slot_of(&forward, gap, slot);
        back[gap] = slot_of(&backward, gap, slot);
    }
    for (rhomb_i64 cell = get_global_id(0); cell < cells; cell += get_global_size(0)) {
        const rhomb_i64 k = problem.origin[0] + cell, k_back = problem.origin[1] + cell;
        EACH_KIND(gap)
        {
            if (has_gap(gap))
                met |= overlap(from[gap][cell], offset_in(&backward, back[gap], end - k), n);
        }
        furthest[0] = max(furthest[0], antidiagonal(from[RHOMB_GAP_NONE][cell], k));
        furthest[1] = max(furthest[1], antidiagonal(back[RHOMB_GAP_NONE][cell], k_back));
    }
    if (met)
        atomic_min(&status->met, turn);
    for (int direction = 0; direction < 2; direction++)
        note_furthest(&status->furthest[direction], (uint)(furthest[direction] >> far_shift),
                      &units[direction]);
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
    for (int gap = RHOMB_GAP_NONE; gap <= RHOMB_GAP_I_2; gap++) {
        if (!has_gap(gap))
            continue;
        const int count = count_of(gap), f_turn = (int)(f % count), b_turn = (int)(b % count);
        const int open = gap == RHOMB_GAP_NONE       ? 0
                         : RHOMB_GAP_PIECE(gap) == 0 ? RHOMB_OPEN
                                                     : RHOMB_OPEN_2;
        for (rhomb_i64 cell = get_global_id(0); cell < problem.cells; cell += get_global_size(0)) {
            const rhomb_i64 other = end - (problem.origin[0] + cell);
            for (int later = 0; later < fresh && later <= b; later++) {
                const rhomb_off met = offset_in(
                    &backward, slot_of(&backward, gap, turn_before(b_turn, later, count)), other);
                for (int back = 0; back < count && back <= f; back++) {
                    if (overlap(slot_of(&forward, gap, turn_before(f_turn, back, count))[cell], met,
                                n))
                        least = min(least, f - back + b - later - open);
                    else if (gap == RHOMB_GAP_NONE)
                        break; /* M grows; of gaps, later scores may be outside of the window */
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
    for (int gap = first_gap; gap <= last_gap; gap += 2) {
        const int count = count_of(gap);
        for (int earlier = 0; earlier < count; earlier++) {
            const rhomb_i64 s = problem.until[0] - earlier;
            const rhomb_i64 b = problem.range.pair.distance + open - s;
            if (s < 0 || b < 0 || b > problem.until[1] || b <= problem.until[1] - count)
                continue;
            __global const rhomb_off *from = slot_of(&forward, gap, (int)(s % count));
            __global const rhomb_off *back = slot_of(&backward, gap, (int)(b % count));
            for (rhomb_i64 cell = part * RHOMB_GROUP_SIZE + lane; cell < problem.cells;
                 cell += (rhomb_i64)parts * RHOMB_GROUP_SIZE) {
                const rhomb_off f = from[cell];
                const rhomb_i64 key = RHOMB_AFFINE_KEY(cell, gap, earlier);
                const rhomb_i64 other = end - (problem.origin[0] + cell);
                if (key < best.key && overlap(f, offset_in(&backward, back, other), n)) {
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
