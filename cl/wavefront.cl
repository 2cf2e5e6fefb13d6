/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine: one launch computes one band of the pyramid, one work-group a tile of it.
 * wavefront.clh has the recurrence, the invariant and a picture of the tiles; src/tiling.c the
 * geometry of bands.
 *
 * Cost of a cell, counted in NVIDIA's SASS (2 bits a symbol, 32-bit offsets, no run): see
 * bench/NOTES.md, which also says how far the kernel is from the device's issue rate. Memory is no
 * bound: a band reads and writes its diagonals once for TILE_COLUMNS columns.
 */
#include "wavefront.clh"

#define RHOMB_KERNEL __kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1)))

/*
 * A work-item has the diagonals k0 .. k0 + ITEM_DIAGONALS - 1, at the positions p0 .. of its tile,
 * with the values f at the current column. For diamonds there is a second value of each: until a
 * diagonal's first step the newer of its two stored values (f is the older one, which its neighbour
 * needs first), from its last step on the older of the two to store. They are plain arrays, not a
 * structure: compilers keep only those in registers (a structure took 2.5 times the time on an
 * H200).
 */
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
#    define RHOMB_SECONDS RHOMB_ITEM_DIAGONALS
#else
#    define RHOMB_SECONDS 1
#endif

/*
 * The value of diagonal k at column r: what is stored, or its floor where that is more (because
 * nothing was stored, or a value that lags). Columns up to 0 are column 0, which is known: diagonal
 * 0 has the run from the origin, all others their floor.
 */
static inline rhomb_off load(const rhomb_matrix *matrix, const rhomb_off stored, const rhomb_off k,
                             const rhomb_off r)
{
    if (r > 0)
        return max(stored, rhomb_floor(matrix, k, r));
    return k == 0 ? min(rhomb_run(matrix->query, matrix->target, 0, 0, matrix->m, matrix->n),
                        rhomb_limit(matrix, 0))
                  : rhomb_floor(matrix, k, 0);
}

/* Fills an item from the columns in device memory, for a band that starts from column r0. */
static inline void load_item(const rhomb_matrix *matrix, rhomb_off *f, rhomb_off *second,
                             __global const rhomb_off *restrict column_a,
                             __global const rhomb_off *restrict column_b, const rhomb_off origin,
                             const rhomb_off k0, const int p0, const rhomb_off r0)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
        const rhomb_off k = k0 + c;
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        const rhomb_off r = r0 + rhomb_first_step(rhomb_edge_distance(p0 + c)) - 1;
        f[c] = load(matrix, column_a[k - origin], k, r - 1);
        second[c] = load(matrix, column_b[k - origin], k, r);
#else
        f[c] = load(matrix, column_a[k - origin], k, r0);
#endif
    }
}

static inline void store_item(const rhomb_off *f, const rhomb_off *second,
                              __global rhomb_off *restrict column_a,
                              __global rhomb_off *restrict column_b, const rhomb_off origin,
                              const rhomb_off k0, const int p0)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        column_a[k0 + c - origin] = second[c];
        column_b[k0 + c - origin] = f[c];
#else
        if (rhomb_edge_distance(p0 + c) >= RHOMB_TILE_MARGIN)
            column_b[k0 + c - origin] = f[c];
#endif
    }
}

#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
/* Before step s: diagonals whose first step it is show their newer value from now on. */
static inline void enter(rhomb_off *f, const rhomb_off *second, const int p0, const int s)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
        if (s == rhomb_first_step(rhomb_edge_distance(p0 + c)))
            f[c] = second[c];
    }
}

/* In step s: diagonals whose last step it is keep the value that the step replaces. */
static inline void leave(const rhomb_off *f, rhomb_off *second, const int p0, const int s)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
        if (s == rhomb_last_step(rhomb_edge_distance(p0 + c)))
            second[c] = f[c];
    }
}
#endif

/* Notes what column r says of the end diagonal, which is the item's diagonal `at`. */
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

/*
 * Advances the pyramid by one band, on the tiles of this launch: group g has the diagonals from
 * first_diagonal + g * tile_pitch on. The band starts from column r0, of which column_a (and, for
 * diamonds, column_b) hold what src/tiling.c says; they start with diagonal `origin` and cover all
 * diagonals of the launch's tiles and one more on either side. Fronts: status->front[front] is
 * read, the other one written by the group that stores the end diagonal. Once the distance is
 * known, bands do nothing but hand it on.
 */
