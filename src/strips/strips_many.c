/* SPDX-License-Identifier: MIT */
/*
 * Several sweeps in one, see strips_many.h.
 */
#include "src/strips/strips_many.h"

#include "src/base/int64.h"

/* A shorter target cannot be split well, because the middle is at a block's edge. */
#define LEAST_TARGET (4 * RHOMB__BLOCK_COLUMNS)

bool rhomb__sweep_swaps(const rhomb__costs *costs, int64_t target_length)
{
    return rhomb__costs_are_edit(costs) && target_length < LEAST_TARGET;
}

bool rhomb__sweep_can(const rhomb__costs *costs, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length;
    if (rhomb__costs_are_edit(costs))
        return true;
    return n >= LEAST_TARGET &&
           (subproblem->end_gap == RHOMB_GAP_NONE || n % RHOMB__BLOCK_COLUMNS == 0);
}

rhomb__sweep rhomb__sweep_of(const rhomb_subproblem *subproblem, const rhomb__strip_shape *shape)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const rhomb__costs costs = shape->sliced ? shape->costs : rhomb__costs_edit();
    const bool swaps = rhomb__sweep_swaps(&costs, n);
    rhomb__sweep sweep = rhomb__sweep_make(swaps ? m : n, swaps ? n : m, shape, 2);
    sweep.gaps[0] = subproblem->begin_gap;
    sweep.gaps[1] = subproblem->end_gap;
    return sweep;
}

rhomb__sweep_totals rhomb__shares_lay_out(rhomb__sweep_share *shares, int64_t count)
{
    rhomb__sweep_totals all = {0, 0, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        rhomb__sweep_share *share = &shares[i];
        share->first_block = all.blocks;
        share->first_item = all.items;
        share->first_record = all.records;
        all.blocks += share->sweep.blocks[0] + share->sweep.blocks[1];
        all.items += 2 * share->sweep.strips * share->sweep.shape.items;
        all.records += rhomb__sweep_records(&share->sweep);
    }
    all.strips = rhomb__max(all.records - 2, 0);
    return all;
}

/* The window that holds a base and those after it, in the forward copy. */
static int64_t upwards(int64_t base)
{
    return RHOMB_PAD_SYMBOLS + base;
}

/* The window that holds a base and those before it, in the reversed copy. */
static int64_t downwards(const rhomb__share_side *side, int64_t base)
{
    return side->copy_symbols + RHOMB_PAD_SYMBOLS + side->whole - 1 - base;
}

/*
 * The backward sweep begins with the matching symbols that were added at the ends. A unit of rows
 * is its last symbol's window in the copy of the other direction, see cl/common/pack.cl.
 */
void rhomb__share_ranges(const rhomb__sweep_share *share, const rhomb__share_side *columns_from,
                         const rhomb__share_side *rows_from, rhomb_pack_range rows[2],
                         rhomb_pack_range columns[2])
{
    const rhomb__sweep *sweep = &share->sweep;
    const int64_t words = sweep->shape.words, added = sweep->columns - columns_from->length;
    const int64_t first_row = rows_from->at, last_row = first_row + sweep->rows - 1;
    const int64_t first_column = columns_from->at;
    const int64_t last_column = first_column + sweep->columns - 1;
    const rhomb_pack_range forward_rows = {
        .first_unit = share->first_item * words,
        .window = downwards(rows_from, first_row + RHOMB__WORD_ROWS - 1),
        .end = rows_from->length,
        .from_query = rows_from->from_query};
    const rhomb_pack_range backward_rows = {
        .first_unit = (share->first_item + sweep->strips * sweep->shape.items) * words,
        .window = upwards(last_row - (RHOMB__WORD_ROWS - 1)),
        .begin = added,
        .end = sweep->rows,
        .from_query = rows_from->from_query};
    const rhomb_pack_range forward_columns = {.first_unit = share->first_block,
                                              .window = upwards(first_column),
                                              .end = columns_from->length,
                                              .from_query = columns_from->from_query};
    const rhomb_pack_range backward_columns = {.first_unit = share->first_block + sweep->blocks[0],
                                               .window = downwards(columns_from, last_column),
                                               .begin = added,
                                               .end = sweep->columns,
                                               .from_query = columns_from->from_query};
    rows[0] = forward_rows;
    rows[1] = backward_rows;
    columns[0] = forward_columns;
    columns[1] = backward_columns;
}

