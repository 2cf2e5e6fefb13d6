/* SPDX-License-Identifier: MIT */
/*
 * Large subproblems of an alignment by recursion, many in one launch: what cl/divide/split.cl does
 * with a group for each direction of a subproblem, here with tiles. A launch advances all
 * subproblems by TILE_SCORES scores. The tiles are those of wavefront.cl, found
 * in another way. With the distance d known, the host reads nothing meanwhile: direction 0 ends at
 * ceil(d / 2) wavefronts, direction 1 at floor(d / 2), and wavefront r needs only the diagonals |k|
 * <= r with |K - k| <= d - r.
 *
 * Wavefronts. There are two buffers, and launch b reads buffer b % 2 and writes the other one. A
 * direction that has all its wavefronts is left alone, so its last one is in buffer (launches + 1)
 * % 2 of its own number of launches. What a tile reads beside what the launch before has stored is
 * older, or "no offset". Both are lower bounds, which is all that a load needs (wavefront.clh); and
 * all that a diagonal that matters comes from mattered in the wavefront before.
 *
 * Cost: that of wavefront.cl for a cell. The bound is the wavefronts of the largest subproblem,
 * each of which waits for the one before, until there are enough subproblems to fill the device.
 */
#define RHOMB_RANGES
#include "common/apart.clh"
#include "wavefront/wavefront_tile.clh"

/* Wavefronts of a direction of a subproblem. */
static inline rhomb_i64 columns_of(const rhomb_split_pair *pair, const int direction)
{
    return (pair->distance + 1 - direction) / 2;
}

/* The diagonals that can matter at the scores [first, last], within the matrix: see window.clh. */
static inline rhomb_i64 lowest(const rhomb_split_pair *pair, const rhomb_i64 first,
                               const rhomb_i64 last)
{
    const rhomb_i64 end = pair->target_length - pair->query_length;
    return -min(RHOMB_WINDOW_SIDE(last, pair->distance - first, -end), pair->query_length);
}

static inline rhomb_i64 highest(const rhomb_split_pair *pair, const rhomb_i64 first,
                                const rhomb_i64 last)
{
    const rhomb_i64 end = pair->target_length - pair->query_length;
    return min(RHOMB_WINDOW_SIDE(last, pair->distance - first, end), pair->target_length);
}

/* The cell of diagonal 0 in a direction's wavefront. */
static inline rhomb_i64 column_at(const rhomb_split_wide *problem, const int direction)
{
    return problem->columns_at + direction * problem->cells - problem->origin;
}

/*
 * Advances the tile from diagonal `first` on, of one direction of a subproblem; `before` and
 * `after` point at diagonal 0.
 */
static RHOMB_APART void advance_tile(__global const uint *query, __global const uint *target,
                                     __global const rhomb_off *before, __global rhomb_off *after,
                                     const rhomb_split_pair *pair, const rhomb_split_whole *whole,
                                     const int direction, const rhomb_i64 first,
                                     const rhomb_i64 start, const int steps,
                                     RHOMB_LOCAL commons *shared)
{
    rhomb_matrix matrix = rhomb_range_of(query, target, pair, whole, direction);
    rhomb_off f[RHOMB_ITEM_DIAGONALS + 2];
    bool mirrored;
    member self = tile_member(shared);
    const rhomb_off k0 = compute_tile(&matrix, before + first, (rhomb_off)first, (rhomb_off)start,
                                      steps, f, &mirrored, &self);
    RHOMB_ALL(c)
    {
        if (is_stored(LANE * RHOMB_ITEM_DIAGONALS + c, steps)) {
            const rhomb_off k = mirrored ? -(k0 + c) : k0 + c;
            const rhomb_off limit =
                rhomb_furthest((rhomb_off)pair->query_length, (rhomb_off)pair->target_length, k);
            after[k] = min(mirrored ? f[c] + k : f[c], limit);
        }
    }
}

