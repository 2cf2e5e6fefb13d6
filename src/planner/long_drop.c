/* SPDX-License-Identifier: MIT */
/*
 * Where an extension with a z-drop stops, see long_drop.h.
 */
#include "src/planner/long_drop.h"

#include "src/scoring/costs.h"

rhomb__long_drop rhomb__long_drop_begin(void)
{
    return (rhomb__long_drop){.looked_at = 1};
}

void rhomb__long_drop_take(rhomb__long_drop *d, const rhomb_scoring *scoring, int64_t z_drop,
                           int64_t score, int64_t row)
{
    const int64_t each = rhomb__scoring_extend(scoring);
    if (d->dropped)
        return;
    const int64_t column = ++d->looked_at - row;
    const int64_t rows = row - d->row, columns = column - d->column;
    if (score > d->score) {
        d->score = score;
        d->row = row;
        d->column = column;
    } else if (rows >= 0 && columns >= 0) {
        const int64_t beside = rows > columns ? rows - columns : columns - rows;
        d->dropped = d->score - score > z_drop + beside * each;
    }
}
