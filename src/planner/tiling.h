/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the pyramid: which diagonals matter in which wavefronts, which tiles cover them,
 * and which wavefronts are complete after a launch. Pure integer functions.
 * cl/wavefront/wavefront.cl and cl/wavefront/wavefront_diamond.cl have pictures of the two tile
 * shapes, and say what a tile reads and writes.
 *
 * Launches. A launch of trapezoids starts from wavefront r0 and stores wavefront r0 + T; the first
 * one starts from wavefront -1 (see wavefront.clh), and T may change from one launch to the next. A
 * launch of diamonds starts from wavefront r0 = -T, 0, T, ... and goes to r0 + 2 T at its tiles'
 * middles; even and odd launches lie W - T diagonals apart, so together they leave no gap: after a
 * launch all wavefronts up to r0 + T are complete. Diamonds lie on a fixed grid; trapezoids begin
 * where the window begins. Backward wavefronts have the same geometry as forward ones.
 */
#ifndef RHOMB_SRC_TILING_H
#define RHOMB_SRC_TILING_H

#include "cl/abi.h"
#include "rhomb/tuning.h"
#include "src/scoring/costs.h"

typedef struct rhomb__tiling {
    rhomb_tile_shape shape; /* never RHOMB_TILE_AUTO */
    int64_t diagonals;      /* W: diagonals that a tile holds */
    int64_t scores;         /* T: scores that a launch advances by; W > 2 T */
    int64_t query_length;   /* m */
    int64_t target_length;  /* n */
    bool pruning;
} rhomb__tiling;

/* The diagonals [low, high]; none when low > high. */
typedef struct rhomb__window {
    int64_t low;
    int64_t high;
} rhomb__window;

typedef struct rhomb__launch {
    int64_t start; /* r0: the wavefront that the launch starts from; negative before wavefront 0 */
    int64_t complete;       /* after the launch, all wavefronts up to this one are complete */
    int64_t first_diagonal; /* of tile 0 */
    int64_t pitch;          /* from one tile to the next */
    int64_t tiles;          /* may be 0 */
    bool stores_end;        /* one of its tiles stores the end diagonal */
} rhomb__launch;

/*
 * The diagonals that matter anywhere in the wavefronts [first, last] when the distance is at most
 * `bound`: |k| <= r, -m <= k <= n and, with pruning, |k - K| <= bound - r.
 */
rhomb__window rhomb__window_of(const rhomb__tiling *tiling, int64_t first, int64_t last,
                               int64_t bound);

/*
 * The same for all wavefronts from `first` to the bound: what memory may have to hold from there
 * on.
 */
rhomb__window rhomb__window_from(const rhomb__tiling *tiling, int64_t first, int64_t bound);

/* The wavefront that the first launch starts from. */
int64_t rhomb__first_start(const rhomb__tiling *tiling);

/* The launch that starts from a wavefront, with the tiles that the bound leaves. */
rhomb__launch rhomb__launch_at(const rhomb__tiling *tiling, int64_t start, int64_t bound);

/* The diagonals that the tiles of a launch touch, including the neighbours that they look at. */
rhomb__window rhomb__launch_reach(const rhomb__tiling *tiling, const rhomb__launch *launch);

/* The cells that a tile contributes, without the margins of a trapezoid. */
int64_t rhomb__tile_cells(const rhomb__tiling *tiling);

/*
 * The number of wavefront cells that each bound on the distance saved. Cells are counted as tiles
 * compute them. The launches that the device came to are counted as laid out without a bound, with
 * the limit, and as they were computed in the end.
 */

/* The second bound is credited with what it left out beyond the first. */
typedef struct rhomb__savings {
    int64_t limit;    /* the caller's limit */
    int64_t diagonal; /* what device and host learnt from the end diagonal */
} rhomb__savings;

#define RHOMB__NO_BOUND INT64_MAX

/* Launches that were enqueued one after the other. */
typedef struct rhomb__launch_series {
    rhomb__tiling tiling;
    int64_t directions;
    int64_t start; /* the wavefront that the first launch starts from */
    int64_t limit; /* the bound by which launches are laid out, or RHOMB__NO_BOUND */
} rhomb__launch_series;

/*
 * Adds the savings of the launches that start before wavefront `end`, of which `cells` were
 * computed. Visits each launch up to there, so the caller has to know that `end` lies within the
 * stretch.
 */
void rhomb__savings_add(rhomb__savings *savings, const rhomb__launch_series *stretch, int64_t end,
                        int64_t cells);

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
