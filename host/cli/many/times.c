/* SPDX-License-Identifier: MIT */
/*
 * Times of many pairs, see times.h.
 */
#include "host/cli/many/times.h"

#include <inttypes.h>

void cli_times_add(cli_times *times, const cli_task *task)
{
    const rhomb_align_report *path =
        task->alignment != NULL ? rhomb_alignment_report(task->alignment) : NULL;
    const rhomb_report *whole = path != NULL           ? path->whole
                                : task->result != NULL ? rhomb_result_report(task->result)
                                                       : NULL;
    times->tasks++;
    times->solved += task->seconds;
    if (whole == NULL)
        return;
    times->inspect += whole->seconds_inspect;
    times->guide += whole->seconds_guide;
    times->build += whole->seconds_build;
    times->transfer += whole->seconds_transfer;
    times->solve += whole->seconds_solve;
    if (path == NULL)
        return;
    times->build += path->seconds_build;
    times->split += path->seconds_split;
    times->base_cases += path->seconds_base_cases;
}

void cli_times_note(const cli_times *times, int32_t at_a_time)
{
    cli_note(1,
             "%" PRId64
             " pairs, %d at a time: %.3f s, and %.3f s to open contexts; waited for looks "
             "%.3f s, for results %.3f s, written for %.3f s",
             times->tasks, (int)at_a_time, cli_seconds_now() - times->began, times->opening,
             times->looked, times->waited, times->written);
    cli_note(1,
             "the pairs, together: %.3f s; inspect %.3f, guide %.3f, build %.3f, transfer %.3f, "
             "solve %.3f, split %.3f, base cases %.3f",
             times->solved, times->inspect, times->guide, times->build, times->transfer,
             times->solve, times->split, times->base_cases);
}