RHOMB_KERNEL
void rhomb_wavefront_band(__global const uint *restrict query, __global const uint *restrict target,
                          __global rhomb_off *restrict column_a,
                          __global rhomb_off *restrict column_b,
                          __global rhomb_wavefront_status *restrict status, const rhomb_off m,
                          const rhomb_off n, const rhomb_i32 prune, const rhomb_i32 front,
                          const rhomb_off origin, const rhomb_off first_diagonal,
                          const rhomb_off tile_pitch, const rhomb_off r0)
{
    const int lane = (int)get_local_id(0);
    const rhomb_off base = first_diagonal + (rhomb_off)get_group_id(0) * tile_pitch;
    const rhomb_matrix matrix = {query + RHOMB_PAD_SYMBOLS / RHOMB_STRIDE,
                                 target + RHOMB_PAD_SYMBOLS / RHOMB_STRIDE, m, n};
    rhomb_front seen = status->front[front];

    /* The position of the end diagonal in this item, if this tile stores it; else out of range. */
    const rhomb_i64 end_position = (rhomb_i64)n - m - base;
    const bool owner = end_position >= RHOMB_TILE_MARGIN &&
                       end_position < RHOMB_TILE_DIAGONALS - RHOMB_TILE_MARGIN;
    const int end_at = owner ? (int)end_position - lane * RHOMB_ITEM_DIAGONALS : -1;
    const bool reports = end_at >= 0 && end_at < RHOMB_ITEM_DIAGONALS;

    if (seen.distance != RHOMB_UNSOLVED ||
        (prune &&
         !rhomb_tile_matters((rhomb_i64)base + RHOMB_TILE_MARGIN,
                             (rhomb_i64)base + RHOMB_TILE_DIAGONALS - 1 - RHOMB_TILE_MARGIN,
                             (rhomb_i64)r0 + 1, (rhomb_i64)r0 + RHOMB_TILE_STEPS, (rhomb_i64)n - m,
                             seen.bound))) {
        if (reports)
            status->front[1 - front] = seen;
        return;
    }
    if (lane == 0)
        atomic_inc(&status->tiles);

    const int p0 = lane * RHOMB_ITEM_DIAGONALS;
    const rhomb_off k0 = base + p0;
    rhomb_off f[RHOMB_ITEM_DIAGONALS], second[RHOMB_SECONDS];
    uint probes[RHOMB_ITEM_DIAGONALS];
    load_item(&matrix, f, second, column_a, column_b, origin, k0, p0, r0);
    const bool unreached = base < -r0 || base + (RHOMB_TILE_DIAGONALS - 1) > r0;

    /* What lies next to the tile: only a diamond's outermost diagonals look at it, in step T. */
    rhomb_off below = RHOMB_NO_OFFSET, above = RHOMB_NO_OFFSET;
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    const rhomb_off end = base + RHOMB_TILE_DIAGONALS;
    const rhomb_off r_beside = r0 + RHOMB_TILE_COLUMNS - 1;
    below = load(&matrix, column_a[base - 1 - origin], base - 1, r_beside);
    above = load(&matrix, column_a[end - origin], end, r_beside);
    /* No diagonal of the item enters after the one step or leaves before the other. */
    const int depth =
        min(rhomb_edge_distance(p0), rhomb_edge_distance(p0 + RHOMB_ITEM_DIAGONALS - 1));
    const int last_enter = rhomb_first_step(depth), first_leave = rhomb_last_step(depth);
#endif

    /*
     * Neighbours exchange the values at their ends through local memory. Two copies in turn make
     * one barrier a column enough.
     */
#if RHOMB_GROUP_SIZE > 1
    __local rhomb_off lows[2][RHOMB_GROUP_SIZE + 1], highs[2][RHOMB_GROUP_SIZE + 1];
    if (lane == 0) {
        highs[0][0] = highs[1][0] = below;
        lows[0][RHOMB_GROUP_SIZE] = lows[1][RHOMB_GROUP_SIZE] = above;
    }
#endif

    /* A first band of diamonds begins before column 0, where there is nothing to compute. */
    for (int s = r0 < 0 ? (int)(1 - r0) : 1; s <= RHOMB_TILE_STEPS; s++) {
        const rhomb_off r = r0 + s;
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        if (s <= last_enter)
            enter(f, second, p0, s);
#endif
#if RHOMB_GROUP_SIZE > 1
        lows[s & 1][lane] = f[0];
        highs[s & 1][lane + 1] = f[RHOMB_ITEM_DIAGONALS - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        below = highs[s & 1][lane];
        above = lows[s & 1][lane + 1];
#endif
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        if (s >= first_leave)
            leave(f, second, p0, s);
#endif
        const int from = RHOMB_FROM(s, p0), to = RHOMB_TO(s, p0);
        const bool whole =
            RHOMB_GROUP_SIZE > 1 ? (from == 0) & (to == RHOMB_ITEM_DIAGONALS) : false;
        if (whole) {
            rhomb_advance(f, 0, RHOMB_ITEM_DIAGONALS, below, above);
            rhomb_extend(&matrix, f, probes, 0, RHOMB_ITEM_DIAGONALS, k0);
        } else if (from < to) {
            rhomb_advance(f, from, to, below, above);
            rhomb_extend(&matrix, f, probes, from, to, k0);
        }
        if (unreached)
            rhomb_settle(&matrix, f, from, to, k0, r);
        if (reports && end_at >= from && end_at < to)
            observe(f, &seen, end_at, r, n);
    }
    store_item(f, second, column_a, column_b, origin, k0, p0);
    if (reports) {
        seen.bound = min(seen.bound, (rhomb_i64)(seen.column + n - seen.reach));
        status->front[1 - front] = seen;
    }
}
