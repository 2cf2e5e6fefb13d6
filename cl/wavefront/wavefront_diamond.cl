/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine with the tiles of Castells-Rufas 2023 (sections 3 and 4), in one direction:
 * for comparisons, since trapezoids (wavefront.cl) are faster everywhere. wavefront.clh has the
 * recurrence and its invariant.
 *
 * A tile of W = GROUP_SIZE * ITEM_DIAGONALS diagonals, T = TILE_SCORES:
 *
 *     k ^     /|\      a hexagon with sides of T; launch b has scores c+1 .. c+2T; two neighbours
 *       |    / | \     of it are W - 2T diagonals apart; launch b+1 fills the gap, T scores later
 *       |   |  |  |    and shifted by W - T diagonals
 *       |    \ | /
 *       |     \|/
 *       +--------> r
 *
 * A tile reads and writes the last two values of each diagonal in place: position p, at a distance
 * e = min(p, W - 1 - p) from the tile's edge, is active in the steps s with |s - T| <= e. Nothing
 * that a tile reads is written by another one of its launch, because they are W - 2T >= 1 diagonals
 * apart.
 */
#include "wavefront/wavefront.clh"

#define STEPS (2 * RHOMB_TILE_SCORES)

/* The distance of position p from the nearer edge of its tile. */
static inline int edge_distance(const int p)
{
    return min(p, RHOMB_TILE_DIAGONALS - 1 - p);
}

/* The first and the last step in which a position at distance e from the edge is active. */
static inline int first_step(const int e)
{
    return max(RHOMB_TILE_SCORES - e, 1);
}

static inline int last_step(const int e)
{
    return min(RHOMB_TILE_SCORES + e, STEPS);
}

/*
 * One wavefront without extension: f[from .. to) from the same of the wavefront before. `below` and
 * `above` are the neighbours of the item's first and last diagonal.
 */
static inline void advance(rhomb_off *f, const int from, const int to, const rhomb_off below,
                           const rhomb_off above)
{
#if RHOMB_GROUP_SIZE > 1
    rhomb_off before = below;
    _Pragma("unroll") for (int c = 0; c < RHOMB_ITEM_DIAGONALS; c++)
    {
        const rhomb_off here = f[c];
        const rhomb_off next = c + 1 < RHOMB_ITEM_DIAGONALS ? f[c + 1] : above;
        if (c >= from && c < to)
            f[c] = max(max(before, here) + 1, next);
        before = here;
    }
#else
    rhomb_off before = from > 0 ? f[from - 1] : below;
    const rhomb_off after = to < RHOMB_ITEM_DIAGONALS ? f[to] : above;
    for (int c = from; c < to - 1; c++) {
        const rhomb_off here = f[c];
        f[c] = max(max(before, here) + 1, f[c + 1]);
        before = here;
    }
    f[to - 1] = max(max(before, f[to - 1]) + 1, after);
#endif
}

/* Extends f[from .. to) on the diagonals from k0 on. */
static inline void extend(const rhomb_matrix *matrix, rhomb_off *f, const int from, const int to,
                          const rhomb_off k0)
{
    RHOMB_EACH(c, from, to)
    {
        const rhomb_off k = k0 + c, i = f[c] - k;
        const uint differ = rhomb_differ(matrix->query, matrix->target, i, f[c]) |
                            rhomb_cut(i, f[c], matrix->m, matrix->n);
        if (differ != 0)
            f[c] += (rhomb_off)clz(differ);
        else
            f[c] = rhomb_matrix_run_alone(matrix, k, f[c] + RHOMB_WORD_SYMBOLS, &matrix->tables);
    }
}

/* The diagonals [from, to) of the item at position p0 that step s computes. */
#define IDLE(s)     ((int)abs((s)-RHOMB_TILE_SCORES))
#define FROM(s, p0) clamp(IDLE(s) - (p0), 0, RHOMB_ITEM_DIAGONALS)
#define TO(s, p0)   clamp(RHOMB_TILE_DIAGONALS - IDLE(s) - (p0), 0, RHOMB_ITEM_DIAGONALS)

/* Before step s: diagonals whose first step it is show their newer value from now on. */
static inline void enter(rhomb_off *f, const rhomb_off *second, const int p0, const int s)
{
    RHOMB_ALL(c)
    {
        if (s == first_step(edge_distance(p0 + c)))
            f[c] = second[c];
    }
}

/* In step s: diagonals whose last step it is keep the value that the step replaces. */
static inline void leave(const rhomb_off *f, rhomb_off *second, const int p0, const int s)
{
    RHOMB_ALL(c)
    {
        if (s == last_step(edge_distance(p0 + c)))
            second[c] = f[c];
    }
}

/* Notes what wavefront r tells about the end diagonal, which is the item's diagonal `at`. */
static inline void observe(const rhomb_off *f, rhomb_front *seen, const int at, const rhomb_off r,
                           const rhomb_off n)
{
    rhomb_off reach = 0;
    RHOMB_EACH(c, at, at + 1) reach = f[c];
    seen->reach = reach;
    seen->column = r;
    if (reach >= n && seen->distance == RHOMB_UNSOLVED)
        seen->distance = r;
}

/* Wavefronts before -1 are wavefront -1. */
static inline rhomb_off load(const rhomb_matrix *matrix, const rhomb_off stored, const rhomb_off k,
                             const rhomb_off r)
{
    return rhomb_load(matrix, stored, k, max(r, (rhomb_off)-1));
}

