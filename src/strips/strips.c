/* SPDX-License-Identifier: MIT */
/*
 * The geometry of sweeps, see strips.h. What becomes of the two directions in the middle column is
 * in strips_middle.c.
 */
#include "src/strips/strips.h"

#include "src/base/int64.h"
#include "src/strips/sliced.h"

/* Far below any room that a path has. */
#define NO_ROOM (INT64_MIN / 4)

int64_t rhomb__shape_down_words(const rhomb__strip_shape *shape)
{
    return shape->sliced ? rhomb__sliced_state_words(&shape->costs) : 2;
}

int64_t rhomb__shape_border_words(const rhomb__strip_shape *shape)
{
    return shape->sliced ? rhomb__sliced_border_words(&shape->costs) : 1;
}

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length,
                               const rhomb__strip_shape *shape, int directions)
{
    const int64_t columns =
        rhomb__ceil_div(target_length, RHOMB__BLOCK_COLUMNS) * RHOMB__BLOCK_COLUMNS;
    const int64_t blocks = columns / RHOMB__BLOCK_COLUMNS;
    const int64_t forward = directions == 2 ? rhomb__ceil_div(blocks, 2) : blocks;
    rhomb__sweep sweep = {.shape = *shape,
                          .costs = shape->sliced ? shape->costs : rhomb__costs_edit(),
                          .rows = query_length + columns - target_length,
                          .columns = columns,
                          .blocks = {forward, blocks - forward},
                          .strip_rows = shape->items * shape->words * RHOMB__WORD_ROWS};
    sweep.strips = rhomb__ceil_div(sweep.rows, sweep.strip_rows);
    return sweep;
}

int64_t rhomb__sweep_records(const rhomb__sweep *sweep)
{
    return 2 + 2 * sweep->strips;
}

int64_t rhomb__sweep_last_block(const rhomb__sweep *sweep, int64_t direction)
{
    return sweep->blocks[0] + direction * sweep->blocks[1];
}

/*
 * What a path within the bound may cost by the scores of a direction. Where it ends within a gap
 * that was not opened, the score of a vertex within this gap may have its opening besides.
 */
static int64_t most_of(const rhomb__sweep *sweep, int64_t direction, int64_t bound)
{
    return rhomb__max(bound, sweep->follow) +
           rhomb__costs_of_opening(&sweep->costs, sweep->gaps[1 - direction]);
}

/*
 * Row 0, as if a strip above had ended there. Its score grows by an extension per column, so the
 * room to the right is largest at its beginning. A gap that paths begin within goes on from there.
 */
static rhomb_strip row_0(const rhomb__sweep *sweep, int64_t direction, int64_t bound)
{
    const int64_t most = most_of(sweep, direction, bound);
    const int64_t begin = direction * sweep->blocks[0];
    const int64_t extend = rhomb__costs_least_extend(&sweep->costs);
    const int32_t gap = sweep->gaps[direction];
    rhomb_strip_front front = {.begin = begin,
                               .room = most - extend * (sweep->columns - sweep->rows),
                               .end = begin,
                               .limit = RHOMB_NO_BLOCK};
    if (gap != RHOMB_GAP_NONE) {
        int32_t *saves = RHOMB_GAP_IS_I(gap) ? front.begin_saves : front.end_saves;
        saves[RHOMB_GAP_PIECE(gap)] = (int32_t)rhomb__costs_of_opening(&sweep->costs, gap);
    }
    const rhomb_strip above = {.front = {front, front},
                               .first_block = begin,
                               .end_block = begin,
                               .first_step = -sweep->shape.steps - sweep->shape.lag,
                               .last_launch = -1};
    return above;
}

/*
 * The blocks of a direction that diagonals [low, high] have in strip g; an empty range at the end.
 * A block has the vertices from its left edge on. So a path that leaves a strip at a block's
 * left edge has that block in both strips, even if the band is a single diagonal.
 */
