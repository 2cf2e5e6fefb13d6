/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine: strips of rows, the range of column blocks that a band
 * has in each, the launch in which each begins, and what the strips' sums say in the end. Pure
 * integer functions; cl/bitparallel/bitparallel.cl has a picture.
 *
 * Two directions. A *forward* sweep goes from the first column to the middle one, a *backward*
 * sweep of both sequences reversed from the last to the middle. The distance is the least sum of
 * the two costs over the rows of the middle column. A column takes its time however few rows the
 * band has, so two half sweeps side by side take half as long as a whole one. With one direction
 * the middle is the last column, and the backward costs are those of deleting the rest of the rows.
 *
 * The band is a profile: for each strip a range of blocks. Every path of cost U stays on the
 * diagonals from -(U - K) / 2 to K + (U - K) / 2 (for K >= 0), the same band for the reversed
 * sequences; rhomb__sweep_band() makes the time table for it. While the sweep runs, the kernel
 * narrows the band: a strip's last row says which of its vertices have a score that, with the least
 * cost of the rest, is within U, and the strip below begins and ends accordingly
 * (cl/bitparallel/bitparallel.clh has the argument). The time table stays as it is, so that nothing
 * is read.
 *
 * What a profile leaves out, paths cannot use; so the cost that comes out is the cost of a path, an
 * upper bound of the distance. And where it is at most U it is the distance: a path of cost U at
 * most has all its vertices in the profile. Where it is more, the distance is more than U.
 */
#ifndef RHOMB_SRC_STRIPS_H
#define RHOMB_SRC_STRIPS_H

#include <stdbool.h>

#include "rhomb/rhomb.h"

#include "cl/abi.h"

#define RHOMB__BLOCK_COLUMNS 16
#define RHOMB__WORD_ROWS     32

/* What a group does. */
typedef struct rhomb__strip_shape {
    int64_t items; /* of a strip: work-items, or lanes of a vector */
    int64_t words; /* of 32 rows, of an item */
    int64_t lag;   /* blocks by which the last item is behind the first */
    int64_t steps; /* blocks that a launch does of each strip */
} rhomb__strip_shape;

/*
 * The matrix, with as many equal symbols added at the end of both sequences that it has whole
 * blocks; that leaves the distance as it is. Strips 2 g and 2 g + 1 are strip g of the forward and
 * of the backward sweep.
 */
typedef struct rhomb__sweep {
    rhomb__strip_shape shape;
    int64_t rows;       /* of the query, padded */
    int64_t columns;    /* of the target, padded: a multiple of RHOMB__BLOCK_COLUMNS */
    int64_t blocks[2];  /* of either sweep */
    int64_t strip_rows; /* of a strip: items * words * 32 */
    int64_t strips;     /* of one sweep */
} rhomb__sweep;

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length,
                               const rhomb__strip_shape *shape, int directions);

/* Records that a sweep needs: two above the strips, then strip i at 2 + i. */
int64_t rhomb__sweep_records(const rhomb__sweep *sweep);

/*
 * Fills the records for paths of cost `bound` at most, and returns the number of launches. bound is
 * at least |columns - rows|.
 */
int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t bound, rhomb_strip *records);

/* What a band takes, before it is narrowed. */
typedef struct rhomb__sweep_extent {
    int64_t launches;
    int64_t strip_blocks; /* blocks of all strips */
} rhomb__sweep_extent;

/* That of the band that rhomb__sweep_band() makes. */
rhomb__sweep_extent rhomb__sweep_measure(const rhomb__sweep *sweep, int64_t bound);

/* How far a path of cost `bound` can leave the diagonals between 0 and `end`. */
int64_t rhomb__sweep_beside(int64_t end_diagonal, int64_t bound);

/* The largest bound whose paths leave them by `beside` at most. */
int64_t rhomb__sweep_bound(int64_t end_diagonal, int64_t beside);

/* The strips [2 * first, 2 * end) are under way in a launch; both only grow with it. */
void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch,
                         int64_t *first, int64_t *end);

/* How far a strip came, once its launches are done. */
const rhomb_strip_front *rhomb__strip_result(const rhomb_strip *strip);

/* Whether that can be: it is within the strip, and scores move by at most one a column and a row.
 */
bool rhomb__strip_is_sound(const rhomb__sweep *sweep, const rhomb_strip *strip);

/*
 * The strips [2 * first, 2 * end) are all whose vertical differences rhomb__sweep_cost() needs;
 * first == end where a direction did not get to the middle column.
 */
void rhomb__sweep_middle(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t *first,
                         int64_t *end);

/* Where a path crosses the middle column. */
typedef struct rhomb__sweep_meeting {
    int64_t cost;         /* of the path; INT64_MAX where nothing met */
    int64_t row;          /* the first with that cost; -1 with one direction */
    int64_t forward_cost; /* up to there; -1 with one direction */
} rhomb__sweep_meeting;

/*
 * The least cost of a path through what was swept, and where it crosses the middle: from the
 * records as the kernel left them, and from `down`, the vertical differences in the middle column
 * (two words, plus and minus, for 32 rows) of the strips from 2 * first_down on.
 */
rhomb__sweep_meeting rhomb__sweep_cost(const rhomb__sweep *sweep, const rhomb_strip *records,
                                       const uint32_t *down, int64_t first_down);

/* Columns of a direction that a path within the bound may have got through, at most. */
int64_t rhomb__sweep_reach(const rhomb__sweep *sweep, const rhomb_strip *records);

/* Cells that were swept, or, before the sweep, of the whole band; for reports. */
int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *records);
int64_t rhomb__sweep_band_cells(const rhomb__sweep *sweep, const rhomb_strip *records);

#endif