/*
 * Advances the pyramid on the tiles of this launch, from wavefront `start`, of which
 * wavefront_a and wavefront_b hold what src/planner/tiling.h says. Both cover all diagonals of the
 * launch's tiles and one more on either side.
 */
RHOMB_KERNEL
void rhomb_wavefront_advance(__global const uint *restrict query,
                             __global const uint *restrict target,
                             __global rhomb_off *restrict wavefront_a,
                             __global rhomb_off *restrict wavefront_b,
                             __global rhomb_wavefront_status *restrict status,
                             const rhomb_launch launch)
{
    const int lane = (int)get_local_id(0);
    const rhomb_off base =
        (rhomb_off)(launch.first_diagonal + (rhomb_i64)get_group_id(0) * launch.tile_pitch);
    const rhomb_off r0 = (rhomb_off)launch.start, origin = (rhomb_off)launch.origin;
    const rhomb_matrix matrix = rhomb_matrix_of(query, target, &launch, 0);
    rhomb_front seen = status->front[0][launch.front];

    /* The position of the end diagonal in this item, if this tile has it; else out of range. */
    const rhomb_i64 end_diagonal = launch.target_length - launch.query_length;
    const rhomb_i64 end_position = end_diagonal - base;
    const bool owner = end_position >= 0 && end_position < RHOMB_TILE_DIAGONALS;
    const int end_at = owner ? (int)end_position - lane * RHOMB_ITEM_DIAGONALS : -1;
    const bool reports = end_at >= 0 && end_at < RHOMB_ITEM_DIAGONALS;

    if (seen.distance != RHOMB_UNSOLVED ||
        (launch.prune != 0 &&
         !rhomb_tile_matters(base, (rhomb_i64)base + RHOMB_TILE_DIAGONALS - 1, launch.start + 1,
                             launch.start + STEPS, end_diagonal, seen.bound))) {
        if (reports)
            status->front[0][1 - launch.front] = seen;
        return;
    }
    if (lane == 0)
        atomic_inc(&status->tiles);

    /*
     * Until a diagonal's first step `second` is the newer of its two stored values (f is the older
     * one, which its neighbour needs first), from its last step on the older of the two to store.
     */
    const int p0 = lane * RHOMB_ITEM_DIAGONALS;
    const rhomb_off k0 = base + p0;
    rhomb_off f[RHOMB_ITEM_DIAGONALS], second[RHOMB_ITEM_DIAGONALS];
    RHOMB_ALL(c)
    {
        const rhomb_off k = k0 + c;
        const rhomb_off r = r0 + first_step(edge_distance(p0 + c)) - 1;
        f[c] = load(&matrix, wavefront_a[k - origin], k, r - 1);
        second[c] = load(&matrix, wavefront_b[k - origin], k, r);
    }

    /* What lies next to the tile: only its outermost diagonals read it, in step T. */
    const rhomb_off end = base + RHOMB_TILE_DIAGONALS;
    const rhomb_off r_beside = r0 + RHOMB_TILE_SCORES - 1;
    rhomb_off below = load(&matrix, wavefront_a[base - 1 - origin], base - 1, r_beside);
    rhomb_off above = load(&matrix, wavefront_a[end - origin], end, r_beside);
    /* No diagonal of the item enters after `last_enter` or leaves before `first_leave`. */
    const int depth = min(edge_distance(p0), edge_distance(p0 + RHOMB_ITEM_DIAGONALS - 1));
    const int last_enter = first_step(depth), first_leave = last_step(depth);

    /*
     * Neighbours exchange the values at their ends through local memory. Two copies in turn make
     * one barrier a wavefront enough.
     */
#if RHOMB_GROUP_SIZE > 1
    __local rhomb_off lows[2][RHOMB_GROUP_SIZE + 1], highs[2][RHOMB_GROUP_SIZE + 1];
    if (lane == 0) {
        highs[0][0] = highs[1][0] = below;
        lows[0][RHOMB_GROUP_SIZE] = lows[1][RHOMB_GROUP_SIZE] = above;
    }
#endif

    /* The first launch begins before wavefront 0, where there is nothing to compute. */
    for (int s = r0 < 0 ? (int)-r0 : 1; s <= STEPS; s++) {
        const rhomb_off r = r0 + s;
        if (s <= last_enter)
            enter(f, second, p0, s);
#if RHOMB_GROUP_SIZE > 1
        lows[s & 1][lane] = f[0];
        highs[s & 1][lane + 1] = f[RHOMB_ITEM_DIAGONALS - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        below = highs[s & 1][lane];
        above = lows[s & 1][lane + 1];
#endif
        if (s >= first_leave)
            leave(f, second, p0, s);
        const int from = FROM(s, p0), to = TO(s, p0);
        if (from < to) {
            advance(f, from, to, below, above);
            extend(&matrix, f, from, to, k0);
        }
        if (reports && end_at >= from && end_at < to)
            observe(f, &seen, end_at, r, matrix.n);
    }
    RHOMB_ALL(c)
    {
        wavefront_a[k0 + c - origin] = second[c];
        wavefront_b[k0 + c - origin] = f[c];
    }
    if (reports) {
        seen.bound = min(seen.bound, seen.column + launch.target_length - seen.reach);
        status->front[0][1 - launch.front] = seen;
    }
}
