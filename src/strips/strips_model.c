/* SPDX-License-Identifier: MIT */
/* The time of launches, see strips_model.h. */
#include "src/strips/strips_model.h"

#include "src/base/int64.h"
#include "src/strips/strips_many.h"

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
    const int64_t diagonals = 2 * rhomb__costs_beside(&sweep->costs, end, bound) + apart;
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
