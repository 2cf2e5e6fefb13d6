/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine: strips of rows, the range of column blocks that a band
 * has in each, and the launch in which each begins. Pure integer functions; cl/bitparallel.cl has a
 * picture.
 *
 * The band is a profile: for each strip a range of blocks [first, end) that never moves left from
 * one strip to the next and overlaps the strip above, so that every strip starts from a value that
 * the strip above has computed. What a profile leaves out, paths cannot use; so its result is an
 * upper bound of the distance, and it is the distance when no cheaper path can leave the profile:
 * a path of cost U stays on the diagonals from -(U - K) / 2 to K + (U - K) / 2 (for K >= 0).
 */
#ifndef RHOMB_SRC_STRIPS_H
#define RHOMB_SRC_STRIPS_H

#include "rhomb/rhomb.h"

#include "../cl/abi.h"

#define RHOMB__BLOCK_COLUMNS 16
#define RHOMB__WORD_ROWS     32

/* Both sequences with as many equal symbols added to either that whole blocks result. */
typedef struct rhomb__sweep {
    int64_t rows;       /* of the query, padded */
    int64_t columns;    /* of the target, padded: a multiple of RHOMB__BLOCK_COLUMNS */
    int64_t strip_rows; /* of a strip: items * words * 32 */
    int64_t strips;
    int64_t items; /* of a group */
    int64_t steps; /* that a launch does of each strip */
} rhomb__sweep;

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length, int64_t items,
                               int64_t words, int64_t steps);

/* Symbols that both sequences get at their ends. Equal ones leave the distance as it is. */
int64_t rhomb__sweep_padding(int64_t target_length);

/*
 * Fills out[0 .. sweep->strips) for the band of all diagonals that are at most `beside` away from
 * those between 0 and the end diagonal, and returns the number of launches.
 */
int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t beside, rhomb_strip *out);

/* How far a path of cost `bound` can leave the diagonals between 0 and `end`; negative: not at all.
 */
int64_t rhomb__sweep_beside(int64_t end_diagonal, int64_t bound);

/* Launches in which a strip has steps to do, counted from its first_launch. */
int64_t rhomb__sweep_launches(const rhomb__sweep *sweep, const rhomb_strip *strip);

/*
 * The cost at the matrix's end: from the strips' sums, and `last_rows_sum`, the vertical
 * differences of the last strip's rows down to the last row, in the last column.
 */
int64_t rhomb__sweep_score(const rhomb__sweep *sweep, const rhomb_strip *strips,
                           int64_t last_rows_sum);

/* Cells of a band, for reports: 32 rows by 16 columns a block and word. */
int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *strips);

#endif