static void set_blocks(const rhomb__sweep *sweep, int64_t direction, int64_t g, int64_t low,
                       int64_t high, rhomb_strip *strip)
{
    /* The backward sweep's blocks follow those of the forward sweep. */
    const int64_t offset = direction * sweep->blocks[0], blocks = sweep->blocks[direction];
    const int64_t top = g * sweep->strip_rows;
    const int64_t bottom = rhomb__min(top + sweep->strip_rows, sweep->rows);
    const int64_t first = rhomb__floor_div(top + low, RHOMB__BLOCK_COLUMNS);
    const int64_t end = rhomb__floor_div(bottom + high, RHOMB__BLOCK_COLUMNS) + 1;
    strip->first_block = offset + rhomb__min(rhomb__max(first, 0), blocks);
    strip->end_block = rhomb__max(offset + rhomb__min(end, blocks), strip->first_block);
    strip->corner =
        offset * RHOMB__BLOCK_COLUMNS + top + sweep->strip_rows + sweep->columns - sweep->rows;
}

/*
 * When a strip begins. In step first_step + b - first_block it reads block b of the row above,
 * which the strip above wrote in its step first_step + b - first_block + lag. A launch has `steps`
 * steps: a difference of that many makes it an earlier launch.
 */
static void set_times(const rhomb__sweep *sweep, int64_t g, const rhomb_strip *above,
                      rhomb_strip *strip)
{
    const rhomb__strip_shape *shape = &sweep->shape;
    const int64_t blocks = strip->end_block - strip->first_block;
    strip->last_launch = -1;
    strip->above_last_launch = above->last_launch;
    strip->first_step = above->first_step;
    if (blocks == 0)
        return;
    const int64_t travel = rhomb__strip_begins_chunk(&sweep->chunks, g) ? sweep->chunks.travel : 0;
    strip->first_step +=
        strip->first_block - above->first_block + shape->lag + (1 + travel) * shape->steps;
    strip->last_launch = (strip->first_step + blocks + shape->lag - 1) / shape->steps;
}

/* The diagonals that paths of cost `bound` stay on; gaps may begin and end with no opening. */
typedef struct diagonals {
    int64_t low;
    int64_t high;
} diagonals;

static diagonals band_of(const rhomb__sweep *sweep, int64_t bound)
{
    const int64_t end = sweep->columns - sweep->rows;
    const int64_t opened = bound + rhomb__costs_of_opening(&sweep->costs, sweep->gaps[0]) +
                           rhomb__costs_of_opening(&sweep->costs, sweep->gaps[1]);
    const int64_t half_width = rhomb__costs_half_width(&sweep->costs, end, opened);
    const diagonals band = {rhomb__min(end, 0) - half_width, rhomb__max(end, 0) + half_width};
    return band;
}

int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t bound, rhomb_strip *records)
{
    const diagonals band = band_of(sweep, bound);
    const int64_t extend = rhomb__costs_least_extend(&sweep->costs);
    int64_t launches = 0;
    for (int64_t i = 0; i < rhomb__sweep_records(sweep); i++) {
        const int64_t direction = i % 2, g = i / 2 - 1;
        if (g < 0) {
            records[i] = row_0(sweep, direction, bound);
            continue;
        }
        rhomb_strip strip = {0}, *above = &records[i - 2];
        set_blocks(sweep, direction, g, band.low, band.high, &strip);
        set_times(sweep, g, above, &strip);
        const rhomb_strip_front front = {.begin = RHOMB_NO_BLOCK,
                                         .room = NO_ROOM,
                                         .end = strip.first_block,
                                         .limit = RHOMB_NO_BLOCK};
        strip.front[0] = strip.front[1] = front;
        strip.first_item = (direction * sweep->strips + g) * sweep->shape.items;
        strip.slack = most_of(sweep, direction, bound) - extend * strip.corner;
        above->below_first_block = strip.first_block;
        records[i] = strip;
        launches = rhomb__max(launches, strip.last_launch + 1);
    }
    return launches;
}

