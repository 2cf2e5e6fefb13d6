/* SPDX-License-Identifier: MIT */
/*
 * The wavefront engine: a launch advances the pyramid by T scores in both directions, each
 * work-group by a tile. wavefront.clh has the recurrence and its invariant, src/planner/tiling.c
 * the geometry of launches.
 *
 * A tile is a trapezoid of W = GROUP_SIZE * ITEM_DIAGONALS diagonals, T = TILE_SCORES:
 *
 *     k ^  |\      all W diagonals are loaded at score r0; T on either side lose a neighbour a
 *       |  | \     score and are dropped at score r0 + T. One wavefront is read, another one
 *       |  |  |    written.
 *       |  | /
 *       |  |/
 *       +------> r
 *
 * Slots. A work-item does not keep its diagonals: in each wavefront it moves up by one. So slot p
 * has diagonal base + p + s after s wavefronts, and
 *
 *     f'[p] = extend(max(f[p] + 1 (insertion),  f[p+1] + 1 (substitution),  f[p+2] (deletion)))
 *
 * reads slots above only, in place. In similar sequences nearly every offset comes by insertions
 * from the path that leads; so the slot goes on from where it was, one symbol of the target
 * further. It keeps a window of 32 symbols of either sequence from the position where the window
 * was *opened*; a wavefront is a shift, and no load. Where offsets come by deletions instead, below
 * the path, the tile is *mirrored*: the sequences change roles, k becomes -k and an offset j
 * becomes i = j - k. The recurrence does not notice.
 *
 * Windows are opened every REOPEN wavefronts, before they end in random sequences, which advance by
 * 2.5 symbols a wavefront; by lanes whose offset has left its window; and at the end of a run. The
 * whole group follows runs longer than RUN_STEPS steps (runs.clh), and after such a run all runs.
 *
 * Cost, in NVIDIA's machine code with 2 planes, 32 bits and 8 diagonals an item: 158 instructions a
 * wavefront of an item, and every 8 scores some 190 more to open its windows: 22.5 a cell, 25.6
 * with the margins of W = 1024, T = 64. An H200 issues that for 1.31e12 cells a second, and
 * computes 0.83e12 to 0.90e12 in wide pyramids; without extension 2.8e12. Narrow ones wait: a
 * wavefront takes 0.9 microseconds where a lane follows a path, some 450 instructions that depend
 * on each other. Memory is not a bound: a launch reads and writes its diagonals once for T scores.
 * See bench/NOTES.md.
 */
#include "common/apart.clh"
#include "wavefront/wavefront_tile.clh"

/* Notes how far the end diagonal has come, and what follows from it. */
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
 * Whether this launch has anything to compute: not after the end is reached, and not where the
 * directions may have met, unless the host checks for that after each launch.
 */
static inline bool goes_on(__global const rhomb_wavefront_status *status,
                           const rhomb_launch *launch)
{
    if (status->met != 0 ||
        (launch->directions == 1 && status->front[0][launch->front].distance != RHOMB_UNSOLVED))
        return false;
    const rhomb_i64 together =
        (rhomb_i64)status->furthest[0][launch->turn] + (rhomb_i64)status->furthest[1][launch->turn];
    return launch->meets_later == 0 ||
           together << launch->far_shift < launch->query_length + launch->target_length;
}

/*
 * Copies what alternates, for the next launch; the first group of a launch does that. `complete`
 * stays where nothing is computed.
 */
static inline void hand_on(__global rhomb_wavefront_status *status, const rhomb_launch *launch,
                           const bool on)
{
    for (int direction = 0; direction < launch->directions; direction++)
        atomic_max(&status->furthest[direction][1 - launch->turn],
                   status->furthest[direction][launch->turn]);
    status->complete[1 - launch->turn] =
        on ? launch->start + launch->scores[0] : status->complete[launch->turn];
}

/* Whether the tile from diagonal `first` on stores the end diagonal: then it copies the front. */
static inline bool stores_end(const rhomb_launch *launch, const rhomb_i64 first)
{
    const rhomb_i64 end_diagonal = launch->target_length - launch->query_length;
    return end_diagonal >= first + RHOMB_TILE_SCORES &&
           end_diagonal < first + RHOMB_TILE_DIAGONALS - RHOMB_TILE_SCORES;
}

