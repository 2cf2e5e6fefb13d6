/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine, see strips.h.
 */
#include "strips.h"

#include "int64.h"

int64_t rhomb__sweep_padding(int64_t target_length)
{
    return (RHOMB__BLOCK_COLUMNS - target_length % RHOMB__BLOCK_COLUMNS) % RHOMB__BLOCK_COLUMNS;
}

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length, int64_t items,
                               int64_t words, int64_t steps)
{
    const int64_t padding = rhomb__sweep_padding(target_length);
    rhomb__sweep sweep = {query_length + padding,
                          target_length + padding,
                          items * words * RHOMB__WORD_ROWS,
                          0,
                          items,
                          steps};
    sweep.strips = rhomb__ceil_div(sweep.rows, sweep.strip_rows);
    return sweep;
}

int64_t rhomb__sweep_beside(int64_t end_diagonal, int64_t bound)
{
    const int64_t least = end_diagonal < 0 ? -end_diagonal : end_diagonal;
    return rhomb__floor_div(bound - least, 2);
}

int64_t rhomb__sweep_launches(const rhomb__sweep *sweep, const rhomb_strip *strip)
{
    return rhomb__ceil_div(strip->end_block - strip->first_block + sweep->items - 1, sweep->steps);
}

/*
 * A strip reads block b of the row above in its step b - first; the strip above wrote it in its
 * step b - above_first + items - 1. The delay makes that an earlier launch for all b: with x the
 * difference of the two steps, floor((s + x) / K) < floor(s / K) + 1 + ceil(x / K).
 */
static int64_t delay(const rhomb__sweep *sweep, const rhomb_strip *above, const rhomb_strip *strip)
{
    const int64_t lag = strip->first_block - above->first_block + sweep->items - 1;
    return 1 + rhomb__ceil_div(lag, sweep->steps);
}

int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t beside, rhomb_strip *out)
{
    const int64_t end = sweep->columns - sweep->rows;
    const int64_t low = rhomb__min(end, 0) - beside, high = rhomb__max(end, 0) + beside;
    const int64_t blocks = sweep->columns / RHOMB__BLOCK_COLUMNS;
    int64_t launches = 0;
    for (int64_t g = 0; g < sweep->strips; g++) {
        const int64_t top = g * sweep->strip_rows;
        const int64_t bottom = rhomb__min(top + sweep->strip_rows, sweep->rows);
        rhomb_strip strip = {0};
        strip.first_block =
            rhomb__max(rhomb__floor_div(top + low, RHOMB__BLOCK_COLUMNS), INT64_C(0));
        strip.first_block = rhomb__min(strip.first_block, blocks - 1);
        strip.end_block = rhomb__min(rhomb__ceil_div(bottom + high, RHOMB__BLOCK_COLUMNS), blocks);
        strip.end_block = rhomb__max(strip.end_block, strip.first_block + 1);
        strip.above_end_block = g > 0 ? out[g - 1].end_block : 0;
        strip.score_end_block = strip.first_block;
        if (g > 0) {
            out[g - 1].score_end_block = strip.first_block;
            strip.first_launch = out[g - 1].first_launch + delay(sweep, &out[g - 1], &strip);
        }
        out[g] = strip;
        launches = rhomb__max(launches, strip.first_launch + rhomb__sweep_launches(sweep, &strip));
    }
    return launches;
}

/*
 * Strip 0 begins at column 0 with the value 0 at its top; going down a strip's left edge costs one
 * a row; along its last row bottom_sum leads to where the strip below begins. The last strip's top
 * row leads to the last column, and from there last_rows_sum down to the last row.
 */
int64_t rhomb__sweep_score(const rhomb__sweep *sweep, const rhomb_strip *strips,
                           int64_t last_rows_sum)
{
    int64_t corner = strips[0].first_block * RHOMB__BLOCK_COLUMNS;
    for (int64_t g = 0; g + 1 < sweep->strips; g++)
        corner += sweep->strip_rows + strips[g].bottom_sum;
    return corner + strips[sweep->strips - 1].top_sum + last_rows_sum;
}

int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *strips)
{
    int64_t blocks = 0;
    for (int64_t g = 0; g < sweep->strips; g++)
        blocks += strips[g].end_block - strips[g].first_block;
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}