/* Advances the subproblems from wavefront `start`, on the tiles of this launch. */
RHOMB_KERNEL
void rhomb_split_wide_advance(__global const uint *restrict query,
                              __global const uint *restrict target,
                              __global const rhomb_split_wide *restrict problems,
                              __global const rhomb_split_tile *restrict tiles,
                              __global const rhomb_off *restrict before,
                              __global rhomb_off *restrict after, const rhomb_split_whole whole,
                              const rhomb_i64 start)
{
    const rhomb_split_tile own = tiles[get_group_id(0)];
    const int direction = (int)(own.tile & 1);
    const rhomb_split_wide problem = problems[own.problem];
    const rhomb_split_pair pair = problem.pair;
    const int steps = (int)min(columns_of(&pair, direction) - start, (rhomb_i64)RHOMB_TILE_SCORES);
    if (steps <= 0)
        return;
    const rhomb_i64 low = lowest(&pair, start + 1, start + steps);
    const rhomb_i64 high = highest(&pair, start + 1, start + steps);
    const rhomb_i64 pitch = RHOMB_TILE_DIAGONALS - 2 * RHOMB_TILE_SCORES;
    const rhomb_i64 rank = own.tile >> 1, count = (high - low + pitch) / pitch;
    if (rank >= count)
        return;
    const rhomb_i64 first = low - RHOMB_TILE_SCORES + tile_of(rank, count) * pitch;
#if RHOMB_GROUP_SIZE > 1
    __local commons shared[1];
#else
    RHOMB_LOCAL commons *shared = 0;
#endif
    const rhomb_i64 at = column_at(&problem, direction);
    advance_tile(query, target, before + at, after + at, &pair, &whole, direction, first, start,
                 steps, shared);
}

/* The buffer that has the last wavefront of a direction. */
static inline int last_buffer(const rhomb_split_pair *pair, const int direction)
{
    /* The first launch starts from wavefront -1. */
    const rhomb_i64 launches =
        (columns_of(pair, direction) + RHOMB_TILE_SCORES) / RHOMB_TILE_SCORES;
    return (int)(launches & 1);
}

/* Finds the lowest diagonal on which the directions of each subproblem meet; a group for each. */
RHOMB_KERNEL
void rhomb_split_wide_meet(__global const rhomb_split_wide *restrict problems,
                           __global const rhomb_off *restrict even,
                           __global const rhomb_off *restrict odd,
                           __global rhomb_split_point *restrict points)
{
    const int lane = (int)get_local_id(0);
    const rhomb_split_wide problem = problems[get_group_id(0)];
    const rhomb_split_pair pair = problem.pair;
    const rhomb_i64 m = pair.query_length, n = pair.target_length, end = n - m;
    const rhomb_i64 forward = columns_of(&pair, 0);
    __global const rhomb_off *f =
        (last_buffer(&pair, 0) != 0 ? odd : even) + column_at(&problem, 0);
    __global const rhomb_off *g =
        (last_buffer(&pair, 1) != 0 ? odd : even) + column_at(&problem, 1);
    const rhomb_i64 low = lowest(&pair, forward, forward), high = highest(&pair, forward, forward);
    int met = INT_MAX;
    for (rhomb_i64 k = low + lane; k <= high; k += RHOMB_GROUP_SIZE)
        if (f[k] >= n - g[end - k])
            met = min(met, (int)(k - low));
#if RHOMB_GROUP_SIZE > 1
    __local int least[1];
    if (lane == 0)
        least[0] = INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (met != INT_MAX)
        atomic_min(&least[0], met);
    barrier(CLK_LOCAL_MEM_FENCE);
    met = least[0];
#endif
    if (lane != 0)
        return;
    rhomb_split_point point = {0, 0, RHOMB_SPLIT_APART, 0};
    if (met != INT_MAX) {
        point.target = f[low + met];
        point.query = f[low + met] - (low + met);
        point.status = RHOMB_SPLIT_FOUND;
    }
    points[get_group_id(0)] = point;
}
