/* SPDX-License-Identifier: MIT */
/*
 * The strips of sweeps side by side, see strips_shape.h.
 */
#include "src/strips/strips_shape.h"

#include "src/base/int64.h"
#include "src/strips/strips_many.h"

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