rhomb__sweep_extent rhomb__sweep_measure(const rhomb__sweep *sweep, int64_t bound)
{
    const diagonals band = band_of(sweep, bound);
    rhomb__sweep_extent extent = {0, 0};
    for (int64_t direction = 0; direction < 2; direction++) {
        rhomb_strip above = row_0(sweep, direction, bound);
        for (int64_t g = 0; g < sweep->strips; g++) {
            rhomb_strip strip = {0};
            set_blocks(sweep, direction, g, band.low, band.high, &strip);
            set_times(sweep, g, &above, &strip);
            extent.launches = rhomb__max(extent.launches, strip.last_launch + 1);
            extent.strip_blocks += strip.end_block - strip.first_block;
            above = strip;
        }
    }
    return extent;
}

/* Strips without blocks, the last ones of a direction, never begin. */
static bool has_begun(const rhomb__sweep *sweep, const rhomb_strip *strip, int64_t launch)
{
    return strip->end_block > strip->first_block &&
           strip->first_step < (launch + 1) * sweep->shape.steps;
}

/* Whether strip g or the backward sweep's has begun. */
static bool is_under_way(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t g,
                         int64_t launch)
{
    return has_begun(sweep, &records[2 + 2 * g], launch) ||
           has_begun(sweep, &records[3 + 2 * g], launch);
}

/* Whether both are done. */
static bool is_over(const rhomb_strip *records, int64_t g, int64_t launch)
{
    return records[2 + 2 * g].last_launch < launch && records[3 + 2 * g].last_launch < launch;
}

void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch,
                         int64_t *first, int64_t *end)
{
    while (*end < sweep->strips && is_under_way(sweep, records, *end, launch))
        ++*end;
    while (*first < *end && is_over(records, *first, launch))
        ++*first;
}

const rhomb_strip_front *rhomb__strip_result(const rhomb_strip *strip)
{
    return &strip->front[strip->last_launch & 1];
}

bool rhomb__strip_is_sound(const rhomb__sweep *sweep, const rhomb_strip *strip)
{
    const rhomb_strip_front *front = rhomb__strip_result(strip);
    const int64_t first_base = sweep->costs.open[0] + sweep->costs.extend[0];
    const int64_t open = rhomb__max(sweep->costs.open[0], sweep->costs.open[1]);
    const int64_t most = first_base * (sweep->rows + sweep->columns + sweep->strip_rows) + open;
    const bool begun = front->begin != RHOMB_NO_BLOCK;
    return front->end >= strip->first_block && front->end <= strip->end_block &&
           front->score >= 0 && front->score <= most && front->room <= 2 * most &&
           (!begun || (front->begin >= strip->first_block && front->begin < front->end &&
                       front->begin_score >= 0 && front->begin_score <= most));
}

/* The blocks that strip i has swept. */
static int64_t swept_blocks(const rhomb_strip *records, int64_t i)
{
    const int64_t begin = rhomb__strip_result(&records[i])->begin;
    return rhomb__max(rhomb__strip_result(&records[i + 2])->end - begin, 0);
}

int64_t rhomb__sweep_reach(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * sweep->strips; i++) {
        const int64_t end = rhomb__strip_result(&records[i + 2])->end;
        if (swept_blocks(records, i) > 0)
            blocks = rhomb__max(blocks, end - i % 2 * sweep->blocks[0]);
    }
    return blocks * RHOMB__BLOCK_COLUMNS;
}

/* Stretches of a direction whose rates are compared, at least and at most. */
#define LEAST_STRETCHES 4
#define MOST_STRETCHES  16

