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

#include "rhomb/tuning.h"

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

#endif