/*
 * Whether the tile from diagonal `first` on may matter in this launch, by its direction's bound so
 * far. The host lays launches out by the lesser bound of both, as it has read them.
 */
static inline bool may_matter(__global const rhomb_wavefront_status *status,
                              const rhomb_launch *launch, const int direction,
                              const rhomb_i64 first, const int steps)
{
    /* The sum of two directions' scores passes an odd bound by one before it is checked. */
    const rhomb_i64 bound = status->front[direction][launch->front].bound + launch->directions - 1;
    return launch->prune == 0 ||
           rhomb_tile_matters(first + RHOMB_TILE_SCORES,
                              first + RHOMB_TILE_DIAGONALS - 1 - RHOMB_TILE_SCORES,
                              launch->start + 1, launch->start + steps,
                              launch->target_length - launch->query_length, bound);
}

/*
 * Stores the slots of an item that are not lost to the margin, on the diagonals from k0 on after
 * `steps` scores. Returns the furthest antidiagonal; *reach is the end diagonal's offset, if it is
 * here.
 */
static inline rhomb_i64 store_slots(const rhomb_launch *launch, __global rhomb_off *to,
                                    const rhomb_off *f, const int p0, const rhomb_off k0,
                                    const int steps, const bool mirrored, rhomb_off *reach)
{
    const rhomb_i64 end_diagonal = launch->target_length - launch->query_length;
    const rhomb_off r = (rhomb_off)launch->start + steps;
    rhomb_i64 far = 0;
    RHOMB_ALL(c)
    {
        const int p = p0 + c;
        if (is_stored(p, steps)) {
            const rhomb_off k = mirrored ? -(k0 + c) : k0 + c;
            const rhomb_off limit = rhomb_furthest((rhomb_off)launch->query_length,
                                                   (rhomb_off)launch->target_length, k);
            const rhomb_off j = min(mirrored ? f[c] + k : f[c], limit);
            to[k - launch->origin] = j;
            if (k >= -r && k <= r)
                far = max(far, (rhomb_i64)j + (j - k));
            if (k == end_diagonal)
                *reach = j;
        }
    }
    return far;
}

/* Counts a tile that was computed, and how far it came: the furthest of its items. */
static inline void count_tile(__global rhomb_wavefront_status *status, const rhomb_launch *launch,
                              const int direction, const rhomb_i64 far, const member *self)
{
    uint units = (uint)((far + ((rhomb_i64)1 << launch->far_shift) - 1) >> launch->far_shift);
#if RHOMB_GROUP_SIZE > 1
    atomic_max(&self->shared->furthest, units);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (LANE != 0)
        return;
    units = self->shared->furthest;
#endif
    atomic_max(&status->furthest[direction][1 - launch->turn], units);
    atomic_inc(&status->tiles);
}

/*
 * Advances the tile from diagonal `first` on. `from` and `to` are the wavefronts of its direction,
 * from diagonal `origin` on; `owner`: it stores the end diagonal.
 */
static RHOMB_APART void advance_tile(__global const uint *query, __global const uint *target,
                                     __global const rhomb_off *from, __global rhomb_off *to,
                                     __global rhomb_wavefront_status *status,
                                     const rhomb_launch *launch, const int direction,
                                     const rhomb_i64 first, const int steps, const bool owner,
                                     RHOMB_LOCAL commons *shared)
{
    rhomb_matrix matrix = rhomb_matrix_of(query, target, launch, direction);
    rhomb_off f[RHOMB_ITEM_DIAGONALS + 2];
    bool mirrored;
    member self = tile_member(shared);
    const rhomb_off k0 = compute_tile(&matrix, from + (first - launch->origin), (rhomb_off)first,
                                      (rhomb_off)launch->start, steps, f, &mirrored, &self);
    rhomb_off reach = RHOMB_NO_OFFSET;
    const rhomb_i64 far =
        store_slots(launch, to, f, LANE * RHOMB_ITEM_DIAGONALS, k0, steps, mirrored, &reach);
    if (owner && reach != RHOMB_NO_OFFSET) {
        rhomb_front seen = status->front[direction][launch->front];
        observe(&seen, reach, launch->start + steps, launch->target_length);
        status->front[direction][1 - launch->front] = seen;
    }
    count_tile(status, launch, direction, far, &self);
}