/*
 * Rooms, scores and the bound do not depend on the place: they are about distances between
 * vertices.
 */
static void move_records(const rhomb__sweep *sweep, int64_t blocks, int64_t items,
                         rhomb_strip *records)
{
    const int64_t extend = rhomb__costs_least_extend(&sweep->costs);
    for (int64_t i = 0; i < rhomb__sweep_records(sweep); i++) {
        rhomb_strip *strip = &records[i];
        for (int f = 0; f < 2; f++) {
            if (strip->front[f].begin != RHOMB_NO_BLOCK)
                strip->front[f].begin += blocks;
            strip->front[f].end += blocks;
        }
        strip->first_block += blocks;
        strip->end_block += blocks;
        strip->below_first_block += blocks;
        strip->first_item += items;
        strip->corner += blocks * RHOMB__BLOCK_COLUMNS;
        strip->slack -= extend * blocks * RHOMB__BLOCK_COLUMNS;
    }
}

void rhomb__share_band(rhomb__sweep_share *share, int64_t bound, rhomb_strip *records)
{
    rhomb_strip *own = records + share->first_record;
    share->launches = rhomb__sweep_band(&share->sweep, bound, own);
    move_records(&share->sweep, share->first_block, share->first_item, own);
}

void rhomb__share_take_out(const rhomb__sweep_share *share, rhomb_strip *records)
{
    move_records(&share->sweep, -share->first_block, -share->first_item,
                 records + share->first_record);
}

/* The first launch in which strip i has steps; its last one is known. */
static int64_t first_launch(const rhomb_strip *strip, int64_t steps)
{
    return rhomb__floor_div(strip->first_step, steps);
}

/* Strips without blocks never begin, nor do the records above a sweep's first strips. */
static bool has_launches(const rhomb_strip *strip)
{
    return strip->end_block > strip->first_block && strip->last_launch >= 0;
}

void rhomb__shares_count(const rhomb_strip *records, int64_t strips, int64_t steps,
                         int64_t launches, int64_t *counts)
{
    for (int64_t l = 0; l < launches; l++)
        counts[l] = 0;
    for (int64_t i = 0; i < strips; i++) {
        const rhomb_strip *strip = &records[i + 2];
        if (!has_launches(strip))
            continue;
        counts[first_launch(strip, steps)]++;
        if (strip->last_launch + 1 < launches)
            counts[strip->last_launch + 1]--;
    }
    for (int64_t l = 1; l < launches; l++)
        counts[l] += counts[l - 1];
}

void rhomb__shares_list(const rhomb_strip *records, int64_t strips, int64_t steps, int64_t first,
                        int64_t end, const int64_t *counts, int64_t *ends, uint32_t *listed)
{
    int64_t before = 0;
    for (int64_t l = first; l < end; l++) {
        ends[l - first] = before; /* so far; each listed strip advances it */
        before += counts[l];
    }
    for (int64_t i = 0; i < strips; i++) {
        const rhomb_strip *strip = &records[i + 2];
        if (!has_launches(strip))
            continue;
        const int64_t last = rhomb__min(strip->last_launch, end - 1);
        for (int64_t l = rhomb__max(first_launch(strip, steps), first); l <= last; l++)
            listed[ends[l - first]++] = (uint32_t)i;
    }
}

/*
 * What a launch takes besides on each device of several: two small kernels, a read and a write.
 * Sharing has to gain a PAYS-th of the time of a launch.
 */
#define EXCHANGE_SECONDS 50e-6
#define PAYS             10

/* By how many blocks a strip follows the one above in a wide band. */
static int64_t blocks_apart(const rhomb__sweep *sweep)
{
    return sweep->strip_rows / RHOMB__BLOCK_COLUMNS + sweep->shape.lag + sweep->shape.steps;
}

int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound)
{
    const int64_t end = sweep->columns - sweep->rows, apart = end < 0 ? -end : end;
    const int64_t diagonals = 2 * rhomb__costs_half_width(&sweep->costs, end, bound) + apart;
    const int64_t blocks = rhomb__min(diagonals / RHOMB__BLOCK_COLUMNS, sweep->blocks[0]);
    return blocks / blocks_apart(sweep);
}

bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         const rhomb__strip_chunks *chunks, double step_seconds)
{
    const double steps = (double)sweep->shape.steps, least = steps * step_seconds;
    const double cells = (double)in_flight * (sweep->blocks[1] > 0 ? 2 : 1) *
                         (double)sweep->strip_rows * steps * RHOMB__BLOCK_COLUMNS;
    const double alone = cells / speeds[0] > least ? cells / speeds[0] : least;
    double turn = 0, shared = least;
    for (int32_t i = 0; i < chunks->owners; i++)
        turn += (double)chunks->strips[i];
    for (int32_t i = 0; i < chunks->owners; i++) {
        const double busy = cells * (double)chunks->strips[i] / (turn * speeds[i]);
        shared = busy > shared ? busy : shared;
    }
    return chunks->owners > 1 && in_flight >= chunks->owners &&
           (shared + EXCHANGE_SECONDS) * (1 + 1.0 / PAYS) < alone;
}

int64_t rhomb__chunk_strips(const rhomb__sweep *sweep, int32_t owners, int64_t in_flight)
{
    const double launches = (double)blocks_apart(sweep) / (double)sweep->shape.steps;
    int64_t strips = 1;
    while ((double)(strips * strips) * launches * owners <
           2.0 * RHOMB__BORDER_TRAVEL * (double)in_flight)
        strips++;
    return strips;
}

rhomb__strip_chunks rhomb__chunks_for(const rhomb__sweep *sweep, const double *speeds,
                                      int32_t owners, int64_t in_flight)
{
    const double strips = (double)rhomb__chunk_strips(sweep, owners, in_flight) * owners;
    rhomb__strip_chunks chunks = {.owners = owners, .travel = RHOMB__BORDER_TRAVEL};
    double sum = 0;
    for (int32_t i = 0; i < owners; i++)
        sum += speeds[i];
    for (int32_t i = 0; i < owners; i++)
        chunks.strips[i] = rhomb__max((int64_t)(strips * speeds[i] / sum + 0.5), 1);
    return chunks;
}

#define LEAST_STEPS 16
#define MOST_STEPS  256

int64_t rhomb__sweeps_mean_rows(const rhomb__sweep_list *list, const rhomb__costs *costs)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const rhomb_split_pair *pair = &list->subproblems[i].pair;
        rows += rhomb__sweep_swaps(costs, pair->target_length) ? pair->target_length
                                                               : pair->query_length;
    }
    return rows / rhomb__max(list->count, 1);
}

double rhomb__sweeps_seconds(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                             const rhomb__strip_shape *shape)
{
    const double units = (double)rhomb__max(rates->units, 1);
    int64_t launches = 0;
    double blocks = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const rhomb_subproblem *subproblem = &list->subproblems[i];
        const rhomb__sweep sweep = rhomb__sweep_of(subproblem, shape);
        const rhomb__sweep_extent extent = rhomb__sweep_measure(&sweep, subproblem->pair.distance);
        launches = rhomb__max(launches, extent.launches);
        blocks += (double)extent.strip_blocks;
    }
    if (launches == 0)
        return 0;
    const double groups = blocks / ((double)launches * (double)shape->steps * units);
    const double busy = (double)shape->items * groups + rates->full_items / 2.0;
    const double least = (double)rhomb__max(shape->items, rates->full_items);
    const double cells = (double)(shape->words * RHOMB__WORD_ROWS * RHOMB__BLOCK_COLUMNS) *
                         (busy > least ? busy : least);
    const double step = rates->hand_over_seconds + cells * units / rates->cells_per_second;
    return (double)launches * (rates->launch_seconds + (double)shape->steps * step);
}

double rhomb__sweeps_choose_steps(const rhomb__sweep_rates *rates, const rhomb__sweep_list *list,
                                  rhomb__strip_shape *shape)
{
    rhomb__strip_shape tried = *shape;
    double least = -1;
    for (tried.steps = LEAST_STEPS; tried.steps <= MOST_STEPS; tried.steps *= 2) {
        const double seconds = rhomb__sweeps_seconds(rates, list, &tried);
        if (least < 0 || seconds < least) {
            least = seconds;
            *shape = tried;
        }
    }
    return least;
}
