/* SPDX-License-Identifier: MIT */
/*
 * The geometry of affine wavefronts (cl/affine/affine.clh): what a score looks back to, the
 * diagonals that matter, tiles, and the scores at which two directions that share a known cost
 * meet. Pure integer functions.
 *
 * Where to meet. Let a path cost U, and let v be its last vertex that the forward direction has
 * paid with at most h. What comes next costs at most LOOKBACK, so v has paid more than h -
 * LOOKBACK, and the backward direction pays the rest of U. If v is within a gap whose first base
 * costs c, the next base costs an extension e, so v has paid more than h - e, and the backward
 * direction pays the opening once more. With h = (U + c - 1) / 2, rounded down, and U + c - 1 - h
 * for the other direction, c = LOOKBACK outside of gaps, all of these scores are still in the
 * slots. Such a point exists for one of the kinds: take v for LOOKBACK's h. If it is within a gap,
 * go back along the path to the last vertex that has paid at most that gap's smaller h: that is
 * within the gap, or before it, and then it has paid more than LOOKBACK's h - LOOKBACK.
 */
#ifndef RHOMB_SRC_AFFINE_TILING_H
#define RHOMB_SRC_AFFINE_TILING_H

#include "cl/abi.h"
#include "src/planner/tiling.h"
#include "src/scoring/costs.h"

/* Tiles that are listed at a time, about: 3.5 MiB. */
#define RHOMB__AFFINE_LISTED_TILES (INT64_C(1) << 16)

/* The shape of tiles for some costs. */
typedef struct rhomb__affine_shape {
    rhomb__costs costs;
    int64_t diagonals; /* of a tile, with both margins */
    int64_t scores;    /* of a launch, at most; no fewer than costs look back, and two more */
} rhomb__affine_shape;

/* The scores of M that a score looks back, and whether tiles can hold so many. */
int64_t rhomb__affine_lookback(const rhomb__costs *costs);
bool rhomb__affine_can(const rhomb__costs *costs);

/*
 * Offsets that a direction keeps of a diagonal in memory; and those of them that a tile keeps in
 * memory of its own, where groups have what they hold in registers.
 */
int64_t rhomb__affine_slots(const rhomb__costs *costs);
int64_t rhomb__affine_rows(const rhomb__costs *costs, bool in_groups);

/* The diagonals of a tile on either side that a launch cannot store. */
int64_t rhomb__affine_margin(const rhomb__affine_shape *shape);

/*
 * The diagonals of a direction (0 forward, 1 backward) that matter to a launch of the scores
 * [first, last], and to those that its slots have from before, for paths that cost at most `bound`:
 * those that can be reached, and from which the end can be reached. The window may be empty: low >
 * high. Lengths and gaps are those of `range`.
 */
rhomb__window rhomb__affine_window(const rhomb__costs *costs, const rhomb_subproblem *range,
                                   int direction, int64_t first, int64_t last, int64_t bound);

/* Tiles for a window, and where one of them begins: `rank` counts from the middle outwards. */
int64_t rhomb__affine_tiles(const rhomb__affine_shape *shape, rhomb__window window);
int64_t rhomb__affine_tile_first(const rhomb__affine_shape *shape, rhomb__window window,
                                 int64_t rank);

/*
 * Stages of a meeting, one for each piece of a gap and then one outside of gaps, with growing
 * scores; the scores of both directions in a stage, for a cost above two times what costs look
 * back.
 */
int rhomb__affine_stages(const rhomb__costs *costs);
void rhomb__affine_until(const rhomb__costs *costs, int64_t cost, int stage, int64_t until[2]);

/* The piece of the gaps of a stage, from 1 on; 0: outside of gaps. */
int rhomb__affine_stage_part(const rhomb__costs *costs, int stage);

/*
 * The breakpoint of a point's key (cl/abi.h), for a direction that stopped at `until`: the offset
 * is the device's.
 */
typedef struct rhomb__affine_breakpoint {
    int64_t target;
    int64_t query;
    int64_t cost; /* of what comes before, without the opening of a gap that goes on */
    int32_t gap;
} rhomb__affine_breakpoint;

rhomb__affine_breakpoint rhomb__affine_breakpoint_of(const rhomb__costs *costs,
                                                     const rhomb_affine_point *point,
                                                     int64_t origin, int64_t cost);

/* The cells of both directions up to a sum of scores, about. */
double rhomb__affine_cells(const rhomb__costs *costs, double sum);

#endif