/*
 * Advances the pyramid on the tiles of this launch: tile t of a direction has the
 * diagonals from first_diagonal + t * tile_pitch on. wavefront_a holds wavefront `start`,
 * wavefront_b is written. Both begin with diagonal `origin` and cover all diagonals of the launch's
 * tiles; the backward wavefronts follow.
 */
RHOMB_KERNEL
void rhomb_wavefront_advance(__global const uint *restrict query,
                             __global const uint *restrict target,
                             __global const rhomb_off *restrict wavefront_a,
                             __global rhomb_off *restrict wavefront_b,
                             __global rhomb_wavefront_status *restrict status,
                             const rhomb_launch launch)
{
    const int lane = (int)get_local_id(0);
    const rhomb_i64 group = (rhomb_i64)get_group_id(0);
    /* In 32 bits: with 64 a program of three planes takes 9 % longer on an H200. */
    const int direction = (int)((uint)group % (uint)launch.directions);
    const rhomb_i64 first = launch.first_diagonal +
                            tile_of(group / launch.directions, launch.tiles) * launch.tile_pitch;
    const int steps = direction == 0 ? launch.scores[0] : launch.scores[1];
    const bool on = goes_on(status, &launch);
    if (launch.leads != 0 && group == 0 && lane == 0)
        hand_on(status, &launch, on);

    const bool owner = stores_end(&launch, first);
    if (!on || !may_matter(status, &launch, direction, first, steps)) {
        if (owner && lane == 0)
            status->front[direction][1 - launch.front] = status->front[direction][launch.front];
        return;
    }
#if RHOMB_GROUP_SIZE > 1
    __local commons shared[1];
#else
    RHOMB_LOCAL commons *shared = 0;
#endif
    const rhomb_i64 at = direction * launch.wavefront_backward;
    advance_tile(query, target, wavefront_a + at, wavefront_b + at, status, &launch, direction,
                 first, steps, owner, shared);
}

/*
 * Checks whether the directions have met: the forward wavefront is at start + scores[0], the
 * backward one, after it, at start + scores[1]. With one direction, whether it has reached the end.
 * A group checks as many diagonals as a tile has.
 */
RHOMB_KERNEL
void rhomb_wavefront_meet(__global const rhomb_off *restrict wavefront,
                          __global rhomb_wavefront_status *restrict status,
                          const rhomb_launch launch)
{
    const rhomb_i64 end_diagonal = launch.target_length - launch.query_length;
    const rhomb_i64 a = launch.start + launch.scores[0], b = launch.start + launch.scores[1];
    /* The items of a group are adjacent, so that their loads are. */
    const rhomb_i64 first = launch.first_diagonal +
                            (rhomb_i64)get_group_id(0) * RHOMB_TILE_DIAGONALS +
                            (rhomb_i64)get_local_id(0);
    for (int c = 0; c < RHOMB_ITEM_DIAGONALS; c++) {
        const rhomb_i64 k = first + c * RHOMB_GROUP_SIZE, other = end_diagonal - k;
        const rhomb_i64 at = k - launch.origin, other_at = other - launch.origin;
        if (at < 0 || at >= launch.wavefront_backward || k < -a || k > a)
            continue;
        rhomb_i64 together = wavefront[at];
        if (launch.directions == 2) {
            if (other_at < 0 || other_at >= launch.wavefront_backward || other < -b || other > b)
                continue;
            together += wavefront[launch.wavefront_backward + other_at];
        } else if (k != end_diagonal) {
            continue;
        }
        if (together >= launch.target_length) {
            status->met = 1;
            atomic_min(&status->met_group, (uint)get_group_id(0));
        }
    }
}
