/* SPDX-License-Identifier: MIT */
/*
 * The pairs of a matrix in their order: those of the lower triangle, or of the rectangle of two
 * sets, of which the first `columns` sequences are one; 0: there is one set.
 */
#ifndef RHOMB_HOST_MATRIX_CELLS_H
#define RHOMB_HOST_MATRIX_CELLS_H

#include "host/batch/batch_set.h"

/* The pairs of a row. */
static inline int64_t rhomb__matrix_width(int64_t columns, int64_t row)
{
    return columns == 0 ? row : row < columns ? 0 : columns;
}

/* The number of the first pair of a row: that of all pairs for the row after the last. */
static inline int64_t rhomb__matrix_row_begin(int64_t columns, int64_t row)
{
    return columns == 0 ? rhomb_matrix_pair(row, 0) : (row - columns) * columns;
}

/* The pair of a number. */
static inline rhomb__batch_cell rhomb__matrix_cell(int64_t columns, int64_t pair)
{
    rhomb__batch_cell c = {columns == 0 ? 1 : columns, 0};
    while (rhomb__matrix_row_begin(columns, c.row + 1) <= pair)
        c.row++;
    c.column = pair - rhomb__matrix_row_begin(columns, c.row);
    return c;
}

static inline rhomb__batch_cell rhomb__matrix_next(int64_t columns, rhomb__batch_cell c)
{
    return c.column + 1 < rhomb__matrix_width(columns, c.row)
               ? (rhomb__batch_cell){c.row, c.column + 1}
               : (rhomb__batch_cell){c.row + 1, 0};
}

#endif
