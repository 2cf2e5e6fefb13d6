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
 * A work-item's diagonals k0 .. k0 + ITEM_DIAGONALS - 1, at the positions p0 .. of its tile, with
 * their values f[c + 1] at the current column; f[0] and the last are the neighbours'. In a diamond
 * `other` is, until a diagonal's first step, the newer of its two stored values, and from its last
 * step on the older of the two to store.
 */
typedef struct rhomb_item {
    int p0;
    rhomb_off k0;
    rhomb_off f[RHOMB_ITEM_DIAGONALS + 2];
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    rhomb_off other[RHOMB_ITEM_DIAGONALS];
    int last_enter;  /* no diagonal of the item has its first step after this one */
    int first_leave; /* none has its last step before this one */
#endif
    uint probes[RHOMB_ITEM_DIAGONALS];
} rhomb_item;

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
static inline void load_item(const rhomb_matrix *matrix, rhomb_item *item,
                             __global const rhomb_off *restrict column_a,
                             __global const rhomb_off *restrict column_b, const rhomb_off origin,
                             const rhomb_off r0)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
        const rhomb_off k = item->k0 + c;
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        const rhomb_off r = r0 + rhomb_first_step(rhomb_edge_distance(item->p0 + c)) - 1;
        item->f[c + 1] = load(matrix, column_a[k - origin], k, r - 1);
        item->other[c] = load(matrix, column_b[k - origin], k, r);
#else
        item->f[c + 1] = load(matrix, column_a[k - origin], k, r0);
#endif
    }
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    const int e = min(rhomb_edge_distance(item->p0),
                      rhomb_edge_distance(item->p0 + RHOMB_ITEM_DIAGONALS - 1));
    item->last_enter = rhomb_first_step(e);
    item->first_leave = rhomb_last_step(e);
#endif
}

static inline void store_item(const rhomb_item *item, __global rhomb_off *restrict column_a,
                              __global rhomb_off *restrict column_b, const rhomb_off origin)
{
    RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
    {
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
        column_a[item->k0 + c - origin] = item->other[c];
        column_b[item->k0 + c - origin] = item->f[c + 1];
#else
        if (rhomb_edge_distance(item->p0 + c) >= RHOMB_TILE_MARGIN)
            column_b[item->k0 + c - origin] = item->f[c + 1];
#endif
    }
}

/* Before step s: diagonals whose first step it is show their newer value from now on. */
static inline void enter(rhomb_item *item, const int s)
{
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    if (s <= item->last_enter) {
        RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
        {
            if (s == rhomb_first_step(rhomb_edge_distance(item->p0 + c)))
                item->f[c + 1] = item->other[c];
        }
    }
#endif
}

/* In step s: diagonals whose last step it is keep the value that the step replaces. */
static inline void leave(rhomb_item *item, const int s)
{
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    if (s >= item->first_leave) {
        RHOMB_EACH(c, 0, RHOMB_ITEM_DIAGONALS)
        {
            if (s == rhomb_last_step(rhomb_edge_distance(item->p0 + c)))
                item->other[c] = item->f[c + 1];
        }
    }
#endif
}

/* Column r of the item's diagonals [from, to); `unreached`: the tile has diagonals |k| > r0. */
static inline void compute(const rhomb_matrix *matrix, rhomb_item *item, const int from,
                           const int to, const rhomb_off r, const bool unreached)
{
    rhomb_advance(item->f + 1, from, to);
    rhomb_extend(matrix, item->f + 1, item->probes, from, to, item->k0);
    if (unreached)
        rhomb_settle(matrix, item->f + 1, from, to, item->k0, r);
}

/* Notes what column r says of the end diagonal, which is the item's diagonal `at`. */
static inline void observe(const rhomb_item *item, rhomb_front *seen, const int at,
                           const rhomb_off r, const rhomb_off n)
{
    rhomb_off reach = 0;
    RHOMB_EACH(c, at, at + 1) reach = item->f[c + 1];
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

    rhomb_item item;
    item.p0 = lane * RHOMB_ITEM_DIAGONALS;
    item.k0 = base + item.p0;
    load_item(&matrix, &item, column_a, column_b, origin, r0);
    const bool unreached = base < -r0 || base + (RHOMB_TILE_DIAGONALS - 1) > r0;

    /* What lies next to the tile: only a diamond's outermost diagonals look at it, in step T. */
    rhomb_off below = RHOMB_NO_OFFSET, above = RHOMB_NO_OFFSET;
#if RHOMB_TILE_SHAPE == RHOMB_SHAPE_DIAMOND
    const rhomb_off end = base + RHOMB_TILE_DIAGONALS;
    const rhomb_off r_beside = r0 + RHOMB_TILE_COLUMNS - 1;
    below = load(&matrix, column_a[base - 1 - origin], base - 1, r_beside);
    above = load(&matrix, column_a[end - origin], end, r_beside);
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
#else
    item.f[0] = below;
    item.f[RHOMB_ITEM_DIAGONALS + 1] = above;
#endif

    /* A first band of diamonds begins before column 0, where there is nothing to compute. */
    for (int s = r0 < 0 ? (int)(1 - r0) : 1; s <= RHOMB_TILE_STEPS; s++) {
        const rhomb_off r = r0 + s;
        enter(&item, s);
#if RHOMB_GROUP_SIZE > 1
        lows[s & 1][lane] = item.f[1];
        highs[s & 1][lane + 1] = item.f[RHOMB_ITEM_DIAGONALS];
        barrier(CLK_LOCAL_MEM_FENCE);
        item.f[0] = highs[s & 1][lane];
        item.f[RHOMB_ITEM_DIAGONALS + 1] = lows[s & 1][lane + 1];
#endif
        const int idle = rhomb_idle(s);
        const int from = clamp(idle - item.p0, 0, RHOMB_ITEM_DIAGONALS);
        const int to = clamp(RHOMB_TILE_DIAGONALS - idle - item.p0, 0, RHOMB_ITEM_DIAGONALS);
        leave(&item, s);
        if (RHOMB_GROUP_SIZE > 1 && from == 0 && to == RHOMB_ITEM_DIAGONALS)
            compute(&matrix, &item, 0, RHOMB_ITEM_DIAGONALS, r, unreached);
        else if (from < to)
            compute(&matrix, &item, from, to, r, unreached);
        if (reports && end_at >= from && end_at < to)
            observe(&item, &seen, end_at, r, n);
    }
    store_item(&item, column_a, column_b, origin);
    if (reports) {
        seen.bound = min(seen.bound, (rhomb_i64)(seen.column + n - seen.reach));
        status->front[1 - front] = seen;
    }
}