/* The cost of a direction's strips at the median rate; -1 where they are too few. */
static int64_t expected_of(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t direction)
{
    int64_t growth[MOST_STRETCHES], strips = 0, before = 0;
    while (strips < sweep->strips && swept_blocks(records, 2 * strips + direction) > 0)
        strips++;
    const int64_t count = rhomb__min(strips, MOST_STRETCHES);
    if (count < LEAST_STRETCHES)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        const int64_t last = (i + 1) * strips / count - 1;
        const int64_t score = rhomb__strip_result(&records[2 + 2 * last + direction])->score;
        int64_t at = i;
        for (; at > 0 && growth[at - 1] > score - before; at--)
            growth[at] = growth[at - 1];
        growth[at] = score - before;
        before = score;
    }
    return rhomb__max(growth[count / 2], 0) * count;
}

int64_t rhomb__sweep_expected(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    const int64_t forward = expected_of(sweep, records, 0);
    const int64_t backward = sweep->blocks[1] > 0 ? expected_of(sweep, records, 1) : 0;
    return forward < 0 || backward < 0 ? -1 : forward + backward;
}

int64_t rhomb__sweep_cells_of(const rhomb__sweep *sweep, const rhomb_strip *records, int32_t owner)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * sweep->strips; i++)
        blocks += rhomb__strip_owner(&sweep->chunks, i / 2) == owner ? swept_blocks(records, i) : 0;
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}

int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    int64_t cells = 0;
    for (int32_t owner = 0; owner < rhomb__max(sweep->chunks.owners, 1); owner++)
        cells += rhomb__sweep_cells_of(sweep, records, owner);
    return cells;
}

int64_t rhomb__sweep_band_cells(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    int64_t blocks = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++)
        blocks += records[i].end_block - records[i].first_block;
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}

bool rhomb__chunks_are_shared(const rhomb__strip_chunks *chunks)
{
    return chunks->owners > 1;
}

/* The strips of a turn: of the first `owners` owners. */
static int64_t strips_of_turn(const rhomb__strip_chunks *chunks, int32_t owners)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < owners; i++)
        sum += chunks->strips[i];
    return sum;
}

static int64_t turn_of(const rhomb__strip_chunks *chunks)
{
    return strips_of_turn(chunks, chunks->owners);
}

int32_t rhomb__strip_owner(const rhomb__strip_chunks *chunks, int64_t g)
{
    int32_t owner = 0;
    if (!rhomb__chunks_are_shared(chunks))
        return 0;
    const int64_t at = g % turn_of(chunks);
    while (at >= strips_of_turn(chunks, owner + 1))
        owner++;
    return owner;
}

bool rhomb__strip_begins_chunk(const rhomb__strip_chunks *chunks, int64_t g)
{
    return g > 0 && rhomb__chunks_are_shared(chunks) &&
           rhomb__strip_owner(chunks, g) != rhomb__strip_owner(chunks, g - 1);
}

int64_t rhomb__strips_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g)
{
    if (!rhomb__chunks_are_shared(chunks))
        return g;
    const int64_t turn = turn_of(chunks), before = strips_of_turn(chunks, owner);
    const int64_t own = chunks->strips[owner];
    return g / turn * own + rhomb__min(rhomb__max(g % turn - before, 0), own);
}

int64_t rhomb__strip_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index)
{
    if (!rhomb__chunks_are_shared(chunks))
        return index;
    const int64_t own = chunks->strips[owner];
    return index / own * turn_of(chunks) + strips_of_turn(chunks, owner) + index % own;
}

int64_t rhomb__border_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index)
{
    return index * turn_of(chunks) + strips_of_turn(chunks, owner + 1) - 1;
}

int64_t rhomb__borders_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g,
                             int64_t strips)
{
    if (!rhomb__chunks_are_shared(chunks))
        return 0;
    /* The last strip of all is no border: none is below it. */
    const int64_t end = rhomb__min(g, strips - 1);
    const int64_t first = rhomb__border_of_owner(chunks, owner, 0);
    return end <= first ? 0 : rhomb__ceil_div(end - first, turn_of(chunks));
}
