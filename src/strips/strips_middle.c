/* SPDX-License-Identifier: MIT */
/*
 * Where the two directions of a sweep meet, see strips.h: the least sum of both costs over the rows
 * of the middle column.
 */
#include "src/strips/strips.h"

#include "src/base/int64.h"
#include "src/strips/sliced.h"

/*
 * Whether a strip reached the middle column: then it has the vertical differences of that column.
 */
static bool touches_middle(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t direction,
                           int64_t g)
{
    const rhomb_strip *strip = &records[2 + 2 * g + direction];
    return strip->end_block > strip->first_block &&
           rhomb__strip_result(strip)->end == rhomb__sweep_last_block(sweep, direction);
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

/* One strip in the middle column. */
typedef struct middle {
    const uint32_t *down;
    rhomb__sliced_rows rows; /* the same of the bit-sliced step */
    bool sliced;
    int64_t top_cost;     /* at the upper edge of its first row ... */
    int32_t top_saves[2]; /* ... and what each piece of a horizontal gap there saves */
} middle;

static middle middle_of(const rhomb__sweep *sweep, const rhomb_strip *records, const uint32_t *down,
                        int64_t first_down, int64_t direction, int64_t g)
{
    const rhomb_strip_front *above = rhomb__strip_result(&records[2 * g + direction]);
    const int64_t words =
        sweep->strip_rows / RHOMB__WORD_ROWS * rhomb__shape_down_words(&sweep->shape);
    /* From where the strip above ended, its last row goes on with a gap. */
    const int64_t columns =
        RHOMB__BLOCK_COLUMNS * (rhomb__sweep_last_block(sweep, direction) - above->end);
    middle m = {.down = &down[words * (2 * (g - first_down) + direction)],
                .sliced = sweep->shape.sliced,
                .top_cost = above->score};
    if (m.sliced) {
        m.rows = rhomb__sliced_rows_of(&sweep->costs, m.down);
        m.top_cost += rhomb__sliced_run_on(&sweep->costs, above->end_saves, columns);
        rhomb__sliced_run_saves(&sweep->costs, above->end_saves, columns, m.top_saves);
    } else {
        m.top_cost += columns;
    }
    return m;
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
    if (m->sliced)
        return cost + rhomb__sliced_growth(&m->rows, 0, row);
    for (int64_t from = 0; from < row; from += RHOMB__WORD_ROWS) {
        const differences d = rows_at(m, from, rhomb__min(row - from, RHOMB__WORD_ROWS));
        cost += rhomb__count_bits(d.plus) - rhomb__count_bits(d.minus);
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
        const int64_t falls = rhomb__count_bits(f.minus) + rhomb__count_bits(b.plus);
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
        sum += rhomb__count_bits(f.plus) + rhomb__count_bits(b.minus) - falls;
        from += count;
        back -= count;
        row += count;
        rows -= count;
    }
}

/* What each piece of a horizontal gap saves at the upper edge of a strip's row. */
static int64_t saves_at(const middle *m, int64_t row, int piece)
{
    return row == 0 ? m->top_saves[piece] : rhomb__sliced_saves(&m->rows, row - 1, piece);
}

/*
 * The least cost of a path through a row of both strips, whose sum of costs is known: it may cross
 * the column within a horizontal gap, which is then opened only once.
 */
static int64_t crossing(const overlap *o, const rhomb__costs *costs, int64_t row, int64_t sum,
                        int32_t *gap)
{
    int64_t least = sum;
    *gap = RHOMB_GAP_NONE;
    for (int piece = 0; piece < costs->pieces; piece++) {
        const int64_t saves = saves_at(o->forward, o->from + row, piece) +
                              saves_at(o->backward, o->back - row, piece);
        if (sum + costs->open[piece] - saves >= least)
            continue;
        least = sum + costs->open[piece] - saves;
        *gap = piece == 0 ? RHOMB_GAP_D : RHOMB_GAP_D_2;
    }
    return least;
}

/* The cost at a row of a strip, where paths may be within a gap at no cost of opening. */
static int64_t cost_up_to(const middle *m, int64_t row, int32_t gap)
{
    const int64_t cost = cost_at(m, row);
    return gap == RHOMB_GAP_NONE ? cost : cost - saves_at(m, row, RHOMB_GAP_PIECE(gap));
}

/* least_meeting() of the bit-sliced step. */
static void least_crossing(const overlap *o, const rhomb__costs *costs,
                           rhomb__sweep_breakpoint *best)
{
    const int64_t most = costs->open[0] + costs->extend[0];
    const int64_t saved = rhomb__max(costs->open[0], costs->open[1]);
    int64_t sum = cost_at(o->forward, o->from) + cost_at(o->backward, o->back);
    for (int64_t at = 0; at <= o->rows; at += RHOMB__WORD_ROWS) {
        const int64_t count = rhomb__min(o->rows - at, RHOMB__WORD_ROWS);
        int64_t in_row = sum;
        for (int64_t i = 0; i <= count && sum - 2 * most * count - saved < best->cost; i++) {
            int32_t gap = RHOMB_GAP_NONE;
            const int64_t cost =
                in_row - saved < best->cost ? crossing(o, costs, at + i, in_row, &gap) : INT64_MAX;
            if (cost < best->cost) {
                best->cost = cost;
                best->row = o->row + at + i;
                best->gap = gap;
            }
            if (i < count)
                in_row += rhomb__sliced_growth(&o->forward->rows, o->from + at + i, 1) -
                          rhomb__sliced_growth(&o->backward->rows, o->back - at - i - 1, 1);
        }
        sum += rhomb__sliced_growth(&o->forward->rows, o->from + at, count) -
               rhomb__sliced_growth(&o->backward->rows, o->back - at - count, count);
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
        least = rhomb__min(least, cost_at(&m, bottom - g * sweep->strip_rows) +
                                      rhomb__costs_gap(&sweep->costs, sweep->rows - bottom));
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
        const int64_t cost_before = best.cost;
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
            if (sweep->shape.sliced)
                least_crossing(&o, &sweep->costs, &best);
            else
                least_meeting(&o, &best);
        }
        if (best.cost < cost_before)
            best.forward_cost = cost_up_to(&forward, best.row - top, best.gap);
    }
    return best;
}
