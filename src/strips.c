/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine, see strips.h.
 */
#include "strips.h"

#include "int64.h"

#include <stdbool.h>

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length, int64_t items,
                               int64_t words, int64_t steps, int directions)
{
    const int64_t columns =
        rhomb__ceil_div(target_length, RHOMB__BLOCK_COLUMNS) * RHOMB__BLOCK_COLUMNS;
    const int64_t blocks = columns / RHOMB__BLOCK_COLUMNS;
    const int64_t forward = directions == 2 ? rhomb__ceil_div(blocks, 2) : blocks;
    rhomb__sweep sweep = {.rows = query_length + columns - target_length,
                          .columns = columns,
                          .blocks = {forward, blocks - forward},
                          .strip_rows = items * words * RHOMB__WORD_ROWS,
                          .items = items,
                          .steps = steps};
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
    const int64_t blocks = strip->end_block - strip->first_block;
    return blocks > 0 ? rhomb__ceil_div(blocks + sweep->items - 1, sweep->steps) : 0;
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

/* The blocks of one direction that diagonals [low, high] have in strip g: an empty range at the
 * end. */
static void set_blocks(const rhomb__sweep *sweep, int64_t blocks, int64_t g, int64_t low,
                       int64_t high, rhomb_strip *strip)
{
    const int64_t top = g * sweep->strip_rows;
    const int64_t bottom = rhomb__min(top + sweep->strip_rows, sweep->rows);
    const int64_t first = rhomb__floor_div(top + low, RHOMB__BLOCK_COLUMNS);
    const int64_t end = rhomb__ceil_div(bottom + high, RHOMB__BLOCK_COLUMNS);
    strip->first_block = rhomb__min(rhomb__max(first, 0), blocks);
    strip->end_block = rhomb__max(rhomb__min(end, blocks), strip->first_block);
}

int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t beside, rhomb_strip *out)
{
    const int64_t end = sweep->columns - sweep->rows;
    const int64_t low = rhomb__min(end, 0) - beside, high = rhomb__max(end, 0) + beside;
    int64_t launches = 0;
    for (int64_t i = 0; i < 2 * sweep->strips; i++) {
        const int64_t direction = i % 2, g = i / 2;
        /* The backward sweep's rows and blocks lie behind those of the forward sweep. */
        const int64_t offset = direction * sweep->blocks[0];
        rhomb_strip strip = {0};
        set_blocks(sweep, sweep->blocks[direction], g, low, high, &strip);
        strip.first_item = (direction * sweep->strips + g) * sweep->items;
        strip.first_block += offset;
        strip.end_block += offset;
        strip.above_end_block = offset;
        if (g > 0) {
            rhomb_strip *above = &out[i - 2];
            above->score_end_block = strip.first_block;
            strip.above_end_block = above->end_block;
            if (strip.end_block > strip.first_block)
                strip.first_launch = above->first_launch + delay(sweep, above, &strip);
        }
        out[i] = strip;
        launches = rhomb__max(launches, strip.first_launch + rhomb__sweep_launches(sweep, &strip));
    }
    return launches;
}

/* Strips without blocks, which are the last ones of a direction, never begin. */
static bool has_begun(const rhomb_strip *strip, int64_t launch)
{
    return strip->end_block > strip->first_block && strip->first_launch <= launch;
}

void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *strips, int64_t launch,
                         int64_t *first, int64_t *end)
{
    while (*end < sweep->strips &&
           (has_begun(&strips[2 * *end], launch) || has_begun(&strips[2 * *end + 1], launch)))
        ++*end;
    while (*first < *end) {
        const rhomb_strip *pair = &strips[2 * *first];
        if (pair[0].first_launch + rhomb__sweep_launches(sweep, &pair[0]) > launch ||
            pair[1].first_launch + rhomb__sweep_launches(sweep, &pair[1]) > launch)
            break;
        ++*first;
    }
}

/* The costs of one direction in the middle column, walked along row by row. */
typedef struct walker {
    const uint32_t *down;
    int64_t strip_words;
    int64_t direction; /* 2: no sweep, the rows alone */
    int64_t begin;     /* rows [begin, end] have costs */
    int64_t end;
    int64_t row;
    int64_t cost;
} walker;

/* The difference of row `row` (1-based) to the row above. */
static int64_t difference(const walker *w, int64_t row)
{
    if (w->direction == 2)
        return 1;
    const int64_t word = (row - 1) / RHOMB__WORD_ROWS, bit = (row - 1) % RHOMB__WORD_ROWS;
    const int64_t strip = 2 * (word / w->strip_words) + w->direction;
    const uint32_t *pair = &w->down[2 * (strip * w->strip_words + word % w->strip_words)];
    return (int64_t)(pair[0] >> bit & 1) - (int64_t)(pair[1] >> bit & 1);
}

static void walk_to(walker *w, int64_t row)
{
    for (; w->row < row; w->row++)
        w->cost += difference(w, w->row + 1);
    for (; w->row > row; w->row--)
        w->cost -= difference(w, w->row);
}

/*
 * Strip 0 begins with the value 0 at its top left corner; going down a strip's left edge costs one
 * a row; along its last row bottom_sum leads to where the strip below begins. Of the first strip
 * that touches the middle column, top_sum leads there.
 */
static walker start_walk(const rhomb__sweep *sweep, const rhomb_strip *strips, const uint32_t *down,
                         int64_t direction)
{
    walker w = {down, sweep->strip_rows / RHOMB__WORD_ROWS, direction, 0, sweep->rows, 0, 0};
    if (sweep->blocks[direction] == 0) {
        w.direction = 2;
        return w;
    }
    const int64_t middle = sweep->blocks[0] + direction * sweep->blocks[1];
    int64_t g = 0;
    for (; strips[2 * g + direction].end_block < middle; g++)
        w.cost += sweep->strip_rows + strips[2 * g + direction].bottom_sum;
    w.cost += strips[2 * g + direction].top_sum;
    w.begin = w.row = g * sweep->strip_rows;
    while (g + 1 < sweep->strips && strips[2 * g + 2 + direction].first_block < middle)
        g++;
    w.end = rhomb__min((g + 1) * sweep->strip_rows, sweep->rows);
    return w;
}

int64_t rhomb__sweep_cost(const rhomb__sweep *sweep, const rhomb_strip *strips,
                          const uint32_t *down)
{
    walker forward = start_walk(sweep, strips, down, 0);
    walker backward = start_walk(sweep, strips, down, 1);
    const int64_t begin = rhomb__max(forward.begin, sweep->rows - backward.end);
    const int64_t end = rhomb__min(forward.end, sweep->rows - backward.begin);
    int64_t least = INT64_MAX;
    for (int64_t row = begin; row <= end; row++) {
        walk_to(&forward, row);
        walk_to(&backward, sweep->rows - row);
        least = rhomb__min(least, forward.cost + backward.cost);
    }
    return least;
}

int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *strips)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * sweep->strips; i++)
        blocks += strips[i].end_block - strips[i].first_block;
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}
