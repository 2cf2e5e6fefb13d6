/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine: strips of rows, the range of column blocks that a band
 * has in each, the launch in which each begins, and what the strips' sums say in the end. Pure
 * integer functions; cl/bitparallel.cl has a picture.
 *
 * Two directions. A *forward* sweep goes from the first column to the middle one, a *backward*
 * sweep of both sequences reversed from the last to the middle. The distance is the least sum of
 * the two costs over the rows of the middle column. A column takes its time however few rows the
 * band has, so two half sweeps side by side take half as long as a whole one. With one direction
 * the middle is the last column, and the backward costs are those of deleting the rest of the rows.
 *
 * The band is a profile: for each strip a range of blocks [first, end) that never moves left from
 * one strip to the next and overlaps the strip above, so that every strip starts from a value that
 * the strip above has computed. What a profile leaves out, paths cannot use; so its result is an
 * upper bound of the distance, and it is the distance when no cheaper path can leave the profile:
 * a path of cost U stays on the diagonals from -(U - K) / 2 to K + (U - K) / 2 (for K >= 0). That
 * band is the same for the reversed sequences.
 */
#ifndef RHOMB_SRC_STRIPS_H
#define RHOMB_SRC_STRIPS_H

#include "rhomb/rhomb.h"

#include "../cl/abi.h"

#define RHOMB__BLOCK_COLUMNS 16
#define RHOMB__WORD_ROWS     32

/*
 * The matrix, with as many equal symbols added at the end of both sequences that it has whole
 * blocks; that leaves the distance as it is. Strips 2 g and 2 g + 1 are strip g of the forward and
 * of the backward sweep.
 */
typedef struct rhomb__sweep {
    int64_t rows;       /* of the query, padded */
    int64_t columns;    /* of the target, padded: a multiple of RHOMB__BLOCK_COLUMNS */
    int64_t blocks[2];  /* of either sweep */
    int64_t strip_rows; /* of a strip: items * words * 32 */
    int64_t strips;     /* of one sweep */
    int64_t items;      /* of a group */
    int64_t steps;      /* that a launch does of each strip */
} rhomb__sweep;

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length, int64_t items,
                               int64_t words, int64_t steps, int directions);

/*
 * Fills out[0 .. 2 * sweep->strips) for the band of all diagonals that are at most `beside` away
 * from those between 0 and the end diagonal, and returns the number of launches.
 */
int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t beside, rhomb_strip *out);

/* How far a path of cost `bound` can leave the diagonals between 0 and `end`. */
int64_t rhomb__sweep_beside(int64_t end_diagonal, int64_t bound);

/* Launches in which a strip has steps to do, counted from its first_launch; 0 without blocks. */
int64_t rhomb__sweep_launches(const rhomb__sweep *sweep, const rhomb_strip *strip);

/* The strips [2 * first, 2 * end) are under way in a launch; both only grow with it. */
void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *strips, int64_t launch,
                         int64_t *first, int64_t *end);

/*
 * The least cost of a path through the band: from the strips' sums, and from `down`, the vertical
 * differences of all strips in the middle column (two words, plus and minus, for 32 rows).
 */
int64_t rhomb__sweep_cost(const rhomb__sweep *sweep, const rhomb_strip *strips,
                          const uint32_t *down);

/* Cells of a band, for reports. */
int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *strips);

#endif
