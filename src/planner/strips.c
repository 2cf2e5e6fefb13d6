/* SPDX-License-Identifier: MIT */
/*
 * The geometry of the bit-parallel engine, see strips.h.
 */
#include "src/planner/strips.h"

#include "src/base/int64.h"

/* Far below any room that a path has. */
#define NO_ROOM (INT64_MIN / 4)

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length,
                               const rhomb__strip_shape *shape, int directions)
{
    const int64_t columns =
        rhomb__ceil_div(target_length, RHOMB__BLOCK_COLUMNS) * RHOMB__BLOCK_COLUMNS;
    const int64_t blocks = columns / RHOMB__BLOCK_COLUMNS;
    const int64_t forward = directions == 2 ? rhomb__ceil_div(blocks, 2) : blocks;
    rhomb__sweep sweep = {.shape = *shape,
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

int64_t rhomb__sweep_beside(int64_t end_diagonal, int64_t bound)
{
    const int64_t least = end_diagonal < 0 ? -end_diagonal : end_diagonal;
    return rhomb__floor_div(bound - least, 2);
}

int64_t rhomb__sweep_bound(int64_t end_diagonal, int64_t beside)
{
    const int64_t least = end_diagonal < 0 ? -end_diagonal : end_diagonal;
    return least + 2 * beside + 1;
}

/* The block after the last one of a direction: the middle, if there are two directions. */
static int64_t last_block(const rhomb__sweep *sweep, int64_t direction)
{
    return sweep->blocks[0] + direction * sweep->blocks[1];
}

/*
 * Row 0, as if a strip above had ended there. Its score grows by one per column, so the room to the
 * right is the same throughout.
 */
static rhomb_strip row_0(const rhomb__sweep *sweep, int64_t direction, int64_t bound)
{
    const int64_t begin = direction * sweep->blocks[0];
    const rhomb_strip_front front = {begin, 0, bound - (sweep->columns - sweep->rows), begin, 0};
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
static void set_times(const rhomb__sweep *sweep, const rhomb_strip *above, rhomb_strip *strip)
{
    const rhomb__strip_shape *shape = &sweep->shape;
    const int64_t blocks = strip->end_block - strip->first_block;
    strip->last_launch = -1;
    strip->above_last_launch = above->last_launch;
    strip->first_step = above->first_step;
    if (blocks == 0)
        return;
    strip->first_step += strip->first_block - above->first_block + shape->lag + shape->steps;
    strip->last_launch = (strip->first_step + blocks + shape->lag - 1) / shape->steps;
}

/* The diagonals that paths of cost `bound` stay on. */
typedef struct diagonals {
    int64_t low;
    int64_t high;
} diagonals;

static diagonals band_of(const rhomb__sweep *sweep, int64_t bound)
{
    const int64_t end = sweep->columns - sweep->rows;
    const int64_t beside = rhomb__sweep_beside(end, bound);
    const diagonals band = {rhomb__min(end, 0) - beside, rhomb__max(end, 0) + beside};
    return band;
}

int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t bound, rhomb_strip *records)
{
    const diagonals band = band_of(sweep, bound);
    int64_t launches = 0;
    for (int64_t i = 0; i < rhomb__sweep_records(sweep); i++) {
        const int64_t direction = i % 2, g = i / 2 - 1;
        if (g < 0) {
            records[i] = row_0(sweep, direction, bound);
            continue;
        }
        rhomb_strip strip = {0}, *above = &records[i - 2];
        set_blocks(sweep, direction, g, band.low, band.high, &strip);
        set_times(sweep, above, &strip);
        const rhomb_strip_front front = {RHOMB_NO_BLOCK, 0, NO_ROOM, strip.first_block, 0};
        strip.front[0] = strip.front[1] = front;
        strip.first_item = (direction * sweep->strips + g) * sweep->shape.items;
        strip.slack = bound - strip.corner;
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
            set_times(sweep, &above, &strip);
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

void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch,
                         int64_t *first, int64_t *end)
{
    const rhomb_strip *strips = records + 2;
    while (*end < sweep->strips && (has_begun(sweep, &strips[2 * *end], launch) ||
                                    has_begun(sweep, &strips[2 * *end + 1], launch)))
        ++*end;
    while (*first < *end && strips[2 * *first].last_launch < launch &&
           strips[2 * *first + 1].last_launch < launch)
        ++*first;
}

const rhomb_strip_front *rhomb__strip_result(const rhomb_strip *strip)
{
    return &strip->front[strip->last_launch & 1];
}

bool rhomb__strip_is_sound(const rhomb__sweep *sweep, const rhomb_strip *strip)
{
    const rhomb_strip_front *front = rhomb__strip_result(strip);
    const int64_t most = sweep->rows + sweep->columns + sweep->strip_rows;
    const bool begun = front->begin != RHOMB_NO_BLOCK;
    return front->end >= strip->first_block && front->end <= strip->end_block &&
           front->score >= 0 && front->score <= most && front->room <= 2 * most &&
           (!begun || (front->begin >= strip->first_block && front->begin < front->end &&
                       front->begin_score >= 0 && front->begin_score <= most));
}

/*
 * Whether a strip reached the middle column: then it has the vertical differences of that column.
 */
static bool touches_middle(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t direction,
                           int64_t g)
{
    const rhomb_strip *strip = &records[2 + 2 * g + direction];
    return strip->end_block > strip->first_block &&
           rhomb__strip_result(strip)->end == last_block(sweep, direction);
}

void rhomb__sweep_middle(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t *first,
                         int64_t *end)
{
    const int64_t directions = sweep->blocks[1] > 0 ? 2 : 1;
    *first = sweep->strips;
    *end = 0;
    for (int64_t direction = 0; direction < directions; direction++) {
        bool any = false;
        for (int64_t g = 0; g < sweep->strips; g++) {
            if (!touches_middle(sweep, records, direction, g))
                continue;
            any = true;
            *first = rhomb__min(*first, g);
            *end = rhomb__max(*end, g + 1);
        }
        if (!any) {
            *first = *end = 0;
            return;
        }
    }
}

/* The vertical differences of one strip in the middle column. */
typedef struct middle {
    const uint32_t *down;
    int64_t top_cost; /* at the upper edge of its first row */
} middle;

static middle middle_of(const rhomb__sweep *sweep, const rhomb_strip *records, const uint32_t *down,
                        int64_t first_down, int64_t direction, int64_t g)
{
    const rhomb_strip_front *above = rhomb__strip_result(&records[2 * g + direction]);
    const int64_t words = sweep->strip_rows / RHOMB__WORD_ROWS;
    /* From where the strip above ended, its last row continues at +1 per column. */
    const middle m = {&down[2 * words * (2 * (g - first_down) + direction)],
                      above->score +
                          RHOMB__BLOCK_COLUMNS * (last_block(sweep, direction) - above->end)};
    return m;
}

static int64_t count_bits(uint32_t word)
{
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return word * 0x01010101u >> 24;
}

/* The differences of 32 rows, the first in the lowest bit. */
typedef struct differences {
    uint32_t plus;
    uint32_t minus;
} differences;

/* Those of the strip's rows [from, from + count), at most 32; the others are 0. */
static differences rows_at(const middle *m, int64_t from, int64_t count)
{
    const int64_t word = from / RHOMB__WORD_ROWS, bit = from % RHOMB__WORD_ROWS;
    const uint32_t mask = count >= RHOMB__WORD_ROWS ? UINT32_MAX : (UINT32_C(1) << count) - 1;
    uint64_t plus = m->down[2 * word], minus = m->down[2 * word + 1];
    if (bit + count > RHOMB__WORD_ROWS) {
        plus |= (uint64_t)m->down[2 * word + 2] << 32;
        minus |= (uint64_t)m->down[2 * word + 3] << 32;
    }
    const differences d = {(uint32_t)(plus >> bit) & mask, (uint32_t)(minus >> bit) & mask};
    return d;
}

/* The cost at the strip's row `row`; row 0 is the upper edge of its first row. */
static int64_t cost_at(const middle *m, int64_t row)
{
    int64_t cost = m->top_cost;
    for (int64_t from = 0; from < row; from += RHOMB__WORD_ROWS) {
        const differences d = rows_at(m, from, rhomb__min(row - from, RHOMB__WORD_ROWS));
        cost += count_bits(d.plus) - count_bits(d.minus);
    }
    return cost;
}

/* Where two strips may meet: row `from` of the forward strip is row `back` of the backward one. */
typedef struct overlap {
    const middle *forward;
    const middle *backward;
    int64_t from;
    int64_t back;
    int64_t rows; /* that both share from there on, downwards in the forward strip */
    int64_t row;  /* the row of the matrix that `from` is */
} overlap;

/*
 * The first row with the least sum of both costs, if that is below best->cost. Most words of rows
 * cannot go below it, so their rows are not examined one by one.
 */
static void least_meeting(const overlap *o, rhomb__sweep_breakpoint *best)
{
    int64_t from = o->from, back = o->back, row = o->row;
    int64_t sum = cost_at(o->forward, from) + cost_at(o->backward, back);
    if (sum < best->cost) {
        best->cost = sum;
        best->row = row;
    }
    for (int64_t rows = o->rows; rows > 0;) {
        const int64_t count = rhomb__min(rows, RHOMB__WORD_ROWS);
        const differences f = rows_at(o->forward, from, count);
        const differences b = rows_at(o->backward, back - count, count);
        const int64_t falls = count_bits(f.minus) + count_bits(b.plus);
        int64_t in_row = sum;
        for (int64_t i = 0; i < count && sum - falls < best->cost; i++) {
            in_row += (int64_t)(f.plus >> i & 1) - (int64_t)(f.minus >> i & 1);
            in_row -= (int64_t)(b.plus >> (count - 1 - i) & 1);
            in_row += (int64_t)(b.minus >> (count - 1 - i) & 1);
            if (in_row < best->cost) {
                best->cost = in_row;
                best->row = row + i + 1;
            }
        }
        sum += count_bits(f.plus) + count_bits(b.minus) - falls;
        from += count;
        back -= count;
        row += count;
        rows -= count;
    }
}

/* One direction: the remaining rows of the last column are deleted. */
static int64_t least_alone(const rhomb__sweep *sweep, const rhomb_strip *records,
                           const uint32_t *down, int64_t first_down)
{
    int64_t least = INT64_MAX;
    for (int64_t g = first_down; g < sweep->strips; g++) {
        if (!touches_middle(sweep, records, 0, g))
            continue;
        const middle m = middle_of(sweep, records, down, first_down, 0, g);
        const int64_t bottom = rhomb__min((g + 1) * sweep->strip_rows, sweep->rows);
        least =
            rhomb__min(least, cost_at(&m, bottom - g * sweep->strip_rows) + sweep->rows - bottom);
    }
    return least;
}

rhomb__sweep_breakpoint rhomb__sweep_cost(const rhomb__sweep *sweep, const rhomb_strip *records,
                                          const uint32_t *down, int64_t first_down)
{
    const int64_t height = sweep->strip_rows;
    int64_t first = 0, end = 0;
    rhomb__sweep_breakpoint best = {.cost = INT64_MAX, .row = -1, .forward_cost = -1};
    rhomb__sweep_middle(sweep, records, &first, &end);
    if (sweep->blocks[1] == 0) {
        best.cost = least_alone(sweep, records, down, first_down);
        return best;
    }
    for (int64_t g = first; g < end; g++) {
        if (!touches_middle(sweep, records, 0, g))
            continue;
        const middle forward = middle_of(sweep, records, down, first_down, 0, g);
        const int64_t top = g * height, bottom = rhomb__min(top + height, sweep->rows);
        const int64_t row_before = best.row;
        /* Backward strip h has the rows from rows - (h + 1) * height to rows - h * height. */
        const int64_t least = rhomb__max((sweep->rows - bottom) / height - 1, first);
        for (int64_t h = rhomb__min((sweep->rows - top) / height, end - 1); h >= least; h--) {
            const int64_t low = rhomb__max(top, sweep->rows - (h + 1) * height);
            const int64_t high = rhomb__min(bottom, sweep->rows - h * height);
            if (low > high || !touches_middle(sweep, records, 1, h))
                continue;
            const middle backward = middle_of(sweep, records, down, first_down, 1, h);
            const overlap o = {.forward = &forward,
                               .backward = &backward,
                               .from = low - top,
                               .back = sweep->rows - low - h * height,
                               .rows = high - low,
                               .row = low};
            least_meeting(&o, &best);
        }
        if (best.row != row_before)
            best.forward_cost = cost_at(&forward, best.row - top);
    }
    return best;
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

int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    int64_t blocks = 0;
    for (int64_t i = 0; i < 2 * sweep->strips; i++)
        blocks += swept_blocks(records, i);
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}

int64_t rhomb__sweep_band_cells(const rhomb__sweep *sweep, const rhomb_strip *records)
{
    int64_t blocks = 0;
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++)
        blocks += records[i].end_block - records[i].first_block;
    return blocks * RHOMB__BLOCK_COLUMNS * sweep->strip_rows;
}
