/* SPDX-License-Identifier: MIT */
/* What a solved task reports, see task.h. */
#include "host/engines/task.h"

#include "rhomb/identity.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

#include <string.h>

void rhomb__shares_publish(const rhomb__solution *solution, rhomb__shares *shares,
                           rhomb_report *report)
{
    memcpy(shares->each, solution->shares, sizeof shares->each);
    for (int32_t i = 0; i < RHOMB_MOST_DEVICES; i++)
        shares->pointers[i] = &shares->each[i];
    report->share_count = solution->share_count;
    report->shares = shares->pointers;
}

void rhomb__task_fill_report(const rhomb__task *task, const rhomb__solution *solution,
                             rhomb_report *report)
{
    const int64_t longer = rhomb__max(task->target_length, task->query_length);
    const rhomb__costs *costs = &task->plan.costs;
    const bool exceeds = solution->distance < 0;
    const bool is_edit = rhomb__costs_are_edit(costs);
    report->target_length = task->target_length;
    report->query_length = task->query_length;
    report->target_bases = task->target_bases;
    report->query_bases = task->query_bases;
    report->max_distance = task->options.max_distance;
    report->distance = exceeds ? -1 : solution->distance * costs->unit;
    report->exceeds_max_distance = exceeds;
    report->edit_penalty = is_edit ? costs->unit : 0;
    report->similarity = exceeds || !is_edit ? -1 : rhomb_similarity(solution->distance, longer);
    report->has_score = costs->match > 0 && !exceeds;
    if (report->has_score)
        report->score =
            rhomb__costs_score(costs, task->target_length, task->query_length, report->distance);
    report->cells = solution->cells;
    report->batches = solution->batches;
    report->launches = solution->launches;
    report->reads = solution->reads;
    report->diagonals_in_use = solution->diagonals_in_use;
    report->column_bytes = solution->working_bytes;
    report->cells_saved_limit = solution->saved.limit;
    report->cells_saved_diagonal = solution->saved.diagonal;
}
